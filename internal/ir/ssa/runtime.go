package ssa

// The runtime functions of images, as OpRuntime names them. An image is a Handle whose
// bits are its object number above ObjectShift, a sampler one whose bits are those of
// the sampler. Coordinates are I32 or F32, one for each coordinate of the image at least.
const (
	// RuntimeImageRead reads the element of an image (first argument) at integer
	// coordinates. The result's kind says as what: four of F32, F16, I32 or U32, or one F32
	// (depth).
	RuntimeImageRead = "image.read"
	// RuntimeImageSample does so through a sampler (second argument).
	RuntimeImageSample = "image.sample"
	// RuntimeImageWrite writes the color (third argument, four or one as above) at integer
	// coordinates.
	RuntimeImageWrite = "image.write"
	// The properties of an image, each an I32.
	RuntimeImageWidth        = "image.width"
	RuntimeImageHeight       = "image.height"
	RuntimeImageDepth        = "image.depth"
	RuntimeImageArraySize    = "image.array_size"
	RuntimeImageChannelType  = "image.channel_data_type"
	RuntimeImageChannelOrder = "image.channel_order"
)

// IsImageQuery reports whether v asks for a property of an image, which depends on the
// image alone.
func IsImageQuery(v *Value) bool {
	if v.Op != OpRuntime {
		return false
	}
	switch v.Sym {
	case RuntimeImageWidth, RuntimeImageHeight, RuntimeImageDepth, RuntimeImageArraySize, RuntimeImageChannelType, RuntimeImageChannelOrder:
		return true
	}
	return false
}

// IsPure reports whether v depends on its arguments alone and changes nothing: a pure op, or a
// question about an image.
func (v *Value) IsPure() bool { return v.Op.Has(Pure) || IsImageQuery(v) }

// The runtime functions of async copies. A copy's first arguments are the destination and the
// source, of which one is global and one local memory; numbers are U64, events a Handle, 0 for
// none. All work-items of a group reach them with the same arguments. They mean something to
// executors that check; elsewhere each gives one of its arguments, which the optimiser puts in
// its place.
const (
	// RuntimeAsyncEvent gives the event of the copies that follow: the argument, or a new one
	// where that is 0. Elsewhere it gives the argument.
	RuntimeAsyncEvent = "async.event"
	// RuntimeAsyncCopy is a work-group's copy of (bytes of a row, rows, planes, pitch of
	// rows in the destination and the source, pitch of planes likewise, event). The result is
	// the rows of each plane that the work-items have to copy themselves: 0, and elsewhere
	// all.
	RuntimeAsyncCopy = "async.copy"
	// RuntimeAsyncWait makes copies ready for the next barrier that waits for copies: those of
	// as many events as the first argument says, at the second one, a pointer. It gives the
	// first argument.
	RuntimeAsyncWait = "async.wait"
	// RuntimeAsyncLimit bounds a number of elements (third argument) at pitches (of the
	// destination, of the source): see exec.AsyncLimit. It means the same everywhere.
	RuntimeAsyncLimit = "async.limit"
)

// AsyncRows is the number of the argument of RuntimeAsyncCopy that is the rows.
const AsyncRows = 3

// RuntimeFenceFlags says which memory fence flags the barrier or fence that follows has, of
// those in its Aux, where the program computes them. It gives its argument, a U64.
const RuntimeFenceFlags = "fence.flags"

// CheckersOnly reports whether v calls a runtime function that only checking executors need,
// and returns the argument that it gives elsewhere.
func CheckersOnly(v *Value) (arg int, ok bool) {
	if v.Op != OpRuntime {
		return 0, false
	}
	switch v.Sym {
	case RuntimeAsyncEvent, RuntimeAsyncWait, RuntimeFenceFlags:
		return 0, true
	case RuntimeAsyncCopy:
		return AsyncRows, true
	}
	return 0, false
}

// MaxGroupSize is the greatest number of work-items of a work-group.
const MaxGroupSize = 4096

// The numbers of work-items of a full sub-group that a kernel can require.
var SubGroupSizes = [...]int{8, 16, 32}

// DefaultSubGroupSize is that of kernels that require none: what most kernels are written for.
const DefaultSubGroupSize = 32

// SubGroupSize returns the number of work-items of a full sub-group of the kernel.
func (k *Kernel) SubGroupSize() int {
	if k.ReqdSubGroupSize != 0 {
		return int(k.ReqdSubGroupSize)
	}
	return DefaultSubGroupSize
}

// The runtime functions of sub-groups. A sub-group is as many consecutive work-items of a
// work-group by linear local id as the kernel's SubGroupSize says; the last one of a
// work-group may have fewer. The active work-items of a call are those of the sub-group
// that execute it together.
const (
	// RuntimeSubGroupExchange gives the first argument of the active work-item whose number
	// in the sub-group is the second argument (U32), 0 where there is no such work-item.
	RuntimeSubGroupExchange = "sub_group.exchange"
	// RuntimeSubGroupBallot gives a U32 with a bit for each active work-item whose
	// argument (I32) is not 0.
	RuntimeSubGroupBallot = "sub_group.ballot"
	// RuntimeSubGroupBarrier wants all work-items of the sub-group to be active. Its argument
	// is a U32 constant of memory fence flags: memory whose accesses it orders among them.
	RuntimeSubGroupBarrier = "sub_group.barrier"
)

// IsSubGroupFunction reports whether v is a call of a runtime function of sub-groups.
func IsSubGroupFunction(v *Value) bool {
	return v.Op == OpRuntime && (v.Sym == RuntimeSubGroupExchange || v.Sym == RuntimeSubGroupBallot || v.Sym == RuntimeSubGroupBarrier)
}

package interp

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An object is a memory object at run time.
type object struct {
	bytes    []byte // of buffers and variables; of a local object the worker's own memory
	size     uint64
	off      uint64 // of private and local objects: in the work-item's or group's memory
	number   uint32
	space    ssa.Kind
	readOnly bool
	private  bool
	local    bool
	shadowed bool // has shadow bytes
	desc     *exec.Object
}

var noObject = object{desc: &exec.Object{}}

// objects are the memory objects as the lanes of a batch see them, with a shadow byte for each byte of private and
// local memory if a check needs it (uninit.go). The type knows nothing of the batch.
type objects struct {
	objs       []object
	priv       []byte // of all lanes
	privInit   []byte // shadow bytes of priv; nil without checks of memory
	privStride uint64 // bytes of priv for each lane
	local      []byte
	localInit  []byte
}

// newObjects returns the objects of a worker of r with w lanes.
func newObjects(r *Run, w int) objects {
	x := objects{objs: append([]object(nil), r.objs...), privStride: r.privStride}
	x.priv = make([]byte, uint64(w)*r.privStride)
	x.local = make([]byte, r.localSize)
	if r.p.Checks >= exec.ChecksMemory {
		x.privInit = make([]byte, len(x.priv))
		x.localInit = make([]byte, len(x.local))
	}
	x.placeLocal()
	return x
}

// placeLocal sets the memory of local objects.
func (x *objects) placeLocal() {
	for i := range x.objs {
		if o := &x.objs[i]; o.local {
			o.bytes = x.local[o.off : o.off+o.size : o.off+o.size]
		}
	}
}

// clearLocal clears local memory for another batch.
func (x *objects) clearLocal() {
	if len(x.local) > 0 {
		clear(x.local)
		clear(x.localInit)
	}
}

// object returns object number num, or an empty one if it does not exist.
func (x *objects) object(num uint64) *object {
	if num < uint64(len(x.objs)) {
		return &x.objs[num]
	}
	return &noObject
}

// memory returns the address of a byte in bounds.
func (x *objects) memory(o *object, lane int, off uint64) unsafe.Pointer {
	if o.private {
		return unsafe.Pointer(&x.priv[uint64(lane)*x.privStride+o.off+off])
	}
	return unsafe.Pointer(&o.bytes[off])
}

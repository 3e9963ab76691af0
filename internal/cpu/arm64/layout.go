package arm64

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes is the number of work-items of a gang.
const Lanes = 16

// Offsets in bytes of the fields of the context, through which code and host communicate. X26 points to it.
const (
	ctxResume  = 0   // address to resume at, 0: the beginning
	ctxLink    = 8   // return address
	ctxHost    = 16  // number of the requested host call
	ctxStatus  = 24  // reason for the return
	ctxStop    = 32  // address of a byte that is not 0 if the host wants to be polled
	ctxIDEnd   = 40  // result of gang's idend
	ctxGlobal  = 48  // global id of lane 0 of the running gang
	ctxActive  = 64  // predicate of the lanes that are work-items
	ctxQueries = 128 // [NumQueries][3]uint64
	ctxIota    = ctxQueries + 24*int(ssa.NumQueries)
	ctxGeneral = (ctxIota + 16*15 + 15) &^ 15 // X0 to X25 during a host call
	ctxVector  = ctxGeneral + 8*26            // V0 to V31
	ctxArgs    = ctxVector + 16*32            // operands of a host call, then its result
	argSize    = Lanes * 16 * 8               // size of the largest operand: 16 elements of 8 bytes per lane
	numArgs    = 4
	maskArg    = 3 // number of the operand that is the predicate
	resultArg  = 1
	ctxRoots   = ctxArgs + numArgs*argSize
)

// Offsets in bytes of the fields of a root, which has 32 bytes.
const (
	rootSize    = 32
	rootPointer = 0  // the pointer as kernels see it
	rootBase    = 8  // address
	rootLen     = 16 // bytes
	rootWrites  = 24 // bytes, 0 for a read-only object
)

const (
	statusDone = 0
	statusHost = 1
)

// argAt returns the offset of operand k of a host call; ok is false if the context has no room for it. An
// operation of the kernel may have many operands with one element per lane each.
func argAt(i *gang.Inst, k int) (at int, ok bool) {
	if i.Op == gang.OpCall {
		at = k * Lanes * 8
		return ctxArgs + at, at < maskArg*argSize
	}
	return ctxArgs + k*argSize, k < maskArg
}

// iotaAt returns the offset of the vector 0, 1, 2, … of elements of 1 << t bytes.
func iotaAt(t uint8) int { return ctxIota + 16*(1<<t-1) }

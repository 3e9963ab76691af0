package arm64

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes is how many work-items a gang has.
const Lanes = 16

// The context, which X26 points to: offsets in bytes. Code and host talk through it.
const (
	ctxResume  = 0   // where to go on, 0: at the beginning
	ctxLink    = 8   // where to return to
	ctxHost    = 16  // number of the host call that is asked for
	ctxStatus  = 24  // why the code returned
	ctxStop    = 32  // address of a byte that is not 0 when the host is to be polled
	ctxBehind  = 40  // what gang's behind gives
	ctxGlobal  = 48  // global id of lane 0 of the gang that runs
	ctxActive  = 64  // predicate of the lanes that are work-items
	ctxQueries = 128 // [NumQueries][3]uint64
	ctxIota    = ctxQueries + 24*int(ssa.NumQueries)
	ctxGeneral = (ctxIota + 16*15 + 15) &^ 15 // X0 to X25 during a host call
	ctxVector  = ctxGeneral + 8*26            // V0 to V31
	ctxArgs    = ctxVector + 16*32            // operands of a host call, then its result
	argSize    = Lanes * 16 * 8               // the most that one is: 16 elements of 8 bytes for each lane
	numArgs    = 4
	maskArg    = 3 // the operand that is the predicate
	resultArg  = 1
	ctxRoots   = ctxArgs + numArgs*argSize
)

// A root is 32 bytes.
const (
	rootSize    = 32
	rootPointer = 0  // what kernels see
	rootBase    = 8  // address
	rootLen     = 16 // bytes
	rootWrites  = 24 // bytes, of a read-only object 0
)

const (
	statusDone = 0
	statusHost = 1
)

// argAt returns the offset of an operand of a host call, false where there is no room for it. An
// operation of the kernel may have many, each with one element for each lane.
func argAt(i *gang.Inst, k int) (at int, ok bool) {
	if i.Op == gang.OpCall {
		at = k * Lanes * 8
		return ctxArgs + at, at < maskArg*argSize
	}
	return ctxArgs + k*argSize, k < maskArg
}

// iota returns the offset of the vector of the numbers of lanes, of elements of 1 << t bytes.
func iotaAt(t uint8) int { return ctxIota + 16*(1<<t-1) }

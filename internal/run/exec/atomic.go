package exec

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// RMWFunc returns the function from the old value and the operand of an atomic operation to the new value, all
// as bits. It returns nil if elements of kind k have no such operation.
func RMWFunc(rmw ssa.RMW, k ssa.Kind) func(old, x uint64) uint64 {
	if rmw == ssa.RMWXchg {
		return func(_, x uint64) uint64 { return x }
	}
	switch k {
	case ssa.F16:
		f := halfRMW[rmw]
		if f == nil {
			return nil
		}
		return func(old, x uint64) uint64 { return uint64(f(numeric.Half(old), numeric.Half(x))) }
	case ssa.F32:
		f := floatRMW[float32](rmw)
		if f == nil {
			return nil
		}
		return func(old, x uint64) uint64 {
			return uint64(math.Float32bits(f(math.Float32frombits(uint32(old)), math.Float32frombits(uint32(x)))))
		}
	case ssa.F64:
		f := floatRMW[float64](rmw)
		if f == nil {
			return nil
		}
		return func(old, x uint64) uint64 {
			return math.Float64bits(f(math.Float64frombits(old), math.Float64frombits(x)))
		}
	}
	switch rmw {
	case ssa.RMWAdd:
		return func(old, x uint64) uint64 { return old + x }
	case ssa.RMWSub:
		return func(old, x uint64) uint64 { return old - x }
	case ssa.RMWAnd:
		return func(old, x uint64) uint64 { return old & x }
	case ssa.RMWOr:
		return func(old, x uint64) uint64 { return old | x }
	case ssa.RMWXor:
		return func(old, x uint64) uint64 { return old ^ x }
	}
	less := func(a, b uint64) bool { return a < b }
	switch k {
	case ssa.I32:
		less = func(a, b uint64) bool { return int32(a) < int32(b) }
	case ssa.I64:
		less = func(a, b uint64) bool { return int64(a) < int64(b) }
	}
	if rmw == ssa.RMWMin {
		return func(old, x uint64) uint64 {
			if less(x, old) {
				return x
			}
			return old
		}
	}
	return func(old, x uint64) uint64 {
		if less(old, x) {
			return x
		}
		return old
	}
}

func floatRMW[T numeric.Float](rmw ssa.RMW) func(old, x T) T {
	switch rmw {
	case ssa.RMWAdd:
		return numeric.Add[T]
	case ssa.RMWSub:
		return numeric.Sub[T]
	case ssa.RMWMin:
		return numeric.Fmin[T]
	case ssa.RMWMax:
		return numeric.Fmax[T]
	}
	return nil
}

var halfRMW = [ssa.NumRMW]func(old, x numeric.Half) numeric.Half{
	ssa.RMWAdd: numeric.Half.Add, ssa.RMWSub: numeric.Half.Sub, ssa.RMWMin: numeric.Half.Fmin, ssa.RMWMax: numeric.Half.Fmax,
}

// Unaligned serialises atomic operations on global memory at misaligned addresses, for which the processor has no
// atomic instruction. Machine code holds it too.
var Unaligned SpinLock

// A SpinLock is a lock that is held for a few instructions: its word is 1 while it is held, else 0.
type SpinLock struct{ word uint32 }

// Address returns the address of the word.
func (l *SpinLock) Address() unsafe.Pointer { return unsafe.Pointer(&l.word) }

func (l *SpinLock) Lock() {
	for !atomic.CompareAndSwapUint32(&l.word, 0, 1) {
		runtime.Gosched()
	}
}

func (l *SpinLock) Unlock() { atomic.StoreUint32(&l.word, 0) }

package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Host calls: operations that the launch executes in Go for the active lanes. They are copies of large blocks,
// images, printf, and pure operations without instructions. Code.Ops lists them. Memory at Code.Area in the
// context holds the bits of the active lanes, then the arguments in order: 8 bytes per lane and component.
// Elements of smaller types are packed, and a Bool has one bit per lane. Results overwrite the first arguments.

// IsHostCall reports whether the launch executes v in Go.
func IsHostCall(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpPrintf, ssa.OpImageQuery, ssa.OpFenceFlags:
		return true
	case ssa.OpMemCopy, ssa.OpMemZero:
		return v.Aux > MaxStep
	case ssa.OpPtrCast:
		return lanes.FromGeneric(v)
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy)
}

// Slot returns the offset from Code.Area of component k of argument i of a host call, for gangs of lanes lanes. i
// = 0 also selects the result.
func Slot(v *ssa.Value, i, k, lanes int) int {
	n := 1 + k
	for _, a := range v.Args[:i] {
		n += int(a.Type.N)
	}
	return 8 * lanes * n
}

// layoutHostCalls reserves memory in the context for the operands of host calls.
func (l *lowerer) layoutHostCalls() {
	size := 0
	for _, b := range l.plan.Order {
		for _, v := range b.Values {
			if IsHostCall(v) || v.Op.Has(ssa.SubGroup) {
				size = max(size, Slot(v, len(v.Args), 0, l.n), Slot(v, 0, int(v.Type.N), l.n))
			}
		}
	}
	l.out.Area = (l.out.CtxSize + 63) &^ 63
	if size > 0 {
		l.out.CtxSize = l.out.Area + size
	}
}

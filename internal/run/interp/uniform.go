package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// analyse orders a function's blocks and finds the varying values.
func analyse(f *ssa.Func, isKernel bool, p *Program) *uniform.Analysis {
	fl := uniform.FlowOf(f)
	return uniform.Analyse(fl, uniform.Config{
		Seed:  func(v *ssa.Value) bool { return p.stepped || varies(v, isKernel, p.Mixed, fl.Loops.Irreducible) },
		Votes: true, // each lane votes for itself
	})
}

// varies reports whether v is varying although its operands are not.
func varies(v *ssa.Value, isKernel, mixed, irreducible bool) bool {
	switch v.Op {
	case ssa.OpParam:
		return !isKernel
	case ssa.OpPhi:
		return irreducible
	case ssa.OpLoad:
		// Lanes that read one address together read one value, unless the memory is private.
		k := v.Args[0].Type.K
		return irreducible || k == ssa.PtrPrivate || k == ssa.PtrGeneric || v.Flags&ssa.Volatile != 0
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID, ssa.GlobalLinearID, ssa.LocalLinearID:
			return true
		case ssa.GroupID, ssa.LocalSize:
			return mixed
		}
		return false
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern:
		return true
	case ssa.OpAsyncLimit, ssa.OpFenceFlags:
		return true
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup)
}

package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// kernel describes a kernel for launches (OpenCL API, "Kernel Object Queries", 5.9.4).
func kernel(f *check.Func) *ssa.Kernel {
	k := &ssa.Kernel{
		ReqdGroupSize:    f.Kernel.ReqdWorkGroupSize,
		GroupSizeHint:    f.Kernel.WorkGroupSizeHint,
		ReqdSubGroupSize: f.Kernel.ReqdSubGroupSize,
		VecTypeHint:      f.Kernel.VecTypeHint,
		Attributes:       f.Kernel.Text,
		Args:             make([]ssa.KernelArg, len(f.Params)),
	}
	for i, p := range f.Params {
		k.Args[i] = kernelArg(p)
		if i < len(f.Kernel.ParamTypes) {
			k.Args[i].TypeName = f.Kernel.ParamTypes[i]
		}
	}
	return k
}

var pointerArgs = [...]ssa.ArgKind{
	types.NoSpace: ssa.ArgGlobal, types.Private: ssa.ArgGlobal, types.Generic: ssa.ArgGlobal,
	types.Global: ssa.ArgGlobal, types.Constant: ssa.ArgConstant, types.Local: ssa.ArgLocal,
}

func kernelArg(p *check.Var) ssa.KernelArg {
	t := p.Type
	a := ssa.KernelArg{Name: p.Name, ElemKind: ssa.Void, Size: t.Size(), Align: t.Align()}
	switch t.Kind {
	case types.Pointer:
		elem := t.Elem
		a.Kind = pointerArgs[space(elem)]
		a.Size, a.Align = max(elem.Size(), 0), elem.Align()
		a.Const = elem.Const || a.Kind == ssa.ArgConstant
		a.Volatile, a.Restrict = elem.Volatile, t.Restrict
		if n := elem.Num(); n != numeric.Invalid && elem.Kind != types.Pointer {
			a.ElemKind, a.ElemLanes = ssa.Kind(n), uint8(elem.Lanes())
		}
	case types.Image:
		a.Kind, a.Access, a.Image = ssa.ArgImage, uint8(t.Access), uint8(t.Image)
	case types.Sampler:
		a.Kind = ssa.ArgSampler
	case types.Record, types.Array:
		a.Kind = ssa.ArgStruct
	default:
		a.Kind, a.Type = ssa.ArgValue, ssaType(t.Type)
	}
	return a
}

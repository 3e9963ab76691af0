package irgen

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// kernel returns a kernel's properties for launches (OpenCL API, "Kernel Object Queries", 5.9.4).
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
		a.Layout = layout(elem.Type)
	case types.Image:
		a.Kind, a.Access, a.Image = ssa.ArgImage, uint8(t.Access), uint8(t.Image)
	case types.Sampler:
		a.Kind = ssa.ArgSampler
	case types.Record, types.Array:
		a.Kind = ssa.ArgStruct
		a.Layout = layout(t.Type)
	default:
		a.Kind, a.Type = ssa.ArgValue, ssaType(t.Type)
	}
	return a
}

// maxLayout bounds the length of a layout in bytes.
const maxLayout = 1 << 14

// layout describes a struct, union or array in the form that [ssa.ParseLayout] parses, "" for other types and for
// descriptions that would be too long.
func layout(t *types.Type) string {
	if t.Kind != types.Record && t.Kind != types.Array || t.Size() <= 0 {
		return ""
	}
	b := appendLayout(nil, t)
	if len(b) > maxLayout {
		return ""
	}
	return string(b)
}

func appendLayout(b []byte, t *types.Type) []byte {
	n := numeric.Invalid
	if t.Kind != types.Pointer {
		n = t.Num()
	}
	switch {
	case len(b) > maxLayout:
		return b
	case t.Kind == types.Atomic:
		return appendLayout(b, t.Elem.Type)
	case t.Kind == types.Array && t.Len >= 0:
		b = appendLayout(b, t.Elem.Type)
		return fmt.Appendf(b, "[%d]", t.Len)
	case t.Kind == types.Record && !t.Rec.Union && !hasBits(t.Rec):
		b = append(b, '{')
		for i, f := range t.Rec.Fields {
			if i > 0 {
				b = append(b, ' ')
			}
			b = fmt.Appendf(b, "%s@%d:", f.Name, f.Offset)
			b = appendLayout(b, f.Type.Type)
		}
		return fmt.Appendf(b, "}%d", t.Rec.Size)
	case n != numeric.Invalid && t.Lanes() > 1:
		return fmt.Appendf(b, "%vx%d", n, t.Lanes())
	case n != numeric.Invalid:
		return fmt.Appendf(b, "%v", n)
	}
	return fmt.Appendf(b, "?%d", max(t.Size(), 0)) // a union or bit-fields: any bytes
}

func hasBits(r *types.RecordInfo) bool {
	for i := range r.Fields {
		if r.Fields[i].Bits >= 0 {
			return true
		}
	}
	return false
}

package irgen

import (
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// spaceKinds are the pointer kinds of the address spaces.
var spaceKinds = [...]ssa.Kind{
	types.NoSpace: ssa.PtrPrivate, types.Private: ssa.PtrPrivate, types.Local: ssa.PtrLocal,
	types.Global: ssa.PtrGlobal, types.Constant: ssa.PtrConstant, types.Generic: ssa.PtrGeneric,
}

// ssaType returns the type of a value of type t; for a record or array, the type of its address in private memory.
func ssaType(t *types.Type) ssa.Type {
	switch t.Kind {
	case types.Vector:
		return ssa.Vec(ssa.Kind(t.Num()), int(t.Len))
	case types.Pointer:
		return ssa.Scalar(spaceKinds[space(t.Elem)])
	case types.Image, types.Sampler, types.Event, types.Placeholder:
		return ssa.Scalar(ssa.Handle)
	case types.Void, types.Func, types.Invalid:
		return ssa.TVoid
	case types.Record, types.Array:
		return ssa.Scalar(ssa.PtrPrivate)
	case types.Atomic:
		return ssaType(t.Elem.Type)
	}
	return ssa.Scalar(ssa.Kind(t.Num()))
}

// space returns the address space of an object of type q.
func space(q types.QType) types.AddressSpace {
	for q.Space == types.NoSpace && q.Type != nil && q.Kind == types.Array {
		q = q.Elem
	}
	return q.Space
}

// isRecord reports whether values of type t are in memory.
func isRecord(t *types.Type) bool { return t.Kind == types.Record || t.Kind == types.Array }

// hasArray reports whether an array is part of t.
func hasArray(t *types.Type) bool {
	switch t.Kind {
	case types.Array:
		return true
	case types.Record:
		for i := range t.Rec.Fields {
			if hasArray(t.Rec.Fields[i].Type.Type) {
				return true
			}
		}
	}
	return false
}

// spelling returns the type's name in reports.
func (u *unit) spelling(t *types.Type) string {
	if t.Kind <= types.Vector {
		return t.Name
	}
	s, ok := u.spelled[t]
	if !ok {
		s = t.String()
		u.spelled[t] = s
	}
	return s
}

// strideOf returns the distance in bytes between elements of type t, 1 for void.
func strideOf(t *types.Type) int64 { return max(t.Size(), 1) }

// inRegister reports whether a variable of type t can be a value without memory.
func inRegister(t *types.Type) bool { return !isRecord(t) && t.Kind != types.Atomic }

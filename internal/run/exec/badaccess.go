package exec

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An AccessKey identifies findings of machine code that count as one.
type AccessKey struct {
	Kind FindingKind
	Pos  diag.Pos
	ID   int32 // distinguishes operations without a position
}

// AccessKey returns the key of a finding at v, nil if it is at no operation.
func (f *Finding) AccessKey(v *ssa.Value) AccessKey {
	k := AccessKey{Kind: f.Kind, Pos: f.Pos}
	if f.Pos == 0 && v != nil {
		k.ID = v.ID
	}
	return k
}

// BadAccess returns the finding of access v through the pointer p. Its kind is NullPointer, or WildPointer
// until In gives it the object that the pointer points into.
func BadAccess(v *ssa.Value, p uint64) Finding {
	f := Finding{Kind: WildPointer, Pos: v.Pos, Offset: p & ssa.OffsetMask}
	if f.Offset > ssa.OffsetMask/2 {
		f.Offset |= ^ssa.OffsetMask
	}
	if p>>ssa.ObjectShift == 0 {
		f.Kind = NullPointer
	}
	t := v.Type
	f.Access = "atomic access"
	switch v.Op {
	case ssa.OpLoad, ssa.OpMemCopy, ssa.OpMemZero, ssa.OpPrintf:
		f.Access = v.Op.String()
	case ssa.OpStore:
		f.Access, t = v.Op.String(), v.Args[1].Type
	case ssa.OpAtomicStore:
		t = v.Args[1].Type
	}
	switch v.Op {
	case ssa.OpMemCopy, ssa.OpMemZero:
		f.Size = uint64(v.Aux)
	case ssa.OpPrintf:
		f.Size = 1
	default:
		f.Size = uint64(t.Size())
	}
	return f
}

// In records that p points into an object of extent bytes. The access was out of bounds, or else a store to
// read-only memory.
func (f *Finding) In(p, extent uint64) {
	f.Kind, f.Extent = OutOfBounds, extent
	if off := p & ssa.OffsetMask; off+f.Size <= extent {
		f.Kind, f.Offset = ConstantWrite, off
	}
}

// Of names the launch's object of the access.
func (f *Finding) Of(o *Object) { f.Object, f.What, f.Space = o.Name, o.WhereMsg, o.Space }

// OfVariable names the private variable of the access.
func (f *Finding) OfVariable(name string) {
	f.Object, f.What, f.Space = name, "variable", ssa.PtrPrivate
}

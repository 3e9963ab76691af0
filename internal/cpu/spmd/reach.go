package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A reach finds which of several definitions of a value reaches the end of a block, and inserts phis where
// paths join.
type reach struct {
	f    *ssa.Func
	v    *ssa.Value                // the value, which gives the phis their type
	at   map[*ssa.Block]*ssa.Value // the definition at the end of each block; at first only the definitions themselves
	made []*ssa.Value
}

// value returns the definition at the end of b.
func (r *reach) value(b *ssa.Block) *ssa.Value {
	if x := r.at[b]; x != nil {
		return x
	}
	if len(b.Preds) == 1 {
		x := r.value(b.Preds[0])
		r.at[b] = x
		return x
	}
	phi := b.InsertAt(0, r.f.NewValue(ssa.OpPhi, r.v.Type, r.v.Pos))
	r.at[b] = phi // set before its arguments, which may depend on it
	args := make([]*ssa.Value, len(b.Preds))
	for i, p := range b.Preds {
		args[i] = r.value(p)
	}
	phi.SetArgs(args...)
	r.made = append(r.made, phi)
	return phi
}

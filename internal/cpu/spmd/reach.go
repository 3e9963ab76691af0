package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A reach finds which of several definitions of one value reaches the end of a block, and
// makes phis where ways join.
type reach struct {
	f    *ssa.Func
	v    *ssa.Value                // the value, of whose type the phis are
	at   map[*ssa.Block]*ssa.Value // what is known: at first the definitions
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
	r.at[b] = phi // before its arguments: they may come from behind it
	args := make([]*ssa.Value, len(b.Preds))
	for i, p := range b.Preds {
		args[i] = r.value(p)
	}
	phi.SetArgs(args...)
	r.made = append(r.made, phi)
	return phi
}

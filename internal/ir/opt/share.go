package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of the comparison: the depth of addresses, and the loads of a side.
const (
	maxTwin        = 8
	maxSharedLoads = 32
)

// share merges memory accesses on both sides of a branch. Loads from one address move before the branch. Stores
// to one address at the ends of both sides move after it, and store a phi. share reports whether it changed
// anything. Config.KeepAccesses forbids it.
func (c *converter) share(a, then, els *ssa.Block) (changed bool) {
	if c.s.cfg.KeepAccesses {
		return false
	}
	for _, v := range loads(then) {
		for _, w := range loads(els) {
			if v.Type == w.Type && v.Aux == w.Aux && v.Flags == w.Flags && twins(v.Args[0], w.Args[0], then, els, maxTwin) {
				lift(v, w, a)
				changed = true
				break
			}
		}
	}
	if c.sink(a, then, els) {
		changed = true
	}
	if changed {
		for _, b := range []*ssa.Block{then, els} {
			b.Values = slices.DeleteFunc(b.Values, func(v *ssa.Value) bool { return v.Block != b })
		}
	}
	return changed
}

// loads returns the loads in b before the first write.
func loads(b *ssa.Block) (list []*ssa.Value) {
	for _, v := range b.Values {
		switch {
		case len(list) == maxSharedLoads:
			return list
		case v.Op == ssa.OpLoad && v.Flags&ssa.Volatile == 0:
			list = append(list, v)
		case v.Op == ssa.OpLoad || !v.Op.Has(ssa.Pure):
			return list
		}
	}
	return list
}

// twins reports whether x in then and y in els are the same pure expression.
func twins(x, y *ssa.Value, then, els *ssa.Block, depth int) bool {
	x, y = x.Source(), y.Source()
	if x == y {
		return true
	}
	if depth == 0 || x.Block != then || y.Block != els || x.Op != y.Op || x.Type != y.Type || x.Aux != y.Aux || x.Sym != y.Sym ||
		!x.Op.Has(ssa.Pure) || x.Op == ssa.OpPhi || x.Op == ssa.OpUndef || len(x.Args) != len(y.Args) || !slices.Equal(x.Bits, y.Bits) || !slices.Equal(x.Lanes, y.Lanes) {
		return false
	}
	for i := range x.Args {
		if !twins(x.Args[i], y.Args[i], then, els, depth-1) {
			return false
		}
	}
	return true
}

// lift moves v, whose twin is w, and its operands to the end of a. The twins become copies.
func lift(v, w *ssa.Value, a *ssa.Block) {
	v, w = v.Source(), w.Source()
	if v == w {
		return
	}
	for i := range v.Args {
		lift(v.Args[i], w.Args[i], a)
	}
	a.InsertBeforeTerm(v)
	w.BecomeCopy(v)
}

// sink replaces the stores at the ends of both sides by one after the branch.
func (c *converter) sink(a, then, els *ssa.Block) bool {
	to := then.Succs[0]
	v, w := lastStore(then), lastStore(els)
	if v == nil || w == nil || len(to.Preds) != 2 || v.Args[1].Type != w.Args[1].Type || v.Aux != w.Aux || v.Flags != w.Flags ||
		!twins(v.Args[0], w.Args[0], then, els, maxTwin) {
		return false
	}
	lift(v.Args[0], w.Args[0], a)
	v.Args[0] = v.Args[0].Source()
	if x, y := v.Args[1], w.Args[1]; x.Source() != y.Source() {
		phi := c.f.NewValue(ssa.OpPhi, x.Type, v.Pos, x, y)
		if to.Preds[0] != then {
			phi.SetArgs(y, x)
		}
		if c.isPoison(x) || c.isPoison(y) {
			c.taint(phi)
		}
		v.Args[1] = to.InsertAt(0, phi)
	}
	to.InsertAt(len(to.Phis()), v)
	w.Block = nil
	return true
}

// lastStore returns the store at the end of b, nil if there is none.
func lastStore(b *ssa.Block) *ssa.Value {
	if n := len(b.Values); n >= 2 && b.Values[n-2].Op == ssa.OpStore && b.Values[n-2].Flags&ssa.Volatile == 0 {
		return b.Values[n-2]
	}
	return nil
}

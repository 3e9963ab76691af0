package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// Roots numbers the memory objects that are known when code is made: what pointer parameters point to, then variables and
// private objects in order of the blocks.
type Roots struct {
	List   []*ssa.Value // by number: the parameter, the address of the variable or the alloca
	number map[any]int
}

// FindRoots returns the roots of a function whose blocks run in this order.
func FindRoots(f *ssa.Func, order []*ssa.Block) *Roots {
	r := &Roots{number: map[any]int{}}
	for _, p := range f.Params {
		if p.Type.K.IsPtr() {
			r.add(p)
		}
	}
	for _, b := range order {
		for _, v := range b.Values {
			if v.Op == ssa.OpGlobalAddr || v.Op == ssa.OpAlloca {
				r.add(v)
			}
		}
	}
	return r
}

// add numbers a root. All addresses of a variable are one root.
func (r *Roots) add(v *ssa.Value) {
	if _, known := r.number[rootKey(v)]; !known {
		r.number[rootKey(v)] = len(r.List)
		r.List = append(r.List, v)
	}
}

func rootKey(v *ssa.Value) any {
	if v.Op == ssa.OpGlobalAddr {
		return v.Sym
	}
	return v
}

// Number returns the number of a root, -1 of nil.
func (r *Roots) Number(v *ssa.Value) int {
	if v == nil {
		return -1
	}
	return r.number[rootKey(v)]
}

package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// constantDims makes the dimensions of work-item queries constant. A query of a variable dimension becomes a
// select between the three constant ones.
func constantDims(f *ssa.Func) {
	changed := false
	for _, b := range f.Blocks {
		for i := 0; i < len(b.Values); i++ {
			v := b.Values[i]
			if v.Op != ssa.OpWorkItem || v.Args[0].IsConst() {
				continue
			}
			dim, t := v.Args[0], v.Args[0].Type
			at := i
			add := func(x *ssa.Value) *ssa.Value {
				b.InsertAt(at, x)
				at++
				return x
			}
			query := func(d uint64) *ssa.Value {
				q := f.NewValue(ssa.OpWorkItem, v.Type, v.Pos, f.InsertEntry(f.NewConst(t, d)))
				if b == f.Blocks[0] {
					at++ // after the constant
				}
				q.Aux = v.Aux
				return add(q)
			}
			r := query(3)
			for d := range uint64(3) {
				x := query(d)
				is := f.NewValue(ssa.OpEq, ssa.TBool, v.Pos, dim, x.Args[0])
				r = add(f.NewValue(ssa.OpSelect, v.Type, v.Pos, add(is), x, r))
			}
			v.BecomeCopy(r)
			i, changed = at, true
		}
	}
	if changed {
		f.ReplaceCopies()
	}
}

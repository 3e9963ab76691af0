package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// expand replaces operations by simpler ones, so that machines need no instructions for them: linear ids, queries for
// dimensions that are computed or do not exist, elements by number, undefined values. It reports whether it changed
// something.
func expand(f *ssa.Func) bool {
	found := expandLinearIDs(f)
	constantDims(f)
	for _, b := range f.Blocks {
		for i := 0; i < len(b.Values); i++ {
			switch v := b.Values[i]; v.Op {
			case ssa.OpUndef:
				v.BecomeConst(f, []uint64{0})
			case ssa.OpWorkItem:
				if x, ok := knownQuery(f, v); ok {
					v.BecomeConst(f, []uint64{x})
				}
			case ssa.OpExtractDyn, ssa.OpInsertDyn:
				n := len(b.Values)
				expandDynamic(f, b, i, v)
				i += len(b.Values) - n
			default:
				continue
			}
			found = true
		}
	}
	f.ReplaceCopies()
	return found
}

// knownQuery returns the answer to a query that does not depend on the launch.
func knownQuery(f *ssa.Func, v *ssa.Value) (x uint64, ok bool) {
	beyond := v.Args[0].ConstElem(0) > 2
	switch ssa.WorkItemQuery(v.Aux) {
	case ssa.MaxSubGroupSize:
		return uint64(f.Kernel.SubGroupSize()), true
	case ssa.WorkDim:
		return 0, false
	case ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups:
		return 1, beyond
	}
	return 0, beyond
}

// expandDynamic computes the access to an element by its number, which is before place i of b, by comparisons. An
// element that does not exist is 0.
func expandDynamic(f *ssa.Func, b *ssa.Block, i int, v *ssa.Value) {
	add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		x := b.InsertAt(i, f.NewValue(op, t, v.Pos, args...))
		i++
		return x
	}
	constant := func(t ssa.Type, elements ...uint64) *ssa.Value {
		x := b.InsertAt(i, f.NewConstVec(t, elements))
		i++
		return x
	}
	whole, index := v.Args[0], v.Args[1]
	n := whole.Type.N
	if v.Op == ssa.OpInsertDyn {
		numbers := make([]uint64, n)
		for c := range numbers {
			numbers[c] = uint64(c)
		}
		t := ssa.Type{K: index.Type.K, N: n}
		is := add(ssa.OpEq, ssa.Type{K: ssa.Bool, N: n}, add(ssa.OpSplat, t, index), constant(t, numbers...))
		v.BecomeCopy(add(ssa.OpSelect, v.Type, is, add(ssa.OpSplat, v.Type, v.Args[2]), whole))
		return
	}
	r := constant(v.Type, 0)
	for c := range uint64(n) {
		x := add(ssa.OpExtract, v.Type, whole)
		x.Aux = int64(c)
		r = add(ssa.OpSelect, v.Type, add(ssa.OpEq, ssa.TBool, index, constant(index.Type, c)), x, r)
	}
	v.BecomeCopy(r)
}

// expandLinearIDs computes linear ids from those of the dimensions (OpenCL C,
// "Work-Item Functions", get_global_linear_id), and reports whether there were any.
func expandLinearIDs(f *ssa.Func) bool {
	found := false
	for _, b := range f.Blocks {
		for i := 0; i < len(b.Values); i++ {
			v := b.Values[i]
			if v.Op != ssa.OpWorkItem {
				continue
			}
			id, size := ssa.GlobalID, ssa.GlobalSize
			switch ssa.WorkItemQuery(v.Aux) {
			case ssa.LocalLinearID:
				id, size = ssa.LocalID, ssa.LocalSize
			case ssa.GlobalLinearID:
			default:
				continue
			}
			add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
				w := b.InsertAt(i, f.NewValue(op, t, v.Pos, args...))
				i++
				return w
			}
			query := func(q ssa.WorkItemQuery, d uint64) *ssa.Value {
				dim := b.InsertAt(i, f.NewConst(ssa.TU32, d))
				i++
				w := add(ssa.OpWorkItem, v.Type, dim)
				w.Aux = int64(q)
				return w
			}
			var sum *ssa.Value
			for d := 2; d >= 0; d-- {
				at := query(id, uint64(d))
				if id == ssa.GlobalID {
					at = add(ssa.OpSub, v.Type, at, query(ssa.GlobalOffset, uint64(d)))
				}
				if sum != nil {
					at = add(ssa.OpAdd, v.Type, add(ssa.OpMul, v.Type, sum, query(size, uint64(d))), at)
				}
				sum = at
			}
			v.BecomeCopy(sum)
			found = true
		}
	}
	return found
}

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

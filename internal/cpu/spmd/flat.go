package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Kernels without barriers and local memory usually use work-group ids and local ids only to compute global
// ids. If all work-groups of a launch have one size and its ids begin at 0, such a kernel needs no work-groups,
// and gangs follow the rows of the whole range.

// maxSummands bounds the additions to search for the two summands of a global id.
const maxSummands = 6

// Flatten reports whether a kernel needs no work-groups if all of them have the size local; zeros mean any
// size. exact says that no use of group ids and local ids remains. Otherwise they are computed from global ids,
// which requires known sizes.
func Flatten(f *ssa.Func, local [3]uint64) (exact, ok bool) {
	f = clone(f)
	expand(f)
	return flattenIDs(f, local)
}

func flattenIDs(f *ssa.Func, local [3]uint64) (exact, ok bool) {
	constantDims(f)
	w := &flattening{f: f, local: local}
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op == ssa.OpAdd && v.Type.N == 1 && isInt(v.Type.K) && v.Type.K.Num().Size() >= 4 {
				w.sum(v)
			}
		}
	}
	f.ReplaceCopies()
	dropUnused(f, f.Blocks)
	return w.rest()
}

type flattening struct {
	f     *ssa.Func
	local [3]uint64
}

// query returns the work-item query that v is, through conversions that keep the value of ids and sizes.
func query(v *ssa.Value) (q ssa.WorkItemQuery, d uint64, ok bool) {
	v = unconverted(v)
	if v.Op != ssa.OpWorkItem || !v.Args[0].IsConst() || v.Args[0].ConstElem(0) > 2 {
		return 0, 0, false
	}
	return ssa.WorkItemQuery(v.Aux), v.Args[0].ConstElem(0), true
}

// unconverted removes integer conversions to 32 bits and more. Ids and sizes are below 2³¹, and so are the
// products of them that are ids.
func unconverted(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.OpCopy || v.Op == ssa.OpConvert && v.Type.N == 1 && isInt(v.Type.K) && isInt(v.Args[0].Type.K) && min(v.Type.K.Num().Size(), v.Args[0].Type.K.Num().Size()) >= 4 {
		v = v.Args[0]
	}
	return v
}

// group returns the dimension in which v is the global id of a work-group's first work-item.
func (w *flattening) group(v *ssa.Value) (d uint64, ok bool) {
	v = unconverted(v)
	switch v.Op {
	case ssa.OpMul:
		for i := range 2 {
			q, d, ok := query(v.Args[i])
			if !ok || q != ssa.GroupID {
				continue
			}
			by := v.Args[1-i]
			q, e, ok := query(by)
			if ok && e == d && (q == ssa.LocalSize || q == ssa.EnqueuedLocalSize) || by.IsConst() && w.local[d] != 0 && by.ConstElem(0) == w.local[d] {
				return d, true
			}
		}
	case ssa.OpShl:
		q, d, ok := query(v.Args[0])
		n := v.Args[1]
		return d, ok && q == ssa.GroupID && n.IsConst() && n.ConstElem(0) < 31 && w.local[d] == 1<<n.ConstElem(0)
	case ssa.OpWorkItem:
		q, d, ok := query(v)
		return d, ok && q == ssa.GroupID && w.local[d] == 1
	}
	return 0, false
}

// sum replaces a sum that contains both summands of a global id by one with the global id.
func (w *flattening) sum(v *ssa.Value) {
	for i := range 2 {
		q, d, ok := query(v.Args[i])
		if !ok || q != ssa.LocalID {
			continue
		}
		rest, found := w.without(v, v.Args[1-i], d, maxSummands)
		if !found {
			continue
		}
		id := w.before(v, ssa.OpWorkItem, ssa.TU64, w.f.InsertEntry(w.f.NewConst(ssa.TU32, d)))
		id.Aux = int64(ssa.GlobalID)
		if v.Type.K != ssa.U64 {
			id = w.before(v, ssa.OpConvert, v.Type, id)
		}
		if rest == nil {
			v.BecomeCopy(id)
		} else {
			v.SetArgs(rest, id)
		}
		return
	}
}

// before inserts a value before v.
func (w *flattening) before(v *ssa.Value, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return v.Block.InsertAt(slices.Index(v.Block.Values, v), w.f.NewValue(op, t, v.Pos, args...))
}

// without returns x, a summand of v, without its summand that is the first global id of a work-group in
// dimension d; nil means 0.
func (w *flattening) without(v, x *ssa.Value, d uint64, depth int) (rest *ssa.Value, found bool) {
	if e, ok := w.group(x); ok && e == d {
		return nil, true
	}
	if x.Op != ssa.OpAdd || depth == 0 {
		return nil, false
	}
	for i := range 2 {
		r, found := w.without(v, x.Args[i], d, depth-1)
		switch {
		case !found:
		case r == nil:
			return x.Args[1-i], true
		default:
			return w.before(v, ssa.OpAdd, x.Type, r, x.Args[1-i]), true
		}
	}
	return nil, false
}

// rest computes the remaining group ids and local ids from global ids if sizes are known.
func (w *flattening) rest() (exact, ok bool) {
	exact = true
	for _, b := range w.f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op != ssa.OpWorkItem {
				continue
			}
			q, d, inRange := query(v)
			switch ssa.WorkItemQuery(v.Aux) {
			case ssa.LocalSize, ssa.EnqueuedLocalSize:
				if inRange && w.local[d] != 0 {
					v.BecomeConst(w.f, []uint64{w.local[d]})
				}
			case ssa.GroupID, ssa.LocalID:
				exact = false
				if !inRange {
					v.BecomeConst(w.f, []uint64{0})
				} else if !w.fromGlobal(v, q, d) {
					return false, false
				}
			case ssa.MaxSubGroupSize, ssa.WorkDim, ssa.GlobalSize, ssa.GlobalID, ssa.GlobalOffset, ssa.NumGroups:
			default:
				return false, false
			}
		}
	}
	w.f.ReplaceCopies()
	return exact, true
}

// fromGlobal computes a group id or a local id from the global id, if it can.
func (w *flattening) fromGlobal(v *ssa.Value, q ssa.WorkItemQuery, d uint64) bool {
	size := w.local[d]
	if size == 0 || size >= lanes.MaxID {
		return false
	}
	if q == ssa.LocalID && size == 1 {
		v.BecomeConst(w.f, []uint64{0})
		return true
	}
	id := w.before(v, ssa.OpWorkItem, v.Type, v.Args[0])
	id.Aux = int64(ssa.GlobalID)
	if size&(size-1) != 0 {
		w.divide(v, id, q, size)
		return true
	}
	op, by := ssa.OpAnd, size-1
	if q == ssa.GroupID {
		op, by = ssa.OpShr, uint64(bits.TrailingZeros64(size))
	}
	v.BecomeCopy(w.before(v, op, v.Type, id, w.f.InsertEntry(w.f.NewConst(v.Type, by))))
	return true
}

// divide replaces v by the quotient of a global id by a size that is no power of two, or by the remainder. The operations
// have 32 bits, which are enough for ids.
func (w *flattening) divide(v, id *ssa.Value, q ssa.WorkItemQuery, size uint64) {
	op := func(op ssa.Op, x *ssa.Value, k uint64) *ssa.Value {
		return w.before(v, op, ssa.TU32, x, w.f.InsertEntry(w.f.NewConst(ssa.TU32, k)))
	}
	x := w.before(v, ssa.OpConvert, ssa.TU32, id)
	m, s, _ := numeric.Magic(size, lanes.MaxID-1, 32)
	y := op(ssa.OpMulHi, x, m)
	if s > 0 {
		y = op(ssa.OpShr, y, uint64(s))
	}
	if q == ssa.LocalID {
		y = w.before(v, ssa.OpSub, ssa.TU32, x, op(ssa.OpMul, y, size))
	}
	v.BecomeCopy(w.before(v, ssa.OpConvert, v.Type, y))
}

// dropUnused removes unused pure values from blocks, and values that only they used.
func dropUnused(f *ssa.Func, blocks []*ssa.Block) {
	uses := make([]int, f.NumValues())
	var todo []*ssa.Value
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				uses[a.ID]++
			}
		}
	}
	unused := func(v *ssa.Value) bool {
		return uses[v.ID] == 0 && v.Block != nil && v.Op != ssa.OpParam && v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator)
	}
	for _, b := range blocks {
		for _, v := range b.Values {
			if unused(v) {
				todo = append(todo, v)
			}
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range v.Args {
			if uses[a.ID]--; unused(a) {
				todo = append(todo, a)
			}
		}
		v.Block.Remove(v)
	}
}

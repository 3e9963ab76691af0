package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Collapsed work-groups. A work-group whose rows are shorter than a gang leaves lanes without work-items. If the
// size of all work-groups is known, their dimensions are collapsed into one, as OpenMP collapses loops: lanes are
// consecutive linear local ids, and the id in each dimension is a part of the bits of the linear id. The order of
// work-items is unchanged.

// MaxCollapsed bounds the global size, in each dimension, of launches with collapsed work-groups.
const MaxCollapsed = 1 << 30

// Collapsible reports whether work-groups of a size can be collapsed: each dimension is a power of two, except the
// last one with more than one work-item. Ids are then bits of linear ids.
func Collapsible(size [3]uint64) bool {
	last := 2
	for last > 0 && size[last] == 1 {
		last--
	}
	for _, n := range size[:last] {
		if n == 0 || n&(n-1) != 0 {
			return false
		}
	}
	return size[last] > 0 && size[0]*size[1]*size[2] < MaxCollapsed
}

// maxLanes is the greatest number of work-items in a gang.
const maxLanes = 128

// A collapse computes the ids and sizes of the original range from linear ids.
type collapse struct {
	f    *ssa.Func
	size [3]uint64
	done map[*ssa.Value]bool // queries of the collapsed range
}

// collapseDims rewrites the kernel for the collapsed range. In that range dimension 0 of a work-group has the
// work-items of all dimensions, and the number of work-groups in each dimension is unchanged. Ids begin at 0.
func collapseDims(f *ssa.Func, size [3]uint64) {
	c := &collapse{f: f, size: size, done: map[*ssa.Value]bool{}}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.LocalLinearID {
				v.Aux = int64(ssa.LocalID)
				v.SetArgs(f.InsertEntry(f.NewConst(ssa.TU32, 0)))
				c.done[v] = true
			}
		}
	}
	expand(f)
	c.sums()
	f.ReplaceCopies()
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			c.conversion(v)
		}
	}
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op == ssa.OpWorkItem && !c.done[v] {
				c.query(v)
			}
		}
	}
	f.ReplaceCopies()
	dropUnused(f, f.Blocks)
}

// sums replaces sums that compute the linear local id by that id.
func (c *collapse) sums() {
	for _, b := range c.f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op != ssa.OpAdd && v.Op != ssa.OpOr || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
				continue
			}
			for i := range 2 {
				if q, d, ok := query(v.Args[i]); ok && q == ssa.LocalID && d == 0 && c.rowStart(v.Args[1-i]) {
					v.BecomeCopy(c.linear(v))
					break
				}
			}
		}
	}
}

// rowStart reports whether v is the linear id of the first work-item in the work-item's row of the work-group.
func (c *collapse) rowStart(v *ssa.Value) bool {
	if c.size[2] != 1 {
		return false // the sum has other terms too
	}
	v = unconverted(v)
	row := func(v *ssa.Value) bool {
		q, d, ok := query(v)
		return ok && q == ssa.LocalID && d == 1
	}
	switch v.Op {
	case ssa.OpMul:
		return row(v.Args[0]) && c.isRow(v.Args[1]) || row(v.Args[1]) && c.isRow(v.Args[0])
	case ssa.OpShl:
		n := v.Args[1]
		return row(v.Args[0]) && n.IsConst() && n.ConstElem(0) < 31 && c.size[0] == 1<<n.ConstElem(0)
	case ssa.OpWorkItem:
		return row(v) && c.size[0] == 1
	}
	return false
}

// isRow reports whether v is the size of a work-group in dimension 0.
func (c *collapse) isRow(v *ssa.Value) bool {
	if v.IsConst() {
		return v.ConstElem(0) == c.size[0]
	}
	q, d, ok := query(v)
	return ok && d == 0 && (q == ssa.LocalSize || q == ssa.EnqueuedLocalSize)
}

// at inserts an operation of v's type before v.
func (c *collapse) at(v *ssa.Value, op ssa.Op, args ...*ssa.Value) *ssa.Value {
	return v.Block.InsertAt(slices.Index(v.Block.Values, v), c.f.NewValue(op, v.Type, v.Pos, args...))
}

// constant returns a constant of v's type.
func (c *collapse) constant(v *ssa.Value, n uint64) *ssa.Value {
	return c.f.InsertEntry(c.f.NewConst(v.Type, n))
}

// raw inserts a query of the collapsed range before v, as an integer of v's type.
func (c *collapse) raw(v *ssa.Value, q ssa.WorkItemQuery, d uint64) *ssa.Value {
	id := v.Block.InsertAt(slices.Index(v.Block.Values, v), c.f.NewValue(ssa.OpWorkItem, ssa.TU64, v.Pos, c.f.InsertEntry(c.f.NewConst(ssa.TU32, d))))
	id.Aux = int64(q)
	c.done[id] = true
	if v.Type.K == ssa.U64 {
		return id
	}
	return c.at(v, ssa.OpConvert, id)
}

func (c *collapse) linear(v *ssa.Value) *ssa.Value { return c.raw(v, ssa.LocalID, 0) }

// conversion computes an id directly in the 32-bit type that v converts it to.
func (c *collapse) conversion(v *ssa.Value) {
	if v.Op != ssa.OpConvert || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() != 4 {
		return
	}
	if sat, _ := ssa.ConvParts(v.Aux); sat {
		return
	}
	q := v.Args[0]
	if q.Op != ssa.OpWorkItem || c.done[q] || q.Args[0].ConstElem(0) > 2 {
		return
	}
	if w := c.compute(v, ssa.WorkItemQuery(q.Aux), q.Args[0].ConstElem(0)); w != nil {
		v.BecomeCopy(w)
	}
}

// query replaces a work-item query.
func (c *collapse) query(v *ssa.Value) {
	d := v.Args[0].ConstElem(0)
	if d > 2 {
		return // the answer is 0 or 1 in both ranges
	}
	if w := c.compute(v, ssa.WorkItemQuery(v.Aux), d); w != nil {
		v.BecomeCopy(w)
	}
}

// compute returns the answer to a query of dimension d, computed before v in its type. It returns nil if the
// collapsed range has the same answer.
func (c *collapse) compute(v *ssa.Value, q ssa.WorkItemQuery, d uint64) *ssa.Value {
	switch q {
	case ssa.LocalSize, ssa.EnqueuedLocalSize:
		return c.constant(v, c.size[d])
	case ssa.LocalID:
		return c.local(v, d)
	case ssa.GlobalID:
		return c.at(v, ssa.OpAdd, c.times(v, c.raw(v, ssa.GroupID, d), d), c.local(v, d))
	case ssa.GlobalSize:
		return c.times(v, c.raw(v, ssa.NumGroups, d), d)
	}
	return nil
}

// times returns x times the work-group's size in dimension d.
func (c *collapse) times(v, x *ssa.Value, d uint64) *ssa.Value {
	if c.size[d] == 1 {
		return x
	}
	return c.at(v, ssa.OpMul, x, c.constant(v, c.size[d]))
}

// local returns the local id in dimension d, bits of the linear one. Lanes after the last work-item of the
// work-group have ids too; these are in the same range.
func (c *collapse) local(v *ssa.Value, d uint64) *ssa.Value {
	n := c.size[d]
	if n == 1 {
		return c.constant(v, 0)
	}
	x, before := c.linear(v), uint64(1)
	for _, k := range c.size[:d] {
		before *= k
	}
	if before > 1 {
		x = c.at(v, ssa.OpShr, x, c.constant(v, uint64(bits.TrailingZeros64(before))))
	}
	if all := c.size[0] * c.size[1] * c.size[2]; n&(n-1) == 0 && (before*n < all || all < maxLanes) {
		x = c.at(v, ssa.OpAnd, x, c.constant(v, n-1))
	}
	return x
}

// mostGroups returns the greatest number of work-groups of a collapsed range in each dimension; 0: any number.
func (o *Options) mostGroups() (n [3]int64) {
	if o.Collapse {
		for d, k := range o.Local {
			n[d] = int64(MaxCollapsed / k)
		}
	}
	return n
}

// collapseGroups is the pass.
func collapseGroups(s *state) (bool, error) {
	if !s.o.Collapse {
		return false, nil
	}
	s.canonical = false
	collapseDims(s.f, s.o.Local)
	return true, nil
}

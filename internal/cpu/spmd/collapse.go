package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Collapsed and padded work-groups. A work-group whose rows do not fill gangs leaves lanes without work-items. If the
// size of all work-groups is known, their dimensions are collapsed into one, as OpenMP collapses loops: lanes are
// consecutive linear local ids. The id in each dimension is a part of the bits of the linear id, or a remainder if the
// size is not a power of two. The order of work-items is unchanged.
//
// Work-groups are padded with work-items that return at once: up to a power of two, so that ids are bits, or up to rows
// that fill gangs, which need no collapse.

// MaxCollapsed bounds the global size, in each dimension, of launches with collapsed work-groups.
const MaxCollapsed = 1 << 30

// Collapsible reports whether work-groups of a size can be collapsed.
func Collapsible(size [3]uint64) bool {
	n := size[0] * size[1] * size[2]
	return n > 0 && n <= ssa.MaxGroupSize
}

// maxLanes is the greatest number of work-items in a gang.
const maxLanes = 128

// A collapse computes the ids and sizes of the original range from those of the launch.
type collapse struct {
	f      *ssa.Func
	size   [3]uint64
	padded [3]uint64
	flat   bool                // the launch has work-groups of one dimension
	done   map[*ssa.Value]bool // queries of the launch's range
}

// rewrite rewrites the kernel for the launch's range. Its number of work-groups in each dimension is unchanged, and ids
// begin at 0. In collapsed work-groups dimension 0 has the work-items of all dimensions.
func (c *collapse) rewrite() {
	linear, last := c.flat, c.last()
	for d := range last {
		linear = linear && c.padded[d] == c.size[d]
	}
	for _, b := range c.f.Blocks {
		for _, v := range b.Values {
			if linear && v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.LocalLinearID {
				v.Aux = int64(ssa.LocalID)
				v.SetArgs(c.f.InsertEntry(c.f.NewConst(ssa.TU32, 0)))
				c.done[v] = true
			}
		}
	}
	expand(c.f)
	if linear {
		c.sums()
	}
	c.f.ReplaceCopies()
	for _, b := range c.f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			c.conversion(v)
		}
	}
	for _, b := range c.f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op == ssa.OpWorkItem && !c.done[v] {
				c.query(v)
			}
		}
	}
	c.f.ReplaceCopies()
	dropUnused(c.f, c.f.Blocks)
}

// last returns the last dimension with more than one work-item.
func (c *collapse) last() int {
	d := 2
	for d > 0 && c.size[d] == 1 {
		d--
	}
	return d
}

// before returns the number of padded work-items with the same ids in dimension d and those after it.
func (c *collapse) before(d int) uint64 {
	n := uint64(1)
	for _, k := range c.padded[:d] {
		n *= k
	}
	return n
}

// sums replaces sums that compute the linear local id by that id.
func (c *collapse) sums() {
	for _, b := range c.f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op != ssa.OpAdd && v.Op != ssa.OpOr || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
				continue
			}
			if x, ok := c.form(v, maxSummands); ok && x == c.linearForm(x) {
				v.BecomeCopy(c.linear(v))
			}
		}
	}
}

// An idForm is a sum of multiples of the local ids.
type idForm [3]uint64

// linearForm returns the form of the linear local id. The factor of an id that is always 0 is that of x.
func (c *collapse) linearForm(x idForm) (r idForm) {
	r = idForm{1, c.size[0], c.size[0] * c.size[1]}
	for d, n := range c.size {
		if n == 1 {
			r[d] = x[d]
		}
	}
	return r
}

// form returns v as a sum of local ids, if it is one.
func (c *collapse) form(v *ssa.Value, depth int) (x idForm, ok bool) {
	v = unconverted(v)
	if c.done[v] { // the linear local id
		return c.linearForm(x), true
	}
	if q, d, ok := query(v); ok && q == ssa.LocalID {
		x[d] = 1
		return x, true
	}
	if depth == 0 || len(v.Args) != 2 || v.Type.N != 1 || !isInt(v.Type.K) {
		return x, false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpOr:
		x, ok = c.form(v.Args[0], depth-1)
		y, ok2 := c.form(v.Args[1], depth-1)
		if !ok || !ok2 || v.Op == ssa.OpOr && !c.apart(x, y) && !c.apart(y, x) {
			return x, false
		}
		for d := range x {
			x[d] += y[d]
		}
		return x, true
	case ssa.OpMul:
		for i := range 2 {
			n, known := c.number(v.Args[i], depth-1)
			if x, ok = c.form(v.Args[1-i], depth-1); ok && known {
				return x.times(n), true
			}
		}
	case ssa.OpShl:
		n, known := c.number(v.Args[1], 0)
		if x, ok = c.form(v.Args[0], depth-1); ok && known && n < 31 {
			return x.times(1 << n), true
		}
	}
	return x, false
}

func (x idForm) times(n uint64) idForm {
	for d := range x {
		x[d] *= n
	}
	return x
}

// apart reports whether all values of x are less than the lowest bit that values of y may have.
func (c *collapse) apart(x, y idForm) bool {
	most, low := uint64(0), 63
	for d, n := range c.size {
		most += x[d] * (n - 1)
		if y[d] != 0 {
			low = min(low, bits.TrailingZeros64(y[d]))
		}
	}
	return most < 1<<low
}

// number returns the value of a constant, of a size of work-groups, or of a product of them.
func (c *collapse) number(v *ssa.Value, depth int) (n uint64, ok bool) {
	v = unconverted(v)
	if v.IsConst() && v.Type.N == 1 && isInt(v.Type.K) {
		n = v.ConstElem(0)
		return n, n <= ssa.MaxGroupSize
	}
	if q, d, ok := query(v); ok && (q == ssa.LocalSize || q == ssa.EnqueuedLocalSize) {
		return c.size[d], true
	}
	if v.Op != ssa.OpMul || v.Type.N != 1 || depth == 0 {
		return 0, false
	}
	x, ok := c.number(v.Args[0], depth-1)
	y, ok2 := c.number(v.Args[1], depth-1)
	return x * y, ok && ok2 && x*y <= ssa.MaxGroupSize
}

// at inserts an operation of v's type before v.
func (c *collapse) at(v *ssa.Value, op ssa.Op, args ...*ssa.Value) *ssa.Value {
	return c.as(v, v.Type, op, args...)
}

// as inserts an operation of type t before v.
func (c *collapse) as(v *ssa.Value, t ssa.Type, op ssa.Op, args ...*ssa.Value) *ssa.Value {
	return v.Block.InsertAt(slices.Index(v.Block.Values, v), c.f.NewValue(op, t, v.Pos, args...))
}

// constant returns a constant of v's type.
func (c *collapse) constant(v *ssa.Value, n uint64) *ssa.Value {
	return c.f.InsertEntry(c.f.NewConst(v.Type, n))
}

// raw inserts a query of the collapsed range before v, as an integer of v's type.
func (c *collapse) raw(v *ssa.Value, q ssa.WorkItemQuery, d uint64) *ssa.Value {
	id := c.id(v, q, d)
	if v.Type.K == ssa.U64 {
		return id
	}
	return c.at(v, ssa.OpConvert, id)
}

// id inserts a query of the collapsed range before v.
func (c *collapse) id(v *ssa.Value, q ssa.WorkItemQuery, d uint64) *ssa.Value {
	id := c.as(v, ssa.TU64, ssa.OpWorkItem, c.f.InsertEntry(c.f.NewConst(ssa.TU32, d)))
	id.Aux = int64(q)
	c.done[id] = true
	return id
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

// local returns the local id in dimension d. In a collapsed work-group it is a part of the linear id. Lanes after the
// last work-item of the work-group have ids too; these are in the same range.
func (c *collapse) local(v *ssa.Value, d uint64) *ssa.Value {
	if c.size[d] == 1 {
		return c.constant(v, 0)
	}
	if !c.flat {
		return c.raw(v, ssa.LocalID, d)
	}
	n, before := c.padded[d], c.before(int(d))
	all := c.before(3)
	last := before*n == all && all >= maxLanes
	if before&(before-1) != 0 || n&(n-1) != 0 && !last {
		return c.divided(v, before, n, last)
	}
	x := c.linear(v)
	if before > 1 {
		x = c.at(v, ssa.OpShr, x, c.constant(v, uint64(bits.TrailingZeros64(before))))
	}
	if !last {
		x = c.at(v, ssa.OpAnd, x, c.constant(v, n-1))
	}
	return x
}

// divided returns the quotient of the linear local id by a number, modulo n except in the last dimension. The operations
// have 32 bits. Their products do too, because local ids are small.
func (c *collapse) divided(v *ssa.Value, by, n uint64, last bool) *ssa.Value {
	op := func(op ssa.Op, x *ssa.Value, k uint64) *ssa.Value {
		return c.as(v, ssa.TU32, op, x, c.f.InsertEntry(c.f.NewConst(ssa.TU32, k)))
	}
	quotient := func(x *ssa.Value, by uint64) *ssa.Value {
		if by&(by-1) == 0 {
			return op(ssa.OpShr, x, uint64(bits.TrailingZeros64(by)))
		}
		m, s, _ := numeric.Magic(by, ssa.MaxGroupSize+maxLanes, 16)
		return op(ssa.OpShr, op(ssa.OpMul, x, m), uint64(16+s))
	}
	x := c.as(v, ssa.TU32, ssa.OpConvert, c.id(v, ssa.LocalID, 0))
	if by > 1 {
		x = quotient(x, by)
	}
	if !last {
		x = c.as(v, ssa.TU32, ssa.OpSub, x, op(ssa.OpMul, quotient(x, n), n))
	}
	if v.Type != ssa.TU32 {
		x = c.at(v, ssa.OpConvert, x)
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

// usedRow returns the number of work-items of a row of a padded work-group that do not return at once, 0 if the row is not padded.
func (o *Options) usedRow() uint64 {
	switch n := o.Padded[0] * o.Padded[1] * o.Padded[2]; {
	case o.Collapse && o.Items > n:
		return n
	case o.Padded[o.LaneDim] > o.Local[o.LaneDim]:
		return o.Local[o.LaneDim]
	}
	return 0
}

// collapseGroups is the pass.
func collapseGroups(s *state) (bool, error) {
	o := &s.o
	if !o.Collapse && o.Padded == [3]uint64{} {
		return false, nil
	}
	s.canonical = false
	c := &collapse{f: s.f, size: o.Local, padded: o.Padded, flat: o.Collapse, done: map[*ssa.Value]bool{}}
	for d := 2; d >= 0; d-- {
		if o.Padded[d] > o.Local[d] {
			c.returnFrom(d, o.Local[d])
		}
	}
	if n := c.before(3); o.Collapse && o.Items > n {
		c.done[c.returnFrom(0, n)] = true
	}
	c.rewrite()
	return true, nil
}

// splitStart moves the operations of the entry block to a new block, which it returns, but for parameters, constants and addresses.
// Private objects stay too: each becomes zero there, before the kernel uses private memory.
func splitStart(entry *ssa.Block) (rest *ssa.Block) {
	var first, others []*ssa.Value
	for _, v := range entry.Values {
		switch v.Op {
		case ssa.OpParam, ssa.OpConst, ssa.OpAlloca, ssa.OpGlobalAddr:
			first = append(first, v)
		default:
			others = append(others, v)
		}
	}
	i := len(first)
	entry.Values = append(first, others...)
	return splitBlock(entry, i)
}

// returnFrom makes work-items return at once if their local id in a dimension is n or more. It returns the id.
func (c *collapse) returnFrom(dim int, n uint64) *ssa.Value {
	f := c.f
	entry := f.Blocks[0]
	rest, end := splitStart(entry), f.NewBlock("")
	end.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, 0))
	entry.Remove(entry.Term())
	entry.Succs, rest.Preds = nil, nil
	d, most := f.InsertEntry(f.NewConst(ssa.TU32, uint64(dim))), f.InsertEntry(f.NewConst(ssa.TU64, n))
	id := entry.Append(f.NewValue(ssa.OpWorkItem, ssa.TU64, 0, d))
	id.Aux = int64(ssa.LocalID)
	inside := entry.Append(f.NewValue(ssa.OpLt, ssa.TBool, 0, id, most))
	entry.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, 0, inside))
	entry.Link(rest)
	entry.Link(end)
	return id
}

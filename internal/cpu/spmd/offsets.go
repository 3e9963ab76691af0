package spmd

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	ranges "github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Offsets in local memory as sums of 64 bits. Indices of local arrays are often sums of 32 bits, which might wrap before they are
// extended. Where intervals show that no operation wraps, constants move out of conversions and products, as in sums.go. Accesses of a
// block whose offsets differ by constants then share one sum, and loads of neighbouring elements share their registers.

// An offsets rewrites the accesses of a function.
type offsets struct {
	f     *ssa.Func
	plan  *Plan
	facts lanes.Patterns
	b     *ssa.Block // whose accesses are rewritten
	uses  []int32    // by value ID; nil until the first change
}

// A localAccess is an access to local memory at base + the sum of the summands + disp.
type localAccess struct {
	v *ssa.Value
	linear
}

// shareOffsets is the pass. It concerns kernels with barriers.
func shareOffsets(s *state) (bool, error) {
	if s.slots == nil || s.unfolded != nil {
		return false, nil
	}
	p, _ := s.analysed()
	x := &offsets{f: s.f, facts: lanes.Patterns{Facts: p.facts()}, plan: p}
	for _, x.b = range p.Order {
		x.block()
	}
	if x.uses == nil {
		return false, nil
	}
	s.plan, s.shared = nil, true
	return true, nil
}

// block rewrites the accesses of the block that share a sum.
func (x *offsets) block() {
	var list []localAccess
	for _, v := range x.b.Values {
		if t, ok := v.AccessType(); ok && t.N == 1 && v.Args[0].Op == ssa.OpPtrAdd && v.Args[0].Type.K == ssa.PtrLocal {
			if a := x.address(v.Args[0]); !a.bad && len(a.list) > 0 && -lanes.MaxDisp < a.disp && a.disp < lanes.MaxDisp {
				list = append(list, localAccess{v, a})
			}
		}
	}
	for len(list) > 1 {
		first := list[0]
		same := func(a localAccess) bool { return a.base == first.base && slices.Equal(a.list, first.list) }
		var group []localAccess
		for _, a := range list {
			if same(a) {
				group = append(group, a)
			}
		}
		list = slices.DeleteFunc(list, same)
		if x.pays(group) {
			x.share(group)
		}
	}
}

// pays reports whether the accesses of a group have several sums.
func (x *offsets) pays(group []localAccess) bool {
	first := x.facts.Address(group[0].v.Args[0], false)
	return slices.ContainsFunc(group[1:], func(a localAccess) bool {
		return !slices.Equal(x.facts.Address(a.v.Args[0], false).Terms, first.Terms)
	})
}

// share makes the accesses of a group use one sum.
func (x *offsets) share(group []localAccess) {
	if x.uses == nil {
		x.count()
	}
	first := group[0].v
	at := &cursor{x, first}
	sum := at.sum(group[0].list)
	from := map[int64]*ssa.Value{}
	starts := x.structures(group)
	for k, a := range group {
		start := starts[k]
		if from[start] == nil {
			off := sum
			if start != 0 {
				off = at.emit(ssa.OpAdd, ssa.TI64, sum, at.constant(start))
			}
			from[start] = at.emit(ssa.OpPtrAdd, a.v.Args[0].Type, a.base, off)
		}
		p := from[start]
		if d := a.disp - start; d != 0 {
			c := &cursor{x, a.v}
			p = c.emit(ssa.OpPtrAdd, p.Type, p, c.constant(d))
		}
		old := a.v.Args[0]
		a.v.Args[0] = p
		x.uses[p.ID]++
		x.unused(old)
	}
}

// structures returns the part of each access's constant that stays in its sum. It is 0 but for elements beside each other that the lanes
// have at a greater distance: these are members of structures, which the gang loads whole. Package lanes takes structures to begin at
// multiples of their size from the sum.
func (x *offsets) structures(group []localAccess) []int64 {
	starts := make([]int64, len(group))
	w := x.facts.Address(group[0].v.Args[0], false)
	if !w.Regular() || w.Stride <= 0 {
		return starts
	}
	order := make([]int, len(group))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(group[i].disp, group[j].disp) })
	window := func(disp int64) int64 { return disp - (disp%w.Stride+w.Stride)%w.Stride }
	for len(order) > 0 {
		first, n := group[order[0]].disp, 1
		for n < len(order) && group[order[n]].disp < first+w.Stride {
			n++
		}
		if window(first) != window(group[order[n-1]].disp) {
			for _, k := range order[:n] {
				starts[k] = first
			}
		}
		order = order[n:]
	}
	return starts
}

// count counts the uses of all values.
func (x *offsets) count() {
	x.uses = make([]int32, x.f.NumValues())
	for _, b := range x.f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				x.uses[a.ID]++
			}
		}
	}
}

// unused ends a use of a value, and removes it if that was the last.
func (x *offsets) unused(v *ssa.Value) {
	x.uses[v.ID]--
	if x.uses[v.ID] > 0 || v.Block == nil || !v.Op.Has(ssa.Pure) || v.Op == ssa.OpPhi || v.Op.Has(ssa.Convergent) {
		return
	}
	v.Block.Remove(v)
	for _, a := range v.Args {
		x.unused(a)
	}
}

// address returns a pointer as a sum.
func (x *offsets) address(p *ssa.Value) (a linear) {
	for p.Op == ssa.OpPtrAdd {
		a.plus(x.linear(p.Args[1], maxLinearDepth), 1)
		p = p.Args[0]
	}
	a.base = p
	slices.SortFunc(a.list, func(s, t summand) int {
		return cmp.Or(cmp.Compare(x.depth(s.v), x.depth(t.v)), cmp.Compare(s.v.ID, t.v.ID))
	})
	return a
}

// depth returns the number of loops around a value.
func (x *offsets) depth(v *ssa.Value) (n int) {
	for l := x.plan.Loops.Of(v.Block); l != nil; l = l.Parent {
		n++
	}
	return n
}

// linear returns an integer as a sum of 64 bits. Operations of fewer bits that may wrap, in the block, are summands.
func (x *offsets) linear(v *ssa.Value, depth int) (a linear) {
	if a.bad = depth == 0; a.bad {
		return a
	}
	k := v.Type.K
	wide := k.Num().Size() == 8
	switch v.Op {
	case ssa.OpConst:
		a.disp = signedOf(v.Bits[0], k.Num())
		return a
	case ssa.OpCopy:
		return x.linear(v.Args[0], depth-1)
	case ssa.OpConvert, ssa.OpBitcast:
		if from := v.Args[0]; isInt(from.Type.K) && (wide || x.facts.IntervalIn(from, x.b).FitsIn(k)) {
			return x.linear(from, depth-1)
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl:
		if wide || x.exact(v) {
			return x.operation(v, depth-1)
		}
	}
	a.list = []summand{{v, 1}}
	return a
}

// operation returns a sum, a difference, or a product with a constant.
func (x *offsets) operation(v *ssa.Value, depth int) (a linear) {
	p, q := v.Args[0], v.Args[1]
	switch {
	case v.Op == ssa.OpAdd || v.Op == ssa.OpSub:
		a.plus(x.linear(p, depth), 1)
		by := int64(1)
		if v.Op == ssa.OpSub {
			by = -1
		}
		a.plus(x.linear(q, depth), by)
	case v.Op == ssa.OpShl && q.IsConst():
		a.plus(x.linear(p, depth), 1<<(q.Bits[0]&uint64(8*v.Type.Size()-1)))
	case v.Op == ssa.OpMul && q.IsConst():
		a.plus(x.linear(p, depth), signedOf(q.Bits[0], q.Type.K.Num()))
	case v.Op == ssa.OpMul && p.IsConst():
		a.plus(x.linear(q, depth), signedOf(p.Bits[0], p.Type.K.Num()))
	default:
		a.list = []summand{{v, 1}}
	}
	return a
}

// exact reports whether an operation does not wrap for any of its operands' values.
func (x *offsets) exact(v *ssa.Value) bool {
	p, q := x.facts.IntervalIn(v.Args[0], x.b), x.facts.IntervalIn(v.Args[1], x.b)
	const most = 1 << 31
	if !p.Within(-most, most) || !q.Within(-most, most) {
		return false
	}
	var r ranges.Interval
	switch v.Op {
	case ssa.OpAdd:
		r = ranges.Of(p.Lo+q.Lo, p.Hi+q.Hi)
	case ssa.OpSub:
		r = ranges.Of(p.Lo-q.Hi, p.Hi-q.Lo)
	case ssa.OpMul, ssa.OpShl:
		if v.Op == ssa.OpShl {
			if q.Lo != q.Hi || q.Lo < 0 || q.Lo > 30 {
				return false
			}
			q = ranges.Of(1<<q.Lo, 1<<q.Lo)
		}
		c := []int64{p.Lo * q.Lo, p.Lo * q.Hi, p.Hi * q.Lo, p.Hi * q.Hi}
		r = ranges.Of(slices.Min(c), slices.Max(c))
	}
	return r.FitsIn(v.Type.K)
}

// A cursor inserts values before a value of the block, or at the end of an earlier block if their operands are known there.
type cursor struct {
	*offsets
	before *ssa.Value
}

// emit makes a value in the first block in which its operands are known.
func (c *cursor) emit(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	v := c.f.NewValue(op, t, c.before.Pos, args...)
	c.uses = append(c.uses, 0)
	at := c.f.Blocks[0]
	for _, a := range args {
		c.uses[a.ID]++
		if a.Block != nil && c.plan.Dom.Dominates(at, a.Block) {
			at = a.Block
		}
	}
	if at == c.b {
		return at.InsertAt(slices.Index(at.Values, c.before), v)
	}
	return at.InsertBeforeTerm(v)
}

func (c *cursor) constant(x int64) *ssa.Value {
	c.uses = append(c.uses, 0)
	return c.f.InsertEntry(c.f.NewConst(ssa.TI64, uint64(x)))
}

// sum returns the sum of summands in their order.
func (c *cursor) sum(list []summand) *ssa.Value {
	return sumOf(list, c.wide, func(v, w *ssa.Value) *ssa.Value { return c.emit(ssa.OpAdd, ssa.TI64, v, w) }, c.scaled)
}

// wide extends an integer to 64 bits.
func (c *cursor) wide(v *ssa.Value) *ssa.Value {
	switch {
	case v.Type.K.Num().Size() < 8:
		return c.emit(ssa.OpConvert, ssa.TI64, v)
	case v.Type != ssa.TI64:
		return c.emit(ssa.OpBitcast, ssa.TI64, v)
	}
	return v
}

// scaled returns an integer of 64 bits multiplied by a constant.
func (c *cursor) scaled(v *ssa.Value, by int64) *ssa.Value {
	if by == 1 {
		return v
	}
	return c.emit(ssa.OpMul, ssa.TI64, v, c.constant(by))
}

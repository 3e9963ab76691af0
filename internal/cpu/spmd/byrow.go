package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Row loops (rows.go) with independent iterations, without reductions, are executed row by row: the copy visits the gang's
// work-items one after the other, and the lanes are successive iterations of one work-item's loop.
//
//	before → test → start → rows ⇄ (row → head ⇄ body; head → tail → rest → next → rows); rows → out → the original's header
//
// All accesses to rows are contiguous then, and a gang walks one row after the other. Pieces of all rows would share few sets
// of the cache if rows are a power of two apart, and two pieces of a line would be loaded twice. The block rest executes the
// last iterations under a mask.
//
// The rows must follow from global ids alone, so that they can be computed for one work-item. The copy runs only if all its accesses
// are in bounds and the objects that it writes overlap no other one (boxes.go). Otherwise the original loop runs.

// leastRow is the number of iterations from which the copy pays: fewer take longer than the work before and after them.
const leastRow = 128

// A rowByRow builds such a copy.
type rowByRow struct {
	*rowLoop
	nest     *nest      // the loop, for the test
	id       *ssa.Value // the global id of the lanes
	first    *ssa.Value // those of the first and the last lane
	last     *ssa.Value
	width    *ssa.Value                // the number of lanes, an I64
	lane     *ssa.Value                // by lane the number of its iteration among those of the gang, an I64
	work     *ssa.Value                // the id of the work-item whose row it is
	of       map[*ssa.Value]*ssa.Value // by value from outside of the loop: that of this work-item
	at       map[*ssa.Value]*ssa.Value // by counter: its value in the first of a gang's iterations
	ahead    map[*ssa.Value]*ssa.Value // by counter: its growth from that to each lane's iteration
	extended []*ssa.Value              // the counter extended to 64 bits
	start    *ssa.Block                // computes what all rows share
	row      *ssa.Block                // computes of
}

// newRowByRow returns nil if the copy is not supported.
func (w *rowLoop) newRowByRow() *rowByRow {
	if w.vec == nil || len(w.vec.reductions) > 0 || len(w.stores) == 0 || w.end.branch != w.l.Header || w.exit != nil || w.versions.rows > 1 || w.short() || !w.anyDistance() {
		return nil
	}
	c := &rowByRow{rowLoop: w, of: map[*ssa.Value]*ssa.Value{}, at: map[*ssa.Value]*ssa.Value{}, ahead: map[*ssa.Value]*ssa.Value{}}
	if !c.computable() || !c.testable() {
		return nil
	}
	return c
}

// short reports whether the loop certainly has too few iterations.
func (w *rowLoop) short() bool {
	start, bound := w.count.Args[w.in], w.end.bound
	if !start.IsConst() || bound != nil && !bound.IsConst() {
		return false
	}
	n := -longOf(start)
	if bound != nil {
		n += longOf(bound)
	}
	return max(n, -n) < leastRow*w.end.length()
}

// anyDistance reports whether loads may precede stores in any number of iterations at once. Elements must have at least 4
// bytes: lanes of one row would fill a part of a register only.
func (w *rowLoop) anyDistance() bool {
	for v := range w.rows {
		if t, _ := v.AccessType(); t.Size() < 4 {
			return false
		}
	}
	rounds := w.rounds
	w.rounds = maxAdded * 16
	ok := w.mayStoreLast() && len(w.kept) == 0
	w.rounds = rounds
	clear(w.kept)
	return ok
}

// computable finds the global id on which the loop's operands depend, and reports whether they depend on nothing else that
// varies.
func (c *rowByRow) computable() bool {
	seen := map[*ssa.Value]bool{}
	var visit func(v *ssa.Value, depth int) bool
	visit = func(v *ssa.Value, depth int) bool {
		switch {
		case seen[v] || v.IsConst() || v.Block == nil || !c.Varying[v.ID]:
			return true
		case c.Loops.Contains(c.l, v.Block) && (v.Op == ssa.OpPhi || v.Op == ssa.OpLoad):
			return true // its arguments are visited below
		case v.Op == ssa.OpWorkItem:
			f := c.facts().Of(v)
			if v.Aux != int64(ssa.GlobalID) || f.Shape != lanes.Affine || f.Order != nil || f.Stride != 1 || !c.Dom.Dominates(v.Block, c.before) || c.id != nil && c.id != v {
				return false
			}
			c.id = v
			return true
		case depth == 0 || v.Op == ssa.OpPhi && len(v.Args) != 1 || v.Op != ssa.OpPhi && !v.Op.Has(ssa.Pure) || v.Op.Has(ssa.Convergent):
			return false
		}
		seen[v] = true
		return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !visit(a, depth-1) })
	}
	for _, b := range c.l.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if v.Op == ssa.OpPhi && i != c.in {
					continue // within the loop
				}
				if !visit(a, maxMoves) {
					return false
				}
			}
		}
	}
	return c.id != nil
}

// testable reports whether a box can test the accesses. The loop is a nest without columns for it.
func (c *rowByRow) testable() bool {
	n := &nest{versions: c.versions, k: &counted{c.end}, before: c.before, region: map[*ssa.Block]section{}, onK: map[*ssa.Value]bool{}, onJ: map[*ssa.Value]bool{}}
	for _, b := range c.chain {
		n.region[b] = innerBody
	}
	n.region[c.l.Header] = innerHeader
	n.sequence = append([]*ssa.Block{c.l.Header}, c.chain...)
	if !n.findAccesses() {
		return false
	}
	n.depends()
	c.nest = n
	trial := n.test(map[*counted]*ssa.Value{n.k: n.number(0)})
	c.F.Blocks = c.F.Blocks[:len(c.F.Blocks)-1] // its block
	return !trial.failed
}

func (c *rowByRow) add(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(c.F.NewValue(op, t, c.l.Header.Term().Pos, args...))
}

// growth returns the growth of a counter in n iterations, an I64.
func (c *rowByRow) growth(b *ssa.Block, counter, n *ssa.Value) *ssa.Value {
	by := counter.Args[1-c.in].Args[1]
	if by.Type != n.Type {
		n = c.add(b, ssa.OpConvert, by.Type, n)
	}
	return c.add(b, ssa.OpMul, by.Type, n, by)
}

// plus returns a counter's value x after its growth.
func (c *rowByRow) plus(b *ssa.Block, counter, x, growth *ssa.Value) *ssa.Value {
	return c.add(b, counter.Args[1-c.in].Op, counter.Type, x, growth)
}

// make makes the copy, for loops that continue rounds times, with rounds in [1, 2³¹).
func (c *rowByRow) make(rounds *ssa.Value) {
	f, h, n := c.F, c.l.Header, c.nest
	block := func() *ssa.Block { return f.NewBlock(h.Name) }
	original, start, rows := block(), block(), block()
	c.enter(rounds, start, original)
	c.start = start
	c.begin()
	c.work = c.add(rows, ssa.OpPhi, c.id.Type, c.first, c.first)
	more := c.add(rows, ssa.OpLe, ssa.TBool, c.work, c.last)

	c.row = block()
	head, body, tail, rest, next, out := block(), block(), block(), block(), block(), block()
	pieces := c.add(start, ssa.OpDiv, ssa.TI64, rounds, c.width)
	count := c.add(head, ssa.OpPhi, ssa.TI64, c.number(0), c.number(0))
	for _, phi := range h.Phis() {
		c.at[phi] = c.add(head, ssa.OpPhi, phi.Type, phi.Args[c.in], phi.Args[c.in])
	}
	complete := c.extend(head, body)
	c.iterate(body)
	complete()
	count.Args[1] = c.add(body, ssa.OpAdd, ssa.TI64, count, c.number(1))
	for _, phi := range h.Phis() {
		c.at[phi].Args[1] = c.plus(body, phi, c.at[phi], c.growth(start, phi, c.width))
	}
	left := c.add(start, ssa.OpSub, ssa.TI64, rounds, c.add(start, ssa.OpMul, ssa.TI64, pieces, c.width))
	c.iterate(rest)
	c.work.Args[1] = c.add(next, ssa.OpAdd, c.id.Type, c.work, f.InsertEntry(f.NewConst(c.id.Type, 1)))
	for _, phi := range h.Phis() {
		phi.Args = append(slices.Clip(phi.Args), c.plus(out, phi, phi.Args[c.in], c.growth(out, phi, rounds)))
	}

	n.jump(start, rows)
	n.branch(rows, more, c.row, out)
	n.jump(c.row, head)
	n.branch(head, c.add(head, ssa.OpLt, ssa.TBool, count, pieces), body, tail)
	n.jump(body, head)
	n.branch(tail, c.add(tail, ssa.OpLt, ssa.TBool, c.lane, left), rest, next)
	n.jump(rest, next)
	n.jump(next, rows)
	n.jump(out, h)
}

// enter ends the block before the loop, with the tests whether control continues at start or at the original loop.
func (c *rowByRow) enter(rounds *ssa.Value, start, original *ssa.Block) {
	n := c.nest
	c.before.Values, c.before.Succs = c.before.Values[:len(c.before.Values)-1], nil
	and := func(x, y *ssa.Value) *ssa.Value { return c.add(c.before, ssa.OpAnd, ssa.TBool, x, y) }
	order := c.add(c.before, ssa.OpEnd, ssa.TBool, c.id)
	order.Aux = ssa.EndsOrder
	enough := and(order, c.add(c.before, ssa.OpLe, ssa.TBool, c.number(leastRow), rounds))
	enough = and(enough, c.add(c.before, ssa.OpLt, ssa.TBool, rounds, c.number(1<<roundBits)))
	x := n.test(map[*counted]*ssa.Value{n.k: rounds})
	n.branch(c.before, enough, x.block, original)
	x.end(start, original)
	c.add(original, ssa.OpJump, ssa.TVoid)
	original.Succs = []*ssa.Block{c.l.Header}
	c.l.Header.ReplacePred(c.before, original)
	c.before = original
}

// begin computes the gang's ids and the iterations of its lanes. Rows that are walked backwards have the first iteration in
// the last lane.
func (c *rowByRow) begin() {
	b := c.start
	c.first, c.last = c.add(b, ssa.OpEnd, c.id.Type, c.id), c.add(b, ssa.OpEnd, c.id.Type, c.id)
	c.first.Aux, c.last.Aux = ssa.EndFirst, ssa.EndLast
	distance := func(x, y *ssa.Value) *ssa.Value {
		return c.add(b, ssa.OpConvert, ssa.TI64, c.add(b, ssa.OpSub, c.id.Type, x, y))
	}
	c.width = c.add(b, ssa.OpAdd, ssa.TI64, distance(c.last, c.first), c.number(1))
	if c.lane = distance(c.id, c.first); c.vec.backwards {
		c.lane = distance(c.last, c.id)
	}
	for _, phi := range c.l.Header.Phis() {
		c.ahead[phi] = c.growth(b, phi, c.lane)
	}
}

// iterate executes iterations of one work-item, one in each lane: first their loads, then their stores.
func (c *rowByRow) iterate(b *ssa.Block) {
	copies := map[*ssa.Value]*ssa.Value{}
	for _, phi := range c.l.Header.Phis() {
		copies[phi] = c.plus(b, phi, c.at[phi], c.ahead[phi])
	}
	for _, v := range c.extended {
		copies[v] = c.add(b, ssa.OpAdd, v.Type, c.at[v], c.ahead[v])
	}
	for _, op := range []ssa.Op{ssa.OpLoad, ssa.OpStore} {
		for _, from := range c.chain {
			for _, v := range from.Values {
				if v.Op == op {
					c.copyTo(b, v, copies)
				}
			}
		}
	}
}

// copyTo returns the value of v in the iterations that copies is for.
func (c *rowByRow) copyTo(b *ssa.Block, v *ssa.Value, copies map[*ssa.Value]*ssa.Value) *ssa.Value {
	if x := copies[v]; x != nil {
		return x
	}
	if v.Block == nil || !c.Loops.Contains(c.l, v.Block) {
		return c.ofWork(v)
	}
	if v == c.id {
		return c.work
	}
	x := c.copyWith(v, func(a *ssa.Value) *ssa.Value { return c.copyTo(b, a, copies) })
	copies[v] = b.Append(x)
	return x
}

// extends reports whether v is the loop's counter extended to 64 bits.
func (c *rowByRow) extends(v *ssa.Value) bool {
	sat, _ := ssa.ConvParts(v.Aux)
	return v.Op == ssa.OpConvert && !sat && v.Args[0] == c.count && c.count.Type.Size() < 8 && isInt(v.Type.K) && v.Type.Size() == 8
}

// extend begins counters for the extended ones, which do not wrap either. Lanes are contiguous then, whatever is added to them. The
// result completes them.
func (c *rowByRow) extend(head, body *ssa.Block) (complete func()) {
	for _, b := range c.l.Blocks {
		for _, v := range b.Values {
			if c.extends(v) {
				c.extended = append(c.extended, v)
			}
		}
	}
	long := func(v, x *ssa.Value) *ssa.Value {
		if x.Type == v.Type {
			return x
		}
		return c.add(c.start, ssa.OpConvert, v.Type, x)
	}
	for _, v := range c.extended {
		first := long(v, c.count.Args[c.in])
		c.at[v] = c.add(head, ssa.OpPhi, v.Type, first, first)
		c.ahead[v] = c.add(c.start, ssa.OpMul, v.Type, long(v, c.lane), c.step(v))
	}
	return func() {
		for _, v := range c.extended {
			c.at[v].Args[1] = c.add(body, ssa.OpAdd, v.Type, c.at[v], c.add(c.start, ssa.OpMul, v.Type, long(v, c.width), c.step(v)))
		}
	}
}

// step returns the counter's step as an integer of v's type.
func (c *rowByRow) step(v *ssa.Value) *ssa.Value {
	return c.F.InsertEntry(c.F.NewConst(v.Type, uint64(c.end.step)))
}

// ofWork returns the value of v, from outside of the loop, in the work-item whose row it is.
func (c *rowByRow) ofWork(v *ssa.Value) *ssa.Value {
	switch x := c.of[v]; {
	case x != nil:
		return x
	case v == c.id:
		return c.work
	case v.IsConst() || v.Block == nil || !c.Varying[v.ID]:
		return v
	case v.Op == ssa.OpPhi:
		return c.ofWork(v.Args[0])
	}
	x := c.copyWith(v, c.ofWork)
	c.of[v] = c.row.Append(x)
	return x
}

// copyWith returns a copy of v with other arguments.
func (c *rowByRow) copyWith(v *ssa.Value, arg func(*ssa.Value) *ssa.Value) *ssa.Value {
	x := c.copyValue(v)
	args := make([]*ssa.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = arg(a)
	}
	x.SetArgs(args...)
	return x
}

package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Index-set splitting. A counted loop whose addresses depend on clamped or wrapped indices, such as
//
//	for (x = 0; x < n; x++) … a[clamp(x + d, 0, w - 1)] …
//
// gets a copy for its interior: the iterations in which no lane's index is clamped. They follow each other, because each
// index grows or falls by one in an iteration. Before the loop, scalar code computes the first of them and the one after the
// last. The loop goes to the copy when its counter has reached the first, and continues after the last. In the copy the
// indices are sums, so that its accesses can be tested once for all iterations (inside.go) or read pieces of rows (rows.go).
//
// It covers innermost loops without divergent branches that end by the test of a counter at their header (counter.go).

const (
	mostClamps = 16  // of a loop
	mostSplit  = 160 // values of a loop, times the rows of a gang
)

// An indexSplit is the transformation of a loop.
type indexSplit struct {
	*versions
	l       *ssa.Loop
	end     *counterTest
	list    []indexLimit
	usual   map[*ssa.Value]*ssa.Value // by clamp: its value in the interior, an argument
	growths map[*ssa.Value]growth
	before  *beforeLoop
	first   map[*ssa.Value]*ssa.Value // values in the first iteration
	enter   *ssa.Value                // whether there is an interior
	from    *ssa.Value                // the number of its first iteration
	to      *ssa.Value                // the number of the iteration after its last
}

// An indexLimit is a clamp or a wrap, and when it equals keep: where the index is at most bound + off, or if low is set
// at least that.
type indexLimit struct {
	index, bound *ssa.Value
	low          bool
	off          int64
	keep         *ssa.Value
}

// A growth is the number by which an integer grows in each iteration, if ok.
type growth struct {
	by int64
	ok bool
}

// splitIndices makes such copies, and reports whether it made any.
func splitIndices(g *versions) (changed bool) {
	if g.Unfolded || g.waits() {
		return false
	}
	for _, l := range g.Loops.All {
		if !g.apart.has(l.Header) {
			changed = splitIndex(g, l) || changed
		}
	}
	return changed
}

func splitIndex(g *versions, l *ssa.Loop) bool {
	h := l.Header
	isNew := func(b *ssa.Block) bool { return int(b.ID) >= len(g.Split) } // made since the analysis
	if slices.ContainsFunc(h.Preds, isNew) {
		return false
	}
	before := entering(g.Plan, l)
	size := 0
	for _, b := range l.Blocks {
		size += len(b.Values)
		leaves := func(s *ssa.Block) bool { return isNew(s) || !g.Loops.Contains(l, s) }
		if b == h && slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op != ssa.OpPhi && !v.Op.Has(ssa.Pure) && v != b.Term() }) {
			return false // the test may follow the accesses
		}
		if g.Loops.Of(b) != l || g.Split[b.ID] || g.touched[b] || g.done[b] || b != h && slices.ContainsFunc(b.Succs, leaves) {
			return false
		}
	}
	if size > min(g.budget, mostSplit*g.rows) || len(before.Succs) != 1 || g.touched[before] {
		return false
	}
	x := &indexSplit{versions: g, l: l, end: g.counterTest(l), usual: map[*ssa.Value]*ssa.Value{}, growths: map[*ssa.Value]growth{}, first: map[*ssa.Value]*ssa.Value{}}
	if x.end == nil || x.end.branch != h || !x.find() {
		return false
	}
	n := x.end.iterations(g, before)
	if n == nil {
		return false
	}
	g.budget -= size
	for _, b := range l.Blocks {
		g.touched[b], g.done[b] = true, true
		g.cold[b] = b != h
	}
	x.before = &beforeLoop{Block: before, pos: h.Term().Pos}
	x.bound(n)
	x.make()
	g.Forms |= IndexSets
	return true
}

// find collects the clamps that addresses depend on. It returns false if there are none, or too many.
func (x *indexSplit) find() bool {
	needed := map[*ssa.Value]bool{}
	for _, b := range slices.Backward(x.l.Blocks) {
		for _, v := range slices.Backward(b.Values) {
			if _, ok := v.AccessType(); ok {
				needed[v.Args[0]] = true
			} else if needed[v] && v.Op.Has(ssa.Pure) {
				for _, a := range v.Args {
					needed[a] = true
				}
			}
			if v.Op == ssa.OpVote || v.Op == ssa.OpBarrier {
				return false
			}
		}
	}
	for _, b := range x.l.Blocks {
		for _, v := range b.Values {
			if c := x.limitOf(v); c.keep != nil && needed[v] {
				x.list, x.usual[v] = append(x.list, c), c.keep
			}
		}
	}
	return len(x.list) > 0 && len(x.list) <= mostClamps
}

// limitOf returns the limit at which v changes. If v is no clamp, keep is nil.
func (x *indexSplit) limitOf(v *ssa.Value) (c indexLimit) {
	of := v // the operation on index and bound
	switch v.Op {
	case ssa.OpMin, ssa.OpMax:
	case ssa.OpSelect:
		of = v.Args[0]
	default:
		return c
	}
	if v.Type.N != 1 || !isInt(v.Type.K) || len(of.Args) != 2 || of.Args[0].Type.N != 1 || x.outside(v) {
		return c
	}
	k := slices.IndexFunc(of.Args, x.isIndex)
	if k < 0 {
		return c
	}
	index, bound := of.Args[k], of.Args[1-k]
	if !x.outside(bound) || !bound.IsConst() && !x.uniform(bound) {
		return c
	}
	c = indexLimit{index: index, bound: bound, low: bound.IsConst() && signed(bound) < minRun}
	holds := false // the condition of the select, in the interior
	switch of.Op {
	case ssa.OpMin, ssa.OpMax:
		c.low, c.keep = of.Op == ssa.OpMax, index
		return c
	case ssa.OpEq, ssa.OpNe:
		holds, c.off = of.Op == ssa.OpNe, 1
	case ssa.OpLt, ssa.OpLe:
		holds = (k == 0) != c.low
		if holds == (of.Op == ssa.OpLt) {
			c.off = 1
		}
	default:
		return indexLimit{}
	}
	if !c.low {
		c.off = -c.off
	}
	if c.keep = v.Args[2]; holds {
		c.keep = v.Args[1]
	}
	return c
}

// isIndex reports whether v grows or falls by one in each iteration, and is uniform or affine.
func (x *indexSplit) isIndex(v *ssa.Value) bool {
	by, ok := x.growth(v)
	return ok && (by == 1 || by == -1) && x.shape(v) <= affineShape
}

// outside reports whether v is computed before the loop.
func (x *indexSplit) outside(v *ssa.Value) bool {
	return v.IsConst() || !x.Loops.Contains(x.l, v.Block)
}

// growth returns the number by which an integer of 32 bits grows in each iteration of the interior, modulo 2³².
func (x *indexSplit) growth(v *ssa.Value) (by int64, ok bool) {
	if x.outside(v) {
		return 0, true
	}
	r, known := x.growths[v]
	if !known {
		r.by, r.ok = x.growthOf(v)
		x.growths[v] = r
	}
	return r.by, r.ok
}

func (x *indexSplit) growthOf(v *ssa.Value) (by int64, ok bool) {
	if u := x.usual[v]; u != nil {
		return x.growth(u)
	}
	if v.Type.N != 1 || !isInt(v.Type.K) || v.Type.Size() != 4 {
		return 0, false
	}
	switch v.Op {
	case ssa.OpPhi:
		if v.Block != x.l.Header || !x.uniform(v) {
			return 0, false
		}
		next := v.Args[1-x.end.in]
		if next.Op != ssa.OpAdd || next.Args[0] != v || !next.Args[1].IsConst() {
			return 0, false
		}
		return signed(next.Args[1]), true
	case ssa.OpAdd, ssa.OpSub:
		a, ok := x.growth(v.Args[0])
		b, ok2 := x.growth(v.Args[1])
		if v.Op == ssa.OpSub {
			b = -b
		}
		return a + b, ok && ok2
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast:
		if a := v.Args[0]; a.Type.N == 1 && isInt(a.Type.K) && a.Type.Size() == 4 && (v.Op != ssa.OpConvert || !saturates(v)) {
			return x.growth(a)
		}
	}
	return 0, false
}

// saturates reports whether a conversion saturates.
func saturates(v *ssa.Value) bool {
	sat, _ := ssa.ConvParts(v.Aux)
	return sat
}

// start returns an integer as of the first iteration, if it were in the interior.
func (x *indexSplit) start(v *ssa.Value) *ssa.Value {
	switch {
	case v.IsConst():
		return x.before.number(v.Type, signed(v))
	case x.outside(v):
		return v
	case v.Op == ssa.OpPhi:
		return v.Args[x.end.in]
	}
	w := x.first[v]
	if w == nil {
		if u := x.usual[v]; u != nil {
			w = x.start(u)
		} else {
			args := make([]*ssa.Value, len(v.Args))
			for i, a := range v.Args {
				args[i] = x.start(a)
			}
			switch {
			case v.Op == ssa.OpAdd && zero(args[0]):
				w = args[1]
			case (v.Op == ssa.OpAdd || v.Op == ssa.OpSub) && zero(args[1]):
				w = args[0]
			default:
				w = x.copyValue(v)
				w.SetArgs(args...)
				x.before.InsertBeforeTerm(w)
			}
		}
		x.first[v] = w
	}
	return w
}

// A growingIndex is an index of the interior: its value in the first iteration, and its growth.
type growingIndex struct {
	start *ssa.Value
	by    int64
}

func (x *indexSplit) growing(index *ssa.Value) growingIndex {
	by, _ := x.growth(index)
	return growingIndex{x.start(index), by}
}

// An indexEnds is the least and the greatest lane's index in the first iteration, as I64s.
type indexEnds struct {
	least, most *ssa.Value
	bounded     [2]bool // whether there is a clamp at its upper end, and at its lower end
}

// bound computes the interior of a loop of n iterations, if n is in [1, 2³¹). In iteration t an index is start + t or start - t
// modulo 2³², and therefore equal to that sum of 64 bits if that is in the range of its type.
func (x *indexSplit) bound(n *ssa.Value) {
	b := x.before
	add := func(op ssa.Op, args ...*ssa.Value) *ssa.Value { return b.add(op, ssa.TI64, args...) }
	x.from, x.to = b.number(ssa.TI64, 0), n
	b.known = []*ssa.Value{b.add(ssa.OpLe, ssa.TBool, n, b.number(ssa.TI64, 1<<31-1))}
	ends := map[growingIndex]*indexEnds{}
	limit := func(index *ssa.Value, low bool, bound *ssa.Value) {
		i := x.growing(index)
		e, by := ends[i], i.by
		at := 0
		if low {
			at = 1
		}
		e.bounded[at] = true
		of := e.most
		if low {
			of = e.least
		}
		switch {
		case low && by > 0:
			x.from = add(ssa.OpMax, x.from, add(ssa.OpSub, bound, of))
		case by > 0:
			x.to = add(ssa.OpMin, x.to, add(ssa.OpAdd, add(ssa.OpSub, bound, of), b.number(ssa.TI64, 1)))
		case low:
			x.to = add(ssa.OpMin, x.to, add(ssa.OpAdd, add(ssa.OpSub, of, bound), b.number(ssa.TI64, 1)))
		default:
			x.from = add(ssa.OpMax, x.from, add(ssa.OpSub, of, bound))
		}
	}
	for _, c := range x.list {
		if i := x.growing(c.index); ends[i] == nil {
			ends[i] = x.endsOf(i.start, c.index)
		}
		bound := b.long(x.start(c.bound))
		if c.off != 0 {
			bound = add(ssa.OpAdd, bound, b.number(ssa.TI64, c.off))
		}
		limit(c.index, c.low, bound)
	}
	for _, c := range x.list { // an index must not wrap
		least, most := limits(c.index.Type.K)
		e := ends[x.growing(c.index)]
		if !e.bounded[0] {
			limit(c.index, false, b.number(ssa.TI64, most))
		}
		if !e.bounded[1] {
			limit(c.index, true, b.number(ssa.TI64, least))
		}
	}
	x.enter = b.add(ssa.OpLt, ssa.TBool, x.from, x.to)
	for _, c := range b.known {
		x.enter = b.add(ssa.OpAnd, ssa.TBool, x.enter, c)
	}
}

// endsOf computes the ends of an index, which is start in the first iteration.
func (x *indexSplit) endsOf(start, index *ssa.Value) *indexEnds {
	b := x.before
	if !x.Varying[index.ID] {
		s := b.long(start)
		return &indexEnds{least: s, most: s}
	}
	end := func(aux int64, t ssa.Type) *ssa.Value {
		e := b.add(ssa.OpEnd, t, start)
		e.Aux = aux
		return e
	}
	first, last, ordered := end(ssa.EndFirst, start.Type), end(ssa.EndLast, start.Type), end(ssa.EndsOrder, ssa.TBool)
	b.known = append(b.known, ordered)
	p, q := b.long(first), b.long(last)
	return &indexEnds{least: b.add(ssa.OpMin, ssa.TI64, p, q), most: b.add(ssa.OpMax, ssa.TI64, p, q)}
}

// make makes the copy.
func (x *indexSplit) make() {
	f, h := x.F, x.l.Header
	pos := h.Term().Pos
	from, to := x.counter(x.from), x.counter(x.to)
	c := x.copyBlocks(x.l.Blocks)
	inner := c.blocks[h]
	enter, leave, rest := f.NewBlock(h.Name), f.NewBlock(h.Name), f.NewBlock(h.Name)
	for _, b := range x.l.Blocks {
		x.done[c.blocks[b]] = true
	}
	// The copy.
	enter.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	enter.Link(inner)
	for _, phi := range h.Phis() {
		c.values[phi].SetArgs(phi)
	}
	c.values[x.end.count].SetArgs(from)
	stays := inner.Append(f.NewValue(ssa.OpNe, ssa.TBool, pos, c.values[x.end.count], to))
	inner.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, stays))
	c.edge(inner, h, h.Succs[x.end.stay])
	inner.Link(leave)
	leave.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	for _, b := range x.l.Blocks[1:] {
		c.finish(b)
	}
	for v, u := range x.usual {
		c.values[v].BecomeCopy(c.value(u))
	}
	// The header.
	phis := h.Phis()
	for _, v := range slices.Clone(h.Values[len(phis):]) {
		rest.Append(v)
	}
	h.Values = h.Values[:len(phis)]
	rest.Succs, h.Succs = slices.Clone(h.Succs), nil
	for _, s := range rest.Succs {
		s.ReplacePred(h, rest)
	}
	leave.Link(h)
	for _, phi := range phis {
		phi.Args = append(slices.Clip(phi.Args), c.values[phi])
	}
	at := h.Append(f.NewValue(ssa.OpEq, ssa.TBool, pos, x.end.count, from))
	at = h.Append(f.NewValue(ssa.OpAnd, ssa.TBool, pos, x.enter, at))
	h.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, at))
	h.Link(enter)
	h.Link(rest)
	f.ReplaceCopies()
}

// counter computes the loop's counter in an iteration.
func (x *indexSplit) counter(n *ssa.Value) *ssa.Value {
	b, t := x.before, x.end.count.Type
	if by := x.end.step; by != 1 {
		n = b.add(ssa.OpMul, ssa.TI64, n, b.number(ssa.TI64, by))
	}
	if t.K != ssa.I64 {
		n = b.add(ssa.OpConvert, t, n)
	}
	if start := x.end.count.Args[x.end.in]; !zero(start) {
		n = b.add(ssa.OpAdd, t, start, n)
	}
	return n
}

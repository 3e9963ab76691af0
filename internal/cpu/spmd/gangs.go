package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A kernel in which barriers are uniform for the work-group becomes a function of the work-group. The control
// flow from barrier to barrier, the skeleton, is executed once. In each stretch between, a part, the gangs
// follow each other, from an [ssa.OpGangs] that begins it to one that ends it. The skeleton has no values of
// single work-items, except phis. Private objects keep values that work-items need in several parts. Cheap
// values that follow from ids are recomputed in each part. Loads count as varying here, because the time of the
// read may matter.

// A part is a set of blocks with a single entry and a single exit.
type part struct {
	entry, exit *ssa.Block
	blocks      []*ssa.Block
	local       map[*ssa.Value]*ssa.Value // this part's versions of values of other parts
	top         int                       // the index in entry at which to insert more of them
}

type gangs struct {
	f        *ssa.Func
	dom      *ssa.DomTree
	loops    *ssa.Loops
	varies   []bool // by value ID: differs between the work-items of a group
	skeleton map[*ssa.Block]bool
	parts    []*part
	of       map[*ssa.Block]*part
	slots    map[*ssa.Value]*ssa.Value
	original map[*ssa.Value]*ssa.Value // by a part's own version: the original value
	bad      bool
}

// newGangs divides a kernel into skeleton and parts. It returns nil if it cannot; the function is then
// unusable.
func newGangs(f *ssa.Func) *gangs {
	alive, ok := joinAllReturns(f)
	if !ok {
		return nil
	}
	p, _ := analyse(f, Options{RowUniform: true, GroupUniform: true})
	splitInductions(p)
	p, u := analyse(f, Options{GroupUniform: true, group: true})
	// A value that is uniform in a loop may vary after it if work-items leave the loop at different times. The
	// phi after the loop must stay.
	left := p.divergentLoops(u)
	single(f, func(b *ssa.Block) bool {
		for l := p.Loops.Of(b.Preds[0]); l != nil && !p.Loops.Contains(l, b); l = l.Parent {
			if left[l] {
				return true
			}
		}
		return false
	})
	p, u = analyse(f, Options{GroupUniform: true, group: true})
	g := &gangs{f: f, varies: p.Varying, skeleton: map[*ssa.Block]bool{}, of: map[*ssa.Block]*part{}, slots: map[*ssa.Value]*ssa.Value{}, original: map[*ssa.Value]*ssa.Value{}}
	if !g.cutAll(p, u) || !g.findParts() || !g.aroundAll(alive) {
		return nil
	}
	return g
}

// formGangs makes the kernel a function of the work-group and reports whether it could. If not, the function is
// unusable. The new private objects are added to slots.
func formGangs(f *ssa.Func, slots map[*ssa.Alloca]bool) bool {
	g := newGangs(f)
	if g == nil {
		return false
	}
	g.splitEdges()
	g.dom = f.Dominators()
	g.loops = f.Loops(g.dom)
	g.cross()
	if g.bad {
		return false
	}
	for _, c := range g.parts {
		if !slices.ContainsFunc(c.blocks, g.works) {
			continue // only values uniform for the work-group: computed once
		}
		begin, end := f.NewValue(ssa.OpGangs, ssa.TVoid, 0), f.NewValue(ssa.OpGangs, ssa.TVoid, 0)
		begin.Aux, end.Aux = ssa.GangsBegin, ssa.GangsEnd
		c.entry.InsertAt(0, begin)
		c.exit.InsertBeforeTerm(end)
	}
	for _, a := range g.slots {
		slots[a.Sym.(*ssa.Alloca)] = true
	}
	return true
}

// works reports whether block b of a part does more than compute uniform values of the work-group.
func (g *gangs) works(b *ssa.Block) bool {
	return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool {
		return g.differs(v) || g.original[v] != nil || !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator)
	})
}

// hasBarrier reports whether a block has a barrier.
func hasBarrier(b *ssa.Block) bool {
	return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier })
}

// single replaces phis with one argument by the argument, except in blocks for which keep is true; keep may be
// nil.
func single(f *ssa.Func, keep func(b *ssa.Block) bool) {
	changed := false
	for _, b := range f.Blocks {
		if len(b.Preds) != 1 || keep != nil && keep(b) {
			continue
		}
		for _, v := range b.Phis() {
			v.BecomeCopy(v.Args[0])
			changed = true
		}
	}
	if changed {
		f.ReplaceCopies()
	}
}

// cutAll splits blocks into pieces that belong to the skeleton and others. It returns false if a barrier is in
// divergent control flow.
func (g *gangs) cutAll(p *Plan, u *uniform.Analysis) bool {
	barriers := map[*ssa.Block]bool{}
	for _, b := range p.Order {
		barriers[b] = hasBarrier(b)
	}
	isBarrier := func(b *ssa.Block) bool { return barriers[b] }
	heads, ends := map[*ssa.Block]bool{}, map[*ssa.Block]bool{} // blocks whose phis, blocks whose terminators belong to the skeleton
	for _, b := range p.Order {
		if len(b.Succs) == 0 {
			ends[b] = true
		}
		if len(b.Succs) < 2 || !slices.ContainsFunc(u.RegionOf(b), isBarrier) {
			continue
		}
		join := u.PostDom.Idom(b)
		if join == nil || p.Split[b.ID] {
			return false
		}
		heads[join], ends[b] = true, true
	}
	for _, l := range p.Loops.All {
		heads[l.Header] = heads[l.Header] || slices.ContainsFunc(l.Blocks, isBarrier)
	}
	apart := map[*ssa.Block]bool{} // blocks that only some work-items may reach at a time
	for _, b := range u.Splits {
		for _, x := range u.RegionOf(b) {
			apart[x] = true
		}
	}
	for _, b := range p.Order {
		// Both tests of a && b lead to one other side, which is not where all paths meet.
		if d := p.Dom.Idom(b); d != nil && ends[d] && len(d.Succs) > 1 && len(b.Preds) > 1 && !apart[b] && (p.Loops.Of(b) == nil || p.Loops.Of(b).Header != b) {
			heads[b] = true
		}
	}
	for _, b := range p.Order {
		g.cut(b, heads[b], ends[b])
	}
	return true
}

// cut splits a block.
func (g *gangs) cut(b *ssa.Block, head, end bool) {
	split := func(i int) { b = splitBlock(b, i) }
	if b == g.f.Blocks[0] {
		n := 0
		for op := b.Values[n].Op; op == ssa.OpParam || op == ssa.OpConst; op = b.Values[n].Op {
			n++
		}
		g.skeleton[b] = true
		split(n)
	} else if head {
		g.skeleton[b] = true
		split(len(b.Phis()))
	}
	for i := 0; i < len(b.Values); i++ {
		if b.Values[i].Op == ssa.OpBarrier {
			split(i)
			g.skeleton[b] = true
			split(1)
			i = -1
		}
	}
	if end {
		split(len(b.Values) - 1)
		g.skeleton[b] = true
	}
}

// splitBlock moves b's values from index i on to a new block after it.
func splitBlock(b *ssa.Block, i int) *ssa.Block {
	f := b.Func
	n := f.NewBlock("")
	for _, v := range b.Values[i:] {
		n.Append(v)
	}
	n.Succs = slices.Clone(b.Succs)
	for _, s := range n.Succs {
		s.ReplacePred(b, n)
	}
	b.Values, b.Succs = b.Values[:i:i], nil
	b.Append(f.NewValue(ssa.OpJump, ssa.TVoid, n.Term().Pos))
	b.Link(n)
	return n
}

// findParts finds the parts: the connected sets of blocks outside of the skeleton.
func (g *gangs) findParts() bool {
	for _, b := range slices.Clone(g.f.Blocks) {
		if !g.skeleton[b] {
			continue
		}
		for _, s := range b.Succs {
			if !g.skeleton[s] && (g.of[s] != nil || !g.grow(s)) {
				return false
			}
		}
	}
	return true
}

// splitEdges makes parts of the skeleton's edges into varying phis.
func (g *gangs) splitEdges() {
	for _, b := range slices.Clone(g.f.Blocks) {
		if !g.skeleton[b] || !slices.ContainsFunc(b.Phis(), g.differs) {
			continue
		}
		for _, q := range slices.Clone(b.Preds) {
			if !g.skeleton[q] {
				continue
			}
			c := &part{local: map[*ssa.Value]*ssa.Value{}}
			c.entry = g.f.SplitEdge(q, slices.Index(q.Succs, b))
			c.exit = c.entry
			g.take(c, c.entry)
			g.parts = append(g.parts, c)
		}
	}
}

func (g *gangs) take(c *part, b *ssa.Block) {
	g.of[b] = c
	c.blocks = append(c.blocks, b)
}

// differs reports whether v may differ between work-items.
func (g *gangs) differs(v *ssa.Value) bool { return int(v.ID) < len(g.varies) && g.varies[v.ID] }

// grow makes the part that begins at e. It returns false if the blocks do not form one.
func (g *gangs) grow(e *ssa.Block) bool {
	c := &part{entry: e, local: map[*ssa.Value]*ssa.Value{}}
	g.take(c, e)
	var to *ssa.Block
	var exits []*ssa.Block
	for i := 0; i < len(c.blocks); i++ {
		b := c.blocks[i]
		for _, s := range b.Succs {
			switch {
			case g.skeleton[s]:
				if to != nil && s != to {
					return false
				}
				to = s
				exits = append(exits, b)
			case g.of[s] == nil:
				g.take(c, s)
			case g.of[s] != c:
				return false
			}
		}
	}
	switch {
	case to == nil: // an endless loop
		return false
	case len(c.blocks) == 1 && len(e.Values) == 1:
		g.skeleton[e] = true
		delete(g.of, e)
		return true
	}
	inside := func(b *ssa.Block) bool { return g.of[b] == c }
	if len(e.Preds) > 1 { // e is the header of a loop
		from := numbers(e.Preds, func(b *ssa.Block) bool { return !inside(b) })
		if len(from) != 1 {
			return false
		}
		merge(g.f, e, from)
		c.entry = e.Preds[len(e.Preds)-1]
		g.take(c, c.entry)
	}
	c.exit = exits[0]
	if len(exits) > 1 || len(c.exit.Succs) > 1 {
		merge(g.f, to, numbers(to.Preds, inside))
		c.exit = to.Preds[len(to.Preds)-1]
		g.take(c, c.exit)
		for _, v := range to.Phis() {
			if a := v.Args[len(v.Args)-1]; a.Block == c.exit && g.differs(v) {
				g.varies = append(g.varies, make([]bool, g.f.NumValues()-len(g.varies))...)
				g.varies[a.ID] = true
			}
		}
	}
	g.parts = append(g.parts, c)
	return true
}

// numbers returns the indices of the blocks for which is is true.
func numbers(list []*ssa.Block, is func(*ssa.Block) bool) (at []int) {
	for i, b := range list {
		if is(b) {
			at = append(at, i)
		}
	}
	return at
}

// cross gives each part its versions of values of other parts, and replaces varying phis of the skeleton by
// memory.
func (g *gangs) cross() {
	for _, c := range slices.Clone(g.parts) {
		for _, b := range slices.Clone(c.blocks) {
			for _, v := range slices.Clone(b.Values) {
				for i, a := range v.Args {
					v.Args[i] = g.in(c, a)
				}
			}
		}
	}
	for _, b := range g.f.Blocks {
		if !g.skeleton[b] {
			continue
		}
		for _, v := range slices.Clone(b.Phis()) {
			if g.differs(v) {
				b.Remove(v)
			}
		}
		for _, v := range b.Values {
			g.bad = g.bad || slices.ContainsFunc(v.Args, g.differs)
		}
	}
}

// in returns part c's version of v.
func (g *gangs) in(c *part, v *ssa.Value) *ssa.Value {
	if o := g.original[v]; o != nil && g.of[v.Block] != c {
		v = o
	}
	if !g.differs(v) || v.Block == nil || g.of[v.Block] == c || v.Op == ssa.OpAlloca {
		return v
	}
	if w := c.local[v]; w != nil {
		return w
	}
	var w *ssa.Value
	if g.rematerialises(c, v) || g.pointer(c, v) {
		w = g.f.NewValue(v.Op, v.Type, v.Pos, v.Args...)
		w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
		for i, a := range w.Args {
			w.Args[i] = g.in(c, a)
		}
	} else {
		if v.Type.K.IsPtr() || v.Op == ssa.OpAny {
			g.bad = true // a pointer from memory has no known object, and the result of OpAny belongs to a gang, not to a lane
			return v
		}
		w = g.f.NewValue(ssa.OpLoad, v.Type, v.Pos, g.slot(v))
		w.Aux = 1
	}
	c.local[v], g.original[w] = w, v
	c.entry.InsertAt(c.top, w)
	c.top++
	return w
}

// maxRemat bounds the operations that a part executes to recompute a value.
const maxRemat = 30

// A remat describes the recomputation of a value.
type remat struct {
	ops  int
	kept *ssa.Value // the one operand, if any, that is loaded from memory
	ok   bool
}

// rematerialises reports whether part c rematerialises v. It does if v depends on ids and values uniform for the
// work-group, or also on one narrower value in memory. It must for pointers, because a pointer from memory has
// no known object.
func (g *gangs) rematerialises(c *part, v *ssa.Value) bool {
	r := remat{ok: true}
	g.addRemat(c, v, v, &r)
	return r.ok && (r.kept == nil || v.Type.K.IsPtr() || r.kept.Type.Size() < v.Type.Size())
}

// pointer reports whether part c computes the pointer v again, from operands that it recomputes or that are kept in
// memory.
func (g *gangs) pointer(c *part, v *ssa.Value) bool {
	return v.Op == ssa.OpPtrAdd && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !g.differs(a) && !g.current(c, a) })
}

func (g *gangs) addRemat(c *part, v, of *ssa.Value, r *remat) {
	if r.ops++; !g.cheap(v) || r.ops > maxRemat {
		r.ok = r.ok && v != of && !v.Type.K.IsPtr() && (r.kept == nil || r.kept == v)
		r.kept = v
		return
	}
	for _, a := range v.Args {
		if o := g.original[a]; o != nil {
			a = o
		}
		switch {
		case g.differs(a):
			if g.of[a.Block] != c {
				g.addRemat(c, a, of, r)
			}
		default:
			r.ok = r.ok && g.current(c, a)
		}
	}
}

// current reports whether the uniform value a is still the same in part c.
func (g *gangs) current(c *part, a *ssa.Value) bool {
	if a.IsConst() || a.Op == ssa.OpParam {
		return true
	}
	l := g.loops.Of(a.Block)
	return l == nil || g.loops.Contains(l, c.entry)
}

// cheap reports whether v is a cheap operation on scalar integers and pointers.
func (g *gangs) cheap(v *ssa.Value) bool {
	switch ssa.Ops[v.Op].Cost {
	case ssa.CostSimple, ssa.CostMul, ssa.CostConvert:
		if !v.Op.Has(ssa.Pure) || v.Op.Has(ssa.PlanOnly) {
			return false
		}
	default:
		if v.Op != ssa.OpWorkItem && v.Op != ssa.OpCopy {
			return false
		}
	}
	scalar := func(a *ssa.Value) bool { return a.Type.N == 1 && !a.Type.K.Num().IsFloat() }
	return scalar(v) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !scalar(a) })
}

// slot returns the private object that keeps v for other parts.
func (g *gangs) slot(v *ssa.Value) *ssa.Value {
	if a := g.slots[v]; a != nil {
		return a
	}
	f := g.f
	size := int64(v.Type.Size())
	if v.Type.N == 3 {
		size = size / 3 * 4
	}
	a := f.InsertEntry(f.NewValue(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), v.Pos))
	a.Sym = &ssa.Alloca{Name: "kept", Size: size, Align: 8}
	g.slots[v] = a
	store := func(x *ssa.Value) *ssa.Value {
		s := f.NewValue(ssa.OpStore, ssa.TVoid, v.Pos, a, x)
		s.Aux = 1
		return s
	}
	if g.skeleton[v.Block] { // a phi
		for i, x := range v.Args {
			if c := g.of[v.Block.Preds[i]]; x != v {
				c.exit.InsertBeforeTerm(store(g.in(c, x)))
			}
		}
		return a
	}
	b := g.left(v.Block)
	at := len(b.Phis())
	if b == v.Block && v.Op != ssa.OpPhi {
		at = slices.Index(b.Values, v) + 1
	}
	b.InsertAt(at, store(v))
	if c := g.of[b]; b == c.entry && at <= c.top {
		c.top++
	}
	return a
}

// left returns the block of the same part after the loops around b. A value of b that other parts need is stored there once,
// not in each iteration: work-items leave these loops together, because the values of other loops are used through phis
// after them (newGangs). If a loop has several exits, left returns the block before it, or b.
func (g *gangs) left(b *ssa.Block) *ssa.Block {
	c, at := g.of[b], b
	for l := g.loops.Of(b); l != nil && g.of[l.Header] == c; l = l.Parent {
		var exit *ssa.Block
		for _, x := range l.Blocks {
			for _, s := range x.Succs {
				switch {
				case g.loops.Contains(l, s):
				case exit != nil, len(s.Preds) != 1, g.of[s] != c:
					return at
				default:
					exit = s
				}
			}
		}
		if exit == nil || !g.dom.Dominates(at, exit) {
			return at
		}
		at = exit
	}
	return at
}

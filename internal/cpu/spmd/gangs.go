package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A kernel in which no work-item decides alone about a barrier becomes a function of the
// work-group: what leads from barrier to barrier, the skeleton, is executed once, and in
// each stretch between (a part) the gangs follow each other, from an [ssa.OpGangs] that
// begins it to one that ends it. The skeleton has no instructions of work-items but phis
// that are the same for all of them. Private objects keep the values that work-items
// need across parts. Values that are cheap and follow from ids are recomputed in each part. Loads count as different for each work-item here: who reads when may matter.

// A part is a set of blocks that control enters at the first and leaves behind the last.
type part struct {
	entry, exit *ssa.Block
	blocks      []*ssa.Block
	local       map[*ssa.Value]*ssa.Value // values of other parts as this one has them
	top         int                       // where entry gets more of them
}

type gangs struct {
	f        *ssa.Func
	loops    *ssa.Loops
	varies   []bool // by value ID: work-items of a group may differ
	skeleton map[*ssa.Block]bool
	parts    []*part
	of       map[*ssa.Block]*part
	slots    map[*ssa.Value]*ssa.Value
	original map[*ssa.Value]*ssa.Value // by a part's own value: the one that it stands for
	bad      bool
}

// newGangs cuts a kernel into skeleton and parts; nil where that cannot be. The function
// is not to be used any more then.
func newGangs(f *ssa.Func) *gangs {
	p, _ := analyse(f, Options{RowUniform: true, GroupUniform: true})
	splitInductions(p)
	p, u := analyse(f, Options{GroupUniform: true, group: true})
	// A number that work-items share in a loop that they leave at different times is one of each
	// behind it: its phi there stays.
	left := p.left(u)
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
	if !g.cutAll(p, u) || !g.findParts() {
		return nil
	}
	return g
}

// formGangs makes the kernel a function of the work-group and reports whether it could; if
// not, the function is not to be used any more. The private objects made are added to
// slots.
func formGangs(f *ssa.Func, slots map[*ssa.Alloca]bool) bool {
	g := newGangs(f)
	if g == nil {
		return false
	}
	g.splitEdges()
	g.loops = f.Loops(f.Dominators())
	g.cross()
	if g.bad {
		return false
	}
	for _, c := range g.parts {
		if !slices.ContainsFunc(c.blocks, g.works) {
			continue // computes what is the same for all gangs: once
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

// works reports whether b of a part does more than to compute what is the same for the
// work-group.
func (g *gangs) works(b *ssa.Block) bool {
	return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool {
		return g.differs(v) || g.original[v] != nil || !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator)
	})
}

// hasBarrier reports whether a block has one.
func hasBarrier(b *ssa.Block) bool {
	return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier })
}

// single replaces phis of one argument by that, but for those of blocks that keep holds for; nil: none.
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

// cutAll cuts blocks into pieces that belong to the skeleton and others. It reports false
// where work-items decide alone about a barrier.
func (g *gangs) cutAll(p *Plan, u *uniform.Analysis) bool {
	barriers := map[*ssa.Block]bool{}
	for _, b := range p.Order {
		barriers[b] = hasBarrier(b)
	}
	isBarrier := func(b *ssa.Block) bool { return barriers[b] }
	heads, ends := map[*ssa.Block]bool{}, map[*ssa.Block]bool{} // whose phis, whose terminators belong to the skeleton
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
	for _, b := range p.Order {
		g.cut(b, heads[b], ends[b])
	}
	return true
}

// cut cuts a block.
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

// splitBlock puts b's values from number i on in a block of their own behind it.
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

// findParts finds the parts: what hangs together beside the skeleton.
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

// splitEdges makes parts of the edges of the skeleton that set phis which vary.
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

// grow makes the part that control enters at e; false where that is none.
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
	case to == nil: // never left
		return false
	case len(c.blocks) == 1 && len(e.Values) == 1:
		g.skeleton[e] = true
		delete(g.of, e)
		return true
	}
	inside := func(b *ssa.Block) bool { return g.of[b] == c }
	if len(e.Preds) > 1 { // the header of a loop
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

// numbers returns the indices at which is holds.
func numbers(list []*ssa.Block, is func(*ssa.Block) bool) (at []int) {
	for i, b := range list {
		if is(b) {
			at = append(at, i)
		}
	}
	return at
}

// cross gives parts what they use of other parts, and phis of the skeleton that vary
// places in memory.
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

// in returns v as part c has it.
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
	if g.again(c, v) {
		w = g.f.NewValue(v.Op, v.Type, v.Pos, v.Args...)
		w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
		for i, a := range w.Args {
			w.Args[i] = g.in(c, a)
		}
	} else {
		if v.Type.K.IsPtr() || v.Op == ssa.OpAny {
			g.bad = true // its object would not be known any more; what is asked of a gang is no lane's
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

// maxAgain is how many operations a part computes again at most for a value of another.
const maxAgain = 10

// A repeat is what computing a value again takes.
type repeat struct {
	ops  int
	kept *ssa.Value // the operand that is not computed from ids, at most one
	ok   bool
}

// again reports whether part c computes v again: what follows from ids and from what is the
// same for the work-group, also from one narrower value that is kept; and pointers, because
// one from memory leads to no known object.
func (g *gangs) again(c *part, v *ssa.Value) bool {
	r := repeat{ok: true}
	g.repeat(c, v, v, &r)
	return r.ok && (r.kept == nil || v.Type.K.IsPtr() || r.kept.Type.Size() < v.Type.Size())
}

func (g *gangs) repeat(c *part, v, of *ssa.Value, r *repeat) {
	if r.ops++; !g.cheap(v) || r.ops > maxAgain {
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
				g.repeat(c, a, of, r)
			}
		case a.IsConst() || a.Op == ssa.OpParam:
		default: // may have changed since
			l := g.loops.Of(a.Block)
			r.ok = r.ok && (l == nil || g.loops.Contains(l, c.entry))
		}
	}
}

// cheap reports whether v is an operation on scalar integers and pointers of few cycles.
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
	at := slices.Index(v.Block.Values, v) + 1
	if v.Op == ssa.OpPhi {
		at = len(v.Block.Phis())
	}
	v.Block.InsertAt(at, store(v))
	if c := g.of[v.Block]; v.Block == c.entry && at <= c.top {
		c.top++
	}
	return a
}

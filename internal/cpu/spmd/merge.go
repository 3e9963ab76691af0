package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Merged bounds checks of neighbouring accesses. A part of a block with several accesses to one object at
// constant distances gets a copy for the case that all of them are in bounds. An [ssa.OpInside] tests the byte
// range that covers them, so that accesses in the copy have no checks. Otherwise the original part runs, with
// checks.
//
// It covers accesses of lanes at or near consecutive addresses, or at one address, in blocks that all lanes
// execute.

// minSaved is the least number of comparisons that a copy must save.
const minSaved = 2

// A neighbour is an access of a block: its index, and the linear form of its pointer.
type neighbour struct {
	at  int
	sum lanes.Linear
}

// mergeChecks copies parts of blocks for the case that all their accesses are in bounds. It reports whether it made a copy.
func (g *versions) mergeChecks() bool {
	apart, ok := g.checkable()
	if !ok {
		return false
	}
	var list []*ssa.Block
	for _, b := range g.Order {
		if l := g.Loops.Of(b); !apart.has(b) && !g.Rare(b) && !g.wide[b] && (l == nil || l.Header != b && !g.checkedOnce(l)) {
			list = append(list, b)
		}
	}
	parts := map[*ssa.Block]*ssa.Block{} // by a block made of a part: the original block
	changed := false
	for _, b := range list {
		changed = g.checkPart(b, parts) || changed
	}
	return changed
}

// checkedOnce reports whether a loop is a copy whose accesses are checked before it.
func (g *versions) checkedOnce(l *ssa.Loop) bool {
	before := entering(g.Plan, l)
	if len(before.Preds) != 1 {
		return false
	}
	t := before.Preds[0].Term()
	return t.Op == ssa.OpBranch && t.Args[0].Op == ssa.OpInside
}

// A cut is the part of a block to be copied: its values [first, last), and the index of each value in the
// block.
type cut struct {
	g           *versions
	b           *ssa.Block
	first, last int
	at          map[*ssa.Value]int        // by value of the block: its index
	list        []neighbour               // the accesses that need no check of their own
	parts       map[*ssa.Block]*ssa.Block // by a block made of a part: the original block
}

// checkPart makes a copy of a part of b. parts maps blocks made of parts to the original block.
func (g *versions) checkPart(b *ssa.Block, parts map[*ssa.Block]*ssa.Block) bool {
	list := g.neighbours(b)
	if len(list) == 0 || len(list) > g.budget {
		return false // nothing to copy, or the limit is reached
	}
	c := &cut{g: g, b: b, list: list, at: make(map[*ssa.Value]int, len(b.Values)), parts: parts}
	for i, v := range b.Values {
		c.at[v] = i
	}
	if !c.choose() {
		return false
	}
	g.budget -= c.last - c.first
	records := c.records()
	m := c.copy(c.raised())
	for _, r := range records {
		g.pack(r, m.value)
	}
	return true
}

// choose chooses the part's first and last value, and reports whether a copy pays.
func (c *cut) choose() bool {
	values := c.b.Values
	// The terms of the offsets must be available before the first access.
	c.first = c.list[0].at
	c.list = slices.DeleteFunc(c.list, func(n neighbour) bool {
		return slices.ContainsFunc(n.sum.Terms, func(t lanes.Term) bool {
			return slices.ContainsFunc(t.Parts.All(), func(v *ssa.Value) bool { return !c.early(v, maxMoves) })
		})
	})
	list, saved := withNeighbours(c.list)
	if saved < minSaved {
		return false
	}
	c.list = list
	first, end := list[0].at, list[len(list)-1].at+1
	// Values used after the part need phis of both copies, which may cost more than the copy saves. The
	// terminator is not copied.
	c.last = len(values) - 1
	for c.last > end {
		v := values[c.last-1]
		if !simple(v) && v.Type.K != ssa.Bool && v.Op != ssa.OpVote {
			break
		}
		c.last--
	}
	if size := c.last - first; size > maxRound*len(list) || size > c.g.budget {
		return false
	}
	// The copy needs little of the computation of the offsets.
	for c.first = first; c.first > 0 && simple(values[c.first-1]); {
		c.first--
	}
	return !slices.ContainsFunc(values[c.first:c.last], func(v *ssa.Value) bool {
		return v.Op == ssa.OpAlloca || v.Op == ssa.OpVote || v.Op == ssa.OpAny || v.Op == ssa.OpInside
	})
}

// raised returns the values of the part that are hoisted before it.
func (c *cut) raised() map[*ssa.Value]bool {
	raised := map[*ssa.Value]bool{}
	var raise func(v *ssa.Value)
	raise = func(v *ssa.Value) {
		if i, here := c.at[v]; here && i >= c.first && !raised[v] {
			raised[v] = true
			for _, a := range v.Args {
				raise(a)
			}
		}
	}
	for _, n := range c.list {
		for _, t := range n.sum.Terms {
			for _, v := range t.Parts.All() {
				raise(v)
			}
		}
	}
	// A phi of both versions of an offset would hide that the offsets are at a constant distance in all lanes.
	for _, v := range c.usedElsewhere() {
		if c.early(v, maxMoves) {
			raise(v)
		}
	}
	return raised
}

// neighbours returns the accesses of b that may lose their checks.
func (g *versions) neighbours(b *ssa.Block) (list []neighbour) {
	fields := g.fieldsIn(b)
	for i, v := range b.Values {
		if !g.near(v) && !fields[v] {
			continue
		}
		if s, ok := lanes.LinearOf(v.Args[0]); ok {
			list = append(list, neighbour{i, s})
		}
	}
	return list
}

// early reports whether v is available before the part, or can be computed there by simple operations.
func (c *cut) early(v *ssa.Value, depth int) bool {
	i, here := c.at[v]
	switch {
	case !here:
		return c.known(v)
	case i < c.first:
		return true
	case depth == 0 || !simple(v):
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !c.early(a, depth-1) })
}

// known reports whether a value of another block is available in this one.
func (c *cut) known(v *ssa.Value) bool {
	of := v.Block
	if p := c.parts[of]; p != nil {
		of = p
	}
	return of == nil || of != c.b && c.g.Dom.Dominates(of, c.b)
}

// simple reports whether v is integer or pointer arithmetic of the kind that computes offsets.
func simple(v *ssa.Value) bool {
	if v.Type.N != 1 || !v.Type.K.IsPtr() && !isInt(v.Type.K) {
		return false
	}
	switch v.Op {
	case ssa.OpConst, ssa.OpWorkItem, ssa.OpAdd, ssa.OpSub, ssa.OpNeg, ssa.OpMul, ssa.OpShl, ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy, ssa.OpPtrAdd, ssa.OpPtrCast:
		return true
	}
	return false
}

// usedElsewhere returns the values of the part that are used elsewhere.
func (c *cut) usedElsewhere() (list []*ssa.Value) {
	for _, b := range c.g.F.Blocks {
		for i, v := range b.Values {
			if b == c.b && i < c.last {
				continue
			}
			for _, a := range v.Args {
				if at, here := c.at[a]; here && c.first <= at && at < c.last {
					list = append(list, a)
				}
			}
		}
	}
	return list
}

// withNeighbours returns the accesses of a list that have a neighbour, and the number of comparisons that a common
// test saves.
func withNeighbours(list []neighbour) (out []neighbour, saved int) {
	alike := func(a, b neighbour) bool {
		return a.sum.Root == b.sum.Root && slices.Equal(a.sum.Terms, b.sum.Terms)
	}
	narrow := map[lanes.Term]bool{}
	for i, n := range list {
		if !slices.ContainsFunc(list[:i], func(m neighbour) bool { return alike(m, n) }) {
			if !slices.ContainsFunc(list[i+1:], func(m neighbour) bool { return alike(m, n) }) {
				continue
			}
		} else {
			saved++
		}
		out = append(out, n)
		for _, t := range n.sum.Narrow {
			narrow[t.Term] = true
		}
	}
	return out, saved - len(narrow)
}

// copy copies the part, without the raised values, after a test whether all its accesses are in bounds.
func (c *cut) copy(raised map[*ssa.Value]bool) *copier {
	g, b := c.g, c.b
	f := g.F
	part, rest := f.NewBlock(b.Name), f.NewBlock(b.Name)
	c.parts[part], c.parts[rest] = b, b
	values := b.Values
	pos := values[c.first].Pos
	b.Values = values[:c.first:c.first]
	for _, v := range values[c.first:c.last] {
		if raised[v] {
			b.Append(v)
		} else {
			part.Append(v)
		}
	}
	part.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	for _, v := range values[c.last:] {
		rest.Append(v)
	}
	rest.Succs = slices.Clone(b.Succs)
	for _, s := range rest.Succs {
		s.ReplacePred(b, rest)
	}
	b.Succs = nil
	part.Link(rest)
	one := b.Append(f.NewConst(ssa.TI64, 1))
	inside := b.Append(f.NewValue(ssa.OpInside, ssa.TBool, pos, one))
	inside.Aux = ssa.InsideBlock
	b.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, inside))
	m := g.copyBlocks([]*ssa.Block{part})
	m.end(part)
	m.edge(m.blocks[part], part, rest)
	b.Link(m.blocks[part])
	b.Link(part)
	g.cold[part] = true
	m.repair()
	return m
}

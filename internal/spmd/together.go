package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ssa"
)

// Bounds checks of neighbouring accesses. Part of a block with several accesses to one
// object at offsets that differ by constants has a copy for when all of them are in
// bounds, which an [ssa.OpInside] finds out before by what spans them all; there they
// have no checks. Else the part itself runs, in which every access is checked as
// everywhere.
//
// Covered are accesses of lanes that are side by side, or nearly so, or at one place,
// where all lanes run.

// minSaved is how many comparisons a copy must save.
const minSaved = 2

// A neighbour is an access of a part, at index at of its block.
type neighbour struct {
	v   *ssa.Value
	at  int
	sum Sum
}

// checkTogether makes such copies, and reports whether there are any.
func (g *versions) checkTogether() bool {
	if g.Spans != nil || g.waits() {
		return false
	}
	g.Plan.cold = g.cold
	g.Plan.findRare()
	apart := g.regions()
	var list []*ssa.Block
	for _, b := range g.Order {
		if l := g.Loops.Of(b); !apart[b] && !g.Rare(b) && (l == nil || l.Header != b && !g.checkedOnce(l)) {
			list = append(list, b)
		}
	}
	parts := map[*ssa.Block]*ssa.Block{} // blocks made of parts: of which
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

// checkPart makes a copy of part of b. Of blocks made of parts, parts says of which.
func (g *versions) checkPart(b *ssa.Block, parts map[*ssa.Block]*ssa.Block) bool {
	known := func(v *ssa.Value) bool {
		if v.Block == nil {
			return true
		}
		of := v.Block
		if p := parts[of]; p != nil {
			of = p
		}
		return of != b && g.Dom.Dominates(of, b)
	}
	list := g.neighbours(b)
	if len(list) == 0 {
		return false
	}
	// What the offsets are computed from must be known before the first access.
	index := map[*ssa.Value]int{}
	for i, v := range b.Values {
		index[v] = i
	}
	first := list[0].at
	early := func(v *ssa.Value) bool { return g.early(v, first, index, known, maxMoves) }
	list = slices.DeleteFunc(list, func(n neighbour) bool {
		return slices.ContainsFunc(n.sum.Terms, func(t Term) bool {
			return slices.ContainsFunc(t.Parts.All(), func(v *ssa.Value) bool { return !early(v) })
		})
	})
	list, saved := together(list)
	if saved < minSaved {
		return false
	}
	first = list[0].at
	// Of what the offsets are computed from the copy needs little.
	for first > 0 && simple(b.Values[first-1]) {
		first--
	}
	// Values of both copies that are used behind them go through phis, which may cost more
	// than is saved; what decides where to go on is not copied.
	last := len(b.Values) - 1
	for v := b.Values[last-1]; last-1 > list[len(list)-1].at && (simple(v) || v.Type.K == ssa.Bool || v.Op == ssa.OpVote); v = b.Values[last-1] {
		last--
	}
	size := last - list[0].at
	if size > maxRound*len(list) || size > g.left {
		return false
	}
	for _, v := range b.Values[first:last] {
		switch v.Op {
		case ssa.OpAlloca, ssa.OpVote, ssa.OpAny, ssa.OpInside:
			return false
		}
	}
	g.left -= size
	raised := map[*ssa.Value]bool{}
	var raise func(v *ssa.Value)
	raise = func(v *ssa.Value) {
		if i, here := index[v]; here && i >= first && !raised[v] {
			raised[v] = true
			for _, a := range v.Args {
				raise(a)
			}
		}
	}
	for _, n := range list {
		for _, t := range n.sum.Terms {
			for _, v := range t.Parts.All() {
				raise(v)
			}
		}
	}
	// A phi of both forms of an offset would not be known to be the same distance apart in
	// all lanes.
	for _, v := range g.usedBehind(b, first, last, index) {
		if early(v) {
			raise(v)
		}
	}
	g.copyPart(b, first, last, raised, parts)
	return true
}

// neighbours returns the accesses of b that might go without checks.
func (g *versions) neighbours(b *ssa.Block) (list []neighbour) {
	for i, v := range b.Values {
		if v.Op != ssa.OpLoad && v.Op != ssa.OpStore {
			continue
		}
		s, ok := SumOf(v.Args[0])
		if !ok {
			continue
		}
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		step, ok := int64(0), true
		for _, m := range s.Terms {
			for _, x := range m.Parts.All() {
				k, known := g.laneStep(x, maxMoves)
				step += m.By * k
				ok = ok && known
			}
		}
		if near := int64(4 * t.Size()); ok && -near <= step && step <= near {
			list = append(list, neighbour{v, i, s})
		}
	}
	return list
}

// early reports whether v may be computed before index first of its block, by simple
// operations.
func (g *versions) early(v *ssa.Value, first int, index map[*ssa.Value]int, known func(v *ssa.Value) bool, depth int) bool {
	i, here := index[v]
	if !here {
		return known(v)
	}
	if i < first {
		return true
	}
	if depth == 0 || !simple(v) {
		return false
	}
	for _, a := range v.Args {
		if !g.early(a, first, index, known, depth-1) {
			return false
		}
	}
	return true
}

// simple reports whether v is arithmetic on integers and pointers as offsets are computed by.
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

// usedBehind returns the values of b from first to last that are used elsewhere.
func (g *versions) usedBehind(b *ssa.Block, first, last int, index map[*ssa.Value]int) (list []*ssa.Value) {
	for _, c := range g.F.Blocks {
		for i, v := range c.Values {
			if c == b && i < last {
				continue
			}
			for _, a := range v.Args {
				if at, here := index[a]; here && first <= at && at < last {
					list = append(list, a)
				}
			}
		}
	}
	return list
}

// together leaves of a list of accesses those that have a neighbour, and says how many
// comparisons it saves to compare what spans them.
func together(list []neighbour) (out []neighbour, saved int) {
	alike := func(a, b neighbour) bool {
		return a.sum.Root == b.sum.Root && slices.Equal(a.sum.Terms, b.sum.Terms)
	}
	narrow := map[Term]bool{}
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

// copyPart gives the values of b from first to last, but those raised, a copy, behind a
// test whether all accesses of it are in bounds; what is raised is computed before.
func (g *versions) copyPart(b *ssa.Block, first, last int, raised map[*ssa.Value]bool, parts map[*ssa.Block]*ssa.Block) {
	f := g.F
	part, rest := f.NewBlock(b.Name), f.NewBlock(b.Name)
	parts[part], parts[rest] = b, b
	values := b.Values
	pos := values[first].Pos
	b.Values = values[:first:first]
	for _, v := range values[first:last] {
		if raised[v] {
			b.Append(v)
		} else {
			part.Append(v)
		}
	}
	part.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	for _, v := range values[last:] {
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
	c := g.copyBlocks([]*ssa.Block{part})
	c.end(part)
	c.edge(c.blocks[part], part, rest)
	b.Link(c.blocks[part])
	b.Link(part)
	g.cold[part] = true
	c.repair()
}

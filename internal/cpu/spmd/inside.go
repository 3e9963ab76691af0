package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// Bounds checks hoisted from loops. A counted loop whose accesses advance by constant amounts gets a copy for
// the case that all accesses of all iterations are in bounds. An [ssa.OpInside] tests that before the loop, so
// that accesses in the copy have no checks. Otherwise the original loop runs, with checks.
//
// It covers innermost loops that whole gangs execute together and leave at the header by the test of a counter
// (counter.go). It covers accesses whose offset the machine code keeps in a register that the loop advances. It does not
// cover accesses at data-dependent addresses, nor long iterations, in which a check costs little. In a kernel with barriers it
// covers the loops between them, but only in code that runs for a whole work-group: gangs that are coroutines keep their checks.

// maxRound bounds the values of an iteration for each access that may lose its check. In longer iterations a
// check has no measurable cost.
const maxRound = 16

// checkOnce makes such copies, and reports whether it made any.
func (g *versions) checkOnce() bool { return g.eachLoop(g.checkLoop) }

// eachLoop calls transform for each loop that whole gangs execute together, except rarely executed ones. It reports
// whether a call returned true.
func (g *versions) eachLoop(transform func(l *ssa.Loop) bool) bool {
	if !g.Unfolded && !grouped(g.Order) && g.waits() {
		return false
	}
	apart := g.versionable()
	changed := false
	for _, l := range g.Loops.All {
		if !apart.has(l.Header) && !g.Rare(l.Header) {
			changed = transform(l) || changed
		}
	}
	return changed
}

// checkable returns the blocks that only some lanes may execute. ok is false for kernels that get no copies
// without checks.
func (g *versions) checkable() (apart blockSet, ok bool) {
	if g.Unfolded || g.waits() {
		return nil, false
	}
	return g.versionable(), true
}

// versionable begins versions without checks. It returns the blocks that only some lanes may execute.
func (g *versions) versionable() (apart blockSet) {
	g.Plan.cold = g.cold
	g.Plan.findRare()
	g.facts() // of the current function
	return g.apart
}

// grouped reports whether these blocks are the code for a whole work-group.
func grouped(blocks []*ssa.Block) bool {
	for _, b := range blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpGangs {
				return true
			}
		}
	}
	return false
}

// waits reports whether the kernel has barriers.
func (g *versions) waits() bool {
	for _, b := range g.Order {
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier || v.Op == ssa.OpGangs {
				return true
			}
		}
	}
	return false
}

func (g *versions) checkLoop(l *ssa.Loop) bool {
	h := l.Header
	if g.wide[h] {
		return false
	}
	before := entering(g.Plan, l)
	size, accesses := 0, 0
	for _, b := range l.Blocks {
		if g.Loops.Of(b) != l || g.Split[b.ID] {
			return false
		}
		size += len(b.Values)
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier || v.Op == ssa.OpGangs {
				return false
			}
			if b != h && g.near(v) && g.moves(v.Args[0], l, maxMoves) {
				accesses++
			}
		}
	}
	if accesses == 0 || size > maxRound*accesses || size > g.budget || len(before.Succs) != 1 {
		return false
	}
	rounds := g.tripCount(l, before)
	if rounds == nil {
		return false
	}
	g.budget -= size
	for _, b := range l.Blocks {
		g.cold[b] = true
	}
	pos := before.Term().Pos
	inside := g.F.NewValue(ssa.OpInside, ssa.TBool, h.Term().Pos, rounds)
	before.Values = before.Values[:len(before.Values)-1]
	before.Append(inside)
	before.Append(g.F.NewValue(ssa.OpBranch, ssa.TVoid, pos, inside))
	c := g.copyBlocks(l.Blocks)
	c.edge(before, before, h)
	before.Succs[0], before.Succs[1] = before.Succs[1], before.Succs[0]
	for _, b := range l.Blocks {
		c.finish(b)
	}
	c.repair()
	g.Forms |= Inside
	return true
}

// near reports whether v is a load or store of lanes that are at or near consecutive addresses, or at one
// address. It returns false for images, whose accesses have no checks if all lanes execute them.
func (g *versions) near(v *ssa.Value) bool {
	t, ok := v.AccessType()
	if !ok {
		return false
	}
	a := g.facts().Address(v.Args[0], false)
	most := int64(4 * t.Size())
	return a.Regular() && !a.Displaced && !g.facts().OfImage(a.Root) && -most <= a.Stride && a.Stride <= most
}

// uniform reports whether v is the same in all lanes, and older than the analysis.
func (g *versions) uniform(v *ssa.Value) bool { return int(v.ID) < len(g.Varying) && !g.Varying[v.ID] }

// maxMoves bounds the depth of moves.
const maxMoves = 12

// moves reports whether a pointer or offset may grow by the same non-zero amount in each iteration of the loop.
func (g *versions) moves(v *ssa.Value, l *ssa.Loop, depth int) bool {
	if depth == 0 || v.Block == nil || !g.Loops.Contains(l, v.Block) {
		return false
	}
	stays := func(v *ssa.Value) bool { return v.Block == nil || !g.Loops.Contains(l, v.Block) }
	switch v.Op {
	case ssa.OpPhi:
		return v.Block == l.Header && g.uniform(v)
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, b := g.moves(v.Args[0], l, depth-1), g.moves(v.Args[1], l, depth-1)
		return (a || stays(v.Args[0])) && (b || stays(v.Args[1])) && (a || b)
	case ssa.OpMul, ssa.OpShl:
		return g.moves(v.Args[0], l, depth-1) && stays(v.Args[1]) || v.Op == ssa.OpMul && g.moves(v.Args[1], l, depth-1) && stays(v.Args[0])
	case ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy, ssa.OpPtrCast:
		return g.moves(v.Args[0], l, depth-1)
	}
	return false
}

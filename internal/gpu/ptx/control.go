package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// control emits blocks and the edges between them: labels, terminators and the moves into phis.
type control struct {
	versions
	chain    *roundChain         // of the loop that is emitted several times, or nil
	shared   map[*ssa.Value]bool // values already emitted for both copies
	clearing bool                // the work-items still have to wait for cleared local memory
}

// emitBlocks emits blocks. next is the block that follows in the text, or nil. defined, which may be nil, is called
// after each value.
func (g *control) emitBlocks(list []*ssa.Block, next *ssa.Block, defined func(v *ssa.Value)) {
	for i, b := range list {
		follows := next
		if i+1 < len(list) {
			follows = list[i+1]
		}
		if g.fast != nil {
			g.mark(g.copyLabel(b))
		} else {
			g.begin(b)
		}
		g.emitValues(b, follows, defined)
	}
}

// emitValues emits the values of a block; follows is the next block in the text, or nil.
func (g *control) emitValues(b, follows *ssa.Block, defined func(v *ssa.Value)) {
	g.facts.enter(b)
	for _, v := range b.Values {
		if v.Op == ssa.OpPhi || g.shared[v] {
			continue
		}
		if g.clearing && needsCleared(g.roots, v) {
			g.emit("bar.sync 0")
			g.clearing = false
		}
		if g.opts.Lines != nil && v.Pos.IsValid() {
			g.lines.at(g.opts.Lines(v.Pos))
		}
		if v.Op.Has(ssa.Terminator) {
			g.terminator(b, v, follows)
			continue
		}
		g.now = v
		g.value(v)
		switch n := len(g.begun); {
		case defined == nil:
		case n > 0 && g.begun[n-1].v == v:
			finish := g.begun[n-1].finish
			g.begun[n-1].finish = func() {
				finish()
				defined(v)
			}
		default:
			defined(v)
		}
	}
}

// target returns the label of a block: inside a loop's fast copy that of the block's copy.
func (g *control) target(b *ssa.Block) string {
	if g.fast != nil && g.fast.loop && g.fast.in[b] {
		return g.copyLabel(b)
	}
	return fmt.Sprint("$B", b.ID)
}

// terminator emits the terminator of a block; next is the next block in the text, or nil.
func (g *control) terminator(b *ssa.Block, v *ssa.Value, next *ssa.Block) {
	g.finishLoads()
	switch v.Op {
	case ssa.OpJump:
		g.follow(b, 0, next)
	case ssa.OpBranch:
		if b.Succs[0] == b.Succs[1] {
			g.follow(b, 0, next)
			return
		}
		if g.chain != nil && b == g.chain.header && g.fast != nil && g.fast.fours != nil {
			in := 0
			if !g.fast.in[b.Succs[0]] {
				in = 1
			}
			g.follow(b, in, next)
			return
		}
		c := g.arg(v, 0, 0)
		g.splitMasks(b, c)
		if to, ok := g.direct(b, 0); ok {
			g.emit("@%s bra %s", c, to)
			g.follow(b, 1, next)
			return
		}
		if to, ok := g.direct(b, 1); ok {
			g.emit("@!%s bra %s", c, to)
			g.follow(b, 0, next)
			return
		}
		other := g.label("E")
		g.emit("@!%s bra %s", c, other)
		g.follow(b, 0, nil)
		g.mark(other)
		g.follow(b, 1, next)
	case ssa.OpSwitch:
		g.cases(b, v)
	case ssa.OpReturn, ssa.OpUnreachable:
		if g.k.Compares {
			g.emit("@%%parted bra %s", g.partedLabel())
		}
		g.emit("exit")
	default:
		g.refuse(v, "it has a %v", v.Op)
	}
}

// cases emits a switch.
func (g *control) cases(b *ssa.Block, v *ssa.Value) {
	k := v.Args[0].Type.K
	x, typ := g.arg(v, 0, 0), intType(k)
	labels := map[*ssa.Block]string{}
	for i, bits := range v.Bits {
		to := b.Succs[i+1]
		at, ok := labels[to]
		if !ok {
			if at, ok = g.direct(b, i+1); !ok {
				at = g.label("E")
			}
			labels[to] = at
		}
		g.emit("@%s bra %s", g.set(pred, "setp.eq."+typ, x, g.constant(k, bits)), at)
	}
	g.follow(b, 0, nil)
	for i := range v.Bits {
		to := b.Succs[i+1]
		if at := labels[to]; at != "" && at != g.edgeTarget(b, i+1) {
			g.mark(at)
			g.follow(b, i+1, nil)
		}
		labels[to] = ""
	}
}

// direct returns the label of an edge's target if the edge needs no code of its own.
func (g *control) direct(b *ssa.Block, i int) (label string, ok bool) {
	to := b.Succs[i]
	if g.back(b, to) || len(to.Phis()) > 0 || g.maskedEdge(b, i) {
		return "", false
	}
	return g.edgeTarget(b, i), true
}

// follow emits an edge: the phis' moves, the counter of a back edge, the jump.
func (g *control) follow(b *ssa.Block, i int, next *ssa.Block) {
	to := b.Succs[i]
	g.passMasks(b, i)
	g.moves(b, to)
	switch x := g.fastLoops[to]; {
	case g.chain != nil && to == g.chain.header && g.back(b, to):
		g.nextRound()
		return
	case g.back(b, to) && (g.fast == nil || !g.fast.loop) && !g.brief(to):
		g.backEdge(g.target(to))
		return
	case x != nil && !g.flow.Loops.Contains(x.Loop, b):
		g.enterFast(x)
	}
	if to != next {
		g.emit("bra %s", g.edgeTarget(b, i))
	}
}

// moves emits the moves into the phis of block to for the edge from b.
func (g *control) moves(b, to *ssa.Block) {
	phis := to.Phis()
	if len(phis) == 0 {
		return
	}
	k := 0
	for to.Preds[k] != b {
		k++
	}
	type move struct {
		c        class
		dst, src string
	}
	var list []move
	dsts := map[string]bool{}
	for _, p := range phis {
		a := p.Args[k]
		for i := range int(p.Type.N) {
			src := ""
			if r := g.roots[p.ID]; r != nil {
				src = g.offset(a)
			} else {
				src = g.elem(a, i)
			}
			if dst := g.vals[p.ID][i]; dst != src {
				list = append(list, move{classOf(p.Type.K), dst, src})
				dsts[dst] = true
			}
		}
	}
	clash := false
	for i, m := range list {
		clash = clash || dsts[m.src] && i > 0
	}
	if clash {
		for i, m := range list {
			if dsts[m.src] {
				list[i].src = g.set(m.c, "mov."+classTypes[m.c], m.src)
			}
		}
	}
	for _, m := range list {
		g.emit("mov.%s %s, %s", classTypes[m.c], m.dst, m.src)
	}
}

// copyLabel returns the label of a block in the copy that is emitted.
func (g *control) copyLabel(b *ssa.Block) string {
	if g.fast.round > 0 {
		return roundLabel(g.fast.round, b)
	}
	return fastLabel(b)
}

// begin emits the label of a block and, if sides meet there, the wait for their work-items.
func (g *control) begin(b *ssa.Block) {
	outside, inside := g.meets(b)
	if outside {
		g.mark(entryLabel(b))
		g.meet()
	}
	g.mark(g.target(b))
	if inside {
		g.meet()
	}
}

// entryLabel returns the label where sides of branches before b meet.
func entryLabel(b *ssa.Block) string { return fmt.Sprint("$M", b.ID) }

// edgeTarget returns the label to which the i-th edge of b leads.
func (g *control) edgeTarget(b *ssa.Block, i int) string {
	to := b.Succs[i]
	if outside, _ := g.meets(to); outside {
		if l := g.flow.Loops.Of(to); l == nil || l.Header != to || !g.flow.Loops.Contains(l, b) {
			return entryLabel(to)
		}
	}
	return g.target(to)
}

// A roundChain tells where back edges to a header lead while its loop is emitted.
type roundChain struct {
	header *ssa.Block
	to     string // the next copy; "": back to the first one, with the count
}

// nextRound emits a back edge of a loop that is emitted several times.
func (g *control) nextRound() {
	if g.chain.to != "" {
		g.emit("bra %s", g.chain.to)
	} else {
		g.backEdge(fmt.Sprint("$B", g.chain.header.ID))
	}
}

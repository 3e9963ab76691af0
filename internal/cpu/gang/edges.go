package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ends of blocks: predicates of edges, the values of phis, and branches.

// terminator builds the terminator of an SSA block.
func (b *builder) terminator(x *ssa.Block) {
	t, m, e := x.Term(), b.mask(x), b.p.Exit(x)
	b.tails[x.ID] = place{b.cur, len(b.cur.Insts)}
	for _, i := range b.latches[x] {
		b.emit(i)
	}
	switch e.Kind {
	case spmd.Returns:
		b.jump(b.done)
	case spmd.Continues:
		b.edge(x, x.Succs[0], m)
		b.zeros(e.Zero)
		b.poll(&e)
		b.jump(b.enter(e.To[0]))
	case spmd.Splits:
		edges := make([]Reg, len(x.Succs))
		for i := range edges {
			edges[i] = b.edgeMask(t, i, m)
		}
		b.zeros(e.Zero)
		for i, s := range x.Succs {
			b.edge(x, s, edges[i])
		}
		b.jump(b.enter(e.To[0]))
	default: // an edge with predicates or phis needs a block of its own
		b.zeros(e.Zero)
		if e.Direct { // but not for the phis of successors with one predecessor
			for _, s := range x.Succs {
				b.moves(x, s, m)
			}
		}
		exits := make([]*Block, len(x.Succs))
		for i := range exits {
			exits[i] = b.newBlock(b.cur.Depth, b.body[x.Succs[i].ID].Cold)
		}
		switch c := t.Args[0]; {
		case c.Op != ssa.OpInside:
			b.branch(t, exits)
		case c.Aux == ssa.InsideLoop:
			b.testLoop(c, exits[0], exits[1])
		default:
			b.vectorised[x.Succs[0]] = c.Aux == ssa.InsideVectorised
			b.testBlock(x, c.Aux, exits[0], exits[1])
		}
		for i, s := range x.Succs {
			b.place(exits[i])
			b.here = b.localVectors(x)
			if !e.Direct {
				b.moves(x, s, m)
			}
			b.pass(x, s, m)
			b.jump(b.enter(e.To[i]))
		}
	}
}

// poll ends the function at the end of an iteration where the launch is to end.
func (b *builder) poll(e *spmd.Exit) {
	switch {
	case !e.Poll:
	case e.Counter != nil && !b.o.Target.LaneByLane:
		b.emit(Inst{Op: OpPoll, Args: b.regs(b.scalar(e.Counter, 0)), Imm: e.PollMask})
	default:
		b.emit(Inst{Op: OpPoll})
	}
}

// branch ends a block with a uniform branch or switch.
func (b *builder) branch(t *ssa.Value, to []*Block) {
	c := t.Args[0]
	if len(to) == 1 {
		b.jump(to[0])
		return
	}
	switch {
	case c.Op == ssa.OpVote && b.votedByBranch(c):
		b.voteBranch(t, to)
		return
	case c.Op == ssa.OpAny && b.testedByBranch(c):
		r, m := b.anyElement(c)
		b.terminate(Inst{Op: OpAny, Args: b.regs(r), Mask: m}, to...)
		return
	}
	if t.Op == ssa.OpSwitch {
		cases := make([]uint64, len(t.Bits))
		for i, x := range t.Bits {
			cases[i] = cut(x, c.Type.K)
		}
		b.terminate(Inst{Op: OpSwitch, Args: b.regs(b.scalar(c, 0)), Cases: cases}, to...)
		return
	}
	if compares(c.Op) && b.uniform(c) && c.Args[0].Type.N == 1 {
		b.terminate(Inst{Op: OpBranch, Each: c.Op, Args: b.regs(b.scalar(c.Args[0], 0), b.scalar(c.Args[1], 0))}, to...)
		return
	}
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpNe, Args: b.regs(b.scalar(c, 0), b.constant(aBool, 0))}, to...)
}

// edge passes the lanes e from x to s: it updates the predicate of s and the values of its phis.
func (b *builder) edge(x, s *ssa.Block, e Reg) {
	b.moves(x, s, e)
	b.pass(x, s, e)
}

// pass updates the predicate of s on the edge from x for the lanes e.
func (b *builder) pass(x, s *ssa.Block, e Reg) {
	m := b.masks[s.ID]
	if m == 0 {
		return
	}
	if e == 0 {
		e = b.constant(predicate, 1)
	}
	if b.p.Plain(x, s) {
		b.emit(Inst{Op: OpCopy, Dst: m, Args: b.regs(e)})
	} else {
		b.emit(Inst{Op: OpEach, Each: ssa.OpOr, Dst: m, Args: b.regs(m, e)})
	}
}

func (b *builder) zeros(list []*ssa.Block) {
	for _, s := range list {
		b.emit(Inst{Op: OpConst, Dst: b.masks[s.ID]})
	}
}

// and returns the lanes of m that are in k; a mask of 0 means all lanes.
func (b *builder) and(k, m Reg) Reg {
	if m == 0 {
		return k
	}
	return b.each(ssa.OpAnd, predicate, 0, k, m)
}

// edgeMask returns the lanes that take successor i of a divergent branch.
func (b *builder) edgeMask(t *ssa.Value, i int, m Reg) Reg {
	x := b.vector(t.Args[0], 0)
	if t.Op == ssa.OpBranch {
		if i > 0 {
			x = b.each(ssa.OpNot, predicate, 0, x)
		}
		return b.and(x, m)
	}
	k := t.Args[0].Type.K
	equal := func(bits uint64) Reg {
		return b.each(ssa.OpEq, predicate, 0, x, b.constant(vectorOf(k), bits))
	}
	if i > 0 {
		return b.and(equal(t.Bits[i-1]), m)
	}
	rest := m
	for _, bits := range t.Bits {
		rest = b.and(b.each(ssa.OpNot, predicate, 0, equal(bits)), rest)
	}
	if rest == 0 {
		rest = b.constant(predicate, 1)
	}
	return rest
}

// moves gives the phis of s their values on the edge from x, for the lanes e.
func (b *builder) moves(x, s *ssa.Block, e Reg) {
	phis := s.Phis()
	if len(phis) == 0 {
		return
	}
	at := slices.Index(s.Preds, x)
	plain := b.p.Plain(x, s) || e == 0
	type move struct {
		dst, src Reg
		scalar   bool
	}
	var list []move
	target := map[Reg]bool{}
	for _, v := range phis {
		b.phi(v)
		a, y := v.Args[at], &b.vals[v.ID]
		add := func(m move) {
			if m.dst != m.src {
				list = append(list, m)
				target[m.dst] = true
			}
		}
		if y.phi {
			add(move{dst: y.whole, src: b.wholeOf(a)})
			continue
		}
		for c := range int(v.Type.N) {
			scalar := !y.varies || y.affine
			src := b.element(a, c, scalar)
			add(move{b.element(v, c, scalar), src, scalar})
		}
	}
	// The moves are parallel: all sources must be read before a phi is written.
	for k := range list {
		if m := &list[k]; target[m.src] {
			m.src = b.inst(Inst{Op: OpCopy, Args: b.regs(m.src)}, b.f.Type(m.src))
		}
	}
	for _, m := range list {
		if m.scalar || plain {
			b.emit(Inst{Op: OpCopy, Dst: m.dst, Args: b.regs(m.src)})
		} else {
			b.emit(Inst{Op: OpEach, Each: ssa.OpSelect, Dst: m.dst, Args: b.regs(e, m.src, m.dst)})
		}
	}
}

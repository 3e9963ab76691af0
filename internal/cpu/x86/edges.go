package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Ends of blocks: tests, masks of edges, assignments to phis, and jumps.

// terminator ends a block: it sets the masks and phis of the successors, and selects the jumps.
func (l *lowerer) terminator(b *ssa.Block) {
	t, m, x := b.Term(), l.mask(b), l.plan.Exit(b)
	switch x.Kind {
	case spmd.Returns:
		l.jump(l.done)
	case spmd.Continues:
		l.edge(b, b.Succs[0], m)
		l.zeros(x.Zero)
		switch {
		case x.Poll && x.Counter != nil:
			l.pollRarely(l.G(x.Counter, 0), x.PollMask)
		case x.Poll:
			l.poll()
		}
		l.jump(l.enter(x.To[0]))
	case spmd.Splits:
		l.zeros(x.Zero)
		for i, s := range b.Succs {
			l.edge(b, s, l.edgeMask(b, t, i, m))
		}
		l.jump(l.enter(x.To[0]))
	default:
		l.zeros(x.Zero)
		if x.Direct {
			l.branchDirectly(b, m)
			return
		}
		targets := make([]*mblock, len(b.Succs))
		l.branch(b, t, func(i int) *mblock {
			if targets[i] == nil {
				targets[i] = l.newBlock(l.body[b.ID].depth)
			}
			return targets[i]
		})
		for i, s := range b.Succs {
			if targets[i] == nil {
				continue
			}
			l.cur = nil
			l.place(targets[i])
			l.edge(b, s, m)
			l.jump(l.enter(x.To[i]))
		}
	}
}

// branchDirectly ends a block with a uniform branch to its successors. Both edges may assign the phis of a
// successor with one predecessor before the branch.
func (l *lowerer) branchDirectly(b *ssa.Block, m mask) {
	for _, s := range b.Succs {
		l.moves(b, s, m)
	}
	l.branch(b, b.Term(), func(i int) *mblock {
		s := b.Succs[i]
		if l.plan.Class[s.ID] != s {
			return l.body[s.ID]
		}
		e := l.newBlock(l.cur.depth)
		saved := l.cur
		l.cur = nil
		l.place(e)
		l.setMask(b, s, m)
		l.jump(l.body[s.ID])
		l.cur = saved
		return e
	})
}

// edge selects the edge from b to s for the lanes e: the mask of s and its phis.
func (l *lowerer) edge(b, s *ssa.Block, e mask) {
	l.moves(b, s, e)
	l.setMask(b, s, e)
}

func (l *lowerer) setMask(b, s *ssa.Block, e mask) {
	m := l.blockMasks[s.ID]
	if m == nil {
		return
	}
	if e == nil {
		e = l.allMask()
	}
	if l.plan.Plain(b, s) {
		l.copyMask(m, e)
		return
	}
	l.orMask(m, e)
}

func (l *lowerer) zeros(list []*ssa.Block) {
	for _, s := range list {
		l.zeroMask(l.blockMasks[s.ID])
	}
}

// A move copies a value to the registers of a phi.
type move struct {
	home     class
	dst, src []reg
	size     int // bytes per element of a vector
}

// moves assigns s's phis on the edge from b, for the lanes e. It reads all old values before it writes a phi.
// Values that only rearrange elements share registers.
func (l *lowerer) moves(b, s *ssa.Block, e mask) {
	phis := s.Phis()
	if len(phis) == 0 {
		return
	}
	at := slices.Index(s.Preds, b)
	if l.plan.Plain(b, s) {
		e = nil
	}
	target := map[reg]bool{}
	for _, v := range phis {
		if l.phi(v); l.real(v) == v {
			l.vals[v.ID].eachPart(func(_ int, dst []reg) {
				for _, r := range dst {
					target[r] = true
				}
			})
		}
	}
	var list []move
	for _, v := range phis {
		a, x := v.Args[at], &l.vals[v.ID]
		if a == v || l.real(v) != v {
			continue
		}
		x.eachPart(func(c int, dst []reg) {
			m := move{home: x.home, dst: dst, size: size(v.Type.K)}
			switch x.home {
			case cG:
				m.src = []reg{l.G(a, c)}
			case cK:
				m.src = l.K(a, c)
			default:
				m.src = l.V(a, c)
			}
			if m.src[0] != dst[0] && slices.ContainsFunc(m.src, func(r reg) bool { return target[r] }) {
				m.src = l.eachPart(m.src, func(r reg) reg {
					t := l.newReg(l.regs.Class(r))
					l.move(x.home, t, r)
					return t
				})
			}
			list = append(list, m)
		})
	}
	for _, m := range list {
		switch {
		case e != nil && m.home == cK:
			l.mergeMask(m.dst, m.src, e)
		case e != nil && m.home == cV && !vec(m.dst).shared():
			l.blendTo(m.dst, m.src, e, m.size)
		default:
			for i, d := range m.dst {
				if i == 0 || d != m.dst[i-1] {
					l.move(m.home, d, m.src[i])
				}
			}
		}
	}
}

// move copies a register to a register of a phi.
func (l *masks) move(home class, d, a reg) {
	switch home {
	case cG:
		l.mov(d, a)
	case cK:
		l.copyMaskReg(d, a)
	default:
		l.vmov(d, a)
	}
}

// eachPart calls f with the registers of each component of a phi.
func (x *value) eachPart(f func(c int, dst []reg)) {
	switch {
	case x.flat:
		f(memoryOrder, x.f)
	case x.home == cG:
		for c := range x.g {
			f(c, x.g[c:c+1])
		}
	case x.home == cK:
		for c, m := range x.k {
			f(c, m)
		}
	default:
		for c, p := range x.v {
			f(c, p)
		}
	}
}

// branch ends a block with a uniform branch or switch; to(i) returns the code of successor i.
func (l *lowerer) branch(b *ssa.Block, t *ssa.Value, to func(int) *mblock) {
	if t.Op == ssa.OpSwitch {
		x := t.Args[0]
		if x.Op == ssa.OpVote {
			l.vote(b, t, to)
			return
		}
		k := size(x.Type.K)
		w := asm.Width(max(k, 4))
		g := l.G(x, 0)
		for i, bits := range t.Bits {
			if int64(int32(bits)) == int64(bits) && (w == 4 || int64(bits) >= 0) || w == 4 {
				l.cmpi(w, g, int64(int32(bits)))
			} else {
				l.movi(rAX, bits)
				l.cmp(w, g, rAX)
			}
			l.jcc(asm.JE, to(i+1))
		}
		l.jump(to(0))
		return
	}
	c := t.Args[0]
	if c.Op == ssa.OpInside && c.Aux != ssa.InsideLoop {
		yes, no := to(0), to(1)
		l.testRows(b, b.Succs[0], no, c.Aux)
		l.testInside(b, no)
		if c.Aux >= ssa.InsideApart {
			l.vectorised[b.Succs[0]] = c.Aux == ssa.InsideVectorised
			l.testApart(b, b.Succs[0], no)
		}
		l.jump(yes)
		return
	}
	op := asm.JNE
	if j, ok := l.flags(c); ok {
		op = j
	} else {
		l.emit(inst{op: asm.TEST, w: 4, fl: fUseReg, reg: l.G(c, 0), rm: l.G(c, 0)})
	}
	yes, no := to(0), to(1)
	// The successor that follows in the layout comes last, so that control falls through. Rare blocks are
	// elsewhere.
	if p := l.plan.Pos[b.ID] + 1; int(p) < len(l.plan.Order) {
		if next := l.plan.Order[p]; yes == l.body[next.ID] && (l.plan.Rare(b) || !l.plan.Rare(next)) {
			op, yes, no = inverse[op], no, yes
		}
	}
	l.jcc(op, yes)
	l.jump(no)
}

// flags sets the flags for a uniform comparison and returns the jump that is taken if it holds.
func (l *lowerer) flags(c *ssa.Value) (asm.Op, bool) {
	switch c.Op {
	case ssa.OpAny:
		if l.branchesBy(c) {
			l.testAny(c)
			return asm.JNE, true
		}
		return 0, false
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
	default:
		return 0, false
	}
	a, b := c.Args[0], c.Args[1]
	if c.Type.N != 1 || l.plan.Varying[c.ID] || !inGeneral(a.Type.K) {
		return 0, false
	}
	return l.compare(c.Op, a, b, 0), true
}

// smallConst returns element c of a constant if it fits an immediate of its type's size.
func smallConst(v *ssa.Value, c int) (int64, bool) {
	if v.Op != ssa.OpConst {
		return 0, false
	}
	x := v.ConstElem(c)
	if v.Type.K.Num().Size() == 8 {
		return int64(x), int64(x) == int64(int32(x))
	}
	return int64(int32(x)), true
}

// edgeMask returns the mask of the lanes that take edge i of a divergent branch.
func (l *lowerer) edgeMask(b *ssa.Block, t *ssa.Value, i int, m mask) mask {
	if t.Op == ssa.OpBranch {
		k := l.K(t.Args[0], 0)
		if i == 0 {
			return l.andMask(k, m)
		}
		return l.andNotMask(k, m)
	}
	x := t.Args[0]
	sz := size(x.Type.K)
	a := l.V(x, 0)
	equal := func(bits uint64) mask {
		return l.cmpInt(predEQ, sz, false, a, l.constV(sz, bits))
	}
	if i > 0 {
		k := equal(t.Bits[i-1])
		// Each value of a switch occurs only once.
		return l.andMask(k, m)
	}
	rest := m
	if rest == nil {
		rest = l.allMask()
	}
	for _, bits := range t.Bits {
		rest = l.andNotMask(equal(bits), rest)
	}
	return rest
}

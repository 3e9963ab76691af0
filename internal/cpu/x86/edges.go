package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The ends of blocks: tests, the masks of edges, what phis get on them, and where control
// goes on.

// terminator ends a block: masks and phis of the successors, then control.
func (l *lowerer) terminator(b *ssa.Block) {
	t, m, x := b.Term(), l.mask(b), l.plan.Exit(b)
	switch x.Kind {
	case spmd.Returns:
		l.jump(l.done)
	case spmd.Continues:
		l.edge(b, b.Succs[0], m)
		l.zeros(x.Zero)
		if x.Poll {
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

// branchDirectly ends a block with a uniform branch straight to its successors. Phis of successors with one
// predecessor may be set on both ways.
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

// edge passes control's lanes e from b to s: their mask and the phis' values.
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

// moves gives s's phis their values along the edge from b, for the lanes e. Phis' registers must be read before any
// is written; values that only rearrange elements share them.
func (l *lowerer) moves(b, s *ssa.Block, e mask) {
	phis := s.Phis()
	if len(phis) == 0 {
		return
	}
	at := slices.Index(s.Preds, b)
	if l.plan.Plain(b, s) {
		e = nil
	}
	t := l.targets(phis)
	var later []func()
	for _, v := range phis {
		a, x := v.Args[at], &l.vals[v.ID]
		if a == v || l.real(v) != v {
			continue
		}
		if x.flat {
			later = append(later, l.moveVectors(x.f, l.V(a, memoryOrder), e, size(v.Type.K), t))
			continue
		}
		for c := range int(v.Type.N) {
			switch x.home {
			case cG:
				later = append(later, l.moveGeneral(x.g[c], l.G(a, c), t))
			case cK:
				later = append(later, l.moveMask(x.k[c], l.K(a, c), e, t))
			default:
				later = append(later, l.moveVectors(x.v[c], l.V(a, c), e, size(v.Type.K), t))
			}
		}
	}
	for _, f := range later {
		f()
	}
}

// targets returns the registers of phis.
func (l *lowerer) targets(phis []*ssa.Value) map[reg]bool {
	t := map[reg]bool{}
	for _, v := range phis {
		l.phi(v)
		x := &l.vals[v.ID]
		if l.real(v) != v {
			continue
		}
		switch x.home {
		case cG:
			for _, r := range x.g {
				t[r] = true
			}
		case cK:
			for _, m := range x.k {
				t[m[0]] = true
			}
		default:
			for _, p := range x.moved() {
				for _, r := range p {
					t[r] = true
				}
			}
		}
	}
	return t
}

// moveGeneral reads src, which may be a target, and returns what writes it to d.
func (l *lowerer) moveGeneral(d, src reg, target map[reg]bool) func() {
	if target[src] && src != d {
		t := l.g()
		l.mov(t, src)
		src = t
	}
	return func() { l.mov(d, src) }
}

// moveMask is moveGeneral for a mask, of which only the lanes e are written.
func (l *lowerer) moveMask(d, src, e mask, target map[reg]bool) func() {
	if target[src[0]] && src[0] != d[0] {
		t := l.newMask()
		l.copyMask(t, src)
		src = t
	}
	return func() {
		if e == nil {
			l.copyMask(d, src)
		} else {
			l.mergeMask(d, src, e)
		}
	}
}

// moveVectors is moveMask for elements of es bytes.
func (l *lowerer) moveVectors(d, src vec, e mask, es int, target map[reg]bool) func() {
	if hits(target, src) && src[0] != d[0] {
		src = l.eachPart(src, func(x reg) reg {
			t := l.vr()
			l.vmov(t, x)
			return t
		})
	}
	return func() {
		if e != nil && !d.shared() {
			l.blendTo(d, src, e, es)
			return
		}
		for i := range d {
			if i == 0 || d[i] != d[i-1] {
				l.vmov(d[i], src[i])
			}
		}
	}
}

// moved returns the vectors that edges set a phi's value in.
func (x *value) moved() []vec {
	if x.flat {
		return []vec{x.f}
	}
	return x.v
}

func hits(target map[reg]bool, p vec) bool {
	for _, r := range p {
		if target[r] {
			return true
		}
	}
	return false
}

// branch ends a block with a uniform branch or switch; to(i) is where successor i is.
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
			l.abreast[b.Succs[0]] = c.Aux == ssa.InsideAbreast
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
	// The branch that falls through comes last; what is rare stands elsewhere.
	if p := l.plan.Pos[b.ID] + 1; int(p) < len(l.plan.Order) {
		if next := l.plan.Order[p]; yes == l.body[next.ID] && (l.plan.Rare(b) || !l.plan.Rare(next)) {
			op, yes, no = inverse[op], no, yes
		}
	}
	l.jcc(op, yes)
	l.jump(no)
}

// flags sets the flags by a uniform comparison and returns the jump for "true".
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

// smallConst returns element c of a constant that fits an immediate of the operand's
// size.
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

// edgeMask returns the lanes that take successor i of a divergent branch.
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
		// A value stands once only.
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

// Constants.

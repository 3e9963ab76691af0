package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// values maps SSA values to registers. It computes a register on first use.
type values struct {
	*arithmetic
	plan       *spmd.Plan
	facts      *lanes.Facts
	out        *Code
	vals       []value
	uses       []int32
	split      []bool              // by value: its elements are used separately (findSplit)
	vectorised map[*ssa.Block]bool // blocks whose vectors hold iterations of a loop (package spmd, vectorise.go)
	block      *ssa.Block          // the block under selection
	body       []*mblock           // by SSA block
	blockMasks []mask              // by SSA block
	gang       mask                // the active lanes of a partial gang, else nil
	here       map[elementOf]vec   // vectors computed in the current block, valid only there
	stubs      []*stub

	reciprocals map[*ssa.Value]reciprocal // by divisor that is uniform over the gang
}

// exact returns the vectors of an integer or pointer, computed at the current position. It recomputes affine
// values whose sums may wrap lane by lane, and adds no code to hot blocks.
func (l *values) exact(v *ssa.Value, memo map[*ssa.Value]vec) vec {
	v = l.real(v)
	if p, ok := memo[v]; ok {
		return p
	}
	x, f := &l.vals[v.ID], l.facts.Of(v)
	sz := size(v.Type.K)
	var p vec
	switch {
	case v.IsConst():
		p = l.constV(sz, v.ConstElem(0))
	case !l.plan.Varying[v.ID]:
		p = l.broadcast(sz, l.scalarHere(v, nil, map[*ssa.Value]reg{}))
	case x.v != nil && x.v[0] != nil:
		p = x.v[0]
	case v.Op == ssa.OpPtrCast && !lanes.FromGeneric(v):
		p = l.exact(v.Args[0], memo)
	case v.Op == ssa.OpPtrAdd:
		p = l.ptrAdd(l.exact(v.Args[0], memo), l.exact(v.Args[1], memo))
	case f.Shape == lanes.Affine && !f.Exact(), x.lazy && l.cur.cold:
		saved := make([][]vec, len(v.Args))
		for i, a := range v.Args {
			q := l.exact(a, memo)
			y := &l.vals[l.real(a).ID]
			saved[i], y.v = y.v, []vec{q}
		}
		p = l.vectorOp(v, 0)
		for i := len(v.Args) - 1; i >= 0; i-- {
			l.vals[l.real(v.Args[i]).ID].v = saved[i]
		}
	case f.Shape == lanes.Affine:
		p = l.addSteps(v, l.broadcast(sz, l.scalarHere(v, nil, map[*ssa.Value]reg{})), l.ramp(sz, f.Stride))
	default:
		p = l.V(v, 0)
	}
	memo[v] = p
	return p
}

// scalarHere computes, at the current position, a uniform value or the first lane of an affine value. It repeats
// simple arithmetic and uses the registers of other values. If entry is not nil, the phis of its header have their
// initial values.
func (l *values) scalarHere(v *ssa.Value, entry *loop, memo map[*ssa.Value]reg) reg {
	v = l.real(v)
	if r, ok := memo[v]; ok {
		return r
	}
	var r reg
	switch {
	case l.known(v):
		r = l.G(v, 0)
	case entry != nil && v.Op == ssa.OpPhi && v.Block == entry.Header:
		r = l.G(v.Args[entry.In], 0)
	case entry != nil && entry.Invariant(v) || !l.repeatable(v):
		r = l.G(v, 0)
	default:
		saved := make([]reg, len(v.Args))
		for i, a := range v.Args {
			if a.IsConst() {
				continue
			}
			q := l.scalarHere(a, entry, memo)
			y := &l.vals[l.real(a).ID]
			if y.g == nil {
				y.g = make([]reg, 1)
			}
			saved[i], y.g[0] = y.g[0], q
		}
		r = l.scalarOp(v, 0)
		for i := len(v.Args) - 1; i >= 0; i-- {
			if a := v.Args[i]; !a.IsConst() {
				l.vals[l.real(a).ID].g[0] = saved[i]
			}
		}
	}
	memo[v] = r
	return r
}

// repeatable reports whether v is scalar arithmetic that is cheap to repeat.
func (l *values) repeatable(v *ssa.Value) bool {
	if v.Type.N != 1 || !inGeneral(v.Type.K) || v.Type.K == ssa.Bool {
		return false
	}
	if l.facts.Of(v).Shape == lanes.Varying {
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpConvert:
		for _, a := range v.Args {
			if !inGeneral(a.Type.K) || a.Type.N != 1 {
				return false
			}
		}
		return generalOp(v)
	}
	return false
}

// real returns the value of which v is a copy.
func (l *values) real(v *ssa.Value) *ssa.Value { return l.facts.Source(v) }

// compare sets the flags for "a op b" of element c, and returns the jump that is taken if it holds.
func (l *values) compare(op ssa.Op, a, b *ssa.Value, c int) asm.Op {
	k := a.Type.K.Num()
	s := k.Size()
	w := asm.Width(max(s, 4))
	x := l.G(a, c)
	if imm, ok := smallConst(b, c); ok && !(k.Signed() && s < 4) {
		l.cmpi(w, x, imm)
	} else {
		y := l.G(b, c)
		if k.Signed() && s < 4 {
			op := asm.MOVSX8
			if s == 2 {
				op = asm.MOVSX16
			}
			l.emit(inst{op: op, w: 4, fl: fDefReg, reg: rAX, rm: x})
			l.emit(inst{op: op, w: 4, fl: fDefReg, reg: rCX, rm: y})
			x, y = rAX, rCX
		}
		l.cmp(w, x, y)
	}
	switch op {
	case ssa.OpEq:
		return asm.JE
	case ssa.OpNe:
		return asm.JNE
	}
	return jumpOf(op, false, k.Signed())
}

// anchored calls f to insert code right after v's definition, so that its result is available in all blocks that v
// dominates.
func (l *values) anchored(v *ssa.Value, f func()) {
	x := &l.vals[v.ID]
	blk, at := x.block, x.at
	if blk == nil || v.Op == ssa.OpConst || v.Op == ssa.OpParam || v.Op == ssa.OpGlobalAddr {
		blk, at = l.pre, -1
	}
	l.insertAt(blk, at, f)
}

// mask returns the mask of the lanes that execute b, nil for all.
func (l *values) mask(b *ssa.Block) mask {
	if c := l.plan.Class[b.ID]; c != nil {
		return l.blockMasks[c.ID]
	}
	return l.gang
}

// allMask returns the mask of the lanes that have a work-item.
func (l *values) allMask() mask {
	if l.gang != nil {
		return l.gang
	}
	if !l.lv.MaskRegs {
		return l.same(l.constV(4, 0xFFFFFFFF)[0])
	}
	return l.same(l.inPrologue(constKey{kind: keyAll}, func() reg {
		d := l.kr()
		l.emit(inst{op: asm.KXNORW, w: 8, fl: fDefReg, reg: d, v: fixed(asm.K(1)), rm: fixed(asm.K(1))})
		return l.rematerialise(d)
	}))
}

// leaveRows ends the code of a gang of several rows. The launch executes the gang again, row by row.
func (l *values) leaveRows() { l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sLeave})}) }

// stub returns the number of an equal stub, after adding it if there is none.
func (l *values) stub(s stub) int64 {
	for i, t := range l.stubs {
		if s.label = t.label; *t == s {
			return int64(i)
		}
	}
	l.stubs = append(l.stubs, &s)
	return int64(len(l.stubs) - 1)
}

func (l *values) elements(v *ssa.Value) []vec {
	ps := make([]vec, v.Type.N)
	for c := range ps {
		ps[c] = l.V(v, c)
	}
	return ps
}

// nonNegative reports whether v is a conversion from an integer that is at least 0, so that it is neither negative
// nor a NaN.
func (l *values) nonNegative(v *ssa.Value) bool {
	if v.Op != ssa.OpConvert {
		return false
	}
	a := v.Args[0]
	return a.Type.K == ssa.Bool || lanes.IsInt(a.Type.K) && (!a.Type.K.Num().Signed() || l.facts.Of(a).Bounded && l.facts.Of(a).Lo >= 0)
}

// valueBits returns the number of low bits of an integer that may be set.
func (l *values) valueBits(v *ssa.Value) int {
	if x := l.facts.Of(v); x.Bounded && x.Lo >= 0 {
		return bits.Len64(uint64(x.Hi))
	}
	return 8 * size(v.Type.K)
}

// K returns the mask of element c of a Bool: one bit per lane.
func (l *values) K(v *ssa.Value, c int) mask {
	v = l.real(v)
	x := &l.vals[v.ID]
	if c == memoryOrder {
		return x.fk
	}
	if x.k == nil {
		x.k = make([]mask, v.Type.N)
	}
	if x.k[c] != nil {
		return x.k[c]
	}
	if x.fk != nil {
		l.anchored(v, func() { l.within(l.opts.Lanes, func() { copy(x.k, l.componentMasks(x.fk, int(v.Type.N))) }) })
		return x.k[c]
	}
	if x.lazy && l.plan.Varying[v.ID] {
		l.anchored(v, func() { x.k[c] = l.boolOp(v, c) })
		return x.k[c]
	}
	g := l.G(v, c)
	l.anchored(v, func() {
		t := l.g()
		l.mov(t, g)
		l.emit(inst{op: asm.NEG, w: 4, fl: fDefRM | fUseReg, rm: t})
		if l.lv.MaskRegs {
			x.k[c] = l.same(l.bitsMask(t))
		} else {
			x.k[c] = l.same(l.broadcast(4, t)[0])
		}
	})
	return x.k[c]
}

// G returns the general register with element c of a uniform value, or with the first lane of an affine one.
func (l *values) G(v *ssa.Value, c int) reg {
	v = l.real(v)
	x := &l.vals[v.ID]
	if x.g == nil {
		x.g = make([]reg, v.Type.N)
	}
	if x.g[c] != 0 {
		return x.g[c]
	}
	if l.known(v) {
		x.g[c] = l.generalConst(l.knownBits(v))
		return x.g[c]
	}
	if v.Op == ssa.OpConst {
		bits := v.ConstElem(c)
		x.g[c] = l.inPrologue(constKey{kind: keyGeneral, bits: bits}, func() reg {
			d := l.g()
			l.movi(d, bits)
			return l.rematerialise(d)
		})
		return x.g[c]
	}
	if x.lazy {
		l.anchored(v, func() { x.g[c] = l.scalarOp(v, c) })
		return x.g[c]
	}
	if v.Type.K == ssa.Bool {
		k := x.k[c]
		l.anchored(v, func() {
			d := l.g()
			l.granuleBits(rAX, k[0])
			l.mov(d, rAX)
			l.opi(asm.ANDIMM, 4, d, 1)
			x.g[c] = d
		})
		return x.g[c]
	}
	// The value is in vector registers only.
	if x.v == nil {
		l.V(v, c)
	}
	p := x.v[c]
	l.anchored(v, func() {
		d := l.g()
		op, w := asm.VMOVDST, asm.Width(16)
		if size(v.Type.K) == 8 {
			op = asm.VMOVQST
		}
		l.emit(inst{op: op, w: w, fl: fDefRM, rm: d, reg: p[0]})
		l.normal(d, size(v.Type.K))
		x.g[c] = d
	})
	return x.g[c]
}

// V returns the vector registers with element c of all lanes.
func (l *values) V(v *ssa.Value, c int) vec {
	v = l.real(v)
	if c == memoryOrder {
		return l.F(v)
	}
	x := &l.vals[v.ID]
	if x.v == nil {
		x.v = make([]vec, v.Type.N)
		if x.f != nil {
			l.anchored(v, func() {
				l.within(l.opts.Lanes, func() { copy(x.v, l.components(x.f, size(v.Type.K), int(v.Type.N))) })
			})
		}
	}
	if x.v[c] != nil {
		return x.v[c]
	}
	sz := size(v.Type.K)
	if l.rarely(v) {
		return l.vectorHere(v, c)
	}
	f := l.facts.Of(v)
	switch {
	case v.Op == ssa.OpConst:
		x.v[c] = l.constV(sz, v.ConstElem(c))
	case l.known(v):
		x.v[c] = l.knownV(v)
	case v.Type.K == ssa.Bool:
		// A Bool has a vector only where it is stored or used as a number.
		k := l.K(v, c)
		l.anchored(v, func() { x.v[c] = l.keep(k, l.constV(1, 1), 1) })
	case f.Shape == lanes.Affine && !f.Exact(), x.lazy && f.Shape == lanes.Varying:
		l.anchored(v, func() { x.v[c] = l.vectorOp(v, c) })
	case f.Shape == lanes.Affine:
		g := l.G(v, c)
		ramp := l.ramp(sz, f.Stride)
		l.anchored(v, func() { x.v[c] = l.addSteps(v, l.broadcast(sz, g), ramp) })
	default:
		g := l.G(v, c)
		l.anchored(v, func() { x.v[c] = l.broadcast(sz, g) })
	}
	return x.v[c]
}

// rarely reports whether the current block is rare and v is not, so that a vector of v belongs into the current
// block.
func (l *values) rarely(v *ssa.Value) bool {
	if l.block == nil || !l.plan.Rare(l.block) || v.Op == ssa.OpConst || v.Type.K == ssa.Bool || v.Block == nil || l.plan.Rare(v.Block) {
		return false
	}
	return l.facts.Of(v).Shape != lanes.Varying
}

// vectorHere computes the vectors of element c of a uniform or affine value in the current block.
func (l *values) vectorHere(v *ssa.Value, c int) vec {
	// A vector computed at the start of the block is valid in the whole block. Code that is inserted before the
	// block cannot use it.
	key := elementOf{v, c}
	placed := l.cur.id < len(l.blocks) && l.blocks[l.cur.id] == l.cur
	if p := l.here[key]; p != nil && placed {
		return p
	}
	x := l.facts.Of(v)
	sz := size(v.Type.K)
	var p vec
	switch {
	case x.Shape == lanes.Affine && !x.Exact():
		p = l.vectorOp(v, c)
	case x.Shape == lanes.Affine:
		p = l.addSteps(v, l.broadcast(sz, l.G(v, c)), l.ramp(sz, x.Stride))
	default:
		p = l.broadcast(sz, l.G(v, c))
	}
	if l.cur == l.body[l.block.ID] {
		l.here[key] = p
	}
	return p
}

// widened returns a uniform integer, or the first lane of an affine one, extended to 64 bits.
func (l *values) widened(v *ssa.Value) reg {
	g := l.G(v, 0)
	if size(v.Type.K) == 8 || !v.Type.K.Num().Signed() || l.facts.Of(v).NonNeg31() {
		return g
	}
	d := l.g()
	l.emit(inst{op: asm.MOVSXD, w: 8, fl: fDefReg, reg: d, rm: g})
	return d
}

// branchesBy reports whether the branch at the end of the block is the only user of an OpAny. The branch then
// tests without a register.
func (l *values) branchesBy(v *ssa.Value) bool {
	t := v.Block.Term()
	return t.Op == ssa.OpBranch && t.Args[0] == v && l.uses[v.ID] == 1
}

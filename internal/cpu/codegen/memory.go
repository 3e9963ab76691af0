package codegen

import (
	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// stub returns the number of a stub.
func (l *lowerer) stub(s stub) int64 {
	for i, t := range l.stubs {
		if s.label = t.label; *t == s {
			return int64(i)
		}
	}
	l.stubs = append(l.stubs, &s)
	return int64(len(l.stubs) - 1)
}

// call goes through the lanes of mask m with a stub; their pointers are those of ptr.
func (l *lowerer) call(v, ptr *ssa.Value, m mask, s stub) {
	l.asGang(v, func() {
		l.pointers(ptr)
		n := l.n
		for s.from = 0; s.from < n; s.from += mostMasked {
			l.within(min(n-s.from, mostMasked), func() {
				part := m
				if m != nil {
					part = m[s.from/l.lv.Lanes:][:l.granules()]
				}
				l.maskBits(part)
			})
			l.movi(rDX, uint64(l.access(v)))
			l.emit(inst{kind: kCall, imm: l.stub(s)})
		}
	})
}

// pointers puts the lanes' pointers where stubs find them. Where that is rarely needed a
// stub does it, because code takes time to make.
func (l *lowerer) pointers(p *ssa.Value) {
	p = l.real(p)
	if l.cur.cold && l.plan.Varying[p.ID] && p.Op == ssa.OpPtrAdd && !l.plan.Varying[l.real(p.Args[0]).ID] {
		off := l.real(p.Args[1])
		if x := &l.vals[off.ID]; x.sure() {
			set := func(d reg, v *ssa.Value) {
				l.emit(inst{op: asm.MOVL, w: 8, fl: fDefReg, reg: d, rm: l.scalarHere(v, nil, map[*ssa.Value]reg{})})
			}
			set(rDX, off)
			set(rAX, p.Args[0])
			l.movi(rCX, uint64(x.stride))
			l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sSpread, size: l.n})})
			return
		}
	}
	l.storeParts(ctxAt(CtxPtrs), l.exact(p, map[*ssa.Value]vec{}), 8)
}

// access returns the number of v among the accesses.
func (l *lowerer) access(v *ssa.Value) int {
	v = l.plan.Origin(v)
	i, ok := l.ordinal[v]
	if !ok {
		i = len(l.out.Accesses)
		if i == MaxAccesses {
			refuse("too many accesses")
		}
		l.out.Accesses = append(l.out.Accesses, v)
		l.ordinal[v] = i
	}
	return l.opts.First + i*l.opts.Step
}

// apart emits code in a cold block, which is entered where cond jumps and joins the code
// that follows at the block returned.
func (l *lowerer) apart(cond asm.Op, f func()) (join *mblock) {
	cold := l.newBlock(l.cur.depth)
	cold.cold = true
	join = l.newBlock(l.cur.depth)
	join.cold = l.cur.cold
	l.jcc(cond, cold)
	saved := l.cur
	l.cur = nil
	l.place(cold)
	f()
	l.jump(join)
	l.cur = saved
	return join
}

func (l *lowerer) load(v *ssa.Value) {
	if l.privateLoad(v) {
		return
	}
	t := v.Type
	es, n := size(t.K), int(t.N)
	total := t.Size()
	step := total
	if n == 3 {
		step = 4 * es
	}
	a := l.address(v.Args[0])
	m := l.mask(l.block)
	x := &l.vals[v.ID]
	if l.loadedBefore(v, &a, step) {
		return
	}
	slow := stub{kind: sLoad, size: total, step: step}
	if l.plan.Varying[v.ID] && t.K != ssa.Bool && l.loadStrided(v, &a, m, slow) {
		return
	}
	uniform := a.root >= 0 && a.even && a.stride == 0
	switch {
	case uniform:
		l.note(v, &a, Uniform)
		general := !l.plan.Varying[v.ID] && inGeneral(t.K)
		var d []reg
		for range n {
			if general {
				d = append(d, l.g())
			} else {
				d = append(d, l.vr())
			}
		}
		q, join := l.check(&a, total, false, func() {
			l.call(v, v.Args[0], m, slow)
			l.loadUniform(d, general, es, l.firstLane(m, slow))
		})
		l.loadUniform(d, general, es, q)
		l.place(join)
		l.setUniform(v, d, general, es)
		return
	case !l.plan.Varying[v.ID]:
		// One address for all lanes, in an object that is not known: the first lane's
		// access stands for all.
		l.note(v, &a, LaneByLane)
		l.call(v, v.Args[0], m, slow)
		first := l.firstLane(m, slow)
		general := inGeneral(t.K)
		var d []reg
		for range n {
			if general {
				d = append(d, l.g())
			} else {
				d = append(d, l.vr())
			}
		}
		l.loadUniform(d, general, es, first)
		l.setUniform(v, d, general, es)
		return
	case a.root >= 0 && a.regular() && a.stride == int64(step) && n != 3:
		l.note(v, &a, Contiguous)
		raw := l.rawVec(es, n)
		load := l.loadWide(v, raw, n)
		failed := func() {
			l.call(v, v.Args[0], m, slow)
			load(ctxAt(CtxVals))
		}
		if _, wider := l.wanted[v]; m != nil && n == 1 && t.K != ssa.Bool && !wider && (l.lv.AVX512 || es >= 4) {
			hard := failed
			failed = func() { l.loadActive(&a, raw, es, m, hard) }
		}
		q, join := l.check(&a, step*l.n, false, failed)
		load(q)
		l.place(join)
		if n == 1 {
			x.v = []vec{raw}
			break
		}
		x.f = raw
	case a.root >= 0 && a.regular() && a.stride == int64(step):
		l.note(v, &a, Contiguous)
		raw := l.rawVec(es, 4)
		q, join := l.check(&a, step*l.n, false, func() {
			l.call(v, v.Args[0], m, slow)
			l.loadRaw(raw, ctxAt(CtxVals), es, 4)
		})
		l.loadRaw(raw, q, es, 4)
		l.place(join)
		x.v = l.components(raw, es, 4)[:3]
	case l.loadFlipped(v, &a, m, slow):
	case a.root >= 0 && l.lookUp(v, &a, m, slow):
	case a.root >= 0:
		l.note(v, &a, Scattered)
		l.gather(v, &a, m, slow)
	default:
		l.note(v, &a, LaneByLane)
		l.call(v, v.Args[0], m, slow)
		x.v = l.loadElements(ctxAt(CtxVals), es, n)
	}
	l.fixBool(v)
}

// rawVec returns registers for n elements of es bytes of each lane.
func (l *lowerer) rawVec(es, n int) (p vec) {
	l.within(l.n*n, func() { p = l.newVec(es) })
	return p
}

// loadRaw loads n elements of es bytes for each lane, as they stand in memory.
func (l *lowerer) loadRaw(d vec, m mem, es, n int) {
	l.within(l.n*n, func() { l.loadInto(d, m, es) })
}

// fixBool turns the bytes of a loaded Bool into masks.
func (l *lowerer) fixBool(v *ssa.Value) {
	if v.Type.K != ssa.Bool {
		return
	}
	x := &l.vals[v.ID]
	for _, p := range x.v {
		x.k = append(x.k, l.cmpInt(predNE, 1, false, p, l.constV(1, 0)))
	}
	x.v = nil
}

// firstLane returns where a stub's result for the first of the lanes of m stands.
func (l *lowerer) firstLane(m mask, s stub) mem {
	if m == nil {
		return ctxAt(CtxVals)
	}
	l.maskBits(m)
	p := l.g()
	l.emit(inst{op: asm.TZCNT, w: 8, fl: fDefReg, reg: p, rm: rAX})
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: p, rm: p, imm: int64(s.step)})
	l.op2(asm.ADD, 8, p, rCtx)
	return at(p, CtxVals)
}

// loadUniform reads elements of es bytes at m for all lanes.
func (l *lowerer) loadUniform(d []reg, general bool, es int, m mem) {
	m.on = true
	for _, r := range d {
		if general {
			l.ld(r, asm.Width(es), m)
		} else {
			l.emit(inst{op: vbroadcast[es], w: l.lv.VL, fl: fDefReg, reg: r, m: m})
		}
		m.disp += int32(es)
	}
}

func (l *lowerer) setUniform(v *ssa.Value, d []reg, general bool, es int) {
	x := &l.vals[v.ID]
	if general {
		x.g = d
		return
	}
	for _, r := range d {
		x.v = append(x.v, l.everywhere(r, es))
	}
	l.fixBool(v)
}

// loadElements reads n elements of es bytes for each lane, one lane's after the other's
// (of 3: 4).
func (l *lowerer) loadElements(m mem, es, n int) []vec {
	k := n
	if n == 3 {
		k = 4
	}
	raw := l.rawVec(es, k)
	l.loadRaw(raw, m, es, k)
	return l.components(raw, es, k)[:n]
}

// components takes vectors in memory order apart: element c of each lane, of n.
func (l *lowerer) components(raw vec, es, n int) []vec {
	if n == 1 {
		return []vec{raw}
	}
	if es >= 4 {
		return l.deinterleave(raw, es, n)
	}
	// Narrow elements: wider ones first, then their pieces.
	wide := min(es*n, 8)
	words := l.deinterleave(raw, wide, es*n/wide)
	var out []vec
	for c := range n {
		out = append(out, l.piece(words[c*es/wide], wide, es, c%(wide/es)))
	}
	return out
}

// deinterleave takes vectors in memory order apart: element c of each lane.
func (l *lowerer) deinterleave(z vec, es, n int) []vec {
	if n == 1 {
		return []vec{z}
	}
	var even, odd vec
	for i := 0; i < len(z); i += 2 {
		even = append(even, l.pick(z[i], z[i+1], es, 0))
		odd = append(odd, l.pick(z[i], z[i+1], es, 1))
	}
	a, b := l.deinterleave(even, es, n/2), l.deinterleave(odd, es, n/2)
	var out []vec
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

// pick returns the even (odd) elements of a and b.
func (l *lowerer) pick(a, b reg, es, odd int) reg {
	if !l.lv.AVX512 {
		if es == 4 {
			x := l.rvmi(asm.VSHUFPS, 32, a, b, int64(0x88+0x55*odd))
			return l.rmi(asm.VPERMQ, 32, x, 0xD8)
		}
		op := asm.VPUNPCKLQDQ
		if odd == 1 {
			op = asm.VPUNPCKHQDQ
		}
		return l.rmi(asm.VPERMQ, 32, l.rvm(op, 32, a, b), 0xD8)
	}
	return l.permuteTwo(a, b, es, func(i int) int { return 2*i + odd })
}

// interleave is the reverse of deinterleave.
func (l *lowerer) interleave(ps []vec, es int) vec {
	if len(ps) == 1 {
		return ps[0]
	}
	var e, o []vec
	for i, p := range ps {
		if i%2 == 0 {
			e = append(e, p)
		} else {
			o = append(o, p)
		}
	}
	x, y := l.interleave(e, es), l.interleave(o, es)
	var out vec
	per := int(l.lv.VL) / es
	for i := range x {
		if l.lv.AVX512 {
			for h := range 2 {
				out = append(out, l.permuteTwo(x[i], y[i], es, func(k int) int {
					j := h*per/2 + k/2
					return j + k%2*per
				}))
			}
			continue
		}
		lo, hi := asm.VPUNPCKLDQ, asm.VPUNPCKHDQ
		if es == 8 {
			lo, hi = asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ
		}
		a, b := l.rvm(lo, 32, x[i], y[i]), l.rvm(hi, 32, x[i], y[i])
		out = append(out, l.rvmi(asm.VPERM2I128, 32, a, b, 0x20), l.rvmi(asm.VPERM2I128, 32, a, b, 0x31))
	}
	return out
}

// storeElements writes the elements of all lanes one lane's after the other's.
func (l *lowerer) storeElements(m mem, ps []vec, es int) {
	if len(ps) == 3 {
		ps = append(append([]vec(nil), ps...), ps[2]) // padding of the scratch memory
	}
	l.within(l.n*len(ps), func() { l.storeParts(m, l.inMemoryOrder(ps, es, l.n/len(ps)), es) })
}

// inMemoryOrder is the reverse of components, for n lanes.
func (l *lowerer) inMemoryOrder(ps []vec, es, n int) (raw vec) {
	if k := len(ps); k > 1 && es < 4 {
		wide := min(es*k, 8)
		var words []vec
		l.within(n, func() {
			for c := 0; c < k; c += wide / es {
				words = append(words, l.compose(ps[c:c+wide/es], es, wide))
			}
		})
		ps, es = words, wide
	}
	return l.interleave(ps, es)
}

func (l *lowerer) elements(v *ssa.Value) []vec {
	ps := make([]vec, v.Type.N)
	for c := range ps {
		ps[c] = l.V(v, c)
	}
	return ps
}

func (l *lowerer) store(v *ssa.Value) {
	if l.privateStore(v) {
		return
	}
	val := v.Args[1]
	t := val.Type
	es, n := size(t.K), int(t.N)
	total := t.Size()
	step := total
	if n == 3 {
		step = 4 * es
	}
	a := l.address(v.Args[0])
	m := l.mask(l.block)
	slow := func() {
		if raw := l.vals[l.real(val).ID].f; raw != nil && n > 1 {
			// In memory order already: nothing to take apart in the hot code.
			l.within(l.n*n, func() { l.storeParts(ctxAt(CtxVals), raw, es) })
		} else {
			l.storeElements(ctxAt(CtxVals), l.elements(val), es)
		}
		l.call(v, v.Args[0], m, stub{kind: sStore, size: total, step: step})
	}
	if m == nil && l.storeStrided(v, &a, slow) {
		return
	}
	switch {
	case a.root >= 0 && a.even && a.stride == 0 && !l.plan.Varying[val.ID] && t.K != ssa.Bool:
		l.note(v, &a, Uniform)
		gs := make([]reg, n)
		for c := range n {
			gs[c] = l.G(val, c)
			l.V(val, c)
		}
		q, join := l.check(&a, total, true, slow)
		for c := range n {
			l.st(q, asm.Width(es), gs[c])
			q.disp += int32(es)
		}
		l.place(join)
	case a.root >= 0 && a.regular() && a.stride == int64(step) && n != 3 && (m == nil || n == 1 && (l.lv.AVX512 || es >= 4)):
		l.note(v, &a, Contiguous)
		raw := l.rawOf(val)
		q, join := l.check(&a, step*l.n, true, slow)
		if m == nil {
			l.within(l.n*n, func() { l.storeWhole(a.root, q, raw, es) })
		} else {
			l.storeMasked(q, raw, es, m)
		}
		l.place(join)
	case l.storeFlipped(v, &a, m, slow):
	case a.root >= 0:
		l.note(v, &a, Scattered)
		l.put(v, &a, m, slow)
	default:
		l.note(v, &a, LaneByLane)
		slow()
	}
}

// rawOf returns the elements of all lanes as they stand in memory.
func (l *lowerer) rawOf(v *ssa.Value) vec {
	raw := l.F(v)
	if raw == nil {
		l.within(l.n*int(v.Type.N), func() { raw = l.inMemoryOrder(l.elements(v), size(v.Type.K), l.opts.Lanes) })
	}
	return raw
}

// storeMasked writes one element for each lane of m.
func (l *lowerer) storeMasked(q mem, p vec, es int, m mask) {
	for i, r := range p {
		l.storePart(q, r, es, l.maskFor(m, es, i))
		q.disp += int32(l.width(es))
	}
}

// maskFor returns the part of a mask that belongs to register i of elements of this size,
// for storePart.
func (l *lowerer) maskFor(m mask, es, i int) reg {
	if l.lv.AVX512 {
		return l.partMask(m, es, i)
	}
	return l.wideMask(m, es, i)
}

// storePart writes those elements of a register that are in its mask.
func (l *lowerer) storePart(q mem, r reg, es int, m reg) {
	if l.lv.AVX512 {
		ops := map[int]asm.Op{1: asm.VMOVDQU8ST, 2: asm.VMOVDQU16ST, 4: asm.VMOVDQU32ST, 8: asm.VMOVDQU64ST}
		l.vstore(ops[es], l.width(es), q, r, m)
		return
	}
	op := asm.VPMASKMOVDST
	if es == 8 {
		op = asm.VPMASKMOVQST
	}
	q.on = true
	l.emit(inst{op: op, w: 32, fl: fUseReg, reg: r, v: m, m: q})
}

// bytes lowers the copying and zeroing of blocks of memory, lane by lane by way of the
// context.
func (l *lowerer) bytes(v *ssa.Value) {
	n := int(v.Aux)
	if v.Op == ssa.OpMemZero && l.privateZero(v) {
		return
	}
	if n > MaxStep {
		refuse("%v of more than %d bytes", v.Op, MaxStep)
	}
	if n == 0 {
		return
	}
	step := (n + 7) &^ 7
	m := l.mask(l.block)
	a := l.address(v.Args[0])
	l.note(v, &a, LaneByLane)
	if v.Op == ssa.OpMemCopy {
		l.call(v, v.Args[1], m, stub{kind: sLoad, size: n, step: step})
	} else {
		z := l.constV(1, 0)[0]
		for at := 0; at < step*l.n; at += 16 {
			l.vstore(asm.VMOVUPSST, 16, ctxAt(int32(CtxVals+at)), z, 0)
		}
	}
	l.call(v, v.Args[0], m, stub{kind: sStore, size: n, step: step})
}

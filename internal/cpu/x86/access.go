package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// accesses generates loads and stores of known objects: contiguous ones, gathers, scatters and tables in
// registers.
type accesses struct {
	*addresses
	regions   []region                  // loaded in the current block since the last store
	loaded    map[sameLoad]*ssa.Value   // in the current block since the last store
	wanted    map[*ssa.Value]widening   // of loads: how a conversion of them begins
	runsFound map[runKey]run            // by kind of access: the runs found in the current block
	written   map[*ssa.Value]bool       // roots that the kernel writes and does not read
	rowsIn    map[*ssa.Value]rowOffsets // of accesses to rows that are in bounds: where
}

// loadedBefore gives v the result of an equal load of this block since the last store, if that load cannot fail
// either. Gangs that are interleaved load shared data once.
func (l *accesses) loadedBefore(v *ssa.Value, a *access) bool {
	if !l.plan.Unfolded || a.Pattern != lanes.Broadcast && a.Pattern != lanes.Contiguous || v.Flags&ssa.Volatile != 0 {
		return false
	}
	c := l.patterns.Check(&a.Access, l.block)
	if c.Where != lanes.Nowhere {
		return false
	}
	k := sameLoad{a.root, c.At, a.Stride, v.Type}
	if o := l.loaded[k]; o != nil {
		l.noteAgain(v, a, o)
		x, y := &l.vals[v.ID], &l.vals[o.ID]
		x.g, x.v, x.k, x.f = y.g, y.v, y.k, y.f
		return true
	}
	if l.loaded == nil {
		l.loaded = map[sameLoad]*ssa.Value{}
	}
	l.loaded[k] = v
	return false
}

// loadActive loads elements side by side for the lanes of a mask when the span of the whole gang is not in bounds.
// It loads the elements between the first and the last active lane if these are in bounds; otherwise slow loads
// them.
func (l *accesses) loadActive(a *access, raw vec, es int, m mask, slow func()) {
	if len(a.Guards) > 0 || l.large(a.root) {
		slow()
		return
	}
	limit := l.limit(a.root, es, false)
	off := l.offset(a)
	hard, join := l.newBlock(l.cur.depth), l.newBlock(l.cur.depth)
	join.cold = true
	end := func(op asm.Op) {
		d := l.g()
		l.emit(inst{op: op, w: 8, fl: fDefReg, reg: d, rm: rAX})
		if op == asm.LZCNT {
			l.opi(asm.XORIMM, 8, d, 63)
		}
		l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: d, rm: d, imm: int64(es)})
		l.op2(asm.ADD, 8, d, off)
		l.cmp(8, d, limit)
		l.jcc(asm.JAE, hard)
	}
	l.maskBits(m)
	end(asm.TZCNT)
	end(asm.LZCNT)
	l.loadMasked(mem{base: l.rootBaseReg(a.root), index: off, scale: 1}, raw, es, m)
	l.jump(join)
	l.aside(hard, func() {
		slow()
		l.jump(join)
	})
	l.place(join)
}

// loadMasked loads one element for each lane of m. Other lanes get 0.
func (l *accesses) loadMasked(q mem, p vec, es int, m mask) {
	w := l.width(es)
	q.on = true
	for i, r := range p {
		if l.lv.MaskRegs {
			l.emit(inst{op: vmerge[es], w: w, fl: fDefReg, reg: r, m: q, mask: l.partMask(m, es, i), zero: true})
		} else {
			op := asm.VPMASKMOVD
			if es == 8 {
				op = asm.VPMASKMOVQ
			}
			l.emit(inst{op: op, w: 32, fl: fDefReg, reg: r, v: l.wideMask(m, es, i), m: q})
		}
		q.disp += int32(w)
	}
}

// call calls a stub for the lanes of mask m. The lanes' pointers are those of ptr.
func (l *accesses) call(v, ptr *ssa.Value, m mask, s stub) {
	if l.plan.Rows > 1 {
		l.leaveRows()
		return
	}
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

// pointers stores the lanes' pointers at CtxPtrs. If that is rarely needed, a stub does it, to keep code small.
func (l *accesses) pointers(p *ssa.Value) {
	p = l.real(p)
	if l.cur.cold && l.plan.Varying[p.ID] && p.Op == ssa.OpPtrAdd && !l.plan.Varying[l.real(p.Args[0]).ID] {
		off := l.real(p.Args[1])
		if x := l.facts.Of(off); x.Exact() {
			set := func(d reg, v *ssa.Value) {
				l.emit(inst{op: asm.MOVL, w: 8, fl: fDefReg, reg: d, rm: l.scalarHere(v, nil, map[*ssa.Value]reg{})})
			}
			set(rDX, off)
			set(rAX, p.Args[0])
			l.movi(rCX, uint64(x.Stride))
			l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sSpread, size: l.n})})
			return
		}
	}
	l.storeParts(ctxAt(CtxPtrs), l.exact(p, map[*ssa.Value]vec{}), 8)
}

// access returns the number of v among the accesses.
func (l *accesses) access(v *ssa.Value) int {
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

// fixBool turns the bytes of a loaded Bool into masks.
func (l *accesses) fixBool(v *ssa.Value) {
	if v.Type.K != ssa.Bool {
		return
	}
	x := &l.vals[v.ID]
	for _, p := range x.v {
		x.k = append(x.k, l.cmpInt(predNE, 1, false, p, l.constV(1, 0)))
	}
	x.v = nil
}

// firstLane returns the address of a stub's result for the first lane of m.
func (l *accesses) firstLane(m mask, s stub) mem {
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
func (l *accesses) loadUniform(d []reg, general bool, es int, m mem) {
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

func (l *accesses) setUniform(v *ssa.Value, d []reg, general bool, es int) {
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
func (l *accesses) loadElements(m mem, es, n int) []vec {
	k := n
	if n == 3 {
		k = 4
	}
	raw := l.rawVec(es, k)
	l.loadRaw(raw, m, es, k)
	return l.components(raw, es, k)[:n]
}

// loadSlowly loads v by a stub and returns its elements.
func (l *accesses) loadSlowly(v *ssa.Value, m mask, slow stub) []vec {
	l.call(v, v.Args[0], m, slow)
	return l.loadElements(ctxAt(CtxVals), size(v.Type.K), int(v.Type.N))
}

// storeElements writes the elements of all lanes one lane's after the other's.
func (l *accesses) storeElements(m mem, ps []vec, es int) {
	if len(ps) == 3 {
		ps = append(append([]vec(nil), ps...), ps[2]) // padding of the scratch memory
	}
	l.within(l.n*len(ps), func() { l.storeParts(m, l.inMemoryOrder(ps, es, l.n/len(ps)), es) })
}

// rawOf returns the elements of all lanes in memory order.
func (l *accesses) rawOf(v *ssa.Value) vec {
	raw := l.F(v)
	if raw == nil {
		l.within(l.n*int(v.Type.N), func() { raw = l.inMemoryOrder(l.elements(v), size(v.Type.K), l.opts.Lanes) })
	}
	return raw
}

// storeMasked writes one element for each lane of m.
func (l *accesses) storeMasked(q mem, p vec, es int, m mask) {
	for i, r := range p {
		l.storePart(q, r, es, l.maskFor(m, es, i))
		q.disp += int32(l.width(es))
	}
}

// maskFor returns the part of a mask that belongs to register i of elements of this size,
// for storePart.
func (l *accesses) maskFor(m mask, es, i int) reg {
	if l.lv.MaskRegs {
		return l.partMask(m, es, i)
	}
	return l.wideMask(m, es, i)
}

// storePart writes those elements of a register that are in its mask.
func (l *accesses) storePart(q mem, r reg, es int, m reg) {
	if l.lv.MaskRegs {
		l.vstore(vmergeST[es], l.width(es), q, r, m)
		return
	}
	op := asm.VPMASKMOVDST
	if es == 8 {
		op = asm.VPMASKMOVQST
	}
	q.on = true
	l.emit(inst{op: op, w: 32, fl: fUseReg, reg: r, v: m, m: q})
}

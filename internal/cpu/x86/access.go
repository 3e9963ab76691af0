package x86

import "github.com/purecl/purecl/internal/cpu/x86/asm"

// accesses generates loads and stores of known objects.
type accesses struct{ *addresses }

// AVX2's moves of the elements of a mask from and to memory, and the loads and stores of elements at varying offsets.
var (
	vpmaskmov   = bySize{4: asm.VPMASKMOVD, 8: asm.VPMASKMOVQ}
	vpmaskmovST = bySize{4: asm.VPMASKMOVDST, 8: asm.VPMASKMOVQST}
	vpgather    = bySize{4: asm.VPGATHERDD, 8: asm.VPGATHERDQ}
	vpscatter   = bySize{4: asm.VPSCATTERDD, 8: asm.VPSCATTERDQ}
)

// emitMasked emits an instruction of AVX-512 for the elements of a mask, or the one of AVX2 that has the mask in vvvv.
func (l *accesses) emitMasked(i inst, avx2 asm.Op, m reg) {
	if l.lv.MaskRegs {
		i.mask = m
	} else {
		i.op, i.v, i.zero = avx2, m, false
	}
	l.emit(i)
}

// loadMasked loads one element for each lane of m. Other lanes get 0.
func (l *accesses) loadMasked(q mem, p vec, es int, m mask) {
	w := l.width(es)
	for i, r := range p {
		l.emitMasked(inst{op: vmerge[es], w: w, fl: fDefReg, reg: r, m: q, zero: true}, vpmaskmov[es], l.maskFor(m, es, i))
		q.disp += int32(w)
	}
}

// storeMasked writes one element for each lane of m.
func (l *accesses) storeMasked(q mem, p vec, es int, m mask) {
	for i, r := range p {
		l.storePart(q, r, es, l.maskFor(m, es, i))
		q.disp += int32(l.width(es))
	}
}

// storePart writes those elements of a register that are in its mask.
func (l *accesses) storePart(q mem, r reg, es int, m reg) {
	l.emitMasked(inst{op: vmergeST[es], w: l.width(es), fl: fUseReg, reg: r, m: q}, vpmaskmovST[es], m)
}

// gather32 reads an element for each lane of m (nil: all lanes) at q + idx · q.scale, and gives the other lanes 0.
// The offsets idx are signed 32-bit numbers; q's base is a multiple of 4. Elements of less than 4 bytes are
// extracted from the aligned 4 bytes around them. These must be readable, and an element must not cross their
// boundary.
func (l *accesses) gather32(q mem, idx vec, es int, m mask) vec {
	if es >= 4 {
		return l.gatherWords(q, idx, es, m)
	}
	if r := q.disp & 3; r != 0 {
		q.disp -= r
		idx = l.each2(4, asm.VPADDD, idx, l.constV(4, uint64(r)))
	}
	shift := l.eachShift(4, asm.VPSLLD, l.each2(4, asm.VPAND, idx, l.constV(4, 3)), 3)
	idx = l.each2(4, asm.VPANDN, l.constV(4, 3), idx)
	words := l.gatherWords(q, idx, 4, m)
	return l.truncate(4, es, l.each2(4, asm.VPSRLVD, words, shift))
}

// gatherWords is gather32 for elements of 4 or 8 bytes.
func (l *accesses) gatherWords(q mem, idx vec, es int, m mask) vec {
	if m == nil {
		m = l.allMask()
	}
	return l.each(l.numParts(es), func(i int) reg {
		q.index = l.slice(idx, 4*l.perPart(es), i)
		k := l.ownMask(m, es, i)
		d := l.zero()
		l.emitMasked(inst{op: vpgather[es], w: l.lv.VL, fl: fDefReg | fUseReg | fEarly, reg: d, m: q}, vpgather[es], k)
		return d
	})
}

// ownMask returns the part of a mask that belongs to register i in a register that an instruction may overwrite.
func (l *accesses) ownMask(m mask, es, i int) reg {
	k := l.maskReg()
	l.copyMaskReg(k, l.maskFor(m, es, i))
	return k
}

// scatter32 writes an element of each lane of m at q + idx; see gather32.
func (l *accesses) scatter32(q mem, idx, p vec, es int, m mask) {
	if m == nil && es >= 4 && l.storesLanes() {
		l.storeLanes(q, idx, p, es)
		return
	}
	if !l.lv.Scatters || es < 4 {
		l.storeParts(ctxAt(CtxVals), p, es)
		l.putLanes(q, idx, m, stub{kind: sPut, size: es, step: es})
		return
	}
	if m == nil {
		m = l.allMask()
	}
	for i, r := range p {
		q.index = l.slice(idx, 4*l.perPart(es), i)
		l.emit(inst{op: vpscatter[es], w: l.lv.VL, fl: fUseReg, reg: r, m: q, mask: l.ownMask(m, es, i)})
	}
}

// mostStored is the largest number of lanes whose elements have a store instruction each, on a machine without scatters. A stub
// stores those of more lanes.
const mostStored = 16

// storesLanes reports whether a scatter of all lanes takes one instruction for each lane.
func (l *accesses) storesLanes() bool {
	if l.lv.Scatters {
		return l.opts.SlowGathers
	}
	return l.n <= mostStored
}

// storeLanes writes the elements, of 4 or 8 bytes, of all lanes at q + idx by an instruction each.
func (l *accesses) storeLanes(q mem, idx, p vec, es int) {
	high := bySize{4: asm.VPEXTRD, 8: asm.VPEXTRQ}
	var part reg
	l.eachIndex(idx, 4, true, func(lane int, index reg) {
		q.index = index
		at := lane * es % 16 / es
		if at == 0 {
			part = l.slice(p, 16, lane*es/16)
		}
		i := inst{op: vlow[es], w: 16, fl: fUseReg, reg: part, m: q}
		if at > 0 {
			i.op, i.imm = high[es], int64(at)
		}
		l.emit(i)
	})
}

// eachIndex calls f for each lane with its index, an integer of es bytes of idx, in a general register.
func (l *accesses) eachIndex(idx vec, es int, signed bool, f func(lane int, index reg)) {
	extend, w, shift := loadOf[es], asm.Width(4), asm.SHRIMM
	if signed {
		extend, w, shift = movsx[es], 8, asm.SARIMM
	}
	part := reg(0)
	for lane := 0; lane < l.n; {
		var word reg
		if at := lane * es; at%16 == 0 {
			part = l.slice(idx, 16, at/16)
			word = l.low(part, 8)
		} else {
			word = l.high(part)
		}
		for end := min(lane+8/es, l.n); lane < end; lane++ {
			if lane == end-1 {
				f(lane, word)
				continue
			}
			f(lane, l.result(cG, inst{op: extend, w: w, rm: word}))
			l.opi(shift, 8, word, int64(8*es))
		}
	}
}

// putLanes calls the stub for stores at q plus the lanes' offsets.
func (l *accesses) putLanes(q mem, idx vec, m mask, s stub) {
	l.storeOffsets(idx)
	s.scale = q.scale
	q.scale = 1
	if m == nil {
		s.all = l.n
	}
	l.lea(rDX, q)
	l.stubCall(m, s)
}

// stubCall calls a stub for the lanes of m. Their bits go to RAX, unless the stub is for all lanes.
func (l *accesses) stubCall(m mask, s stub) {
	if s.all == 0 {
		l.maskBits(m)
	}
	l.emit(inst{kind: kCall, imm: l.stub(s)})
}

// firstLane returns the address of a stub's result for the first lane of m, with step bytes for each lane.
func (l *accesses) firstLane(m mask, step int) mem {
	if m == nil {
		return ctxAt(CtxVals)
	}
	l.maskBits(m)
	p := l.result(cG, inst{op: asm.TZCNT, w: 8, rm: rAX})
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: p, rm: p, imm: int64(step)})
	l.op2(asm.ADD, 8, p, rCtx)
	return at(p, CtxVals)
}

// storeElements writes the elements of all lanes one lane's after the other's (of 3: 4).
func (l *accesses) storeElements(m mem, ps []vec, es int) {
	if len(ps) == 3 {
		ps = append(append([]vec(nil), ps...), ps[2]) // padding of the scratch memory
	}
	l.within(l.n*len(ps), func() { l.storeParts(m, l.inMemoryOrder(ps, es, l.n/len(ps)), es) })
}

package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// putLanes calls the stub for stores at q plus the lanes' offsets.
func (l *accesses) putLanes(q mem, idx vec, m mask, s stub) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	s.scale = q.scale
	q.scale = 1
	if m == nil {
		s.all = l.n
	} else {
		l.maskBits(m)
	}
	l.lea(rDX, q)
	l.emit(inst{kind: kCall, imm: l.stub(s)})
}

// gather32 reads an element for each lane of m (nil: all lanes) at q + idx · q.scale, and gives the other lanes 0.
// The offsets idx are signed 32-bit numbers; q's base is a multiple of 4. Elements of less than 4 bytes are
// extracted from the aligned 4 bytes around them. These must be readable, and an element must not cross their
// boundary.
func (l *accesses) gather32(q mem, idx vec, es int, m mask) vec {
	if m == nil {
		m = l.allMask()
	}
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

// gatherWords reads elements of 4 or 8 bytes.
func (l *accesses) gatherWords(q mem, idx vec, es int, m mask) vec {
	op := asm.VPGATHERDD
	if es == 8 {
		op = asm.VPGATHERDQ
	}
	out := make(vec, l.parts(es))
	for i := range out {
		d := l.vr()
		g := inst{op: op, w: l.lv.VL, fl: fDefReg | fUseReg | fEarly, reg: d, m: q}
		g.m.index = l.slice(idx, 4*l.perPart(es), i)
		zero, w := asm.VPXOR, asm.Width(32)
		if l.lv.MaskRegs {
			zero, w = asm.VPXORD, 64
			g.mask = l.kr()
			l.copyMaskReg(g.mask, l.partMask(m, es, i))
		} else {
			g.v = l.vr()
			l.vmov(g.v, l.wideMask(m, es, i))
		}
		l.emit(inst{op: zero, w: w, fl: fDefReg, reg: d, v: fixed(asm.V(0)), rm: fixed(asm.V(0))})
		l.emit(g)
		out[i] = d
	}
	return out
}

// scatter32 writes an element of each lane of m at q + idx; see gather32.
func (l *accesses) scatter32(q mem, idx, p vec, es int, m mask) {
	if !l.lv.Scatters || es < 4 {
		l.storeParts(ctxAt(CtxVals), p, es)
		l.putLanes(q, idx, m, stub{kind: sPut, size: es, step: es})
		return
	}
	if m == nil && l.opts.SlowGathers {
		l.storeLanes(q, idx, p, es)
		return
	}
	if m == nil {
		m = l.allMask()
	}
	op := asm.VPSCATTERDD
	if es == 8 {
		op = asm.VPSCATTERDQ
	}
	for i, r := range p {
		s := inst{op: op, w: l.lv.VL, fl: fUseReg, reg: r, mask: l.kr(), m: q}
		s.m.index = l.slice(idx, 4*l.perPart(es), i)
		l.copyMaskReg(s.mask, l.partMask(m, es, i))
		l.emit(s)
	}
}

// storeLanes writes the elements, of 4 or 8 bytes, of all lanes at q + idx by an instruction each.
func (l *accesses) storeLanes(q mem, idx, p vec, es int) {
	low, high := asm.VMOVDST, asm.VPEXTRD
	if es == 8 {
		low, high = asm.VMOVQST, asm.VPEXTRQ
	}
	var two, offsets, part reg
	for lane := range l.n {
		switch lane % 4 {
		case 0:
			offsets, two = l.slice(idx, 16, lane/4), l.g()
			l.emit(inst{op: asm.VMOVQST, w: 16, fl: fDefRM, rm: two, reg: offsets})
		case 2:
			two = l.g()
			l.emit(inst{op: asm.VPEXTRQ, w: 16, fl: fDefRM, rm: two, reg: offsets, imm: 1})
		}
		if lane%2 == 0 {
			q.index = l.signExtend(two, 4)
		} else {
			l.opi(asm.SARIMM, 8, two, 32)
			q.index = two
		}
		at := lane * es % 16 / es
		if at == 0 {
			part = l.slice(p, 16, lane*es/16)
		}
		i := inst{op: low, w: 16, fl: fUseReg, reg: part, m: q}
		if at > 0 {
			i.op, i.imm = high, int64(at)
		}
		l.emit(i)
	}
}

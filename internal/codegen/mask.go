package codegen

import "github.com/purecl/purecl/internal/asm"

// Masks: a bit for each lane in a mask register with AVX-512, else all ones or zeros in
// the 32-bit elements of a vector.

func (l *lowerer) maskReg() reg {
	if l.lv.AVX512 {
		return l.kr()
	}
	return l.vr()
}

func (c *code) kop3(op asm.Op, a, b reg) reg {
	d := c.kr()
	c.emit(inst{op: op, w: 8, fl: fDefReg, reg: d, v: a, rm: b})
	return d
}

func (l *lowerer) copyMask(d, a reg) {
	if !l.lv.AVX512 {
		l.vmov(d, a)
		return
	}
	l.emit(inst{op: asm.KMOVW, w: 8, fl: fDefReg | fCopy, reg: d, rm: a})
	l.hint(d, a)
}

func (l *lowerer) orMask(d, a reg) {
	if !l.lv.AVX512 {
		l.emit(inst{op: asm.VPOR, w: 32, fl: fDefReg, reg: d, v: d, rm: a})
		return
	}
	l.emit(inst{op: asm.KORW, w: 8, fl: fDefReg, reg: d, v: d, rm: a})
}

func (l *lowerer) zeroMask(d reg) {
	if !l.lv.AVX512 {
		l.emit(inst{op: asm.VPXOR, w: 32, fl: fDefReg, reg: d, v: fixed(asm.V(0)), rm: fixed(asm.V(0))})
		return
	}
	l.emit(inst{op: asm.KXORW, w: 8, fl: fDefReg, reg: d, v: fixed(asm.K(1)), rm: fixed(asm.K(1))})
}

// allMask returns the mask of all lanes.
func (l *lowerer) allMask() reg {
	if l.gang != 0 {
		return l.gang
	}
	if !l.lv.AVX512 {
		return l.constV(4, 0xFFFFFFFF)[0]
	}
	return l.inPrologue("all", func() reg {
		d := l.kr()
		l.emit(inst{op: asm.KXNORW, w: 8, fl: fDefReg, reg: d, v: fixed(asm.K(1)), rm: fixed(asm.K(1))})
		return l.rematerialise(d)
	})
}

// andMask returns a & m, where m 0 stands for all lanes.
func (l *lowerer) andMask(a, m reg) reg {
	if m == 0 {
		return a
	}
	if !l.lv.AVX512 {
		return l.rvm(asm.VPAND, 32, a, m)
	}
	return l.kop3(asm.KANDW, a, m)
}

// andNotMask returns m & ^a.
func (l *lowerer) andNotMask(a, m reg) reg {
	if m == 0 {
		return l.notMask(a)
	}
	if !l.lv.AVX512 {
		return l.rvm(asm.VPANDN, 32, a, m)
	}
	return l.kop3(asm.KANDNW, a, m)
}

func (l *lowerer) notMask(a reg) reg {
	if !l.lv.AVX512 {
		return l.rvm(asm.VPXOR, 32, a, l.constV(4, 0xFFFFFFFF)[0])
	}
	d := l.kr()
	l.emit(inst{op: asm.KNOTW, w: 8, fl: fDefReg, reg: d, rm: a})
	return d
}

// mergeMask overwrites d with a in the lanes e.
func (l *lowerer) mergeMask(d, a, e reg) {
	if !l.lv.AVX512 {
		l.emit(inst{op: asm.VPBLENDVB, w: 32, fl: fDefReg, reg: d, v: d, rm: a, immReg: e})
		return
	}
	x := l.kop3(asm.KANDNW, e, d)
	y := l.kop3(asm.KANDW, e, a)
	l.emit(inst{op: asm.KORW, w: 8, fl: fDefReg, reg: d, v: x, rm: y})
}

// testMask sets the zero flag if no lane is in m.
func (l *lowerer) testMask(m reg) {
	if !l.lv.AVX512 {
		l.emit(inst{op: asm.VPTEST, w: 32, fl: fUseReg, reg: m, rm: m})
		return
	}
	l.emit(inst{op: asm.KORTESTW, w: 8, fl: fUseReg, reg: m, rm: m})
}

// maskBits puts the mask's bits into RAX; m 0 is all lanes.
func (l *lowerer) maskBits(m reg) {
	switch {
	case m == 0:
		l.movi(rAX, uint64(l.lv.all()))
	case l.lv.AVX512:
		l.emit(inst{op: asm.KMOVWR, w: 4, fl: fDefReg, reg: rAX, rm: m})
	default:
		l.emit(inst{op: asm.VMOVMSKPS, w: 32, fl: fDefReg, reg: rAX, rm: m})
	}
}

// bitsMask makes a mask of bits in a general register.
func (l *lowerer) bitsMask(g reg) reg {
	d := l.maskReg()
	if l.lv.AVX512 {
		l.emit(inst{op: asm.KMOVWG, w: 4, fl: fDefReg, reg: d, rm: g})
		return d
	}
	var buf []byte
	for i := range 8 {
		buf = append(buf, byte(1<<i), 0, 0, 0)
	}
	t := l.table(32, buf)
	x := l.broadcast(4, g)[0]
	y := l.rvm(asm.VPAND, 32, x, t)
	return l.rvm(asm.VPCMPEQD, 32, y, t)
}

// gangMask makes the mask of the lanes that are work-items.
func (l *lowerer) gangMask() reg {
	n := l.g()
	l.ld(n, 8, frameAt(FrameLanes))
	x := l.broadcast(4, n)
	return l.cmpInt(predLT, 4, true, l.ramp(4, 1), x)
}

// broadcast returns a general register's value in all lanes.
func (l *lowerer) broadcast(size int, g reg) (p pair) {
	w := l.lv.width(size)
	d := l.vr()
	if l.lv.AVX512 {
		ops := map[int]asm.Op{1: asm.VPBROADCASTBR, 2: asm.VPBROADCASTWR, 4: asm.VPBROADCASTDR, 8: asm.VPBROADCASTQR}
		l.emit(inst{op: ops[size], w: w, fl: fDefReg, reg: d, rm: g})
	} else {
		x := l.vr()
		op := asm.VMOVD
		if size == 8 {
			op = asm.VMOVQ
		}
		l.emit(inst{op: op, w: 16, fl: fDefReg, reg: x, rm: g})
		ops := map[int]asm.Op{1: asm.VPBROADCASTB, 2: asm.VPBROADCASTW, 4: asm.VPBROADCASTD, 8: asm.VPBROADCASTQ}
		l.emit(inst{op: ops[size], w: w, fl: fDefReg, reg: d, rm: x})
	}
	for i := range l.lv.parts(size) {
		p[i] = d
	}
	return p
}

// Predicates of integer comparisons, as vpcmp numbers them.
const (
	predEQ = 0
	predLT = 1
	predLE = 2
	predNE = 4
	predGE = 5
	predGT = 6
)

// joinMasks makes one mask of the two halves' masks.
func (l *lowerer) joinMasks(lo, hi reg) reg {
	if l.lv.AVX512 {
		return l.kop3(asm.KUNPCKBW, hi, lo)
	}
	x := l.rvmi(asm.VSHUFPS, 32, lo, hi, 0x88)
	return l.rmi(asm.VPERMQ, 32, x, 0xD8)
}

// partMask returns the part of a mask that belongs to part i of elements of this size,
// as AVX-512 wants it.
func (l *lowerer) partMask(m reg, size, i int) reg {
	if i == 0 || m == 0 {
		return m
	}
	d := l.kr()
	l.emit(inst{op: asm.KSHIFTRW, w: 8, fl: fDefReg, reg: d, rm: m, imm: 8})
	return d
}

// wideMask returns part i of an AVX2 mask with elements of this size.
func (l *lowerer) wideMask(m reg, size, i int) reg {
	switch size {
	case 4:
		return m
	case 8:
		x := m
		if i == 1 {
			x = l.mr(asm.VEXTRACTI128, 32, m, 1)
		}
		return l.rmv(asm.VPMOVSXDQ, 32, x)
	}
	hi := l.mr(asm.VEXTRACTI128, 32, m, 1)
	x := l.rvm(asm.VPACKSSDW, 16, m, hi)
	if size == 1 {
		x = l.rvm(asm.VPACKSSWB, 16, x, x)
	}
	return x
}

// narrowMask makes an AVX2 mask of elements of this size.
func (l *lowerer) narrowMask(x pair, size int) reg {
	switch size {
	case 1:
		return l.rmv(asm.VPMOVSXBD, 32, x[0])
	case 2:
		return l.rmv(asm.VPMOVSXWD, 32, x[0])
	case 8:
		return l.joinMasks(x[0], x[1])
	}
	return x[0]
}

var (
	vpcmp   = map[int]asm.Op{1: asm.VPCMPB, 2: asm.VPCMPW, 4: asm.VPCMPD, 8: asm.VPCMPQ}
	vpcmpu  = map[int]asm.Op{1: asm.VPCMPUB, 2: asm.VPCMPUW, 4: asm.VPCMPUD, 8: asm.VPCMPUQ}
	vpcmpeq = map[int]asm.Op{1: asm.VPCMPEQB, 2: asm.VPCMPEQW, 4: asm.VPCMPEQD, 8: asm.VPCMPEQQ}
	vpcmpgt = map[int]asm.Op{1: asm.VPCMPGTB, 2: asm.VPCMPGTW, 4: asm.VPCMPGTD, 8: asm.VPCMPGTQ}
)

// cmpInt compares integers of this size.
func (l *lowerer) cmpInt(pred int64, size int, signed bool, a, b pair) reg {
	n, w := l.lv.parts(size), l.lv.width(size)
	var r pair
	if l.lv.AVX512 {
		op := vpcmpu[size]
		if signed {
			op = vpcmp[size]
		}
		for i := range n {
			r[i] = l.krvm(op, w, a[i], b[i], pred)
		}
		if n == 2 {
			return l.joinMasks(r[0], r[1])
		}
		return r[0]
	}
	switch pred {
	case predNE, predGE:
		return l.notMask(l.cmpInt(map[int64]int64{predNE: predEQ, predGE: predLT}[pred], size, signed, a, b))
	case predLE:
		return l.notMask(l.cmpInt(predLT, size, signed, b, a))
	case predGT:
		return l.cmpInt(predLT, size, signed, b, a)
	}
	if pred == predLT && !signed {
		top := l.constV(size, 1<<(8*size-1))
		a, b = l.each2(size, asm.VPXOR, a, top), l.each2(size, asm.VPXOR, b, top)
	}
	for i := range n {
		if pred == predEQ {
			r[i] = l.rvm(vpcmpeq[size], w, a[i], b[i])
		} else {
			r[i] = l.rvm(vpcmpgt[size], w, b[i], a[i])
		}
	}
	return l.narrowMask(r, size)
}

// cmpFloat compares floats of 4 or 8 bytes with an AVX predicate.
func (l *lowerer) cmpFloat(pred int64, size int, a, b pair) reg {
	n, w := l.lv.parts(size), l.lv.width(size)
	var r pair
	for i := range n {
		if l.lv.AVX512 {
			op := asm.VCMPPSK
			if size == 8 {
				op = asm.VCMPPDK
			}
			r[i] = l.krvm(op, w, a[i], b[i], pred)
			continue
		}
		op := asm.VCMPPS
		if size == 8 {
			op = asm.VCMPPD
		}
		r[i] = l.rvmi(op, w, a[i], b[i], pred)
	}
	if !l.lv.AVX512 {
		return l.narrowMask(r, size)
	}
	if n == 2 {
		return l.joinMasks(r[0], r[1])
	}
	return r[0]
}

// AVX predicates of floating-point comparisons.
const (
	cmpEQ    = 0  // ordered
	cmpLT    = 17 // quiet
	cmpLE    = 18
	cmpUNORD = 3
	cmpNE    = 4 // or unordered
	cmpORD   = 7
	cmpGE    = 29
)

var vmerge = map[int]asm.Op{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32, 8: asm.VMOVDQU64}

// blendTo overwrites d with a in the lanes e.
func (l *lowerer) blendTo(d, a pair, e reg, size int) {
	for i := range l.lv.parts(size) {
		if l.lv.AVX512 {
			l.blendInto(vmerge[size], l.lv.width(size), d[i], a[i], l.partMask(e, size, i))
		} else {
			l.emit(inst{op: asm.VPBLENDVB, w: l.lv.width(size), fl: fDefReg, reg: d[i], v: d[i], rm: a[i], immReg: l.wideMask(e, size, i)})
		}
	}
}

var vblend = map[int]asm.Op{1: asm.VPBLENDMB, 2: asm.VPBLENDMW, 4: asm.VPBLENDMD, 8: asm.VPBLENDMQ}

// choose returns a where the mask is set, else b.
func (l *lowerer) choose(m reg, a, b pair, size int) (r pair) {
	w := l.lv.width(size)
	for i := range l.lv.parts(size) {
		if l.lv.AVX512 {
			r[i] = l.vr()
			l.emit(inst{op: vblend[size], w: w, fl: fDefReg, reg: r[i], v: b[i], rm: a[i], mask: l.partMask(m, size, i)})
		} else {
			r[i] = l.vr()
			l.emit(inst{op: asm.VPBLENDVB, w: w, fl: fDefReg, reg: r[i], v: b[i], rm: a[i], immReg: l.wideMask(m, size, i)})
		}
	}
	return r
}

// keep returns a where the mask is set, else 0.
func (l *lowerer) keep(m reg, a pair, size int) (r pair) {
	w := l.lv.width(size)
	for i := range l.lv.parts(size) {
		if l.lv.AVX512 {
			r[i] = l.vr()
			l.emit(inst{op: vmerge[size], w: w, fl: fDefReg, reg: r[i], rm: a[i], mask: l.partMask(m, size, i), zero: true})
		} else {
			r[i] = l.rvm(asm.VPAND, w, a[i], l.wideMask(m, size, i))
		}
	}
	return r
}

// each2 applies an operation to each part. Logical operations are given by their AVX
// names.
func (l *lowerer) each2(size int, op asm.Op, a, b pair) (r pair) {
	w := l.lv.width(size)
	if l.lv.AVX512 {
		switch op {
		case asm.VPAND:
			op = asm.VPANDD
		case asm.VPANDN:
			op = asm.VPANDND
		case asm.VPOR:
			op = asm.VPORD
		case asm.VPXOR:
			op = asm.VPXORD
		}
	}
	for i := range l.lv.parts(size) {
		if i == 1 && a[1] == a[0] && b[1] == b[0] {
			r[1] = r[0]
			continue
		}
		r[i] = l.rvm(op, w, a[i], b[i])
	}
	return r
}

package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// masks generates instructions on masks, which have a bit or an element for each lane.
type masks struct{ *vectors }

// A mask has one register for each granule of the gang; a granule is as many lanes as a full register has 32-bit
// elements. With AVX-512 it is a mask register with a bit for each lane, else a vector with all ones or zeros in
// its 32-bit elements. nil means all lanes.
type mask []reg

func (l *masks) granules() int { return l.n / l.lv.Lanes }

func (l *masks) maskReg() reg {
	if l.lv.MaskRegs {
		return l.newReg(cK)
	}
	return l.vr()
}

func (l *masks) newMask() mask {
	return mask(l.each(l.granules(), func(int) reg { return l.maskReg() }))
}

func (l *masks) kop3(op asm.Op, a, b reg) reg {
	return l.krvm(op, 8, a, b, 0)
}

func (l *masks) copyMaskReg(d, a reg) {
	if !l.lv.MaskRegs {
		l.vmov(d, a)
		return
	}
	l.emit(inst{op: asm.KMOVW, w: 8, fl: fDefReg | fCopy, reg: d, rm: a})
	l.regs.Hint(d, a)
}

// copyMask copies the registers of a mask that differ.
func (l *masks) copyMask(d, a mask) { copyEach(d, a, l.copyMaskReg) }

// copyEach calls move for the registers that differ.
func copyEach(d, a []reg, move func(d, a reg)) {
	for i := range d {
		if d[i] != a[i] {
			move(d[i], a[i])
		}
	}
}

func (l *masks) zeroMask(d mask) {
	i := inst{op: asm.VPXOR, w: 32, fl: fDefReg, v: fixed(asm.V(0)), rm: fixed(asm.V(0))}
	if l.lv.MaskRegs {
		i.op, i.w, i.v, i.rm = asm.KXORW, 8, fixed(asm.K(1)), fixed(asm.K(1))
	}
	for _, i.reg = range d {
		l.emit(i)
	}
}

// noLanes returns an empty mask.
func (l *masks) noLanes() mask {
	m := l.newMask()
	l.zeroMask(m)
	return m
}

// same returns a mask with one register for all granules.
func (l *masks) same(r reg) mask { return slices.Repeat(mask{r}, l.granules()) }

// maskOp applies an operation to each granule; equal operands give one result.
func (l *masks) maskOp(kop, vop asm.Op, a, b mask) mask {
	return mask(l.eachPair(4, vec(a), vec(b), func(a, b reg) reg {
		if l.lv.MaskRegs {
			return l.kop3(kop, a, b)
		}
		return l.rvm(vop, 32, a, b)
	}))
}

// andMask returns a & m.
func (l *masks) andMask(a, m mask) mask {
	if m == nil {
		return a
	}
	return l.maskOp(asm.KANDW, asm.VPAND, a, m)
}

// andNotMask returns m & ^a.
func (l *masks) andNotMask(a, m mask) mask {
	if m == nil {
		return l.notMask(a)
	}
	return l.maskOp(asm.KANDNW, asm.VPANDN, a, m)
}

func (l *masks) notMask(a mask) mask {
	return mask(l.eachPart(vec(a), func(a reg) reg {
		if l.lv.MaskRegs {
			return l.krvm(asm.KNOTW, 8, 0, a, 0)
		}
		return l.rvm(asm.VPXOR, 32, a, l.constV(4, 0xFFFFFFFF)[0])
	}))
}

// mergeMask overwrites d with a in the lanes e.
func (l *masks) mergeMask(d, a, e mask) {
	for i := range d {
		if !l.lv.MaskRegs {
			l.emit(inst{op: asm.VPBLENDVB, w: 32, fl: fDefReg, reg: d[i], v: d[i], rm: a[i], immReg: e[i]})
			continue
		}
		x := l.kop3(asm.KANDNW, e[i], d[i])
		y := l.kop3(asm.KANDW, e[i], a[i])
		l.emit(inst{op: asm.KORW, w: 8, fl: fDefReg, reg: d[i], v: x, rm: y})
	}
}

// testMask sets the zero flag if no lane is in m.
func (l *masks) testMask(m mask) {
	r, rest := m[0], m[1:]
	if !l.lv.MaskRegs {
		for _, x := range rest {
			r = l.rvm(asm.VPOR, 32, r, x)
		}
		l.emit(inst{op: asm.VPTEST, w: 32, fl: fUseReg, reg: r, rm: r})
		return
	}
	for len(rest) > 1 {
		r, rest = l.kop3(asm.KORW, r, rest[0]), rest[1:]
	}
	s := r
	if len(rest) == 1 {
		s = rest[0]
	}
	l.emit(inst{op: asm.KORTESTW, w: 8, fl: fUseReg, reg: r, rm: s})
}

// granuleBits sets d to the bits of a granule's mask.
func (l *masks) granuleBits(d, m reg) {
	i := inst{op: asm.VMOVMSKPS, w: 32, fl: fDefReg, reg: d, rm: m}
	if l.lv.MaskRegs {
		i.op, i.w = asm.KMOVWR, 4
	}
	l.emit(i)
}

// maskBits sets RAX to the bits of a mask. It clobbers RCX.
func (l *masks) maskBits(m mask) {
	if n := max(len(m)*l.lv.Lanes, l.n); n > mostMasked && (m == nil || n == len(m)*l.lv.Lanes) {
		gang.Refuse("a mask of %d lanes", n)
	}
	if m == nil {
		n := l.n
		if l.oneItem {
			n = 1
		}
		l.movi(rAX, ^uint64(0)>>(64-n))
		return
	}
	l.granuleBits(rAX, m[len(m)-1])
	for i := len(m) - 2; i >= 0; i-- {
		l.opi(asm.SHLIMM, 8, rAX, int64(l.lv.Lanes))
		l.granuleBits(rCX, m[i])
		l.op2(asm.OR, 8, rAX, rCX)
	}
}

// gangMask returns the mask of the lanes that have a work-item.
func (l *masks) gangMask() mask {
	x := l.broadcast(4, l.fetch(8, frameAt(FrameLanes)))
	return l.cmpInt(predLT, 4, true, l.ramp(4, 1), x)
}

var vbroadcast = bySize{1: asm.VPBROADCASTB, 2: asm.VPBROADCASTW, 4: asm.VPBROADCASTD, 8: asm.VPBROADCASTQ}

// Predicates of integer comparisons, as vpcmp numbers them.
const (
	predEQ = 0
	predLT = 1
	predLE = 2
	predNE = 4
	predGE = 5
)

// partMask returns the part of an AVX-512 mask that belongs to register i of elements of
// this size.
func (l *masks) partMask(m mask, size, i int) reg {
	if m == nil {
		return 0
	}
	switch size {
	case 4:
		return m[i]
	case 8:
		if j := l.joined[m[i/2]]; j.n == 1 {
			return j.of[i%2]
		}
		if i%2 == 0 {
			return m[i/2]
		}
		return l.krvm(asm.KSHIFTRW, 8, 0, m[i/2], 8)
	}
	per := 4 / size
	m = m[per*i : min(per*(i+1), len(m))]
	switch {
	case l.oneCut(m):
		return m[0]
	case len(m) == 2:
		return l.kop3(asm.KUNPCKWD, m[1], m[0])
	}
	return l.kop3(asm.KUNPCKDQ, l.kop3(asm.KUNPCKWD, m[3], m[2]), l.kop3(asm.KUNPCKWD, m[1], m[0]))
}

// A cut is the origin of a granule's mask: the mask of a register of narrower elements, from its granule at on.
// Implications between masks of registers also hold for those of granules.
type cut struct {
	of reg
	at int
}

// oneCut reports whether the granules' masks are consecutive parts of one register.
func (l *masks) oneCut(m mask) bool {
	first, known := l.cuts[m[0]]
	for i, r := range m[1:] {
		if c, ok := l.cuts[r]; !ok || !known || c != (cut{first.of, first.at + 1 + i}) {
			return false
		}
	}
	return true
}

// wideMask returns the part of an AVX2 mask that belongs to register i of elements of
// this size.
func (l *masks) wideMask(m mask, size, i int) reg {
	switch size {
	case 4:
		return m[i]
	case 8:
		x := m[i/2]
		if i%2 == 1 {
			x = l.mr(asm.VEXTRACTI128, 32, x, 1)
		}
		return l.rmv(asm.VPMOVSXDQ, 32, x)
	}
	// Granules of a register, each narrowed to 8 elements.
	per := int(l.lv.VL) / size / l.lv.Lanes
	var pieces vec
	for _, x := range m[i*per : min((i+1)*per, len(m))] {
		x = l.rvm(asm.VPACKSSDW, 16, x, l.mr(asm.VEXTRACTI128, 32, x, 1))
		if size == 1 {
			x = l.rvm(asm.VPACKSSWB, 16, x, x)
		}
		pieces = append(pieces, x)
	}
	return l.concat(pieces, 8*size)[0]
}

// toMask converts the results of comparisons of elements of size bytes to a mask. The results are in mask
// registers with AVX-512, else in vectors.
func (l *masks) toMask(r vec, size int) mask {
	if size == 4 {
		return mask(r)
	}
	d := make(mask, l.granules())
	for i := range d {
		switch {
		case size == 8 && l.lv.MaskRegs:
			d[i] = l.kop3(asm.KUNPCKBW, r[2*i+1], r[2*i])
			l.joined[d[i]] = joint{r[2*i : 2*i+2], 1}
		case size == 8:
			d[i] = l.pick(r[2*i], r[2*i+1], 4, 0)
		case l.lv.MaskRegs:
			per := 4 / size // granules of a register
			d[i] = r[i/per]
			if k := i % per; k > 0 {
				d[i] = l.krvm(asm.KSHIFTRQ, 8, 0, r[i/per], int64(16*k))
			}
			l.cuts[d[i]] = cut{r[i/per], i % per}
		default:
			d[i] = l.rmv(extension(size, 4, true).op, 32, l.slice(r, 8*size, i))
		}
	}
	return d
}

var (
	vpcmp   = bySize{1: asm.VPCMPB, 2: asm.VPCMPW, 4: asm.VPCMPD, 8: asm.VPCMPQ}
	vpcmpu  = bySize{1: asm.VPCMPUB, 2: asm.VPCMPUW, 4: asm.VPCMPUD, 8: asm.VPCMPUQ}
	vpcmpeq = bySize{1: asm.VPCMPEQB, 2: asm.VPCMPEQW, 4: asm.VPCMPEQD, 8: asm.VPCMPEQQ}
	vpcmpgt = bySize{1: asm.VPCMPGTB, 2: asm.VPCMPGTW, 4: asm.VPCMPGTD, 8: asm.VPCMPGTQ}
	vcmp    = bySize{4: asm.VCMPPS, 8: asm.VCMPPD}
	vcmpk   = bySize{2: asm.VCMPPHK, 4: asm.VCMPPSK, 8: asm.VCMPPDK}
)

// vptest holds the instructions that test the elements of a & b, by the result that sets a mask bit: true for
// nonzero elements, false for zero ones.
var vptest = map[bool]bySize{false: {4: asm.VPTESTNMD, 8: asm.VPTESTNMQ}, true: {1: asm.VPTESTMB, 2: asm.VPTESTMW, 4: asm.VPTESTMD, 8: asm.VPTESTMQ}}

// compareParts calls f for each register; equal operands give one result.
func (l *masks) compareParts(size int, a, b vec, f func(a, b reg) reg) mask {
	return l.toMask(l.eachPair(size, a, b, f), size)
}

// cmpInt compares integers of this size.
func (l *masks) cmpInt(pred int64, size int, signed bool, a, b vec) mask {
	w := l.width(size)
	if l.lv.MaskRegs {
		op := pair{vpcmp[size], vpcmpu[size]}.of(signed)
		if test := vptest[pred == predNE][size]; test != asm.NoOp && (pred == predEQ || pred == predNE) && !slices.ContainsFunc(b, func(r reg) bool { return !l.zeros(r) }) {
			return l.compareParts(size, a, b, func(a, _ reg) reg { return l.krvm(test, w, a, a, 0) })
		}
		return l.compareParts(size, a, b, func(a, b reg) reg { return l.krvm(op, w, a, b, pred) })
	}
	switch pred {
	case predNE:
		return l.notMask(l.cmpInt(predEQ, size, signed, a, b))
	case predLE:
		return l.notMask(l.cmpInt(predLT, size, signed, b, a))
	}
	if pred == predLT && !signed {
		top := l.constV(size, 1<<(8*size-1))
		a, b = l.each2(size, asm.VPXOR, a, top), l.each2(size, asm.VPXOR, b, top)
	}
	return l.compareParts(size, a, b, func(a, b reg) reg {
		if pred == predEQ {
			return l.rvm(vpcmpeq[size], w, a, b)
		}
		return l.rvm(vpcmpgt[size], w, b, a)
	})
}

// cmpFloat compares floats of 4 or 8 bytes, with AVX512-FP16 of 2, with an AVX predicate.
func (l *masks) cmpFloat(pred int64, size int, a, b vec) mask {
	w := l.width(size)
	return l.compareParts(size, a, b, func(a, b reg) reg {
		if l.lv.MaskRegs {
			return l.krvm(vcmpk[size], w, a, b, pred)
		}
		return l.rvmi(vcmp[size], w, a, b, pred)
	})
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

// Moves of the elements of a mask, between registers or from memory, and to memory.
var (
	vmerge   = bySize{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32, 8: asm.VMOVDQU64}
	vmergeST = bySize{1: asm.VMOVDQU8ST, 2: asm.VMOVDQU16ST, 4: asm.VMOVDQU32ST, 8: asm.VMOVDQU64ST}
)

// blendTo overwrites d with a in the lanes e.
func (l *masks) blendTo(d, a vec, e mask, size int) {
	w := l.width(size)
	for i := range d {
		if l.lv.MaskRegs {
			l.emit(inst{op: vmerge[size], w: w, fl: fDefReg | fUseReg, reg: d[i], rm: a[i], mask: l.partMask(e, size, i)})
		} else {
			l.emit(inst{op: asm.VPBLENDVB, w: w, fl: fDefReg, reg: d[i], v: d[i], rm: a[i], immReg: l.wideMask(e, size, i)})
		}
	}
}

// maskFor returns the part of a mask that belongs to register i of elements of this size.
func (l *masks) maskFor(m mask, size, i int) reg {
	if l.lv.MaskRegs {
		return l.partMask(m, size, i)
	}
	return l.wideMask(m, size, i)
}

// blend returns the elements of b in a mask of a register, else those of a.
func (c *code) blend(size int, w asm.Width, a, b, m reg) reg {
	switch zero := c.zeros(a); {
	case zero && c.lv.MaskRegs:
		return c.result(cV, inst{op: vmerge[size], w: w, rm: b, mask: m, zero: true})
	case zero:
		return c.rvm(asm.VPAND, w, m, b)
	case c.lv.MaskRegs:
		return c.result(cV, inst{op: vblend[size], w: w, v: a, rm: b, mask: m})
	}
	return c.result(cV, inst{op: asm.VPBLENDVB, w: w, v: a, rm: b, immReg: m})
}

var vblend = bySize{1: asm.VPBLENDMB, 2: asm.VPBLENDMW, 4: asm.VPBLENDMD, 8: asm.VPBLENDMQ}

// choose returns a where the mask is set, else b.
func (l *masks) choose(m mask, a, b vec, size int) vec {
	w := l.width(size)
	return l.each(l.numParts(size), func(i int) reg { return l.blend(size, w, b[i], a[i], l.maskFor(m, size, i)) })
}

// keep returns a where the mask is set, else 0.
func (l *masks) keep(m mask, a vec, size int) vec {
	w := l.width(size)
	return l.each(l.numParts(size), func(i int) reg {
		k := l.maskFor(m, size, i)
		if !l.lv.MaskRegs {
			return l.rvm(asm.VPAND, w, a[i], k)
		}
		return l.result(cV, inst{op: vmerge[size], w: w, rm: a[i], mask: k, zero: true})
	})
}

// constMask returns a mask register with bits.
func (l *masks) constMask(bits uint64) reg {
	return l.inPrologue(constKey{kind: keyMask, bits: bits}, func() reg {
		return l.krvm(asm.KMOVQG, 8, 0, l.newConst(bits), 0)
	})
}

// mostMasked is how many lanes a mask in a general register has.
const mostMasked = 64

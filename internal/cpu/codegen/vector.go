package codegen

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// K returns the mask of element c of a Bool.
func (l *lowerer) K(v *ssa.Value, c int) mask {
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
		if l.lv.AVX512 {
			x.k[c] = l.same(l.bitsMask(t))
		} else {
			x.k[c] = l.same(l.broadcast(4, t)[0])
		}
	})
	return x.k[c]
}

// G returns the general register of element c of a uniform value, or of the first lane
// of an affine one.
func (l *lowerer) G(v *ssa.Value, c int) reg {
	v = l.real(v)
	x := &l.vals[v.ID]
	if x.g == nil {
		x.g = make([]reg, v.Type.N)
	}
	if x.g[c] != 0 {
		return x.g[c]
	}
	if x.known {
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
	// The first lane of a vector.
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

// normal zero-extends the low bytes of a general register.
func (l *lowerer) normal(d reg, size int) {
	switch size {
	case 1:
		l.emit(inst{op: asm.MOVZX8, w: 4, fl: fDefReg, reg: d, rm: d})
	case 2:
		l.emit(inst{op: asm.MOVZX16, w: 4, fl: fDefReg, reg: d, rm: d})
	}
}

// V returns the vector registers of element c.
func (l *lowerer) V(v *ssa.Value, c int) vec {
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
	switch {
	case v.Op == ssa.OpConst:
		x.v[c] = l.constV(sz, v.ConstElem(c))
	case x.known:
		x.v[c] = l.knownV(v)
	case v.Type.K == ssa.Bool:
		// Only where a Bool is stored or passed on as a number.
		k := l.K(v, c)
		l.anchored(v, func() { x.v[c] = l.keep(k, l.constV(1, 1), 1) })
	case x.affine && !x.sure(), x.lazy && l.plan.Varying[v.ID] && !x.affine:
		l.anchored(v, func() { x.v[c] = l.vectorOp(v, c) })
	case x.affine:
		g := l.G(v, c)
		ramp := l.ramp(sz, x.stride)
		l.anchored(v, func() { x.v[c] = l.alongLanes(v, l.broadcast(sz, g), ramp) })
	default:
		g := l.G(v, c)
		l.anchored(v, func() { x.v[c] = l.broadcast(sz, g) })
	}
	return x.v[c]
}

// rarely reports whether vectors of v are better made where they are needed, which is in
// a block for few gangs, than where v is known.
func (l *lowerer) rarely(v *ssa.Value) bool {
	if l.block == nil || !l.plan.Rare(l.block) || v.Op == ssa.OpConst || v.Type.K == ssa.Bool || v.Block == nil || l.plan.Rare(v.Block) {
		return false
	}
	x := &l.vals[v.ID]
	return x.affine || !l.plan.Varying[v.ID]
}

// vectorHere makes the vectors of element c of a uniform value or of an affine one for
// the current block.
func (l *lowerer) vectorHere(v *ssa.Value, c int) vec {
	// What is made at the beginning of the block is known in all of it, but not at places
	// before it that code is added to.
	key := elementOf{v, c}
	placed := l.cur.id < len(l.blocks) && l.blocks[l.cur.id] == l.cur
	if p := l.here[key]; p != nil && placed {
		return p
	}
	x := &l.vals[v.ID]
	sz := size(v.Type.K)
	var p vec
	switch {
	case x.affine && !x.sure():
		p = l.vectorOp(v, c)
	case x.affine:
		p = l.alongLanes(v, l.broadcast(sz, l.G(v, c)), l.ramp(sz, x.stride))
	default:
		p = l.broadcast(sz, l.G(v, c))
	}
	if l.cur == l.body[l.block.ID] {
		l.here[key] = p
	}
	return p
}

type elementOf struct {
	v *ssa.Value
	c int
}

// alongLanes adds the lanes' steps to the first lane's value of an affine one. A pointer
// moves within its object: the first lane may be inactive and lie before the beginning.
func (l *lowerer) alongLanes(v *ssa.Value, first, ramp vec) vec {
	if v.Type.K.IsPtr() {
		return l.ptrAdd(first, ramp)
	}
	return l.each2(size(v.Type.K), vadd[size(v.Type.K)], first, ramp)
}

var (
	vadd  = map[int]asm.Op{1: asm.VPADDB, 2: asm.VPADDW, 4: asm.VPADDD, 8: asm.VPADDQ}
	vsub  = map[int]asm.Op{1: asm.VPSUBB, 2: asm.VPSUBW, 4: asm.VPSUBD, 8: asm.VPSUBQ}
	vadds = map[int]asm.Op{1: asm.VPADDSB, 2: asm.VPADDSW}
	vaddu = map[int]asm.Op{1: asm.VPADDUSB, 2: asm.VPADDUSW}
	vsubs = map[int]asm.Op{1: asm.VPSUBSB, 2: asm.VPSUBSW}
	vsubu = map[int]asm.Op{1: asm.VPSUBUSB, 2: asm.VPSUBUSW}
	vmins = map[int]asm.Op{1: asm.VPMINSB, 2: asm.VPMINSW, 4: asm.VPMINSD, 8: asm.VPMINSQ}
	vminu = map[int]asm.Op{1: asm.VPMINUB, 2: asm.VPMINUW, 4: asm.VPMINUD, 8: asm.VPMINUQ}
	vmaxs = map[int]asm.Op{1: asm.VPMAXSB, 2: asm.VPMAXSW, 4: asm.VPMAXSD, 8: asm.VPMAXSQ}
	vmaxu = map[int]asm.Op{1: asm.VPMAXUB, 2: asm.VPMAXUW, 4: asm.VPMAXUD, 8: asm.VPMAXUQ}
	vabs  = map[int]asm.Op{1: asm.VPABSB, 2: asm.VPABSW, 4: asm.VPABSD, 8: asm.VPABSQ}
)

// vectorOp computes element c of an elementwise op in vector registers.
func (l *lowerer) vectorOp(v *ssa.Value, c int) vec {
	k := v.Args[0].Type.K.Num()
	var p vec
	ok := false
	switch {
	case v.Op == ssa.OpCopy, v.Op == ssa.OpPtrCast:
		return l.V(v.Args[0], c)
	case v.Op == ssa.OpConvert:
		p, ok = l.convert(v, c)
	case v.Op == ssa.OpPtrAdd:
		return l.ptrAdd(l.V(v.Args[0], 0), l.V(v.Args[1], 0))
	case v.Op == ssa.OpBitcast && size(v.Type.K) == size(v.Args[0].Type.K):
		return l.V(v.Args[0], c)
	case k.IsFloat() && k.Size() == 2:
		p, ok = l.halfOp(v, c)
	case k.IsFloat():
		p, ok = l.floatOp(v, c, k.Size())
	case k.IsInt():
		p, ok = l.intOp(v, c, k.Size(), k.Signed())
	}
	if ok {
		return p
	}
	if v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpPtrCast {
		return l.outside(v, c)
	}
	refuse("%v of %v", v.Op, v.Type)
	return vec{}
}

// ptrAdd adds offsets to pointers within their objects.
func (l *lowerer) ptrAdd(p, off vec) vec {
	mask := l.constV(8, ssa.OffsetMask)
	sum := l.each2(8, asm.VPADDQ, p, off)
	if l.lv.AVX512 {
		// The sum where the mask is set, else p: ternary logic (mask ? sum : p).
		return l.eachPair(8, sum, p, func(sum, p reg) reg {
			d := l.vr()
			l.vmov(d, mask[0])
			l.emit(inst{op: asm.VPTERNLOGQ, w: 64, fl: fDefReg | fUseReg, reg: d, v: sum, rm: p, imm: 0xCA})
			return d
		})
	}
	return l.each2(8, asm.VPOR, l.each2(8, asm.VPAND, sum, mask), l.each2(8, asm.VPANDN, mask, p))
}

func (l *lowerer) floatOp(v *ssa.Value, c, size int) (p vec, ok bool) {
	pick := func(s, d asm.Op) asm.Op {
		if size == 8 {
			return d
		}
		return s
	}
	a := l.V(v.Args[0], c)
	two := func(s, d asm.Op) (vec, bool) { return l.each2(size, pick(s, d), a, l.V(v.Args[1], c)), true }
	sign := uint64(1) << (8*size - 1)
	switch v.Op {
	case ssa.OpAdd:
		return two(asm.VADDPS, asm.VADDPD)
	case ssa.OpSub:
		return two(asm.VSUBPS, asm.VSUBPD)
	case ssa.OpMul:
		return two(asm.VMULPS, asm.VMULPD)
	case ssa.OpDiv:
		return two(asm.VDIVPS, asm.VDIVPD)
	case ssa.OpSqrt:
		return l.each1(size, pick(asm.VSQRTPS, asm.VSQRTPD), a), true
	case ssa.OpMin, ssa.OpMax:
		return l.minMaxFloat(v.Op == ssa.OpMin, size, a, l.V(v.Args[1], c)), true
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		b, d := l.V(v.Args[1], c), l.V(v.Args[2], c)
		return l.fusedMulAdd(v.Op, size, a, b, d), true
	case ssa.OpNeg:
		return l.each2(size, asm.VPXOR, a, l.constV(size, sign)), true
	case ssa.OpFabs:
		return l.each2(size, asm.VPAND, a, l.constV(size, sign-1)), true
	case ssa.OpCopySign:
		b := l.V(v.Args[1], c)
		return l.each2(size, asm.VPOR, l.each2(size, asm.VPAND, a, l.constV(size, sign-1)), l.each2(size, asm.VPAND, b, l.constV(size, sign))), true
	case ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		imm := map[ssa.Op]int64{ssa.OpRint: 8, ssa.OpFloor: 9, ssa.OpCeil: 10, ssa.OpTrunc: 11}[v.Op]
		return l.roundTo(size, a, imm), true
	}
	return p, false
}

// minMaxFloat returns the lesser or the greater of two floats, of two zeros a, and of a NaN
// and a number the number.
func (l *lowerer) minMaxFloat(least bool, size int, a, b vec) vec {
	op, greatest := limiters(size)
	if !least {
		op = greatest
	}
	m := l.each2(size, op, b, a) // a where either is a NaN or both are zero
	return l.choose(l.cmpFloat(cmpUNORD, size, a, a), b, m, size)
}

// roundTo rounds floats to integral numbers.
func (l *lowerer) roundTo(size int, a vec, imm int64) vec {
	op := asm.VROUNDPS
	if l.lv.AVX512 {
		op = asm.VRNDSCALEPS
	}
	if size == 8 {
		op = asm.VROUNDPD
		if l.lv.AVX512 {
			op = asm.VRNDSCALEPD
		}
	}
	return l.eachI(size, op, a, imm)
}

// halfOp computes in float and rounds once more; see numeric.Half for why that is right.
func (l *lowerer) halfOp(v *ssa.Value, c int) (p vec, ok bool) {
	a := l.V(v.Args[0], c)
	switch v.Op {
	case ssa.OpNeg:
		return l.each2(2, asm.VPXOR, a, l.constV(2, 0x8000)), true
	case ssa.OpFabs:
		return l.each2(2, asm.VPAND, a, l.constV(2, 0x7fff)), true
	case ssa.OpCopySign:
		b := l.V(v.Args[1], c)
		return l.each2(2, asm.VPOR, l.each2(2, asm.VPAND, a, l.constV(2, 0x7fff)), l.each2(2, asm.VPAND, b, l.constV(2, 0x8000))), true
	}
	if l.lv.FP16 {
		return l.nativeHalf(v, c, a)
	}
	switch v.Op {
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return l.halfFMA(v.Op, a, l.V(v.Args[1], c), l.V(v.Args[2], c)), true
	}
	up := l.fromHalf
	fa := up(a)
	var r vec
	switch v.Op {
	case ssa.OpAdd:
		r = l.each2(4, asm.VADDPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpSub:
		r = l.each2(4, asm.VSUBPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpMul:
		r = l.each2(4, asm.VMULPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpDiv:
		r = l.each2(4, asm.VDIVPS, fa, up(l.V(v.Args[1], c)))
	case ssa.OpSqrt:
		r = l.each1(4, asm.VSQRTPS, fa)
	case ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		imm := map[ssa.Op]int64{ssa.OpRint: 8, ssa.OpFloor: 9, ssa.OpCeil: 10, ssa.OpTrunc: 11}[v.Op]
		r = l.roundTo(4, fa, imm)
	case ssa.OpMin, ssa.OpMax:
		b := l.V(v.Args[1], c)
		fb := up(b)
		// b where a is a NaN or b is less (greater); else a.
		x, y := fb, fa
		if v.Op == ssa.OpMax {
			x, y = fa, fb
		}
		less := l.cmpFloat(cmpLT, 4, x, y)
		nan := l.cmpFloat(cmpUNORD, 4, fa, fa)
		return l.choose(nan, b, l.choose(less, b, a, 2), 2), true
	default:
		return p, false
	}
	return l.toHalf(r, 0), true
}

// logical returns a & b and the like, which do not depend on the element.
var logical = map[ssa.Op]asm.Op{ssa.OpAnd: asm.VPAND, ssa.OpOr: asm.VPOR, ssa.OpXor: asm.VPXOR}

func (l *lowerer) intOp(v *ssa.Value, c, size int, signed bool) (p vec, ok bool) {
	if v.Op == ssa.OpDot {
		return l.dot(v, c), true
	}
	a := l.V(v.Args[0], c)
	b := a
	if len(v.Args) > 1 {
		b = l.V(v.Args[1], c)
	}
	by := func(t map[int]asm.Op) (vec, bool) {
		op, ok := t[size]
		if !ok {
			return p, false
		}
		return l.each2(size, op, a, b), true
	}
	switch v.Op {
	case ssa.OpAdd:
		return by(vadd)
	case ssa.OpSub:
		return by(vsub)
	case ssa.OpNeg:
		return l.each2(size, vsub[size], l.constV(size, 0), a), true
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		if p := l.ternary(v, c); p != nil {
			return p, true
		}
		return l.each2(size, logical[v.Op], a, b), true
	case ssa.OpNot:
		return l.each2(size, asm.VPXOR, a, l.constV(size, ^uint64(0)>>(64-8*size))), true
	case ssa.OpMul:
		if bits, ok := elemOf(v.Args[1], c); ok {
			if p := l.times(size, a, bits); p != nil {
				return p, true
			}
		}
		if p := l.shortProduct(v, size, a, b); p != nil {
			return p, true
		}
		return l.mulInt(size, a, b)
	case ssa.OpMin, ssa.OpMax:
		return l.minMax(v.Op == ssa.OpMin, size, signed, a, b), true
	case ssa.OpAbs:
		if !signed {
			return a, true
		}
		if size == 8 && !l.lv.AVX512 {
			neg := l.cmpInt(predLT, 8, true, a, l.constV(8, 0))
			return l.choose(neg, l.each2(8, asm.VPSUBQ, l.constV(8, 0), a), a, 8), true
		}
		return l.each1(size, vabs[size], a), true
	case ssa.OpAbsDiff:
		return l.each2(size, vsub[size], l.minMax(false, size, signed, a, b), l.minMax(true, size, signed, a, b)), true
	case ssa.OpPopcount:
		return l.popcount(size, a), true
	case ssa.OpHAdd, ssa.OpRHAdd:
		if v.Op == ssa.OpRHAdd && !signed && size <= 2 {
			return l.each2(size, map[int]asm.Op{1: asm.VPAVGB, 2: asm.VPAVGW}[size], a, b), true
		}
		if size == 8 && signed && !l.lv.AVX512 {
			return p, false
		}
		if size == 1 || size == 2 && !signed {
			return l.average(v.Op == ssa.OpRHAdd, size, signed, a, b), true
		}
		half := l.shiftRight(size, signed, l.each2(size, asm.VPXOR, a, b), 1)
		if v.Op == ssa.OpHAdd {
			return l.each2(size, vadd[size], l.each2(size, asm.VPAND, a, b), half), true
		}
		return l.each2(size, vsub[size], l.each2(size, asm.VPOR, a, b), half), true
	case ssa.OpAddSat, ssa.OpSubSat:
		if p := l.dotSaturated(v, c); p != nil {
			return p, true
		}
		return l.saturating(v.Op == ssa.OpAddSat, size, signed, a, b)
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		// The count may be of another type; only its low bits matter.
		if n := v.Args[1].Type.K.Num().Size(); n < size {
			b = l.extend(n, size, false, b)
		} else {
			b = l.truncate(n, size, b)
		}
		return l.shift(v, size, signed, a, b, c)
	case ssa.OpMulHi:
		return l.mulHigh(size, signed, a, b)
	case ssa.OpClz:
		return l.leadingZeros(size, a)
	case ssa.OpDiv, ssa.OpRem:
		return l.divide(v.Op == ssa.OpRem, size, signed, a, b)
	}
	return p, false
}

// average returns (a+b+1)>>1, or (a+b)>>1, of bytes and 16-bit integers. The instruction is
// for unsigned ones; signed ones are moved into their range.
func (l *lowerer) average(up bool, size int, signed bool, a, b vec) vec {
	bias := l.constV(size, 1<<(8*size-1))
	if signed {
		a, b = l.each2(size, asm.VPXOR, a, bias), l.each2(size, asm.VPXOR, b, bias)
	}
	r := l.each2(size, map[int]asm.Op{1: asm.VPAVGB, 2: asm.VPAVGW}[size], a, b)
	if !up {
		odd := l.each2(size, asm.VPAND, l.each2(size, asm.VPXOR, a, b), l.constV(size, 1))
		r = l.each2(size, vsub[size], r, odd)
	}
	if signed {
		r = l.each2(size, asm.VPXOR, r, bias)
	}
	return r
}

func (l *lowerer) minMax(least bool, size int, signed bool, a, b vec) vec {
	if size == 8 && !l.lv.AVX512 {
		lt := l.cmpInt(predLT, 8, signed, a, b)
		if least {
			return l.choose(lt, a, b, 8)
		}
		return l.choose(lt, b, a, 8)
	}
	t := vmaxu
	switch {
	case least && signed:
		t = vmins
	case least:
		t = vminu
	case signed:
		t = vmaxs
	}
	return l.each2(size, t[size], a, b)
}

func (l *lowerer) shiftRight(size int, signed bool, a vec, n int64) vec {
	if n == 0 {
		return a
	}
	ops := map[int]asm.Op{2: asm.VPSRLW, 4: asm.VPSRLD, 8: asm.VPSRLQ}
	if signed {
		ops = map[int]asm.Op{2: asm.VPSRAW, 4: asm.VPSRAD, 8: asm.VPSRAQ}
	}
	return l.eachShift(size, ops[size], a, n)
}

// wide applies f to 8-bit or 16-bit operands extended to 32 bits.
func (l *lowerer) wide(size int, signed bool, a, b vec, f func(a, b vec) vec) vec {
	return l.truncate(4, size, f(l.extend(size, 4, signed, a), l.extend(size, 4, signed, b)))
}

// times multiplies integers of 4 or 8 bytes by a constant that is the sum or difference of
// two powers of two, in much less time than a multiplication takes; of other constants, nil.
func (l *lowerer) times(size int, a vec, c uint64) vec {
	left, ok := map[int]asm.Op{4: asm.VPSLLD, 8: asm.VPSLLQ}[size]
	if !ok || c == 0 {
		return nil
	}
	low := bits.TrailingZeros64(c)
	if low > 0 && size == 4 {
		return nil // two shifts are no better
	}
	shl := func(n int) vec {
		if n == 0 {
			return a
		}
		return l.eachShift(size, left, a, int64(n))
	}
	power := func(x uint64) (n int, ok bool) { return bits.TrailingZeros64(x), x&(x-1) == 0 && x != 0 }
	c &= ones(8 * size)
	if n, ok := power(c - 1<<low); ok {
		return l.each2(size, vadd[size], shl(n), shl(low))
	}
	if n, ok := power((c + 1<<low) & ones(8*size)); ok {
		return l.each2(size, vsub[size], shl(n), shl(low))
	}
	if n, ok := power((1<<low - c) & ones(8*size)); ok {
		return l.each2(size, vsub[size], shl(low), shl(n))
	}
	return nil
}

// shortProduct multiplies numbers of 32 bits that have only 16, by an instruction that adds
// the products of both halves: the upper one of a factor is made 0. That takes half the
// time of a multiplication. It returns nil of others.
func (l *lowerer) shortProduct(v *ssa.Value, size int, a, b vec) vec {
	x, y := l.real(v.Args[0]), l.real(v.Args[1])
	if size != 4 || !short(x) || !short(y) {
		return nil
	}
	switch {
	case valueBits(y) < 16:
	case valueBits(x) < 16:
		a, b = b, a
	case l.plan.Varying[y.ID]:
		a = l.each2(4, asm.VPAND, a, l.constV(4, 0xFFFF))
	default:
		b = l.each2(4, asm.VPAND, b, l.constV(4, 0xFFFF))
	}
	return l.each2(4, asm.VPMADDWD, a, b)
}

// short reports whether a number is one of 16 bits with a sign.
func short(v *ssa.Value) bool {
	if v.Op == ssa.OpConvert {
		k := v.Args[0].Type.K.Num()
		return k.IsInt() && (k.Size() == 1 || k.Size() == 2 && k.Signed())
	}
	return valueBits(v) < 16
}

func (l *lowerer) mulInt(size int, a, b vec) (p vec, ok bool) {
	switch size {
	case 1:
		return l.wide(1, false, a, b, func(a, b vec) vec { return l.each2(4, asm.VPMULLD, a, b) }), true
	case 2:
		return l.each2(2, asm.VPMULLW, a, b), true
	case 4:
		return l.each2(4, asm.VPMULLD, a, b), true
	}
	if l.lv.AVX512 {
		return l.each2(8, asm.VPMULLQ, a, b), true
	}
	// lo·lo + ((hi·lo + lo·hi) << 32)
	cross := l.each2(8, asm.VPADDQ,
		l.each2(8, asm.VPMULUDQ, l.shiftRight(8, false, a, 32), b),
		l.each2(8, asm.VPMULUDQ, a, l.shiftRight(8, false, b, 32)))
	return l.each2(8, asm.VPADDQ, l.each2(8, asm.VPMULUDQ, a, b), l.eachShift(8, asm.VPSLLQ, cross, 32)), true
}

func (l *lowerer) mulHigh(size int, signed bool, a, b vec) (p vec, ok bool) {
	switch size {
	case 1:
		return l.wide(1, signed, a, b, func(a, b vec) vec {
			return l.shiftRight(4, true, l.each2(4, asm.VPMULLD, a, b), 8)
		}), true
	case 2:
		if signed {
			return l.each2(2, asm.VPMULHW, a, b), true
		}
		return l.each2(2, asm.VPMULHUW, a, b), true
	case 4:
		op := asm.VPMULUDQ
		if signed {
			op = asm.VPMULDQ
		}
		odd := func(x vec) vec { return l.eachShift(4, asm.VPSRLQ, x, 32) }
		even := l.eachShift(4, asm.VPSRLQ, l.each2(4, op, a, b), 32)
		high := l.each2(4, op, odd(a), odd(b))
		keep := l.table(l.lv.VL, repeat([]byte{0, 0, 0, 0, 255, 255, 255, 255}, int(l.lv.VL)))
		x := l.each2(4, asm.VPAND, high, l.everywhere(keep, 4))
		return l.each2(4, asm.VPOR, x, even), true
	}
	return p, false
}

func repeat(b []byte, n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		out = append(out, b...)
	}
	return out
}

// saturating adds or subtracts.
func (l *lowerer) saturating(add bool, size int, signed bool, a, b vec) (p vec, ok bool) {
	t := map[[2]bool]map[int]asm.Op{{true, true}: vadds, {true, false}: vaddu, {false, true}: vsubs, {false, false}: vsubu}[[2]bool{add, signed}]
	if op, ok := t[size]; ok {
		return l.each2(size, op, a, b), true
	}
	op := vsub[size]
	if add {
		op = vadd[size]
	}
	sum := l.each2(size, op, a, b)
	if !signed {
		if add {
			over := l.cmpInt(predLT, size, false, sum, a)
			return l.choose(over, l.constV(size, ^uint64(0)>>(64-8*size)), sum, size), true
		}
		under := l.cmpInt(predLT, size, false, a, b)
		return l.choose(under, l.constV(size, 0), sum, size), true
	}
	// Overflow where the operands' signs (of a difference: differ) and the sum's differs
	// from a's. The result is then the bound on a's side.
	x := l.each2(size, asm.VPXOR, a, b)
	y := l.each2(size, asm.VPXOR, a, sum)
	var bad vec
	if add {
		bad = l.each2(size, asm.VPANDN, x, y)
	} else {
		bad = l.each2(size, asm.VPAND, x, y)
	}
	zero := l.constV(size, 0)
	over := l.cmpInt(predLT, size, true, bad, zero)
	top := uint64(1) << (8*size - 1)
	neg := l.cmpInt(predLT, size, true, a, zero)
	return l.choose(over, l.choose(neg, l.constV(size, top), l.constV(size, top-1), size), sum, size), true
}

// shift shifts or rotates by the second operand modulo the width.
func (l *lowerer) shift(v *ssa.Value, size int, signed bool, a, b vec, c int) (p vec, ok bool) {
	bits := uint64(8 * size)
	n, imm := elemOf(v.Args[1], c)
	n &= bits - 1
	if size == 1 && v.Op != ssa.OpRotl {
		return l.narrowShift(v.Op, size, signed, a, b), true
	}
	if v.Op == ssa.OpRotl {
		if size < 4 {
			return p, false
		}
		if l.lv.AVX512 {
			op := map[int]asm.Op{4: asm.VPROLVD, 8: asm.VPROLVQ}[size]
			if imm {
				return l.eachShift(size, map[int]asm.Op{4: asm.VPROLD, 8: asm.VPROLQ}[size], a, int64(n)), true
			}
			return l.each2(size, op, a, b), true
		}
		if imm {
			if n == 0 {
				return a, true
			}
			left := map[int]asm.Op{4: asm.VPSLLD, 8: asm.VPSLLQ}[size]
			return l.each2(size, asm.VPOR, l.eachShift(size, left, a, int64(n)), l.shiftRight(size, false, a, int64(bits-n))), true
		}
		cnt := l.each2(size, asm.VPAND, b, l.constV(size, bits-1))
		rest := l.each2(size, vsub[size], l.constV(size, bits), cnt)
		lv := map[int]asm.Op{4: asm.VPSLLVD, 8: asm.VPSLLVQ}[size]
		rv := map[int]asm.Op{4: asm.VPSRLVD, 8: asm.VPSRLVQ}[size]
		return l.each2(size, asm.VPOR, l.each2(size, lv, a, cnt), l.each2(size, rv, a, rest)), true
	}
	if imm && n == 0 {
		return a, true
	}
	arith := v.Op == ssa.OpShr && signed
	if imm && !(arith && size == 8 && !l.lv.AVX512) {
		if v.Op == ssa.OpShr {
			return l.shiftRight(size, signed, a, int64(n)), true
		}
		return l.eachShift(size, map[int]asm.Op{2: asm.VPSLLW, 4: asm.VPSLLD, 8: asm.VPSLLQ}[size], a, int64(n)), true
	}
	if size == 2 && !l.lv.AVX512 {
		return l.narrowShift(v.Op, size, signed, a, b), true
	}
	cnt := l.each2(size, asm.VPAND, b, l.constV(size, bits-1))
	if arith && size == 8 && !l.lv.AVX512 {
		// (a logically shifted ^ m) − m with m the shifted sign bit.
		m := l.each2(8, asm.VPSRLVQ, l.constV(8, 1<<63), cnt)
		return l.each2(8, asm.VPSUBQ, l.each2(8, asm.VPXOR, l.each2(8, asm.VPSRLVQ, a, cnt), m), m), true
	}
	t := map[int]asm.Op{2: asm.VPSLLVW, 4: asm.VPSLLVD, 8: asm.VPSLLVQ}
	if v.Op == ssa.OpShr {
		t = map[int]asm.Op{2: asm.VPSRLVW, 4: asm.VPSRLVD, 8: asm.VPSRLVQ}
		if signed {
			t = map[int]asm.Op{2: asm.VPSRAVW, 4: asm.VPSRAVD, 8: asm.VPSRAVQ}
		}
	}
	return l.each2(size, t[size], a, cnt), true
}

func (l *lowerer) narrowShift(op ssa.Op, size int, signed bool, a, b vec) vec {
	x := l.extend(size, 4, signed, a)
	n := l.each2(4, asm.VPAND, l.extend(size, 4, false, b), l.constV(4, uint64(8*size-1)))
	mop := asm.VPSLLVD
	if op == ssa.OpShr {
		mop = asm.VPSRLVD
		if signed {
			mop = asm.VPSRAVD
		}
	}
	return l.truncate(4, size, l.each2(4, mop, x, n))
}

func (l *lowerer) leadingZeros(size int, a vec) (p vec, ok bool) {
	if !l.lv.AVX512 {
		return p, false
	}
	switch size {
	case 8:
		return l.each1(8, asm.VPLZCNTQ, a), true
	case 4:
		return l.each1(4, asm.VPLZCNTD, a), true
	}
	x := l.each1(4, asm.VPLZCNTD, l.extend(size, 4, false, a))
	return l.truncate(4, size, l.each2(4, asm.VPSUBD, x, l.constV(4, uint64(32-8*size)))), true
}

// popcount counts one bits: those of half bytes by a table, then it adds neighbours.
func (l *lowerer) popcount(size int, a vec) vec {
	if l.lv.FP16 {
		return l.each1(size, map[int]asm.Op{1: asm.VPOPCNTB, 2: asm.VPOPCNTW, 4: asm.VPOPCNTD, 8: asm.VPOPCNTQ}[size], a)
	}
	t := l.table(l.lv.VL, repeat([]byte{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}, int(l.lv.VL)))
	w := l.width(size)
	low := l.constV(size, 0x0F0F0F0F0F0F0F0F>>(64-8*size))
	half := func(x vec) vec {
		x = l.each2(size, asm.VPAND, x, low)
		return l.eachPart(x, func(x reg) reg { return l.rvm(asm.VPSHUFB, w, t, x) })
	}
	// The bits that a shift brings from a neighbour are cut off.
	high := l.eachPart(a, func(x reg) reg { return l.vshift(asm.VPSRLW, w, x, 4) })
	sum := l.each2(size, asm.VPADDB, half(a), half(high))
	for n := 1; n < size; n *= 2 {
		shifted := l.eachPart(sum, func(x reg) reg { return l.vshift(asm.VPSRLQ, w, x, int64(8*n)) })
		sum = l.each2(size, asm.VPADDB, sum, shifted)
	}
	if size == 1 {
		return sum
	}
	return l.each2(size, asm.VPAND, sum, l.constV(size, 0x7F))
}

// divide divides integers of up to 32 bits by way of double, which is exact.
func (l *lowerer) divide(rem bool, size int, signed bool, a, b vec) (p vec, ok bool) {
	if size == 8 {
		return p, false
	}
	if size < 4 {
		x, y := l.extend(size, 4, signed, a), l.extend(size, 4, signed, b)
		q, ok := l.divide(rem, 4, true, x, y) // extended numbers are in range of int
		return l.truncate(4, size, q), ok
	}
	if !signed && !l.lv.AVX512 {
		return p, false
	}
	to, from := asm.VCVTDQ2PD, asm.VCVTTPD2DQ
	if !signed {
		to, from = asm.VCVTUDQ2PD, asm.VCVTTPD2UDQ
	}
	zero := l.cmpInt(predEQ, 4, true, b, l.constV(4, 0))
	da, db := l.toWide(to, a), l.toWide(to, b)
	q := l.fromWide(from, l.each2(8, asm.VDIVPD, da, db))
	if rem {
		r := l.each2(4, asm.VPSUBD, a, l.each2(4, asm.VPMULLD, q, b))
		return l.keep(l.notMask(zero), r, 4), true
	}
	return l.keep(l.notMask(zero), q, 4), true
}

// A fusedOp is a fused operation's instructions: with a the first factor, b the second and
// d the addend, those that overwrite b (or a), a (or b) with b (or a) in memory, and d.
type fusedOp struct{ f213, f132, f231 asm.Op }

var fused = map[ssa.Op]*[3]fusedOp{
	ssa.OpFMA:  {{asm.VFMADD213PS, asm.VFMADD132PS, asm.VFMADD231PS}, {asm.VFMADD213PD, asm.VFMADD132PD, asm.VFMADD231PD}, {asm.VFMADD213PH, asm.VFMADD132PH, asm.VFMADD231PH}},
	ssa.OpFMS:  {{asm.VFMSUB213PS, asm.VFMSUB132PS, asm.VFMSUB231PS}, {asm.VFMSUB213PD, asm.VFMSUB132PD, asm.VFMSUB231PD}, {asm.VFMSUB213PH, asm.VFMSUB132PH, asm.VFMSUB231PH}},
	ssa.OpFNMA: {{asm.VFNMADD213PS, asm.VFNMADD132PS, asm.VFNMADD231PS}, {asm.VFNMADD213PD, asm.VFNMADD132PD, asm.VFNMADD231PD}, {asm.VFNMADD213PH, asm.VFNMADD132PH, asm.VFNMADD231PH}},
}

// fusedMulAdd returns a·b + d, a·b - d or d - a·b, rounded once.
func (l *lowerer) fusedMulAdd(fma ssa.Op, size int, a, b, d vec) vec {
	op := &fused[fma][map[int]int{4: 0, 8: 1, 2: 2}[size]]
	w := l.width(size)
	r := make(vec, l.parts(size))
	for i := range r {
		if i > 0 && a[i] == a[i-1] && b[i] == b[i-1] && d[i] == d[i-1] {
			r[i] = r[i-1]
			continue
		}
		r[i] = l.vr()
		l.emit(inst{kind: kNormal, op: op.f213, w: w, fl: fDefReg, reg: r[i], v: a[i], rm: b[i], immReg: d[i], fused: op})
		l.regs.Hint(r[i], d[i])
	}
	return r
}

// toWide applies a conversion from 32-bit to 64-bit elements.
func (l *lowerer) toWide(op asm.Op, p vec) vec {
	return l.widen(widening{op, 4, 8}, p)
}

// fromWide applies a conversion from 64-bit to 32-bit elements.
func (l *lowerer) fromWide(op asm.Op, p vec) vec {
	w := l.width(8)
	return l.narrowing(8, 4, p, func(x reg) reg { return l.rmv(op, w, x) })
}

// fromHalf converts half to float.
func (l *lowerer) fromHalf(p vec) vec {
	return l.widen(widening{asm.VCVTPH2PS, 2, 4}, p)
}

// toHalf converts float to half.
func (l *lowerer) toHalf(p vec, round int64) vec {
	w := l.width(4)
	return l.narrowing(4, 2, p, func(x reg) reg { return l.mr(asm.VCVTPS2PH, w, x, round) })
}

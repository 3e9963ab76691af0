package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Vectors in memory order. The elements of an OpenCL vector of N components are in registers as in memory, one
// lane's after the other's, like a scalar of a gang with N times the lanes. Elementwise operations need no change,
// swizzles permute within registers, and contiguous loads and stores need no shuffles.

// memoryOrder, as the number of a component, selects all components in memory order.
const memoryOrder = -1

// flat lowers a value with memory-order operands in memory order. It reports whether it
// could.
func (l *values) flat(v *ssa.Value) bool {
	n := int(v.Type.N)
	if v.Op == ssa.OpBitcast && size(v.Type.K) != size(v.Args[0].Type.K) {
		return l.flatRecast(v)
	}
	if n == 1 || n == 3 || !l.vectorised[v.Block] && (!l.plan.Varying[v.ID] || !l.worthFlat(v)) {
		return false
	}
	if v.Op == ssa.OpConvert && l.split[v.ID] && l.plan.Varying[v.ID] && size(v.Args[0].Type.K)*n == 4 && size(v.Type.K) >= 4 && v.Type.N == v.Args[0].Type.N {
		return false // narrow elements are taken out of 32 bits by shifts
	}
	x := &l.vals[v.ID]
	switch v.Op {
	case ssa.OpShuffle:
		x.f = l.flatShuffle(v)
	case ssa.OpInsert:
		x.f = l.flatInsert(v)
	case ssa.OpSelect:
		if v.Type.K == ssa.Bool || v.Args[0].Type.N == 1 {
			return false
		}
		a, b, k := l.F(v.Args[1]), l.F(v.Args[2]), l.FK(v.Args[0])
		if a == nil || b == nil || k == nil {
			return false
		}
		l.within(l.n*n, func() { x.f = l.choose(k, a, b, size(v.Type.K)) })
	default:
		if !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast {
			return false
		}
		for _, a := range v.Args {
			if a.Type.N != v.Type.N || a.Type.K == ssa.Bool && l.FK(a) == nil || a.Type.K != ssa.Bool && l.F(a) == nil {
				return false
			}
		}
		l.within(l.n*n, func() {
			if v.Type.K == ssa.Bool {
				x.fk = l.boolOp(v, memoryOrder)
			} else {
				x.f = l.vectorOp(v, memoryOrder)
			}
		})
	}
	return x.f != nil || x.fk != nil
}

// worthFlat reports whether an operand is in memory order and the other operands are cheap in it.
func (l *values) worthFlat(v *ssa.Value) bool {
	native := false
	for _, a := range v.Args {
		a = l.real(a)
		x := &l.vals[a.ID]
		switch {
		case x.f != nil || x.fk != nil:
			native = true
		case a.Type.N == 1:
			// This operand is the scalar of an insertion.
		case a.IsConst() || a.Op == ssa.OpSplat || !l.plan.Varying[a.ID]:
		default:
			return false
		}
	}
	return native
}

// F returns the elements of all components in memory order, or nil if a splat has no such form.
func (l *values) F(v *ssa.Value) vec {
	v = l.real(v)
	x := &l.vals[v.ID]
	if v.Type.N == 1 {
		return l.V(v, 0)
	}
	if x.f == nil {
		src := v
		if v.Op == ssa.OpSplat {
			src = l.real(v.Args[0])
		}
		here := l.rarely(v) || l.rarely(src)
		l.within(l.opts.Lanes, func() { l.makeFlat(v, x, here) })
		if here {
			// The result is valid in this block only, like its operands.
			f := x.f
			x.f = nil
			return f
		}
	}
	return x.f
}

// near generates code here or at the definition of v.
func (l *values) near(v *ssa.Value, here bool, f func()) {
	if here {
		f()
		return
	}
	l.anchored(v, f)
}

func (l *values) makeFlat(v *ssa.Value, x *value, here bool) {
	n, es := int(v.Type.N), size(v.Type.K)
	switch {
	case v.IsConst():
		l.within(l.n*n, func() { x.f = l.flatConst(v, n, es) })
	case v.Op == ssa.OpSplat && l.plan.Varying[v.ID]:
		p := l.V(v.Args[0], 0)
		l.near(v, here, func() { x.f = l.replicate(p, es, n) })
	case v.Op == ssa.OpSplat:
		p := l.whole(v.Args[0])
		l.within(l.n*n, func() { x.f = l.everywhere(p, es) })
	default:
		ps := l.elements(v)
		l.near(v, here, func() {
			l.within(l.n*n, func() {
				x.f = l.inMemoryOrder(ps, es, l.opts.Lanes)
				if !l.plan.Varying[v.ID] && es*n <= int(l.lv.VL) {
					x.f = l.everywhere(x.f[0], es)
				}
			})
		})
	}
}

// whole returns a register with a uniform scalar in every element. A vector's registers hold it for the gang's
// lanes only.
func (l *values) whole(v *ssa.Value) reg {
	es := size(v.Type.K)
	r := l.V(v, 0)[0]
	if v.IsConst() || es*l.n >= int(l.lv.VL) {
		return r
	}
	l.near(v, l.rarely(l.real(v)), func() { r = l.rmv(vbroadcast[es], l.lv.VL, r) })
	return r
}

// flatConst returns a constant vector's elements, repeated.
func (l *values) flatConst(v *ssa.Value, n, es int) vec {
	if bits, ok := elemOf(v, memoryOrder); ok {
		return l.constV(es, bits)
	}
	return l.constantElements(es, n, v.ConstElem)
}

// constantElements returns n numbers, repeated.
func (l *vectors) constantElements(es, n int, number func(i int) uint64) vec {
	vl := int(l.lv.VL)
	p := make(vec, l.parts(es))
	for k := range p {
		b := make([]byte, vl)
		for i := range vl / es {
			x := number((k*vl/es + i) % n)
			for j := range es {
				b[i*es+j] = byte(x >> (8 * j))
			}
		}
		p[k] = l.table(l.lv.VL, b)
	}
	return p
}

// elemOf returns a constant's element; of all in memory order, if they are one number.
func elemOf(v *ssa.Value, c int) (bits uint64, ok bool) {
	if !v.IsConst() {
		return 0, false
	}
	if c != memoryOrder {
		return v.ConstElem(c), true
	}
	for i := range int(v.Type.N) {
		if v.ConstElem(i) != v.ConstElem(0) {
			return 0, false
		}
	}
	return v.ConstElem(0), true
}

// FK is F for a Bool. It returns nil if the Bool is not in memory order.
func (l *values) FK(v *ssa.Value) mask {
	return l.vals[l.real(v).ID].fk
}

// flatJoin reports whether a phi, in a block that all lanes enter from one predecessor, has arguments that are or
// will be in memory order.
func (l *values) flatJoin(v *ssa.Value) bool {
	native := false
	for i, b := range v.Block.Preds {
		if !l.plan.Plain(b, v.Block) {
			return false
		}
		a := l.real(v.Args[i])
		switch {
		case l.vals[a.ID].f != nil:
			native = true
		case !a.IsConst() && !l.staysFlat(a, v, 12):
			return false
		}
	}
	return native
}

// staysFlat reports whether v is in memory order if the phi is.
func (l *values) staysFlat(v, phi *ssa.Value, depth int) bool {
	if v == phi {
		return true
	}
	if v.Op == ssa.OpSelect && v.Args[0].Type.N == v.Type.N {
		return l.vals[l.real(v.Args[1]).ID].f != nil || l.vals[l.real(v.Args[2]).ID].f != nil
	}
	if depth == 0 || v.Type.N == 3 || v.Type.K == ssa.Bool || !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast {
		return false
	}
	native := false
	for _, a := range v.Args {
		switch {
		case l.vals[l.real(a).ID].f != nil:
			native = true
		case a.IsConst() || a.Op == ssa.OpSplat || !l.plan.Varying[a.ID]:
		case a.Type.N > 1 && l.staysFlat(a, phi, depth-1):
			native = true
		case a.Op == ssa.OpLoad && (a.Type.N == v.Type.N || v.Op == ssa.OpBitcast && a.Type.N > 1):
			// Most loads of vectors are contiguous.
			native = native || v.Op == ssa.OpBitcast
		default:
			return false
		}
	}
	return native
}

// flatRecast lowers a reinterpretation between elements of different sizes: in memory
// order nothing changes.
func (l *values) flatRecast(v *ssa.Value) bool {
	a := l.real(v.Args[0])
	if v.Type.K == ssa.Bool || a.Type.K == ssa.Bool || v.Type.N == 3 || a.Type.N == 3 || !l.plan.Varying[v.ID] && (v.Type.N == 1 || !l.vectorised[v.Block]) {
		return false
	}
	x, y := &l.vals[v.ID], &l.vals[a.ID]
	switch {
	case a.Type.N > 1 && y.f == nil:
		return false
	case v.Type.N == 1:
		x.v = []vec{y.f}
	case a.Type.N == 1:
		x.f = l.V(a, 0)
	default:
		x.f = y.f
	}
	return true
}

// replicate returns each lane's element n times in sequence.
func (l *arithmetic) replicate(p vec, es, n int) (f vec) {
	if es*n <= 8 {
		// As the low part of an element n times as wide, then copied within.
		var t [64]byte
		for i := range t {
			t[i] = byte(i%16/(es*n)*(es*n) + i%es)
		}
		wide := l.extend(es, es*n, false, p)
		tab := l.table(l.lv.VL, t[:l.lv.VL])
		l.within(l.n*n, func() {
			w := l.width(es)
			f = l.eachPart(wide, func(x reg) reg { return l.rvm(asm.VPSHUFB, w, x, tab) })
		})
		return f
	}
	op, ok := l.permutation(es)
	if !ok {
		return nil
	}
	l.within(l.n*n, func() {
		w := l.width(es)
		per := int(w) / es
		f = make(vec, l.parts(es))
		for k := range f {
			f[k] = l.rvm(op, w, l.indices(es, func(j int) int { return (k%n*per + j%per) / n }), p[k/n])
		}
	})
	return f
}

// flatShuffle permutes components within registers; nil where that has no instruction.
func (l *values) flatShuffle(v *ssa.Value) (f vec) {
	n, es := int(v.Type.N), size(v.Type.K)
	if int(v.Args[0].Type.N) != n || int(v.Args[1].Type.N) != n || v.Type.K == ssa.Bool {
		return nil
	}
	var from [2]bool
	for _, k := range v.Lanes {
		if k == ssa.ShuffleUndef {
			return nil
		}
		from[int(k)/n] = true
	}
	both, one := from[0] && from[1], 0
	if !from[0] {
		one = 1
	}
	switch {
	case es*n <= 16:
		f = l.shuffledBytes(v, one)
		if both && f != nil {
			g := l.shuffledBytes(v, 1)
			if g == nil {
				return nil
			}
			l.within(l.n*n, func() { f = l.each2(es, asm.VPOR, f, g) })
		}
	case es*n > int(l.lv.VL):
	case !both:
		op, ok := l.permutation(es)
		p := l.F(v.Args[one])
		if !ok || p == nil {
			return nil
		}
		l.within(l.n*n, func() {
			w := l.width(es)
			t := l.indices(es, func(j int) int { return j/n*n + int(v.Lanes[j%n])%n })
			f = l.eachPart(p, func(x reg) reg { return l.rvm(op, w, t, x) })
		})
	case l.lv.TwoSources.Has(es):
		f = l.shuffledBoth(v)
	}
	return f
}

// shuffledBytes returns those elements of a shuffle that come from one argument, and zeros for the others: bytes
// within 16 bytes.
func (l *values) shuffledBytes(v *ssa.Value, which int) (r vec) {
	n, es := int(v.Type.N), size(v.Type.K)
	if c := l.real(v.Args[which]); c.IsConst() {
		l.within(l.n*n, func() {
			r = l.constantElements(es, n, func(i int) uint64 {
				if k := int(v.Lanes[i]); k/n == which {
					return c.ConstElem(k % n)
				}
				return 0
			})
		})
		return r
	}
	p := l.F(v.Args[which])
	if p == nil {
		return nil
	}
	l.within(l.n*n, func() {
		w, b := l.width(es), make([]byte, l.lv.VL)
		for i := range b {
			e := i % 16 / es
			k := int(v.Lanes[e%n])
			b[i] = 0x80
			if k/n == which {
				b[i] = byte((e/n*n+k%n)*es + i%es)
			}
		}
		t := l.table(l.lv.VL, b)
		r = l.eachPart(p, func(x reg) reg { return l.rvm(asm.VPSHUFB, w, x, t) })
	})
	return r
}

// shuffledBoth lowers a shuffle of both arguments by permutations of two registers.
func (l *values) shuffledBoth(v *ssa.Value) (f vec) {
	n, es := int(v.Type.N), size(v.Type.K)
	a, b := l.F(v.Args[0]), l.F(v.Args[1])
	if a == nil || b == nil {
		return nil
	}
	l.within(l.n*n, func() {
		w := l.width(es)
		per := int(w) / es
		t := l.indices(es, func(j int) int {
			k := int(v.Lanes[j%n])
			return j/n*n%per + k%n + k/n*per
		})
		f = l.eachPair(es, a, b, func(a, b reg) reg {
			return l.overwrite(vperm2[es], w, a, t, b, 0)
		})
	})
	return f
}

// flatInsert replaces one component.
func (l *values) flatInsert(v *ssa.Value) (f vec) {
	n, es := int(v.Type.N), size(v.Type.K)
	if v.Type.K == ssa.Bool || !l.lv.MaskRegs || n*es > int(l.lv.VL) {
		return nil // of several registers for each lane one alone would change
	}
	into, s := l.F(v.Args[0]), v.Args[1]
	if into == nil {
		return nil
	}
	var p vec
	if !l.plan.Varying[s.ID] {
		one := l.whole(s)
		l.within(l.n*n, func() { p = l.everywhere(one, es) })
	} else if p = l.replicate(l.V(s, 0), es, n); p == nil {
		return nil
	}
	bits := uint64(0)
	for i := int(v.Aux); i < 64; i += n {
		bits |= 1 << i
	}
	k := l.constMask(bits)
	l.within(l.n*n, func() {
		w := l.width(es)
		f = l.eachPair(es, into, p, func(a, b reg) reg {
			d := l.vr()
			l.emit(inst{op: vblend[es], w: w, fl: fDefReg, reg: d, v: a, rm: b, mask: k})
			return d
		})
	})
	return f
}

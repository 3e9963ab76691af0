package x86

import "github.com/purecl/purecl/internal/cpu/x86/asm"

// permutation returns the instruction that permutes elements within a register by a
// register of indices.
func (l *vectors) permutation(es int) (asm.Op, bool) {
	return vperm[es], l.lv.Target().Permutes.Has(es)
}

var vperm = bySize{1: asm.VPERMB, 2: asm.VPERMW, 4: asm.VPERMD, 8: asm.VPERMQV}

// rawVec returns registers for n elements of es bytes of each lane.
func (l *vectors) rawVec(es, n int) (p vec) {
	l.within(l.n*n, func() { p = l.newVec(es) })
	return p
}

// loadRaw loads n elements of es bytes per lane in memory order.
func (l *vectors) loadRaw(d vec, m mem, es, n int) {
	l.within(l.n*n, func() { l.loadInto(d, m, es) })
}

// deinterleave splits vectors in memory order: result c has element c of each lane.
func (l *vectors) deinterleave(z vec, es, n int) []vec {
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
func (l *vectors) pick(a, b reg, es, odd int) reg {
	if !l.lv.TwoSources.Has(es) {
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
func (l *vectors) interleave(ps []vec, es int) vec {
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
		if l.lv.TwoSources.Has(es) {
			for h := range 2 {
				out = append(out, l.permuteTwo(x[i], y[i], es, func(k int) int { return h*per/2 + k/2 + k%2*per }))
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

// permuteTwo returns elements of the concatenation of a and b, of 2 to 8 bytes, with
// AVX-512.
func (l *vectors) permuteTwo(a, b reg, es int, f func(i int) int) reg {
	per := int(l.width(es)) / es
	t := l.indices(es, func(i int) int { return f(i % per) })
	return l.overwrite(vperm2[es], l.width(es), a, t, b, 0)
}

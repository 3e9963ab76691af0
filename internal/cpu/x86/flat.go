package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Vectors in memory order. The elements of an OpenCL vector of N components are in registers as in memory, one
// lane's after the other's, like a scalar of a gang with N times the lanes. Elementwise operations need no change,
// swizzles permute within registers, and contiguous loads and stores need no shuffles.

// memoryOrder, as the number of a component, selects all components in memory order.
const memoryOrder = -1

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

// replicate returns each lane's element n times in sequence.
func (l *values) replicate(p vec, es, n int) (f vec) {
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

// rampFrom returns first in the first lane, and from lane to lane step more.
func (l *values) rampFrom(sz int, first uint64, step int64) vec {
	per := int(l.lv.VL) / sz
	p := make(vec, l.parts(sz))
	for k := range p {
		buf := make([]byte, 0, l.lv.VL)
		for i := range per {
			n := first + uint64(int64(k*per+i)*step)
			for j := range sz {
				buf = append(buf, byte(n>>(8*j)))
			}
		}
		p[k] = l.table(l.lv.VL, buf)
	}
	return p
}

package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Flipped accesses: lane i is at place i ^ by, where by is the same for all lanes, as in
// sorting networks, butterflies and reductions by exchange. Where the first lane's number
// is a multiple of the number of lanes, the places are those of one block: exclusive or
// with the upper bits of by says which block, with the lower bits how its elements are
// permuted. So it is loaded (stored) side by side, register by register, and permuted
// within registers.

// A turning is an order of what lanes have in memory.
type turning struct {
	*lanes.Order
	unit int // bytes of a lane, a power of two
	all  int // and of the gang
	back int // places are numbered in reverse: all - unit, else 0
}

// turningOf returns the order of lanes side by side but for a flip.
func turningOf(a *access) turning {
	return turning{a.Order, a.Type.Size(), int(a.Bytes), int(-a.Low)}
}

// count returns the number of elements of es bytes that places are moved by, as far as keep
// says: of a constant, or in a general register.
func (l *regular) count(t turning, es int, keep uint64) (known uint64, r reg) {
	up := bits.TrailingZeros(uint(t.unit)) - bits.TrailingZeros(uint(es))
	if t.By.IsConst() {
		known = t.By.ConstElem(0)
		if up >= 0 {
			known <<= up
		}
		return known >> max(-up, 0) & keep, 0
	}
	r = l.g()
	l.mov(r, l.G(t.By, 0))
	switch {
	case up > 0:
		l.opi(asm.SHLIMM, 8, r, int64(up))
	case up < 0:
		l.opi(asm.SHRIMM, 8, r, int64(-up))
	}
	if keep != ones(64) {
		l.opi(asm.ANDIMM, 8, r, int64(keep))
	}
	return 0, r
}

// A flipKey is what is made of a flip where its by is known.
type flipKey struct {
	by             *ssa.Value
	unit, back, es int // es is 0 for the first register's place
	keep           uint64
}

// order returns a register of indices that permutes elements of es bytes; keep are the
// bits of the distance that count.
func (l *regular) order(t turning, es int, keep uint64) reg {
	back := uint64(t.back/es) & keep
	if t.By.IsConst() {
		by, _ := l.count(t, es, keep)
		return l.indices(es, func(i int) int { return i ^ int(by^back)&0x3F })
	}
	key := flipKey{by: t.By, unit: t.unit, back: t.back, es: es, keep: keep}
	if r, ok := l.flips[key]; ok {
		return r
	}
	straight := l.indices(es, func(i int) int { return i ^ int(back)&0x3F })
	x := reg(0)
	if t.unit == es && size(t.By.Type.K) == es && keep == ones(64) {
		x = l.V(t.By, 0)[0]
	}
	var r reg
	l.anchored(t.By, func() {
		if x == 0 {
			_, n := l.count(t, es, keep)
			x = l.broadcast(es, n)[0]
		}
		r = l.rvm(asm.VPXOR, l.lv.VL, x, straight)
	})
	l.flips[key] = r
	return r
}

// A turn permutes elements within a register.
type turn struct {
	op    asm.Op
	order reg
}

// turns returns the instructions that flip registers that are w bytes wide: one, or where
// there is none for elements as small, bytes within 16 first and then these.
func (l *regular) turns(t turning, w asm.Width) []turn {
	within := turn{asm.VPSHUFB, 0}
	switch {
	case t.unit >= int(w):
		return nil
	case w == 16: // of which 8 bytes may count
		within.order = l.order(t, 1, uint64(min(t.all, 16)-1))
		return []turn{within}
	case t.unit >= 4:
		return []turn{{asm.VPERMD, l.order(t, 4, ones(64))}}
	}
	if op, ok := l.permutation(t.unit); ok {
		return []turn{{op, l.order(t, t.unit, ones(64))}}
	}
	within.order = l.order(t, 1, 15)
	return []turn{within, {asm.VPERMD, l.order(t, 4, ones(64)&^3)}}
}

// turned applies turns to a register.
func (l *regular) turned(ts []turn, w asm.Width, r reg) reg {
	for _, t := range ts {
		if t.op == asm.VPSHUFB {
			r = l.rvm(t.op, w, r, t.order)
		} else {
			r = l.rvm(t.op, w, t.order, r)
		}
	}
	return r
}

// eachPlace calls f with the memory of each register that lanes' elements fill, in the
// lanes' order, of the block at q.
func (l *regular) eachPlace(t turning, q mem, f func(i int, q mem)) {
	vl := int(l.lv.VL)
	n := t.all / vl
	if n <= 1 {
		f(0, q)
		return
	}
	whole := uint64(t.all-1) &^ uint64(vl-1)
	if t.By.IsConst() {
		by, _ := l.count(t, 1, whole)
		by ^= uint64(t.back) & whole
		disp := q.disp
		for i := range n {
			q.disp = disp + int32(i*vl^int(by))
			f(i, q)
		}
		return
	}
	key := flipKey{by: t.By, unit: t.unit, back: t.back, keep: whole}
	first, ok := l.flips[key]
	if !ok {
		l.anchored(t.By, func() {
			_, first = l.count(t, 1, whole)
			if b := int64(uint64(t.back) & whole); b != 0 {
				l.opi(asm.XORIMM, 8, first, b)
			}
		})
		l.flips[key] = first
	}
	begin := l.g()
	l.lea(begin, q)
	for i := range n {
		d := first
		if i > 0 {
			d = l.g()
			l.mov(d, first)
			l.opi(asm.XORIMM, 8, d, int64(i*vl))
		}
		f(i, mem{on: true, base: begin, index: d, scale: 1})
	}
}

// loadFlipped lowers a load by lanes that lie side by side but for a flip.
func (l *regular) loadFlipped(v *ssa.Value, a *access, m mask, slow stub) {
	t := turningOf(a)
	es, n := size(v.Type.K), int(v.Type.N)
	x := &l.vals[v.ID]
	raw := l.rawVec(es, n)
	q, join := l.check(a, func() {
		if n > 1 {
			l.call(v, v.Args[0], m, slow)
			l.loadRaw(raw, ctxAt(CtxVals), es, n)
			return
		}
		l.gather(v, a, m, slow)
		l.vmovs([]vec{raw}, x.v)
	})
	var w asm.Width
	l.within(l.n*n, func() { w = l.width(es) })
	ts := l.turns(t, w)
	l.eachPlace(t, q, func(i int, q mem) {
		var p vec
		l.within(l.n*n/len(raw), func() { p = l.loadParts(q, es) })
		l.vmov(raw[i], l.turned(ts, w, p[0]))
	})
	l.place(join)
	x.v = nil
	if n == 1 {
		x.v = []vec{raw}
	} else {
		x.f = raw
	}
}

// storeFlipped is loadFlipped's counterpart.
func (l *regular) storeFlipped(v *ssa.Value, a *access, m mask, slow func()) {
	val := v.Args[1]
	es, n := size(val.Type.K), int(val.Type.N)
	t := turningOf(a)
	raw := l.rawOf(val)
	q, join := l.check(a, func() {
		if n > 1 {
			slow()
		} else {
			l.put(v, a, m, slow)
		}
	})
	var w asm.Width
	l.within(l.n*n, func() { w = l.width(es) })
	ts := l.turns(t, w)
	l.eachPlace(t, q, func(i int, q mem) {
		r := l.turned(ts, w, raw[i])
		if m == nil {
			l.within(l.n*n/len(raw), func() { l.storeParts(q, vec{r}, es) })
		} else {
			l.storePart(q, r, es, l.turnedMask(ts, w, m, es, i))
		}
	})
	l.place(join)
}

// vmaskTo and vtoMask are AVX-512's moves between mask registers and the elements of vectors.
var (
	vmaskTo = bySize{1: asm.VPMOVM2B, 2: asm.VPMOVM2W, 4: asm.VPMOVM2D, 8: asm.VPMOVM2Q}
	vtoMask = bySize{1: asm.VPMOVB2M, 2: asm.VPMOVW2M, 4: asm.VPMOVD2M, 8: asm.VPMOVQ2M}
)

// turnedMask applies turns to the part of a mask that belongs to register i of elements of
// this size, for storePart.
func (l *regular) turnedMask(ts []turn, w asm.Width, m mask, es, i int) reg {
	if !l.lv.MaskRegs {
		return l.turned(ts, w, l.maskFor(m, es, i))
	}
	k := l.kr()
	r := l.turned(ts, w, l.rmv(vmaskTo[es], w, l.maskFor(m, es, i)))
	l.emit(inst{op: vtoMask[es], w: w, fl: fDefReg, reg: k, rm: r})
	return k
}

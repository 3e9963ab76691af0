package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Accesses in an order: lane i accesses element i XOR by of a block, where by is uniform. Sorting networks,
// butterflies and reductions by exchange have such accesses. If the first lane is a multiple of the number of
// lanes, the upper bits of by select the block of elements, and the lower bits permute the elements of the block.
// The block is loaded or stored contiguously, register by register, and permuted within registers.

// A turning is the order of the lanes in a block.
type turning struct {
	by   turnNumber
	unit int // bytes per lane, a power of two
	all  int // bytes per gang
	back int // all - unit if the block is in reverse order, else 0
}

// A turnNumber is the number by which lanes are permuted.
type turnNumber struct {
	fixed   bool
	known   uint64           // if fixed
	key     any              // identifies it otherwise
	general func() reg       // its general register
	vector  func(es int) reg // the register that has the number in all elements of es bytes, or 0
	near    func(f func())   // generates code after its definition
}

// count returns by in units of es bytes, masked with keep: as the constant known if r is 0, else in the register
// r.
func (l *regular) count(t turning, es int, keep uint64) (known uint64, r reg) {
	up := bits.TrailingZeros(uint(t.unit)) - bits.TrailingZeros(uint(es))
	if t.by.fixed {
		known = t.by.known
		if up >= 0 {
			known <<= up
		}
		return known >> max(-up, 0) & keep, 0
	}
	r = l.g()
	l.mov(r, t.by.general())
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

// A flipKey identifies a register that depends on by.
type flipKey struct {
	by             any
	unit, back, es int // es is 0 for the offset of the first register
	keep           uint64
}

// order returns the register of indices that permutes elements of es bytes. keep masks the bits of by that matter.
func (l *regular) order(t turning, es int, keep uint64) reg {
	back := uint64(t.back/es) & keep
	if t.by.fixed {
		by, _ := l.count(t, es, keep)
		return l.indices(es, func(i int) int { return i ^ int(by^back)&0x3F })
	}
	key := flipKey{by: t.by.key, unit: t.unit, back: t.back, es: es, keep: keep}
	if r, ok := l.flips[key]; ok {
		return r
	}
	straight := l.indices(es, func(i int) int { return i ^ int(back)&0x3F })
	x := reg(0)
	if t.unit == es && keep == ones(64) {
		x = t.by.vector(es)
	}
	var r reg
	t.by.near(func() {
		if x == 0 {
			_, n := l.count(t, es, keep)
			x = l.broadcast(es, n)[0]
		}
		r = l.rvm(asm.VPXOR, l.lv.VL, x, straight)
	})
	l.flips[key] = r
	return r
}

// A turn is an instruction that permutes the elements of a register.
type turn struct {
	op    asm.Op
	order reg
}

// turns returns the instructions that permute registers of w bytes: one, or for small elements without an
// instruction two, the first within 16 bytes and the second across them.
func (l *regular) turns(t turning, w asm.Width) []turn {
	within := turn{asm.VPSHUFB, 0}
	switch {
	case t.unit >= int(w):
		return nil
	case w == 16: // the gang may fill only 8 of them
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

// turned applies the instructions to a register.
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

// eachPlace calls f with the memory operand of each register of the block at q, in the order of the lanes.
func (l *regular) eachPlace(t turning, q mem, f func(i int, q mem)) {
	vl := int(l.lv.VL)
	n := t.all / vl
	if n <= 1 {
		f(0, q)
		return
	}
	whole := uint64(t.all-1) &^ uint64(vl-1)
	if t.by.fixed {
		by, _ := l.count(t, 1, whole)
		by ^= uint64(t.back) & whole
		disp := q.disp
		for i := range n {
			q.disp = disp + int32(i*vl^int(by))
			f(i, q)
		}
		return
	}
	key := flipKey{by: t.by.key, unit: t.unit, back: t.back, keep: whole}
	first, ok := l.flips[key]
	if !ok {
		t.by.near(func() {
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

// vmaskTo and vtoMask are the AVX-512 moves between mask registers and elements of vectors.
var (
	vmaskTo = bySize{1: asm.VPMOVM2B, 2: asm.VPMOVM2W, 4: asm.VPMOVM2D, 8: asm.VPMOVM2Q}
	vtoMask = bySize{1: asm.VPMOVB2M, 2: asm.VPMOVW2M, 4: asm.VPMOVD2M, 8: asm.VPMOVQ2M}
)

// turnedMask permutes the part of a mask that belongs to register i, as an operand of storePart.
func (l *regular) turnedMask(ts []turn, w asm.Width, m mask, es, i int) reg {
	if !l.lv.MaskRegs {
		return l.turned(ts, w, l.maskFor(m, es, i))
	}
	k := l.kr()
	r := l.turned(ts, w, l.rmv(vmaskTo[es], w, l.maskFor(m, es, i)))
	l.emit(inst{op: vtoMask[es], w: w, fl: fDefReg, reg: k, rm: r})
	return k
}

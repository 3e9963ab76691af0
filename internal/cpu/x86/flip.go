package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Accesses in an order: lane i accesses element i XOR by of a block, where by is uniform. Sorting networks,
// butterflies and reductions by exchange have such accesses. If the first lane is a multiple of the number of
// lanes, the upper bits of by select the block of elements, and the lower bits permute the elements of the block.
// The block is loaded or stored contiguously, register by register, and permuted within registers.

// A turning is the order of the lanes in a block.
type turning struct {
	by    gang.Reg // the number by which lanes are permuted
	fixed bool     // it is the constant known
	known uint64
	unit  int // bytes per lane, a power of two
	all   int // bytes per gang
}

// turningOf returns the order of an access of unit bytes per lane.
func (s *objects) turningOf(i *gang.Inst, unit int) turning {
	t := turning{by: i.Args[len(i.Args)-1], unit: unit, all: unit * s.f.Lanes}
	t.known, t.fixed = s.bits(t.by)
	return t
}

// bits returns by in units of es bytes, masked with keep.
func (t *turning) bits(es int, keep uint64) uint64 {
	return t.known * uint64(t.unit) / uint64(es) & keep
}

// count returns a register with by in units of es bytes, masked with keep.
func (s *objects) count(t *turning, es int, keep uint64) reg {
	r := s.copyG(s.scalar(t.by))
	up := bits.TrailingZeros(uint(t.unit)) - bits.TrailingZeros(uint(es))
	switch {
	case up > 0:
		s.opi(asm.SHLIMM, 8, r, int64(up))
	case up < 0:
		s.opi(asm.SHRIMM, 8, r, int64(-up))
	}
	if keep != ones(64) {
		s.opi(asm.ANDIMM, 8, r, int64(keep))
	}
	return r
}

// A flipKey identifies a register that depends on by.
type flipKey struct {
	by       gang.Reg
	unit, es int // es is 0 for the offset of the first register
	keep     uint64
}

// flipped returns a register that f computes from by: behind its definition, once, unless by has several.
func (s *objects) flipped(t *turning, es int, keep uint64, f func() reg) (r reg) {
	if s.defs[t.by] != 1 {
		return f()
	}
	key := flipKey{t.by, t.unit, es, keep}
	if s.flips[key] == 0 {
		s.near(t.by, func() { r = f() })
		s.flips[key] = r
	}
	return s.flips[key]
}

// order returns the register of indices that permutes elements of es bytes. keep masks the bits of by that matter.
func (s *objects) order(t *turning, es int, keep uint64) reg {
	straight := s.indices(es, func(i int) int { return i ^ int(t.bits(es, keep))&0x3F })
	if t.fixed {
		return straight
	}
	return s.flipped(t, es, keep, func() reg {
		return s.rvm(asm.VPXOR, s.lv.VL, s.broadcast(es, s.count(t, es, keep))[0], straight)
	})
}

// A turn is an instruction that permutes the elements of a register.
type turn struct {
	op    asm.Op
	order reg
}

// turns returns the instructions that permute registers of w bytes: one, or for small elements without an
// instruction two, the first within 16 bytes and the second across them.
func (s *objects) turns(t *turning, w asm.Width) []turn {
	within := turn{asm.VPSHUFB, 0}
	switch {
	case t.unit >= int(w):
		return nil
	case w == 16: // the gang may fill only 8 of them
		within.order = s.order(t, 1, uint64(min(t.all, 16)-1))
		return []turn{within}
	case t.unit >= 4:
		return []turn{{asm.VPERMD, s.order(t, 4, ones(64))}}
	}
	if op, ok := s.permutation(t.unit); ok {
		return []turn{{op, s.order(t, t.unit, ones(64))}}
	}
	within.order = s.order(t, 1, 15)
	return []turn{within, {asm.VPERMD, s.order(t, 4, ones(64)&^3)}}
}

// turned applies the instructions to a register.
func (s *objects) turned(ts []turn, w asm.Width, r reg) reg {
	for _, t := range ts {
		if t.op == asm.VPSHUFB {
			r = s.rvm(t.op, w, r, t.order)
		} else {
			r = s.rvm(t.op, w, t.order, r)
		}
	}
	return r
}

// eachPlace calls f with the memory operand of each register of the block at q, in the order of the lanes.
func (s *objects) eachPlace(t *turning, q mem, f func(i int, q mem)) {
	vl := int(s.lv.VL)
	n := t.all / vl
	if n <= 1 {
		f(0, q)
		return
	}
	whole := uint64(t.all-1) &^ uint64(vl-1)
	if t.fixed {
		for i := range n {
			at := q
			at.disp += int32(i*vl ^ int(t.bits(1, whole)))
			f(i, at)
		}
		return
	}
	first := s.flipped(t, 0, whole, func() reg { return s.count(t, 1, whole) })
	begin := s.g()
	s.lea(begin, q)
	for i := range n {
		d := first
		if i > 0 {
			d = s.copyG(first)
			s.opi(asm.XORIMM, 8, d, int64(i*vl))
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
func (s *objects) turnedMask(ts []turn, w asm.Width, m mask, es, i int) reg {
	if !s.lv.MaskRegs {
		return s.turned(ts, w, s.maskFor(m, es, i))
	}
	r := s.turned(ts, w, s.rmv(vmaskTo[es], w, s.maskFor(m, es, i)))
	return s.krvm(vtoMask[es], w, 0, r, 0)
}

package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// countBits selects the number of lanes of a predicate.
func (s *elements) countBits(i *gang.Inst) {
	s.maskBits(s.mask(i.Args[0]))
	s.setG(i.Dst, s.result(cG, inst{op: asm.POPCNT, w: 8, rm: rAX}))
}

// rank selects, for each lane, the number of lanes of a predicate up to this one.
func (s *elements) rank(i *gang.Inst) {
	var before reg // the number of lanes in the registers before
	ranks := vec{}
	for k, m := range s.mask(i.Args[0]) {
		if k > 0 {
			s.granuleBits(rAX, s.mask(i.Args[0])[k-1])
			n := s.result(cG, inst{op: asm.POPCNT, w: 8, rm: rAX})
			if k > 1 {
				s.op2(asm.ADD, 8, n, before)
			}
			before = n
		}
		x := s.ranksIn(m)
		if k > 0 {
			x = s.rvm(asm.VPADDD, s.lv.VL, x, s.broadcast(4, before)[0])
		}
		ranks = append(ranks, x)
	}
	s.setV(i.Dst, ranks)
}

// ranksIn returns the ranks of the lanes of one register.
func (l *lowerer) ranksIn(m reg) reg {
	w := l.lv.VL
	l.granuleBits(rAX, m)
	if l.lv.BitCounts {
		upTo := l.constElements(4, func(i int) uint64 { return 2<<i - 1 })
		return l.rmv(asm.VPOPCNTD, w, l.rvm(asm.VPAND, w, l.broadcast(4, l.copyG(rAX))[0], upTo))
	}
	// Eight bits go to the bytes of an integer. Its product with 1 in each byte has their sums.
	ones := l.generalConst(0x0101010101010101)
	sums := func() reg {
		d := l.result(cG, inst{op: asm.PDEP, w: 8, v: rAX, rm: ones})
		l.op2(asm.IMUL, 8, d, ones)
		return d
	}
	low := sums()
	x := l.rmv(asm.VMOVQ, 16, low)
	if l.lv.Lanes > 8 {
		l.opi(asm.SHRIMM, 8, rAX, 8)
		high := sums()
		l.opi(asm.SHRIMM, 8, low, 56)
		l.op2(asm.IMUL, 8, low, ones)
		l.op2(asm.ADD, 8, high, low)
		x = l.result(cV, inst{op: asm.VPINSRQ, w: 16, v: x, rm: high, imm: 1})
	}
	return l.rmv(asm.VPMOVZXBD, w, x)
}

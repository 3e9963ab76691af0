package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

func (s *elements) constInst(i *gang.Inst) {
	if s.defs[i.Dst] == 1 {
		return
	}
	t, x := s.f.Type(i.Dst), uint64(i.Imm)
	h := s.variable(i.Dst)
	switch {
	case isGeneral(t):
		s.movi(h.g, x)
	case t.Class == gang.Predicate && x == 0:
		s.zeroMask(h.k)
	case t.Class == gang.Predicate:
		s.within(s.n*int(t.N), func() { s.setK(i.Dst, s.allMask()) })
	case wholeType(t):
		s.within(s.n*int(t.N), func() { s.setV(i.Dst, s.constV(t.Size(), x)) })
	default:
		s.setParts(i.Dst, slices.Repeat([]vec{s.constV(t.Size(), x)}, int(t.N)))
	}
}

func (s *elements) copyInst(i *gang.Inst) {
	t, a := s.f.Type(i.Dst), i.Args[0]
	own := s.defs[i.Dst] == 1 && s.defs[a] != 1 // the variable may change
	switch {
	case isGeneral(t):
		g := s.scalar(a)
		if x, ok := s.bits(a); ok && s.defs[i.Dst] != 1 {
			s.movi(s.variable(i.Dst).g, x)
			return
		}
		if own {
			g = s.copyG(g)
		}
		s.setG(i.Dst, g)
	case t.Class == gang.Predicate:
		s.within(s.n*int(t.N), func() { s.setK(i.Dst, s.copiedMask(s.mask(a), own)) })
	case t.Class == gang.Scalar:
		s.setV(i.Dst, s.copied(vec{s.floatScalar(a)}, own))
	case t.N == 3 || t.N > 1 && s.held[a].v != nil:
		ps := append([]vec(nil), s.parts(a)...)
		for c := range ps {
			ps[c] = s.copied(ps[c], own)
		}
		s.setParts(i.Dst, ps)
	default:
		s.setV(i.Dst, s.copied(s.inOrder(a), own))
	}
}

func (s *elements) splat(i *gang.Inst) {
	t, a := s.f.Type(i.Dst), i.Args[0]
	if t.Class == gang.Predicate {
		s.setK(i.Dst, s.maskOfBool(a))
		return
	}
	s.within(s.n*int(t.N), func() { s.setV(i.Dst, s.operand(a, 0)) })
}

func (s *elements) ramp(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	if x, ok := s.bits(i.Args[0]); ok && !t.K.IsPtr() {
		s.setV(i.Dst, s.constLanes(t.Size(), func(lane int) uint64 { return x + uint64(int64(lane)*i.Imm) }))
		return
	}
	ramp := s.arithmetic.ramp(t.Size(), i.Imm)
	first := s.broadcast(t.Size(), s.scalar(i.Args[0]))
	if t.K.IsPtr() {
		s.setV(i.Dst, s.ptrAdd(first, ramp))
		return
	}
	s.setV(i.Dst, s.each2(t.Size(), vadd[t.Size()], first, ramp))
}

func (s *elements) part(i *gang.Inst) {
	if s.f.Type(i.Dst).Class == gang.Predicate {
		s.setK(i.Dst, s.partsOfMask(i.Args[0])[i.Imm])
	} else {
		s.setV(i.Dst, s.parts(i.Args[0])[i.Imm])
	}
}

func (s *elements) join(i *gang.Inst) {
	if s.f.Type(i.Dst).Class == gang.Predicate {
		gang.Refuse("a predicate of several elements in a lane")
	}
	ps := make([]vec, len(i.Args))
	for c, a := range i.Args {
		ps[c] = s.vector(a)
	}
	s.setParts(i.Dst, ps)
}

// first selects the element of the first lane of a predicate.
func (s *elements) first(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	if s.f.Type(i.Args[0]).Class == gang.Predicate {
		s.firstBit(i)
		return
	}
	if s.folds[i.Args[0]] {
		q := s.block.firstAt
		if d := s.def[i.Args[0]]; d.Op == gang.OpPart {
			q.disp += int32(d.Imm) * int32(t.Size())
		}
		s.setFirst(i.Dst, q)
		return
	}
	p := s.vector(i.Args[0])
	if i.Mask == 0 {
		if isGeneral(t) {
			s.setG(i.Dst, s.lowElement(p[0], t.Size()))
		} else {
			s.setV(i.Dst, vec{s.rmv(vbroadcast[t.Size()], s.lv.VL, p[0])})
		}
		return
	}
	s.storeParts(ctxAt(CtxVals), p, t.Size())
	s.setFirst(i.Dst, s.firstLane(s.mask(i.Mask), t.Size()))
}

// setFirst gives a scalar the element in memory.
func (s *elements) setFirst(r gang.Reg, q mem) {
	t := s.f.Type(r)
	if isGeneral(t) {
		s.setG(r, s.fetch(asm.Width(t.Size()), q))
	} else {
		s.setV(r, vec{s.vload(vbroadcast[t.Size()], s.lv.VL, q)})
	}
}

// firstOf returns the bit of the first lane of a mask.
func (s *elements) firstOf(m mask) reg {
	s.granuleBits(rAX, m[0])
	d := s.copyG(rAX)
	s.opi(asm.ANDIMM, 4, d, 1)
	return d
}

func (s *elements) firstBit(i *gang.Inst) {
	p := s.mask(i.Args[0])
	if i.Mask == 0 {
		s.setG(i.Dst, s.firstOf(p))
		return
	}
	d := s.g()
	// The lowest bit of the predicate is set among those of the lanes if it is the lowest of both.
	m := s.g()
	s.maskBits(s.mask(i.Mask))
	s.emit(inst{op: asm.TZCNT, w: 8, fl: fDefReg, reg: m, rm: rAX})
	s.maskBits(p)
	s.emit(inst{op: asm.SHRX, w: 8, fl: fDefReg, reg: d, v: m, rm: rAX})
	s.opi(asm.ANDIMM, 4, d, 1)
	s.setG(i.Dst, d)
}

// subGroup selects an operation among the work-items of a sub-group.
func (s *elements) subGroup(i *gang.Inst) {
	m := s.mask(i.Mask)
	if i.Op == gang.OpBallot {
		s.setV(i.Dst, s.ballot(s.andMask(s.mask(i.Args[0]), m), int(i.Aux)))
		return
	}
	es := s.f.Type(i.Dst).Size()
	idx := s.vector(i.Args[1])
	if n := s.f.Type(i.Args[1]).Size(); n != 4 {
		idx = s.resize(idx, 4, n, false)
	}
	var there mask // nil: all
	if i.Imm == 0 {
		there = s.cmpInt(predLT, 4, false, idx, s.constV(4, uint64(i.Aux)))
	}
	from := -1
	if k, ok := s.bits(i.Args[1]); ok && k < uint64(i.Aux) {
		from = int(k)
	}
	s.setV(i.Dst, s.exchange(s.vector(i.Args[0]), int(i.Aux), es, idx, m, there, from))
}

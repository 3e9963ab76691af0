package interp

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The runtime functions of sub-groups. A program with one runs a whole work-group at a
// time, so a lane is the work-item of that number in its group, and sub-group g is lanes
// 16g to 16g+15. Lanes that can be together are together (see the package's invariants),
// so the active lanes of an instruction are those the language calls active.

const subGroupShift = 4 // log2 of ssa.SubGroupSize

// subGroup lowers a runtime function of sub-groups.
func (l *lowerer) subGroup(v *ssa.Value) {
	var run kernel
	switch args := v.Args; {
	case v.Sym == ssa.RuntimeSubGroupExchange && len(args) == 2 && args[0].Type == v.Type && args[1].Type == ssa.TU32:
		run = bySize(elemSize(v.Type), kExchange[uint8], kExchange[uint16], kExchange[uint32], kExchange[uint64])
	case v.Sym == ssa.RuntimeSubGroupBallot && len(args) == 1 && args[0].Type == ssa.TI32 && v.Type == ssa.TU32:
		run = kBallot
	case v.Sym == ssa.RuntimeSubGroupBarrier && len(args) == 1 && args[0].IsConst() && v.Type == ssa.TVoid:
		in := l.newInst(v, kSubGroupBarrier, false)
		in.effect = true
		l.emit(in)
		return
	default:
		l.c.fail(l.f, v.Pos, "a bad call of %v", v.Sym)
	}
	for _, a := range v.Args {
		l.use(v, a, false)
	}
	regs := l.list(int(v.Type.N))
	for i := range regs {
		in := l.newInst(v, run, false)
		in.keep = true
		in.a = l.vary(l.comps[v.Args[0].ID][i])
		if len(v.Args) > 1 {
			in.b = l.vary(l.comps[v.Args[1].ID][0])
		}
		in.d = l.newReg(elemSize(v.Type), false)
		regs[i] = in.d
		l.emit(in)
	}
	l.comps[v.ID] = regs
}

// eachSubGroup calls f for each part of a sub-group that spans cover, in order.
func eachSubGroup(act []span, f func(g int32, part span)) {
	for _, s := range act {
		for s.lo < s.hi {
			g := s.lo >> subGroupShift
			end := min((g+1)<<subGroupShift, s.hi)
			f(g, span{s.lo, end})
			s.lo = end
		}
	}
}

// laneBits are the bits of a part of sub-group g.
func laneBits(g int32, part span) uint16 {
	base := g << subGroupShift
	return uint16(1<<(part.hi-base) - 1<<(part.lo-base))
}

// active returns the active lanes of each sub-group, one bit a lane.
func (x *worker) active(act []span) []uint16 {
	masks := x.masks[:(x.n+ssa.SubGroupSize-1)>>subGroupShift]
	clear(masks)
	eachSubGroup(act, func(g int32, part span) { masks[g] |= laneBits(g, part) })
	return masks
}

// kExchange: d is a of the lane of the sub-group that b names, 0 if that is not active.
func kExchange[T word](v *view, in *inst) {
	masks := v.x.active(v.act)
	a := at[T](v, in.a, span{0, int32(v.x.n)})
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		for i, k := range at[uint32](v, in.b, s) {
			lane := int(s.lo) + i
			d[i] = 0
			if g := lane >> subGroupShift; k < ssa.SubGroupSize && masks[g]>>k&1 != 0 {
				d[i] = a[g<<subGroupShift+int(k)]
			}
		}
	}
}

// kBallot: d has a bit for each active lane of the sub-group whose a is not 0.
func kBallot(v *view, in *inst) {
	masks := v.x.masks[:(v.x.n+ssa.SubGroupSize-1)>>subGroupShift]
	clear(masks)
	eachSubGroup(v.act, func(g int32, part span) {
		for i, p := range at[int32](v, in.a, part) {
			if p != 0 {
				masks[g] |= 1 << (int(part.lo) + i - int(g)<<subGroupShift)
			}
		}
	})
	eachSubGroup(v.act, func(g int32, part span) { spread(at[uint32](v, in.d, part), uint32(masks[g])) })
}

// kSubGroupBarrier reports sub-groups of which not all work-items are here.
func kSubGroupBarrier(v *view, in *inst) {
	x := v.x
	for g, mask := range x.active(v.act) {
		if mask == 0 {
			continue
		}
		full := uint16(1<<min(x.n-g<<subGroupShift, ssa.SubGroupSize) - 1)
		note := "others are elsewhere"
		switch absent := full &^ mask; {
		case absent == 0:
			continue
		case absent&^x.gone[g] == 0:
			if x.p.Checks < ChecksAll {
				continue
			}
			note = "others have returned before it"
		}
		if f := x.report(BarrierDivergence, in, g<<subGroupShift+bits.TrailingZeros16(mask), nil, 0, 0); f != nil {
			f.What, f.Note = "sub-group", note
		}
	}
}

// leave notes that the active lanes return from the kernel.
func (x *worker) leave() {
	eachSubGroup(x.cols.act, func(g int32, part span) { x.gone[g] |= laneBits(g, part) })
}

package interp

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// These are the operations of sub-groups. A program with one runs a whole work-group at a time, so that a lane is
// the work-item of that number in its group. Sub-group g is lanes g<<shift to (g+1)<<shift - 1, with the program's
// subGroupShift. Lanes run together whenever they can (see the package's invariants), so that the active lanes of
// an instruction are the active work-items of the language.

// subGroup lowers the operations of sub-groups.
func (l *lowerer) subGroup(v *ssa.Value) {
	var run kernel
	switch v.Op {
	case ssa.OpSubGroupExchange:
		run = bySize(elemSize(v.Type), kExchange[uint8], kExchange[uint16], kExchange[uint32], kExchange[uint64])
	case ssa.OpSubGroupBallot:
		run = kBallot
	default:
		in := l.newInst(v, kSubGroupBarrier, false)
		in.effect, in.imm, in.waits = true, uint64(v.Aux), waitsForSubGroup
		l.emit(in)
		return
	}
	for _, a := range v.Args {
		l.use(v, a, false)
	}
	regs := l.list(int(v.Type.N))
	for i := range regs {
		in := l.newInst(v, run, false)
		in.keep, in.waits = true, waitsForSubGroup
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

// eachSubGroup calls f for each part of a sub-group in the spans, in order; shift is log2 of a sub-group's size.
func eachSubGroup(act []span, shift uint8, f func(g int32, part span)) {
	for _, s := range act {
		for s.lo < s.hi {
			g := s.lo >> shift
			end := min((g+1)<<shift, s.hi)
			f(g, span{s.lo, end})
			s.lo = end
		}
	}
}

// laneBits returns the lane mask of a part of sub-group g.
func laneBits(g int32, shift uint8, part span) uint32 {
	base := g << shift
	return uint32(1<<(part.hi-base) - uint64(1)<<(part.lo-base))
}

// kExchange sets d to a of the sub-group's lane b, or 0 if that is not active.
func kExchange[T word](v *view, in *inst) {
	masks, shift := v.x.active(v.act), v.x.p.subGroupShift
	a := at[T](v, in.a, span{0, int32(v.x.n)})
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		for i, k := range at[uint32](v, in.b, s) {
			lane := int(s.lo) + i
			d[i] = 0
			if g := lane >> shift; k < 1<<shift && masks[g]>>k&1 != 0 {
				d[i] = a[g<<shift+int(k)]
			}
		}
	}
}

// kBallot sets d to the mask of the sub-group's active lanes whose a is not 0.
func kBallot(v *view, in *inst) {
	masks, shift := v.x.masks[:v.x.subGroups()], v.x.p.subGroupShift
	clear(masks)
	eachSubGroup(v.act, shift, func(g int32, part span) {
		for i, p := range at[int32](v, in.a, part) {
			if p != 0 {
				masks[g] |= 1 << (int(part.lo) + i - int(g)<<shift)
			}
		}
	})
	eachSubGroup(v.act, shift, func(g int32, part span) { spread(at[uint32](v, in.d, part), masks[g]) })
}

// kSubGroupBarrier reports sub-groups whose work-items have not all arrived.
func kSubGroupBarrier(v *view, in *inst) {
	x, shift := v.x, v.x.p.subGroupShift
	for g, mask := range x.active(v.act) {
		if mask == 0 {
			continue
		}
		full := uint32(uint64(1)<<min(x.n-g<<shift, 1<<shift) - 1)
		note := "others are elsewhere"
		switch absent := full &^ mask; {
		case absent == 0:
			continue
		case absent&^x.gone[g] == 0:
			if x.p.Checks < exec.ChecksAll {
				continue
			}
			note = "others have returned before it"
		}
		if f := x.report(exec.BarrierDivergence, in, g<<shift+bits.TrailingZeros32(mask), nil, 0, 0); f != nil {
			f.What, f.Note = "sub-group", note
		}
	}
	if x.order != nil {
		x.passSubGroupBarriers(x.takeFlags(int64(in.imm)), v.act)
	}
}

// leave records that the active lanes return from the kernel.
func (x *worker) leave() {
	shift := x.p.subGroupShift
	eachSubGroup(x.cols.act, shift, func(g int32, part span) { x.gone[g] |= laneBits(g, shift, part) })
}

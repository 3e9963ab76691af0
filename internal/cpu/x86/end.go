package x86

import (
	"math"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// end lowers an OpEnd. If an integer is not known to be affine, the order is false and the two ends are arbitrary.
func (l *lowerer) end(v *ssa.Value) {
	a := l.real(v.Args[0])
	x, sz := l.facts.Of(a), size(a.Type.K)
	d := l.g()
	l.vals[v.ID].g = []reg{d}
	span := x.Stride * int64(l.n-1)
	switch {
	case !l.plan.Varying[a.ID]:
		if v.Aux == ssa.EndsOrder {
			l.movi(d, 1)
		} else {
			l.mov(d, l.G(a, 0))
		}
		return
	case l.gang != nil || !x.Exact() || span > math.MaxInt32 || span < -math.MaxInt32 || sz < 4:
		l.movi(d, 0)
		return
	}
	first, w := l.G(a, 0), asm.Width(sz)
	if v.Aux == ssa.EndFirst {
		l.mov(d, first)
		return
	}
	last := d
	if v.Aux == ssa.EndsOrder {
		last = l.g()
	}
	l.mov(last, first)
	l.opi(asm.ADDIMM, w, last, span)
	if v.Aux == ssa.EndLast {
		return
	}
	// The first and the last lane differ by less than half the range of the type, so that some lane has wrapped
	// only if the last one has.
	less, more := first, last
	if span < 0 {
		less, more = last, first
	}
	l.cmp(w, less, more)
	if a.Type.K.Num().Signed() {
		l.setcc(asm.SETLE, d)
	} else {
		l.setcc(asm.SETBE, d)
	}
}

package gang

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Elements by number in gangs of one work-item. If the offset of an access is a number times 2, 4 or 8, the instruction
// has a scale, and the bounds check compares the number with the number of elements. Counters of loops are such numbers,
// so that their accesses need no registers of their own.

// alone reports whether a gang is one work-item.
func (b *emitter) alone() bool { return b.o.Lanes == 1 && !b.o.Target.LaneByLane }

// scaled returns the number, and the logarithm of its factor, of an access's only term.
func (b *accesses) scaled(a *lanes.Access) (of *ssa.Value, shift int, ok bool) {
	if !b.alone() || a.Private != nil || len(a.Terms) != 1 || a.Order != nil || len(a.Guards) > 0 || b.patterns.MayBeLarge(a.Root) {
		return nil, 0, false
	}
	v := b.p.Facts.Source(a.Terms[0])
	if v.Type.K.IsPtr() || v.Type.N != 1 || v.Type.Elem().Size() != 8 || len(v.Args) != 2 || !v.Args[1].IsConst() {
		return nil, 0, false
	}
	n := v.Args[1].ConstElem(0)
	switch {
	case v.Op == ssa.OpShl && n >= 1 && n <= 3:
		return v.Args[0], int(n), true
	case v.Op == ssa.OpMul && (n == 2 || n == 4 || n == 8):
		return v.Args[0], bits.TrailingZeros64(n), true
	}
	return nil, 0, false
}

// scale gives an access a scaled offset. A number whose product wraps counts as out of bounds: the slow path decides.
func (b *accesses) scale(w *fastPath) bool {
	of, shift, ok := b.scaled(&w.Access)
	if !ok || w.shape != Broadcast || w.Disp+w.Low != 0 {
		return false
	}
	w.off, w.scale = b.scalar(of, 0), 1<<shift
	return true
}

// scaleBefore is scale for an access that a test before its loop covers.
func (b *accesses) scaleBefore(w *fastPath, c *lanes.Check) bool {
	of, shift, ok := b.scaled(&w.Access)
	if p := b.patterns.Loop(b.src); !ok || w.shape != Broadcast || p == nil || p.Latch == nil || c.Sum.V != nil {
		return false
	}
	w.off, w.scale = b.scalar(of, 0), 1<<shift
	w.disp += w.Disp + w.Low
	return true
}

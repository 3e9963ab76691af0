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
	by, ok := lanes.Factor(v)
	if ok = ok && (by == 2 || by == 4 || by == 8) && v.Type.N == 1 && v.Type.Elem().Size() == 8; !ok {
		return nil, 0, false
	}
	return v.Args[0], bits.TrailingZeros64(uint64(by)), true
}

// elementNumber returns the number of an element. A number of 32 bits is extended with zeros,
// which is free: within an object it is not negative, and a negative one becomes larger than an object can be.
func (b *accesses) elementNumber(of *ssa.Value) Reg {
	if v := narrowNumber(of); v != nil {
		return b.extended(v, b.scalar(v, 0))
	}
	return b.scalar(of, 0)
}

// narrowNumber returns the integer of 32 bits that v extends, else nil.
func narrowNumber(v *ssa.Value) *ssa.Value {
	if v.Op == ssa.OpConvert && v.Args[0].Type.N == 1 && (v.Args[0].Type.K == ssa.I32 || v.Args[0].Type.K == ssa.U32) {
		return v.Args[0]
	}
	return nil
}

// extended extends r, which holds the integer v of 32 bits, with zeros.
func (b *emitter) extended(v *ssa.Value, r Reg) Reg {
	if v.Type.K == ssa.I32 {
		r = b.each(ssa.OpBitcast, Type{Scalar, ssa.U32, 1}, 0, r)
	}
	return b.each(ssa.OpConvert, i64, 0, r)
}

// scale gives an access a scaled offset. A number whose product wraps counts as out of bounds: the slow path decides.
func (b *accesses) scale(w *fastPath) bool {
	of, shift, ok := b.scaled(&w.Access)
	at := w.Disp + w.Low
	if !ok || w.shape != Broadcast || at&(1<<shift-1) != 0 {
		return false
	}
	w.off, w.scale = b.plus(i64, b.elementNumber(of), at>>shift), 1<<shift
	return true
}

// scaleBefore is scale for an access that a test before its loop covers.
func (b *accesses) scaleBefore(w *fastPath, c *lanes.Check) bool {
	of, shift, ok := b.scaled(&w.Access)
	if p := b.patterns.Loop(b.src); !ok || w.shape != Broadcast || p == nil || p.Latch == nil || c.Sum.V != nil {
		return false
	}
	w.off, w.scale = b.elementNumber(of), 1<<shift
	w.disp += w.Disp + w.Low
	return true
}

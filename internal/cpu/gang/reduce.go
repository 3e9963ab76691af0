package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Strength reduction: an offset that grows by the same amount in each iteration of a loop has a register of its own,
// which the end of the loop advances.
//
// Such a register may differ from the offset after a narrower sum has wrapped. It is then out of bounds, because
// objects are smaller than MaxObject, and the slow path computes the exact offset. Larger objects have no such
// registers.

// Addresses whose narrow sums differ only in a constant share a register. The sum and the register plus the constant
// are equal modulo 2³². If the latter is in bounds, they are equal. An access without a check shares a register only if
// the test before the loop has found the register to be in bounds.

// A reducedOffset is the sum of an address's terms in each iteration of a loop.
type reducedOffset struct {
	terms  []*ssa.Value
	r      Reg
	narrow bool // may differ from the sum
	tested bool // in bounds by the test before the loop
}

// distance returns the distance, in bytes, of a sum of terms from that in the register, false if they are not equal modulo it.
func (o *reducedOffset) distance(terms []*ssa.Value, exact, tested bool) (by int64, ok bool) {
	if slices.Equal(o.terms, terms) && !(exact && o.narrow) {
		o.tested = o.tested || tested
		return 0, true
	}
	if exact || tested && !o.tested {
		return 0, false
	}
	return distance(o.terms, terms)
}

// distance returns the sum of b minus the sum of a, in bytes. It holds for objects that are not large.
func distance(a, b []*ssa.Value) (by int64, ok bool) {
	if len(a) != 1 || len(b) != 1 || a[0].Type.K.IsPtr() || b[0].Type.K.IsPtr() {
		return 0, false
	}
	t, c, ok := lanes.NarrowOf(a[0])
	u, d, ok2 := lanes.NarrowOf(b[0])
	// An unsigned sum that is smaller than a's might wrap below 0.
	return t.By * (d - c), ok && ok2 && t == u && (t.Signed || d >= c)
}

// reductions are the reduced offsets of the function.
type reductions struct {
	reduced map[*lanes.TestedLoop][]reducedOffset
	latches map[*ssa.Block][]Inst // by SSA block: the instructions before its terminator
}

// reducedSum returns a register and a distance whose sum is that of an address's terms in each iteration of the loop
// around, false if no register has it. tested says that the test before the loop covers the access.
func (b *accesses) reducedSum(a *lanes.Access, tested bool) (r Reg, by int64, ok bool) {
	p := b.patterns.Loop(b.src)
	if b.o.Target.LaneByLane || a.Displaced || p == nil || p.Latch == nil || b.tails[p.Latch.ID].block != nil || len(a.Terms) == 0 {
		return 0, 0, false
	}
	exact := b.patterns.MayBeLarge(a.Root)
	for k := range b.reduced[p] {
		o := &b.reduced[p][k]
		if by, ok := o.distance(a.Terms, exact, tested); ok {
			return o.r, by, true
		}
	}
	sum, ok := p.OffsetStep(a.Terms, exact)
	if !ok || slices.ContainsFunc(a.Terms, func(o *ssa.Value) bool { return !b.repeats(o, p) }) {
		return 0, 0, false
	}
	o := reducedOffset{slices.Clone(a.Terms), b.f.NewReg(i64), sum.Narrow, tested}
	b.insertAll(b.tails[p.Entry.ID], func() {
		b.emit(Inst{Op: OpCopy, Dst: o.r, Args: b.regs(b.firstOffset(a.Terms, p, map[*ssa.Value]Reg{}))})
		b.latches[p.Latch] = append(b.latches[p.Latch], Inst{Op: OpEach, Each: ssa.OpAdd, Dst: o.r, Args: b.regs(o.r, b.growth(sum))})
	})
	b.reduced[p] = append(b.reduced[p], o)
	return o.r, 0, true
}

// growth builds the growth of a sum per iteration.
func (b *accesses) growth(sum lanes.Step) Reg {
	by := b.constant(i64, uint64(sum.K))
	if sum.V == nil {
		return by
	}
	x := b.scalar(sum.V, 0)
	if sum.V.Type.K != ssa.I64 {
		op := ssa.OpConvert
		if sum.V.Type.K.Num().Size() == 8 {
			op = ssa.OpBitcast
		}
		x = b.each(op, i64, 0, x)
	}
	return b.each(ssa.OpMul, i64, 0, x, by)
}

// scalarHere is scalar in the cold code under construction: it repeats simple arithmetic of the loop, so that the hot
// code need not compute what only the cold code uses.
func (b *values) scalarHere(v *ssa.Value) Reg {
	if !b.simple(v) {
		return b.scalar(v, 0)
	}
	key := element{v, firstLane}
	if r := b.here[key]; r != 0 {
		return r
	}
	r := b.again(v, b.scalarHere)
	b.here[key] = r
	return r
}

// firstLane stands in place of an element's number. It names the value's scalar: the element of the first lane.
const firstLane = -1

// simple reports whether v is simple scalar arithmetic in a loop, or in a gang of one work-item, or a pointer.
func (b *values) simple(v *ssa.Value) bool {
	x := &b.vals[v.ID]
	if b.o.Target.LaneByLane || v.Block == nil || b.p.Loops.Of(v.Block) == nil && !x.lazy && !b.alone() || v.Type.N != 1 || v.Type.K == ssa.Bool || !lanes.Scalar(v.Type.K) || x.varies && !x.affine {
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpBitcast, ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpConvert:
		return !lanes.FromGeneric(v) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return a.Type.N != 1 || a.Type.K == ssa.Bool || !lanes.Scalar(a.Type.K) })
	}
	return false
}

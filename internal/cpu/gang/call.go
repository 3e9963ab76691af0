package gang

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Operations between work-items, and host calls.

// call builds a host call, which performs the operation for each lane.
func (b *builder) call(v *ssa.Value) {
	i := Inst{Op: OpCall, Access: b.access(v)}
	if v.Op != ssa.OpPtrCast { // inactive lanes compute pointer casts too
		i.Mask = b.mask(b.src)
	}
	for _, a := range v.Args {
		for c := range int(a.Type.N) {
			i.Args = append(i.Args, b.vector(a, c))
		}
	}
	if v.Type.K == ssa.Void {
		b.emit(i)
		return
	}
	d := b.inst(i, Type{Vector, memoryKind(v.Type.K), v.Type.N})
	if b.p.Varying[v.ID] {
		b.split(v, d)
	} else {
		b.setFirsts(v, d)
	}
}

// forCheckers builds an operation that only checking executors use. Here its value is one of its arguments.
func (b *builder) forCheckers(v *ssa.Value) {
	arg, _ := ssa.CheckersOnly(v)
	a := v.Args[arg]
	uniform := !b.vals[a.ID].varies
	b.set(v, uniform, b.regs(b.element(a, 0, uniform)))
}

// subGroup builds an operation among the work-items of a sub-group.
func (b *builder) subGroup(v *ssa.Value) {
	size, m := b.p.F.Kernel.SubGroupSize(), b.mask(b.src)
	if b.o.Lanes%size != 0 {
		Refuse("sub-groups of %d in gangs of %d", size, b.o.Lanes)
	}
	switch v.Op {
	case ssa.OpSubGroupBallot:
		set := b.each(ssa.OpNe, predicate, 0, b.vector(v.Args[0], 0), b.constant(vectorOf(v.Args[0].Type.K), 0))
		b.set(v, false, b.regs(b.inst(Inst{Op: OpBallot, Args: b.regs(set), Aux: int64(size), Mask: m}, vectorOf(ssa.U32))))
	case ssa.OpSubGroupExchange:
		if v.Type.K == ssa.Bool {
			Refuse("an exchange of Bools")
		}
		regs := b.regsOf(int(v.Type.N))
		for c := range regs {
			regs[c] = b.inst(Inst{Op: OpExchange, Args: b.regs(b.vector(v.Args[0], c), b.vector(v.Args[1], 0)), Aux: int64(size), Mask: m}, vectorOf(v.Type.K))
		}
		b.set(v, false, regs)
	default:
		// The lanes of a sub-group execute together. The host reports sub-groups that only some work-items
		// reach.
		if b.p.Class[b.src.ID] == nil {
			return
		}
		if !b.o.OneReturn {
			Refuse("a sub-group barrier in divergent control flow where work-items may have returned")
		}
		b.call(v)
	}
}

// permute builds a permutation of the lanes of two values.
func (b *builder) permute(v *ssa.Value) {
	if b.o.Lanes != len(v.Lanes) {
		Refuse("a permutation of %d lanes in gangs of %d", len(v.Lanes), b.o.Lanes)
	}
	from := make([]uint64, len(v.Lanes))
	for i, l := range v.Lanes {
		from[i] = uint64(l)
	}
	b.set(v, false, b.regs(b.inst(Inst{Op: OpPermute, Args: b.regs(b.vector(v.Args[0], 0), b.vector(v.Args[1], 0)), Cases: from}, vectorOf(v.Type.K))))
}

// barrier builds a work-group barrier. If the function runs a whole work-group, all its gangs have reached the
// barrier together.
func (b *builder) barrier(v *ssa.Value) {
	if b.f.Waits {
		b.emit(Inst{Op: OpBarrier, Access: b.access(v), Imm: int64(b.p.Origin(v).ID)}) // that of copies, too
	}
}

// lastBefore returns the last lane's value if it is the value before the test v of its order, else nil.
func lastBefore(v *ssa.Value) *ssa.Value {
	if k := slices.Index(v.Block.Values, v); v.Aux == ssa.EndsOrder && k > 0 {
		if w := v.Block.Values[k-1]; w.Op == ssa.OpEnd && w.Aux == ssa.EndLast && w.Args[0] == v.Args[0] {
			return w
		}
	}
	return nil
}

// end builds an integer's value in the gang's first or last lane, or the test whether all lanes lie between the
// two.
func (b *builder) end(v *ssa.Value) {
	a := b.p.Facts.Source(v.Args[0])
	x, y := b.p.Facts.Of(a), &b.vals[a.ID]
	t := Type{Scalar, a.Type.K, 1}
	span := x.Stride * int64(b.o.Lanes-1)
	var r Reg
	switch {
	case !b.p.Varying[a.ID]:
		if r = b.constant(aBool, 1); v.Aux != ssa.EndsOrder {
			r = b.scalar(a, 0)
		}
	case b.gang != 0 || !y.affine || !x.Exact() || span > math.MaxInt32 || span < -math.MaxInt32 || t.Size() < 4:
		r = b.constant(Type{Scalar, v.Type.K, 1}, 0)
	case v.Aux == ssa.EndFirst:
		r = b.scalar(a, 0)
	default:
		first := b.scalar(a, 0)
		if last := lastBefore(v); last != nil {
			r = b.scalar(last, 0)
		} else {
			r = b.plus(t, first, span)
		}
		if v.Aux == ssa.EndsOrder {
			// The first and the last lane are less than half the type's range apart, so that a lane has wrapped
			// only if the last has.
			less, more := first, r
			if span < 0 {
				less, more = r, first
			}
			r = b.each(ssa.OpLe, aBool, 0, less, more)
		}
	}
	b.set(v, true, b.regs(r))
}

package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Atomic operations. Without a known object the host executes them by the lanes' pointers. On a known object the
// machine may combine the lanes' operands, or accumulate them in a sum.

// findSums numbers the atomic operations whose operands may be accumulated.
func (b *accesses) findSums() {
	b.atomics = map[*ssa.Value]int32{}
	for _, r := range b.p.Facts.Reductions(b.o.Target) {
		s := Sum{Root: int32(b.roots.Number(r.Root)), RMW: r.RMW, Kind: r.Op.Type.K, Elements: r.Elements}
		same := func(x Sum) bool { return s.Elements && x.Elements && x.Root == s.Root }
		if n := slices.IndexFunc(b.f.Sums, same); n >= 0 {
			b.atomics[r.Op] = int32(n + 1)
			continue
		}
		for _, o := range r.Others {
			s.Others = append(s.Others, int32(b.roots.Number(o)))
		}
		slices.Sort(s.Others)
		b.f.Sums = append(b.f.Sums, s)
		b.atomics[r.Op] = int32(len(b.f.Sums))
	}
}

// atomic builds an atomic operation.
func (b *accesses) atomic(v *ssa.Value) {
	i := Inst{Op: OpAtomic, Each: v.Op, Aux: v.Aux, Access: b.access(v), Mask: b.mask(b.src)}
	if v.Op != ssa.OpAtomicStore && (b.uses[v.ID] > 0 || v.Op == ssa.OpAtomicLoad) {
		i.Dst = b.f.NewReg(vectorOf(v.Type.K))
	}
	var operands []Reg
	for _, a := range v.Args[1:] {
		operands = append(operands, b.vector(a, 0))
	}
	slow := func() {
		i.Args = append([]Reg{b.vector(v.Args[0], 0)}, operands...)
		b.emit(i)
	}
	var w fastPath
	if !b.o.Target.LaneByLane {
		w = b.fastPath(v)
	}
	if w.shape == Broadcast {
		w.shape = Uniform
	}
	if w.shape == NoShape {
		slow()
	} else {
		at := i
		at.Op, at.Shape, at.Root, at.Imm, at.Scale = OpAtomicAt, w.shape, int32(w.root), w.disp, w.scale
		at.Args = append([]Reg{w.off}, operands...)
		if n := b.atomics[b.p.Origin(v)]; n != 0 && b.f.Sums[n-1].Elements == (w.shape != Uniform) {
			at.Sum = n
			if b.f.Sums[n-1].Elements {
				b.f.Forms |= spmd.Copies
			}
		}
		b.apart(w.checks, func() { b.emit(at) }, slow)
	}
	switch {
	case i.Dst == 0:
	case b.p.Varying[v.ID]:
		b.set(v, false, b.regs(i.Dst))
	default:
		b.setFirsts(v, i.Dst)
	}
}

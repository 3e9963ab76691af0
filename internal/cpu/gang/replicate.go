package gang

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

// All lanes may load one vector from a uniform address and use its elements side by side. One instruction then loads the vector
// and replicates it. Otherwise each element is replicated, and several instructions join them.

// A replica is a vector, or a part of one, that a load at a uniform address brings side by side to all lanes.
type replica struct {
	of *ssa.Value
	at int // number of its first element
	d  Reg
}

// replicasOf returns the vectors that the load v may bring side by side: v itself, and its parts of successive elements.
func replicasOf(b *accesses, v *ssa.Value) (list []replica) {
	if b.o.Target.LaneByLane || b.alone() || v.Type.K == ssa.Bool || v.Type.N < 4 {
		return nil
	}
	fits := func(x *ssa.Value) bool {
		return int(x.Type.Size())%shuffleBytes == 0 && int(x.Type.Size()) <= b.o.Target.VectorBytes && x.Type.N > 1 && !b.elements[x.ID]
	}
	if fits(v) {
		list = append(list, replica{v, 0, b.f.NewReg(Type{Vector, v.Type.K, v.Type.N})})
	}
	for _, x := range b.partsOf()[v] {
		if fits(x) {
			list = append(list, replica{x, int(x.Lanes[0]), b.f.NewReg(Type{Vector, x.Type.K, x.Type.N})})
		}
	}
	return list
}

// partsOf returns the swizzles, by their argument, that take successive elements of a vector from memory.
func (b *values) partsOf() map[*ssa.Value][]*ssa.Value {
	if b.parts != nil {
		return b.parts
	}
	b.parts = map[*ssa.Value][]*ssa.Value{}
	for v := range b.p.Facts.Values() {
		if v.Op != ssa.OpShuffle || v.Args[0].Op != ssa.OpLoad || b.p.Varying[v.ID] {
			continue
		}
		first := int(v.Lanes[0])
		ok := first+len(v.Lanes) <= int(v.Args[0].Type.N)
		for k, n := range v.Lanes {
			ok = ok && int(n) == first+k
		}
		if ok {
			b.parts[v.Args[0]] = append(b.parts[v.Args[0]], v)
		}
	}
	return b.parts
}

// join brings vectors of scalars side by side.
func (b *values) join(scalars []Reg, list []replica) {
	for _, x := range list {
		t := b.f.Type(x.d)
		args := b.regsOf(int(t.N))
		for c := range args {
			args[c] = b.inst(Inst{Op: OpSplat, Args: b.regs(scalars[x.at+c])}, Type{Vector, t.K, 1})
		}
		b.emit(Inst{Op: OpJoin, Dst: x.d, Args: args})
	}
}

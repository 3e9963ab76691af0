package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loads of neighbours, after the symbolic execution of a work-group (evaluate.go). A stencil's elements beside those of a gang are
// in the registers of two gangs. On a machine with few registers, which has no permutation of two registers either, a load of them
// from memory takes one instruction, and neither register must be kept.

const (
	fewRegisters   = 16 // a machine with more vector registers permutes neighbours
	mostNeighbours = 3  // permutations of the same two loads; more share too much to be loaded
)

// loadNeighbours replaces permutations of two tested loads by loads. The two loads must be next to each other in memory, and the
// kernel must not write their object. The launch tests that no written object overlaps it.
func (e *evaluation) loadNeighbours() {
	x := e.extents
	if x.unknown || e.o.Registers > fewRegisters {
		return
	}
	var list []*ssa.Value
	each := map[[2]*ssa.Value]int{} // permutations of two loads
	for _, b := range e.gangs.f.Blocks[1:] {
		for _, v := range b.Values {
			if v.Op == ssa.OpPermute && e.besides(v) {
				list = append(list, v)
				each[[2]*ssa.Value(v.Args)]++
			}
		}
	}
	list = slices.DeleteFunc(list, func(v *ssa.Value) bool { return each[[2]*ssa.Value(v.Args)] > mostNeighbours })
	if 2*len(list) <= e.o.Registers {
		return
	}
	for _, v := range list {
		e.loadNeighbour(v)
	}
}

// besides reports whether the lanes of a permutation are elements that are next to each other in memory.
func (e *evaluation) besides(v *ssa.Value) bool {
	a, b, n, size := v.Args[0], v.Args[1], len(v.Lanes), int64(v.Type.Size())
	for i, k := range v.Lanes {
		if int(k) != int(v.Lanes[0])+i {
			return false
		}
	}
	for _, w := range v.Args {
		if w.Op != ssa.OpLoad || w.Flags&ssa.Tested == 0 || w.Type != v.Type || v.Type.N != 1 {
			return false
		}
	}
	p, from := displaced(a.Args[0])
	q, to := displaced(b.Args[0])
	t, ok := e.extents.number[a.Args[0]]
	if p != q || to-from != int64(n)*size || !ok || t < 0 {
		return false
	}
	o, known := accessed(a)
	at := &e.extents.terms[t]
	return known && at.regular && at.stride == size && !slices.Contains(e.extents.written, o)
}

// displaced returns an address without a constant, and the constant.
func displaced(p *ssa.Value) (base *ssa.Value, disp int64) {
	if p.Op == ssa.OpPtrAdd && p.Args[1].IsConst() {
		return p.Args[0], int64(p.Args[1].Bits[0])
	}
	return p, 0
}

// loadNeighbour makes a permutation of two loads a load.
func (e *evaluation) loadNeighbour(v *ssa.Value) {
	x, a := e.extents, v.Args[0]
	if o, _ := accessed(a); !slices.Contains(x.apart, o) {
		x.apart = append(x.apart, o)
	}
	base, disp := displaced(a.Args[0])
	f := e.gangs.f
	address := f.NewValue(ssa.OpPtrAdd, base.Type, a.Pos, base, e.constant(ssa.TI64, uint64(disp+int64(v.Lanes[0])*int64(v.Type.Size()))))
	v.Block.InsertAt(slices.Index(v.Block.Values, v), address)
	x.number[address] = x.number[a.Args[0]]
	v.Op, v.Flags, v.Aux, v.Pos, v.Lanes = ssa.OpLoad, a.Flags, a.Aux, a.Pos, nil
	v.SetArgs(address)
	for len(e.origin) <= int(v.ID) {
		e.origin, e.gang = append(e.origin, nil), append(e.gang, 0)
	}
	e.origin[v.ID], e.gang[v.ID] = e.origin[a.ID], e.gang[a.ID]
}

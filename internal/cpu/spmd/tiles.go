package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Tiles are variables in local memory that each work-group writes whole before its first barrier, and reads after it. They
// need not be cleared between work-groups. The stores' places follow from local ids, so that the answer depends on the
// size of the work-groups only. [Plan.OverwritesLocals] gives it for code that is made for one size.

// Tiles are the stores to tiles before the first barrier of a kernel.
type Tiles struct {
	// Faults says that another access before the barrier may be out of bounds. A launch may stop the work-item then, which
	// does not write its part of the tiles.
	Faults bool

	sizes  map[*ssa.Global]int64 // of the variables
	stores []tileStore
	values []*ssa.Value // the values from which the stores' offsets follow, and these; operands first
}

// A tileStore is a store of size bytes at the sum of offsets.
type tileStore struct {
	to      *ssa.Global
	offsets []*ssa.Value
	size    int64
}

// Bounds of the work for one size.
const (
	maxTileValues = 128
	maxTileItems  = 4096
)

// TilesOf returns the tiles of a kernel, nil if it has none: if local memory is an argument, or if it may be read before
// the first barrier.
func TilesOf(f *ssa.Func) *Tiles {
	t := &Tiles{sizes: map[*ssa.Global]int64{}}
	total := int64(0)
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && g.Kind == ssa.PtrLocal && t.sizes[g] == 0 {
				t.sizes[g] = g.Size
				total += g.Size
			}
		}
	}
	local := func(v *ssa.Value) bool { return v.Type.K == ssa.PtrLocal }
	if len(t.sizes) == 0 || total > maxCovered || slices.ContainsFunc(f.Params, local) {
		return nil
	}
	known := map[*ssa.Value]bool{}
	for b := f.Blocks[0]; ; b = b.Succs[0] {
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier {
				return t
			}
			if !t.add(v, known) {
				return nil
			}
		}
		if len(b.Succs) != 1 || len(b.Succs[0].Preds) != 1 {
			return nil
		}
	}
}

// add adds v if it is a store to a tile. It returns false if v may read local memory.
func (t *Tiles) add(v *ssa.Value, known map[*ssa.Value]bool) bool {
	if !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes) {
		return true
	}
	for i, a := range v.Args {
		switch {
		case a.Type.K == ssa.PtrGeneric, a.Type.K == ssa.PtrLocal && (v.Op != ssa.OpStore || i > 0):
			return false
		case a.Type.K == ssa.PtrLocal:
			t.Faults = !t.addStore(v, known) || t.Faults
		case a.Type.K.IsPtr():
			t.Faults = true
		}
	}
	return true
}

// addStore adds a store if its place follows from local ids, and reports whether it does.
func (t *Tiles) addStore(v *ssa.Value, known map[*ssa.Value]bool) bool {
	s := tileStore{size: int64(v.Args[1].Type.Size())}
	p := v.Args[0]
	for ; p.Op == ssa.OpPtrAdd; p = p.Args[0] {
		if !t.follows(p.Args[1], known) {
			return false
		}
		s.offsets = append(s.offsets, p.Args[1])
	}
	g, ok := p.Sym.(*ssa.Global)
	if ok = ok && p.Op == ssa.OpGlobalAddr && v.Args[1].Type.N != 3; ok {
		s.to = g
		t.stores = append(t.stores, s)
	}
	return ok
}

// follows reports whether an integer follows from local ids and constants, and adds it and its operands to values.
func (t *Tiles) follows(v *ssa.Value, known map[*ssa.Value]bool) bool {
	if ok, seen := known[v]; seen {
		return ok
	}
	known[v] = false
	switch {
	case v.Type.N != 1 || !v.Type.K.Num().IsInt() || v.Type.K.IsPtr() || len(t.values) == maxTileValues:
		return false
	case v.IsConst():
	case v.Op == ssa.OpWorkItem:
		if len(v.Args) == 0 {
			return false
		}
		if q := ssa.WorkItemQuery(v.Aux); q != ssa.LocalID && q != ssa.LocalSize || !v.Args[0].IsConst() || v.Args[0].ConstElem(0) > 2 {
			return false
		}
	case v.Op == ssa.OpBitcast && v.Args[0].Type.Size() == v.Type.Size() && t.follows(v.Args[0], known):
	case !v.Op.Has(ssa.Elementwise) || slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !t.follows(a, known) }):
		return false
	}
	known[v] = true
	t.values = append(t.values, v)
	return true
}

// Written reports whether work-groups of a size write all of the tiles before their first barrier.
func (t *Tiles) Written(size [3]uint64) bool {
	items := size[0] * size[1] * size[2]
	if items == 0 || items > maxTileItems {
		return false
	}
	written := map[*ssa.Global][]bool{}
	for g, n := range t.sizes {
		written[g] = make([]bool, n)
	}
	of := map[*ssa.Value][]uint64{}
	for _, v := range t.values {
		if of[v] = t.each(v, of, size); of[v] == nil {
			return false
		}
	}
	for _, s := range t.stores {
		part := written[s.to]
		for item := range items {
			at := int64(0)
			for _, o := range s.offsets {
				at += int64(signExtended(o.Type.K, of[o][item]))
			}
			if at < 0 || at > int64(len(part))-s.size {
				return false
			}
			for i := range s.size {
				part[at+i] = true
			}
		}
	}
	for _, part := range written {
		if slices.Contains(part, false) {
			return false
		}
	}
	return true
}

// signExtended returns an integer of kind k as one of 64 bits, as in the offset of a pointer.
func signExtended(k ssa.Kind, x uint64) uint64 {
	if n := k.Num(); n.Signed() {
		shift := 64 - 8*uint(n.Size())
		return uint64(int64(x<<shift) >> shift)
	}
	return x
}

// each returns a value of each work-item, nil if it is undefined for one.
func (t *Tiles) each(v *ssa.Value, of map[*ssa.Value][]uint64, size [3]uint64) []uint64 {
	list := make([]uint64, size[0]*size[1]*size[2])
	args := make([]uint64, len(v.Args))
	for item := range list {
		if v.IsConst() {
			list[item] = v.ConstElem(0)
			continue
		}
		if v.Op == ssa.OpWorkItem {
			d := v.Args[0].ConstElem(0)
			if list[item] = size[d]; ssa.WorkItemQuery(v.Aux) == ssa.LocalID {
				below := uint64(1)
				for _, n := range size[:d] {
					below *= n
				}
				list[item] = uint64(item) / below % size[d]
			}
			continue
		}
		for i, a := range v.Args {
			args[i] = of[a][item]
		}
		if v.Op == ssa.OpBitcast {
			list[item] = args[0]
			continue
		}
		x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
		if !ok {
			return nil
		}
		list[item] = x
	}
	return list
}

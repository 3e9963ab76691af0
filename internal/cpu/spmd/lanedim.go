package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// exchangeDims rewrites the kernel for a range whose dimensions 0 and d are exchanged. Lanes, which are
// consecutive in dimension 0, are then consecutive in dimension d of the host's range.
func exchangeDims(f *ssa.Func, d int) bool {
	constantDims(f)
	found := false
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Values) {
			if v.Op != ssa.OpWorkItem || ssa.WorkItemQuery(v.Aux) == ssa.WorkDim {
				continue
			}
			to := uint64(d)
			switch v.Args[0].ConstElem(0) {
			case 0:
			case uint64(d):
				to = 0
			default:
				continue
			}
			v.SetArgs(f.InsertEntry(f.NewConst(ssa.TU32, to)))
			found = true
		}
	}
	return found
}

// DimCosts holds, for each dimension, the cost of a work-item's memory accesses if the lanes of a gang are
// along that dimension, and the cost of its other operations. The unit is a vector operation of the gang; loops
// are weighted. Used marks the dimensions whose ids the kernel reads.
type DimCosts struct {
	Access [3]float64
	Rest   float64
	Used   [3]bool
}

// The costs of an access of a gang, by the distance of the lanes' addresses.
const (
	costSame    = 1
	costNear    = 1
	costStrided = 3
	costFar     = 24
	costLoop    = 8 // assumed iterations of a loop
)

// CostsByDim estimates the costs of f's accesses for lanes along each dimension, from the distance of
// neighbours' addresses as far as it follows from ids. Its time is linear in the size of f.
func CostsByDim(f *ssa.Func) (c DimCosts) {
	fl := uniform.FlowOf(f)
	loops, order := fl.Loops, fl.Order
	a := slopesOf(f, order, 3)
	for _, b := range order {
		weight := 1.0
		for l := loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight *= costLoop
		}
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpWorkItem:
				if d := v.Args[0]; d.IsConst() && d.ConstElem(0) < 3 {
					c.Used[d.ConstElem(0)] = true
				} else if !d.IsConst() {
					c.Used = [3]bool{true, true, true}
				}
				if q := ssa.WorkItemQuery(v.Aux); q == ssa.GlobalLinearID || q == ssa.LocalLinearID {
					c.Used = [3]bool{true, true, true}
				}
			case (v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes)) && len(v.Args) > 0 && v.Args[0].Type.K.IsPtr() && v.Args[0].Type.K != ssa.PtrPrivate:
				t := v.Type
				if v.Op == ssa.OpStore {
					t = v.Args[1].Type
				}
				for d := range c.Access {
					c.Access[d] += weight * a.of(v.Args[0], d).cost(int64(t.Size()))
				}
			case v.Op.Has(ssa.Pure):
				c.Rest += weight
			}
		}
	}
	return c
}

// A slope is the growth of an integer or a pointer per step of an id in one dimension: the constant by, or
// unknown if any is set.
type slope struct {
	by  int64
	any bool
}

func (s slope) none() bool { return s == slope{} }

// cost returns the cost of an access of size bytes.
func (s slope) cost(size int64) float64 {
	by := max(s.by, -s.by)
	switch {
	case s.none():
		return costSame
	case s.any:
		return costFar
	case by <= size || size == 12 && by == 16:
		return costNear
	case by <= 4*size:
		return costStrided
	}
	return costFar
}

type slopes struct {
	dims  int
	all   []slope // by value ID and dimension
	known []bool  // by value ID
}

// of returns the slope of v in dimension d.
func (a *slopes) of(v *ssa.Value, d int) slope { return a.all[int(v.ID)*a.dims+d] }

// slopesOf returns the slopes of f's values in the first dims dimensions; order is the order of its reachable blocks.
func slopesOf(f *ssa.Func, order []*ssa.Block, dims int) *slopes {
	a := &slopes{dims: dims, all: make([]slope, dims*f.NumValues()), known: make([]bool, f.NumValues())}
	for range 2 { // values of a loop's back edge are known in the second round
		for _, b := range order {
			for _, v := range b.Values {
				a.value(v)
			}
		}
	}
	return a
}

// value computes the slopes of v. A phi takes the slope of its known arguments: an unknown back edge is assumed
// to grow equally, and the next pass checks it.
func (a *slopes) value(v *ssa.Value) {
	for d := range a.dims {
		a.all[int(v.ID)*a.dims+d] = a.slope(v, d)
	}
	a.known[v.ID] = true
}

func (a *slopes) slope(v *ssa.Value, d int) (s slope) {
	arg := func(i int) slope { return a.of(v.Args[i], d) }
	switch v.Op {
	case ssa.OpWorkItem:
		return ofQuery(v, d)
	case ssa.OpConst, ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
		return slope{}
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub:
		x, y := arg(0), arg(1)
		if v.Op == ssa.OpSub {
			y.by = -y.by
		}
		return slope{x.by + y.by, x.any || y.any}
	case ssa.OpMul, ssa.OpShl:
		x, y := arg(0), arg(1)
		if x.none() && y.none() {
			return slope{}
		}
		if c := v.Args[1]; c.IsConst() && v.Type.N == 1 {
			k := int64(c.ConstElem(0))
			if v.Op == ssa.OpShl {
				k = 1 << (k & 63)
			}
			if k > -1<<20 && k < 1<<20 && x.by > -1<<20 && x.by < 1<<20 {
				return slope{x.by * k, x.any}
			}
		}
		return slope{any: true}
	case ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy, ssa.OpPtrCast:
		return arg(0)
	case ssa.OpMin, ssa.OpMax, ssa.OpSelect, ssa.OpPhi:
		first := true
		for i, x := range v.Args {
			if v.Op == ssa.OpSelect && i == 0 || !a.known[x.ID] {
				continue
			}
			switch y := arg(i); {
			case first || s.none() && v.Op != ssa.OpPhi: // a clamped index: assume that it is not at the border
				s, first = y, false
			case y != s && !(y.none() && v.Op != ssa.OpPhi):
				return slope{any: true}
			}
		}
		return s
	}
	for i := range v.Args {
		if !arg(i).none() {
			return slope{any: true}
		}
	}
	return slope{}
}

// ofQuery returns the slope of a work-item query in dimension d.
func ofQuery(v *ssa.Value, d int) slope {
	switch ssa.WorkItemQuery(v.Aux) {
	case ssa.GlobalID, ssa.LocalID:
		switch of := v.Args[0]; {
		case !of.IsConst():
			return slope{any: true}
		case of.ConstElem(0) == uint64(d):
			return slope{by: 1}
		}
	case ssa.GlobalLinearID, ssa.LocalLinearID:
		if d == 0 {
			return slope{by: 1}
		}
		return slope{any: true}
	}
	return slope{}
}

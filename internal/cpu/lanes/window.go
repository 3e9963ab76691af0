package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes whose offsets follow from bits of a linear local id often lie close together, but neither side by side nor at equal distances:
// 4 * (l & 7) repeats after 8 lanes, and l >> 3 has one value for 8 lanes. Each lane's distance from the first one is then a
// constant, so that a load reads the window around all lanes, or the two addresses, and permutes the elements.

// minWindowLanes is the number of lanes of the least gang with windows.
const minWindowLanes = 8

// onePermutation selects Window for lanes whose elements one permutation takes from two registers, where no check is needed.
func (x *Patterns) onePermutation(w *Access) bool {
	es := w.Type.Size()
	if es*x.Gang > x.Target.VectorBytes || !x.Target.TwoSources.Has(es) {
		return false
	}
	at, ok := x.FixedFirst(&w.Address)
	if !ok || !x.window(w) {
		return false
	}
	c, _ := x.around(w)
	return Holds(w.Root, at, max(es*x.Gang, int(c.Bytes)))
}

// window selects Window if each lane is at a constant distance after the first, in at most two addresses or two gangs of elements.
func (x *Patterns) window(w *Access) bool {
	es := w.Type.Size()
	if x.Alone || x.Gang < minWindowLanes || x.Target.LaneByLane || w.Type.N > 1 || es < 4 || es > 4 && !x.Target.TwoSources.Has(es) || w.Type.K == ssa.Bool || w.Order != nil || x.MayBeLarge(w.Root) {
		return false
	}
	if _, ok := x.around(w); !ok || !x.steady(&w.Address) {
		return false
	}
	w.Pattern = Window
	return true
}

// around returns the lanes of an access as one cluster: the memory that contains their elements is two addresses, the vector from the
// first lane's address on, or that and the vector up to the last address.
func (x *Patterns) around(w *Access) (c Cluster, ok bool) {
	s, ok := (&stepper{Facts: x.Facts}).address(&w.Address)
	if !ok {
		return c, false
	}
	if c.Apart, ok = s.distances(x.Gang); !ok {
		return c, false
	}
	es, far := int64(w.Type.Size()), slices.Max(c.Apart)
	if far == 0 || far >= maxSpan || slices.ContainsFunc(c.Apart, func(d int64) bool { return d < 0 || d%es != 0 }) {
		return c, false
	}
	c.At, c.Bytes, c.Alike = []int64{0, far}, far+es, !slices.ContainsFunc(c.Apart, func(d int64) bool { return d != 0 && d != far })
	if c.Alike {
		return c, true
	}
	vector := es * int64(x.Gang)
	c.Bytes = max(c.Bytes, vector)
	c.At = slices.Compact([]int64{0, c.Bytes - vector})
	return c, far < 2*vector
}

// exact reports whether an access in the pattern Spread or Window touches no bytes but the lanes' elements and those between them.
func (x *Patterns) exact(w *Access) bool {
	if w.Pattern == Window {
		c, _ := x.around(w)
		return c.Alike
	}
	return w.Pattern == Spread
}

// maxFirstDepth is the number of operations, one the operand of the other, that firstLane follows.
const maxFirstDepth = 10

// FixedFirst returns the offset of the first lane in its object if that follows from the lane number alone, as do the other lanes' then
// if they are equidistant.
func (f *Facts) FixedFirst(a *Address) (at int64, ok bool) {
	if at = a.Disp; a.Order != nil || len(a.Guards) > 0 {
		return 0, false
	}
	for _, o := range a.Terms {
		x, ok := f.firstLane(o, maxFirstDepth)
		if !ok || !IsInt(o.Type.K) {
			return 0, false
		}
		at += x
	}
	return at, at <= MaxDisp && at >= -MaxDisp
}

// firstLane returns the first lane's value of an integer if it follows from the lane number alone.
func (f *Facts) firstLane(v *ssa.Value, depth int) (n int64, ok bool) {
	v = f.Source(v)
	switch {
	case v.Type.N != 1 || !IsInt(v.Type.K) || depth == 0:
		return 0, false
	case f.AllLanes(v):
		return f.Of(v).First, true
	case v.IsConst():
		return signed(v), true
	case !v.Op.Has(ssa.Elementwise) || len(v.Args) == 0:
		return 0, false
	}
	args := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		n, ok := f.firstLane(a, depth-1)
		if !ok {
			return 0, false
		}
		args[i] = uint64(n) & (1<<(8*size(a.Type.K)) - 1)
	}
	x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
	if k := v.Type.K.Num(); k.Signed() {
		shift := 64 - 8*uint(k.Size())
		x = uint64(int64(x<<shift) >> shift)
	}
	return int64(x), ok
}

// steady reports whether the lanes of an address that are not before the first one have the distances of its steps if both ends of
// these are in bounds: no integer wraps between lanes before it is extended. The index itself may, as it is out of bounds then.
func (f *Facts) steady(a *Address) bool {
	terms := a.Terms
	if x, _, _, ok := f.NarrowIndex(a); ok && size(x.Type.K) == 4 {
		terms = []*ssa.Value{x}
	}
	list, ok := f.extended(terms, maxStepDepth, nil)
	return ok && len(list) == 0
}

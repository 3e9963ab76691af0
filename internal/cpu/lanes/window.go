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
	at, ok := x.FirstIn(&w.Address)
	if !ok || !x.window(w) {
		return false
	}
	apart, _ := x.Distances(&w.Address, x.Gang)
	return Holds(w.Root, at, max(es*x.Gang, int(slices.Max(apart))+es))
}

// window selects Window if each lane is at a constant distance after the first, in at most two addresses or two gangs of elements.
func (x *Patterns) window(w *Access) bool {
	es := w.Type.Size()
	if x.Alone || x.Gang < minWindowLanes || x.Target.LaneByLane || w.Type.N > 1 || es < 4 || es > 4 && !x.Target.TwoSources.Has(es) || w.Type.K == ssa.Bool || w.Order != nil || x.MayBeLarge(w.Root) {
		return false
	}
	apart, ok := x.Distances(&w.Address, x.Gang)
	if !ok || !x.steady(&w.Address) {
		return false
	}
	far := int64(0)
	for _, d := range apart {
		if d < 0 || d%int64(es) != 0 {
			return false
		}
		far = max(far, d)
	}
	if far == 0 || far >= maxSpan || !TwoAddresses(apart) && far >= int64(2*x.Gang*es) {
		return false
	}
	w.Pattern = Window
	return true
}

// TwoAddresses reports whether the lanes' distances from the first, as Distances returns them, have two values.
func TwoAddresses(apart []int64) bool {
	far := slices.Max(apart)
	return !slices.ContainsFunc(apart, func(d int64) bool { return d != 0 && d != far })
}

// exact reports whether an access in the pattern Spread or Window touches no bytes but the lanes' elements and those between them.
func (x *Patterns) exact(w *Access) bool {
	if w.Pattern == Spread {
		return true
	}
	apart, ok := x.Distances(&w.Address, x.Gang)
	return ok && w.Pattern == Window && TwoAddresses(apart)
}

// maxFirstDepth is the number of operations, one the operand of the other, that firstLane follows.
const maxFirstDepth = 10

// FirstIn returns the offset of the first lane in its object if that follows from the lane number alone.
func (f *Facts) FirstIn(a *Address) (at int64, ok bool) {
	at = a.Disp
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

// Distances returns the distance of each lane's address from the first lane's, in bytes, if these are constants.
func (f *Facts) Distances(a *Address, n int) (apart []int64, ok bool) {
	s, ok := (&stepper{Facts: f}).address(a)
	if !ok {
		return nil, false
	}
	apart = make([]int64, n)
	for lane := range apart {
		for b := range laneBits {
			if lane>>b&1 == 0 {
				continue
			}
			if s.Unknown>>b&1 != 0 {
				return nil, false
			}
			apart[lane] += s.By[b]
		}
	}
	return apart, true
}

// steady reports whether the lanes of an address that are not before the first one have the distances of its steps if both ends of
// these are in bounds: no integer wraps between lanes before it is extended. The index itself may, as it is out of bounds then.
func (f *Facts) steady(a *Address) bool {
	if x, _, _, ok := f.NarrowIndex(a); ok && size(x.Type.K) == 4 {
		return f.unwrapped(x, maxStepDepth)
	}
	for _, o := range a.Terms {
		if !f.unwrapped(o, maxStepDepth) {
			return false
		}
	}
	return true
}

// unwrapped reports whether v is computed without the extension of integers that may wrap between lanes.
func (f *Facts) unwrapped(v *ssa.Value, depth int) bool {
	v = f.Source(v)
	x := f.Of(v)
	switch {
	case !f.varies(v):
		return true
	case x.Shape == Affine:
		return x.Exact()
	case depth == 0:
		return false
	}
	switch v.Op {
	case ssa.OpAnd, ssa.OpShr, ssa.OpDiv, ssa.OpRem:
		return true // bits of an id
	case ssa.OpConvert:
		if y := f.Of(v.Args[0]); size(v.Args[0].Type.K) < size(v.Type.K) && !(y.Bounded && y.Lo >= -1<<30 && y.Hi <= 1<<30) {
			return false
		}
	}
	for _, a := range v.Args {
		if !f.unwrapped(a, depth-1) {
			return false
		}
	}
	return true
}

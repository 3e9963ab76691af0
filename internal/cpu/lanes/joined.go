package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// An index that wraps around or is clamped at the ends of a row, as i == 0 ? n - 1 : i - 1 or clamp(i - 1, 0, n - 1), chooses
// between several integers. Each of them is uniform or grows from lane to lane. A load at such an index joins several loads, one for
// each integer, whose addresses are uniform or contiguous.

const (
	maxLeaves     = 4  // addresses of a load
	minJoinedLane = 8  // lanes of the least gang with such accesses
	smallBound    = 64 // most indices are above less than this
)

// Picks say which argument some choices are.
type Picks map[*ssa.Value]*ssa.Value

// IsChoice reports whether v is one of two integers, but neither uniform nor affine itself.
func (f *Facts) IsChoice(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpSelect, ssa.OpMin, ssa.OpMax:
		return f.varies(v) && f.Of(v).Shape != Affine && v.Type.N == 1 && IsInt(v.Type.K) && size(v.Type.K) >= 4
	}
	return false
}

// Alternatives returns the two integers between which v chooses.
func Alternatives(v *ssa.Value) (x, y *ssa.Value) {
	n := len(v.Args)
	return v.Args[n-2], v.Args[n-1]
}

// PrefersSecond reports whether lanes usually choose the second alternative of v: the one that is a choice itself, or else
// grows from lane to lane. Of two that grow, the condition of v decides: indices are usually below a bound, but not below a
// small constant, and not equal to a certain integer.
func (f *Facts) PrefersSecond(v *ssa.Value) bool {
	x, y := Alternatives(v)
	rank := func(v *ssa.Value) int {
		switch {
		case !f.varies(v):
			return 0
		case f.Of(v).Shape == Affine:
			return 1
		}
		return 2
	}
	c := v.Args[0]
	if rank(x) != rank(y) || v.Op != ssa.OpSelect {
		return rank(x) <= rank(y)
	}
	switch c.Op {
	case ssa.OpNe:
		return false
	case ssa.OpLt, ssa.OpLe:
		bound, above := c.Args[1], false
		if f.varies(bound) {
			bound, above = c.Args[0], true
		}
		small := bound.IsConst() && IsInt(bound.Type.K) && signed(bound) < smallBound
		return small != above
	}
	return true
}

// joined selects the pattern Joined if every alternative of the load is a broadcast or contiguous.
func (x *Patterns) joined(w *Access) bool {
	if x.Alone || x.Gang < minJoinedLane || w.Type.N > 1 || w.Type.K == ssa.Bool || w.Order != nil || x.MayBeLarge(w.Root) {
		return false
	}
	left := maxLeaves
	if !x.leaves(&w.Address, Picks{}, int64(w.Type.Size()), &left) || left == maxLeaves-1 {
		return false
	}
	w.Pattern = Joined
	return true
}

// NextChoice returns a choice that the address depends on if some others are picked; nil: there is no other, and lanes
// are stride bytes apart. It returns false if the address depends on more than choices, or if stride is unknown.
func (f *Facts) NextChoice(a *Address, picks Picks) (v *ssa.Value, stride int64, ok bool) {
	x := stepper{Facts: f, picks: picks}
	s, ok := x.address(a)
	if x.choice != nil {
		return x.choice, 0, true
	}
	return nil, s.By[0], ok && s.even()
}

// leaves reports whether all alternatives of the address are a broadcast or contiguous for elements of size bytes, and counts them
// from left down to 0.
func (f *Facts) leaves(a *Address, picks Picks, size int64, left *int) bool {
	v, stride, ok := f.NextChoice(a, picks)
	switch {
	case !ok:
		return false
	case v == nil:
		*left--
		return *left >= 0 && (stride == 0 || stride == size)
	}
	x, y := Alternatives(v)
	for _, p := range [2]*ssa.Value{x, y} {
		if picks[v] = p; !f.leaves(a, picks, size, left) {
			return false
		}
	}
	delete(picks, v)
	return true
}

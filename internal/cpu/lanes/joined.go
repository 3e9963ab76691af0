package lanes

import (
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

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

// joinedStore selects the pattern Joined if the store's lanes choose between two contiguous addresses.
func (x *Patterns) joinedStore(w *Access) bool {
	if x.Target.LaneByLane || !x.joined(w) {
		return false
	}
	w.Together = !x.Target.Masks.Has(w.Type.Size())
	picks := Picks{}
	v, _, _ := x.NextChoice(&w.Address, picks)
	a, b := Alternatives(v)
	for _, p := range [2]*ssa.Value{a, b} {
		picks[v] = p
		if more, stride, ok := x.NextChoice(&w.Address, picks); !ok || more != nil || stride == 0 {
			w.Pattern, w.Together = Gather, false
			return false
		}
	}
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

// Clamp returns an index that grows by one element of size bytes from lane to lane, unclamped, and v, its minimum or maximum with
// uniform integers, if lanes are as far apart in an address as v is. The unclamped one may wrap between lanes if wraps is set. The
// result is nil for other addresses.
func (f *Facts) Clamp(a *Address, bytes int) (v, unclamped *ssa.Value, wraps bool) {
	picks := Picks{}
	v, _, _ = f.NextChoice(a, picks)
	for x := v; x != nil; {
		bound, other := Alternatives(x)
		if f.varies(bound) {
			bound, other = other, bound
		}
		other = f.Source(other)
		if x.Op != ssa.OpMin && x.Op != ssa.OpMax || f.varies(bound) || size(x.Type.K) != 4 {
			break
		}
		picks[x] = bound
		if y, stride, ok := f.NextChoice(a, picks); y != nil || stride != 0 || !ok {
			break
		}
		picks[x] = other
		y, stride, ok := f.NextChoice(a, picks)
		if y != nil && y == other {
			x = y
			continue
		}
		if z := f.Of(other); ok && y == nil && stride == int64(bytes) && z.Exact() && z.Stride == 1 && len(a.Terms) == 1 && len(f.PickedWraps(a, picks)) == 0 {
			return v, other, !z.keepsRange(other.Type.K, 1)
		}
		break
	}
	return nil, nil, false
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

// A Wrap is an integer of at most 32 bits that grows by Stride from lane to lane, and that a wider one is extended from.
type Wrap struct {
	V      *ssa.Value
	Stride int64
}

// PickedWraps returns the integers that must not wrap up to the last lane if choices are as picked: others are added after
// their extension, so that a wrapped one may be in bounds.
func (f *Facts) PickedWraps(a *Address, picks Picks) (list []Wrap) {
	j := picker{f, picks}
	for _, o := range a.Terms {
		list = j.wraps(o, false, list)
	}
	return list
}

// A picker examines values whose choices are as picked.
type picker struct {
	f     *Facts
	picks Picks
}

// wraps appends the integers that v is extended from. displaced says that v is a summand of a larger sum.
func (j *picker) wraps(v *ssa.Value, displaced bool, list []Wrap) []Wrap {
	v = j.f.Source(v)
	if p := j.picks[v]; p != nil {
		return j.wraps(p, displaced, list)
	}
	if !j.f.varies(v) || j.f.Of(v).Exact() {
		return list
	}
	switch v.Op {
	case ssa.OpConvert:
		x := v.Args[0]
		if size(x.Type.K) < size(v.Type.K) {
			s, _ := (&stepper{Facts: j.f, picks: j.picks}).steps(x)
			by := s.By[0]
			if r := (&Fact{Interval: j.interval(x, maxStepDepth)}); displaced && by != 0 && !r.keepsRange(x.Type.K, by) {
				list = append(list, Wrap{x, by})
			}
			return list
		}
		return j.wraps(x, displaced, list)
	case ssa.OpBitcast, ssa.OpCopy, ssa.OpMul, ssa.OpShl:
		return j.wraps(v.Args[0], displaced, list)
	case ssa.OpAdd, ssa.OpSub:
		for i, x := range v.Args {
			y := v.Args[1-i]
			list = j.wraps(x, displaced || size(v.Type.K) == 8 && !y.IsConst(), list)
		}
	}
	return list
}

// interval returns the interval of v in lanes whose choices are as picked.
func (j *picker) interval(v *ssa.Value, depth int) interval.Interval {
	v = j.f.Source(v)
	switch p := j.picks[v]; {
	case p != nil:
		return j.interval(p, depth)
	case !j.f.varies(v) || j.f.Of(v).Shape == Affine:
		return j.f.Of(v).Interval
	case depth == 0:
		return interval.Whole(v.Type.K)
	}
	return interval.Eval(v, func(x *ssa.Value) interval.Interval { return j.interval(x, depth-1) })
}

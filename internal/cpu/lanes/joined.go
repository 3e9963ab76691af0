package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// An index that wraps around or is clamped at the ends of a row, as i == 0 ? n - 1 : i - 1 or clamp(i - 1, 0, n - 1), chooses
// between several integers. Each of them is uniform or grows from lane to lane. A load at such an index joins several loads, one for
// each integer, whose addresses are uniform or contiguous.

const (
	maxLeaves     = 4  // addresses of a load
	maxJoinSteps  = 64 // values that joined examines
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
	j := joiner{f: x.Facts, picks: Picks{}, left: maxJoinSteps, leaves: maxLeaves, size: int64(w.Type.Size())}
	if !j.leavesOf(&w.Address) || j.leaves == maxLeaves-1 {
		return false
	}
	w.Pattern = Joined
	return true
}

// NextChoice returns a choice that the address depends on if some others are picked; nil: there is no other, and lanes
// are stride bytes apart. It returns false if the address depends on more than choices, or if stride is unknown.
func (f *Facts) NextChoice(a *Address, picks Picks) (v *ssa.Value, stride int64, ok bool) {
	j := joiner{f: f, picks: picks, left: maxJoinSteps}
	return j.address(a)
}

// A joiner examines an address.
type joiner struct {
	f            *Facts
	picks        Picks
	left, leaves int
	size         int64
}

// leavesOf reports whether all alternatives of the address are a broadcast or contiguous.
func (j *joiner) leavesOf(a *Address) bool {
	v, stride, ok := j.address(a)
	switch {
	case !ok:
		return false
	case v == nil:
		j.leaves--
		return j.leaves >= 0 && (stride == 0 || stride == j.size)
	}
	x, y := Alternatives(v)
	for _, p := range [2]*ssa.Value{x, y} {
		if j.picks[v] = p; !j.leavesOf(a) {
			return false
		}
	}
	delete(j.picks, v)
	return true
}

func (j *joiner) address(a *Address) (choice *ssa.Value, stride int64, ok bool) {
	for _, o := range a.Terms {
		if o.Type.K.IsPtr() {
			return nil, 0, false
		}
		c, s, ok := j.of(o)
		if c != nil || !ok {
			return c, 0, ok
		}
		stride += s
	}
	return nil, stride, true
}

// of returns a choice that v depends on and that is not picked, or how much v grows from lane to lane.
func (j *joiner) of(v *ssa.Value) (choice *ssa.Value, stride int64, ok bool) {
	v = j.f.Source(v)
	x := j.f.Of(v)
	switch {
	case !j.f.varies(v):
		return nil, 0, true
	case x.Shape == Affine && x.Order == nil:
		return nil, x.Stride, true
	}
	if j.left--; j.left < 0 || v.Type.N != 1 || !IsInt(v.Type.K) || size(v.Type.K) < 4 {
		return nil, 0, false
	}
	switch v.Op {
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); sat || !IsInt(v.Args[0].Type.K) {
			return nil, 0, false
		}
		return j.of(v.Args[0])
	case ssa.OpBitcast, ssa.OpCopy:
		return j.of(v.Args[0])
	case ssa.OpMul, ssa.OpShl:
		by, ok := Factor(v)
		if !ok {
			return nil, 0, false
		}
		choice, stride, ok = j.of(v.Args[0])
		return choice, stride * by, ok
	case ssa.OpAdd, ssa.OpSub:
		choice, stride, ok = j.of(v.Args[0])
		if choice != nil || !ok {
			return choice, 0, ok
		}
		choice, s, ok := j.of(v.Args[1])
		if v.Op == ssa.OpSub {
			s = -s
		}
		return choice, stride + s, ok
	}
	if !j.f.IsChoice(v) {
		return nil, 0, false
	}
	if p := j.picks[v]; p != nil {
		return j.of(p)
	}
	return v, 0, true
}

package interval

import "github.com/purecl/purecl/internal/ir/ssa"

// An Interval bounds the elements of an integer or a bool to [Lo, Hi]. The zero Interval is unbounded.
type Interval struct {
	Lo, Hi  int64
	Bounded bool
}

// Of returns [lo, hi].
func Of(lo, hi int64) Interval { return Interval{lo, hi, true} }

// maxBound limits the bounds of 64-bit integers.
const maxBound = 1 << 48

// wholes has the intervals of all values, by kind.
var wholes = func() (t [ssa.Void + 1]Interval) {
	for k := ssa.Bool; k <= ssa.U32; k++ {
		if n := k.Num(); n.Signed() {
			t[k] = Of(-1<<(n.Bits()-1), 1<<(n.Bits()-1)-1)
		} else {
			t[k] = Of(0, 1<<n.Bits()-1)
		}
	}
	return t
}()

// Whole returns the interval of all values of a kind; that of 64-bit kinds, and of others than integers, is unbounded.
func Whole(k ssa.Kind) Interval { return wholes[k] }

// Within reports whether every element is in [lo, hi].
func (r Interval) Within(lo, hi int64) bool { return r.Bounded && r.Lo >= lo && r.Hi <= hi }

// FitsIn reports whether kind k, of at most 32 bits, can represent all of r.
func (r Interval) FitsIn(k ssa.Kind) bool { return r.Within(wholes[k].Lo, wholes[k].Hi) }

// NonNeg reports whether r has no negative value.
func (r Interval) NonNeg() bool { return r.Bounded && r.Lo >= 0 }

// Fit returns r if kind k can represent all of it, else the interval of the kind: the operation may have wrapped.
func (r Interval) Fit(k ssa.Kind) Interval {
	switch w := wholes[k]; {
	case w.Bounded:
		if !r.Within(w.Lo, w.Hi) {
			return w
		}
	case !r.Within(-maxBound, maxBound) || r.Lo < 0 && !k.Num().Signed():
		return w
	}
	return r
}

// reduce returns r modulo 2 to the bits of kind k where all of r wraps alike, as 5 plus the greatest unsigned number, else as Fit does.
func (r Interval) reduce(k ssa.Kind) Interval {
	if w := wholes[k]; w.Bounded && r.Bounded {
		period := w.Hi - w.Lo + 1
		for _, by := range [2]int64{period, -period} {
			if r.Within(w.Lo+by, w.Hi+by) {
				return Of(r.Lo-by, r.Hi-by)
			}
		}
	}
	return r.Fit(k)
}

// Clamp returns r saturated to kind k.
func (r Interval) Clamp(k ssa.Kind) Interval {
	w := wholes[k]
	switch {
	case w.Bounded && r.Bounded:
		return Of(min(max(r.Lo, w.Lo), w.Hi), min(max(r.Hi, w.Lo), w.Hi))
	case r.Bounded && !k.Num().Signed():
		r = Of(max(r.Lo, 0), max(r.Hi, 0))
	}
	return r.Fit(k)
}

// Join returns the least interval that holds both.
func (r Interval) Join(s Interval) Interval {
	if !r.Bounded || !s.Bounded {
		return Interval{}
	}
	return Of(min(r.Lo, s.Lo), max(r.Hi, s.Hi))
}

// Widened joins r with the interval old of a phi of kind k in the pass before: a bound that moved becomes the kind's bound.
func (r Interval) Widened(old Interval, k ssa.Kind) Interval {
	j, w := r.Join(old), wholes[k]
	if j == old || !j.Bounded {
		return j
	}
	if !w.Bounded {
		return w
	}
	if j.Lo < old.Lo {
		j.Lo = w.Lo
	}
	if j.Hi > old.Hi {
		j.Hi = w.Hi
	}
	return j
}

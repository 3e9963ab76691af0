package opt

import (
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// findRanges computes the interval of each integer and bool, by ID, in one pass in reverse post-order. A value from a
// loop's back edge may be anything. The result is valid until the next call.
func findRanges(s *state) []interval.Interval {
	known := cleared(s.ranges, s.f.NumValues())
	s.ranges = known
	done := s.marked(s.f.NumValues())
	of := func(v *ssa.Value) interval.Interval { return known[v.ID] }
	for _, b := range s.dom().Order {
		for _, v := range b.Values {
			switch k := v.Type.K; {
			case k != ssa.Bool && !interval.IsInt(k):
			case v.Op == ssa.OpPhi:
				known[v.ID] = rangeOfPhi(v, known, done)
			case v.Op == ssa.OpWorkItem:
				known[v.ID] = rangeOfQuery(v)
			default:
				known[v.ID] = interval.Eval(v, of)
			}
			done[v.ID] = true
		}
	}
	return known
}

func rangeOfPhi(v *ssa.Value, known []interval.Interval, done []bool) (r interval.Interval) {
	for i, a := range v.Args {
		if !done[a.ID] {
			return interval.Whole(v.Type.K)
		}
		if i == 0 {
			r = known[a.ID]
		}
		r = r.Join(known[a.ID])
	}
	return r
}

// maxLocal exceeds every executor's work-group size.
const maxLocal = 1 << 16

// rangeOfQuery returns the interval of a work-item query.
func rangeOfQuery(v *ssa.Value) interval.Interval {
	switch ssa.WorkItemQuery(v.Aux) {
	case ssa.LocalID, ssa.LocalLinearID, ssa.LocalSize, ssa.EnqueuedLocalSize:
		return interval.Of(0, maxLocal).Fit(v.Type.K)
	}
	return interval.Whole(v.Type.K)
}

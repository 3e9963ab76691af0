package lanes

import (
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Intervals in a block. Facts hold everywhere, also in the header of a loop, where a counter may have reached its bound.

// A placed is a value in a block, of the first lane only or of all.
type placed struct {
	v     *ssa.Value
	b     *ssa.Block
	first bool
}

// IntervalIn returns the interval of an integer in block b, where counters of the loops around b are below their bounds.
func (x *Patterns) IntervalIn(v *ssa.Value, b *ssa.Block) interval.Interval {
	return x.intervalIn(v, b, false, maxStepDepth)
}

// intervalIn does the work of IntervalIn. If first is set, the interval need only contain the integer of the first lane.
func (x *Patterns) intervalIn(v *ssa.Value, b *ssa.Block, first bool, depth int) interval.Interval {
	r := x.Of(v).Interval
	if v.Block == nil || !IsInt(v.Type.K) || depth == 0 {
		return r
	}
	counts := x.Loops.Of(v.Block) != nil && x.Loops.Contains(x.Loops.Of(v.Block), b)
	if !counts && !first {
		return r
	}
	key := placed{v, b, first}
	if s, ok := x.intervals[key]; ok {
		return s
	}
	s := interval.Interval{}
	switch {
	case v.Op == ssa.OpPhi:
		if counts {
			s = x.counter(v, b)
		}
	case v.Op == ssa.OpWorkItem:
		if first {
			s = x.firstID(v)
		}
	case len(v.Args) > 0:
		s = interval.Eval(v, func(a *ssa.Value) interval.Interval { return x.intervalIn(a, b, first, depth-1) })
	}
	switch {
	case !r.Bounded:
		r = s
	case s.Bounded:
		r.Lo, r.Hi = max(r.Lo, s.Lo), min(r.Hi, s.Hi)
	}
	if x.intervals == nil {
		x.intervals = map[placed]interval.Interval{}
	}
	x.intervals[key] = r
	return r
}

// firstID returns the interval of a local id in dimension 0 of a gang's first lane: gangs begin at the start of a row of a
// work-group and follow each other. It is not bounded for others.
func (x *Patterns) firstID(v *ssa.Value) (r interval.Interval) {
	n := x.Group[0]
	if ssa.WorkItemQuery(v.Aux) != ssa.LocalID || n == 0 || !v.Args[0].IsConst() || v.Args[0].ConstElem(0) != 0 {
		return r
	}
	return interval.Of(0, (n-1)/int64(x.Gang)*int64(x.Gang))
}

// counter returns the interval in block b of a uniform phi that counts up by a constant in a loop around b, whose header compares it with a
// constant. It is not bounded for others.
func (x *Patterns) counter(v *ssa.Value, b *ssa.Block) (r interval.Interval) {
	l := x.Loops.Of(v.Block)
	if l.Header != v.Block || b == l.Header || v.Type.N != 1 || x.varies(v) {
		return r
	}
	p, t := x.Induction(l), l.Header.Term()
	if p.Latch == nil || t.Op != ssa.OpBranch || !x.Loops.Contains(l, l.Header.Succs[0]) || x.Loops.Contains(l, l.Header.Succs[1]) {
		return r
	}
	c := t.Args[0]
	by := growth(v, v.Args[1-p.In])
	if c.Op != ssa.OpLt && c.Op != ssa.OpLe && c.Op != ssa.OpNe || c.Args[0] != v || !c.Args[1].IsConst() || by == nil || !by.IsConst() || v.Args[1-p.In].Op != ssa.OpAdd {
		return r
	}
	first, step, most := x.Of(v.Args[p.In]).Interval, signed(by), x.Of(c.Args[1]).Interval
	if !first.Bounded || !most.Bounded || step <= 0 || step > MaxDisp || !interval.Of(first.Lo, most.Hi+step).FitsIn(v.Type.K) {
		return r
	}
	switch c.Op {
	case ssa.OpLt:
		most.Hi--
	case ssa.OpNe: // begins below the bound and does not step over it
		if step != 1 || first.Hi > most.Lo {
			return r
		}
		most.Hi--
	}
	if first.Lo == first.Hi && most.Hi > first.Lo {
		most.Hi -= (most.Hi - first.Lo) % step
	}
	return interval.Of(first.Lo, max(first.Lo, most.Hi))
}

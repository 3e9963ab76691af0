package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// maxBytesAlone is the most bytes that scalar code copies, or zeroes outside of private objects, without a host call.
const maxBytesAlone = 128

// Scalarable reports whether gangs of one work-item can run a kernel. It must not have barriers, operations of several
// lanes, host calls for each lane or generic pointers.
func Scalarable(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern, ssa.OpImageQuery, ssa.OpFenceFlags, ssa.OpBarrier:
				return false
			case ssa.OpMemCopy, ssa.OpMemZero:
				if v.Aux > maxBytesAlone && (v.Op == ssa.OpMemCopy || v.Args[0].Op != ssa.OpAlloca) {
					return false
				}
			}
			if v.Type.K == ssa.PtrGeneric || v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup) {
				return false
			}
		}
	}
	return true
}

// The costs that [ScalarCost] compares, in cycles per work-item. AMD's Zen 4 takes over a cycle per gathered element, and
// bounds checks of the addresses come on top. The costs of fast gathers are estimates.
const (
	scalarOp     = 0.22 // an operation in scalar code
	scalarAccess = 0.7  // a load or store with its bounds check
	scalarExit   = 2    // the misprediction at the end of a loop, per iteration
	scalarBranch = 7    // a branch within a loop, mispredicted half the time
	laneOp       = 0.06 // an operation of a gang, per lane
	laneNear     = 0.2  // an access of a gang to neighbouring elements, per lane
	laneFar      = 1.7  // a gather or scatter, per lane
	fastFar      = 1.3  // the same on processors with fast gathers
	fastNarrow   = 1.8  // the same for elements of less than 4 bytes, which are cut out of 4
	fastPrivate  = 1.2  // the same for private arrays, which are in the cache
	// laneIdle is the ratio of the time of a gang to the mean time of its work-items, in a loop that work-items
	// leave at different times.
	laneIdle = 2
	// scalarGain bounds the ratio of scalar costs to gang costs. The margin accounts for the rough estimates.
	scalarGain = 0.8
)

// ScalarPays reports whether scalar code is likely to be faster than gangs; cost is the result of [ScalarCost].
func ScalarPays(cost float64) bool { return cost < scalarGain }

// ScalarMayPay reports whether [ScalarPays] may be true of a kernel. It needs no analysis of lanes.
func ScalarMayPay(f *ssa.Func) bool {
	fl := uniform.FlowOf(f)
	return len(fl.Loops.All) > 0 && leastCost(fl) < 1.01*scalarGain // the margin is for rounding
}

// ScalarCost returns the ratio of the expected times of scalar code, one work-item after the other, and of gangs on a
// processor with slow or fast gathers. It is low for loops that work-items leave at different times and whose accesses are
// far apart, such as products of sparse matrices in rows of different lengths. It is +Inf for kernels that cannot be scalar
// code and for those without such loops.
func ScalarCost(f *ssa.Func, slow bool) float64 {
	fl := uniform.FlowOf(f)
	if len(fl.Loops.All) == 0 || !Scalarable(f) {
		return math.Inf(1)
	}
	o := Options{RowUniform: true, GroupUniform: true}
	u := uniform.Analyse(fl, uniform.Config{Seed: o.varies})
	idle := idleLoops(u)
	if len(idle) == 0 {
		return math.Inf(1)
	}
	s := slopesOf(f, fl.Order, 1)
	scalar, gang := 0.0, 0.0
	share := make([]float64, f.NumBlocks()) // of the rounds of its loop in which a work-item executes a block
	dom := f.Dominators()
	for _, b := range fl.Order {
		share[b.ID] = 1
		if p := dom.Idom(b); p != nil {
			l := fl.Loops.Of(b)
			if fl.Loops.Of(p) == l {
				share[b.ID] = share[p.ID]
			}
			if l != nil && len(b.Preds) == 1 && u.Split[p.ID] && !leaves(fl.Loops, l, p) {
				share[b.ID] /= 2
			}
		}
		weight, waste := 1.0, 1.0
		for l := fl.Loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight *= costLoop
			if idle[l] {
				waste *= laneIdle
			}
		}
		if l := fl.Loops.Of(b); l != nil && u.Split[b.ID] {
			if leaves(fl.Loops, l, b) {
				scalar += weight * share[b.ID] * scalarExit
			} else {
				scalar += weight * share[b.ID] * scalarBranch
			}
		}
		for _, v := range b.Values {
			one, all := s.costs(v, u.Varying, slow)
			scalar += weight * share[b.ID] * one
			if l := fl.Loops.Of(b); l != nil && isCell(fl.Loops, l, v) {
				all /= costLoop
			}
			gang += weight * waste * all
		}
	}
	return scalar / gang
}

// leastCost returns a lower bound of [ScalarCost]. All accesses count as far apart, all loops as ones that lanes leave at
// different times, and all branches as divergent.
func leastCost(fl uniform.Flow) float64 {
	scalar, gang := 0.0, 0.0
	// By the position of a loop's header: the branches directly in the loop that do not leave it, and the loops in it.
	branches := make([]int, len(fl.Order))
	for _, l := range fl.Loops.All {
		if l.Parent != nil {
			branches[fl.Pos[l.Parent.Header.ID]]++
		}
	}
	for _, b := range fl.Order {
		if l := fl.Loops.Of(b); l != nil && len(b.Succs) > 1 && !leaves(fl.Loops, l, b) {
			branches[fl.Pos[l.Header.ID]]++
		}
	}
	for _, b := range fl.Order {
		share, weight, waste := 1.0, 1.0, 1.0
		if l := fl.Loops.Of(b); l != nil {
			share = math.Ldexp(1, -branches[fl.Pos[l.Header.ID]])
		}
		for l := fl.Loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight *= costLoop
			waste *= laneIdle
		}
		for _, v := range b.Values {
			n := float64(max(v.Type.N, 1))
			switch {
			case v.Op == ssa.OpPhi || v.IsConst():
			case v.Op == ssa.OpLoad, v.Op == ssa.OpStore:
				if v.Op == ssa.OpStore {
					n = float64(v.Args[1].Type.N)
				}
				scalar += weight * share * (scalarAccess + (n-1)*scalarOp)
				gang += weight * waste * n * max(laneFar, fastFar, fastNarrow, fastPrivate)
			default:
				scalar += weight * share * n * scalarOp
				gang += weight * waste * n * laneOp
			}
		}
	}
	return scalar / gang
}

// costs returns the cost of v per work-item in scalar code, and in a gang with lanes in dimension 0. A value without a slope
// may still vary, if lanes took different ways.
func (a *slopes) costs(v *ssa.Value, varying []bool, slow bool) (scalar, gang float64) {
	switch {
	case v.Op == ssa.OpPhi || v.IsConst():
		return 0, 0
	case v.Op == ssa.OpLoad || v.Op == ssa.OpStore:
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		n := float64(t.N)
		p := v.Args[0]
		at := a.of(p, 0)
		if at.cost(int64(t.Size())) == costFar || at.none() && varying[p.ID] {
			far := laneFar
			switch {
			case slow:
			case p.Type.K == ssa.PtrPrivate:
				far = fastPrivate
			case t.Elem().Size() < 4:
				far = fastNarrow
			default:
				far = fastFar
			}
			return scalarAccess + (n-1)*scalarOp, n * far
		}
		return scalarAccess + (n-1)*scalarOp, n * laneNear
	}
	n := float64(max(v.Type.N, 1))
	if a.of(v, 0).none() && !varying[v.ID] {
		return n * scalarOp, n * scalarOp / 16
	}
	return n * scalarOp, n * laneOp
}

// idleLoops returns the loops that lanes leave at different times.
func idleLoops(u *uniform.Analysis) map[*ssa.Loop]bool {
	idle := map[*ssa.Loop]bool{}
	for _, l := range u.Loops.All {
		for _, b := range l.Blocks {
			if u.Split[b.ID] && leaves(u.Loops, l, b) {
				idle[l] = true
			}
		}
	}
	return idle
}

// isCell reports whether v accesses memory that gangs keep in a register in the loop l (nests.go): its address is invariant, a
// store of the loop has the same address, and the loop has no branch but the one at its header.
func isCell(loops *ssa.Loops, l *ssa.Loop, v *ssa.Value) bool {
	if v.Op != ssa.OpLoad && v.Op != ssa.OpStore || loops.Contains(l, v.Args[0].Block) {
		return false
	}
	stored := false
	for _, b := range l.Blocks {
		if loops.Of(b) != l || b != l.Header && len(b.Succs) != 1 {
			return false
		}
		stored = stored || slices.ContainsFunc(b.Values, func(s *ssa.Value) bool { return s.Op == ssa.OpStore && s.Args[0] == v.Args[0] })
	}
	return stored
}

// leaves reports whether a branch at the end of b, a block of l, leaves the loop.
func leaves(loops *ssa.Loops, l *ssa.Loop, b *ssa.Block) bool {
	for _, s := range b.Succs {
		if !loops.Contains(l, s) {
			return true
		}
	}
	return false
}

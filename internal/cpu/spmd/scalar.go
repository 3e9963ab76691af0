package spmd

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// Scalarable reports whether gangs of one work-item can run a kernel. It must not have barriers, operations of several
// lanes, host calls for each lane, generic pointers or private objects.
func Scalarable(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpAlloca, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern, ssa.OpImageQuery, ssa.OpFenceFlags, ssa.OpBarrier:
				return false
			}
			if v.Type.K == ssa.PtrGeneric || v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup) {
				return false
			}
		}
	}
	return true
}

// The costs by which [ScalarPays] compares, in cycles of a work-item, on processors with slow gathers: those of AMD's Zen 4
// take over a cycle for each element, and their addresses have to be compared with the object's size.
const (
	scalarOp     = 0.22 // an operation in scalar code
	scalarAccess = 0.7  // a load or store with its bounds check
	scalarExit   = 2    // an iteration's share of the misprediction when a loop ends
	scalarBranch = 7    // a branch within a loop, mispredicted every other time
	laneOp       = 0.06 // an operation of a gang, for each lane
	laneNear     = 0.2  // an access of a gang to neighbouring elements, for each lane
	laneFar      = 1.7  // a gather or scatter, for each lane
	// laneIdle is the time of a gang in a loop that its lanes leave at different times, divided by the mean time of its
	// work-items.
	laneIdle = 2
	// scalarGain is how much less scalar code must cost, as estimates are rough.
	scalarGain = 0.8
)

// ScalarPays reports whether scalar code, one work-item after the other, is likely to be faster than gangs on a processor
// with slow gathers. That is so for loops that work-items leave at different times and whose accesses are far apart, such
// as products of sparse matrices in rows of different lengths.
func ScalarPays(f *ssa.Func) bool {
	fl := uniform.FlowOf(f)
	if len(fl.Loops.All) == 0 || !Scalarable(f) {
		return false
	}
	o := Options{RowUniform: true, GroupUniform: true}
	u := uniform.Analyse(fl, uniform.Config{Seed: o.varies})
	idle := idleLoops(u)
	if len(idle) == 0 {
		return false
	}
	s := slopesOf(f, fl.Order)
	scalar, gang := 0.0, 0.0
	for _, b := range fl.Order {
		weight, waste := 1.0, 1.0
		for l := fl.Loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight *= costLoop
			if idle[l] {
				waste *= laneIdle
			}
		}
		if l := fl.Loops.Of(b); l != nil && u.Split[b.ID] {
			if leaves(fl.Loops, l, b) {
				scalar += weight * scalarExit
			} else {
				scalar += weight * scalarBranch
			}
		}
		for _, v := range b.Values {
			one, all := s.costs(v)
			scalar += weight * one
			gang += weight * waste * all
		}
	}
	return scalar < scalarGain*gang
}

// costs returns what v costs a work-item in scalar code, and in a gang with lanes along dimension 0.
func (a *slopes) costs(v *ssa.Value) (scalar, gang float64) {
	switch {
	case v.Op == ssa.OpPhi || v.IsConst():
		return 0, 0
	case v.Op == ssa.OpLoad || v.Op == ssa.OpStore:
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		n := float64(t.N)
		switch a.of[v.Args[0].ID][0].cost(int64(t.Size())) {
		case costFar:
			return scalarAccess + (n-1)*scalarOp, n * laneFar
		default:
			return scalarAccess + (n-1)*scalarOp, n * laneNear
		}
	}
	n := float64(max(v.Type.N, 1))
	if a.of[v.ID][0].none() { // uniform
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

// leaves reports whether a branch at the end of b, a block of l, leaves the loop.
func leaves(loops *ssa.Loops, l *ssa.Loop, b *ssa.Block) bool {
	for _, s := range b.Succs {
		if !loops.Contains(l, s) {
			return true
		}
	}
	return false
}

package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of UnrollSteps.
const (
	maxConvergent = 1200 // size of a loop around barriers, in all its iterations
	maxStepValues = 800  // values of the kernel with its loops unrolled
)

// steps lists the passes to run on a kernel whose loops around barriers are to be unrolled.
var steps = []string{"unroll", "cfg", "sroa", "mem2reg", "simplify", "gvn", "simplify", "reassociate", "divide", "simplify", "gvn", "held", "simplify", "licm", "dce", "cfg", "layout"}

// UnrollSteps returns a copy of the optimised kernel f in which nests of loops around barriers are unrolled, such as
// the steps of a sorting network, if the numbers of their iterations are known; else nil. Code for one size of
// work-groups then has constants for the distances between work-items. f must have no calls.
func UnrollSteps(f *ssa.Func, cfg Config) *ssa.Func {
	loops := f.Loops(f.Dominators())
	around := func(x *ssa.Loop) bool {
		return slices.ContainsFunc(x.Blocks, func(b *ssa.Block) bool {
			return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier })
		})
	}
	// Findings at accesses without a position are told apart by value, of which there would be several.
	nowhere := slices.ContainsFunc(f.Blocks, func(b *ssa.Block) bool {
		return slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { _, ok := v.AccessType(); return ok && v.Pos == 0 })
	})
	if nowhere || loops.Irreducible || !slices.ContainsFunc(loops.All, around) {
		return nil
	}
	g := cloneKernel(f)
	s := &state{cfg: &cfg, steps: true}
	if s.optimise(g, find(steps)) != nil || g.CountValues() > maxStepValues || len(g.Loops(g.Dominators()).All) >= len(loops.All) {
		return nil
	}
	return g
}

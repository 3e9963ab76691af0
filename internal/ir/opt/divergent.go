package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// Limits of SelectDivergent, as those of if-conversion. A gang that executes one side after the other also pays for
// masks and for mispredicted branches.
const (
	maxSpeculatedDivergent = 32
	maxSelectsDivergent    = 8
)

// SelectDivergent returns a copy of the optimised kernel f in which branches that send work-items of a group to
// different sides, because of data, are selects if both sides are cheap; nil if there is no such branch. f must have no
// calls. It is for machines that execute work-items as the lanes of vectors: the limits are higher than those of pass
// ifconvert, which does not know which branches diverge. Branches that depend on ids only remain, because versions of
// the code may exist for gangs whose lanes agree.
func SelectDivergent(f *ssa.Func) *ssa.Func {
	if len(f.Blocks) == 1 {
		return nil
	}
	s := &state{f: f, cfg: &Config{KeepAccesses: true}} // for equal reports of faults
	c := converter{s: s, f: f, gone: make([]bool, f.NumBlocks()), speculated: maxSpeculatedDivergent, selects: maxSelectsDivergent}
	c.findPoison()
	if !slices.ContainsFunc(f.Blocks, func(a *ssa.Block) bool { return c.hasCheapSides(a) && fromData(a.Term().Args[0]) }) {
		return nil
	}
	g := cloneKernel(f)
	converted := false
	pass := &Pass{Name: "divergent", run: func(s *state) {
		u := uniform.Analyse(uniform.FlowOf(g), uniform.Config{Seed: differs})
		converted = convert(s, converter{speculated: maxSpeculatedDivergent, selects: maxSelectsDivergent, only: func(cond *ssa.Value) bool {
			return int(cond.ID) < len(u.Varying) && u.Varying[cond.ID] && fromData(cond)
		}})
	}}
	if s.optimise(g, append([]*Pass{pass}, find(reoptimisation)...)) != nil || !converted {
		return nil
	}
	return g
}

// hasCheapSides reports whether a branch at the end of a may become selects.
func (c *converter) hasCheapSides(a *ssa.Block) bool {
	t := a.Term()
	if t == nil || t.Op != ssa.OpBranch || a.Succs[0] == a.Succs[1] || c.isPoison(t.Args[0]) {
		return false
	}
	cost, sides := 0, 0
	for i, b := range a.Succs {
		if side(a, b) && (b.Succs[0] == a.Succs[1-i] || side(a, a.Succs[1-i])) && c.speculate(b, &cost, c.speculated) {
			sides++
		}
	}
	return sides > 0
}

// differs reports whether v may differ between work-items of a group although its operands do not.
func differs(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpLoad:
		k := v.Args[0].Type.K
		return k == ssa.PtrPrivate || k == ssa.PtrGeneric || v.Flags&ssa.Volatile != 0
	case ssa.OpWorkItem:
		q := ssa.WorkItemQuery(v.Aux)
		return q == ssa.GlobalID || q == ssa.LocalID || q == ssa.GlobalLinearID || q == ssa.LocalLinearID
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		return true
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.SubGroup)
}

// fromData reports whether a condition depends on memory. A vote is the same for all work-items of a gang.
func fromData(cond *ssa.Value) bool {
	seen := map[*ssa.Value]bool{}
	var visit func(v *ssa.Value) bool
	visit = func(v *ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		if v.Op == ssa.OpAny {
			return false
		}
		if _, access := v.AccessType(); access || v.Op.Has(ssa.ImageAccess) {
			return true
		}
		return slices.ContainsFunc(v.Args, visit)
	}
	return visit(cond)
}

package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An Argument is a scalar argument with a known value.
type Argument struct {
	Param int
	Bits  uint64
}

// StepParams returns at most n scalar integer parameters on which the numbers of iterations of loops around barriers
// depend, such as the number of steps of a stencil. Code for one size of work-groups and known numbers of steps has
// these steps one after the other (evaluate.go).
func StepParams(f *ssa.Func, n int) (params []int) {
	loops := f.Loops(f.Dominators())
	seen := map[*ssa.Value]bool{}
	var visit func(v *ssa.Value)
	visit = func(v *ssa.Value) {
		switch {
		case seen[v] || v.Type.N != 1 || v.Type.K.IsPtr() || !v.Op.Has(ssa.Pure) && v.Op != ssa.OpPhi:
			return
		case v.Op == ssa.OpParam && isInt(v.Type.K) && len(params) < n:
			params = append(params, int(v.Aux))
		}
		seen[v] = true
		for _, a := range v.Args {
			visit(a)
		}
	}
	for _, l := range loops.All {
		if !slices.ContainsFunc(l.Blocks, hasBarrier) {
			continue
		}
		for _, b := range l.Blocks {
			if len(b.Succs) == 2 && slices.ContainsFunc(b.Succs, func(s *ssa.Block) bool { return !loops.Contains(l, s) }) {
				visit(b.Term().Args[0])
			}
		}
	}
	slices.Sort(params)
	return params
}

// argument returns the value of a parameter, if it is known.
func (o *Unfolding) argument(p *ssa.Value) (bits uint64, ok bool) {
	i := slices.IndexFunc(o.Arguments, func(a Argument) bool { return a.Param == int(p.Aux) })
	if i < 0 {
		return 0, false
	}
	return o.Arguments[i].Bits, true
}

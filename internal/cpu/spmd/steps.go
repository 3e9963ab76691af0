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
			if len(b.Succs) == 2 && slices.ContainsFunc(b.Succs, func(s *ssa.Block) bool { return !loops.Contains(l, s) }) && !fixedDistance(loops, l, b.Term().Args[0]) {
				visit(b.Term().Args[0])
			}
		}
	}
	slices.Sort(params)
	return params
}

// fixedDistance reports whether a condition compares a number of loop l with its first one and a constant: the number of
// iterations then depends on no parameter.
func fixedDistance(loops *ssa.Loops, l *ssa.Loop, cond *ssa.Value) bool {
	if len(cond.Args) != 2 {
		return false
	}
	for k, a := range cond.Args {
		phi := apartFromConst(a)
		if phi.Op != ssa.OpPhi || phi.Block != l.Header {
			continue
		}
		for i, p := range phi.Block.Preds {
			if !loops.Contains(l, p) {
				return apartFromConst(phi.Args[i]) == apartFromConst(cond.Args[1-k])
			}
		}
	}
	return false
}

// apartFromConst returns v without the constants that are added to it.
func apartFromConst(v *ssa.Value) *ssa.Value {
	for (v.Op == ssa.OpAdd || v.Op == ssa.OpSub) && v.Args[1].IsConst() || v.Op == ssa.OpCopy {
		v = v.Args[0]
	}
	return v
}

// argument returns the value of a parameter, if it is known.
func (o *Unfolding) argument(p *ssa.Value) (bits uint64, ok bool) {
	i := slices.IndexFunc(o.Arguments, func(a Argument) bool { return a.Param == int(p.Aux) })
	if i < 0 {
		return 0, false
	}
	return o.Arguments[i].Bits, true
}

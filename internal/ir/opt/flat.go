package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// maxFlat bounds the values of a function without calls.
const maxFlat = 1_000_000

// Flat returns a copy of the optimised function f with all calls inlined, optimised again. It returns nil for a
// recursive function or if the copy would be too large.
func Flat(f *ssa.Func) *ssa.Func {
	g := &ssa.Func{Name: f.Name, Result: f.Result, Kernel: f.Kernel, Module: f.Module, Pos: f.Pos, Attrs: f.Attrs}
	clone := ssa.Cloner{Dst: g}
	g.Params = append([]*ssa.Value(nil), clone.Clone(f, nil)[0].Values[:len(f.Params)]...)
	p := newPlan(&Config{InlineBudget: maxFlat}, []*ssa.Func{f})
	for place, h := range p.order {
		p.info[place] = infoOf(h)
	}
	s := &state{f: g, cfg: p.cfg, plan: p, at: len(p.order), all: true}
	for hasCall(g) {
		n := g.NumValues()
		s.domOK = false
		if inline(s); g.NumValues() == n || g.NumValues() > maxFlat {
			return nil
		}
	}
	if s.optimise(g, find(Pipeline)) != nil {
		return nil
	}
	return g
}

// reoptimisation lists the passes to run on an optimised kernel after operations or branches have been replaced.
var reoptimisation = []string{"simplify", "gvn", "simplify", "zeros", "narrow", "simplify", "gvn", "licm", "dce", "cfg", "sooner", "layout"}

// Reoptimise optimises a function without calls again after operations in it have been replaced. An error reports a
// bug of a pass, which only verify detects.
func Reoptimise(f *ssa.Func, verify bool) error {
	cfg := &Config{Verify: verify}
	s := &state{cfg: cfg}
	return s.optimise(f, find(reoptimisation))
}

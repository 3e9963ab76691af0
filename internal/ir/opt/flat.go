package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// maxFlat is the greatest number of values of a function without calls.
const maxFlat = 1_000_000

// Flat returns a copy of the optimised function f in which the bodies of all callees replace the calls,
// optimised again. It returns nil if a function calls itself or the copy would be too large.
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

// again lists the passes that run on a kernel after an operation has become several: those that simplify.
var again = []string{"simplify", "gvn", "simplify", "narrow", "simplify", "gvn", "licm", "dce", "cfg", "layout"}

// Again optimises a function without calls once more, after a replacement of operations in it. An error is a
// mistake of a pass, which only verify finds.
func Again(f *ssa.Func, verify bool) error {
	cfg := &Config{Verify: verify}
	s := &state{cfg: cfg}
	return s.optimise(f, find(again))
}

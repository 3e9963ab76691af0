package opt

import (
	"fmt"
	"time"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Config is the configuration of Run. The zero value runs the whole pipeline.
type Config struct {
	Disable      map[string]bool                                    // passes to skip, by name
	Dump         func(pass string, f *ssa.Func)                     // called after each pass
	Time         func(pass string, f *ssa.Func, took time.Duration) // called after each pass with its time
	Verify       bool                                               // verify before the first and after each pass
	KeepAccesses bool                                               // keep every load and store at its place, for checking executors
	Roots        []*ssa.Func                                        // functions to keep; nil: the kernels, or all functions if there are none
	InlineBudget int                                                // limit of a caller's values after inlining; 0 means 200,000
	ModuleBudget int                                                // limit of values that inlining adds to the module; 0 means 2,000,000
}

// A Pass is a row of the table of passes.
type Pass struct {
	Name     string
	Doc      string
	Requires []string // passes that must come earlier in the pipeline
	Breaks   []string // passes that must run again later
	run      func(*state)
}

// Passes is the table of passes.
var Passes = []*Pass{
	{Name: "inline", Doc: "replaces calls by the callees' bodies", Breaks: []string{"cfg", "simplify"}, run: inline},
	{Name: "cfg", Doc: "removes unreachable blocks, folds branches, threads jumps, merges blocks", run: cfg},
	{Name: "simplify", Doc: "folds constants and algebraic identities", Requires: []string{"cfg"}, Breaks: []string{"dce"}, run: simplify},
	{Name: "sroa", Doc: "splits variables into independently accessed parts", Requires: []string{"cfg", "simplify"}, Breaks: []string{"mem2reg"}, run: sroa},
	{Name: "mem2reg", Doc: "turns variables whose address is not needed into values", Requires: []string{"cfg", "sroa"}, Breaks: []string{"simplify"}, run: mem2reg},
	{Name: "unroll", Doc: "replaces loops with few iterations by copies of their bodies", Requires: []string{"cfg", "simplify", "mem2reg"}, Breaks: []string{"cfg", "simplify", "sroa", "mem2reg"}, run: unroll},
	{Name: "gvn", Doc: "merges equal computations", Requires: []string{"cfg", "simplify", "mem2reg"}, Breaks: []string{"dce"}, run: gvn},
	{Name: "held", Doc: "removes redundant loads and stores within a block", Requires: []string{"gvn"}, Breaks: []string{"dce"}, run: held},
	{Name: "carry", Doc: "passes the first element of a private array that iterations read from one to the next in a value", Requires: []string{"gvn"}, Breaks: []string{"simplify", "cfg", "dce"}, run: carry},
	{Name: "ifconvert", Doc: "replaces branches with cheap sides by selects", Requires: []string{"gvn"}, Breaks: []string{"simplify", "gvn", "cfg"}, run: ifconvert},
	{Name: "dot", Doc: "combines sums of products of packed narrow integers into one operation", Requires: []string{"simplify", "gvn"}, Breaks: []string{"simplify", "gvn", "dce"}, run: dot},
	{Name: "narrow", Doc: "computes integers in as few bits as they need", Requires: []string{"simplify"}, Breaks: []string{"simplify", "gvn", "dce"}, run: narrow},
	{Name: "divide", Doc: "replaces divisions by constants by multiplications and shifts", Requires: []string{"simplify"}, Breaks: []string{"simplify", "gvn", "dce"}, run: divide},
	{Name: "zeros", Doc: "removes products with 0 and sums with 0 of floats that are known to be finite", Requires: []string{"simplify"}, Breaks: []string{"simplify", "gvn", "dce"}, run: dropZeros},
	{Name: "reassociate", Doc: "reorders floating-point sums and products whose order does not matter", Requires: []string{"gvn"}, Breaks: []string{"simplify", "gvn", "dce"}, run: reassociate},
	{Name: "licm", Doc: "moves loop-invariant values before the loop", Requires: []string{"gvn"}, Breaks: []string{"cfg"}, run: licm},
	{Name: "balance", Doc: "adds the operands of integer sums in the order in which they are available", Requires: []string{"simplify"}, Breaks: []string{"dce"}, run: balance},
	{Name: "dce", Doc: "removes unused values", run: dce},
	{Name: "sooner", Doc: "moves operations on floats up to where their operands have had all other uses", Requires: []string{"simplify"}, run: sooner},
	{Name: "layout", Doc: "orders blocks so that loops are contiguous", Requires: []string{"cfg"}, run: layout},
}

// Pipeline lists the passes in the order in which they run on each function.
var Pipeline = []string{
	"inline", "cfg", "simplify",
	"sroa", "mem2reg", "simplify", "cfg",
	"unroll", "cfg",
	"sroa", "mem2reg", "simplify", // again, for array indices that have become constants
	"gvn", "simplify", "ifconvert", "simplify", "zeros", "reassociate", "dot", "narrow", "simplify", "divide", "simplify", "gvn", "held", "carry", "simplify", "licm", "balance", "dce", "cfg", "sooner", "layout",
}

// Find returns the pass of that name or nil.
func Find(name string) *Pass {
	for _, p := range Passes {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// A state is a function in the pipeline, with scratch memory that the passes share.
type state struct {
	f   *ssa.Func
	cfg *Config

	domTree ssa.DomTree
	domOK   bool // domTree belongs to the current graph
	dirty   bool // a value that simplify could improve may have changed since it ran
	merged  bool // no pass has made values since gvn that it might merge

	scratch
	slabs ssa.Slabs // of the functions of one plan

	plan *plan
	at   int    // the function's position in the plan
	pass string // the running pass
	all  bool   // no call may be left

	steps    bool      // loops around barriers are unrolled, see steps.go
	tooLarge *TooLarge // the function's first error

	verifier ssa.Verifier

	mem sizes
}

// scratch is memory that the passes reuse.
type scratch struct {
	out      []*ssa.Value // a rewriter's
	work     []*ssa.Value
	marks    []bool
	count    []int32
	table    []int32
	avail    []available
	bits     []uint64
	roots    []*ssa.Value // by value ID: the alloca that a pointer points into
	pointers []pointer    // by value ID: see splitter
	ranges   []interval.Interval
	floats   []floatFact
}

// sizes are bounds on the function with which passes can return early.
type sizes struct {
	allocas bool // the function may have allocas
}

// dom returns the dominator tree.
func (s *state) dom() *ssa.DomTree {
	if !s.domOK {
		s.domTree.Rebuild(s.f)
		s.domOK = true
	}
	return &s.domTree
}

// changed records a change of the control-flow graph.
func (s *state) changed() { s.domOK = false }

// marked returns a cleared slice of n marks.
func (s *state) marked(n int) []bool {
	s.marks = cleared(s.marks, n)
	return s.marks
}

// cleared returns s with n zero elements.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// Run optimises the module. It removes functions that no root calls. Functions that do not call each other are
// optimised concurrently, on as many threads as there are processors; the result does not depend on that. An
// error is a *[TooLarge], or names a pass that left an invalid function, which only Config.Verify detects. If a
// pass panics, Run panics with a *[Panic].
func Run(m *ssa.Module, cfg Config) error {
	roots := cfg.Roots
	if roots == nil {
		roots = kernels(m)
	}
	p := newPlan(&cfg, roots)
	if !cfg.Disable["inline"] {
		p.raw = p.calledOnce(roots)
	}
	if err := p.run(find(Pipeline), find([]string{"inline"})); err != nil {
		return err
	}
	dropUnused(m, roots)
	return nil
}

// RunPasses runs the named passes in order on every function, for tests of single passes.
func RunPasses(m *ssa.Module, names []string, cfg Config) error {
	for _, n := range names {
		if Find(n) == nil {
			return fmt.Errorf("no pass %q", n)
		}
	}
	return newPlan(&cfg, m.Funcs).inTurn(find(names), nil)
}

// find returns the passes with these names, which must exist.
func find(names []string) []*Pass {
	list := make([]*Pass, len(names))
	for i, n := range names {
		list[i] = Find(n)
	}
	return list
}

// optimise runs passes on a function.
func (s *state) optimise(f *ssa.Func, passes []*Pass) error {
	s.f, s.domOK, s.dirty, s.merged, s.mem = f, false, true, false, sizes{allocas: true}
	s.pass, s.tooLarge = "", nil
	f.Share(&s.slabs)
	defer f.Share(nil)
	defer s.blame()
	if s.cfg.Verify {
		if err := s.verifier.Verify(f); err != nil {
			return fmt.Errorf("before optimisation of @%s: %w", f.Name, err)
		}
	}
	if len(s.dom().Order) < len(f.Blocks) {
		f.RemoveUnreachable()
		s.changed()
	}
	for _, p := range passes {
		name := p.Name
		if s.cfg.Disable[name] {
			continue
		}
		s.pass = name
		start := time.Time{}
		if s.cfg.Time != nil {
			start = time.Now()
		}
		p.run(s)
		if s.cfg.Time != nil {
			s.cfg.Time(name, f, time.Since(start))
		}
		if s.cfg.Dump != nil {
			s.cfg.Dump(name, f)
		}
		if s.cfg.Verify {
			if err := s.verifier.Verify(f); err != nil {
				return fmt.Errorf("after pass %s on @%s: %w", name, f.Name, err)
			}
		}
		if s.tooLarge != nil {
			return s.tooLarge
		}
	}
	return nil
}

// bottomUp returns the functions that the roots reach, callees before callers, and the callees of each, once
// for each call.
func bottomUp(roots []*ssa.Func) (order []*ssa.Func, calls [][]*ssa.Func) {
	type frame struct {
		f     *ssa.Func
		calls []*ssa.Func
		done  int // calls visited
	}
	seen := make(map[*ssa.Func]bool, 2*len(roots))
	var stack []frame
	visit := func(f *ssa.Func) {
		if !seen[f] {
			seen[f] = true
			stack = append(stack, frame{f: f, calls: callees(f)})
		}
	}
	for _, r := range roots {
		visit(r)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.done == len(top.calls) {
				order, calls = append(order, top.f), append(calls, top.calls)
				stack = stack[:len(stack)-1]
				continue
			}
			top.done++
			visit(top.calls[top.done-1])
		}
	}
	return order, calls
}

// kernels returns the module's kernels, or all functions if it has none.
func kernels(m *ssa.Module) []*ssa.Func {
	var ks []*ssa.Func
	for _, f := range m.Funcs {
		if f.Kernel != nil {
			ks = append(ks, f)
		}
	}
	if ks == nil {
		return m.Funcs
	}
	return ks
}

func callees(f *ssa.Func) (list []*ssa.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if g, ok := v.Sym.(*ssa.Func); ok && v.Op == ssa.OpCall {
				list = append(list, g)
			}
		}
	}
	return list
}

// dropUnused removes functions that no root reaches, and constant and local variables without remaining
// references.
func dropUnused(m *ssa.Module, roots []*ssa.Func) {
	used := map[*ssa.Func]bool{}
	globals := map[*ssa.Global]bool{}
	var work []*ssa.Global
	order, _ := bottomUp(roots)
	for _, f := range order {
		used[f] = true
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if g, ok := v.Sym.(*ssa.Global); ok && !globals[g] {
					globals[g] = true
					work = append(work, g)
				}
			}
		}
	}
	for _, g := range m.Globals {
		if g.Kind == ssa.PtrGlobal && !globals[g] {
			globals[g] = true
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range g.Relocs {
			if !globals[r.Target] {
				globals[r.Target] = true
				work = append(work, r.Target)
			}
		}
	}
	m.Funcs = filter(m.Funcs, used)
	m.Globals = filter(m.Globals, globals)
}

func filter[T comparable](list []T, keep map[T]bool) []T {
	n := 0
	for _, x := range list {
		if keep[x] {
			list[n] = x
			n++
		}
	}
	clear(list[n:])
	return list[:n]
}

// layout orders the blocks.
func layout(s *state) {
	t := s.dom()
	copy(s.f.Blocks, s.f.LoopOrder(t, s.f.Loops(t)))
}

// Package uniform is the divergence analysis that the reference executor and the plans for gangs share: it finds
// the values of a function that may differ between work-items that run it together.
//
// Input: a function with its loops, and the values that vary although their operands do not ([Config.Seed]).
// Output: for each value whether it may vary, for each block whether lanes may leave it in different directions,
// and the regions between such a branch and its join.
//
// A value is uniform if its operands are and all lanes read it at the same time. Therefore a phi varies at the join
// of a divergent branch, and a value of a loop that lanes leave at different times varies outside of the loop.
//
// Source: J. Rosemann et al., "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs"
// (2021). The package must not know of gangs, masks or executors.
//
// Start reading at [Analyse].
package uniform

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Flow is a function's control flow.
type Flow struct {
	F     *ssa.Func
	Order []*ssa.Block // the reachable blocks in loop order
	Pos   []int32      // by block ID: index in Order, -1 if unreachable
	Loops *ssa.Loops
}

// FlowOf returns the control flow of f.
func FlowOf(f *ssa.Func) Flow {
	dom := f.Dominators()
	fl := Flow{F: f, Loops: f.Loops(dom), Pos: make([]int32, f.NumBlocks())}
	fl.Order = f.LoopOrder(dom, fl.Loops)
	for i := range fl.Pos {
		fl.Pos[i] = -1
	}
	for i, b := range fl.Order {
		fl.Pos[b.ID] = int32(i)
	}
	return fl
}

// A Config is the analysis's input besides the function.
type Config struct {
	// Seed reports whether a value varies although its operands do not.
	Seed func(v *ssa.Value) bool
	// Votes is set if votes vary with their operand: each lane has its own result, or the lanes belong to several
	// gangs.
	Votes bool
	// Closed is set if the function is in loop-closed form: values of a loop are used outside of it only through
	// phis at its exits, so that only those phis vary.
	Closed bool
	// MaxVisits bounds the total number of blocks in all regions; 0 means no bound. Above it the result is
	// incomplete and Visits is greater than MaxVisits.
	MaxVisits int
}

// An Analysis is the result.
type Analysis struct {
	Flow
	Varying []bool       // by value ID
	Split   []bool       // by block ID: its branch is divergent
	Splits  []*ssa.Block // blocks with divergent branches, in the order of their discovery
	PostDom *ssa.DomTree // of the iterations of loops: see [ssa.Func.IterationPostDominators]
	Visits  int          // number of blocks in all computed regions
	Fresh   bool         // the last computed region leads to blocks created after the analysis

	cfg    Config
	users  []*ssa.Value // of all values, one value's after the other's
	first  []int32      // by value ID: index in users of its first; one more at the end
	work   []*ssa.Value
	seen   []int32 // by block ID: it is in region if this equals stamp
	stamp  int32
	region []*ssa.Block
}

// Analyse finds the values that may vary.
func Analyse(fl Flow, cfg Config) *Analysis {
	n := fl.F.NumBlocks()
	a := &Analysis{
		Flow: fl, cfg: cfg, PostDom: fl.F.IterationPostDominators(fl.Loops),
		Varying: make([]bool, fl.F.NumValues()), Split: make([]bool, n),
		first: make([]int32, fl.F.NumValues()+1), seen: make([]int32, n),
	}
	a.findUsers()
	a.run()
	return a
}

func (a *Analysis) mark(v *ssa.Value) {
	if !a.Varying[v.ID] {
		a.Varying[v.ID] = true
		a.work = append(a.work, v)
	}
}

// findUsers collects the users of all values.
func (a *Analysis) findUsers() {
	first := a.first
	for _, b := range a.Order {
		for _, v := range b.Values {
			for _, x := range v.Args {
				first[x.ID+1]++
			}
		}
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	a.users = make([]*ssa.Value, first[len(first)-1])
	for _, b := range a.Order {
		for _, v := range b.Values {
			for _, x := range v.Args {
				a.users[first[x.ID]] = v
				first[x.ID]++
			}
		}
	}
	copy(first[1:], first) // each entry has advanced to the next value's first
	first[0] = 0
}

// usersOf returns the users of v, one for each use.
func (a *Analysis) usersOf(v *ssa.Value) []*ssa.Value { return a.users[a.first[v.ID]:a.first[v.ID+1]] }

func (a *Analysis) run() {
	for _, b := range a.Order {
		for _, v := range b.Values {
			if a.cfg.Seed(v) {
				a.mark(v)
			}
		}
	}
	for len(a.work) > 0 && (a.cfg.MaxVisits == 0 || a.Visits <= a.cfg.MaxVisits) {
		v := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		for _, w := range a.usersOf(v) {
			switch w.Op {
			case ssa.OpBranch, ssa.OpSwitch:
				if b := w.Block; !a.Split[b.ID] && len(b.Succs) > 1 {
					a.Split[b.ID] = true
					a.Splits = append(a.Splits, b)
					a.diverge(b)
				}
			case ssa.OpJump, ssa.OpReturn, ssa.OpStore:
			case ssa.OpVote, ssa.OpAny, ssa.OpEnd, ssa.OpCount:
				if a.cfg.Votes {
					a.mark(w)
				}
			default:
				a.mark(w)
			}
		}
	}
}

// RegionOf returns the blocks between a divergent branch and its join, which are valid until
// the next call.
func (a *Analysis) RegionOf(d *ssa.Block) []*ssa.Block {
	join := a.PostDom.Idom(d)
	a.stamp++
	a.Fresh = false
	a.region = a.region[:0]
	visit := func(b *ssa.Block) {
		if int(b.ID) >= len(a.seen) {
			a.Fresh = true
			return
		}
		if a.seen[b.ID] != a.stamp && b != join {
			a.seen[b.ID] = a.stamp
			a.region = append(a.region, b)
		}
	}
	for _, s := range d.Succs {
		visit(s)
	}
	for i := 0; i < len(a.region); i++ {
		for _, s := range a.region[i].Succs {
			visit(s)
		}
	}
	a.Visits += len(a.region)
	return a.region
}

// diverge marks the phis at which lanes that d's branch separates meet again.
func (a *Analysis) diverge(d *ssa.Block) {
	region := slices.Clone(a.RegionOf(d))
	for _, b := range region {
		a.markPhis(b)
	}
	if join := a.PostDom.Idom(d); join != nil {
		a.markPhis(join)
	}
	if a.cfg.Closed {
		a.Leaves(d, region, a.markExits)
	} else {
		a.Leaves(d, region, a.markLiveOut)
	}
}

// Leaves calls do, inner loops first, for each loop around d that does not contain all of d's region and its
// join. Lanes that d's branch separates may leave such a loop at different times.
func (a *Analysis) Leaves(d *ssa.Block, region []*ssa.Block, do func(*ssa.Loop)) {
	first := a.Loops.Of(d)
	all := first // the innermost loop that contains them all
	within := func(b *ssa.Block) {
		for all != nil && !a.Loops.Contains(all, b) {
			all = all.Parent
		}
	}
	if join := a.PostDom.Idom(d); join != nil {
		within(join)
	} else {
		all = nil
	}
	for _, b := range region {
		within(b)
	}
	for l := first; l != all; l = l.Parent {
		do(l)
	}
}

// markPhis makes b's phis varying if lanes may arrive from different predecessors at the same time. Lanes pass
// the entry and the one back edge of a loop header at different times.
func (a *Analysis) markPhis(b *ssa.Block) {
	entries, backs := 0, 0
	l := a.Loops.Of(b)
	for _, p := range b.Preds {
		switch {
		case a.Pos[p.ID] < 0:
		case l != nil && l.Header == b && a.Loops.Contains(l, p):
			backs++
		default:
			entries++
		}
	}
	if entries < 2 && backs < 2 {
		return
	}
	for _, v := range b.Phis() {
		a.mark(v)
	}
}

// markExits marks the values that leave a loop at different times, in loop-closed form.
func (a *Analysis) markExits(l *ssa.Loop) {
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if !a.Loops.Contains(l, s) {
				for _, v := range s.Phis() {
					a.mark(v)
				}
			}
		}
	}
}

// markLiveOut makes values of l that are used outside of l varying, because lanes leave l at different times.
// It also marks the phis of an outer loop whose back edge starts in l: the lanes still in l read the phis of
// this iteration.
func (a *Analysis) markLiveOut(l *ssa.Loop) {
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if outer := a.Loops.Of(s); outer != nil && outer.Header == s && outer != l && a.Loops.Contains(outer, l.Header) {
				for _, v := range s.Phis() {
					a.mark(v)
				}
			}
		}
	}
	for _, b := range l.Blocks {
		for _, v := range b.Values {
			if a.Varying[v.ID] || v.Op == ssa.OpConst || v.Op == ssa.OpParam {
				continue
			}
			for _, w := range a.usersOf(v) {
				if a.Pos[w.Block.ID] >= 0 && !a.Loops.Contains(l, w.Block) {
					a.mark(v)
					break
				}
			}
		}
	}
}

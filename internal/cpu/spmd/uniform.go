package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A uniformity finds the values in which lanes may differ: those that do by themselves,
// what is computed from them, phis where ways join that lanes have taken differently, and
// phis at the exits of loops that lanes leave at different times.
type uniformity struct {
	*Plan
	opts   Options
	pdom   *ssa.DomTree
	users  [][]*ssa.Value
	work   []*ssa.Value
	splits []*ssa.Block // blocks with divergent branches
	seen   []int32      // by block ID: in region where it equals stamp
	stamp  int32
	region []*ssa.Block
	visits int  // of blocks, by regionOf
	fresh  bool // the last region leads to blocks made after the analysis
}

func newUniformity(p *Plan, o Options) *uniformity {
	n := p.F.NumBlocks()
	p.Varying = make([]bool, p.F.NumValues())
	p.Split = make([]bool, n)
	return &uniformity{Plan: p, opts: o, pdom: p.F.PostDominators(), users: make([][]*ssa.Value, p.F.NumValues()), seen: make([]int32, n)}
}

func (u *uniformity) mark(v *ssa.Value) {
	if !u.Varying[v.ID] {
		u.Varying[v.ID] = true
		u.work = append(u.work, v)
	}
}

// seed reports whether lanes differ in v by itself.
func (u *uniformity) seed(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpLoad:
		// Lanes that read one address together read one value, unless the memory is each
		// lane's own.
		k := v.Args[0].Type.K
		return u.opts.group || k == ssa.PtrPrivate || k == ssa.PtrGeneric || v.Flags&ssa.Volatile != 0
	case ssa.OpWorkItem:
		d := uint64(3)
		if v.Args[0].IsConst() {
			d = v.Args[0].ConstElem(0)
		}
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID:
			return d == 0 || !u.opts.RowUniform
		case ssa.GroupID, ssa.LocalSize:
			return !u.opts.GroupUniform
		}
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern, ssa.OpRuntime:
		return true
	}
	return false
}

// run finds what is uniform, or gives up when regions have so many blocks together.
func (u *uniformity) run(visits int) {
	for _, b := range u.Order {
		for _, v := range b.Values {
			for _, a := range v.Args {
				u.users[a.ID] = append(u.users[a.ID], v)
			}
		}
	}
	for _, b := range u.Order {
		for _, v := range b.Values {
			if u.seed(v) {
				u.mark(v)
			}
		}
	}
	for len(u.work) > 0 && u.visits <= visits {
		v := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, w := range u.users[v.ID] {
			switch w.Op {
			case ssa.OpBranch, ssa.OpSwitch:
				if !u.Split[w.Block.ID] && len(w.Block.Succs) > 1 {
					u.Split[w.Block.ID] = true
					u.splits = append(u.splits, w.Block)
					u.diverge(w.Block)
				}
			case ssa.OpJump, ssa.OpReturn, ssa.OpStore:
			case ssa.OpVote, ssa.OpAny: // the gang's, not the group's
				if u.opts.group {
					u.mark(w)
				}
			default:
				u.mark(w)
			}
		}
	}
}

// regionOf returns the blocks between a divergent branch and its join.
func (u *uniformity) regionOf(d *ssa.Block) []*ssa.Block {
	join := u.pdom.Idom(d)
	u.stamp++
	u.fresh = false
	u.region = u.region[:0]
	visit := func(b *ssa.Block) {
		if int(b.ID) >= len(u.seen) {
			u.fresh = true // made since
			return
		}
		if u.seen[b.ID] != u.stamp && b != join {
			u.seen[b.ID] = u.stamp
			u.region = append(u.region, b)
		}
	}
	for _, s := range d.Succs {
		visit(s)
	}
	for i := 0; i < len(u.region); i++ {
		for _, s := range u.region[i].Succs {
			visit(s)
		}
	}
	u.visits += len(u.region)
	return u.region
}

// diverge marks the phis at which lanes that d's branch parts meet again.
func (u *uniformity) diverge(d *ssa.Block) {
	join := u.pdom.Idom(d)
	region := slices.Clone(u.regionOf(d))
	for _, b := range region {
		u.markPhis(b)
	}
	if join != nil {
		u.markPhis(join)
	}
	u.leaves(d, region, u.markExits)
}

// leaves calls do for the loops around d that not all of d's region and its join are in,
// inner ones first.
func (u *uniformity) leaves(d *ssa.Block, region []*ssa.Block, do func(*ssa.Loop)) {
	first := u.Loops.Of(d)
	all := first // the innermost that they are in
	within := func(b *ssa.Block) {
		for all != nil && !u.Loops.Contains(all, b) {
			all = all.Parent
		}
	}
	if join := u.pdom.Idom(d); join != nil {
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

// markPhis makes b's phis varying if lanes may come from different predecessors at the
// same time: a loop header's two edges are taken at different times.
func (u *uniformity) markPhis(b *ssa.Block) {
	if l := u.Loops.Of(b); len(b.Preds) < 2 || l != nil && l.Header == b {
		return
	}
	for _, v := range b.Phis() {
		u.mark(v)
	}
}

// markExits makes varying what leaves a loop at different times.
func (u *uniformity) markExits(l *ssa.Loop) {
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if !u.Loops.Contains(l, s) {
				for _, v := range s.Phis() {
					u.mark(v)
				}
			}
		}
	}
}

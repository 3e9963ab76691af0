package interp

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A flowInfo is what the lowering knows of a function's control flow.
type flowInfo struct {
	f       *ssa.Func
	order   []*ssa.Block // loop order
	pos     []int32      // by block ID: index in order, -1 where unreachable
	loops   *ssa.Loops
	varying []bool // by value ID: lanes may differ
	mixed   bool   // lanes of several work-groups run together
}

// analyse orders the blocks and finds the values in which lanes may differ.
//
// A value is uniform if its operands are and no lane can see it at another time than
// the others: a phi where a divergent branch's ways join is varying, and so is a value
// of a loop that lanes leave at different times, where it is used outside.
func analyse(f *ssa.Func, isKernel, mixed bool) *flowInfo {
	dom := f.Dominators()
	fi := &flowInfo{f: f, loops: f.Loops(dom), mixed: mixed}
	fi.order = f.LoopOrder(dom, fi.loops)
	fi.pos = make([]int32, f.NumBlocks())
	for i := range fi.pos {
		fi.pos[i] = -1
	}
	for i, b := range fi.order {
		fi.pos[b.ID] = int32(i)
	}
	fi.varying = make([]bool, f.NumValues())
	u := &uniformity{flowInfo: fi, pdom: f.PostDominators(), users: make([][]*ssa.Value, f.NumValues())}
	for _, b := range fi.order {
		for _, v := range b.Values {
			for _, a := range v.Args {
				u.users[a.ID] = append(u.users[a.ID], v)
			}
		}
	}
	for _, b := range fi.order {
		for _, v := range b.Values {
			if u.seed(v, isKernel) {
				u.mark(v)
			}
		}
	}
	u.run()
	return fi
}

type uniformity struct {
	*flowInfo
	pdom   *ssa.DomTree
	users  [][]*ssa.Value
	work   []*ssa.Value
	done   []bool       // by block ID: its branch was found divergent
	region []*ssa.Block // between a divergent branch and its join
	seen   []int32      // by block ID: in region where it equals stamp
	stamp  int32
}

func (u *uniformity) mark(v *ssa.Value) {
	if !u.varying[v.ID] {
		u.varying[v.ID] = true
		u.work = append(u.work, v)
	}
}

// seed reports whether v is varying by itself.
func (u *uniformity) seed(v *ssa.Value, isKernel bool) bool {
	switch v.Op {
	case ssa.OpParam:
		return !isKernel
	case ssa.OpPhi:
		return u.loops.Irreducible
	case ssa.OpLoad:
		// Lanes that read one address together read one value, unless the memory is each
		// lane's own.
		k := v.Args[0].Type.K
		return u.loops.Irreducible || k == ssa.PtrPrivate || k == ssa.PtrGeneric || v.Flags&ssa.Volatile != 0
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID, ssa.GlobalLinearID, ssa.LocalLinearID:
			return true
		case ssa.GroupID, ssa.LocalSize:
			return u.mixed
		}
		return false
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern:
		return true
	case ssa.OpRuntime:
		return !ssa.IsImageQuery(v)
	}
	return false
}

func (u *uniformity) run() {
	u.done = make([]bool, u.f.NumBlocks())
	u.seen = make([]int32, u.f.NumBlocks())
	for len(u.work) > 0 {
		v := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, w := range u.users[v.ID] {
			switch w.Op {
			case ssa.OpBranch, ssa.OpSwitch:
				if !u.done[w.Block.ID] {
					u.done[w.Block.ID] = true
					u.diverge(w.Block)
				}
			case ssa.OpJump, ssa.OpReturn, ssa.OpStore:
			default:
				u.mark(w)
			}
		}
	}
}

// diverge handles a block whose branch lanes take differently. The ways join again at
// the immediate post-dominator at the latest.
func (u *uniformity) diverge(d *ssa.Block) {
	if len(d.Succs) < 2 {
		return
	}
	join := u.pdom.Idom(d)
	u.stamp++
	u.region = u.region[:0]
	visit := func(b *ssa.Block) {
		if u.seen[b.ID] != u.stamp && b != join {
			u.seen[b.ID] = u.stamp
			u.region = append(u.region, b)
		}
	}
	for _, s := range d.Succs {
		visit(s)
	}
	for i := 0; i < len(u.region); i++ {
		b := u.region[i]
		u.markPhis(b)
		for _, s := range b.Succs {
			visit(s)
		}
	}
	if join != nil {
		u.markPhis(join)
	}
	// Loops that some lanes leave here while others go on.
	for l := u.loops.Of(d); l != nil; l = l.Parent {
		leaves := join == nil || !u.loops.Contains(l, join)
		if !leaves {
			leaves = slices.ContainsFunc(u.region, func(b *ssa.Block) bool { return !u.loops.Contains(l, b) })
		}
		if leaves {
			u.markLiveOut(l)
		}
	}
}

// markPhis makes b's phis varying if lanes may come from different predecessors at the
// same time: a loop header's entry and its one back edge are taken at different times.
func (u *uniformity) markPhis(b *ssa.Block) {
	entries, backs := 0, 0
	l := u.loops.Of(b)
	for _, p := range b.Preds {
		if u.pos[p.ID] < 0 {
			continue
		}
		if l != nil && l.Header == b && u.loops.Contains(l, p) {
			backs++
		} else {
			entries++
		}
	}
	if entries < 2 && backs < 2 {
		return
	}
	for _, v := range b.Values {
		if v.Op != ssa.OpPhi {
			break
		}
		u.mark(v)
	}
}

// markLiveOut makes varying what l, which lanes leave at different times, computes and others
// use, and the phis of a loop around it that they go round in at once: those still in l read
// what the phis are in this round.
func (u *uniformity) markLiveOut(l *ssa.Loop) {
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if around := u.loops.Of(s); around != nil && around.Header == s && around != l && u.loops.Contains(around, l.Header) {
				for _, v := range s.Phis() {
					u.mark(v)
				}
			}
		}
	}
	for _, b := range l.Blocks {
		for _, v := range b.Values {
			if u.varying[v.ID] || v.Op == ssa.OpConst || v.Op == ssa.OpParam {
				continue
			}
			for _, w := range u.users[v.ID] {
				if u.pos[w.Block.ID] >= 0 && !u.loops.Contains(l, w.Block) {
					u.mark(v)
					break
				}
			}
		}
	}
}

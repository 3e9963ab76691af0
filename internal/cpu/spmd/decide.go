package spmd

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// decideConditions replaces conditions with the same known value in all lanes by constants, and branches on
// them by jumps, and removes dead code. gang is the number of lanes; their ids are known.
func decideConditions(f *ssa.Func, gang int) {
	dom := f.Dominators()
	loops := f.Loops(dom)
	// Known facts do not depend on Varying.
	facts := lanes.Analyse(lanes.Input{F: f, Order: f.LoopOrder(dom, loops), Loops: loops, Varying: make([]bool, f.NumValues()), Split: make([]bool, f.NumBlocks()), Lanes: gang})
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpConst || v.Type != ssa.TBool {
				continue
			}
			if all, none, _ := facts.Decide(v); all || none {
				bit := uint64(0)
				if all {
					bit = 1
				}
				v.BecomeConst(f, []uint64{bit})
			}
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpSelect && v.Args[0].Type == ssa.TBool && v.Args[0].IsConst() {
				v.BecomeCopy(v.Args[2-v.Args[0].ConstElem(0)])
			}
		}
		if t := b.Term(); t.Op == ssa.OpBranch && t.Args[0].IsConst() {
			b.SetJump(int(1 - t.Args[0].ConstElem(0)))
		}
	}
	f.RemoveUnreachable()
	single(f, nil)
	decidePhis(f)
	f.ReplaceCopies()
	sweep(f)
}

// decidePhis replaces phis that are true on one way from a branch, and false on the other, by the branch's condition. Such
// phis say which work-items of a gang have not returned. Branches on constants, which such phis of other gangs are, become jumps.
func decidePhis(f *ssa.Func) {
	dom := f.Dominators()
	loops := f.Loops(dom)
	for _, b := range f.Blocks {
		d := dom.Idom(b)
		if len(b.Preds) != 2 || d == nil || d.Term().Op != ssa.OpBranch || loops.Of(d) != loops.Of(b) {
			continue
		}
		yes := 0 // the edge into b of the way where the condition is true
		if way := d.Succs[1]; len(way.Preds) == 1 && dom.Dominates(way, b.Preds[0]) {
			yes = 1
		}
		apart := true
		for i := range 2 {
			way := d.Succs[i]
			apart = apart && len(way.Preds) == 1 && dom.Dominates(way, b.Preds[yes^i])
		}
		for _, v := range b.Phis() {
			if x, y := v.Args[yes], v.Args[1-yes]; apart && v.Type == ssa.TBool && x.IsConst() && y.IsConst() && x.ConstElem(0) == 1 && y.ConstElem(0) == 0 {
				v.BecomeCopy(d.Term().Args[0])
			}
		}
	}
	f.ReplaceCopies()
	for _, b := range f.Blocks {
		if t := b.Term(); t.Op == ssa.OpBranch && t.Args[0].IsConst() {
			b.SetJump(int(1 - t.Args[0].ConstElem(0)))
		}
	}
	f.RemoveUnreachable()
	single(f, nil)
}

// sweep removes unused values without effects.
func sweep(f *ssa.Func) {
	uses := f.UseCounts(nil)
	for again := true; again; {
		again = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			kept := b.Values[:0:0]
			for k := len(b.Values) - 1; k >= 0; k-- {
				v := b.Values[k]
				if uses[v.ID] > 0 || !v.Op.Has(ssa.Pure) || v.Op == ssa.OpParam {
					kept = append(kept, v)
					continue
				}
				again = again || v.Op == ssa.OpPhi
				for _, a := range v.Args {
					uses[a.ID]--
					again = again || uses[a.ID] == 0 && a.Block != b
				}
			}
			for l, r := 0, len(kept)-1; l < r; l, r = l+1, r-1 {
				kept[l], kept[r] = kept[r], kept[l]
			}
			b.Values = kept
		}
	}
}

package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// cfg simplifies the control-flow graph. It removes unreachable blocks, turns branches and switches on
// constants into jumps, threads branches on phis with constants from predecessors, shortens chains of blocks
// that only jump, and merges a block with its only predecessor if that has no other successor. It keeps loops,
// including endless ones.
func cfg(s *state) {
	f := s.f
	if foldTerminators(f) {
		f.RemoveUnreachable()
		s.changed()
		s.dirty = true // phis have lost arguments
	}
	if thread(s) {
		foldTerminators(f)
		f.RemoveUnreachable()
		s.changed()
		s.dirty = true
	}
	if mergeBlocks(s) {
		s.changed()
	}
}

// foldTerminators turns branches and switches with a known target into jumps.
func foldTerminators(f *ssa.Func) (changed bool) {
	for _, b := range f.Blocks {
		t := b.Term()
		if t.Op != ssa.OpBranch && t.Op != ssa.OpSwitch {
			continue
		}
		cond := t.Args[0]
		if t.Op == ssa.OpBranch && cond.Op == ssa.OpNot {
			// Phis do not distinguish the two edges.
			b.Succs[0], b.Succs[1] = b.Succs[1], b.Succs[0]
			cond = cond.Args[0]
			t.SetArgs(cond)
		}
		to := -1
		if cond.Op == ssa.OpConst {
			if to = 0; t.Op == ssa.OpSwitch {
				to = 1 + slices.Index(t.Bits, cond.Bits[0])
			} else if cond.Bits[0] == 0 {
				to = 1
			}
		} else if !slices.ContainsFunc(b.Succs, func(s *ssa.Block) bool { return s != b.Succs[0] }) && cond.Op != ssa.OpUndef {
			to = 0
		}
		if to >= 0 {
			b.SetJump(to)
			changed = true
		}
	}
	return changed
}

// thread redirects edges into blocks that only forward control.
func thread(s *state) (changed bool) {
	f := s.f
	if !slices.ContainsFunc(f.Blocks, passesOn) {
		return false
	}
	order := s.dom().Order
	pos := make([]int32, f.NumBlocks())
	for i, b := range order {
		pos[b.ID] = int32(i)
	}
	counted := false
	single := func(v *ssa.Value) bool {
		if !counted {
			s.count, counted = f.UseCounts(s.count), true
		}
		return s.count[v.ID] == 1
	}
	// From the end, so that each chain of jumps is followed once.
	for i := len(order) - 1; i > 0; i-- {
		b := order[i]
		header := slices.ContainsFunc(b.Preds, func(p *ssa.Block) bool { return pos[p.ID] >= int32(i) })
		if header {
			continue // a loop keeps its header and its entry
		}
		switch v := b.Values[0]; {
		case v.Op == ssa.OpJump:
			changed = threadJump(b, pos) || changed
		case v.Op == ssa.OpPhi && len(b.Values) == 2 && b.Values[1].Op == ssa.OpBranch && b.Values[1].Args[0] == v && single(v):
			changed = threadBranch(b, v, pos) || changed
		}
	}
	return changed
}

// passesOn reports whether b is a candidate for thread.
func passesOn(b *ssa.Block) bool {
	return len(b.Values) == 1 && b.Values[0].Op == ssa.OpJump || len(b.Values) == 2 && b.Values[0].Op == ssa.OpPhi && b.Values[1].Op == ssa.OpBranch
}

// threadJump redirects the predecessors of b, which only jumps, to its successor.
func threadJump(b *ssa.Block, pos []int32) (changed bool) {
	to := b.Succs[0]
	back := pos[to.ID] <= pos[b.ID]
	if to == b || back && len(b.Preds) > 1 {
		return false // a loop keeps its single latch
	}
	phis := to.Phis()
	for i := len(b.Preds) - 1; i >= 0; i-- {
		p := b.Preds[i]
		if len(phis) > 0 && !sameFrom(p, b, to, phis) {
			continue
		}
		redirect(p, b, to, i, func(phi *ssa.Value) *ssa.Value { return phi.Args[slices.Index(to.Preds, b)] })
		changed = true
	}
	return changed
}

// sameFrom reports whether p may jump directly to the target of b without a conflict in the target's phis:
// either p is not a predecessor of the target, or the phis have the same values for both edges.
func sameFrom(p, b, to *ssa.Block, phis []*ssa.Value) bool {
	i := slices.Index(to.Preds, p)
	if i < 0 {
		return true
	}
	k := slices.Index(to.Preds, b)
	for _, phi := range phis {
		if phi.Args[i] != phi.Args[k] {
			return false
		}
	}
	return true
}

// redirect changes the target of the edge from predecessor i of b; arg(phi) is the new edge's argument for each
// phi of the new target.
func redirect(p, b, to *ssa.Block, i int, arg func(phi *ssa.Value) *ssa.Value) {
	phis := to.Phis()
	args := make([]*ssa.Value, len(phis))
	for k, phi := range phis {
		args[k] = arg(phi)
	}
	p.Succs[slices.Index(p.Succs, b)] = to
	b.RemovePred(i)
	for k, phi := range phis {
		phi.Args = append(phi.Args, args[k])
	}
	to.Preds = append(to.Preds, p)
}

// threadBranch redirects predecessors of b to one of its successors if they have a constant for the phi on
// which b branches.
func threadBranch(b *ssa.Block, phi *ssa.Value, pos []int32) (changed bool) {
	if b.Succs[0] == b.Succs[1] {
		return false
	}
	for i := len(b.Preds) - 1; i >= 0; i-- {
		c, p := phi.Args[i], b.Preds[i]
		if c.Op != ssa.OpConst {
			continue
		}
		to := b.Succs[1]
		if c.Bits[0] != 0 {
			to = b.Succs[0]
		}
		if pos[to.ID] <= pos[b.ID] {
			continue // a loop keeps its single latch
		}
		if phis := to.Phis(); len(phis) > 0 && !sameFrom(p, b, to, phis) {
			continue
		}
		redirect(p, b, to, i, func(x *ssa.Value) *ssa.Value { return x.Args[slices.Index(to.Preds, b)] })
		changed = true
	}
	return changed
}

// mergeBlocks appends each block to its only predecessor if that has no other successor.
func mergeBlocks(s *state) (changed bool) {
	f := s.f
	gone := s.marked(f.NumBlocks())
	copies := false
	for _, b := range f.Blocks {
		if gone[b.ID] {
			continue
		}
		for len(b.Succs) == 1 {
			c := b.Succs[0]
			if len(c.Preds) != 1 || c == b || c == f.Blocks[0] {
				break
			}
			b.Values = b.Values[:len(b.Values)-1]
			for _, v := range c.Values {
				if v.Op == ssa.OpPhi {
					v.BecomeCopy(v.Args[0])
					copies = true
				}
				b.Append(v)
			}
			b.Succs = c.Succs
			for _, s := range c.Succs {
				s.ReplacePred(c, b)
			}
			c.Values, c.Preds, c.Succs = nil, nil, nil
			gone[c.ID], changed = true, true
		}
	}
	if changed {
		f.Blocks = slices.DeleteFunc(f.Blocks, func(b *ssa.Block) bool { return gone[b.ID] })
	}
	if copies {
		f.ReplaceCopies()
		s.dirty = true
	}
	return changed
}

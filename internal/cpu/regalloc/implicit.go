package regalloc

import "github.com/purecl/purecl/internal/ir/ssa"

// defineImplicitly shortens the live ranges of registers that are defined only on some paths to their uses.
// Such a register may be undefined at a use that ignores its value, as in code that jumps over blocks without
// active lanes. Without a definition on every path it would be live from the function's entry and around every
// loop.
//
// The implicit definition is placed in the block that dominates all references, within the innermost loop that
// contains them all. It cannot be placed further in: lanes that left an inner loop, or an earlier block of the
// same iteration, still need their values. A value passes from one iteration to the next only through a phi,
// which is also written before the loop.
func (a *Allocator) defineImplicitly(m Machine) error {
	l := a.survey(m)
	var partial []Reg
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if upwardExposed(l.refsOf(v)) {
			partial = append(partial, v)
		}
	}
	if len(partial) == 0 {
		return nil
	}
	l.restart()
	f, dom := &a.graph, &a.dom
	blocks := l.graph(f)
	dom.Rebuild(f)
	var loops *ssa.Loops
	defs := make([][]Reg, len(blocks))
	for _, v := range partial {
		refs := l.refsOf(v)
		at := commonDominator(dom, blocks, refs)
		if at == nil || at == blocks[0] {
			continue
		}
		if _, ok := l.liveOut(v, refs, int32(at.ID)); !ok {
			return ErrTooComplex
		}
		if l.in[at.ID] != v {
			continue
		}
		if loops == nil {
			if loops = f.Loops(dom); loops.Irreducible {
				return nil
			}
		}
		common := loops.Of(at)
		for _, r := range refs {
			for common != nil && !loops.Contains(common, blocks[r.block()]) {
				common = common.Parent
			}
		}
		for x := loops.Of(at); x != nil && (common == nil || !encloses(x, common)); x = loops.Of(at) {
			at = dom.Idom(x.Header)
		}
		defs[at.ID] = append(defs[at.ID], v)
	}
	a.implicit = defs
	for i, list := range defs {
		if len(list) > 0 {
			m.DefineImplicitly(i, list)
			l.surveyed = false
		}
	}
	return nil
}

// commonDominator returns the closest common dominator of all references.
func commonDominator(dom *ssa.DomTree, blocks []*ssa.Block, refs []ref) *ssa.Block {
	var at *ssa.Block
	for _, r := range refs {
		b := blocks[r.block()]
		switch {
		case !dom.Reachable(b):
		case at == nil:
			at = b
		default:
			for !dom.Dominates(at, b) {
				at = dom.Idom(at)
			}
		}
	}
	return at
}

// graph makes f the control-flow graph, for the dominators and loops of package ssa, and returns its blocks.
func (l *liveness) graph(f *ssa.Func) []*ssa.Block {
	blocks := f.Graph(len(l.blocks))
	for i := range blocks {
		for _, s := range l.succsOf(i) {
			blocks[i].Link(blocks[s])
		}
	}
	return blocks
}

// upwardExposed reports whether a block reads the register with these references before it
// writes it.
func upwardExposed(refs []ref) bool {
	for k, r := range refs {
		if r.kind() == use && (k == 0 || refs[k-1].block() != r.block()) {
			return true
		}
	}
	return false
}

// encloses reports whether x is y or a loop around it.
func encloses(x, y *ssa.Loop) bool {
	for y != nil && y.Depth > x.Depth {
		y = y.Parent
	}
	return y == x
}

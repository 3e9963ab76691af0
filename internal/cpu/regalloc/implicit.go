package regalloc

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

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
	defs, err := a.implicitDefs(m, a.upwardExposed(m))
	a.insertImplicit(m, defs)
	return err
}

// upwardExposed returns the registers that some block reads before it writes them.
func (a *Allocator) upwardExposed(m Machine) []Reg {
	l := a.survey(m)
	list := a.partial.exposed[:0]
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		refs := l.refsOf(v)
		for k := range refs {
			if readsFirst(refs, k) {
				list = append(list, v)
				break
			}
		}
	}
	a.partial.exposed = list
	return list
}

// insertImplicit inserts the definitions of registers, which are listed by block.
func (a *Allocator) insertImplicit(m Machine, defs [][]Reg) {
	if len(defs) == 0 {
		return
	}
	if a.implicit == nil {
		a.implicit = make([][]Reg, len(defs))
	}
	for i, list := range defs {
		if len(list) > 0 {
			m.DefineImplicitly(i, list)
			a.implicit[i] = append(list, a.implicit[i]...)
			a.flow.surveyed = false
		}
	}
}

// implicitDefs returns, by block, those of the registers partial, which are upward exposed, that need a definition.
func (a *Allocator) implicitDefs(m Machine, partial []Reg) ([][]Reg, error) {
	l := a.survey(m)
	if len(partial) == 0 {
		return nil, nil
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
			return nil, ErrTooComplex
		}
		if l.in[at.ID] != v {
			continue
		}
		if loops == nil {
			if loops = f.Loops(dom); loops.Irreducible {
				return nil, nil
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
	return defs, nil
}

// partialMemory is the memory of the search for registers that are defined only on some paths.
type partialMemory struct {
	exposed []Reg
	sets    []uint64
}

// mostSets bounds the words of the sets in undefined.
const mostSets = 1 << 14

// hasNestedLoops reports whether a hot block is in two loops.
func (l *liveness) hasNestedLoops() bool {
	return slices.ContainsFunc(l.blocks, func(b surveyedBlock) bool { return b.frequency > loopFrequency })
}

// undefined returns the registers that some path from the entry reads before it writes them. It returns none if the function is
// too large to find out quickly, and for functions without nested loops, which rarely have such registers.
func (a *Allocator) undefined(m Machine) (list []Reg) {
	if !a.survey(m).hasNestedLoops() {
		return nil
	}
	exposed := a.upwardExposed(m)
	l := &a.flow
	words := (len(exposed) + 63) / 64
	n := words * len(l.blocks)
	if n == 0 || n > mostSets {
		return nil
	}
	a.partial.sets = zeroed(a.partial.sets, 2*n)
	writes, out := a.partial.sets[:n], a.partial.sets[n:] // by block: exposed registers that it writes, and that all paths to its end write
	for c, v := range exposed {
		for _, r := range l.refsOf(v) {
			if r.kind() != use {
				writes[int(r.block())*words+c/64] |= 1 << (c % 64)
			}
		}
	}
	for i := range out {
		out[i] = ^uint64(0)
	}
	in := func(b, word int) uint64 {
		if b == 0 {
			return 0
		}
		x := ^uint64(0)
		for _, p := range l.preds[l.firstPred[b]:l.firstPred[b+1]] {
			x &= out[int(p)*words+word]
		}
		return x
	}
	for changed := true; changed; {
		changed = false
		for i := range out {
			if x := in(i/words, i%words) | writes[i]; x != out[i] {
				out[i], changed = x, true
			}
		}
	}
	for c, v := range exposed {
		refs := l.refsOf(v)
		for k, r := range refs {
			if readsFirst(refs, k) && in(int(r.block()), c/64)&(1<<(c%64)) == 0 {
				list = append(list, v)
				break
			}
		}
	}
	return list
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

// readsFirst reports whether the block of reference k, of a register with these references, reads the register before it
// writes it, and k is that read.
func readsFirst(refs []ref, k int) bool {
	return refs[k].kind() == use && (k == 0 || refs[k-1].block() != refs[k].block())
}

// encloses reports whether x is y or a loop around it.
func encloses(x, y *ssa.Loop) bool {
	for y != nil && y.Depth > x.Depth {
		y = y.Parent
	}
	return y == x
}

package codegen

import "github.com/purecl/purecl/internal/ir/ssa"

// begin says where registers begin that are set on some ways to their uses only. Blocks
// that no lane enters are jumped over, and lanes' values are merged one edge after the
// other; so on some ways such a register comes unset to where it is read, for lanes that
// do not count. It would be live from the kernel's beginning, and around the loop over
// gangs.
//
// Each begins anew where all its references are behind, within the innermost loop that has
// them all: lanes that have left an inner loop, or an earlier block of the same round,
// may wait with what they have got. No value goes from one round of a loop to the next
// without a phi, which is set before the loop too.
func (c *code) begin() {
	l := &c.work.flow
	l.survey(c)
	var some []reg
	for v := reg(1); v < reg(len(c.classes)); v++ {
		if exposed(l.refsOf(v)) {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		return
	}
	l.restart(len(c.blocks))
	f, blocks := c.graph()
	dom := f.Dominators()
	var loops *ssa.Loops
	begins := make([][]insertion, len(blocks))
	for _, v := range some {
		refs := l.refsOf(v)
		// All ways to the references come through this block.
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
		if at == nil || at == blocks[0] {
			continue
		}
		if l.liveOut(v, refs, at.ID); l.in[at.ID] != v {
			continue
		}
		if loops == nil {
			if loops = f.Loops(dom); loops.Irreducible {
				return
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
		begins[at.ID] = append(begins[at.ID], insertion{0, inst{kind: kBegin, fl: fDefReg, reg: v}})
	}
	for i, list := range begins {
		if len(list) > 0 {
			c.insert(c.blocks[i], list)
			l.surveyed = false
		}
	}
}

// graph returns the graph of blocks as that of a function.
func (c *code) graph() (*ssa.Func, []*ssa.Block) {
	f := &ssa.Func{}
	blocks := make([]*ssa.Block, len(c.blocks))
	for i := range c.blocks {
		blocks[i] = f.NewBlock("")
	}
	for i, b := range c.blocks {
		for _, s := range b.succs {
			blocks[i].Link(blocks[s.order])
		}
	}
	return f, blocks
}

// exposed reports whether a block reads the register with these references before it
// writes it.
func exposed(refs []ref) bool {
	for k, r := range refs {
		if r.kind() == refUse && (k == 0 || refs[k-1].block() != r.block()) {
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

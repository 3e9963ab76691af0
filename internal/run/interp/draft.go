package interp

import "github.com/purecl/purecl/internal/ir/ssa"

// A build is a block under construction.
type build struct {
	insts []*inst
	term  block // insts and succs unused
	edges []buildEdge
	index int32
	last  int32 // of an SSA block's first block: its last block, including latches after it
}

// A buildEdge is an edge under construction.
type buildEdge struct {
	to    *build
	moves []move
}

// A move sets a phi on an edge.
type move struct{ dst, src reg }

// A draft is a function in flat form whose instructions refer to registers. eliminate, assign and finalize (slots.go)
// turn it into the function's final form, once all instructions are there. The draft does not know how they are
// chosen.
type draft struct {
	analysis
	registers

	fn          *fn      // the final form
	comps       [][]reg  // by value ID: a register for each element
	taints      [][]reg  // by value ID: registers that mark lanes with an undefined value; nil if there can be none
	blocks      []*build // in scheduling order
	start       []*build // by block ID
	latch       map[*ssa.Loop]*build
	calls       []*ssa.Func
	columnBytes int32 // of columns, for each lane
	deadDst     map[reg]bool
}

// layout creates the blocks in scheduling order. A loop gets a latch after it if it has several back edges, if a
// back edge comes from an inner loop, or if lanes may return to it from an inner loop.
func (d *draft) layout() {
	d.start = make([]*build, d.f.NumBlocks())
	d.latch = map[*ssa.Loop]*build{}
	last := map[*ssa.Block][]*ssa.Loop{} // loops by the last of their blocks, inner ones first
	for _, x := range d.flow.Loops.All {
		end := x.Header
		for _, b := range x.Blocks {
			if d.flow.Pos[b.ID] > d.flow.Pos[end.ID] {
				end = b
			}
		}
		if len(x.Latches) > 1 || x.Latches[0] != end || d.flow.Loops.Of(end) != x {
			last[end] = append(last[end], x)
		}
	}
	for _, b := range d.flow.Order {
		d.start[b.ID] = d.newBuild()
		for _, v := range b.Values {
			if v.Op == ssa.OpBarrier {
				d.newBuild()
			}
		}
		for _, x := range last[b] {
			k := d.newBuild()
			k.term.term = termLatch
			k.term.pos = x.Header.Values[0].Pos
			k.edges = []buildEdge{{to: d.start[x.Header.ID]}}
			d.latch[x] = k
		}
		d.start[b.ID].last = int32(len(d.blocks)) - 1
	}
}

func (d *draft) newBuild() *build {
	b := &build{index: int32(len(d.blocks))}
	d.blocks = append(d.blocks, b)
	return b
}

// share gives v the registers of other values (some may be noReg). A varying value must not use a cell that may
// have changed since.
func (d *draft) share(v *ssa.Value, regs []reg) []reg {
	if regs == nil || !d.flow.Varying[v.ID] {
		return regs
	}
	out := d.list(len(regs))
	for i, r := range regs {
		if r != noReg && d.regs[r].uniform && d.regs[r].pin < 0 {
			r = d.vary(r)
		}
		out[i] = r
	}
	return out
}

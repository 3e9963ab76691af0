package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A short loop with a fast copy whose number of iterations is known at its entry has a third copy: four iterations one
// behind the other, without tests between them. Their loads can be outstanding together, and an access whose address
// changes by equal steps needs its address once. The fast copy runs the remaining iterations.

// maxFours is the greatest number of elements of values of a loop that is emitted for four iterations.
const maxFours = 64

// A foursCopy is the state of the copy for four iterations.
type foursCopy struct {
	round int
	steps map[*ssa.Value]step // of the addresses of accesses that every iteration executes, in units of scale
	at    map[*ssa.Value]place
}

// byFours reports whether a loop is emitted for four iterations: control leaves it by its test alone, and enters it by one
// edge. Loops with many proved accesses are better unrolled by NVIDIA's assembler (matmul_rows4). Loads do not pass stores to
// global memory, so that loops with these gain nothing (matmul_row).
func (g *versions) byFours(x *fastLoop, size int) bool {
	if test := x.Header.Term().Args[0].Op; size > maxFours || test != ssa.OpLt && test != ssa.OpLe && test != ssa.OpNe && test != ssa.OpEq {
		return false
	}
	if len(x.Latches) != 1 || len(x.Header.Preds) != 2 || len(x.proved) >= manyAccesses {
		return false
	}
	for _, b := range x.Blocks {
		for _, v := range b.Values {
			if v.Op != ssa.OpStore {
				continue
			}
			if r := g.roots[v.Args[0].ID]; r == nil || r.space == "global" {
				return false
			}
		}
		for _, s := range b.Succs {
			if b != x.Header && !g.flow.Loops.Contains(x.Loop, s) {
				return false
			}
		}
	}
	return true
}

func foursLabel(b *ssa.Block) string { return fmt.Sprint("$Q", b.ID) }

// enterFours emits the count of a loop's iterations, and returns the label of the copy to run.
func (g *versions) enterFours(x *fastLoop, trips string) string {
	if x.left == "" {
		return fastLabel(x.Header)
	}
	g.emit("mov.b32 %s, %s", x.left, trips)
	return foursLabel(x.Header)
}

// emitFours emits the copy of a loop for four iterations. It stands before the fast copy.
func (g *generator) emitFours(x *fastLoop, blocks []*ssa.Block) {
	g.mark(foursLabel(x.Header))
	g.emit("@%s bra %s", g.set(pred, "setp.lt.u32", x.left, "4"), fastLabel(x.Header))
	g.emit("sub.u32 %s, %s, 4", x.left, x.left)
	f := &foursCopy{steps: map[*ssa.Value]step{}, at: map[*ssa.Value]place{}}
	for i := range x.proved {
		if a := &x.proved[i]; g.facts.dom.Dominates(a.v.Block, x.Latches[0]) {
			f.steps[a.v] = a.step
		}
	}
	for f.round = range 4 {
		to := foursLabel(x.Header)
		if f.round < 3 {
			to = roundLabel(f.round+2, x.Header)
		}
		g.chain = &roundChain{x.Header, to}
		g.copyFast(&fastCopy{loop: true, skips: x.skips, round: f.round + 1, fours: f}, blocks, nil)
	}
	g.chain = nil
}

// placeOf returns the place of an access in an iteration but the first from its place in the one before; ok is false if it
// is not known.
func (f *foursCopy) placeOf(e *emitter, v *ssa.Value) (at place, ok bool) {
	s, stepped := f.steps[v]
	at, ok = f.at[v]
	if f.round == 0 || !stepped || !ok {
		return at, false
	}
	short := strings.HasPrefix(at.addr, "%r")
	switch {
	case s.reg == "":
		at.disp += s.number * max(s.scale, 1)
	case short && s.scale == 0:
		at.addr = e.set(b32, "add.s32", at.addr, e.set(b32, "cvt.u32.u64", s.reg))
	case short:
		at.addr = e.set(b32, "mad.lo.s32", s.reg, fmt.Sprint(s.scale), at.addr)
	case s.scale == 0: // a step in bytes
		at.addr = e.set(b64, "add.s64", at.addr, s.reg)
	default:
		at.addr = e.set(b64, "mad.wide.s32", s.reg, fmt.Sprint(s.scale), at.addr)
	}
	f.at[v] = at
	return at, true
}

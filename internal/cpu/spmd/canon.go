package spmd

import (
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// clone returns a copy of the kernel.
func clone(src *ssa.Func) *ssa.Func {
	f := &ssa.Func{Name: src.Name, Result: src.Result, Kernel: src.Kernel, Module: src.Module, Pos: src.Pos}
	c := ssa.Cloner{Dst: f}
	blocks := c.Clone(src, nil)
	f.Params = append([]*ssa.Value(nil), blocks[0].Values[:len(src.Params)]...)
	return f
}

// canonicalForm transforms a function's control flow into the form that doc.go describes.
func canonicalForm(f *ssa.Func) error {
	f.RemoveUnreachable()
	constantDims(f)
	oneReturn(f)
	f.SplitCriticalEdges()
	dom := f.Dominators()
	loops := f.Loops(dom)
	if loops.Irreducible {
		return errors.New("irreducible control flow")
	}
	changed := false
	for _, l := range loops.All {
		changed = canonicalLoop(f, loops, l) || changed
	}
	if changed {
		f.SplitCriticalEdges()
		dom = f.Dominators()
		loops = f.Loops(dom)
	}
	closeLoops(f, dom, loops)
	return nil
}

// oneReturn replaces all returns by jumps to a single one. OpUnreachable counts as a return.
func oneReturn(f *ssa.Func) {
	var ends []*ssa.Block
	for _, b := range f.Blocks {
		if t := b.Term(); t.Op == ssa.OpReturn || t.Op == ssa.OpUnreachable {
			ends = append(ends, b)
		}
	}
	if len(ends) == 1 && ends[0] != f.Blocks[0] && ends[0].Term().Op == ssa.OpReturn && len(ends[0].Values) == 1 {
		return
	}
	if len(ends) == 0 {
		return
	}
	x := f.NewBlock("return")
	x.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, 0))
	for _, b := range ends {
		t := b.Term()
		t.Op, t.Args = ssa.OpJump, nil
		b.Link(x)
	}
}

// canonicalLoop gives a loop one entering edge, and one latch that only jumps back.
func canonicalLoop(f *ssa.Func, loops *ssa.Loops, l *ssa.Loop) bool {
	h := l.Header
	var in, back []int
	for i, p := range h.Preds {
		if loops.Contains(l, p) {
			back = append(back, i)
		} else {
			in = append(in, i)
		}
	}
	changed := false
	// The latch is always a separate block, so that it comes last in the loop.
	changed = merge(f, h, back) || changed
	in = in[:0]
	latch := h.Preds[len(h.Preds)-1]
	for i, p := range h.Preds {
		if p != latch {
			in = append(in, i)
		}
	}
	if len(in) > 1 || len(h.Preds[in[0]].Succs) > 1 {
		changed = merge(f, h, in) || changed
	}
	return changed
}

// merge redirects the edges into b with the indices idx through one new block, whose edge to b becomes the
// last.
func merge(f *ssa.Func, b *ssa.Block, idx []int) bool {
	m := f.NewBlock("")
	is := make([]bool, len(b.Preds))
	for _, i := range idx {
		is[i] = true
	}
	for _, v := range b.Phis() {
		var rest, moved []*ssa.Value
		for i, a := range v.Args {
			if is[i] {
				moved = append(moved, a)
			} else {
				rest = append(rest, a)
			}
		}
		x := moved[0]
		if slices.ContainsFunc(moved, func(y *ssa.Value) bool { return y != x }) {
			x = m.Append(f.NewValue(ssa.OpPhi, v.Type, v.Pos, moved...))
		}
		v.SetArgs(append(rest, x)...)
	}
	var rest []*ssa.Block
	for i, p := range b.Preds {
		if !is[i] {
			rest = append(rest, p)
			continue
		}
		for k, s := range p.Succs {
			if s == b {
				p.Succs[k] = m
				break
			}
		}
		m.Preds = append(m.Preds, p)
	}
	b.Preds = rest
	m.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
	m.Link(b)
	return true
}

package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// licm moves loop-invariant pure values out of loops, as far as possible. A value that the checking executor
// may report moves only from the loop's header, which executes whenever control enters the loop. The same holds
// for divisions and square roots, unless their block executes in every iteration.
//
// Requires: gvn (constants in the entry block). Breaks: cfg (new preheaders may stay empty).
func licm(s *state) {
	t := s.dom()
	loops := s.f.Loops(t)
	if len(loops.All) == 0 {
		return
	}
	h := hoister{s: s, t: t, of: make([]*ssa.Loop, s.f.NumBlocks(), s.f.NumBlocks()+len(loops.All)), before: map[*ssa.Loop]*ssa.Block{}, old: s.f.NumBlocks(), reads: !s.cfg.KeepAccesses}
	for _, b := range s.f.Blocks {
		h.of[b.ID] = loops.Of(b)
	}
	for _, x := range loops.All {
		h.preheader(x)
	}
	for _, b := range t.Order {
		if h.of[b.ID] != nil {
			h.block(b)
		}
	}
	if h.copies {
		s.f.ReplaceCopies()
	}
	s.changed()
}

type hoister struct {
	s      *state
	t      *ssa.DomTree
	of     []*ssa.Loop // by block ID: innermost loop
	before map[*ssa.Loop]*ssa.Block
	old    int // blocks with lower IDs are in the dominator tree
	guards map[*ssa.Loop]*loopGuard
	reads  bool // reads of images may be hoisted
	copies bool // a value became a copy

	reciprocals map[reciprocal]*ssa.Value
}

// A reciprocal is the reciprocal of a loop-invariant value.
type reciprocal struct {
	of   *ssa.Value
	loop *ssa.Loop
}

// preheader finds or makes the only block from which the loop is entered.
func (h *hoister) preheader(x *ssa.Loop) {
	f, head := h.s.f, x.Header
	inside := func(p *ssa.Block) bool { return slices.Contains(x.Latches, p) }
	var outside []int
	for i, p := range head.Preds {
		if !inside(p) {
			outside = append(outside, i)
		}
	}
	if len(outside) == 1 {
		if p := head.Preds[outside[0]]; len(p.Succs) == 1 {
			h.before[x] = p
			return
		}
	}
	pre := f.NewBlock("")
	h.of = append(h.of, x.Parent)
	h.before[x] = pre
	for _, phi := range head.Phis() {
		h.splitPhi(phi, pre, outside)
	}
	var back []*ssa.Block
	for i, p := range head.Preds {
		if !slices.Contains(outside, i) {
			back = append(back, p)
			continue
		}
		for k, s := range p.Succs {
			if s == head {
				p.Succs[k] = pre
			}
		}
		pre.Preds = append(pre.Preds, p)
	}
	pre.Append(f.NewValue(ssa.OpJump, ssa.TVoid, head.Term().Pos))
	pre.Succs = []*ssa.Block{head}
	head.Preds = append(back, pre)
}

// splitPhi merges the arguments from outside the loop in a phi of pre.
func (h *hoister) splitPhi(phi *ssa.Value, pre *ssa.Block, outside []int) {
	var in, back []*ssa.Value
	same := true
	for i, a := range phi.Args {
		if slices.Contains(outside, i) {
			in = append(in, a)
			same = same && a == in[0]
		} else {
			back = append(back, a)
		}
	}
	x := in[0]
	if !same {
		x = h.s.f.NewValue(ssa.OpPhi, phi.Type, phi.Pos, in...)
		pre.Append(x)
	}
	phi.SetArgs(append(back, x)...)
}

// block hoists values of b.
func (h *hoister) block(b *ssa.Block) {
	n := 0
	for _, v := range b.Values {
		if x := h.target(b, v); x != nil {
			to := h.place(x, v)
			to.InsertBeforeTerm(v)
			v.Block = to
			continue
		}
		if h.reads && h.s.readsFixedImage(v) && h.hoistRead(b, v) {
			continue
		}
		h.divideBefore(b, v)
		b.Values[n] = v
		n++
	}
	clear(b.Values[n:])
	b.Values = b.Values[:n]
}

// divideBefore replaces a division by a loop-invariant value by a multiplication with its reciprocal, computed
// before the loop, if the build options allow that.
func (h *hoister) divideBefore(b *ssa.Block, v *ssa.Value) {
	if v.Op != ssa.OpDiv || v.Flags&ssa.Reassoc == 0 || v.Type.K != ssa.F32 && v.Type.K != ssa.F64 || v.Args[1].Source().IsConst() {
		return
	}
	f, y := h.s.f, v.Args[1]
	r := f.NewValue(ssa.OpDiv, v.Type, v.Pos, y, y)
	r.Flags = v.Flags
	x := h.target(b, r)
	if x == nil {
		return
	}
	k := reciprocal{y, x}
	if old := h.reciprocals[k]; old != nil {
		r = old
	} else {
		r.SetArgs(f.InsertEntry(f.NewConst(v.Type, bitsOf(1, v.Type.K))), y)
		h.place(x, r).InsertBeforeTerm(r)
		if h.reciprocals == nil {
			h.reciprocals = map[reciprocal]*ssa.Value{}
		}
		h.reciprocals[k] = r
	}
	v.Op = ssa.OpMul
	v.SetArgs(v.Args[0], r)
}

// target returns the outermost loop that v may leave, nil if v must stay.
func (h *hoister) target(b *ssa.Block, v *ssa.Value) (out *ssa.Loop) {
	if !v.Op.Has(ssa.Pure) || v.Op == ssa.OpPhi || v.Op == ssa.OpUndef || v.Op == ssa.OpCopy {
		return nil
	}
	reports := v.MayReport()
	costly := v.Op == ssa.OpDiv || v.Op == ssa.OpRem || v.Op == ssa.OpSqrt
	for x := h.of[b.ID]; x != nil; x = x.Parent {
		for _, a := range v.Args {
			if h.within(a.Source().Block, x) {
				return out
			}
		}
		at := b
		if out != nil {
			at = h.before[out] // the current destination of v
		}
		if reports && at != x.Header {
			return out
		}
		if costly && slices.ContainsFunc(x.Latches, func(l *ssa.Block) bool { return !h.dominates(at, l) }) {
			return out
		}
		out = x
	}
	return out
}

// dominates extends the dominator tree to the new blocks: each precedes a header and dominates everything that
// the header dominates.
func (h *hoister) dominates(a, b *ssa.Block) bool {
	if int(a.ID) >= h.old {
		a = a.Succs[0]
	}
	return h.t.Dominates(a, b)
}

// within reports whether b is in the loop x.
func (h *hoister) within(b *ssa.Block, x *ssa.Loop) bool {
	y := h.of[b.ID]
	for y != nil && y.Depth > x.Depth {
		y = y.Parent
	}
	return y == x
}

package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// pure reports whether v depends on its arguments alone and has no effects. A read of an image that is
// read_only for the kernel is pure: no kernel writes it during the launch. For checking executors it is not,
// because they observe each read.
func (s *state) pure(v *ssa.Value) bool {
	return v.Op.Has(ssa.Pure) || !s.cfg.KeepAccesses && s.readsFixedImage(v)
}

// readsFixedImage reports whether v reads a read_only image argument.
func (s *state) readsFixedImage(v *ssa.Value) bool {
	if v.Op != ssa.OpImageRead && v.Op != ssa.OpImageSample || s.f.Kernel == nil {
		return false
	}
	p := v.Args[0].Source()
	return p.Op == ssa.OpParam && int(p.Aux) < len(s.f.Kernel.Args) && s.f.Kernel.Args[p.Aux].Access == uint8(types.ReadOnly)
}

// hoistRead moves an image read out of the innermost loop that contains b, if each iteration executes it with
// the same arguments, and reports whether it could. Because a read may be reported, it must execute only if the loop
// executes it. That is certain of a read in the loop's header. For others a guard before the loop repeats the test of
// the header.
func (h *hoister) hoistRead(b *ssa.Block, v *ssa.Value) bool {
	x := h.of[b.ID]
	if x == nil || int(b.ID) >= h.old || slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return h.within(a.Source().Block, x) }) {
		return false
	}
	if slices.ContainsFunc(x.Latches, func(l *ssa.Block) bool { return !h.t.Dominates(b, l) }) {
		return false
	}
	f := h.s.f
	w := f.NewValue(v.Op, v.Type, v.Pos, v.Args...)
	w.Flags, w.Aux, w.Sym = v.Flags, v.Aux, v.Sym
	if b == x.Header {
		h.before[x].InsertBeforeTerm(w)
		v.BecomeCopy(w)
		h.copies = true
		return true
	}
	g := h.guard(x)
	if g == nil || g.needsJoin(v) {
		return false
	}
	g.reads.InsertBeforeTerm(w)
	zero := f.InsertEntry(f.NewConstVec(v.Type, make([]uint64, v.Type.N)))
	phi := g.join.InsertAt(len(g.join.Phis()), f.NewValue(ssa.OpPhi, v.Type, v.Pos, w, zero))
	v.BecomeCopy(phi)
	h.copies = true
	return true
}

// A loopGuard is a test before a loop: pre branches to reads if the loop has at least one iteration, else to
// join; reads jumps to join.
type loopGuard struct{ pre, reads, join *ssa.Block }

// needsJoin reports whether v needs a value of join, such as the result of a read.
func (g *loopGuard) needsJoin(v *ssa.Value) bool {
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return a.Source().Block == g.join })
}

// place returns the block to which v moves when it leaves the loop x, because the guard's reads may need v.
func (h *hoister) place(x *ssa.Loop, v *ssa.Value) *ssa.Block {
	if g := h.guards[x]; g != nil && !g.needsJoin(v) {
		return g.pre
	}
	return h.before[x]
}

// guard returns the loop's guard and makes it on first use. It returns nil unless the loop's header only
// computes, from values before the loop, whether the loop runs.
func (h *hoister) guard(x *ssa.Loop) *loopGuard {
	if g, ok := h.guards[x]; ok {
		return g
	}
	if h.guards == nil {
		h.guards = map[*ssa.Loop]*loopGuard{}
	}
	h.guards[x] = nil
	head, pre := x.Header, h.before[x]
	t := head.Term()
	if t.Op != ssa.OpBranch || len(x.Latches) != 1 || len(head.Preds) != 2 {
		return nil
	}
	in := slices.Index(head.Preds, pre)
	stays := h.within(head.Succs[0], x)
	if in < 0 || stays == h.within(head.Succs[1], x) || !h.repeats(t.Args[0], x, maxRepeated) {
		return nil
	}
	f := h.s.f
	cond := h.again(t.Args[0], x, in, map[*ssa.Value]*ssa.Value{})
	g := &loopGuard{pre, f.NewBlock(""), f.NewBlock("")}
	for range 2 {
		h.of = append(h.of, x.Parent)
	}
	jump := pre.Term()
	pre.Values = pre.Values[:len(pre.Values)-1]
	pre.Succs = nil
	pre.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, t.Pos, cond))
	// The edge from reads is the join's first, as the phis of hoistRead require.
	g.reads.Append(f.NewValue(ssa.OpJump, ssa.TVoid, t.Pos))
	g.reads.Link(g.join)
	to := []*ssa.Block{g.reads, g.join}
	if !stays {
		slices.Reverse(to)
	}
	for _, s := range to {
		pre.Link(s)
	}
	g.join.Append(jump)
	g.join.Succs = []*ssa.Block{head}
	head.Preds[in] = g.join
	h.before[x] = g.join
	h.guards[x] = g
	return g
}

// maxRepeated bounds the operations repeated in a guard.
const maxRepeated = 8

// repeats reports whether v takes at most n operations in x's header, all pure and never reported.
func (h *hoister) repeats(v *ssa.Value, x *ssa.Loop, n int) bool {
	if !h.within(v.Block, x) {
		return true
	}
	if v.Op == ssa.OpPhi {
		return v.Block == x.Header
	}
	if n == 0 || v.Block != x.Header || !v.Op.Has(ssa.Pure) || v.MayReport() {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !h.repeats(a, x, n-1) })
}

// again recomputes v, with its value on entry to the loop, at the end of the block before x.
func (h *hoister) again(v *ssa.Value, x *ssa.Loop, in int, memo map[*ssa.Value]*ssa.Value) *ssa.Value {
	switch {
	case !h.within(v.Block, x):
		return v
	case v.Op == ssa.OpPhi:
		return v.Args[in]
	case memo[v] != nil:
		return memo[v]
	}
	w := h.s.f.NewValue(v.Op, v.Type, v.Pos, v.Args...)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	for i, a := range w.Args {
		w.Args[i] = h.again(a, x, in, memo)
	}
	memo[v] = h.before[x].InsertBeforeTerm(w)
	return w
}

package opt

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// inline replaces calls of optimised functions by copies of their bodies. A call stays if the callee is
// NoInline or if the caller or the module would exceed its budget. A callee with a barrier or another
// convergent op has a larger budget, because such ops must be in the kernel itself; if it exceeds that, the
// call is an error.
//
// Requires: callees first. Breaks: cfg (blocks that only jump), simplify.
func inline(s *state) {
	f := s.f
	if !hasCall(f) {
		return
	}
	in := inliner{s: s, f: f, size: f.CountValues(), clone: ssa.Cloner{Dst: f}}
	inLoop := blocksInCycles(s)
	old := f.Blocks
	f.Blocks = make([]*ssa.Block, 0, len(old)+8)
	for _, b := range old {
		in.loop = inLoop[b.ID]
		in.block(b)
	}
	if len(in.allocas) > 0 {
		e := f.Blocks[0]
		n := len(f.Params)
		rest := append([]*ssa.Value(nil), e.Values[n:]...)
		e.Values = append(append(e.Values[:n:n], in.allocas...), rest...)
		for _, a := range in.allocas {
			a.Block = e
		}
	}
	f.RemoveUnreachable()
	f.ReplaceCopies()
	s.changed()
	s.mem.allocas, s.dirty = true, true
}

func hasCall(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall {
				return true
			}
		}
	}
	return false
}

// blocksInCycles reports, by block ID, whether control may return to a block.
func blocksInCycles(s *state) []bool {
	t := s.dom()
	l := s.f.Loops(t)
	in := make([]bool, s.f.NumBlocks())
	for _, b := range s.f.Blocks {
		in[b.ID] = l.Irreducible || l.Of(b) != nil
	}
	return in
}

type inliner struct {
	s       *state
	f       *ssa.Func
	size    int
	clone   ssa.Cloner
	allocas []*ssa.Value
	loop    bool // the current block is in a cycle
}

// A calleeInfo is the inliner's information about a function.
type calleeInfo struct {
	size       int
	convergent bool
}

func infoOf(g *ssa.Func) (c calleeInfo) {
	for _, b := range g.Blocks {
		c.size += len(b.Values)
		for _, v := range b.Values {
			c.convergent = c.convergent || v.Op.Has(ssa.Convergent)
		}
	}
	return c
}

func (in *inliner) wanted(v *ssa.Value) bool {
	g := v.Sym.(*ssa.Func)
	place, ok := in.s.plan.before(g, in.s.at)
	if g == in.f || !ok {
		return false
	}
	p := in.s.plan
	c := &p.info[place]
	room := func(times int) bool {
		return in.size+c.size <= times*in.s.cfg.InlineBudget && p.grown+c.size <= in.s.cfg.ModuleBudget
	}
	switch {
	case in.s.all:
		return room(1)
	case c.convergent:
		if !room(16) {
			if in.s.tooLarge == nil {
				in.s.tooLarge = &TooLarge{in.f, g, v.Pos}
			}
			return false
		}
		return true
	case g.Attrs&ssa.AlwaysInline != 0:
		return room(16)
	}
	return g.Attrs&ssa.NoInline == 0 && room(1)
}

// A TooLarge error reports a call that must be inlined, because its callee has a barrier, but would make the
// caller too large.
type TooLarge struct {
	Caller, Callee *ssa.Func
	Pos            diag.Pos // of the call
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("function %s is too large with the body of %s, which waits at a barrier", e.Caller.Name, e.Callee.Name)
}

// block appends b to the function, split at each call that is inlined.
func (in *inliner) block(b *ssa.Block) {
	in.f.Blocks = append(in.f.Blocks, b)
	values, succs := b.Values, b.Succs
	first, cur := 0, b
	for i, v := range values {
		if v.Op != ssa.OpCall || !in.wanted(v) {
			continue
		}
		if cur == b {
			succs = append([]*ssa.Block(nil), succs...)
			b.Succs = nil
		}
		give(cur, b, values[first:i])
		cur = in.call(cur, v)
		first = i + 1
	}
	if cur == b {
		return
	}
	give(cur, b, values[first:])
	cur.Succs = succs
	for _, s := range succs {
		s.ReplacePred(b, cur)
	}
}

// give moves some values of b to cur, which may be b itself.
func give(cur, b *ssa.Block, values []*ssa.Value) {
	if cur == b {
		cur.Values = values[:len(values):len(values)]
		return
	}
	for _, v := range values {
		cur.Append(v)
	}
}

// call appends a copy of the callee to cur, or the callee itself if this is its only call, and returns the
// block that continues. The call becomes a phi, or a copy, of the callee's results.
func (in *inliner) call(cur *ssa.Block, v *ssa.Value) *ssa.Block {
	f, g := in.f, v.Sym.(*ssa.Func)
	place, _ := in.s.plan.before(g, in.s.at)
	size := in.s.plan.info[place].size
	in.size += size
	in.clone.Pos = v.Pos
	first := len(f.Blocks)
	var blocks []*ssa.Block
	if _, raw := in.s.plan.raw[g]; raw {
		blocks = f.Absorb(g, v.Args, v.Pos)
	} else {
		blocks = in.clone.Clone(g, append([]*ssa.Value{}, v.Args...))
		if in.s.plan.watched {
			in.s.plan.grown += size
		}
	}
	blocks = append([]*ssa.Block(nil), blocks...)
	f.Blocks = append(f.Blocks[:first], f.Blocks[first+1:]...)
	next := f.NewBlock("")

	// The entry has only the call as predecessor, so that its values move to cur.
	entry := blocks[0]
	in.enter(cur, entry, v)
	cur.Succs = entry.Succs
	for _, s := range cur.Succs {
		s.ReplacePred(entry, cur)
	}
	blocks[0] = cur
	var results []*ssa.Value
	for _, b := range blocks {
		if t := b.Term(); t.Op == ssa.OpReturn {
			results = append(results, t.Args...)
			t.Op = ssa.OpJump
			t.SetArgs()
			b.Link(next)
		}
	}
	if v.Type == ssa.TVoid {
		return next
	}
	v.Flags, v.Sym, v.Aux = 0, nil, 0
	switch len(results) {
	case 0:
		v.Op = ssa.OpUndef // the callee never returns: next is unreachable
		v.SetArgs()
	case 1:
		v.BecomeCopy(results[0])
	default:
		v.Op = ssa.OpPhi
		v.SetArgs(results...)
	}
	next.Append(v)
	return next
}

// enter moves the values of the copy's entry to cur, and its allocas to the caller's entry. If the call may
// execute again, the lifetime of its variables begins anew each time.
func (in *inliner) enter(cur, entry *ssa.Block, call *ssa.Value) {
	for _, w := range entry.Values {
		if w.Op != ssa.OpAlloca {
			cur.Append(w)
			continue
		}
		in.allocas = append(in.allocas, w)
		if in.loop {
			z := in.f.NewValue(ssa.OpMemZero, ssa.TVoid, call.Pos, w)
			z.Flags, z.Aux = ssa.Implicit, w.Sym.(*ssa.Alloca).Size
			cur.Append(z)
		}
	}
}

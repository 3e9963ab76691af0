package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of if-conversion. This pass does not know whether a branch is uniform, so the cost of both sides
// together must not exceed that of a divergent branch. A simple operation on 32 bits has the cost 1.
//
// Large functions are mostly long sequences of one small decision, from a helper inlined hundreds of times. In
// these, and in such helpers, the limits are higher: few large blocks compile several times faster than many
// small ones, and to smaller code. Divergent decisions also run faster as selects (shifts that align 32 words
// by a varying byte count: 0.65 of the time; by a uniform one: 1.4).
const (
	maxSpeculated      = 8    // cost of both sides
	maxSelects         = 8    // cost of the selects
	largeFunction      = 4000 // values from which on the higher limits apply
	manyCalls          = 64   // calls of a function from which on they apply
	maxSpeculatedLarge = 64
	maxSelectsLarge    = 16
	maxMerged          = 32 // values of a block to append to its predecessor; cfg merges longer ones
)

// ifconvert replaces branches whose sides only compute a few cheap values by selects, and two branches with a
// common target (short-circuit && and ||) by one. A value moves before the branch only if that is not
// observable: it must be pure and never reported, and its operands must not be undefined, because the checking
// executor reports uses of undefined values. First, loads of both sides from one address are merged (share.go).
//
// Requires: gvn (loads of both sides are one before the branch). Breaks: simplify (selects of constants,
// conditions), gvn (both sides are now one block), cfg.
func ifconvert(s *state) {
	if !slices.ContainsFunc(s.f.Blocks, func(b *ssa.Block) bool { return b.Term().Op == ssa.OpBranch }) {
		return
	}
	c := converter{speculated: maxSpeculated, selects: maxSelects}
	if s.f.CountValues() >= largeFunction || s.plan.called[s.f] >= manyCalls {
		c.speculated, c.selects = maxSpeculatedLarge, maxSelectsLarge
	}
	convert(s, c)
}

// convert replaces branches within the limits of c. It reports whether there were any.
func convert(s *state, c converter) bool {
	c.s, c.f, c.gone = s, s.f, make([]bool, s.f.NumBlocks())
	c.findPoison()
	order := s.dom().Order
	changed := false
	for i := len(order) - 1; i >= 0; i-- {
		if a := order[i]; !c.gone[a.ID] {
			for c.branch(a) {
				changed = true
			}
		}
	}
	if !changed {
		return false
	}
	s.f.Blocks = slices.DeleteFunc(s.f.Blocks, func(b *ssa.Block) bool { return c.gone[b.ID] })
	s.f.ReplaceCopies()
	s.changed()
	s.dirty, s.merged = true, false
	return true
}

type converter struct {
	s      *state
	f      *ssa.Func
	gone   []bool // by block ID: merged into another block
	poison []bool // by value ID: may hold undefined elements

	speculated, selects int                        // limits of the cost of replacing one branch
	only                func(cond *ssa.Value) bool // the branches to replace; nil means all
}

// findPoison marks the values that may have undefined elements: results of ops that only rearrange undefined
// values, and the contents of variables before their first store.
func (c *converter) findPoison() {
	c.poison = c.s.marked(c.f.NumValues())
	order := c.s.dom().Order
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			for _, v := range b.Values {
				if !c.poison[v.ID] && c.undefined(v) {
					c.poison[v.ID], changed = true, true
				}
			}
		}
	}
}

func (c *converter) undefined(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpUndef:
		return true
	case ssa.OpLoad:
		k := v.Args[0].Type.K
		return k == ssa.PtrPrivate || k == ssa.PtrLocal || k == ssa.PtrGeneric
	case ssa.OpShuffle:
		if slices.Contains(v.Lanes, ssa.ShuffleUndef) {
			return true
		}
	case ssa.OpSelect, ssa.OpExtractDyn, ssa.OpInsertDyn, ssa.OpPhi, ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrCast, ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert:
	default:
		return false
	}
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return c.poison[a.ID] })
}

// branch converts the branch at the end of block a, if that pays.
func (c *converter) branch(a *ssa.Block) bool {
	t := a.Term()
	if t == nil || t.Op != ssa.OpBranch || a.Succs[0] == a.Succs[1] || c.isPoison(t.Args[0]) || c.only != nil && !c.only(t.Args[0]) {
		return false
	}
	then, els := a.Succs[0], a.Succs[1]
	switch {
	case side(a, then) && side(a, els) && then.Succs[0] == els.Succs[0]:
		shared := c.only == nil && c.share(a, then, els)
		return c.join(a, then.Succs[0], then, els) || shared
	case side(a, then) && then.Succs[0] == els:
		return c.join(a, els, then, nil)
	case side(a, els) && els.Succs[0] == then:
		return c.join(a, then, nil, els)
	}
	return c.shortCircuit(a, 0) || c.shortCircuit(a, 1)
}

// isPoison reports whether v may be undefined.
func (c *converter) isPoison(v *ssa.Value) bool { return int(v.ID) < len(c.poison) && c.poison[v.ID] }

// side reports whether a is the only predecessor of b, and b has one successor.
func side(a, b *ssa.Block) bool {
	return b != a && len(b.Preds) == 1 && len(b.Succs) == 1 && b.Succs[0] != b && b.Succs[0] != a
}

// join replaces the phis of to by selects between the paths from a through then and els. If one of them is nil,
// its path leads from a directly.
func (c *converter) join(a, to, then, els *ssa.Block) bool {
	cost := 0
	for _, b := range []*ssa.Block{then, els} {
		if b != nil && !c.speculate(b, &cost, c.speculated) {
			return false
		}
	}
	pred := func(b *ssa.Block) int {
		if b == nil {
			b = a
		}
		return slices.Index(to.Preds, b)
	}
	i, k := pred(then), pred(els)
	selects := 0
	for _, phi := range to.Phis() {
		x, y := phi.Args[i], phi.Args[k]
		if x.Source() == y.Source() {
			continue
		}
		// Undefined values must not be merged; pointers must keep a known object.
		if x.Op == ssa.OpUndef || y.Op == ssa.OpUndef || phi.Type.K.IsPtr() || phi.Type.K == ssa.Handle {
			return false
		}
		if selects += width(phi.Type); selects > c.selects {
			return false
		}
	}
	cond := a.Term().Args[0]
	term := c.openEnd(a)
	for _, b := range []*ssa.Block{then, els} {
		if b != nil {
			c.move(a, b)
		}
	}
	for _, phi := range to.Phis() {
		phi.Args[i] = c.choose(a, cond, phi.Args[i], phi.Args[k], phi)
	}
	// The edge at i now comes from a, the one at k is removed.
	for _, b := range []*ssa.Block{then, els} {
		if b != nil {
			c.gone[b.ID] = true
			b.Values, b.Preds, b.Succs = nil, nil, nil
		}
	}
	to.Preds[i] = a
	to.RemovePred(k)
	c.jump(a, to, term)
	return true
}

// choose returns the value of phi: x if cond is true, else y.
func (c *converter) choose(a *ssa.Block, cond, x, y, phi *ssa.Value) *ssa.Value {
	if x.Source() == y.Source() {
		return x
	}
	v := a.Append(c.f.NewValue(ssa.OpSelect, phi.Type, phi.Pos, cond, x, y))
	if c.isPoison(x) || c.isPoison(y) {
		c.taint(v)
	}
	return v
}

// taint marks the new value v as possibly undefined.
func (c *converter) taint(v *ssa.Value) {
	if n := int(v.ID) + 1 - len(c.poison); n > 0 {
		c.poison = append(c.poison, make([]bool, n)...)
	}
	c.poison[v.ID] = true
}

// openEnd removes the terminator of a.
func (c *converter) openEnd(a *ssa.Block) *ssa.Value {
	t := a.Term()
	a.Values = a.Values[:len(a.Values)-1]
	return t
}

// move appends the values of b, without the terminator, to a.
func (c *converter) move(a, b *ssa.Block) {
	for _, v := range b.Values[:len(b.Values)-1] {
		if v.Op == ssa.OpPhi {
			v.BecomeCopy(v.Args[0])
		}
		a.Append(v)
	}
}

// jump ends a with a jump to a successor that already has a as a predecessor. If a is the only one, it merges
// the two, because the result may be a side of another branch.
func (c *converter) jump(a, to *ssa.Block, term *ssa.Value) {
	term.Op, term.Args = ssa.OpJump, nil
	a.Append(term)
	a.Succs = append(a.Succs[:0], to)
	if len(to.Preds) != 1 || to == a || to == c.f.Blocks[0] || len(to.Values) > maxMerged {
		return
	}
	c.openEnd(a)
	for _, v := range to.Values {
		if v.Op == ssa.OpPhi {
			v.BecomeCopy(v.Args[0])
		}
		a.Append(v)
	}
	a.Succs = to.Succs
	for _, s := range to.Succs {
		s.ReplacePred(to, a)
	}
	to.Values, to.Preds, to.Succs = nil, nil, nil
	c.gone[to.ID] = true
}

// speculate adds the cost of b's values to cost. It reports whether they may be executed speculatively and the sum is not
// above most.
func (c *converter) speculate(b *ssa.Block, cost *int, most int) bool {
	for _, v := range b.Values[:len(b.Values)-1] {
		if v.Op == ssa.OpPhi {
			continue // a phi with one argument
		}
		if !v.Op.Has(ssa.Pure) || v.Op == ssa.OpUndef || v.MayReport() || slices.ContainsFunc(v.Args, c.isPoison) {
			return false
		}
		if *cost += costOf(v); *cost > most {
			return false
		}
	}
	return true
}

// width returns the cost of a simple op on type t.
func width(t ssa.Type) int {
	n := int(t.N)
	if t.K != ssa.Bool && t.K.Num().Size() == 8 {
		n *= 2
	}
	return n
}

// costOf estimates the cost of v in machine code.
func costOf(v *ssa.Value) int {
	n := width(v.Type)
	k := v.Type.K.Num()
	switch ssa.Ops[v.Op].Cost {
	case ssa.CostMove:
		return 0
	case ssa.CostDivide:
		return 16 * n
	case ssa.CostBits:
		return 4 * n
	case ssa.CostFMA:
		if k.Size() == 2 {
			return 16 * n
		}
	case ssa.CostMul:
		if k.IsInt() && k.Size() != 4 {
			return 3 * n
		}
	case ssa.CostConvert:
		if k.Size() == 8 && v.Args[0].Type.K.Num().IsFloat() != k.IsFloat() {
			return 4 * n
		}
	}
	if k.IsFloat() && k.Size() == 2 {
		return 3 * n
	}
	return n
}

// shortCircuit merges the branches of a and of its successor number i, which share a target, if the second
// condition is cheap to compute unconditionally.
func (c *converter) shortCircuit(a *ssa.Block, i int) bool {
	b, shared := a.Succs[i], a.Succs[1-i]
	t := b.Term()
	if b == a || len(b.Preds) != 1 || t.Op != ssa.OpBranch || b.Succs[0] == b.Succs[1] || c.isPoison(t.Args[0]) {
		return false
	}
	j := slices.Index(b.Succs, shared)
	if j < 0 || b.Succs[1-j] == b || shared == b {
		return false
	}
	cost := 0
	if !c.speculate(b, &cost, maxSpeculated) {
		return false
	}
	pa, pb := slices.Index(shared.Preds, a), slices.Index(shared.Preds, b)
	for _, phi := range shared.Phis() {
		x, y := phi.Args[pa], phi.Args[pb]
		if x.Source() == y.Source() {
			continue
		}
		if x.Op == ssa.OpUndef || y.Op == ssa.OpUndef || phi.Type.K.IsPtr() || phi.Type.K == ssa.Handle {
			return false
		}
		if cost += width(phi.Type); cost > maxSpeculated {
			return false
		}
	}
	other := b.Succs[1-j]
	first, second := a.Term().Args[0], t.Args[0]
	term := c.openEnd(a)
	c.move(a, b)
	for _, phi := range shared.Phis() {
		x, y := phi.Args[pb], phi.Args[pa]
		if i == 1 {
			x, y = y, x
		}
		phi.Args[pa] = c.choose(a, first, x, y, phi)
	}
	shared.RemovePred(pb)
	other.ReplacePred(b, a)
	// Control goes to other if the first branch selects i and the second 1-j.
	not := func(x *ssa.Value) *ssa.Value { return a.Append(c.f.NewValue(ssa.OpNot, ssa.TBool, x.Pos, x)) }
	op, succs := ssa.OpAnd, []*ssa.Block{other, shared}
	switch {
	case i == 1 && j == 0: // neither
		op, succs = ssa.OpOr, []*ssa.Block{shared, other}
	case i == 1:
		first = not(first)
	case j == 0:
		second = not(second)
	}
	both := a.Append(c.f.NewValue(op, ssa.TBool, term.Pos, first, second))
	term.SetArgs(both)
	a.Append(term)
	a.Succs = append(a.Succs[:0], succs...)
	c.gone[b.ID] = true
	b.Values, b.Preds, b.Succs = nil, nil, nil
	return true
}

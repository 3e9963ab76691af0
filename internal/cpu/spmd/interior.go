package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Work-groups in the interior of a range, during the symbolic execution of a work-group (evaluate.go). Bounds to which
// indices are clamped, such as max(0, -left), are constants in all work-groups but those at the border. A function with
// clamped indices (clamped.go) therefore gets a version in which such bounds are these constants. A test at the begin of each
// work-group selects it.

const (
	maxAssumed     = 8  // conditions
	maxAssumedTerm = 40 // values that a condition depends on
)

// assumed returns the constant that a value has in the interior, if e.assume is set and the value is the same for the
// work-group, else nil. It notes the condition.
func (e *evaluation) assumed(v *ssa.Value, args []*symbol) *symbol {
	if v.Op == ssa.OpLt || v.Op == ssa.OpLe {
		return e.ordered(v, args)
	}
	if e.differs(v) || v.Type.N != 1 || !isInt(v.Type.K) || len(e.conditions) == maxAssumed {
		return nil
	}
	if v.Op != ssa.OpMin && v.Op != ssa.OpMax && (v.Op != ssa.OpSelect || args[0].known != nil) {
		return nil
	}
	n := len(args)
	i := slices.IndexFunc(args[n-2:], func(a *symbol) bool { _, ok := a.uniform(); return ok })
	if i < 0 {
		return nil
	}
	k, x := args[n-2+i], args[n-1-i]
	if _, ok := x.uniform(); ok {
		return nil
	}
	var is *ssa.Value
	switch v.Op {
	case ssa.OpMax:
		is = e.do(ssa.OpLe, ssa.TBool, e.value(x), e.value(k))
	case ssa.OpMin:
		is = e.do(ssa.OpLe, ssa.TBool, e.value(k), e.value(x))
	default:
		if is = e.value(args[0]); i == 1 {
			is = e.do(ssa.OpNot, ssa.TBool, is)
		}
	}
	if left := maxAssumedTerm; !early(is, &left) {
		return nil
	}
	if !slices.Contains(e.conditions, is) {
		e.conditions = append(e.conditions, is)
	}
	if !e.assume {
		return nil
	}
	return k
}

// early reports whether a value follows from scalar arguments and ids of work-groups alone.
func early(v *ssa.Value, left *int) bool {
	*left--
	q := ssa.WorkItemQuery(v.Aux)
	switch {
	case *left < 0, v.Op == ssa.OpPhi, !v.Op.Has(ssa.Pure), v.Op.Has(ssa.Convergent), v.Op == ssa.OpWorkItem && !slices.Contains(knownQueries, q), v.Op == ssa.OpWorkItem && (q == ssa.LocalID || q == ssa.GlobalID):
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !early(a, left) })
}

// hasInterior reports whether the function gets a version for work-groups in the interior, if that can be made.
func (e *evaluation) hasInterior() bool { return e.forms&Clamped != 0 && len(e.conditions) > 0 }

// interior executes the kernel again for work-groups in the interior. It returns the new evaluation, and the block that selects
// the code; or e and its first block.
func (e *evaluation) interior(first *ssa.Block) (*evaluation, *ssa.Block) {
	if !e.hasInterior() {
		return e, first
	}
	f := e.gangs.f
	s := newEvaluation(e.gangs, e.local.clone(), e.o, e.postdom)
	s.assume, s.origin, s.gang = true, e.origin, e.gang
	if e.extents != nil {
		s.extents = e.extents.clone()
	}
	test := f.NewBlock("")
	e.moveInequalities(test, s)
	inside := s.run()
	if inside == nil || s.again || len(s.conditions)+len(s.inequalities) == 0 {
		test.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
		test.Link(first)
		return e, test
	}
	var all *ssa.Value
	and := func(c *ssa.Value) {
		if all != nil {
			c = test.Append(f.NewValue(ssa.OpAnd, ssa.TBool, 0, all, c))
		}
		all = c
	}
	for _, c := range s.conditions {
		moveTo(test, c)
		and(c)
	}
	for _, q := range s.inequalities {
		and(s.holds(test, q))
	}
	test.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, 0, all))
	test.Link(inside)
	test.Link(first)
	s.forms |= e.forms | Interior
	return s, test
}

// moveTo moves a value and what it needs to the end of a block, but for values of the entry block.
func moveTo(b *ssa.Block, v *ssa.Value) {
	if v.Block == b || v.Block == b.Func.Blocks[0] {
		return
	}
	for _, a := range v.Args {
		moveTo(b, a)
	}
	v.Block.Remove(v)
	b.Append(v)
}

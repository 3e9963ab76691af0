package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// compoundAssign checks L op= Y.
func (c *operators) compoundAssign(op BinaryOp, l, y Expr, n *syntax.AssignExpr) Expr {
	s, at := n.Span(), n.OpSpan
	t, ty := l.Type().Unqualified(), y.Type()
	comp := t
	switch {
	case t.Kind == types.Atomic: // atomic types have no operators ("Restrictions" of atomic functions, 6.15.12.8)
		return c.invalidOperands(l, y, at)
	case t.IsPointer():
		if op != Add && op != Sub || !ty.IsInteger() {
			return c.invalidOperands(l, y, at)
		}
		if !c.stepsOver(t, at) {
			return c.badExpr(s)
		}
		y = c.convertTo(c.bitFieldInt(y), types.PtrdiffType())
	case !t.IsVector() && ty.IsVector():
		c.mismatch(y, t, assigning).Note(diag.Span{}, "select one component, such as .x or .s0")
		return c.badExpr(s)
	case op == Shl || op == Shr:
		// The operator is checked on a stand-in for the old value.
		r := c.shift(op, c.standIn(l), y, s, at)
		b, ok := r.(*Binary)
		if !ok {
			return c.badExpr(s)
		}
		y, comp = b.Y, b.T
	default:
		r := c.arith(op, c.standIn(l), y, s, at)
		b, ok := r.(*Binary)
		if !ok {
			return c.badExpr(s)
		}
		y, comp = b.Y, b.T
	}
	if isBad(y) {
		return y
	}
	noteModified(l)
	a := c.slabs.compound.New()
	*a = CompoundAssign{Base{t, s}, op, l, y, comp, c.contract && comp.Element().IsFloating()}
	return a
}

// modifiable reports l-values that cannot be assigned to (C99 6.3.2.1p1).
func (c *operators) modifiable(l Expr, at diag.Span) bool {
	t := l.Type()
	if s, ok := l.(*Swizzle); ok && isLvalue(s.X) {
		if hasDuplicates(s.Lanes) {
			c.err(diag.DuplicateComponents, l.Span(), "vector is not assignable (contains duplicate components)")
			return false
		}
	}
	switch {
	case !isLvalue(l):
		c.err(diag.NotAssignable, at, "expression is not assignable").Label(l.Span(), "this is a value, not an object")
		return false
	case t.Kind == types.Atomic: // "Restrictions" of atomic functions, 6.15.12.8
		c.err(diag.NotAssignable, at, "operators cannot change an object of type '%s'; use atomic_store or another atomic function", t.Unqualified())
		return false
	case t.Kind == types.Array:
		c.err(diag.NotAssignable, at, "array type '%s' is not assignable", t.Unqualified())
		return false
	case t.Kind == types.Func:
		c.err(diag.NotAssignable, at, "non-object type '%s' is not assignable", t.Unqualified())
		return false
	case t.Const || t.Space == types.Constant:
		c.constAssigned(l, at)
		return false
	case t.Kind == types.Image || t.Kind == types.Sampler:
		c.err(diag.NotAssignable, at, "a value of type '%s' cannot be assigned", t.Unqualified())
		return false
	case t.IsVoid() || t.Size() < 0:
		c.err(diag.NotAssignable, at, "incomplete type '%s' is not assignable", t.Unqualified())
		return false
	case t.Kind == types.Record:
		if f := constMember(t.Type, nil); f != nil {
			c.err(diag.ConstAssigned, at, "cannot assign to an object of type '%s' with const-qualified data member '%s'", t.Unqualified(), f.Name)
			return false
		}
	case t.Kind == types.Half && !c.enabled("cl_khr_fp16"):
		if _, ok := l.(*Swizzle); !ok {
			c.err(diag.HalfAccess, at, "assigning directly to pointer to type '%s' requires fp16. Use vector data store builtin functions instead", t.Unqualified())
			return false
		}
	}
	return true
}

// constMember returns the first const-qualified member of a record, at any depth and also in the elements of arrays
// (C99 6.3.2.1p1), or nil. seen has the visited records: a record may occur exponentially often.
func constMember(t *types.Type, seen map[*types.Type]bool) *types.Field {
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		q := f.Type
		for q.Kind == types.Array && !q.Const {
			q = q.Elem
		}
		if q.Const {
			return f
		}
		if q.Kind == types.Record && !seen[q.Type] {
			if seen == nil {
				seen = make(map[*types.Type]bool)
			}
			seen[q.Type] = true
			if m := constMember(q.Type, seen); m != nil {
				return m
			}
		}
	}
	return nil
}

// constAssigned reports an assignment to a const object, with the place of the const.
func (c *operators) constAssigned(l Expr, at diag.Span) {
	base := l
	for {
		switch x := base.(type) {
		case *Swizzle:
			base = x.X
			continue
		case *VecIndex:
			base = x.X
			continue
		case *Member:
			if x.Field.Type.Const {
				c.err(diag.ConstAssigned, at, "cannot assign to non-static data member '%s' with const-qualified type '%s'", x.Field.Name, x.Field.Type)
				return
			}
			base = x.X
			continue
		case *VarRef:
			c.err(diag.ConstAssigned, at, "cannot assign to variable '%s' with const-qualified type '%s'", x.Var.Name, x.T).
				Note(x.Var.Span, "variable '%s' declared const here", x.Var.Name)
			return
		}
		break
	}
	c.err(diag.ConstAssigned, at, "read-only variable is not assignable").Label(l.Span(), "%s", l.Type())
}

// noteAssigned marks the variable that contains l as written.
func noteAssigned(l Expr) {
	for {
		switch x := l.(type) {
		case *VarRef:
			x.Var.Assigned = true
			return
		case *Member:
			l = x.X
		case *Swizzle:
			l = x.X
		case *VecIndex:
			l = x.X
		default:
			return
		}
	}
}

// noteModified is noteAssigned for operators that also read the old value. Such a read does not count as a use for
// -Wunused-but-set.
func noteModified(l Expr) { noteAssigned(l) }

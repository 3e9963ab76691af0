package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
)

// widen converts the operands of an operator, at least one of which is a vector, to one vector type (OpenCL C,
// "Usual Arithmetic Conversions", 6.4.6): a scalar is converted to the element type and replicated; its rank must
// not be greater.
func (c *conversions) widen(x, y Expr, at diag.Span) (Expr, Expr) {
	tx, ty := x.Type(), y.Type()
	switch {
	case tx.Type == ty.Type:
		return x, y
	case tx.IsVector() && ty.IsVector():
		d := c.err(diag.VectorMismatch, at, "implicit conversions between vector types ('%s' and '%s') are not permitted", tx.Unqualified(), ty.Unqualified()).
			Label(x.Span(), "%s", tx.Unqualified()).Label(y.Span(), "%s", ty.Unqualified())
		if tx.Len == ty.Len {
			d.Note(diag.Span{}, "use convert_%s or convert_%s to convert one of them", tx.Type, ty.Type)
		}
		return c.badExpr(at), y
	case tx.IsVector():
		y = c.scalarToVector(y, tx.Type, at, x)
		if isBad(y) {
			return y, y
		}
		return x, y
	}
	return c.scalarToVector(x, ty.Type, at, y), y
}

// scalarToVector widens the scalar operand e next to a vector of type t.
func (c *conversions) scalarToVector(e Expr, t *types.Type, at diag.Span, vec Expr) Expr {
	s := e.Type()
	if !s.IsArithmetic() {
		c.err(diag.VectorMismatch, at, "cannot convert between vector type '%s' and non-scalar type '%s'", t, s.Unqualified()).
			Label(vec.Span(), "%s", t).Label(e.Span(), "%s", s.Unqualified())
		return c.badExpr(at)
	}
	from, to := arithType(s.Type), t.Elem.Type
	// Integers widen to any floating-point vector. Otherwise the scalar's rank decides; ranks do not depend on
	// signedness.
	if from.IsFloating() && from.Kind > to.Kind || from.IsInteger() && to.IsInteger() && rank(from.Kind) > rank(to.Kind) {
		c.err(diag.ScalarRank, at, "scalar operand type has greater rank than the type of the vector element. ('%s' and '%s')", t, s.Unqualified()).
			Label(vec.Span(), "%s", t).Label(e.Span(), "%s", s.Unqualified()).
			Note(diag.Span{}, "cast the scalar to '%s'", to)
		return c.badExpr(at)
	}
	return c.convertTo(c.bitFieldInt(e), t)
}

// rank orders the integer types by width.
func rank(k types.Kind) int {
	if k == types.Bool {
		return 0
	}
	return int(k-types.Char)/2 + 1
}

// vectorLiteral checks (vector type)(operands) (OpenCL C, "Vector Literals", 6.3.6).
func (c *conversions) vectorLiteral(t *types.Type, args []Expr, s, parens diag.Span) Expr {
	for _, a := range args {
		if isBad(a) {
			return c.badExpr(s)
		}
	}
	elem := t.Elem.Type
	list := c.slabs.exprs.Keep(args)
	have := 0
	for i, a := range args {
		e := c.vectorElement(a, elem)
		if isBad(e) {
			return c.badExpr(s)
		}
		have += e.Type().Lanes()
		list[i] = e
	}
	if want := t.Lanes(); have != want {
		word, at := "few", parens
		if have > want {
			word, at = "many", excess(list, want)
		}
		c.err(diag.VectorElementCount, at, "too %s elements in vector initialization (expected %d elements, have %d)", word, want, have)
		return c.badExpr(s)
	}
	return c.mkVectorLit(t, list, s)
}

// excess returns the position of the first operand with components beyond want.
func excess(list []Expr, want int) diag.Span {
	n := 0
	for _, e := range list {
		if n += e.Type().Lanes(); n > want {
			return e.Span()
		}
	}
	return list[len(list)-1].Span()
}

// vectorElement converts one operand of a vector literal: a scalar to the element type; a vector must already have
// it.
func (c *conversions) vectorElement(a Expr, elem *types.Type) Expr {
	a = c.unatomic(a)
	t := a.Type()
	if t.IsVector() {
		if t.Elem.Type == elem {
			return a
		}
		want := types.VectorType(elem, t.Lanes())
		d := c.err(diag.IncompatibleTypes, a.Span(), "initializing '%s' with an expression of incompatible type '%s'", want, t.Unqualified())
		suggestConversion(d, a, want)
		return c.badExpr(a.Span())
	}
	return c.assign(a, types.Q(elem), initializing)
}

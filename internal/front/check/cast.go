package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// castTo converts an r-value as a cast does.
func (c *conversions) castTo(x Expr, q types.QType, s, at diag.Span) Expr {
	x = c.unatomic(x)
	from, t := x.Type(), q.Type
	switch {
	case t.IsVoid():
		return &ToVoid{Base{types.Q(types.VoidType), s}, x}
	case from.Type == t:
		if !t.IsArithmetic() && !t.IsVector() && !t.IsPointer() && t.Kind != types.Sampler && t.Kind != types.Record {
			break
		}
		return respan(x, s)
	case t.IsVector():
		return c.castToVector(x, t, s)
	case from.IsVector():
		d := c.err(diag.InvalidCast, s, "invalid conversion between vector type '%s' and scalar type '%s'", from.Unqualified(), t)
		d.Note(diag.Span{}, "select one component, such as .x, or use as_%s to keep the bits", t)
		return c.badExpr(s)
	case t.IsPointer():
		return c.castToPointer(x, q, s)
	case from.IsPointer() && (t.Kind == types.Bool):
		return c.toBool(x)
	case from.IsPointer() && t.IsInteger():
		if t.Size() == 8 {
			return c.retypeInt(c.integerOf(x, arithType(t)), t)
		}
		u := c.integerOf(x, types.SizeType())
		if t.Kind != types.Bool {
			c.rep.Report(diag.PointerToInt, s, "cast to smaller integer type '%s' from '%s'", t, from.Unqualified())
		}
		return c.convertExplicit(u, t, s)
	case t.IsArithmetic() && from.IsArithmetic():
		if t.Kind == types.Half && !c.halfAllowed(at, "casting to type '%s' is not allowed") {
			return c.badExpr(s)
		}
		return c.convertExplicit(x, t, s)
	case (t.Kind == types.Event || t.Kind == types.Placeholder) && isZero(x):
		return c.konst(t, s, 0)
	case from.IsPointer() && t.IsFloating():
		c.err(diag.InvalidCast, s, "pointer cannot be cast to type '%s'", t)
		return c.badExpr(s)
	case t.IsArithmetic():
		c.err(diag.InvalidCast, x.Span(), "operand of type '%s' where arithmetic or pointer type is required", from.Unqualified())
		return c.badExpr(s)
	}
	c.err(diag.InvalidCast, at, "used type '%s' where arithmetic or pointer type is required", t)
	return c.badExpr(s)
}

// retypeInt changes the type of an integer to t if t is an enum type with the same representation.
func (c *conversions) retypeInt(e Expr, t *types.Type) Expr {
	if e.Type().Type == t {
		return e
	}
	return c.retype(e, t)
}

// convertExplicit converts between arithmetic types as a cast does.
func (c *conversions) convertExplicit(x Expr, t *types.Type, s diag.Span) Expr {
	from := x.Type().Type
	if arithType(from) == arithType(t) {
		if from == t {
			return respan(x, s)
		}
		return c.retype(x, t)
	}
	return c.mkConvert(x, t, false, numeric.RoundDefault, false, s)
}

func (c *conversions) castToVector(x Expr, t *types.Type, s diag.Span) Expr {
	from := x.Type()
	if from.IsVector() {
		d := c.err(diag.VectorCast, s, "invalid conversion between ext-vector type '%s' and '%s'", t, from.Unqualified())
		switch {
		case from.Len == t.Len:
			d.Note(diag.Span{}, "casts do not convert between vector types: use convert_%s to convert the values or as_%s to keep the bits", t, t)
		case from.Elem == t.Elem && from.Len < t.Len:
			d.Note(diag.Span{}, "a vector literal needs %d components, '%s' has %d", t.Len, from.Unqualified(), from.Len)
		}
		return c.badExpr(s)
	}
	if !from.IsArithmetic() {
		c.err(diag.InvalidCast, s, "invalid conversion between vector type '%s' and scalar type '%s'", t, from.Unqualified())
		return c.badExpr(s)
	}
	return c.mkSplat(c.convertTo(c.bitFieldInt(x), t.Elem.Type), t, s)
}

func (c *conversions) castToPointer(x Expr, q types.QType, s diag.Span) Expr {
	from, t := x.Type(), q.Type
	switch {
	case from.IsInteger():
		if k, ok := x.(*Const); ok {
			v := numeric.ConvertBits(numeric.U64, false, numeric.RoundDefault, from.Num(), k.Bits[0])
			return c.konst(t, s, v)
		}
		return &Bitcast{Base{types.Q(t), s}, c.convertTo(c.bitFieldInt(x), types.SizeType())}
	case from.IsPointer():
		a, b := from.Elem.Space, t.Elem.Space
		if a != b && !spaceFits(a, b) && !(a == types.Generic && b != types.Constant) && !isNull(x) {
			c.err(diag.AddressSpace, s, "casting '%s' to type '%s' changes address space of pointer", from.Unqualified(), t)
			return c.badExpr(s)
		}
		return c.pointerTo(x, t)
	}
	c.err(diag.InvalidCast, s, "operand of type '%s' cannot be cast to a pointer type", from.Unqualified())
	return c.badExpr(s)
}

package check

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
)

// unary checks a prefix operator.
func (c *checker) unary(u *syntax.Unary) Expr {
	s := u.Span()
	switch u.Op {
	case token.Inc, token.Dec:
		return c.incDec(u.X, u.Op == token.Dec, false, s)
	case token.Amp:
		return c.addrOf(c.expr(u.X), s)
	case token.Star:
		return c.deref(c.value(u.X), s)
	}
	x := c.unatomic(c.value(u.X))
	if isBad(x) {
		return x
	}
	t := x.Type()
	invalid := func() Expr {
		c.err(diag.InvalidOperand, s, "invalid argument type '%s' to unary expression", t.Unqualified())
		return c.badExpr(s)
	}
	switch u.Op {
	case token.Not:
		if !c.floatLogic(t) {
			return invalid()
		}
		if t.IsVector() {
			return c.mkLNot(x, relationalType(t.Type), s)
		}
		if !t.IsScalar() {
			return invalid()
		}
		return c.mkLNot(c.toBool(x), types.ScalarType(types.Int), s)
	case token.Plus, token.Minus:
		if !t.IsVector() {
			if !t.IsArithmetic() {
				return invalid()
			}
			x = c.promote(x)
		}
		if u.Op == token.Plus {
			return respan(x, s)
		}
		return c.mkUnary(Neg, x, s)
	case token.Tilde:
		if t.Element().IsFloating() || !t.IsVector() && !t.IsInteger() {
			return invalid()
		}
		if !t.IsVector() {
			x = c.promote(x)
		}
		return c.mkUnary(BitNot, x, s)
	}
	return invalid()
}

// respan sets the position of an r-value to that of the enclosing operator, if that is cheap.
func respan(e Expr, s diag.Span) Expr {
	if k, ok := e.(*Const); ok {
		n := *k
		n.S = s
		return &n
	}
	return e
}

// mkUnary returns - or ~ of an operand of the result's type, folding constants.
func (c *checker) mkUnary(op UnaryOp, x Expr, s diag.Span) Expr {
	t := x.Type().Type
	if k, ok := x.(*Const); ok {
		n := t.Num()
		return c.konstVec(t, s, len(k.Bits), func(i int) uint64 {
			if op == Neg {
				return foldNeg(n, k.Bits[i])
			}
			return truncate(n, ^k.Bits[i])
		})
	}
	return &Unary{Base{types.Q(t), s}, op, x}
}

// mkLNot returns !, folding constants.
func (c *checker) mkLNot(x Expr, t *types.Type, s diag.Span) Expr {
	if k, ok := x.(*Const); ok {
		n := x.Type().Num()
		return c.konstVec(t, s, len(k.Bits), func(i int) uint64 { return truth(!nonzero(n, k.Bits[i]), t) })
	}
	return &LNot{Base{types.Q(t), s}, x}
}

// addrOf checks & (C99 6.5.3.2; OpenCL C, "Unary Operators" 6.5.11).
func (c *checker) addrOf(x Expr, s diag.Span) Expr {
	t := x.Type()
	switch {
	case t.IsInvalid():
		return x
	case t.Kind == types.Func:
		c.err(diag.FunctionPointer, s, "taking address of function is not allowed")
		return c.badExpr(s)
	case !isLvalue(x):
		if _, ok := x.(*Swizzle); ok {
			break
		}
		c.err(diag.AddressOf, s, "cannot take the address of an rvalue of type '%s'", t.Unqualified())
		return c.badExpr(s)
	case t.Kind == types.Sampler || t.Kind == types.Image || t.Kind == types.Placeholder && c.std < opencl.CL20:
		c.err(diag.AddressOf, s, "cannot take the address of a value of type '%s'", t.Unqualified())
		return c.badExpr(s)
	}
	switch y := x.(type) {
	case *Swizzle, *VecIndex:
		c.err(diag.AddressOf, s, "address of vector element requested").
			Note(diag.Span{}, "a component of a vector is no object of its own")
		return c.badExpr(s)
	case *Member:
		if y.Field.Bits >= 0 {
			c.err(diag.AddressOf, s, "address of bit-field requested")
			return c.badExpr(s)
		}
	case *Deref:
		return y.X
	}
	c.addressTaken(x)
	q := t
	q.Restrict = t.Restrict
	if q.Space == types.NoSpace {
		q.Space = types.Private
	}
	return &AddrOf{Base{types.Q(c.tc.PointerTo(q)), s}, x}
}

// deref checks * (C99 6.5.3.2).
func (c *checker) deref(x Expr, s diag.Span) Expr {
	t := x.Type()
	switch {
	case t.IsInvalid():
		return x
	case !t.IsPointer():
		c.err(diag.InvalidOperand, s, "indirection requires pointer operand ('%s' invalid)", t.Unqualified())
		return c.badExpr(s)
	case t.Elem.IsVoid():
		c.rep.Report(diag.VoidDereference, s, "ISO C does not allow indirection on operand of type '%s'", t.Unqualified())
	}
	return c.mkDeref(x, s)
}

// mkDeref returns the object at pointer p.
func (c *checker) mkDeref(p Expr, s diag.Span) Expr {
	if a, ok := p.(*AddrOf); ok {
		return a.X
	}
	n := c.a.deref.New()
	n.T, n.S, n.X = p.Type().Elem, s, p
	return n
}

// incDec checks ++ and -- (6.5.12; C99 6.5.2.4).
func (c *checker) incDec(operand syntax.Expr, dec, post bool, s diag.Span) Expr {
	x := c.expr(operand)
	t := x.Type()
	if t.IsInvalid() {
		return x
	}
	word := "increment"
	if dec {
		word = "decrement"
	}
	switch {
	case t.IsPointer():
		if !c.stepsOver(t, s) {
			return c.badExpr(s)
		}
	case t.IsVector() && t.Elem.IsInteger(), t.IsArithmetic() && t.Kind != types.Half, t.Kind == types.Half && c.enabled("cl_khr_fp16"):
	default:
		c.err(diag.InvalidOperand, s, "cannot %s value of type '%s'", word, t.Unqualified())
		return c.badExpr(s)
	}
	if !c.modifiable(x, s) {
		return c.badExpr(s)
	}
	c.noteModified(x)
	n := c.a.incDec.New()
	n.T.Type, n.S, n.L, n.Dec, n.Post = t.Type, s, x, dec, post
	return n
}

// index checks X[I] (C99 6.5.2.1), for a vector as a component selection.
func (c *checker) index(n *syntax.Index) Expr {
	base := c.expr(n.X)
	i := c.unatomic(c.value(n.I))
	s := n.Span()
	if isBad(base) || isBad(i) {
		return c.badExpr(s)
	}
	if base.Type().IsVector() {
		return c.vecIndex(base, i, s)
	}
	p := c.rvalue(base)
	if isBad(p) {
		return p
	}
	if i.Type().IsPointer() && p.Type().IsInteger() {
		p, i = i, p
	}
	switch {
	case !p.Type().IsPointer():
		c.err(diag.Subscript, n.X.Span(), "subscripted value is not an array, pointer, or vector")
		return c.badExpr(s)
	case !i.Type().IsInteger():
		c.err(diag.Subscript, n.I.Span(), "array subscript is not an integer")
		return c.badExpr(s)
	case !p.Type().Elem.IsVoid() && p.Type().Elem.Size() < 0:
		c.err(diag.IncompleteType, n.X.Span(), "subscript of pointer to incomplete type '%s'", p.Type().Elem)
		return c.badExpr(s)
	}
	c.warnBounds(base, i)
	return c.mkDeref(c.mkPtrAdd(p, i, false, s), s)
}

// discarded returns an expression whose value is not used.
func (c *checker) discarded(e Expr) Expr {
	t := e.Type()
	if t.IsInvalid() {
		return e
	}
	if t.Kind == types.Func {
		return c.rvalue(e)
	}
	if !isLvalue(e) {
		return e
	}
	x := c.rvalue(e)
	if isBad(x) || x.Type().IsVoid() || t.Volatile {
		return x
	}
	return &ToVoid{Base{types.Q(types.VoidType), e.Span()}, x}
}

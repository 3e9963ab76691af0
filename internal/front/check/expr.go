package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
)

// expressions checks the syntax trees of expressions and initializers: it checks the operands, and the layers below
// check the operator. Through outer it reaches the upper layers, which check type names and blocks in expressions.
type expressions struct {
	calls
	outer enclosing
}

// An enclosing checks those parts of an expression that are not expressions.
type enclosing interface {
	// typeName resolves a type name, as in a cast or sizeof.
	typeName(n *syntax.TypeName) types.QType
	// stmtExpr checks a block in parentheses, a GNU extension.
	stmtExpr(n *syntax.StmtExpr) Expr
}

// value checks an expression and returns its value: an r-value.
func (c *expressions) value(x syntax.Expr) Expr { return c.rvalue(c.expr(x)) }

// expr checks an expression; the result may be an l-value.
func (c *expressions) expr(x syntax.Expr) Expr {
	switch x := x.(type) {
	case *syntax.Name:
		e := c.name(x)
		c.info.value(e)
		return e
	case *syntax.NumberLit:
		e := c.number(x)
		c.info.value(e)
		return e
	}
	if !c.enter(x) {
		c.leave()
		return c.badExpr(x.Span())
	}
	e := c.compound(x)
	c.info.value(e)
	c.leave()
	return e
}

// compound checks an expression that may have operands.
func (c *expressions) compound(x syntax.Expr) Expr {
	switch x := x.(type) {
	case *syntax.Binary:
		return c.binary(x)
	case *syntax.Paren:
		return c.expr(x.X)
	case *syntax.Member:
		return c.memberAccess(x)
	case *syntax.Index:
		return c.index(x)
	case *syntax.Call:
		return c.callExpr(x)
	case *syntax.AssignExpr:
		return c.assignment(x)
	case *syntax.Unary:
		return c.unary(x)
	case *syntax.Postfix:
		return c.incDec(x.X, x.Op == token.Dec, true, x.Span())
	case *syntax.Cast:
		return c.cast(x)
	case *syntax.Cond:
		return c.conditional(x)
	case *syntax.TypeOp:
		return c.typeOp(x)
	case *syntax.CharConst:
		return c.charConst(x)
	case *syntax.StringLit:
		return c.stringLit(x)
	case *syntax.CompoundLit:
		return c.compoundLit(x)
	case *syntax.Offsetof:
		return c.offsetof(x)
	case *syntax.BuiltinAsType:
		return c.reinterpret(c.value(x.X), c.outer.typeName(x.Type).Type, x.Span())
	case *syntax.StmtExpr:
		return c.outer.stmtExpr(x)
	case *syntax.InitList:
		c.err(diag.InvalidInitializer, x.Span(), "an initializer list is no expression")
	case *syntax.BadExpr:
		if c.info != nil && x.X != nil {
			c.expr(x.X)
		}
	}
	return c.badExpr(x.Span())
}

// name resolves an identifier in an expression.
func (c *expressions) name(n *syntax.Name) Expr {
	sym := c.lookup(n.Sym)
	if sym == nil {
		return c.unresolved(n)
	}
	c.info.symbol(sym, n.Span())
	switch sym.kind {
	case symVar:
		r := c.slabs.ref.New()
		r.T, r.S, r.Var = sym.v.Type, n.Span(), sym.v
		return r
	case symFunc:
		f := c.slabs.funcRef.New()
		f.T.Type, f.S, f.sym, f.name = sym.fns[0].Type, n.Span(), sym, n.Name
		return f
	case symEnumConst:
		sym.used = true
		return c.konst(sym.typ.Type, n.Span(), truncate(sym.typ.Num(), uint64(sym.value)))
	case symTypedef:
		c.err(diag.UnexpectedType, n.Span(), "unexpected type name '%s': expected expression", n.Name)
	}
	return c.badExpr(n.Span())
}

// unresolved resolves builtin names.
func (c *expressions) unresolved(n *syntax.Name) Expr {
	if lang := c.language(n); lang != notDeclared {
		f := c.slabs.funcRef.New()
		f.T.Type, f.S, f.name, f.lang = anyFunc, n.Span(), n.Name, lang
		c.info.language(BuiltinObject, n.Name, n.Span(), nil, types.QType{}, 0)
		return f
	}
	switch n.Name {
	case "true", "false":
		v := uint64(0)
		if n.Name == "true" {
			v = 1
		}
		c.info.language(ConstantObject, n.Name, n.Span(), nil, types.Q(types.ScalarType(types.Bool)), int64(v))
		return c.konst(types.ScalarType(types.Bool), n.Span(), v)
	case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
		if c.fn != nil {
			data := append([]byte(c.fn.Name), 0)
			t := types.Q(c.tc.ArrayOf(types.Q(types.ScalarType(types.Char)), int64(len(data)))).In(types.Constant)
			t.Const = true
			return &StringConst{Base{t, n.Span()}, data}
		}
	}
	if s := c.predeclared(n.Name); s != nil {
		c.info.language(ConstantObject, n.Name, n.Span(), nil, s.typ, s.value)
		return c.konst(s.typ.Type, n.Span(), uint64(s.value))
	}
	c.undeclared(n.Name, n.Span(), false)
	return c.badExpr(n.Span())
}

// anyFunc is the type of a builtin function's name before its overload is chosen.
var anyFunc = &types.Type{Kind: types.Func, Elem: types.Q(types.VoidType)}

// binary checks X Op Y.
func (c *expressions) binary(b *syntax.Binary) Expr {
	s := b.Span()
	if b.Op == token.Comma {
		x := c.expr(b.X)
		if x.Type().Kind != types.Func {
			c.unusedValue(x, b.X)
		}
		x = c.discarded(x)
		y := c.value(b.Y)
		if isBad(x) || isBad(y) {
			return c.badExpr(s)
		}
		return &Comma{Base{y.Type(), s}, x, y}
	}
	x := c.value(b.X)
	if b.Op == token.AndAnd || b.Op == token.OrOr {
		return c.logical(x, c.value(b.Y), b)
	}
	y := c.value(b.Y)
	if isBad(x) || isBad(y) {
		return c.badExpr(s)
	}
	if op := cmpTable[b.Op]; op >= 0 {
		return c.compare(CompareOp(op), x, y, b)
	}
	return c.arith(BinaryOp(opTable[b.Op]), x, y, s, b.OpSpan)
}

// assignment checks = and the compound assignments (C99 6.5.16; OpenCL C 6.5.15).
func (c *expressions) assignment(n *syntax.AssignExpr) Expr {
	l := c.expr(n.X)
	y := c.unatomic(c.value(n.Y))
	s := n.Span()
	if isBad(l) || isBad(y) {
		return c.badExpr(s)
	}
	if !c.modifiable(l, n.OpSpan) {
		return c.badExpr(s)
	}
	if n.Op == token.Assign {
		noteAssigned(l)
		t := l.Type()
		c.warnSelfAssign(l, y, n.OpSpan)
		y = c.assign(y, t, assigning)
		if isBad(y) {
			return y
		}
		a := c.slabs.assign.New()
		a.T.Type, a.S, a.L, a.X = t.Type, s, l, y
		return a
	}
	return c.compoundAssign(BinaryOp(opTable[n.Op]), l, y, n)
}

// unary checks a prefix operator.
func (c *expressions) unary(u *syntax.Unary) Expr {
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

// incDec checks ++ and -- (6.5.12; C99 6.5.2.4).
func (c *expressions) incDec(operand syntax.Expr, dec, post bool, s diag.Span) Expr {
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
	noteModified(x)
	n := c.slabs.incDec.New()
	n.T.Type, n.S, n.L, n.Dec, n.Post = t.Type, s, x, dec, post
	return n
}

// index checks X[I] (C99 6.5.2.1), for a vector as a component selection.
func (c *expressions) index(n *syntax.Index) Expr {
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

// memberAccess checks X.Name and X->Name: a member of a record (C99 6.5.2.3) or
// components of a vector (OpenCL C, "Vector Components", 6.3.7).
func (c *expressions) memberAccess(m *syntax.Member) Expr {
	x := c.expr(m.X)
	if isBad(x) {
		return x
	}
	c.info.member(x, m)
	if m.Name == "" { // a syntax error
		return c.badExpr(m.Span())
	}
	if m.Arrow {
		if x = c.throughPointer(x, m); isBad(x) {
			return x
		}
	}
	t := x.Type()
	if t.Kind == types.Atomic && t.Elem.Kind == types.Record {
		t.Type = t.Elem.Type
	}
	switch t.Kind {
	case types.Vector:
		return c.components(x, m)
	case types.Record:
		return c.recordMember(x, m)
	case types.Pointer:
		if k := t.Elem.Kind; !m.Arrow && (k == types.Record || k == types.Vector) {
			d := c.err(diag.MemberAccess, m.NameSpan, "member reference type '%s' is a pointer; did you mean to use '->'?", t.Unqualified())
			d.Replace(diag.Span{Pos: m.X.Span().End, End: m.NameSpan.Pos}, "->")
			return c.badExpr(m.Span())
		}
	case types.Func:
		c.err(diag.MemberAccess, m.NameSpan, "member reference base is a function")
		return c.badExpr(m.Span())
	}
	c.err(diag.MemberAccess, m.NameSpan, "member reference base type '%s' is not a structure or union", t.Unqualified())
	return c.badExpr(m.Span())
}

// callExpr checks a function call (C99 6.5.2.2).
func (c *expressions) callExpr(n *syntax.Call) Expr {
	fun := unparen(n.Fun)
	f := c.callee(fun)
	mark := c.slabs.exprs.Mark()
	bad := f == nil
	for _, a := range n.Args {
		e := c.value(a)
		bad = bad || isBad(e)
		if e.Type().IsVoid() {
			c.err(diag.IncompleteType, e.Span(), "argument type 'void' is incomplete")
			bad = true
		}
		c.slabs.exprs.Push(e)
	}
	args := c.slabs.exprs.Since(mark)
	defer c.slabs.exprs.Drop(mark)
	switch {
	case f == nil:
		return c.badExpr(n.Span())
	case f.sym == nil:
		return c.callBuiltin(f, n, fun.Span(), args, bad)
	}
	return c.callFunc(f, n, args, bad)
}

// callee resolves the function of a call; it returns nil after an error.
func (c *expressions) callee(fun syntax.Expr) *funcRef {
	name, isName := fun.(*syntax.Name)
	if isName && c.lookup(name.Sym) == nil && !c.knownFunction(name) {
		c.undeclared(name.Name, name.Span(), true)
		return nil
	}
	e := c.expr(fun)
	f, ok := e.(*funcRef)
	if !ok && !isBad(e) {
		c.err(diag.NotCallable, e.Span(), "called object type '%s' is not a function or function pointer", e.Type().Unqualified())
	}
	return f
}

// unparen returns the expression inside of any number of parentheses.
func unparen(x syntax.Expr) syntax.Expr {
	for {
		p, ok := x.(*syntax.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// conditional checks C ? X : Y (C99 6.5.15; OpenCL C, "Ternary Selection Operator", 6.5.10).
func (c *expressions) conditional(n *syntax.Cond) Expr {
	s := n.Span()
	cond := c.unatomic(c.value(n.C))
	var x Expr
	if n.X != nil {
		x = c.unatomic(c.value(n.X))
	} else {
		x = cond
	}
	y := c.unatomic(c.value(n.Y))
	if isBad(cond) || isBad(x) || isBad(y) {
		return c.badExpr(s)
	}
	if cond.Type().IsVector() {
		return c.vectorSelect(cond, x, y, s)
	}
	if cond.Type().IsFloating() {
		// 6.5.10: "a scalar or vector result except float"
		c.err(diag.InvalidOperand, cond.Span(), "used type '%s' as the condition of '?:', which cannot be floating-point", cond.Type().Unqualified()).
			Note(diag.Span{}, "compare it: 'x != 0'")
		return c.badExpr(s)
	}
	if !cond.Type().IsScalar() {
		c.err(diag.InvalidOperand, cond.Span(), "used type '%s' where arithmetic or pointer type is required", cond.Type().Unqualified())
		return c.badExpr(s)
	}
	x2, y2, t := c.branches(x, y, n, s)
	if t == nil {
		return c.badExpr(s)
	}
	b := c.toBool(cond)
	if k, ok := b.(*Const); ok && n.X != nil {
		if t.IsArithmetic() || t.IsVector() || t.IsPointer() {
			if k.Bits[0] != 0 {
				if _, ok := x2.(*Const); ok {
					return respan(x2, s)
				}
			} else if _, ok := y2.(*Const); ok {
				return respan(y2, s)
			}
		}
	}
	if n.X == nil {
		x2 = nil
	}
	return &Cond{Base{types.Q(t), s}, b, x2, y2}
}

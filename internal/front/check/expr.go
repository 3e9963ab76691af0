package check

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// value checks an expression and returns its value: an r-value.
func (c *checker) value(x syntax.Expr) Expr { return c.rvalue(c.expr(x)) }

// expr checks an expression; the result may be an l-value.
func (c *checker) expr(x syntax.Expr) Expr {
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
func (c *checker) compound(x syntax.Expr) Expr {
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
		return c.reinterpret(c.value(x.X), c.typeName(x.Type).Type, x.Span())
	case *syntax.StmtExpr:
		return c.stmtExpr(x)
	case *syntax.InitList:
		c.err(diag.InvalidInitializer, x.Span(), "an initializer list is no expression")
	case *syntax.BadExpr:
		if c.info != nil && x.X != nil {
			c.expr(x.X)
		}
	}
	return c.badExpr(x.Span())
}

// A funcRef is the name of a function; it can only be called.
type funcRef struct {
	Base
	sym  *symbol // nil for a builtin
	name string
	lang language
}

// name resolves an identifier in an expression.
func (c *checker) name(n *syntax.Name) Expr {
	sym := c.lookup(n.Sym)
	if sym == nil {
		return c.unresolved(n)
	}
	c.info.symbol(sym, n.Span())
	switch sym.kind {
	case symVar:
		r := c.a.ref.New()
		r.T, r.S, r.Var = sym.v.Type, n.Span(), sym.v
		return r
	case symFunc:
		f := c.a.funcRef.New()
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
func (c *checker) unresolved(n *syntax.Name) Expr {
	if lang := c.language(n); lang != notDeclared {
		f := c.a.funcRef.New()
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

// maxSuggestions bounds the unknown names for which the nearest known one is searched: each search takes about a
// millisecond.
const maxSuggestions = 100

// undeclared reports an unknown name and suggests the nearest known one.
func (c *checker) undeclared(name string, at diag.Span, call bool) {
	if c.fn != nil && c.fn.body.noParams {
		return
	}
	d := c.err(diag.UndeclaredIdentifier, at, "use of undeclared identifier '%s'", name)
	if d == nil {
		return
	}
	if need := builtin.Requirement(&c.env, name); need != "" {
		d.Note(diag.Span{}, "'%s' requires %s", name, need)
		return
	}
	if noteForeign(d, name) {
		return
	}
	if c.suggested++; c.suggested > maxSuggestions || c.info != nil {
		return
	}
	list := c.visible(func(s *symbol) bool { return s.kind == symFunc || !call && s.kind != symTypedef })
	best, ok := diag.Nearest(name, append(list, c.builtinNames()...))
	if !ok {
		if best, ok = nearestConversion(name); !ok {
			return
		}
	}
	d.Message += "; did you mean '" + best + "'?"
	d.Replace(at, best)
	if s := c.visibleNamed(best); s != nil && s.span.IsValid() {
		d.Note(s.span, "'%s' declared here", best)
	}
}

// binaryOps are the arithmetic operators by token.
var binaryOps = map[token.Kind]BinaryOp{
	token.Plus: Add, token.Minus: Sub, token.Star: Mul, token.Slash: Div, token.Percent: Rem,
	token.Amp: And, token.Pipe: Or, token.Caret: Xor, token.Shl: Shl, token.Shr: Shr,
	token.AddAssign: Add, token.SubAssign: Sub, token.MulAssign: Mul, token.DivAssign: Div, token.RemAssign: Rem,
	token.AndAssign: And, token.OrAssign: Or, token.XorAssign: Xor, token.ShlAssign: Shl, token.ShrAssign: Shr,
}

var opTable, cmpTable = func() (ops [256]int8, cmps [256]int8) {
	for i := range ops {
		ops[i], cmps[i] = -1, -1
	}
	for k, op := range binaryOps {
		ops[k] = int8(op)
	}
	for k, op := range map[token.Kind]CompareOp{token.EqEq: Eq, token.NotEq: Ne, token.Lt: Lt, token.Le: Le, token.Gt: Gt, token.Ge: Ge} {
		cmps[k] = int8(op)
	}
	return ops, cmps
}()

// binary checks X Op Y.
func (c *checker) binary(b *syntax.Binary) Expr {
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

// invalidOperands reports operands that an operator does not accept.
func (c *checker) invalidOperands(x, y Expr, at diag.Span) Expr {
	c.err(diag.InvalidOperands, at, "invalid operands to binary expression ('%s' and '%s')", x.Type().Unqualified(), y.Type().Unqualified()).
		Label(x.Span(), "%s", x.Type().Unqualified()).Label(y.Span(), "%s", y.Type().Unqualified())
	return c.badExpr(at)
}

// arith checks an arithmetic operator on r-values (OpenCL C, "Arithmetic Operators",
// 6.5.1, "Bitwise Operators" 6.5.5, "Shift Operators" 6.5.9).
func (c *checker) arith(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
	x, y = c.unatomic(x), c.unatomic(y)
	tx, ty := x.Type(), y.Type()
	if op == Shl || op == Shr {
		return c.shift(op, x, y, s, at)
	}
	if tx.IsVector() || ty.IsVector() {
		x, y = c.widen(x, y, at)
		if isBad(x) {
			return c.badExpr(s)
		}
		if t := x.Type(); t.Elem.IsFloating() && op >= Rem {
			return c.invalidOperands(x, y, at)
		}
		return c.mkBinary(op, x, y, x.Type().Type, c.contract, s)
	}
	if tx.IsPointer() || ty.IsPointer() {
		return c.pointerArith(op, x, y, s, at)
	}
	if !tx.IsArithmetic() || !ty.IsArithmetic() {
		return c.invalidOperands(x, y, at)
	}
	if op >= Rem && (tx.IsFloating() || ty.IsFloating()) {
		return c.invalidOperands(x, y, at)
	}
	x, y, t := c.usual(x, y)
	return c.mkBinary(op, x, y, t, c.contract, s)
}

// unatomic returns an atomic value as an ordinary one.
func (c *checker) unatomic(e Expr) Expr {
	if t := e.Type(); t.Kind == types.Atomic {
		return c.retype(e, t.Elem.Type)
	}
	return e
}

// mkBinary returns an arithmetic operator on operands of type t, folding constants.
func (c *checker) mkBinary(op BinaryOp, x, y Expr, t *types.Type, contract bool, s diag.Span) Expr {
	b, yIsConst := y.(*Const)
	if yIsConst && (op == Div || op == Rem) && !t.Element().IsFloating() {
		for _, v := range b.Bits {
			if v == 0 {
				what := "division"
				if op == Rem {
					what = "remainder"
				}
				if c.discard == 0 {
					c.rep.Report(diag.DivisionByZero, s, "%s by zero is undefined", what)
				}
				break
			}
		}
	}
	if a, ok := x.(*Const); ok && yIsConst {
		if r := c.foldBinaryConst(op, a, b, t, s); r != nil {
			return r
		}
	}
	n := c.a.binary.New()
	*n = Binary{Base{types.Q(t), s}, op, x, y, contract && t.Element().IsFloating()}
	return n
}

func (c *checker) foldBinaryConst(op BinaryOp, a, b *Const, t *types.Type, s diag.Span) Expr {
	k, n := t.Num(), width(a, b)
	bits := c.a.bits(n)
	for i := range bits {
		var ok bool
		if bits[i], ok = foldBinary(op, k, a.lane(i), b.lane(i)); !ok {
			return nil
		}
	}
	if k.Signed() && !k.IsFloat() && !t.IsVector() {
		c.warnOverflow(op, k, a.Bits[0], b.Bits[0], bits[0], t, s)
	}
	r := c.a.constant.New()
	*r = Const{Base{types.Q(t), s}, bits}
	return r
}

// pointerArith checks + and - on pointers (C99 6.5.6).
func (c *checker) pointerArith(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
	tx, ty := x.Type(), y.Type()
	switch {
	case op == Sub && tx.IsPointer() && ty.IsPointer():
		return c.pointerDiff(x, y, s, at)
	case op == Add && tx.IsInteger() && ty.IsPointer():
		x, y = y, x
		tx, ty = ty, tx
	case (op == Add || op == Sub) && tx.IsPointer() && ty.IsInteger():
	default:
		return c.invalidOperands(x, y, at)
	}
	if !c.stepsOver(tx, at) {
		return c.badExpr(s)
	}
	return c.mkPtrAdd(x, y, op == Sub, s)
}

// stepsOver reports pointer arithmetic on a type without a size.
func (c *checker) stepsOver(t types.QType, at diag.Span) bool {
	if t.Elem.IsVoid() {
		c.rep.Report(diag.PointerArith, at, "arithmetic on a pointer to void is a GNU extension")
		return true
	}
	if t.Elem.Size() < 0 {
		c.err(diag.IncompleteType, at, "arithmetic on a pointer to an incomplete type '%s'", t.Elem)
		return false
	}
	return true
}

func (c *checker) mkPtrAdd(p, i Expr, neg bool, s diag.Span) Expr {
	i = c.convertTo(c.bitFieldInt(i), types.PtrdiffType())
	if neg {
		i = c.mkUnary(Neg, i, i.Span())
	}
	n := c.a.ptrAdd.New()
	*n = PtrAdd{Base{p.Type(), s}, p, i}
	return n
}

func (c *checker) pointerDiff(x, y Expr, s, at diag.Span) Expr {
	a, b := x.Type().Elem, y.Type().Elem
	if a.Type != b.Type {
		c.err(diag.InvalidOperands, at, "'%s' and '%s' are not pointers to compatible types", x.Type(), y.Type())
		return c.badExpr(s)
	}
	if !c.overlap(x, y, at) || !c.stepsOver(x.Type(), at) {
		return c.badExpr(s)
	}
	x, y = c.sameSpace(x, y)
	return &PtrDiff{Base{types.Q(types.PtrdiffType()), s}, x, y}
}

// overlap reports operations on pointers into disjoint address spaces.
func (c *checker) overlap(x, y Expr, at diag.Span) bool {
	a, b := x.Type().Elem.Space, y.Type().Elem.Space
	if spaceFits(a, b) || spaceFits(b, a) {
		return true
	}
	c.err(diag.AddressSpace, at, "operation on pointers to different address spaces ('%s' and '%s')", x.Type(), y.Type())
	return false
}

// sameSpace converts two pointers to a common address space.
func (c *checker) sameSpace(x, y Expr) (Expr, Expr) {
	a, b := x.Type().Elem, y.Type().Elem
	if a.Space == b.Space {
		return x, y
	}
	if a.Space == types.Generic {
		return x, c.pointerTo(y, c.tc.PointerTo(b.In(types.Generic)))
	}
	return c.pointerTo(x, c.tc.PointerTo(a.In(types.Generic))), y
}

// compare checks a relational or equality operator (6.5.6, 6.5.7).
func (c *checker) compare(op CompareOp, x, y Expr, b *syntax.Binary) Expr {
	x, y = c.unatomic(x), c.unatomic(y)
	tx, ty := x.Type(), y.Type()
	s := b.Span()
	switch {
	case tx.IsVector() || ty.IsVector():
		x, y = c.widen(x, y, b.OpSpan)
		if isBad(x) {
			return c.badExpr(s)
		}
		return c.mkCompare(op, x, y, relationalType(x.Type().Type), s)
	case tx.IsArithmetic() && ty.IsArithmetic():
		c.warnCompare(op, x, y, b.OpSpan)
		x, y, _ = c.usual(x, y)
	case tx.IsPointer() || ty.IsPointer():
		if x, y = c.comparePointers(op, x, y, b.OpSpan); isBad(x) {
			return c.badExpr(s)
		}
	case (op == Eq || op == Ne) && tx.Type == ty.Type && (tx.Kind == types.Placeholder || tx.Kind == types.Event):
		c.err(diag.InvalidOperands, b.OpSpan, "invalid operands to binary expression ('%s' and '%s')", tx, ty)
		return c.badExpr(s)
	default:
		return c.invalidOperands(x, y, b.OpSpan)
	}
	return c.mkCompare(op, x, y, types.ScalarType(types.Int), s)
}

// mkCompare returns a comparison of operands of one type, folding constants.
func (c *checker) mkCompare(op CompareOp, x, y Expr, t *types.Type, s diag.Span) Expr {
	a, ok1 := x.(*Const)
	b, ok2 := y.(*Const)
	if ok1 && ok2 {
		k := x.Type().Num()
		return c.konstVec(t, s, width(a, b), func(i int) uint64 {
			return truth(foldCompare(op, k, a.lane(i), b.lane(i)), t)
		})
	}
	n := c.a.compare.New()
	*n = Compare{Base{types.Q(t), s}, op, x, y}
	return n
}

// truth returns the value of a relational result: 1 for a scalar, -1 for a vector.
func truth(b bool, t *types.Type) uint64 {
	if !b {
		return 0
	}
	if t.IsVector() {
		return truncate(t.Num(), ^uint64(0))
	}
	return 1
}

// comparePointers converts pointer operands of a comparison to one type (C99 6.5.8, 6.5.9).
func (c *checker) comparePointers(op CompareOp, x, y Expr, at diag.Span) (Expr, Expr) {
	tx, ty := x.Type(), y.Type()
	switch {
	case tx.IsPointer() && isNull(y):
		return x, c.konst(tx.Type, y.Span(), 0)
	case ty.IsPointer() && isNull(x):
		return c.konst(ty.Type, x.Span(), 0), y
	case tx.IsPointer() && ty.IsPointer():
		if !c.overlap(x, y, at) {
			return c.badExpr(at), y
		}
		a, b := tx.Elem.Type, ty.Elem.Type
		if a != b && !a.IsVoid() && !b.IsVoid() {
			c.rep.Report(diag.DistinctPointers, at, "comparison of distinct pointer types ('%s' and '%s')", tx, ty)
		}
		x, y = c.sameSpace(x, y)
		return x, c.pointerTo(y, x.Type().Type)
	case tx.IsPointer() && ty.IsInteger(), tx.IsInteger() && ty.IsPointer():
		c.rep.Report(diag.PointerInteger, at, "comparison between pointer and integer ('%s' and '%s')", tx, ty)
		u := types.SizeType()
		return c.integerOf(x, u), c.integerOf(y, u)
	}
	return c.invalidOperands(x, y, at), y
}

// integerOf converts an integer or pointer to the 64-bit integer type u.
func (c *checker) integerOf(e Expr, u *types.Type) Expr {
	if e.Type().IsPointer() {
		if k, ok := e.(*Const); ok {
			return c.konst(u, e.Span(), k.Bits[0])
		}
		return &Bitcast{Base{types.Q(u), e.Span()}, e}
	}
	return c.convertTo(e, u)
}

// logical checks && and || (6.5.8).
func (c *checker) logical(x, y Expr, b *syntax.Binary) Expr {
	s := b.Span()
	if isBad(x) || isBad(y) {
		return c.badExpr(s)
	}
	x, y = c.unatomic(x), c.unatomic(y)
	or := b.Op == token.OrOr
	if !c.floatLogic(x.Type()) || !c.floatLogic(y.Type()) {
		return c.invalidOperands(x, y, b.OpSpan)
	}
	if x.Type().IsVector() || y.Type().IsVector() {
		x, y = c.widen(x, y, b.OpSpan)
		if isBad(x) {
			return c.badExpr(s)
		}
		return c.mkLogical(or, x, y, relationalType(x.Type().Type), s)
	}
	if !x.Type().IsScalar() || !y.Type().IsScalar() {
		return c.invalidOperands(x, y, b.OpSpan)
	}
	return c.mkLogical(or, c.toBool(x), c.toBool(y), types.ScalarType(types.Int), s)
}

// floatLogic reports whether logical operators accept operands of type q: before OpenCL C 1.2 they accepted no
// floating-point ones.
func (c *checker) floatLogic(q types.QType) bool {
	return c.std >= opencl.CL12 || !q.IsFloating() && !(q.IsVector() && q.Elem.IsFloating())
}

func (c *checker) mkLogical(or bool, x, y Expr, t *types.Type, s diag.Span) Expr {
	a, ok1 := x.(*Const)
	b, ok2 := y.(*Const)
	if ok1 && ok2 {
		k := x.Type().Num()
		return c.konstVec(t, s, width(a, b), func(i int) uint64 {
			p, q := nonzero(k, a.lane(i)), nonzero(k, b.lane(i))
			return truth(p && q || or && (p || q), t)
		})
	}
	if ok1 && !t.IsVector() && (a.Bits[0] != 0) == or {
		return c.konst(t, s, a.Bits[0]) // Y is never evaluated
	}
	return &Logical{Base{types.Q(t), s}, or, x, y}
}

func nonzero(k numeric.Kind, b uint64) bool {
	if k.IsFloat() {
		return floatValue(k, b) != 0
	}
	return b != 0
}

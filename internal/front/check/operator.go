package check

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
)

// operators checks operators whose operands have been checked: it converts the operands and creates the node. It
// does not resolve names and does not descend into the syntax tree.
type operators struct{ conversions }

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

// invalidOperands reports operands that an operator does not accept.
func (c *operators) invalidOperands(x, y Expr, at diag.Span) Expr {
	c.err(diag.InvalidOperands, at, "invalid operands to binary expression ('%s' and '%s')", x.Type().Unqualified(), y.Type().Unqualified()).
		Label(x.Span(), "%s", x.Type().Unqualified()).Label(y.Span(), "%s", y.Type().Unqualified())
	return c.badExpr(at)
}

// arith checks an arithmetic operator on r-values (OpenCL C, "Arithmetic Operators",
// 6.5.1, "Bitwise Operators" 6.5.5, "Shift Operators" 6.5.9).
func (c *operators) arith(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
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

// shift checks << and >> (OpenCL C, "Shift Operators", 6.5.9).
func (c *operators) shift(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
	tx, ty := x.Type(), y.Type()
	for _, e := range [...]Expr{x, y} {
		t := e.Type()
		if t.IsVector() && t.Elem.IsFloating() {
			c.err(diag.InvalidOperands, at, "used type '%s' where integer is required", t.Unqualified()).Label(e.Span(), "%s", t.Unqualified())
			return c.badExpr(s)
		}
	}
	switch {
	case tx.IsVector() && ty.IsVector():
		if tx.Len != ty.Len {
			c.err(diag.VectorMismatch, at, "vector operands do not have the same number of elements ('%s' and '%s')", tx.Unqualified(), ty.Unqualified())
			return c.badExpr(s)
		}
		return c.mkBinary(op, x, y, tx.Type, false, s)
	case ty.IsVector() && tx.IsInteger():
		c.err(diag.VectorMismatch, at, "requested shift is a vector of type '%s' but the first operand is not a vector ('%s')", ty.Unqualified(), tx.Unqualified())
		return c.badExpr(s)
	case tx.IsVector() && ty.IsInteger():
		elem := arithType(ty.Type)
		if elem.Kind == types.Bool {
			elem = types.ScalarType(types.Int)
		}
		y = c.convertTo(c.convertTo(y, elem), types.VectorType(elem, tx.Lanes()))
		c.warnShift(y, tx.Elem.Type, at)
		return c.mkBinary(op, x, y, tx.Type, false, s)
	case !tx.IsInteger() || !ty.IsInteger():
		return c.invalidOperands(x, y, at)
	}
	x, y = c.promote(x), c.promote(y)
	c.warnShift(y, x.Type().Type, at)
	return c.mkBinary(op, x, y, x.Type().Type, false, s)
}

// relationalType returns the result type of comparing operands of the vector type t: signed integers of the same
// width (OpenCL C, "Relational Operators", 6.5.6).
func relationalType(t *types.Type) *types.Type {
	return types.VectorType(types.ScalarOf(t.Num().SignedInt()), t.Lanes())
}

// pointerArith checks + and - on pointers (C99 6.5.6).
func (c *operators) pointerArith(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
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
func (c *operators) stepsOver(t types.QType, at diag.Span) bool {
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

func (c *operators) mkPtrAdd(p, i Expr, neg bool, s diag.Span) Expr {
	i = c.convertTo(c.bitFieldInt(i), types.PtrdiffType())
	if neg {
		i = c.mkUnary(Neg, i, i.Span())
	}
	n := c.slabs.ptrAdd.New()
	*n = PtrAdd{Base{p.Type(), s}, p, i}
	return n
}

func (c *operators) pointerDiff(x, y Expr, s, at diag.Span) Expr {
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

// compare checks a relational or equality operator (6.5.6, 6.5.7).
func (c *operators) compare(op CompareOp, x, y Expr, b *syntax.Binary) Expr {
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

// comparePointers converts pointer operands of a comparison to one type (C99 6.5.8, 6.5.9).
func (c *operators) comparePointers(op CompareOp, x, y Expr, at diag.Span) (Expr, Expr) {
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

// logical checks && and || (6.5.8).
func (c *operators) logical(x, y Expr, b *syntax.Binary) Expr {
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

// branches converts the second and third operand of a scalar ?: to one type; it returns nil after an error.
func (c *operators) branches(x, y Expr, n *syntax.Cond, s diag.Span) (Expr, Expr, *types.Type) {
	tx, ty := x.Type(), y.Type()
	at := diag.Span{Pos: n.Quest, End: n.Quest + 1}
	switch {
	case tx.IsArithmetic() && ty.IsArithmetic():
		if tx.Type == ty.Type && tx.Kind == types.Enum {
			return x, y, tx.Type
		}
		return c.usual(x, y)
	case tx.IsVector() || ty.IsVector():
		x, y = c.widen(x, y, at)
		if isBad(x) {
			return x, y, nil
		}
		return x, y, x.Type().Type
	case tx.IsVoid() || ty.IsVoid():
		v := types.Q(types.VoidType)
		if !tx.IsVoid() {
			x = &ToVoid{Base{v, x.Span()}, x}
		}
		if !ty.IsVoid() {
			y = &ToVoid{Base{v, y.Span()}, y}
		}
		return x, y, types.VoidType
	case tx.IsPointer() && (ty.IsPointer() || isNull(y)), ty.IsPointer() && isNull(x):
		return c.pointerBranches(x, y, at)
	case tx.Type == ty.Type && tx.Kind != types.Image:
		return x, y, tx.Type
	case tx.IsPointer() && ty.IsInteger(), tx.IsInteger() && ty.IsPointer():
		c.rep.Report(diag.PointerTypeMismatch, at, "pointer/integer type mismatch in conditional expression ('%s' and '%s')", tx.Unqualified(), ty.Unqualified())
		if tx.IsPointer() {
			return x, c.castToPointer(y, tx, y.Span()), tx.Type
		}
		return c.castToPointer(x, ty, x.Span()), y, ty.Type
	}
	c.err(diag.InvalidOperands, at, "incompatible operand types ('%s' and '%s')", tx.Unqualified(), ty.Unqualified()).
		Label(x.Span(), "%s", tx.Unqualified()).Label(y.Span(), "%s", ty.Unqualified())
	return x, y, nil
}

func (c *operators) pointerBranches(x, y Expr, at diag.Span) (Expr, Expr, *types.Type) {
	tx, ty := x.Type(), y.Type()
	switch {
	case isNull(y) && tx.IsPointer():
		return x, c.konst(tx.Type, y.Span(), 0), tx.Type
	case isNull(x):
		return c.konst(ty.Type, x.Span(), 0), y, ty.Type
	}
	a, b := tx.Elem, ty.Elem
	if !spaceFits(a.Space, b.Space) && !spaceFits(b.Space, a.Space) {
		c.err(diag.AddressSpace, at, "conditional operator with the second and third operands of type ('%s' and '%s') which are pointers to non-overlapping address spaces", tx.Unqualified(), ty.Unqualified())
		return x, y, nil
	}
	res := a
	switch {
	case a.Type == b.Type || b.IsVoid():
		res.Type = b.Type
	case a.IsVoid():
	default:
		c.rep.Report(diag.PointerTypeMismatch, at, "pointer type mismatch ('%s' and '%s')", tx.Unqualified(), ty.Unqualified())
		res.Type = types.VoidType
	}
	res.Const, res.Volatile = a.Const || b.Const, a.Volatile || b.Volatile
	if b.Space == types.Generic {
		res.Space = types.Generic
	}
	t := c.tc.PointerTo(res)
	return c.pointerTo(x, t), c.pointerTo(y, t), t
}

// vectorSelect checks ?: with a vector condition, which selects by component.
func (c *operators) vectorSelect(cond, x, y Expr, s diag.Span) Expr {
	t := cond.Type()
	if t.Elem.IsFloating() {
		c.err(diag.InvalidOperand, cond.Span(), "used type '%s' where integer is required", t.Unqualified())
		return c.badExpr(s)
	}
	for _, e := range [...]Expr{x, y} {
		if !e.Type().IsArithmetic() && !e.Type().IsVector() {
			c.err(diag.InvalidOperand, e.Span(), "used type '%s' where a vector or arithmetic type is required", e.Type().Unqualified())
			return c.badExpr(s)
		}
	}
	if x.Type().IsVector() || y.Type().IsVector() {
		if x, y = c.widen(x, y, s); isBad(x) {
			return c.badExpr(s)
		}
	} else {
		// Scalars of one type keep it: they are not promoted here.
		elem := x.Type().Type
		if elem != y.Type().Type {
			x, y, elem = c.usual(x, y)
		}
		v := types.VectorType(elem, t.Lanes())
		x, y = c.convertTo(x, v), c.convertTo(y, v)
	}
	r := x.Type()
	if r.Len != t.Len {
		c.err(diag.VectorSelect, s, "vector condition type '%s' and result type '%s' do not have the same number of elements", t.Unqualified(), r.Unqualified())
		return c.badExpr(s)
	}
	if r.Elem.Size() != t.Elem.Size() {
		c.err(diag.VectorSelect, s, "vector condition type '%s' and result type '%s' do not have elements of the same size", t.Unqualified(), r.Unqualified())
		return c.badExpr(s)
	}
	k, ok := cond.(*Const)
	a, ok1 := x.(*Const)
	b, ok2 := y.(*Const)
	if ok && ok1 && ok2 {
		top := uint64(1) << (t.Num().Bits() - 1)
		return c.konstVec(r.Type, s, t.Lanes(), func(i int) uint64 {
			if k.lane(i)&top != 0 {
				return a.lane(i)
			}
			return b.lane(i)
		})
	}
	return &VecSelect{Base{types.Q(r.Type), s}, cond, x, y}
}

// addrOf checks & (C99 6.5.3.2; OpenCL C, "Unary Operators" 6.5.11).
func (c *operators) addrOf(x Expr, s diag.Span) Expr {
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
	addressTaken(x)
	q := t
	q.Restrict = t.Restrict
	if q.Space == types.NoSpace {
		q.Space = types.Private
	}
	return &AddrOf{Base{types.Q(c.tc.PointerTo(q)), s}, x}
}

// deref checks * (C99 6.5.3.2).
func (c *operators) deref(x Expr, s diag.Span) Expr {
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

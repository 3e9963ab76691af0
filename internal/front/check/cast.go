package check

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// cast checks (Type)X (C99 6.5.4; OpenCL C, "Explicit Casts", 6.4.2). With a vector type and a parenthesis it is a
// vector literal.
func (c *checker) cast(n *syntax.Cast) Expr {
	q := c.typeName(n.Type)
	s := n.Span()
	if q.IsVector() {
		if p, ok := n.X.(*syntax.Paren); ok {
			if b, ok := p.X.(*syntax.Binary); ok && b.Op == token.Comma {
				return c.vectorLiteral(q.Type, c.operands(p.X), s, p.Span())
			}
		}
	}
	x := c.value(n.X)
	if q.IsInvalid() || isBad(x) {
		return c.badExpr(s)
	}
	return c.castTo(x, q, s, n.Type.Span())
}

// operands checks the comma-separated operands of a vector literal.
func (c *checker) operands(x syntax.Expr) []Expr {
	var buf [16]syntax.Expr
	list := buf[:0]
	for {
		b, ok := x.(*syntax.Binary)
		if !ok || b.Op != token.Comma {
			break
		}
		list = append(list, b.Y)
		x = b.X
	}
	out := make([]Expr, 0, len(list)+1)
	out = append(out, c.value(x))
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, c.value(list[i]))
	}
	return out
}

// castTo converts an r-value as a cast does.
func (c *checker) castTo(x Expr, q types.QType, s, at diag.Span) Expr {
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
func (c *checker) retypeInt(e Expr, t *types.Type) Expr {
	if e.Type().Type == t {
		return e
	}
	return c.retype(e, t)
}

// convertExplicit converts between arithmetic types as a cast does.
func (c *checker) convertExplicit(x Expr, t *types.Type, s diag.Span) Expr {
	from := x.Type().Type
	if arithType(from) == arithType(t) {
		if from == t {
			return respan(x, s)
		}
		return c.retype(x, t)
	}
	return c.mkConvert(x, t, false, numeric.RoundDefault, false, s)
}

func (c *checker) castToVector(x Expr, t *types.Type, s diag.Span) Expr {
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

func (c *checker) castToPointer(x Expr, q types.QType, s diag.Span) Expr {
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

// conditional checks C ? X : Y (C99 6.5.15; OpenCL C, "Ternary Selection Operator", 6.5.10).
func (c *checker) conditional(n *syntax.Cond) Expr {
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

// branches converts the second and third operand of a scalar ?: to one type; it returns nil after an error.
func (c *checker) branches(x, y Expr, n *syntax.Cond, s diag.Span) (Expr, Expr, *types.Type) {
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

func (c *checker) pointerBranches(x, y Expr, at diag.Span) (Expr, Expr, *types.Type) {
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
func (c *checker) vectorSelect(cond, x, y Expr, s diag.Span) Expr {
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

// typeOp checks sizeof, alignof and vec_step (C99 6.5.3.4; OpenCL C 6.5.13, 6.15.17).
func (c *checker) typeOp(n *syntax.TypeOp) Expr {
	s := n.Span()
	var q types.QType
	var v *Var
	if n.Type != nil {
		q = c.typeName(n.Type)
	} else {
		c.discard++
		e := c.expr(n.X)
		c.discard--
		q = e.Type()
		if m, ok := e.(*Member); ok && m.Field.Bits >= 0 {
			c.err(diag.InvalidSizeof, s, "invalid application of '%s' to bit-field", n.Op)
			return c.badExpr(s)
		}
		if r, ok := e.(*VarRef); ok {
			v = r.Var
		}
	}
	if q.IsInvalid() {
		return c.badExpr(s)
	}
	op := n.Op
	switch {
	case q.IsVoid() && op == "vec_step":
		return c.konst(types.ScalarType(types.Int), s, 1)
	case q.IsVoid():
		c.err(diag.InvalidSizeof, s, "invalid application of '%s' to a void type", op)
		return c.badExpr(s)
	case q.Kind == types.Func:
		c.err(diag.InvalidSizeof, s, "invalid application of '%s' to a function type", op)
		return c.badExpr(s)
	case q.Size() < 0:
		c.err(diag.InvalidSizeof, s, "invalid application of '%s' to an incomplete type '%s'", op, q.Unqualified())
		return c.badExpr(s)
	}
	switch {
	case op == "vec_step":
		if !q.IsVector() && !q.IsArithmetic() {
			c.err(diag.InvalidSizeof, s, "'vec_step' requires built-in scalar or vector type, '%s' invalid", q.Unqualified())
			return c.badExpr(s)
		}
		step := q.Lanes()
		if step == 3 {
			step = 4
		}
		return c.konst(types.ScalarType(types.Int), s, uint64(step))
	case strings.Contains(op, "align"):
		if v != nil {
			return c.konst(types.SizeType(), s, uint64(v.Align))
		}
		return c.konst(types.SizeType(), s, uint64(q.Align()))
	}
	return c.konst(types.SizeType(), s, uint64(q.Size()))
}

// offsetof checks __builtin_offsetof (C99 7.17).
func (c *checker) offsetof(n *syntax.Offsetof) Expr {
	s := n.Span()
	q := c.typeName(n.Type)
	if q.IsInvalid() {
		return c.badExpr(s)
	}
	if q.Kind != types.Record || !q.Rec.Complete {
		c.err(diag.InvalidSizeof, n.Type.Span(), "offsetof requires struct or union type, '%s' invalid", q.Unqualified())
		return c.badExpr(s)
	}
	off, _, ok := c.offsetPath(n.Path, q.Type)
	if !ok {
		return c.badExpr(s)
	}
	return c.konst(types.SizeType(), s, uint64(off))
}

func (c *checker) offsetPath(p syntax.Expr, root *types.Type) (off int64, t *types.Type, ok bool) {
	field := func(off int64, t *types.Type, name string, at diag.Span) (int64, *types.Type, bool) {
		if t.Kind != types.Record {
			c.err(diag.NoMember, at, "no member named '%s' in '%s'", name, t)
			return 0, nil, false
		}
		c.info.fieldUse(t, name, at)
		path, ok := findField(t, name)
		if !ok && t.Rec.Partial {
			return 0, nil, false
		}
		if !ok {
			c.err(diag.NoMember, at, "no member named '%s' in '%s'", name, t)
			return 0, nil, false
		}
		for _, f := range path {
			off += f.Offset
		}
		last := path[len(path)-1]
		if last.Bits >= 0 {
			c.err(diag.InvalidSizeof, at, "cannot compute offset of bit-field '%s'", name)
			return 0, nil, false
		}
		return off, last.Type.Type, true
	}
	switch p := p.(type) {
	case *syntax.Name:
		return field(0, root, p.Name, p.Span())
	case *syntax.Member:
		off, t, ok := c.offsetPath(p.X, root)
		if !ok {
			return 0, nil, false
		}
		return field(off, t, p.Name, p.NameSpan)
	case *syntax.Index:
		off, t, ok := c.offsetPath(p.X, root)
		if !ok {
			return 0, nil, false
		}
		i := c.value(p.I)
		if isBad(i) {
			return 0, nil, false
		}
		k, _ := c.constant(i)
		if t.Kind != types.Array || k == nil || !i.Type().IsInteger() {
			c.err(diag.NotConstant, p.I.Span(), "offsetof needs constant subscripts of arrays")
			return 0, nil, false
		}
		return off + signedValue(k.T.Num(), k.Bits[0])*t.Elem.Size(), t.Elem.Type, true
	}
	return 0, nil, false
}

// compoundLit checks (Type){…} (C99 6.5.2.5).
func (c *checker) compoundLit(n *syntax.CompoundLit) Expr {
	s := n.Span()
	q := c.typeName(n.Type)
	if q.IsInvalid() {
		c.initializerAnyway(n.Init)
		return c.badExpr(s)
	}
	if q.Kind == types.Func || q.IsVoid() || q.Kind != types.Array && q.Size() < 0 {
		c.err(diag.IncompleteType, n.Type.Span(), "compound literal of type '%s'", q)
		return c.badExpr(s)
	}
	v := &Var{Name: "(compound literal)", Kind: AutoVar, Type: q, Span: s, Used: true}
	if q.Space == types.NoSpace {
		if v.Type.Space = types.Private; c.fn == nil {
			v.Type.Space = types.Constant
		}
	}
	if c.fn == nil || q.Space == types.Constant || q.Space == types.Global {
		v.Kind = GlobalVar
	}
	if c.fn != nil {
		v.Func = c.fn.Func
	}
	c.initVar(v, n.Init)
	if isBadVar(v) {
		return c.badExpr(s)
	}
	v.Align = v.Type.Align()
	if q.IsVector() || q.IsScalar() {
		// If its address is not taken, the value alone suffices, and it folds.
		if k, ok := v.Init.(*Const); ok && v.Kind == GlobalVar {
			return k
		}
	}
	if v.Kind == GlobalVar {
		c.prog.Globals = append(c.prog.Globals, v)
	}
	return &CompoundLit{Base{v.Type, s}, v}
}

func isBadVar(v *Var) bool { return v.Type.IsInvalid() || v.Init == nil || isBad(v.Init) }

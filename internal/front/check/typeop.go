package check

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
)

// cast checks (Type)X (C99 6.5.4; OpenCL C, "Explicit Casts", 6.4.2). With a vector type and a parenthesis it is a
// vector literal.
func (c *expressions) cast(n *syntax.Cast) Expr {
	q := c.outer.typeName(n.Type)
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
func (c *expressions) operands(x syntax.Expr) []Expr {
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

// typeOp checks sizeof, alignof and vec_step (C99 6.5.3.4; OpenCL C 6.5.13, 6.15.17).
func (c *expressions) typeOp(n *syntax.TypeOp) Expr {
	s := n.Span()
	var q types.QType
	var v *Var
	if n.Type != nil {
		q = c.outer.typeName(n.Type)
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
func (c *expressions) offsetof(n *syntax.Offsetof) Expr {
	s := n.Span()
	q := c.outer.typeName(n.Type)
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

func (c *expressions) offsetPath(p syntax.Expr, root *types.Type) (off int64, t *types.Type, ok bool) {
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
func (c *expressions) compoundLit(n *syntax.CompoundLit) Expr {
	s := n.Span()
	q := c.outer.typeName(n.Type)
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

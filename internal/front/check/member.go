package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// memberAccess checks X.Name and X->Name: a member of a record (C99 6.5.2.3) or
// components of a vector (OpenCL C, "Vector Components", 6.3.7).
func (c *checker) memberAccess(m *syntax.Member) Expr {
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

// throughPointer returns the object of ->.
func (c *checker) throughPointer(x Expr, m *syntax.Member) Expr {
	t := x.Type()
	if t.Kind != types.Pointer && t.Kind != types.Array {
		if t.Kind == types.Record || t.Kind == types.Vector {
			d := c.err(diag.MemberAccess, m.NameSpan, "member reference type '%s' is not a pointer; did you mean to use '.'?", t.Unqualified())
			d.Replace(diag.Span{Pos: m.X.Span().End, End: m.NameSpan.Pos}, ".")
		} else {
			c.err(diag.MemberAccess, m.NameSpan, "member reference type '%s' is not a pointer", t.Unqualified())
		}
		return c.badExpr(m.Span())
	}
	p := c.rvalue(x)
	if isBad(p) {
		return p
	}
	return c.mkDeref(p, m.X.Span())
}

func (c *checker) recordMember(x Expr, m *syntax.Member) Expr {
	t := x.Type()
	if !t.Rec.Complete {
		c.err(diag.IncompleteType, m.NameSpan, "incomplete definition of type '%s'", t.Unqualified())
		return c.badExpr(m.Span())
	}
	// The path is searched from its end, which needs no allocation for a single step.
	for i := range t.Rec.Fields {
		if f := &t.Rec.Fields[i]; f.Name == m.Name {
			return c.mkMember(x, f, m.Span())
		}
	}
	path, ok := findField(t.Type, m.Name)
	if !ok && t.Rec.Partial {
		return c.badExpr(m.Span())
	}
	if !ok {
		d := c.err(diag.NoMember, m.NameSpan, "no member named '%s' in '%s'", m.Name, t.Unqualified())
		if best, ok := diag.Nearest(m.Name, fieldNames(t.Type)); ok && d != nil {
			d.Message += "; did you mean '" + best + "'?"
			d.Replace(m.NameSpan, best)
		}
		return c.badExpr(m.Span())
	}
	for _, f := range path {
		x = c.mkMember(x, f, m.Span())
	}
	return x
}

// mkMember selects a field. It is in its record's memory and inherits the record's qualifiers (C99 6.5.2.3p3).
func (c *checker) mkMember(x Expr, f *types.Field, s diag.Span) Expr {
	q := f.Type
	if isLvalue(x) {
		t := x.Type()
		q.Const = q.Const || t.Const
		q.Volatile = q.Volatile || t.Volatile
		q.Space = t.Space
	} else if q.Kind != types.Array {
		q.Quals = types.Quals{}
	}
	n := c.a.member.New()
	n.T, n.S, n.X, n.Field = q, s, x, f
	return n
}

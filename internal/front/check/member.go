package check

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

func (c *operators) recordMember(x Expr, m *syntax.Member) Expr {
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

// throughPointer returns the object of ->.
func (c *operators) throughPointer(x Expr, m *syntax.Member) Expr {
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

// findField returns the path of member indices to the named member, through
// anonymous records.
func findField(t *types.Type, name string) (path []*types.Field, ok bool) {
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		if f.Name == name {
			return []*types.Field{f}, true
		}
		if f.Name == "" && f.Type.Kind == types.Record {
			if sub, ok := findField(f.Type.Type, name); ok {
				return append([]*types.Field{f}, sub...), true
			}
		}
	}
	return nil, false
}

// fieldNames lists the members of a record, for suggestions.
func fieldNames(t *types.Type) (names []string) {
	for i := range t.Rec.Fields {
		f := &t.Rec.Fields[i]
		if f.Name != "" {
			names = append(names, f.Name)
		} else if f.Type.Kind == types.Record {
			names = append(names, fieldNames(f.Type.Type)...)
		}
	}
	return names
}

// components is a component selection of a vector (OpenCL C, "Vector Components", 6.3.7).
type components struct {
	lanes []uint8
	rgba  int // offset in the name of the first of r, g, b, a; -1 without
}

// components checks a component selection of the vector x.
func (c *operators) components(x Expr, m *syntax.Member) Expr {
	t := x.Type()
	n := t.Lanes()
	var buf [32]uint8
	if len(m.Name) > 17 {
		c.err(diag.VectorComponent, m.NameSpan, "illegal vector component name '%s'", m.Name)
		return c.badExpr(m.Span())
	}
	sel, bad, at := parseComponents(m.Name, n, buf[:0])
	span := diag.Span{Pos: m.NameSpan.Pos + diag.Pos(at[0]), End: m.NameSpan.Pos + diag.Pos(at[1])}
	switch bad {
	case "name":
		d := c.err(diag.VectorComponent, span, "illegal vector component name '%s'", m.Name[at[0]:at[1]])
		d.Note(diag.Span{}, "components of '%s' are %s", t.Unqualified(), componentNames(n))
		return c.badExpr(m.Span())
	case "mix":
		c.err(diag.VectorComponentMix, span, "illegal vector component name '%s': .xyzw, .rgba and numeric indices cannot be mixed", m.Name[at[0]:at[1]])
		return c.badExpr(m.Span())
	case "range":
		c.err(diag.VectorComponentRange, span, "vector component access exceeds type '%s' (vector of %d '%s' values)", t.Unqualified(), n, t.Elem).
			Note(diag.Span{}, "components of '%s' are %s", t.Unqualified(), componentNames(n))
		return c.badExpr(m.Span())
	}
	if sel.rgba >= 0 && c.std < opencl.CL30 {
		c.rep.Report(diag.RGBA, m.NameSpan, "vector component name '%c' is a feature from OpenCL version 3.0 onwards", m.Name[sel.rgba])
	}
	rt := types.VectorType(t.Elem.Type, len(sel.lanes))
	if rt == nil {
		c.err(diag.VectorComponent, m.NameSpan, "a selection of %d components is no vector: it must have 1, 2, 3, 4, 8 or 16", len(sel.lanes))
		return c.badExpr(m.Span())
	}
	lanes := c.slabs.lanes(len(sel.lanes))
	copy(lanes, sel.lanes)
	return c.mkSwizzle(x, lanes, rt, m.Span())
}

// parseComponents reads a component selection of a vector with n components. bad
// describes an error, and at[0], at[1] is its range in the name.
func parseComponents(name string, n int, buf []uint8) (sel components, bad string, at [2]int) {
	sel.rgba = -1
	whole := [2]int{0, len(name)}
	half := n / 2
	if n == 3 {
		half = 2
	}
	switch name {
	case "lo", "hi", "even", "odd":
		for i := range half {
			switch name {
			case "lo":
				buf = append(buf, uint8(i))
			case "hi":
				buf = append(buf, uint8(i+half))
			case "even":
				buf = append(buf, uint8(2*i))
			default:
				buf = append(buf, uint8(2*i+1))
			}
		}
		sel.lanes = buf
		return sel, "", whole
	}
	if (name[0] == 's' || name[0] == 'S') && len(name) > 1 {
		return parseNumeric(name, n, buf)
	}
	return parseNamed(name, n, buf)
}

func parseNumeric(name string, n int, buf []uint8) (sel components, bad string, at [2]int) {
	sel.rgba = -1
	for i := 1; i < len(name); i++ {
		at = [2]int{i, i + 1}
		d := 99
		switch b := name[i]; {
		case b >= '0' && b <= '9':
			d = int(b - '0')
		case b|0x20 >= 'a' && b|0x20 <= 'f':
			d = int(b|0x20-'a') + 10
		case b == 'x' || b == 'y' || b == 'z' || b == 'w':
			return sel, "mix", at
		}
		if d == 99 {
			return sel, "name", at
		}
		if d >= n {
			return sel, "range", at
		}
		buf = append(buf, uint8(d))
	}
	sel.lanes = buf
	return sel, "", at
}

func parseNamed(name string, n int, buf []uint8) (sel components, bad string, at [2]int) {
	sel.rgba = -1
	var set byte
	for i := range len(name) {
		at = [2]int{i, i + 1}
		d, of := -1, byte('x')
		switch b := name[i]; b {
		case 'x', 'y', 'z':
			d = int(b - 'x')
		case 'w':
			d = 3
		case 'r':
			d, of = 0, 'r'
		case 'g':
			d, of = 1, 'r'
		case 'b':
			d, of = 2, 'r'
		case 'a':
			d, of = 3, 'r'
		case 's', 'S':
			if i > 0 {
				return sel, "mix", at
			}
		}
		switch {
		case d < 0 && i > 0 && (name[i] >= '0' && name[i] <= '9'):
			return sel, "mix", at
		case d < 0:
			return sel, "name", at
		case set != 0 && set != of:
			return sel, "mix", at
		case d >= n:
			return sel, "range", at
		}
		if of == 'r' && sel.rgba < 0 {
			sel.rgba = i
		}
		set = of
		buf = append(buf, uint8(d))
	}
	sel.lanes = buf
	return sel, "", at
}

func componentNames(n int) string {
	switch n {
	case 2:
		return ".xy, .s0 and .s1"
	case 3:
		return ".xyz and .s0 to .s2"
	case 4:
		return ".xyzw and .s0 to .s3"
	case 8:
		return ".xyzw and .s0 to .s7"
	}
	return ".xyzw and .s0 to .sF"
}

// vecIndex checks V[I]. A constant index is a component selection.
func (c *operators) vecIndex(v, i Expr, s diag.Span) Expr {
	t := v.Type()
	if !i.Type().IsInteger() {
		c.err(diag.Subscript, i.Span(), "array subscript is not an integer")
		return c.badExpr(s)
	}
	elem := t.Elem.Type
	if k, ok := i.(*Const); ok {
		if n := signedValue(k.T.Num(), k.Bits[0]); n >= 0 && n < t.Len {
			lanes := c.slabs.lanes(1)
			lanes[0] = uint8(n)
			return c.mkSwizzle(v, lanes, elem, s)
		}
		c.err(diag.VectorComponentRange, i.Span(), "vector component access exceeds type '%s' (vector of %d '%s' values)", t.Unqualified(), t.Len, elem)
		return c.badExpr(s)
	}
	q := types.Q(elem)
	if isLvalue(v) {
		q.Quals = t.Quals
	}
	return &VecIndex{Base{q, s}, v, c.convertTo(c.bitFieldInt(i), types.ScalarType(types.ULong))}
}

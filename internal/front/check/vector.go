package check

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// relationalType returns the result type of comparing operands of the vector type t: signed integers of the same
// width (OpenCL C, "Relational Operators", 6.5.6).
func relationalType(t *types.Type) *types.Type {
	return types.VectorType(types.ScalarOf(t.Num().SignedInt()), t.Lanes())
}

// widen converts the operands of an operator, at least one of which is a vector, to one vector type (OpenCL C,
// "Usual Arithmetic Conversions", 6.4.6): a scalar is converted to the element type and replicated; its rank must
// not be greater.
func (c *checker) widen(x, y Expr, at diag.Span) (Expr, Expr) {
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
func (c *checker) scalarToVector(e Expr, t *types.Type, at diag.Span, vec Expr) Expr {
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

// shift checks << and >> (OpenCL C, "Shift Operators", 6.5.9).
func (c *checker) shift(op BinaryOp, x, y Expr, s, at diag.Span) Expr {
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

// components is a component selection of a vector (OpenCL C, "Vector Components", 6.3.7).
type components struct {
	lanes []uint8
	rgba  int // offset in the name of the first of r, g, b, a; -1 without
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

// components checks a component selection of the vector x.
func (c *checker) components(x Expr, m *syntax.Member) Expr {
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
	lanes := c.a.lanes(len(sel.lanes))
	copy(lanes, sel.lanes)
	return c.mkSwizzle(x, lanes, rt, m.Span())
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

// mkSwizzle selects components, folding constants and selections of selections.
func (c *checker) mkSwizzle(x Expr, lanes []uint8, t *types.Type, s diag.Span) Expr {
	if k, ok := x.(*Const); ok {
		n := x.Type().Lanes()
		return c.konstVec(t, s, len(lanes), func(i int) uint64 {
			if int(lanes[i]) >= n {
				return 0 // the fourth component of a 3-vector
			}
			return k.lane(int(lanes[i]))
		})
	}
	if inner, ok := x.(*Swizzle); ok {
		composed := c.a.lanes(len(lanes))
		for i, l := range lanes {
			if int(l) >= len(inner.Lanes) {
				composed = nil
				break
			}
			composed[i] = inner.Lanes[l]
		}
		if composed != nil {
			x, lanes = inner.X, composed
		}
	}
	n := c.a.swizzle.New()
	n.T, n.S, n.X, n.Lanes = x.Type(), s, x, lanes
	n.T.Type = t
	if !isLvalue(x) {
		n.T.Quals = types.Quals{}
	}
	return n
}

func hasDuplicates(lanes []uint8) bool {
	var seen uint32
	for _, l := range lanes {
		if seen&(1<<l) != 0 {
			return true
		}
		seen |= 1 << l
	}
	return false
}

// vecIndex checks V[I]. A constant index is a component selection.
func (c *checker) vecIndex(v, i Expr, s diag.Span) Expr {
	t := v.Type()
	if !i.Type().IsInteger() {
		c.err(diag.Subscript, i.Span(), "array subscript is not an integer")
		return c.badExpr(s)
	}
	elem := t.Elem.Type
	if k, ok := i.(*Const); ok {
		if n := signedValue(k.T.Num(), k.Bits[0]); n >= 0 && n < t.Len {
			lanes := c.a.lanes(1)
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

// vectorLiteral checks (vector type)(operands) (OpenCL C, "Vector Literals", 6.3.6).
func (c *checker) vectorLiteral(t *types.Type, args []Expr, s, parens diag.Span) Expr {
	for _, a := range args {
		if isBad(a) {
			return c.badExpr(s)
		}
	}
	elem := t.Elem.Type
	list := c.a.exprs.Keep(args)
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
func (c *checker) vectorElement(a Expr, elem *types.Type) Expr {
	a = c.unatomic(a)
	t := a.Type()
	if t.IsVector() {
		if t.Elem.Type == elem {
			return a
		}
		want := types.VectorType(elem, t.Lanes())
		d := c.err(diag.IncompatibleTypes, a.Span(), "initializing '%s' with an expression of incompatible type '%s'", want, t.Unqualified())
		c.suggestConversion(d, a, want)
		return c.badExpr(a.Span())
	}
	return c.assign(a, types.Q(elem), initializing)
}

// mkVectorLit returns a vector of operands that have its element type and all its components, folding constants.
func (c *checker) mkVectorLit(t *types.Type, list []Expr, s diag.Span) Expr {
	for _, e := range list {
		if _, ok := e.(*Const); !ok {
			n := c.a.literal.New()
			n.T.Type, n.S, n.Elems = t, s, list
			return n
		}
	}
	bits := c.a.bits(t.Lanes())
	n := 0
	for _, e := range list {
		k := e.(*Const)
		for i := range e.Type().Lanes() {
			bits[n] = k.lane(i)
			n++
		}
	}
	r := c.a.constant.New()
	*r = Const{Base{types.Q(t), s}, bits}
	return r
}

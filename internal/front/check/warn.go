package check

import (
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// warnings reports valid code that is probably a mistake. It sees finished nodes of the tree, does not create any,
// and its reports never change the result of a check.
type warnings struct {
	pragmas
	discard int // greater than 0 inside sizeof and the like: nothing is evaluated
}

// unusedValue warns of an expression statement without effect.
func (c *warnings) unusedValue(e Expr, x syntax.Expr) {
	for {
		p, ok := x.(*syntax.Paren)
		if !ok {
			break
		}
		x = p.X
	}
	switch n := x.(type) {
	case *syntax.AssignExpr, *syntax.Postfix, *syntax.StmtExpr:
		return
	case *syntax.Call:
		if b, ok := e.(*BuiltinCall); ok && b.Overload.Row.Flags&builtin.NoSideEffect != 0 && !b.T.IsVoid() {
			c.rep.Report(diag.UnusedValue, n.Fun.Span(), "ignoring return value of function declared with const attribute")
		}
		return
	case *syntax.Unary:
		if n.Op == token.Inc || n.Op == token.Dec {
			return
		}
	case *syntax.Cast:
		if e.Type().IsVoid() {
			return
		}
	case *syntax.Cond:
		if sideEffect(n.X) || sideEffect(n.Y) {
			return
		}
	case *syntax.Binary:
		switch {
		case n.Op == token.Comma:
			return // its right operand was checked already
		case (n.Op == token.AndAnd || n.Op == token.OrOr) && sideEffect(n.Y):
			return
		case n.Op == token.EqEq || n.Op == token.NotEq:
			word := map[token.Kind]string{token.EqEq: "equality", token.NotEq: "inequality"}[n.Op]
			if !isBad(e) {
				c.rep.Report(diag.UnusedComparison, n.OpSpan, "%s comparison result unused", word)
			}
			return
		}
	}
	if isBad(e) || e.Type().IsVoid() {
		return
	}
	c.rep.Report(diag.UnusedValue, x.Span(), "expression result unused")
}

// sideEffect reports whether the expression may be evaluated for its effect alone.
func sideEffect(x syntax.Expr) bool {
	switch x := x.(type) {
	case nil:
		return false
	case *syntax.Paren:
		return sideEffect(x.X)
	case *syntax.AssignExpr, *syntax.Postfix, *syntax.Call, *syntax.StmtExpr:
		return true
	case *syntax.Unary:
		return x.Op == token.Inc || x.Op == token.Dec
	case *syntax.Cast:
		return sideEffect(x.X)
	case *syntax.Cond:
		return sideEffect(x.X) || sideEffect(x.Y)
	case *syntax.Binary:
		return sideEffect(x.Y)
	}
	return false
}

// warnConversion warns of an implicit conversion of a constant that changes its value.
func (c *warnings) warnConversion(e Expr, dst *types.Type) {
	k, ok := e.(*Const)
	if !ok || dst.Kind == types.Bool || c.discard > 0 {
		return
	}
	from, to := k.T.Num(), dst.Num()
	v := k.Bits[0]
	switch {
	case from.IsFloat() && to.IsInt():
		conv := numeric.Conversion{Dst: to, Src: from}
		if conv.BitsOutOfRange(v) {
			return // reported by mkConvert
		}
		r := conv.Bits(v)
		if numeric.ConvertBits(from, false, numeric.RoundDefault, to, r) != v && floatValue(from, v) != 0 {
			c.rep.Report(diag.LiteralConversion, e.Span(), "implicit conversion from '%s' to '%s' changes value from %s to %s", k.T, dst, spellConst(from, v), spellConst(to, r))
		}
	case from.IsInt() && to.IsInt():
		n, neg := minBits(from, v)
		room := to.Bits()
		if neg && n <= room || !neg && n < room || !neg && n == room && (!to.Signed() || !from.Signed()) {
			return
		}
		r := numeric.ConvertBits(to, false, numeric.RoundDefault, from, v)
		c.rep.Report(diag.ConstantConversion, e.Span(), "implicit conversion from '%s' to '%s' changes value from %s to %s", k.T, dst, spellConst(from, v), spellConst(to, r))
	}
}

// warnOverflow warns of a signed constant operation whose result wrapped.
func (c *warnings) warnOverflow(op BinaryOp, k numeric.Kind, x, y, r uint64, t *types.Type, s diag.Span) {
	if c.discard > 0 {
		return
	}
	a, b, v := signedValue(k, x), signedValue(k, y), signedValue(k, r)
	over := false
	switch op {
	case Add:
		over = (a < 0) == (b < 0) && (v < 0) != (a < 0)
	case Sub:
		over = (a < 0) != (b < 0) && (v < 0) != (a < 0)
	case Mul:
		if k.Bits() < 64 {
			over = a*b != v
		} else if a != 0 && b != 0 {
			over = v/b != a || b == -1 && a == v
		}
	}
	if over {
		c.rep.Report(diag.IntegerOverflow, s, "overflow in expression; result is %d with type '%s'", v, t)
	}
}

// warnShift warns of constant shift counts, which OpenCL C takes modulo the width.
func (c *warnings) warnShift(y Expr, t *types.Type, at diag.Span) {
	k, ok := y.(*Const)
	if !ok || c.discard > 0 {
		return
	}
	n := signedValue(k.T.Num(), k.Bits[0])
	bits := int64(t.Num().Bits())
	if k.T.Num().Signed() && n < 0 {
		c.rep.Report(diag.ShiftCount, at, "shift count %d is negative: it is taken modulo %d", n, bits)
	} else if uint64(n) >= uint64(bits) {
		c.rep.Report(diag.ShiftCount, at, "shift count %d is not less than the width of type '%s': it is taken modulo %d", uint64(n), t, bits)
	}
}

// warnCompare warns of comparisons between signed and unsigned operands, and of comparisons that are always true or
// false.
func (c *warnings) warnCompare(op CompareOp, x, y Expr, at diag.Span) {
	a, b := arithType(x.Type().Type), arithType(y.Type().Type)
	if !a.IsInteger() || !b.IsInteger() {
		return
	}
	if op != Eq && op != Ne {
		if isZero(y) && unsignedKind(a) && (op == Lt || op == Ge) {
			c.rep.Report(diag.TautologicalCompare, at, "result of comparison of unsigned expression %s 0 is always %t", map[CompareOp]string{Lt: "<", Ge: ">="}[op], op == Ge)
			return
		}
	}
	t := usualKind(a.Kind, b.Kind)
	if !types.ScalarType(t).Num().Signed() {
		for _, e := range [...]Expr{x, y} {
			et := arithType(e.Type().Type)
			if !et.Num().Signed() || et.Size() < types.ScalarType(t).Size() && promoteKind(et.Kind) != types.Int {
				continue
			}
			if k, ok := e.(*Const); ok && signedValue(k.T.Num(), k.Bits[0]) >= 0 {
				continue
			}
			if op == Eq || op == Ne {
				if _, ok := e.(*Const); ok {
					continue
				}
			}
			c.rep.Report(diag.SignCompare, at, "comparison of integers of different signs: '%s' and '%s'", x.Type().Unqualified(), y.Type().Unqualified())
			return
		}
	}
}

func unsignedKind(t *types.Type) bool { return t.Kind != types.Bool && !t.Num().Signed() }

// warnSelfAssign warns of x = x.
func (c *warnings) warnSelfAssign(l, y Expr, at diag.Span) {
	a, ok := l.(*VarRef)
	if !ok {
		return
	}
	if ld, ok := y.(*Load); ok {
		if b, ok := ld.X.(*VarRef); ok && a.Var == b.Var {
			c.rep.Report(diag.SelfAssign, at, "explicitly assigning value of variable of type '%s' to itself", a.T.Unqualified())
		}
	}
}

// warnAssignCondition warns of a bare assignment as a condition.
func (c *warnings) warnAssignCondition(x syntax.Expr) {
	if a, ok := x.(*syntax.AssignExpr); ok && a.Op == token.Assign {
		c.rep.Report(diag.Parentheses, a.OpSpan, "using the result of an assignment as a condition without parentheses").
			Note(a.Span(), "place parentheses around the assignment to silence this warning").
			Note(a.OpSpan, "use '==' to turn this assignment into an equality comparison")
	}
}

// warnEmptyBody warns of "if (x);" on one line.
func (c *warnings) warnEmptyBody(body syntax.Stmt, cond syntax.Expr, word string) {
	e, ok := body.(*syntax.Empty)
	if !ok || cond == nil && word != "for" {
		return
	}
	if word != "if" {
		return // an empty loop is common if all work is in the condition
	}
	at := e.Span()
	if file, _ := c.src.File(at.Pos); file == nil {
		return
	}
	if c.src.Location(cond.Span().Pos).Line == c.src.Location(at.Pos).Line {
		c.rep.Report(diag.EmptyBody, at, "%s statement has empty body", word).Note(at, "put the semicolon on a separate line to silence this warning")
	}
}

// warnReturnAddress warns of returning the address of an automatic variable.
func (c *warnings) warnReturnAddress(e Expr) {
	for {
		switch x := e.(type) {
		case *Bitcast:
			e = x.X
			continue
		case *SpaceCast:
			e = x.X
			continue
		case *PtrAdd:
			e = x.X
			continue
		case *AddrOf:
			c.warnStackAddress(x.X, x.S)
		case *Decay:
			c.warnStackAddress(x.X, x.S)
		}
		return
	}
}

func (c *warnings) warnStackAddress(e Expr, s diag.Span) {
	for {
		switch x := e.(type) {
		case *Member:
			e = x.X
			continue
		case *VarRef:
			if x.Var.Kind == AutoVar || x.Var.Kind == ParamVar {
				c.rep.Report(diag.ReturnStackAddress, s, "address of stack memory associated with local variable '%s' returned", x.Var.Name)
			}
		}
		return
	}
}

// warnBounds warns of constant subscripts outside an array.
func (c *warnings) warnBounds(base, i Expr) {
	t := base.Type()
	k, ok := i.(*Const)
	if t.Kind != types.Array || t.Len < 0 || !ok || c.discard > 0 {
		return
	}
	n := signedValue(k.T.Num(), k.Bits[0])
	switch {
	case n < 0:
		c.rep.Report(diag.ArrayBounds, i.Span(), "array index %d is before the beginning of the array", n)
	case n >= t.Len:
		if m, ok := base.(*Member); ok && t.Len <= 1 && m.Field.Bits < 0 {
			return // the old way to write a flexible array member
		}
		c.rep.Report(diag.ArrayBounds, i.Span(), "array index %d is past the end of the array (that has type '%s')", n, t.Unqualified())
	}
}

// warnFormat checks the arguments of printf against a literal format string
// (OpenCL C, "printf Format String", 6.15.14.2).
func (c *warnings) warnFormat(args []Expr) {
	d, ok := args[0].(*Decay)
	if !ok {
		return
	}
	str, ok := d.X.(*StringConst)
	if !ok {
		return
	}
	f := string(str.Data[:len(str.Data)-1])
	next := 1
	take := func() Expr {
		if next < len(args) {
			next++
			return args[next-1]
		}
		next++
		return nil
	}
	for {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			break
		}
		f = f[i+1:]
		if f != "" && f[0] == '%' {
			f = f[1:]
			continue
		}
		spec := parseFormat(f)
		f = f[len(spec.text):]
		for range spec.stars {
			take()
		}
		if spec.verb == 0 {
			c.rep.Report(diag.Format, args[0].Span(), "incomplete format specifier")
			return
		}
		a := take()
		if a == nil {
			continue
		}
		if want := spec.mismatch(a.Type()); want != "" {
			c.rep.Report(diag.Format, a.Span(), "format specifies type '%s' but the argument has type '%s'", want, a.Type().Unqualified())
		}
	}
	switch {
	case next > len(args):
		c.rep.Report(diag.FormatArgs, args[0].Span(), "more '%%' conversions than data arguments")
	case next < len(args):
		c.rep.Report(diag.FormatArgs, args[next].Span(), "data argument not used by format string")
	}
}

// A formatSpec is one conversion specification of a printf format string.
type formatSpec struct {
	text   string // after the %
	stars  int
	vector int // n of the modifier vn; 0 for a scalar
	length string
	verb   byte
}

func parseFormat(f string) (s formatSpec) {
	i := 0
	skip := func(set string) {
		for i < len(f) && strings.IndexByte(set, f[i]) >= 0 {
			if f[i] == '*' {
				s.stars++
			}
			i++
		}
	}
	skip("-+ #0")
	skip("0123456789*")
	if i < len(f) && f[i] == '.' {
		i++
		skip("0123456789*")
	}
	if i < len(f) && f[i] == 'v' {
		for i++; i < len(f) && f[i] >= '0' && f[i] <= '9'; i++ {
			s.vector = min(s.vector*10+int(f[i]-'0'), 100)
		}
	}
	start := i
	skip("hlLzjt")
	s.length = f[start:i]
	if i < len(f) {
		s.verb = f[i]
		i++
	}
	s.text = f[:i]
	return s
}

// mismatch returns the type that the specification requires if the argument has another one.
func (s *formatSpec) mismatch(t types.QType) string {
	if s.vector > 0 {
		if !t.IsVector() || int(t.Len) != s.vector {
			return "a vector of " + strconv.Itoa(s.vector) + " elements"
		}
		return ""
	}
	switch s.verb {
	case 'd', 'i', 'o', 'u', 'x', 'X':
		long := strings.HasPrefix(s.length, "l") || s.length == "z" || s.length == "j" || s.length == "t"
		if !t.IsInteger() || (t.Size() == 8) != long {
			if long {
				return "long"
			}
			return "int"
		}
	case 'c':
		if !t.IsInteger() {
			return "int"
		}
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		if !t.IsFloating() {
			return "double"
		}
	case 's', 'p':
		if !t.IsPointer() {
			return map[byte]string{'s': "char *", 'p': "void *"}[s.verb]
		}
	}
	return ""
}

package syntax

import (
	"math"

	"github.com/purecl/purecl/internal/front/diag"
)

// A ppValue is a value of type intmax_t or uintmax_t (C99 6.10.1p4).
type ppValue struct {
	v        uint64
	unsigned bool
	span     diag.Span
}

func (v ppValue) truth() bool { return v.v != 0 }

// ifDirective processes #if.
func (p *preprocessor) ifDirective(name *Token) { p.open(name, p.condition(name)) }

// ifdefDirective processes #ifdef and, where want is false, #ifndef.
func (p *preprocessor) ifdefDirective(name *Token, want bool) {
	is, ok := p.isDefined(name.Text)
	p.open(name, ok && is == want)
}

// isDefined reads the operand of a directive such as #ifdef.
func (p *preprocessor) isDefined(directive string) (is, ok bool) {
	var t Token
	if !p.macroName(&t) {
		return false, false
	}
	is = p.macroOf(&t) != nil
	p.endOfLine(directive)
	return is, true
}

// open begins a conditional whose first group is taken or skipped.
func (p *preprocessor) open(name *Token, taken bool) {
	p.conds = append(p.conds, ppCond{at: name.Span(), taken: taken})
	if !taken {
		p.skipGroups()
	}
}

// innermost returns the open conditional of this file that #else and the like belong
// to; without one it reports that.
func (p *preprocessor) innermost(name *Token) *ppCond {
	if len(p.conds) > p.files[len(p.files)-1].conds {
		return &p.conds[len(p.conds)-1]
	}
	p.rep.Report(diag.ConditionalWithoutIf, name.Span(), "#%s without #if", name.Text)
	return nil
}

// elseDirective meets #elif or #else after a group that was processed: the rest of
// the conditional is skipped.
func (p *preprocessor) elseDirective(name *Token) {
	c := p.innermost(name)
	if c == nil {
		return
	}
	if c.els {
		p.rep.Report(diag.ElseAfterElse, name.Span(), "#%s after #else", name.Text)
	}
	if name.Text == "else" {
		c.els = true
		p.endOfLine("else")
	}
	p.skipGroups()
}

func (p *preprocessor) endifDirective(name *Token) {
	if p.innermost(name) != nil {
		p.conds = p.conds[:len(p.conds)-1]
	}
	p.endOfLine("endif")
}

// skipGroups skips groups of the innermost conditional up to one that is to be
// processed or its #endif (C99 6.10.1p6). Nested conditionals are only counted.
func (p *preprocessor) skipGroups() {
	s := p.cur
	p.skipLine()
	depth := 0
	var name Token
	for {
		s.inLine = false
		if !s.skipToDirective() {
			return // leave reports the conditional as unterminated
		}
		s.inLine, s.lineStart = true, false
		p.raw(&name)
		if name.Kind == Ident {
			switch name.Text {
			case "if", "ifdef", "ifndef":
				depth++
			case "endif":
				if depth--; depth < 0 {
					p.endifDirective(&name)
					return
				}
			case "else", "elif", "elifdef", "elifndef":
				if depth == 0 && p.chooses(&name) {
					return
				}
			}
		}
		p.skipLine()
	}
}

// chooses reports whether the #else or #elif that name begins opens the group that
// is to be processed.
func (p *preprocessor) chooses(name *Token) bool {
	c := &p.conds[len(p.conds)-1]
	if c.els {
		p.rep.Report(diag.ElseAfterElse, name.Span(), "#%s after #else", name.Text)
		return false
	}
	if name.Text == "else" {
		c.els = true
		p.endOfLine("else")
		taken := c.taken
		c.taken = true
		return !taken
	}
	if c.taken {
		return false
	}
	is := false
	if name.Text == "elif" {
		is = p.condition(name)
	} else if def, ok := p.isDefined(name.Text); ok {
		is = def == (name.Text == "elifdef")
	}
	c.taken = is
	return is
}

// skipToDirective moves past the # of the next directive, without making tokens of
// what is skipped, and reports whether there is one. It starts at the end of a line.
func (s *ppScanner) skipToDirective() bool {
	src, i := s.src, s.off
	fresh := s.off == 0 // at the start of a line
	for i < len(src) {
		c := src[i]
		switch class := ppClass[c]; {
		case class == ppEnd:
			fresh = true
			i++
		case class&ppBlank != 0:
			i++
		case c == '/':
			j := i + 1 + s.splice(i+1)
			switch {
			case j < len(src) && src[j] == '/':
				i = s.lineComment(j + 1)
			case j < len(src) && src[j] == '*':
				i = s.blockComment(i, j+1)
			default:
				fresh = false
				i++
			}
		case c == '#' && fresh:
			s.off = i + 1
			return true
		case fresh && (c == '%' && i+1 < len(src) && src[i+1] == ':'):
			s.off = i + 2
			return true
		case fresh && c == '?' && ppTrigraph(src[i:]) == '#':
			s.off = i + 3
			return true
		case c == '"' || c == '\'':
			fresh = false
			for i++; i < len(src) && src[i] != c && ppClass[src[i]] != ppEnd; i++ {
				if src[i] == '\\' || src[i] == '?' {
					if n := s.splice(i); n > 0 {
						i += n - 1
					} else if src[i] == '\\' && i+1 < len(src) && ppClass[src[i+1]] != ppEnd {
						i++
					}
				}
			}
			if i < len(src) && src[i] == c {
				i++
			}
		case class&ppSplice != 0:
			if n := s.splice(i); n > 0 {
				i += n
			} else {
				fresh = false
				i++
			}
		default:
			fresh = false
			i++
		}
	}
	s.off = i
	return false
}

// A ppExpr parses and evaluates the expression of #if (C99 6.10.1): a constant
// expression whose remaining identifiers are 0.
type ppExpr struct {
	p     *preprocessor
	toks  []Token
	i     int
	depth int
	end   Token // stands at the line's end
	fail  bool
}

// condition evaluates the rest of the directive's line.
func (p *preprocessor) condition(name *Token) bool {
	e := ppExpr{p: p}
	e.toks, e.end = p.conditionTokens()
	if p.stopped {
		return false
	}
	if len(e.toks) == 0 {
		p.rep.Report(diag.BadCondition, e.end.Span(), "expected value in expression")
		return false
	}
	v := e.ternary(true)
	if t := e.peek(); !e.fail && t.Kind != EOF {
		if t.Kind == Comma {
			e.error(t, "expected end of line in preprocessor expression")
		} else {
			e.error(t, "token is not a valid binary operator in a preprocessor subexpression")
		}
	}
	return !e.fail && v.truth()
}

// conditionTokens reads the line macro-replaced, with the operator defined evaluated.
func (p *preprocessor) conditionTokens() (list []Token, end Token) {
	var t Token
	for {
		p.next(&t)
		switch {
		case t.Kind == EOF:
			return list, t
		case t.Kind == Ident && t.Text == "defined":
			if !p.definedOperator(&t) {
				p.skipLine()
				return append(list, Token{Kind: Invalid, Pos: t.Pos}), Token{Kind: EOF, Pos: t.Pos}
			}
		case t.Kind == Ident && p.expand(&t):
			continue
		}
		list = append(list, t)
	}
}

// definedOperator evaluates "defined X" or "defined ( X )" and makes t its result.
func (p *preprocessor) definedOperator(t *Token) bool {
	var x, open Token
	p.next(&x)
	paren := x.Kind == LParen
	if paren {
		open = x
		p.next(&x)
	}
	if x.Kind != Ident {
		if x.Kind == EOF {
			p.rep.Report(diag.MacroName, x.Span(), "macro name missing")
		} else {
			p.rep.Report(diag.MacroName, x.Span(), "macro name must be an identifier")
		}
		return false
	}
	text := "0"
	if p.macroOf(&x) != nil {
		text = "1"
	}
	end := x.Pos + diag.Pos(x.Len)
	if paren {
		p.next(&x)
		if x.Kind != RParen {
			p.rep.Report(diag.BadCondition, x.Span(), "missing ')' after 'defined'").Note(open.Span(), "to match this '('")
			return false
		}
		end = x.Pos + 1
	}
	t.Kind, t.Text = Number, text
	if end > t.Pos {
		t.Len = uint32(end - t.Pos)
	}
	return true
}

func (e *ppExpr) peek() *Token {
	if e.i < len(e.toks) {
		return &e.toks[e.i]
	}
	return &e.end
}

func (e *ppExpr) error(t *Token, format string, args ...any) *diag.Diagnostic {
	if e.fail {
		return nil
	}
	e.fail = true
	if t.Kind == Invalid && t.Text == "" { // reported already
		return nil
	}
	return e.p.rep.Report(diag.BadCondition, t.Span(), format, args...)
}

// ppPrec is the precedence of the binary operators (C99 6.5.5–6.5.14).
var ppPrec = [numKinds]int8{Star: 10, Slash: 10, Percent: 10, Plus: 9, Minus: 9, Shl: 8, Shr: 8,
	Lt: 7, Gt: 7, Le: 7, Ge: 7, EqEq: 6, NotEq: 6, Amp: 5, Caret: 4, Pipe: 3, AndAnd: 2, OrOr: 1}

// ppMaxDepth bounds the nesting of an expression in #if.
const ppMaxDepth = 1000

// ternary parses "binary" or "binary ? ternary : ternary". Where live is false the
// value is not used, so that arithmetic problems in it are not reported.
func (e *ppExpr) ternary(live bool) ppValue {
	if e.depth++; e.depth > ppMaxDepth {
		e.error(e.peek(), "expression nested more than %d deep", ppMaxDepth)
		return ppValue{}
	}
	defer func() { e.depth-- }()
	c := e.binary(1, live)
	quest := e.peek()
	if e.fail || quest.Kind != Question {
		return c
	}
	e.i++
	x := e.ternary(live && c.truth())
	if t := e.peek(); !e.fail && t.Kind != Colon {
		e.error(t, "expected ':'").Note(quest.Span(), "to match this '?'")
	}
	e.i++
	if e.fail {
		return c
	}
	y := e.ternary(live && !c.truth())
	v := y
	if c.truth() {
		v = x
	}
	v.unsigned = x.unsigned || y.unsigned
	v.span = c.span.Join(y.span)
	return v
}

// binary parses a chain of binary operators of at least precedence min.
func (e *ppExpr) binary(min int8, live bool) ppValue {
	x := e.unary(live)
	for !e.fail {
		op := e.peek()
		prec := ppPrec[op.Kind]
		if prec < min || prec == 0 {
			return x
		}
		e.i++
		use := live
		switch op.Kind {
		case AndAnd:
			use = live && x.truth()
		case OrOr:
			use = live && !x.truth()
		}
		if e.depth++; e.depth > ppMaxDepth {
			e.error(op, "expression nested more than %d deep", ppMaxDepth)
		}
		y := e.binary(prec+1, use)
		e.depth--
		if !e.fail {
			x = e.apply(op, x, y, live)
		}
	}
	return x
}

// unary parses an operand with its prefix operators.
func (e *ppExpr) unary(live bool) ppValue {
	first := e.i
	for k := e.peek().Kind; k == Plus || k == Minus || k == Tilde || k == Not; k = e.peek().Kind {
		e.i++
	}
	last := e.i
	v := e.primary(live)
	if e.fail {
		return v
	}
	for i := last - 1; i >= first; i-- { // from the operand outwards
		op := &e.toks[i]
		switch op.Kind {
		case Minus:
			if live && !v.unsigned && int64(v.v) == math.MinInt64 {
				e.overflow(op)
			}
			v.v = -v.v
		case Tilde:
			v.v = ^v.v
		case Not:
			v.v, v.unsigned = ppBool(v.v == 0), false
		}
		v.span = op.Span().Join(v.span)
	}
	return v
}

func ppBool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *ppExpr) overflow(op *Token) {
	e.p.rep.Report(diag.ConditionOverflow, op.Span(), "integer overflow in preprocessor expression")
}

// primary parses a constant, an identifier (0) or a parenthesised expression.
func (e *ppExpr) primary(live bool) ppValue {
	t := e.peek()
	e.i++
	switch t.Kind {
	case EOF:
		e.error(t, "expected value in expression")
	case Number:
		return e.number(t)
	case CharLit:
		v, issues := CharConstant(t.Text)
		e.p.reportLiteral(t, issues)
		return ppValue{uint64(v), false, t.Span()}
	case Ident:
		if e.peek().Kind == LParen {
			e.error(t, "function-like macro '%s' is not defined", ppClip(t.Text))
			break
		}
		if live {
			e.p.rep.Report(diag.Undef, t.Span(), "'%s' is not defined, evaluates to 0", t.Text)
		}
		return ppValue{0, false, t.Span()}
	case LParen:
		v := e.ternary(live)
		close := e.peek()
		if !e.fail && close.Kind != RParen {
			if close.Kind == EOF || close.Kind == Number || close.Kind == Ident || close.Kind == LParen {
				e.error(close, "expected ')' in preprocessor expression").Note(t.Span(), "to match this '('")
			} else {
				e.error(close, "token is not a valid binary operator in a preprocessor subexpression")
			}
		}
		e.i++
		v.span = t.Span().Join(close.Span())
		return v
	default:
		e.error(t, "invalid token at start of a preprocessor expression")
	}
	return ppValue{}
}

func (e *ppExpr) number(t *Token) ppValue {
	c, isFloat, bad, at := IntConstant(t.Text)
	switch {
	case isFloat:
		e.error(t, "floating point literal in preprocessor expression")
	case bad != "":
		if !e.fail {
			e.fail = true
			s := t.Span()
			if s.Pos += diag.Pos(at); s.Pos >= s.End {
				s = t.Span()
			}
			e.p.rep.Report(diag.BadCondition, s, "%s", bad)
		}
	case c.Overflow:
		e.error(t, "integer literal is too large to be represented in any integer type")
	}
	v := ppValue{c.Value, c.Unsigned, t.Span()}
	if !c.Unsigned && int64(c.Value) < 0 {
		v.unsigned = true
		if c.Base == 10 {
			e.p.rep.Report(diag.IntegerTooLarge, t.Span(), "integer literal is too large to be represented in a signed integer type, interpreting as unsigned")
		}
	}
	return v
}

func (p *preprocessor) reportLiteral(t *Token, issues []LiteralIssue) {
	for _, i := range issues {
		span := diag.Span{Pos: t.Pos + diag.Pos(i.From), End: t.Pos + diag.Pos(i.To)}
		if int(t.Len) != len(t.Text) {
			span = t.Span()
		}
		p.rep.Report(i.Code, span, "%s", i.Message)
	}
}

// apply computes x op y with the usual arithmetic conversions (C99 6.3.1.8).
func (e *ppExpr) apply(op *Token, x, y ppValue, live bool) ppValue {
	r := ppValue{span: x.span.Join(y.span)}
	shift, logic := op.Kind == Shl || op.Kind == Shr, op.Kind == AndAnd || op.Kind == OrOr
	u := x.unsigned || y.unsigned
	if shift || logic {
		u = x.unsigned
	} else if live && u {
		for i, v := range [...]ppValue{x, y} {
			if !v.unsigned && int64(v.v) < 0 {
				e.p.rep.Report(diag.ConditionSign, op.Span(), "%s side of operator converted from negative value to unsigned: %d to %d",
					[...]string{"left", "right"}[i], int64(v.v), v.v)
			}
		}
	}
	r.unsigned = u
	a, b := x.v, y.v
	sa, sb := int64(a), int64(b)
	over := false
	switch op.Kind {
	case Star:
		r.v = a * b
		over = !u && sa != 0 && (int64(r.v)/sa != sb || sa == -1 && sb == math.MinInt64)
	case Slash, Percent:
		if b == 0 {
			if live {
				e.error(op, "%s by zero in preprocessor expression", map[Kind]string{Slash: "division", Percent: "remainder"}[op.Kind])
			}
			return r
		}
		div := op.Kind == Slash
		switch {
		case u && div:
			r.v = a / b
		case u:
			r.v = a % b
		case sb == -1 && div:
			r.v = -a
			over = sa == math.MinInt64
		case sb == -1:
		case div:
			r.v = uint64(sa / sb)
		default:
			r.v = uint64(sa % sb)
		}
	case Plus:
		r.v = a + b
		over = !u && (sb > 0 && int64(r.v) < sa || sb < 0 && int64(r.v) > sa)
	case Minus:
		r.v = a - b
		over = !u && (sb < 0 && int64(r.v) < sa || sb > 0 && int64(r.v) > sa)
	case Shl, Shr:
		r.v, over = ppShift(x, y, op.Kind == Shl)
	case Amp:
		r.v = a & b
	case Pipe:
		r.v = a | b
	case Caret:
		r.v = a ^ b
	default:
		r.v, r.unsigned = ppBool(ppCompare(op.Kind, a, b, u)), false
	}
	if over && live {
		e.overflow(op)
	}
	return r
}

// ppShift shifts x by y; a negative count shifts the other way, as in clang.
func ppShift(x, y ppValue, left bool) (v uint64, over bool) {
	n := y.v
	if !y.unsigned && int64(n) < 0 {
		left, n = !left, -n
	}
	switch {
	case left && n >= 64:
		return 0, true
	case left:
		v = x.v << n
		return v, !x.unsigned && int64(v)>>n != int64(x.v)
	case x.unsigned && n >= 64:
		return 0, true
	case x.unsigned:
		return x.v >> n, false
	default:
		return uint64(int64(x.v) >> min(n, 63)), n >= 64
	}
}

// ppCompare evaluates a relational, equality or logical operator.
func ppCompare(op Kind, a, b uint64, unsigned bool) bool {
	less, greater := int64(a) < int64(b), int64(a) > int64(b)
	if unsigned {
		less, greater = a < b, a > b
	}
	switch op {
	case Lt:
		return less
	case Gt:
		return greater
	case Le:
		return !greater
	case Ge:
		return !less
	case EqEq:
		return a == b
	case NotEq:
		return a != b
	case AndAnd:
		return a != 0 && b != 0
	default:
		return a != 0 || b != 0
	}
}

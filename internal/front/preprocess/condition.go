package preprocess

import (
	"math"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A constant is a value of type intmax_t or uintmax_t (C99 6.10.1p4).
type constant struct {
	v        uint64
	unsigned bool
	span     diag.Span
}

func (v constant) truth() bool { return v.v != 0 }

// ifDirective processes #if.
func (p *preprocessor) ifDirective(name *token.Token) { p.open(name, p.condition(name)) }

// ifdefDirective processes #ifdef or, if want is false, #ifndef.
func (p *preprocessor) ifdefDirective(name *token.Token, want bool) {
	is, ok := p.isDefined(name.Text)
	p.open(name, ok && is == want)
}

// isDefined reads the operand of a directive such as #ifdef.
func (p *preprocessor) isDefined(directive string) (is, ok bool) {
	var t token.Token
	if !p.macroName(&t) {
		return false, false
	}
	m := p.macroOf(&t)
	p.record.use(m, t.Span())
	is = m != nil
	p.endOfLine(directive)
	return is, true
}

// open begins a conditional whose first group is processed or skipped.
func (p *preprocessor) open(name *token.Token, taken bool) {
	p.conds = append(p.conds, conditional{at: name.Span(), taken: taken})
	if !taken {
		p.skipGroups()
	}
}

// innermost returns this file's innermost open conditional, to which #else and the like belong. If there is none,
// it reports that.
func (p *preprocessor) innermost(name *token.Token) *conditional {
	if len(p.conds) > p.files[len(p.files)-1].conds {
		return &p.conds[len(p.conds)-1]
	}
	p.rep.Report(diag.ConditionalWithoutIf, name.Span(), "#%s without #if", name.Text)
	return nil
}

// elseDirective processes #elif or #else after a processed group: the rest of the conditional is skipped.
func (p *preprocessor) elseDirective(name *token.Token) {
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

func (p *preprocessor) endifDirective(name *token.Token) {
	if p.innermost(name) != nil {
		p.conds = p.conds[:len(p.conds)-1]
	}
	p.endOfLine("endif")
}

// skipGroups skips groups of the innermost conditional up to the group to process or the #endif (C99 6.10.1p6).
// Nested conditionals are only counted.
func (p *preprocessor) skipGroups() {
	s := p.cur
	p.skipLine()
	depth := 0
	var name token.Token
	from := s.base + diag.Pos(s.off)
	defer func() {
		if p.record != nil {
			p.record.skip(from, s.lineOf(name.Pos))
		}
	}()
	for {
		s.inLine = false
		if !s.skipToDirective() {
			name.Pos = s.base + diag.Pos(s.off)
			return // leave reports the conditional as unterminated
		}
		s.inLine, s.lineStart = true, false
		p.raw(&name)
		if name.Kind == token.Ident {
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

// chooses reports whether the #else or #elif at name begins the group to process.
func (p *preprocessor) chooses(name *token.Token) bool {
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

// skipToDirective moves past the # of the next directive without scanning tokens of the text before it. It returns
// false if there is none. It starts at the end of a line.
func (s *scanner) skipToDirective() bool {
	src, i := s.src, s.off
	fresh := s.off == 0 // at the start of a line
	for i < len(src) {
		c := src[i]
		switch class := byteClass[c]; {
		case class == classEnd:
			fresh = true
			i++
		case class&classBlank != 0:
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
		case fresh && c == '?' && trigraph(src[i:]) == '#':
			s.off = i + 3
			return true
		case c == '"' || c == '\'':
			fresh = false
			for i++; i < len(src) && src[i] != c && byteClass[src[i]] != classEnd; i++ {
				if src[i] == '\\' || src[i] == '?' {
					if n := s.splice(i); n > 0 {
						i += n - 1
					} else if src[i] == '\\' && i+1 < len(src) && byteClass[src[i+1]] != classEnd {
						i++
					}
				}
			}
			if i < len(src) && src[i] == c {
				i++
			}
		case class&classSplice != 0:
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

// A condition parses and evaluates the expression of #if (C99 6.10.1): a constant
// expression whose remaining identifiers are 0.
type condition struct {
	p     *preprocessor
	toks  []token.Token
	i     int
	depth int
	end   token.Token // the token at the line's end
	fail  bool
}

// condition evaluates the rest of the directive's line.
func (p *preprocessor) condition(name *token.Token) bool {
	e := condition{p: p}
	e.toks, e.end = p.conditionTokens()
	if p.stopped {
		return false
	}
	if len(e.toks) == 0 {
		p.rep.Report(diag.BadCondition, e.end.Span(), "expected value in expression")
		return false
	}
	v := e.ternary(true)
	if t := e.peek(); !e.fail && t.Kind != token.EOF {
		if t.Kind == token.Comma {
			e.error(t, "expected end of line in preprocessor expression")
		} else {
			e.error(t, "token is not a valid binary operator in a preprocessor subexpression")
		}
	}
	return !e.fail && v.truth()
}

// conditionTokens reads the line with macros replaced and the operator defined evaluated.
func (p *preprocessor) conditionTokens() (list []token.Token, end token.Token) {
	var t token.Token
	for {
		p.next(&t)
		switch {
		case t.Kind == token.EOF:
			return list, t
		case t.Kind == token.Ident && t.Text == "defined":
			if !p.definedOperator(&t) {
				p.skipLine()
				return append(list, token.Token{Kind: token.Invalid, Pos: t.Pos}), token.Token{Kind: token.EOF, Pos: t.Pos}
			}
		case t.Kind == token.Ident && p.expand(&t):
			continue
		}
		list = append(list, t)
	}
}

// definedOperator evaluates "defined X" or "defined ( X )" and replaces t by its result.
func (p *preprocessor) definedOperator(t *token.Token) bool {
	var x, open token.Token
	p.next(&x)
	paren := x.Kind == token.LParen
	if paren {
		open = x
		p.next(&x)
	}
	if x.Kind != token.Ident {
		if x.Kind == token.EOF {
			p.rep.Report(diag.MacroName, x.Span(), "macro name missing")
		} else {
			p.rep.Report(diag.MacroName, x.Span(), "macro name must be an identifier")
		}
		return false
	}
	text := "0"
	if m := p.macroOf(&x); m != nil {
		p.record.use(m, x.Span())
		text = "1"
	}
	end := x.Pos + diag.Pos(x.Len)
	if paren {
		p.next(&x)
		if x.Kind != token.RParen {
			p.rep.Report(diag.BadCondition, x.Span(), "missing ')' after 'defined'").Note(open.Span(), "to match this '('")
			return false
		}
		end = x.Pos + 1
	}
	t.Kind, t.Text = token.Number, text
	if end > t.Pos {
		t.Len = uint32(end - t.Pos)
	}
	return true
}

func (e *condition) peek() *token.Token {
	if e.i < len(e.toks) {
		return &e.toks[e.i]
	}
	return &e.end
}

func (e *condition) error(t *token.Token, format string, args ...any) *diag.Diagnostic {
	if e.fail {
		return nil
	}
	e.fail = true
	if t.Kind == token.Invalid && t.Text == "" { // reported already
		return nil
	}
	return e.p.rep.Report(diag.BadCondition, t.Span(), format, args...)
}

// precedence is the precedence of the binary operators (C99 6.5.5–6.5.14).
var precedence = [token.NumKinds]int8{token.Star: 10, token.Slash: 10, token.Percent: 10, token.Plus: 9, token.Minus: 9, token.Shl: 8, token.Shr: 8,
	token.Lt: 7, token.Gt: 7, token.Le: 7, token.Ge: 7, token.EqEq: 6, token.NotEq: 6, token.Amp: 5, token.Caret: 4, token.Pipe: 3, token.AndAnd: 2, token.OrOr: 1}

// maxExpressionDepth bounds the nesting of an expression in #if.
const maxExpressionDepth = 1000

// ternary parses "binary" or "binary ? ternary : ternary". If live is false, the value is not used, and arithmetic
// errors in it are not reported.
func (e *condition) ternary(live bool) constant {
	if e.depth++; e.depth > maxExpressionDepth {
		e.error(e.peek(), "expression nested more than %d deep", maxExpressionDepth)
		return constant{}
	}
	defer func() { e.depth-- }()
	c := e.binary(1, live)
	quest := e.peek()
	if e.fail || quest.Kind != token.Question {
		return c
	}
	e.i++
	x := e.ternary(live && c.truth())
	if t := e.peek(); !e.fail && t.Kind != token.Colon {
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
func (e *condition) binary(min int8, live bool) constant {
	x := e.unary(live)
	for !e.fail {
		op := e.peek()
		prec := precedence[op.Kind]
		if prec < min || prec == 0 {
			return x
		}
		e.i++
		use := live
		switch op.Kind {
		case token.AndAnd:
			use = live && x.truth()
		case token.OrOr:
			use = live && !x.truth()
		}
		if e.depth++; e.depth > maxExpressionDepth {
			e.error(op, "expression nested more than %d deep", maxExpressionDepth)
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
func (e *condition) unary(live bool) constant {
	first := e.i
	for k := e.peek().Kind; k == token.Plus || k == token.Minus || k == token.Tilde || k == token.Not; k = e.peek().Kind {
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
		case token.Minus:
			if live && !v.unsigned && int64(v.v) == math.MinInt64 {
				e.overflow(op)
			}
			v.v = -v.v
		case token.Tilde:
			v.v = ^v.v
		case token.Not:
			v.v, v.unsigned = truth(v.v == 0), false
		}
		v.span = op.Span().Join(v.span)
	}
	return v
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *condition) overflow(op *token.Token) {
	e.p.rep.Report(diag.ConditionOverflow, op.Span(), "integer overflow in preprocessor expression")
}

// primary parses a constant, an identifier (0) or a parenthesised expression.
func (e *condition) primary(live bool) constant {
	t := e.peek()
	e.i++
	switch t.Kind {
	case token.EOF:
		e.error(t, "expected value in expression")
	case token.Number:
		return e.number(t)
	case token.CharLit:
		v, issues := token.CharConstant(t.Text)
		e.p.reportLiteral(t, issues)
		return constant{uint64(v), false, t.Span()}
	case token.Ident:
		if e.peek().Kind == token.LParen {
			e.error(t, "function-like macro '%s' is not defined", diag.Clip(t.Text))
			break
		}
		if live {
			e.p.rep.Report(diag.Undef, t.Span(), "'%s' is not defined, evaluates to 0", t.Text)
		}
		return constant{0, false, t.Span()}
	case token.LParen:
		v := e.ternary(live)
		close := e.peek()
		if !e.fail && close.Kind != token.RParen {
			if close.Kind == token.EOF || close.Kind == token.Number || close.Kind == token.Ident || close.Kind == token.LParen {
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
	return constant{}
}

func (e *condition) number(t *token.Token) constant {
	c, isFloat, bad, at := token.IntConstant(t.Text)
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
	v := constant{c.Value, c.Unsigned, t.Span()}
	if !c.Unsigned && int64(c.Value) < 0 {
		v.unsigned = true
		if c.Base == 10 {
			e.p.rep.Report(diag.IntegerTooLarge, t.Span(), "integer literal is too large to be represented in a signed integer type, interpreting as unsigned")
		}
	}
	return v
}

func (p *preprocessor) reportLiteral(t *token.Token, issues []token.LiteralIssue) {
	for _, i := range issues {
		span := diag.Span{Pos: t.Pos + diag.Pos(i.From), End: t.Pos + diag.Pos(i.To)}
		if int(t.Len) != len(t.Text) {
			span = t.Span()
		}
		p.rep.Report(i.Code, span, "%s", i.Message)
	}
}

// apply computes x op y with the usual arithmetic conversions (C99 6.3.1.8).
func (e *condition) apply(op *token.Token, x, y constant, live bool) constant {
	r := constant{span: x.span.Join(y.span)}
	shift, logic := op.Kind == token.Shl || op.Kind == token.Shr, op.Kind == token.AndAnd || op.Kind == token.OrOr
	u := x.unsigned || y.unsigned
	if shift || logic {
		u = x.unsigned
	} else if live && u {
		for i, v := range [...]constant{x, y} {
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
	case token.Star:
		r.v = a * b
		over = !u && sa != 0 && (int64(r.v)/sa != sb || sa == -1 && sb == math.MinInt64)
	case token.Slash, token.Percent:
		if b == 0 {
			if live {
				e.error(op, "%s by zero in preprocessor expression", map[token.Kind]string{token.Slash: "division", token.Percent: "remainder"}[op.Kind])
			}
			return r
		}
		div := op.Kind == token.Slash
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
	case token.Plus:
		r.v = a + b
		over = !u && (sb > 0 && int64(r.v) < sa || sb < 0 && int64(r.v) > sa)
	case token.Minus:
		r.v = a - b
		over = !u && (sb < 0 && int64(r.v) < sa || sb > 0 && int64(r.v) > sa)
	case token.Shl, token.Shr:
		r.v, over = shiftBy(x, y, op.Kind == token.Shl)
	case token.Amp:
		r.v = a & b
	case token.Pipe:
		r.v = a | b
	case token.Caret:
		r.v = a ^ b
	default:
		r.v, r.unsigned = truth(compare(op.Kind, a, b, u)), false
	}
	if over && live {
		e.overflow(op)
	}
	return r
}

// shiftBy shifts x by y; a negative count shifts the other way, as in clang.
func shiftBy(x, y constant, left bool) (v uint64, over bool) {
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

// compare evaluates a relational, equality or logical operator.
func compare(op token.Kind, a, b uint64, unsigned bool) bool {
	less, greater := int64(a) < int64(b), int64(a) > int64(b)
	if unsigned {
		less, greater = a < b, a > b
	}
	switch op {
	case token.Lt:
		return less
	case token.Gt:
		return greater
	case token.Le:
		return !greater
	case token.Ge:
		return !less
	case token.EqEq:
		return a == b
	case token.NotEq:
		return a != b
	case token.AndAnd:
		return a != 0 && b != 0
	default:
		return a != 0 || b != 0
	}
}

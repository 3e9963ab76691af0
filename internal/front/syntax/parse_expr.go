package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// binaryPrec is the precedence of each binary operator, loosest first; 0 for others.
var binaryPrec = [256]uint8{token.OrOr: 1, token.AndAnd: 2, token.Pipe: 3, token.Caret: 4, token.Amp: 5, token.EqEq: 6, token.NotEq: 6,
	token.Lt: 7, token.Gt: 7, token.Le: 7, token.Ge: 7, token.Shl: 8, token.Shr: 8, token.Plus: 9, token.Minus: 9, token.Star: 10, token.Slash: 10, token.Percent: 10}

// An exprParser parses expressions and initializers. It must know of type names and blocks only how they begin: upper
// parses them.
type exprParser struct {
	recovery
	*exprMemory
	upper upper

	// operators that wait for their right operands, which are read in loops
	prefixes []prefix
	conds    []condPart
	assigns  []assignPart
}

// An upper parses for lower layers what belongs to upper ones: the types in expressions, and the blocks in expressions
// and function definitions.
type upper interface {
	parseTypeName() *TypeName // type-name
	parenType() *TypeName     // "(" type-name ")"
	compound() *Block         // compound-statement
}

// Chains of operators are loops here, not recursion: only maxHeight bounds their length. p.height accumulates
// the height of the tree; a function that increases it starts at 0 and passes the greater of both heights to
// its caller.

// expr parses
//
//	expression: assignment-expression { "," assignment-expression }
func (p *exprParser) expr() Expr {
	pos := p.pos()
	x := p.assignment()
	if p.c != token.Comma {
		return x
	}
	saved := p.height
	for p.c == token.Comma {
		op := p.tok().Span()
		p.next()
		y := p.assignment()
		b := p.exprNodes.binary.New()
		b.node, b.Op, b.OpSpan, b.X, b.Y = p.from(pos), token.Comma, op, x, y
		x = b
		p.grow()
	}
	p.height = max(p.height, saved)
	return x
}

// An assignPart is the left side of an assignment whose right side has not been read yet.
type assignPart struct {
	pos diag.Pos
	x   Expr
	op  token.Kind
	at  diag.Span
}

// assignment parses
//
//	assignment-expression: conditional-expression
//	    | unary-expression assignment-operator assignment-expression
//
// Whether the left side is a unary expression is left to check.
func (p *exprParser) assignment() Expr {
	pos := p.pos()
	x := p.conditional()
	if kindClass[p.c]&clsAssign == 0 {
		return x
	}
	saved := p.height
	mark := len(p.assigns)
	for kindClass[p.c]&clsAssign != 0 {
		p.assigns = append(p.assigns, assignPart{pos, x, p.c, p.tok().Span()})
		p.next()
		pos = p.pos()
		if p.c == token.LBrace {
			p.errorHere(diag.ExpectedExpr, "expected expression")
		}
		x = p.conditional()
	}
	for i := len(p.assigns) - 1; i >= mark; i-- {
		s := &p.assigns[i]
		a := p.exprNodes.assign.New()
		a.node, a.Op, a.OpSpan, a.X, a.Y = p.from(s.pos), s.op, s.at, s.x, x
		x = a
		s.x = nil
		p.grow()
	}
	p.assigns = p.assigns[:mark]
	p.height = max(p.height, saved)
	return x
}

// A condPart is a conditional expression whose third operand has not been read yet.
type condPart struct {
	pos   diag.Pos
	c, x  Expr
	quest diag.Pos
}

// conditional parses
//
//	conditional-expression: binary-expression [ "?" [ expression ] ":" conditional-expression ]
func (p *exprParser) conditional() Expr {
	pos := p.pos()
	x := p.unary()
	if binaryPrec[p.c] != 0 {
		x = p.binary(pos, x, 1)
	}
	if p.c != token.Question {
		return x
	}
	saved := p.height
	mark := len(p.conds)
	for p.c == token.Question {
		part := condPart{pos: pos, c: x, quest: p.pos()}
		quest := p.i
		p.next()
		if p.c != token.Colon {
			if !p.enter(nestParen) {
				break
			}
			part.x = p.expr()
			p.leave(nestParen)
		}
		if p.c != token.Colon {
			p.unexpected("expected ':'").Note(p.toks[quest].Span(), "to match this '?'")
			x = p.badExpr()
			p.conds = append(p.conds, part)
			break
		}
		p.conds = append(p.conds, part)
		p.next()
		pos = p.pos()
		x = p.unary()
		if binaryPrec[p.c] != 0 {
			x = p.binary(pos, x, 1)
		}
	}
	for i := len(p.conds) - 1; i >= mark; i-- {
		s := &p.conds[i]
		c := p.exprNodes.cond.New()
		c.node, c.C, c.X, c.Y, c.Quest = p.from(s.pos), s.c, s.x, x, s.quest
		x = c
		*s = condPart{}
		p.grow()
	}
	p.conds = p.conds[:mark]
	p.height = max(p.height, saved)
	return x
}

// binary parses the rest of a binary expression that begins with x, with operators of
// at least the precedence least:
//
//	binary-expression: cast-expression { binary-operator cast-expression }
func (p *exprParser) binary(pos diag.Pos, x Expr, least uint8) Expr {
	for {
		prec := binaryPrec[p.c]
		if prec < least || prec == 0 {
			return x
		}
		op, at := p.c, p.tok().Span()
		p.next()
		saved := p.height
		p.height = 0
		right := p.pos()
		y := p.unary()
		if binaryPrec[p.c] > prec {
			y = p.binary(right, y, prec+1)
		}
		p.height = max(p.height, saved)
		b := p.exprNodes.binary.New()
		b.node, b.Op, b.OpSpan, b.X, b.Y = p.from(pos), op, at, x, y
		x = b
		p.grow()
	}
}

// A prefix is a prefix operator or cast whose operand has not been read yet.
type prefix struct {
	op  token.Kind // LParen for a cast, kwSizeof … for those
	pos diag.Pos
	typ *TypeName
}

// unary parses
//
//	cast-expression: { prefix-operator | "(" type-name ")" } postfix-expression
//	unary-operator: "+" | "-" | "~" | "!" | "*" | "&" | "++" | "--" | "sizeof" | "_Alignof" | "vec_step"
func (p *exprParser) unary() Expr {
	if p.c == token.Ident || p.c == token.Number {
		return p.postfix(p.pos(), p.primary())
	}
	saved := p.height
	p.height = 0
	mark := len(p.prefixes)
	x := p.operand()
	for i := len(p.prefixes) - 1; i >= mark; i-- {
		x = p.applyPrefix(&p.prefixes[i], x)
		p.grow()
	}
	p.prefixes = p.prefixes[:mark]
	p.height = max(p.height, saved)
	return x
}

// applyPrefix returns the node of one prefix operator.
func (p *exprParser) applyPrefix(s *prefix, x Expr) Expr {
	switch s.op {
	case token.LParen:
		c := p.exprNodes.cast.New()
		c.node, c.Type, c.X = p.from(s.pos), s.typ, x
		return c
	case kwSizeof, kwAlignof, kwVecStep:
		return &TypeOp{node: p.from(s.pos), Op: typeOpText[s.op-kwSizeof], X: x}
	}
	u := p.exprNodes.unary.New()
	u.node, u.Op, u.X = p.from(s.pos), s.op, x
	return u
}

var typeOpText = [...]string{"sizeof", "alignof", "vec_step"}

// operand pushes prefix operators on p.prefixes and parses their operand.
func (p *exprParser) operand() Expr {
	for {
		pos := p.pos()
		switch p.c {
		case token.Plus, token.Minus, token.Tilde, token.Not, token.Star, token.Amp, token.Inc, token.Dec:
			p.prefixes = append(p.prefixes, prefix{op: p.c, pos: pos})
			p.next()
		case kwExtension:
			p.next()
		case kwSizeof, kwAlignof, kwVecStep:
			op := p.c
			p.next()
			if p.c != token.LParen || !p.startsType(p.i+1) {
				p.prefixes = append(p.prefixes, prefix{op: op, pos: pos})
				continue
			}
			lit := p.pos()
			t := p.upper.parenType()
			if p.c != token.LBrace {
				return &TypeOp{node: p.from(pos), Op: typeOpText[op-kwSizeof], Type: t}
			}
			p.prefixes = append(p.prefixes, prefix{op: op, pos: pos})
			return p.postfix(lit, p.compoundLit(lit, t))
		case token.LParen:
			if !p.startsType(p.i+1) && !p.unknownCast() {
				return p.postfix(pos, p.primary())
			}
			t := p.upper.parenType()
			switch {
			case p.c == token.LBrace:
				return p.postfix(pos, p.compoundLit(pos, t))
			case p.c == token.LParen && t.isVector() && !p.startsType(p.i+1):
				c := p.exprNodes.cast.New()
				c.Type, c.VectorLit = t, true
				c.X = p.primary()
				c.node = p.from(pos)
				return p.postfix(pos, c)
			}
			p.prefixes = append(p.prefixes, prefix{op: token.LParen, pos: pos, typ: t})
		default:
			return p.postfix(pos, p.primary())
		}
	}
}

// unknownCast reports whether the "(" at the current token begins a cast to an
// unknown type: (name) or (name *) with an operand that could not follow otherwise.
func (p *exprParser) unknownCast() bool {
	if p.peek(1) != token.Ident || p.meaningAt(p.i+1) != undeclared {
		return false
	}
	n := 2
	for p.peek(n) == token.Star {
		n++
	}
	if p.peek(n) != token.RParen {
		return false
	}
	k := p.peek(n + 1)
	return k == token.Ident || k == token.Number || n > 2
}

// compoundLit parses the braces of
//
//	compound-literal: "(" type-name ")" "{" initializer-list [ "," ] "}"
func (p *exprParser) compoundLit(pos diag.Pos, t *TypeName) Expr {
	l := &CompoundLit{Type: t, Init: p.initList()}
	l.node = p.from(pos)
	return l
}

// postfix parses the operators after x:
//
//	postfix-operator: "[" expression "]" | "(" [ argument-list ] ")"
//	    | ( "." | "->" ) identifier | "++" | "--"
func (p *exprParser) postfix(pos diag.Pos, x Expr) Expr {
	for {
		switch p.c {
		case token.LBrack:
			open := p.i
			p.next()
			n := p.exprNodes.index.New()
			n.X = x
			if !p.enter(nestBrack) {
				n.I = p.badExpr()
				return n
			}
			saved := p.height
			p.height = 0
			n.I = p.expr()
			p.height = max(p.height, saved)
			p.closing(open, token.RBrack)
			p.leave(nestBrack)
			n.node = p.from(pos)
			x = n
		case token.LParen:
			n := p.exprNodes.call.New()
			n.Fun = x
			p.arguments(n)
			n.node = p.from(pos)
			x = n
		case token.Dot, token.Arrow:
			n := p.exprNodes.member.New()
			n.X, n.Arrow = x, p.c == token.Arrow
			p.next()
			if p.c != token.Ident {
				n.NameSpan = diag.Span{Pos: p.end, End: p.end}
				n.node = p.from(pos)
				p.unexpected("expected identifier")
				return &BadExpr{node{p.tok().Span()}, n}
			}
			n.Name, n.NameSpan = p.tok().Text, p.tok().Span()
			p.next()
			n.node = p.from(pos)
			x = n
		case token.Inc, token.Dec:
			n := p.exprNodes.postfix.New()
			n.Op, n.X = p.c, x
			p.next()
			n.node = p.from(pos)
			x = n
		default:
			return x
		}
		p.grow()
	}
}

// arguments parses the parentheses of a call:
//
//	argument-list: assignment-expression { "," assignment-expression }
func (p *exprParser) arguments(n *Call) {
	open := p.i
	n.Lparen = p.pos()
	p.next()
	if !p.enter(nestParen) {
		return
	}
	saved := p.height
	mark := p.exprs.Mark()
	if p.c != token.RParen {
		for {
			p.height = 0
			p.exprs.Push(p.assignment())
			saved = max(saved, p.height)
			if !p.accept(token.Comma) {
				break
			}
		}
	}
	p.height = saved
	n.Args = p.exprs.Cut(mark)
	n.Rparen = p.pos()
	p.closing(open, token.RParen)
	p.leave(nestParen)
}

// primary parses
//
//	primary-expression: identifier | constant | string-literal { string-literal }
//	    | "(" expression ")" | "(" compound-statement ")"
//	    | "__builtin_astype" "(" assignment-expression "," type-name ")"
//	    | "__builtin_offsetof" "(" type-name "," member-designator ")"
func (p *exprParser) primary() Expr {
	t := p.tok()
	switch p.c {
	case token.Ident:
		if p.meaningAt(p.i) >= typeName {
			return p.typeInExpr()
		}
		n := p.exprNodes.name.New()
		n.Name, n.Sym = t.Text, p.symHere()
		p.next()
		n.node = p.from(t.Pos)
		if p.c == token.Colon && p.peek(1) == token.Colon {
			p.unexpected("")
		}
		return n
	case token.Number:
		n := p.exprNodes.number.New()
		n.Text = t.Text
		p.next()
		n.node = p.from(t.Pos)
		return n
	case token.CharLit:
		p.next()
		return &CharConst{p.from(t.Pos), t.Text}
	case token.StrLit:
		return p.stringLit()
	case token.LParen:
		return p.paren()
	case kwAsType:
		return p.builtinAsType()
	case kwOffsetof:
		return p.offsetof()
	case kwSelection:
		p.errorHere(diag.UnsupportedSelection, "_Generic selections are not supported")
		return p.skipped(t)
	case token.Caret:
		p.errorHere(diag.UnsupportedBlocks, "blocks are not supported")
		return p.skipped(t)
	case token.AndAnd:
		p.errorHere(diag.UnsupportedLabelAddress, "addresses of labels are not supported")
		return p.skipped(t)
	case kwAsm:
		p.errorHere(diag.UnsupportedAsm, "inline assembly is not supported")
		return p.skipped(t)
	}
	if kindClass[p.c]&clsType != 0 {
		return p.typeInExpr()
	}
	x := p.badExpr()
	p.expectedExpr()
	return x
}

// typeInExpr reports a type's name where an expression is expected.
func (p *exprParser) typeInExpr() Expr {
	t := p.tok()
	hint := ""
	switch {
	case p.peek(1) != token.LParen:
	case p.meaningAt(p.i) == vectorType:
		hint = "; a vector is written '(" + t.Text + ")(…)'"
	case kindClass[p.c]&clsWord != 0 || p.c == token.Ident:
		hint = "; a conversion is written '(" + t.Text + ")(…)' or 'convert_" + t.Text + "(…)'"
	}
	p.errorHere(diag.ExpectedExpr, "unexpected type name '%s': expected expression%s", t.Text, hint)
	x := p.badExpr()
	p.next()
	return x
}

// skipped skips the operand of a rejected construct: the tokens in brackets after t, and a name.
func (p *exprParser) skipped(t *token.Token) Expr {
	p.next()
	for p.c == token.Ident || kindClass[p.c]&clsType != 0 || p.c == token.Star {
		p.next()
	}
	for p.c == token.LParen || p.c == token.LBrace {
		if !p.skipBalanced() {
			break
		}
	}
	p.bad = false
	return &BadExpr{node: p.from(t.Pos)}
}

// stringLit parses adjacent string literals.
func (p *exprParser) stringLit() *StringLit {
	s := &StringLit{}
	pos := p.pos()
	start := p.i
	for p.c == token.StrLit {
		p.next()
	}
	s.Parts = p.toks[start:p.i:p.i]
	s.node = p.from(pos)
	return s
}

// paren parses "(" expression ")" or a GNU statement expression.
func (p *exprParser) paren() Expr {
	pos, open := p.pos(), p.i
	p.next()
	if !p.enter(nestParen) {
		return p.badExpr()
	}
	if p.c == token.LBrace {
		s := &StmtExpr{}
		bad, incomplete := p.bad, p.anyIncomplete
		p.anyIncomplete = false
		s.Body = p.upper.compound()
		p.incomplete = p.incomplete || p.anyIncomplete // its value may be missing
		p.bad, p.anyIncomplete = bad, incomplete || p.anyIncomplete
		p.closing(open, token.RParen)
		p.leave(nestParen)
		s.node = p.from(pos)
		return s
	}
	n := p.exprNodes.paren.New()
	n.X = p.expr()
	p.closing(open, token.RParen)
	p.leave(nestParen)
	n.node = p.from(pos)
	return n
}

// builtinAsType parses __builtin_astype(x, type).
func (p *exprParser) builtinAsType() Expr {
	n := &BuiltinAsType{}
	pos := p.pos()
	p.next()
	open := p.i
	n.X = p.badExpr()
	if p.expect(token.LParen, "after '__builtin_astype'") && p.enter(nestParen) {
		n.X = p.assignment()
		if p.expect(token.Comma, "") {
			n.Type = p.upper.parseTypeName()
		}
		p.closing(open, token.RParen)
		p.leave(nestParen)
	}
	n.node = p.from(pos)
	if n.Type == nil {
		return &BadExpr{n.node, n.X}
	}
	return n
}

// offsetof parses
//
//	"__builtin_offsetof" "(" type-name "," identifier { "." identifier | "[" expression "]" } ")"
func (p *exprParser) offsetof() Expr {
	n := &Offsetof{}
	pos := p.pos()
	p.next()
	open := p.i
	if !p.expect(token.LParen, "after '__builtin_offsetof'") || !p.enter(nestParen) {
		return p.badExpr()
	}
	n.Type = p.upper.parseTypeName()
	if p.expect(token.Comma, "") {
		at := p.pos()
		if p.c == token.Ident {
			name := p.exprNodes.name.New()
			name.Name, name.Sym = p.tok().Text, p.symHere()
			p.next()
			name.node = p.from(at)
			n.Path = p.postfix(at, name)
		} else {
			p.unexpected("expected identifier")
		}
	}
	p.closing(open, token.RParen)
	p.leave(nestParen)
	n.node = p.from(pos)
	if n.Path == nil {
		return &BadExpr{node: n.node}
	}
	return n
}

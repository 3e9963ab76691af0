package syntax

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A stmtParser parses statements and blocks of them.
type stmtParser struct {
	declParser
	*stmtMemory
	labels []Stmt // that wait for their statements
}

// compound parses
//
//	compound-statement: "{" { declaration | statement } "}"
//
// A missing "{" has been reported.
func (p *stmtParser) compound() *Block {
	b := p.stmtNodes.block.New()
	pos, open := p.pos(), p.i
	p.accept(token.LBrace)
	if !p.enter(nestBrace) {
		b.node = p.from(pos)
		return b
	}
	scope := p.open()
	mark := p.stmts.Mark()
	tallest := p.height
	incomplete := p.incomplete
	for p.c != token.RBrace && p.c != token.EOF {
		start, at := p.i, p.pos()
		p.height, p.incomplete = 0, false
		s := p.blockItem()
		if p.incomplete {
			s = p.badStmt(at, s)
		}
		if s != nil {
			p.stmts.Push(s)
		}
		tallest = max(tallest, p.height)
		if p.i == start {
			p.next()
		}
	}
	p.height, p.incomplete = tallest, incomplete
	b.List = p.stmts.Cut(mark)
	b.Rbrace = p.pos()
	p.bad = p.code[open] != token.LBrace
	p.closing(open, token.RBrace)
	p.close(scope)
	p.leave(nestBrace)
	b.node = p.from(pos)
	return b
}

// badStmt returns the remains of the statement s, which began at pos, with a syntax error. s may be nil.
func (p *stmtParser) badStmt(pos diag.Pos, s Stmt) Stmt {
	p.incomplete, p.anyIncomplete = false, true
	if d, ok := s.(*DeclStmt); ok {
		if v, ok := d.Decl.(*VarDecl); ok {
			d.Decl = p.badDecl(v)
			return d
		}
	}
	return &BadStmt{p.from(pos), s}
}

// blockItem parses
//
//	block-item: declaration | statement
//
// It returns nil for a rejected one.
func (p *stmtParser) blockItem() Stmt {
	p.bad = false
	return p.labelled(true)
}

// statement parses a statement that is part of another one, in a scope of its own
// (C99 6.8.4p3, 6.8.5p5).
func (p *stmtParser) statement() Stmt {
	if !p.enter(nestStmt) {
		return &Empty{node{p.tok().Span()}}
	}
	scope := p.open()
	p.bad = false
	s := p.labelled(false)
	p.close(scope)
	p.leave(nestStmt)
	if s == nil {
		s = &Empty{node{diag.Span{Pos: p.end, End: p.end}}}
	}
	return s
}

// labelled parses any number of labels and the statement after them:
//
//	labelled-statement: identifier ":" statement
//	    | "case" constant-expression [ "..." constant-expression ] ":" statement | "default" ":" statement
//
// A declaration may follow a label, and the label may be the last item of its block, as in C23.
func (p *stmtParser) labelled(decls bool) Stmt {
	mark := len(p.labels)
	for {
		if p.atLabel() {
			t := p.tok()
			l := &Label{Name: t.Text, NameSpan: t.Span()}
			l.S = t.Span()
			p.next()
			p.next()
			p.labels = append(p.labels, l)
		} else if p.c == kwCase || p.c == kwDefault {
			p.labels = append(p.labels, p.caseLabel())
		} else {
			break
		}
		decls = true
	}
	if len(p.labels) == mark {
		return p.unlabelled(decls)
	}
	saved := p.height
	p.height = 0
	var s Stmt
	if p.c == token.RBrace {
		at := p.afterPrevious()
		if !p.bad {
			p.rep.Report(diag.LabelAtEnd, at, "label at end of compound statement").Replace(at, ";")
		}
		s = &Empty{node{at}}
	} else {
		p.bad = false
		s = p.unlabelled(true)
		if s == nil {
			s = &Empty{node{diag.Span{Pos: p.end, End: p.end}}}
		}
	}
	for i := len(p.labels) - 1; i >= mark; i-- {
		switch l := p.labels[i].(type) {
		case *Label:
			l.Body, l.S.End = s, p.end
			s = l
		case *Case:
			l.Body, l.S.End = s, p.end
			s = l
		}
		p.labels[i] = nil
		p.grow()
	}
	p.labels = p.labels[:mark]
	p.height = max(p.height, saved)
	return s
}

// atLabel reports whether a named label begins here.
func (p *stmtParser) atLabel() bool {
	return p.c == token.Ident && p.peek(1) == token.Colon && p.peek(2) != token.Colon
}

// caseLabel parses a case or default label up to its ":".
func (p *stmtParser) caseLabel() Stmt {
	c := p.stmtNodes.caseStmt.New()
	pos := p.pos()
	word := p.tok().Text
	isCase := p.c == kwCase
	p.next()
	if isCase {
		c.Lo = p.conditional()
		if p.accept(token.Ellipsis) {
			c.Hi = p.conditional()
		}
	}
	if p.c != token.Colon && !p.bad {
		at := p.afterPrevious()
		if p.c == token.Semi {
			at = p.tok().Span()
		}
		p.errorAt(diag.ExpectedToken, at, "expected ':' after '%s'", word).Replace(at, ":")
		p.accept(token.Semi)
	} else if p.bad {
		p.skipTo(func(k token.Kind) bool { return k == token.Colon })
		p.accept(token.Colon)
	} else {
		p.next()
	}
	c.node = p.from(pos)
	return c
}

// unlabelled parses a statement without labels or, if decls is set, a declaration. It returns nil for a rejected
// one.
func (p *stmtParser) unlabelled(decls bool) Stmt {
	pos := p.pos()
	attrs := p.stmtAttributes(decls)
	if p.c == token.Pragma {
		return p.declStmtOf(pos, p.pragmaDecl())
	}
	if len(attrs) == 0 || p.takesAttrs(attrs) {
		return p.bare(pos, attrs, decls)
	}
	s := p.bare(pos, nil, decls)
	isPragma := func(a *Attr) bool { return a.Name == "unroll" || a.Name == "nounroll" }
	if attrs = slices.DeleteFunc(attrs, isPragma); s == nil || len(attrs) == 0 {
		return s
	}
	return &Attributed{p.from(pos), attrs, s}
}

// bare parses a statement or declaration without the attributes before it; attrs are those of a loop.
func (p *stmtParser) bare(pos diag.Pos, attrs []*Attr, decls bool) Stmt {
	switch p.c {
	case token.LBrace:
		return p.compound()
	case token.Semi:
		p.next()
		return &Empty{p.from(pos)}
	case kwIf:
		return p.ifStmt()
	case kwWhile:
		return p.whileStmt(attrs)
	case kwDo:
		return p.doStmt(attrs)
	case kwFor:
		return p.forStmt(attrs)
	case kwSwitch:
		return p.switchStmt()
	case kwGoto, kwBreak, kwContinue, kwReturn:
		return p.jump()
	case kwElse:
		p.errorHere(diag.ExpectedExpr, "'else' without a previous 'if'")
		p.next()
		p.bad = false
		return p.statement()
	case kwAsm:
		p.asm()
		p.semi("after asm statement")
		return nil
	case kwCase, kwDefault: // after an attribute
		return p.labelled(decls)
	}
	if p.atLabel() { // after an attribute
		return p.labelled(decls)
	}
	if p.misspelledKeyword() {
		return nil
	}
	if !p.startsDecl() && p.c != kwAttribute && !(p.c == kwExtension && p.declAfterExtension()) && !p.unknownTypeDecl() {
		return p.exprStmt()
	}
	if !decls {
		p.errorHere(diag.ExpectedExpr, "expected expression: a declaration needs a block here")
		p.badToken = p.i + 1
	}
	d := p.blockDecl()
	if d == nil {
		return nil
	}
	return p.declStmtOf(pos, d)
}

// stmtAttributes parses the attributes and pragmas before a statement. It stops before
// attributes of a declaration and before an OPENCL pragma that is an item of a block.
func (p *stmtParser) stmtAttributes(decls bool) (attrs []*Attr) {
	for {
		switch p.c {
		case kwAttribute:
			if decls && !p.attributeOfStmt() {
				return attrs
			}
			p.attributes(&attrs)
		case token.Pragma:
			if a, ok := p.loopPragma(); ok {
				attrs = append(attrs, a)
			} else if len(attrs) == 0 && decls {
				return attrs
			} else {
				p.next() // where a statement is required, no declaration can depend on it
			}
		default:
			return attrs
		}
	}
}

func (p *stmtParser) declStmtOf(pos diag.Pos, d Decl) Stmt {
	s := p.stmtNodes.declStmt.New()
	s.node, s.Decl = p.from(pos), d
	return s
}

// blockDecl parses a declaration inside a function.
func (p *stmtParser) blockDecl() Decl {
	if p.c == kwStaticAssert {
		return p.staticAssert()
	}
	return p.declaration(false)
}

// declAfterExtension reports whether a declaration follows __extension__.
func (p *stmtParser) declAfterExtension() bool {
	i := p.i + 1
	for i < len(p.code) && p.code[i] == kwExtension {
		i++
	}
	return p.startsType(i) || i < len(p.code) && kindClass[p.code[i]]&clsStorage != 0
}

// unknownTypeDecl reports whether a declaration with an unknown type begins here: two
// names in a row, or name "*" name with an undeclared first one before "=", ";", "," or "[".
func (p *stmtParser) unknownTypeDecl() bool {
	if p.c != token.Ident {
		return false
	}
	if k := p.peek(1); (k == token.Ident || k == token.Lt || k == token.LBrace) && cplusplusWords[p.tok().Text] {
		return true
	}
	if p.meaningAt(p.i) != undeclared {
		return false
	}
	n := 1
	for p.peek(n) == token.Star {
		n++
	}
	if p.peek(n) != token.Ident {
		return false
	}
	if n == 1 {
		return true
	}
	switch p.peek(n + 1) {
	case token.Assign:
		return true
	case token.Semi, token.Comma, token.LBrack:
		return p.meaningAt(p.i+n) == undeclared
	}
	return false
}

// statementWords are the keywords that begin a statement.
var statementWords = func() (list []string) {
	for _, k := range keywords {
		if kindClass[k.kind]&clsStmt != 0 {
			list = append(list, k.names...)
		}
	}
	return list
}()

// misspelledKeyword reports an undeclared name where the following tokens allow only a keyword, and skips the
// statement: retrun 1; or whlie (x) {.
func (p *stmtParser) misspelledKeyword() bool {
	if p.c != token.Ident || p.meaningAt(p.i) != undeclared || len(p.tok().Text) < 4 {
		return false // too short to decide
	}
	switch p.peek(1) {
	case token.Ident, token.Number, token.LBrace:
	case token.LParen:
		if !p.braceAfterParens() {
			return false
		}
	default:
		return false
	}
	t := p.tok()
	word, ok := diag.Nearest(t.Text, statementWords)
	if !ok {
		return false
	}
	if typ, ok := diag.Nearest(t.Text, append(p.types(), word)); ok && typ != word {
		return false
	}
	p.errorHere(diag.ExpectedSemi, "unknown statement '%s'; did you mean '%s'?", t.Text, word).Replace(t.Span(), word)
	p.next()
	if p.c == token.LParen {
		p.skipBalanced()
	} else if p.c != token.LBrace {
		p.skipStmt()
	}
	p.bad = false
	return true
}

// braceAfterParens reports whether a "{" follows the parentheses after the current token.
func (p *stmtParser) braceAfterParens() bool {
	depth := 0
	for i := p.i + 1; i < len(p.code); i++ {
		switch p.code[i] {
		case token.LParen:
			depth++
		case token.RParen:
			if depth--; depth == 0 {
				return i+1 < len(p.code) && p.code[i+1] == token.LBrace
			}
		case token.Semi, token.LBrace, token.RBrace, token.EOF:
			return false
		}
	}
	return false
}

// attributeOfStmt reports whether the attributes at the current token belong to a statement, because no declaration
// follows them.
func (p *stmtParser) attributeOfStmt() bool {
	i := p.i
	for i < len(p.code) && p.code[i] == kwAttribute {
		depth := 0
		for i++; i < len(p.code); i++ {
			if p.code[i] == token.LParen {
				depth++
			} else if p.code[i] == token.RParen {
				depth--
			}
			if depth == 0 {
				i++
				break
			}
		}
	}
	return i < len(p.code) && kindClass[p.code[i]]&(clsStorage|clsType) == 0 && !p.isTypeName(i)
}

// takesAttrs checks that a loop follows pragmas and attributes for loops.
func (p *stmtParser) takesAttrs(attrs []*Attr) bool {
	if p.c == kwFor || p.c == kwWhile || p.c == kwDo {
		return true
	}
	for _, a := range attrs {
		switch a.Name {
		case "unroll", "nounroll":
			p.errorAt(diag.UnrollWithoutLoop, a.S, "expected a for, while, or do-while loop to follow '#pragma %s'", a.Name)
			p.bad, p.badToken = false, 0
		case "opencl_unroll_hint":
			p.errorAt(diag.UnrollWithoutLoop, a.S, "'opencl_unroll_hint' attribute only applies to for, while, and do statements")
			p.bad, p.badToken = false, 0
		}
	}
	return false
}

// exprStmt parses
//
//	expression-statement: expression ";"
func (p *stmtParser) exprStmt() Stmt {
	s := p.stmtNodes.exprStmt.New()
	pos := p.pos()
	s.X = p.expr()
	p.semi("after expression")
	s.node = p.from(pos)
	return s
}

// condition parses "(" expression ")" after a keyword.
func (p *stmtParser) condition(word string) Expr {
	open := p.i
	if p.c != token.LParen {
		p.unexpected("expected '(' after '%s'", word)
		x := p.badExpr()
		p.skipTo(func(k token.Kind) bool { return k == token.LBrace })
		p.accept(token.Semi)
		return x
	}
	p.next()
	if !p.enter(nestParen) {
		return p.badExpr()
	}
	x := p.expr()
	p.closing(open, token.RParen)
	p.leave(nestParen)
	return x
}

// ifStmt parses
//
//	selection-statement: "if" "(" expression ")" statement [ "else" statement ]
func (p *stmtParser) ifStmt() Stmt {
	saved := p.height
	p.height = 0
	first := p.stmtNodes.ifStmt.New()
	var chain []*If
	for s := first; ; {
		pos := p.pos()
		p.next()
		s.Cond = p.condition("if")
		s.Then = p.statement()
		s.node = p.from(pos)
		if p.c != kwElse {
			break
		}
		p.next()
		if p.c != kwIf {
			s.Else = p.statement()
			s.S.End = p.end
			break
		}
		n := p.stmtNodes.ifStmt.New()
		s.Else = n
		chain = append(chain, s)
		s = n
		p.grow()
	}
	for _, s := range chain {
		s.S.End = p.end
	}
	p.grow()
	p.height = max(p.height, saved)
	return first
}

// whileStmt parses
//
//	iteration-statement: "while" "(" expression ")" statement
func (p *stmtParser) whileStmt(attrs []*Attr) Stmt {
	s := &While{Attrs: attrs}
	pos := p.pos()
	p.next()
	s.Cond = p.condition("while")
	s.Body = p.statement()
	s.node = p.from(pos)
	return s
}

// doStmt parses
//
//	iteration-statement: "do" statement "while" "(" expression ")" ";"
func (p *stmtParser) doStmt(attrs []*Attr) Stmt {
	s := &Do{Attrs: attrs}
	pos := p.pos()
	at := p.tok().Span()
	p.next()
	s.Body = p.statement()
	p.bad = false
	if p.c != kwWhile {
		p.unexpected("expected 'while' in do/while loop").Note(at, "to match this 'do'")
		s.Cond = p.badExpr()
		p.skipStmt()
	} else {
		p.next()
		s.Cond = p.condition("while")
		p.semi("after do/while statement")
	}
	s.node = p.from(pos)
	return s
}

// forStmt parses
//
//	iteration-statement: "for" "(" ( declaration | [ expression ] ";" ) [ expression ] ";" [ expression ] ")" statement
func (p *stmtParser) forStmt(attrs []*Attr) Stmt {
	s := p.stmtNodes.forStmt.New()
	s.Attrs = attrs
	pos := p.pos()
	p.next()
	scope := p.open()
	open := p.i
	if p.c != token.LParen {
		p.unexpected("expected '(' after 'for'")
		p.skipTo(func(k token.Kind) bool { return k == token.LBrace })
	} else if p.next(); p.enter(nestParen) {
		p.forHeader(s)
		p.closing(open, token.RParen)
		p.leave(nestParen)
	}
	s.Body = p.statement()
	p.close(scope)
	s.node = p.from(pos)
	return s
}

// forHeader parses the parenthesised part of a for statement.
func (p *stmtParser) forHeader(s *For) {
	pos := p.pos()
	switch {
	case p.c == token.Semi:
		p.next()
	case p.startsDecl() || p.c == kwAttribute || p.c == kwExtension || p.unknownTypeDecl():
		s.Init = p.declStmtOf(pos, p.forDecl())
	default:
		x := p.stmtNodes.exprStmt.New()
		x.X = p.expr()
		x.node = p.from(pos)
		s.Init = x
		p.forSemi()
	}
	if p.bad {
		p.skipForHeader()
		return
	}
	if p.c != token.Semi {
		s.Cond = p.expr()
	}
	if p.forSemi(); p.bad {
		p.skipForHeader()
		return
	}
	if p.c != token.RParen {
		s.Post = p.expr()
	}
}

// forDecl parses the declaration of a for statement with its ";".
func (p *stmtParser) forDecl() Decl {
	pos := p.pos()
	v := p.declNodes.varDecl.New()
	v.Spec = p.declSpecs(specContext{})
	mark := p.items.Mark()
	for p.c != token.Semi {
		p.items.Push(p.initDeclarator(v.Spec, p.declaratorOf(v.Spec, named), false))
		if !p.accept(token.Comma) {
			break
		}
	}
	v.Items = p.items.Cut(mark)
	p.forSemi()
	v.node = p.from(pos)
	return v
}

func (p *stmtParser) forSemi() {
	if !p.bad && !p.accept(token.Semi) {
		p.unexpected("expected ';' in 'for' statement specifier")
	}
}

// skipForHeader skips the rest of a malformed header to its ")".
func (p *stmtParser) skipForHeader() {
	for p.c != token.EOF && p.c != token.RParen && p.c != token.LBrace && p.c != token.RBrace {
		if p.c == token.Semi {
			p.next()
		} else if p.tok().Flags&token.LineStart != 0 && kindClass[p.c]&clsStmt != 0 {
			return
		} else if start := p.i; true {
			p.skipTo(func(k token.Kind) bool { return k == token.LBrace || k == token.RParen })
			if p.i == start {
				return
			}
		}
	}
}

// switchStmt parses
//
//	selection-statement: "switch" "(" expression ")" statement
func (p *stmtParser) switchStmt() Stmt {
	s := &Switch{}
	pos := p.pos()
	p.next()
	s.X = p.condition("switch")
	s.Body = p.statement()
	s.node = p.from(pos)
	return s
}

// jump parses
//
//	jump-statement: "goto" identifier ";" | "break" ";" | "continue" ";" | "return" [ expression ] ";"
func (p *stmtParser) jump() Stmt {
	pos, k := p.pos(), p.c
	p.next()
	switch k {
	case kwGoto:
		g := &Goto{}
		switch p.c {
		case token.Ident:
			g.Name, g.NameSpan = p.tok().Text, p.tok().Span()
			p.next()
		case token.Star:
			p.errorHere(diag.UnsupportedLabelAddress, "computed gotos are not supported")
		default:
			p.unexpected("expected identifier")
		}
		p.semi("after goto statement")
		g.node = p.from(pos)
		return g
	case kwBreak:
		b := p.stmtNodes.breakStmt.New()
		p.semi("after break statement")
		b.node = p.from(pos)
		return b
	case kwContinue:
		c := &Continue{}
		p.semi("after continue statement")
		c.node = p.from(pos)
		return c
	}
	r := p.stmtNodes.returnStmt.New()
	if p.c != token.Semi && p.c != token.RBrace {
		r.X = p.expr()
	}
	p.semi("after return statement")
	r.node = p.from(pos)
	return r
}

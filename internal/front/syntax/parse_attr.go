package syntax

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/token"
)

// attributes parses any number of attributes and appends them to list.
func (p *parser) attributes(list *[]*Attr) {
	if p.c != kwAttribute {
		return
	}
	mark := p.attrs.Mark()
	for p.c == kwAttribute {
		p.attributeList()
	}
	*list = append(*list, p.attrs.Cut(mark)...)
}

// attributeList parses
//
//	attribute: "__attribute__" "(" "(" [ attrib ] { "," [ attrib ] } ")" ")"
//	attrib: word [ "(" [ argument { "," argument } ] ")" ]
//
// (OpenCL C 6.13) and pushes the attributes on p.attrs.
func (p *parser) attributeList() {
	p.next()
	outer := p.i
	if !p.bracketHere(token.LParen, "after '__attribute__'") {
		return
	}
	inner := p.i
	if !p.bracketHere(token.LParen, "after '('") {
		p.closing(outer, token.RParen)
		return
	}
	for p.c == token.Comma || p.c == token.Ident || p.c > token.NumKinds {
		if p.accept(token.Comma) {
			continue
		}
		a := p.declNodes.attr.New()
		pos := p.pos()
		a.Name = attrName(p.tok().Text)
		p.next()
		if p.c == token.LParen {
			a.Args = p.attributeArgs()
		}
		a.node = p.from(pos)
		p.attrs.Push(a)
		if p.c != token.Comma {
			break
		}
	}
	p.attributeClose(inner)
	p.attributeClose(outer)
}

// bracketHere moves past an opening bracket or reports, after the previous token, that it is missing.
func (p *parser) bracketHere(k token.Kind, where string) bool {
	if p.accept(k) {
		return true
	}
	at := p.afterPrevious()
	p.errorAt(diag.ExpectedToken, at, "expected '%s' %s", k, where).Replace(at, k.String())
	return false
}

// attributeClose parses a ")" of an attribute; a missing one is reported after the previous token, as in clang.
func (p *parser) attributeClose(open int) {
	if p.c != token.RParen && !p.bad {
		at, o := p.afterPrevious(), p.toks[open].Span()
		p.errorAt(diag.ExpectedToken, at, "expected ')'").Replace(at, ")").Note(o, "to match this '('")
	}
	p.closing(open, token.RParen)
}

// attrName removes the underscores around an attribute's name.
func attrName(s string) string {
	if len(s) > 4 && strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") {
		return s[2 : len(s)-2]
	}
	return s
}

// attributeArgs parses the parenthesised arguments of an attribute.
func (p *parser) attributeArgs() []AttrArg {
	open := p.i
	p.next()
	if !p.enter(nestParen) {
		return nil
	}
	mark := p.attrArgs.Mark()
	for more := p.c != token.RParen; more; more = p.accept(token.Comma) && !p.bad {
		if p.startsType(p.i) {
			p.attrArgs.Push(AttrArg{Type: p.parseTypeName()})
		} else {
			p.attrArgs.Push(AttrArg{X: p.assignment()})
		}
	}
	p.attributeClose(open)
	p.leave(nestParen)
	return p.attrArgs.Cut(mark)
}

// pragmaDecl turns the pragma at the current token into a declaration.
func (p *parser) pragmaDecl() Decl {
	d := &PragmaDecl{Words: p.pragmaWords(p.tok())}
	pos := p.pos()
	p.next()
	d.node = p.from(pos)
	return d
}

// pragmaWords scans the text of a pragma into tokens, without an EOF.
func (p *parser) pragmaWords(t *token.Token) []token.Token {
	mark := p.tokens.Mark()
	preprocess.PragmaWords(t, func(w *token.Token) {
		if w.Kind == token.Ident {
			w.Sym = p.names.Intern(w.Text, w.Sym)
		}
		p.tokens.Push(*w)
	})
	p.extend()
	return p.tokens.Cut(mark)
}

// loopPragma converts "#pragma unroll [n]", "unroll(n)" and "nounroll" to an attribute of the following loop; ok is
// false for any other pragma.
func (p *parser) loopPragma() (a *Attr, ok bool) {
	t := p.tok()
	text := strings.TrimLeft(t.Text, " \t")
	if !strings.HasPrefix(text, "unroll") && !strings.HasPrefix(text, "nounroll") {
		return nil, false
	}
	words := p.pragmaWords(t)
	if len(words) == 0 || words[0].Text != "unroll" && words[0].Text != "nounroll" {
		return nil, false
	}
	a = p.declNodes.attr.New()
	a.Name, a.S = words[0].Text, t.Span()
	if len(words) > 1 && a.Name == "unroll" {
		if x := p.pragmaExpr(words[1:]); x != nil {
			a.Args = []AttrArg{{X: x}}
		}
	}
	p.next()
	return a, true
}

// pragmaExpr parses the tokens of a pragma's argument.
func (p *parser) pragmaExpr(words []token.Token) Expr {
	toks, code, i, end := p.toks, p.code, p.i, p.end
	last := words[len(words)-1]
	arg := append(words[:len(words):len(words)], token.Token{Kind: token.EOF, Pos: last.Span().End})
	p.feed(arg, make([]token.Kind, len(arg)))
	x := p.conditional()
	if p.c != token.EOF && !p.bad {
		p.errorHere(diag.ExpectedToken, "extra tokens at end of '#pragma unroll'")
	}
	if q, ok := x.(*Paren); ok {
		x = q.X
	}
	p.toks, p.code, p.i, p.end = toks, code, i, end
	p.badToken = 0
	if p.stopped {
		p.stop()
		return nil
	}
	p.bad = false
	p.c = p.code[i]
	return x
}

package syntax

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// attributes parses any number of attributes and appends them to list.
func (p *typeParser) attributes(list *[]*Attr) {
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
func (p *typeParser) attributeList() {
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
func (p *typeParser) bracketHere(k token.Kind, where string) bool {
	if p.accept(k) {
		return true
	}
	at := p.afterPrevious()
	p.errorAt(diag.ExpectedToken, at, "expected '%s' %s", k, where).Replace(at, k.String())
	return false
}

// attributeClose parses a ")" of an attribute; a missing one is reported after the previous token, as in clang.
func (p *typeParser) attributeClose(open int) {
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
func (p *typeParser) attributeArgs() []AttrArg {
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

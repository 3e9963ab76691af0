package syntax

import (
	"github.com/purecl/purecl/internal/front/token"
)

// initializer parses
//
//	initializer: assignment-expression | "{" initializer-list [ "," ] "}"
func (p *exprParser) initializer() Expr {
	if p.c == token.LBrace {
		return p.initList()
	}
	return p.assignment()
}

// initList parses
//
//	initializer-list: [ designation ] initializer { "," [ designation ] initializer }
//	designation: designator { designator } "=" | identifier ":"
//
// and the braces around it. Empty braces are a GNU extension.
func (p *exprParser) initList() *InitList {
	l := p.exprNodes.initList.New()
	pos, open := p.pos(), p.i
	p.next()
	if !p.enter(nestBrace) {
		l.node = p.from(pos)
		return l
	}
	mark := p.inits.Mark()
	for p.c != token.RBrace && p.c != token.EOF {
		it := InitItem{Desig: p.designation()}
		it.Value = p.initializer()
		p.inits.Push(it)
		if !p.accept(token.Comma) {
			break
		}
	}
	p.closing(open, token.RBrace)
	p.leave(nestBrace)
	l.Items = p.inits.Cut(mark)
	l.node = p.from(pos)
	return l
}

// designation parses the designators of an initializer with their "=".
func (p *exprParser) designation() []Designator {
	if p.c == token.Ident && p.peek(1) == token.Colon && p.peek(2) != token.Colon {
		d := Designator{Span: p.tok().Span(), Name: p.tok().Text}
		p.next()
		p.next()
		mark := p.designators.Mark()
		p.designators.Push(d)
		return p.designators.Cut(mark)
	}
	if p.c != token.Dot && p.c != token.LBrack {
		return nil
	}
	mark := p.designators.Mark()
	for p.c == token.Dot || p.c == token.LBrack {
		pos, open := p.pos(), p.i
		var d Designator
		if p.accept(token.Dot) {
			d.Name = p.tok().Text
			if p.c != token.Ident {
				d.Name = ""
				p.unexpected("expected a field designator, such as '.field = 4'")
				break
			}
			p.next()
		} else {
			p.next()
			d.Index = p.conditional()
			if p.accept(token.Ellipsis) {
				d.Hi = p.conditional()
			}
			p.closing(open, token.RBrack)
		}
		d.Span = p.from(pos).S
		p.designators.Push(d)
	}
	out := p.designators.Cut(mark)
	if !p.accept(token.Assign) && !p.bad && (len(out) > 1 || out[0].Index == nil) {
		p.unexpected("expected '=' or another designator")
	}
	return out
}

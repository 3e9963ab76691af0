package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A cursor moves over the tokens of a unit. It tells keywords apart and knows the current meanings of names. It must
// not know errors.
type cursor struct {
	toks []token.Token
	code []token.Kind // kind of each token, keywords told apart
	i    int          // current token
	c    token.Kind   // code[i]
	end  diag.Pos     // end of the token before

	*symbols // of the Memory
}

// feed makes toks, which end with EOF, the parser's input. code receives their kinds.
func (p *cursor) feed(toks []token.Token, code []token.Kind) {
	p.toks, p.code, p.i = toks, code, 0
	for i := range toks {
		k := toks[i].Kind
		if k == token.Ident {
			k = p.list[toks[i].Sym].kind
		}
		code[i] = k
	}
	p.c = p.code[0]
}

// symHere returns the number of the current token, an identifier.
func (p *cursor) symHere() Sym { return Sym(p.toks[p.i].Sym) }

// meaningAt returns the current meaning of token i, an identifier.
func (p *cursor) meaningAt(i int) meaning { return p.list[p.toks[i].Sym].meaning }

// next moves past the current token.
func (p *cursor) next() {
	t := &p.toks[p.i]
	p.end = t.Pos + diag.Pos(t.Len)
	if p.i+1 < len(p.toks) {
		p.i++
	}
	p.c = p.code[p.i]
}

// tok returns the current token.
func (p *cursor) tok() *token.Token { return &p.toks[p.i] }

// pos returns where the current token begins.
func (p *cursor) pos() diag.Pos { return p.toks[p.i].Pos }

// peek returns the kind of the token n after the current one.
func (p *cursor) peek(n int) token.Kind {
	if p.i+n < len(p.code) {
		return p.code[p.i+n]
	}
	return token.EOF
}

// from returns the span from pos to the end of the token before the current one.
func (p *cursor) from(pos diag.Pos) node { return node{diag.Span{Pos: pos, End: p.end}} }

// accept moves past the current token if it is a k.
func (p *cursor) accept(k token.Kind) bool {
	if p.c != k {
		return false
	}
	p.next()
	return true
}

// isTypeName reports whether token i is the name of a type.
func (p *cursor) isTypeName(i int) bool {
	return i < len(p.code) && p.code[i] == token.Ident && p.meaningAt(i) >= typeName
}

// startsType reports whether a type name (C99 6.7.6) begins at token i.
func (p *cursor) startsType(i int) bool {
	return i < len(p.code) && (kindClass[p.code[i]]&clsType != 0 || p.code[i] == kwAttribute || p.isTypeName(i))
}

// startsDecl reports whether declaration specifiers begin at the current token.
func (p *cursor) startsDecl() bool {
	return kindClass[p.c]&(clsStorage|clsType) != 0 || p.isTypeName(p.i)
}

// startsStmt reports whether the current token can only begin a statement or declaration.
func (p *cursor) startsStmt() bool { return kindClass[p.c]&clsStmt != 0 || p.startsDecl() }

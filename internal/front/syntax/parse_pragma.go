package syntax

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/token"
)

// pragmaDecl turns the pragma at the current token into a declaration.
func (p *declParser) pragmaDecl() Decl {
	d := &PragmaDecl{Words: p.pragmaWords(p.tok())}
	pos := p.pos()
	p.next()
	d.node = p.from(pos)
	return d
}

// pragmaWords scans the text of a pragma into tokens, without an EOF.
func (p *declParser) pragmaWords(t *token.Token) []token.Token {
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
func (p *stmtParser) loopPragma() (a *Attr, ok bool) {
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
func (p *stmtParser) pragmaExpr(words []token.Token) Expr {
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

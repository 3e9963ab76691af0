package syntax

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/token"
)

// Parse parses a translation unit. It reports every syntax error and always returns a tree, with a BadStmt, BadDecl
// or BadType in the place of each error, or a BadExpr inside one of these. The tree is valid until m is Reset.
func (m *Memory) Parse(src *diag.Source, unit token.Unit, opts *option.Source, rep *diag.Reporter) *File {
	p := newParser(m, src, unit, opts, rep)
	f := &File{}
	scope, mark := p.open(), p.decls.Mark() // the scope is closed at the end, so that the tokens can be parsed again
	for p.c != token.EOF {
		p.externalDecl()
	}
	f.Decls = p.decls.Cut(mark)
	f.End = p.toks[len(p.toks)-1].Pos
	f.Syms = len(p.list)
	f.Incomplete, f.Broken = p.anyIncomplete, p.broken || p.stopped
	p.close(scope)
	return f
}

// A parser parses external declarations. It is the top of the parser's layers.
type parser struct {
	stmtParser
}

func newParser(m *Memory, src *diag.Source, unit token.Unit, opts *option.Source, rep *diag.Reporter) *parser {
	p := &parser{}
	p.upper = p
	p.symbols, p.exprMemory, p.declMemory, p.stmtMemory = &m.syms, &m.exprMemory, &m.declMemory, &m.stmtMemory
	p.src, p.rep, p.maxNest = src, rep, opts.MaxDepth
	if p.maxNest <= 0 {
		p.maxNest = defaultNesting
	}
	m.syms.begin(unit.Names, opts.Std)
	toks := unit.Tokens
	if n := len(toks); n == 0 || toks[n-1].Kind != token.EOF {
		toks = append(toks[:n:n], token.Token{Kind: token.EOF})
	}
	m.code = slices.Grow(m.code[:0], len(toks))[:len(toks)]
	p.feed(toks, m.code)
	return p
}

// externalDecl parses
//
//	external-declaration: function-definition | declaration | ";" | static-assert
func (p *parser) externalDecl() {
	p.height, p.bad, p.incomplete = 0, false, false
	start := p.i
	switch p.c {
	case token.Semi:
		p.next()
		return
	case token.Pragma:
		p.decls.Push(p.pragmaDecl())
		return
	case kwExtension:
		p.next()
		return
	case kwStaticAssert:
		if d := p.staticAssert(); !p.incomplete {
			p.decls.Push(d)
		}
		return
	case kwAsm:
		p.asm()
		p.semi("after top-level asm block")
		return
	case token.RBrace:
		p.errorHere(diag.ExtraneousBrace, "extraneous closing brace ('}')")
		p.broken = true // it ended a function too early, or begins something unknown
		p.next()
		return
	}
	d := p.declaration(true)
	if p.incomplete {
		d = p.badDecl(d)
	}
	if d != nil {
		p.decls.Push(d)
	}
	if p.i == start {
		p.next()
	}
}

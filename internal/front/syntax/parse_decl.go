package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A declParser parses declarations, pragmas and function definitions up to their bodies, and gives names their
// meanings. It must not know statements.
type declParser struct {
	typeParser
}

// declaration parses
//
//	function-definition: declaration-specifiers declarator compound-statement
//	declaration: declaration-specifiers [ init-declarator { "," init-declarator } ] ";"
//
// It returns nil if the tokens are no declaration.
func (p *declParser) declaration(fileScope bool) Decl {
	pos := p.pos()
	spec := p.declSpecs(specContext{fileScope: fileScope})
	what := "at end of declaration"
	if fileScope {
		what = "after top level declarator"
	}
	mark := p.items.Mark()
	if p.c == token.Semi || spec.Base != nil && p.endsRecord(spec) {
		switch spec.Base.(type) {
		case *RecordType, *EnumType:
			what = "after " + baseText(spec.Base)
		}
	} else {
		for first := true; ; first = false {
			d := p.declaratorOf(spec, named)
			if fn, ok := d.Type.(*FuncType); ok && first && p.startsBody(fileScope) {
				p.items.Cut(mark)
				return p.funcDef(pos, spec, d, fn, fileScope)
			}
			p.items.Push(p.initDeclarator(spec, d, fileScope))
			if !p.accept(token.Comma) {
				break
			}
		}
	}
	items := p.items.Cut(mark)
	p.declEnd(what, fileScope)
	v := p.declNodes.varDecl.New()
	v.node, v.Spec, v.Items = p.from(pos), spec, items
	return v
}

// startsBody reports whether the body of a function definition follows its declarator. It is also true for a body
// without "{", if a statement begins on the next line.
func (p *declParser) startsBody(fileScope bool) bool {
	switch p.c {
	case token.LBrace:
		return true
	case token.Semi, token.Comma, token.Assign, kwAsm, token.Colon:
		return false
	}
	if !fileScope || p.bad || p.startsDecl() {
		return false
	}
	p.unexpected("expected function body after function declarator")
	return p.tok().Flags&token.LineStart != 0 && (p.c == token.Ident || kindClass[p.c]&clsStmt != 0)
}

// declEnd parses the ";" of a declaration.
func (p *declParser) declEnd(what string, fileScope bool) {
	if p.c == token.Semi && !p.bad {
		p.next()
		return
	}
	if !fileScope {
		p.semi(what)
		return
	}
	if p.c != token.Semi && !p.bad {
		p.missingSemi(what)
		if p.c == token.EOF || p.tok().Flags&token.LineStart != 0 || p.startsDecl() {
			return
		}
	}
	p.skipDecl()
}

// initDeclarator parses the part after a declarator and declares its name:
//
//	init-declarator: declarator [ asm-label ] { attribute } [ "=" initializer ]
func (p *declParser) initDeclarator(spec *DeclSpec, d *Declarator, fileScope bool) *InitDeclarator {
	if p.c == kwAsm {
		p.asm()
		p.attributes(&d.Attrs)
	}
	p.declareName(spec, d, fileScope)
	it := p.declNodes.initDecl.New()
	it.Decl = d
	if p.accept(token.Assign) {
		it.Init = p.initializer()
	}
	return it
}

// declareName sets the meaning of the declarator's name from here on (C99 6.2.1p7). Builtin types and visible
// typedefs share program scope: a type name there stays a type, because another declaration of it is an error.
func (p *declParser) declareName(spec *DeclSpec, d *Declarator, fileScope bool) {
	if d.Name == "" {
		return
	}
	m := ordinary
	if fileScope && spec.Storage != Typedef && p.list[d.Sym].meaning >= typeName {
		return
	}
	if spec.Storage == Typedef {
		m = typeName
		if TypeExpr(spec) == d.Type && spec.vector || hasAttr(d.Attrs, "ext_vector_type") || hasAttr(spec.Attrs, "ext_vector_type") {
			m = vectorType
		}
	}
	p.declare(d.Sym, m)
}

func hasAttr(attrs []*Attr, name string) bool {
	for _, a := range attrs {
		if a.Name == name {
			return true
		}
	}
	return false
}

// funcDef parses the body of a function definition.
func (p *declParser) funcDef(pos diag.Pos, spec *DeclSpec, d *Declarator, fn *FuncType, fileScope bool) Decl {
	if !fileScope {
		p.errorHere(diag.NestedFunction, "function definition is not allowed here")
		p.broken = true // usually for a missing "}" before it
	}
	incomplete := p.incomplete
	p.declareName(spec, d, fileScope)
	scope := p.open()
	for _, a := range fn.Params {
		if a.Decl != nil && a.Decl.Name != "" {
			p.declare(a.Decl.Sym, ordinary)
		}
	}
	f := &FuncDecl{Spec: spec, Decl: d}
	p.bad, p.incomplete = false, false
	f.Body = p.upper.compound()
	p.broken = p.broken || p.incomplete // it does not end where it should
	p.incomplete = incomplete
	p.close(scope)
	f.node = p.from(pos)
	if !fileScope {
		return nil
	}
	return f
}

// asm rejects an inline assembler statement or label and skips it.
func (p *declParser) asm() {
	p.errorHere(diag.UnsupportedAsm, "inline assembly is not supported")
	p.next()
	for p.c == kwVolatile || p.c == kwInline || p.c == kwGoto {
		p.next()
	}
	if p.c == token.LParen {
		p.skipBalanced()
	}
	p.bad = false
}

// badDecl returns the remains of a declaration with a syntax error: its names, or the body of a function. d may
// be nil.
func (p *declParser) badDecl(d Decl) Decl {
	p.incomplete, p.anyIncomplete = false, true
	bad := &BadDecl{}
	switch d := d.(type) {
	case *FuncDecl:
		d.Incomplete = true
		return d
	case *VarDecl:
		bad.node, bad.Rest = d.node, d
		for _, it := range d.Items {
			if it.Decl.Name != "" {
				bad.Names = append(bad.Names, it.Decl)
			}
		}
		switch b := d.Spec.Base.(type) {
		case *RecordType:
			p.broken = p.broken || b.HasBody
		case *EnumType:
			p.broken = p.broken || b.HasBody
		}
	}
	p.broken = p.broken || len(bad.Names) == 0
	return bad
}

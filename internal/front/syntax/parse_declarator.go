package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A declaratorMode tells whether a declarator must have a name.
type declaratorMode uint8

const (
	named    declaratorMode = iota
	abstract                // never
	either                  // of a parameter
)

// A modifier is a part of a declarator: a pointer, an array or a function.
type modifier struct {
	pointer *PointerType
	array   *ArrayType
	fn      *FuncType
}

// declaratorOf parses a declarator with the attributes after it around spec:
//
//	declarator: { pointer } direct-declarator { attribute }
func (p *typeParser) declaratorOf(spec *DeclSpec, mode declaratorMode) *Declarator {
	d := p.declNodes.declarator.New()
	pos := p.pos()
	saved := p.height
	p.height = 0
	mark, attrs := len(p.mods), p.attrs.Mark()
	p.declaratorParts(d, mode)
	for p.c == kwAttribute {
		p.attributeList()
	}
	d.Attrs = p.attrs.Cut(attrs)
	// p.mods[mark:] runs from the name outwards; the types nest the same way.
	elem := TypeExpr(spec)
	for i := len(p.mods) - 1; i >= mark; i-- {
		switch m := p.mods[i]; {
		case m.pointer != nil:
			m.pointer.Elem, elem = elem, m.pointer
		case m.array != nil:
			m.array.Elem, elem = elem, m.array
		default:
			m.fn.Result, elem = elem, m.fn
		}
		p.grow()
	}
	clear(p.mods[mark:])
	p.mods = p.mods[:mark]
	p.height = max(p.height, saved)
	d.Type = elem
	if p.i > 0 && p.end > pos {
		d.node = p.from(pos)
	} else {
		d.node = node{diag.Span{Pos: pos, End: pos}}
	}
	return d
}

// declaratorParts parses
//
//	pointer: ( "*" | "^" ) { type-qualifier | attribute }
//	direct-declarator: ( identifier | "(" { attribute } declarator ")" ) { suffix }
//
// and pushes its modifiers from the name outwards.
func (p *typeParser) declaratorParts(d *Declarator, mode declaratorMode) {
	mark := len(p.mods)
	p.pointers()
	pointers := append([]modifier(nil), p.mods[mark:]...)
	p.mods = p.mods[:mark]

	switch {
	case p.c == token.Ident && mode != abstract:
		d.Name, d.Sym, d.NameSpan = p.tok().Text, p.symHere(), p.tok().Span()
		p.next()
	case p.c == token.LParen && p.nestedDeclarator(mode):
		open := p.i
		p.next()
		for p.c == kwAttribute {
			p.attributeList()
		}
		if p.enter(nestParen) {
			p.declaratorParts(d, mode)
			p.leave(nestParen)
		}
		p.closing(open, token.RParen)
	case mode == named:
		p.missingName(d)
	}
	p.suffixes()
	for i := len(pointers) - 1; i >= 0; i-- {
		p.mods = append(p.mods, pointers[i])
	}
}

// nestedDeclarator reports whether the "(" at the current token encloses a declarator
// rather than parameters.
func (p *typeParser) nestedDeclarator(mode declaratorMode) bool {
	if mode == named {
		return true
	}
	switch k := p.peek(1); k {
	case token.Star, token.Caret, token.LParen, token.LBrack, kwAttribute:
		return true
	case token.Ident:
		return mode == either && !p.isTypeName(p.i+1)
	}
	return false
}

// missingName reports a declarator without a name.
func (p *typeParser) missingName(d *Declarator) {
	d.NameSpan = diag.Span{Pos: p.pos(), End: p.pos()}
	switch {
	case p.c == token.Amp || p.c == token.AndAnd:
		p.errorHere(diag.UnsupportedCPlusPlus, "references are C++ for OpenCL, which is not supported")
		p.next()
		if p.c == token.Ident {
			d.Name, d.Sym, d.NameSpan = p.tok().Text, p.symHere(), p.tok().Span()
			p.next()
		}
		p.bad = false
	case p.c > token.NumKinds:
		p.unexpected("expected identifier or '(', but '%s' is a keyword", p.tok().Text)
		p.next()
	default:
		p.unexpected("expected identifier or '('")
	}
}

// pointers parses any number of "*" with qualifiers and pushes them in source order.
func (p *typeParser) pointers() {
	for p.c == token.Star || p.c == token.Caret {
		t := p.declNodes.pointer.New()
		pos := p.pos()
		if p.c == token.Caret {
			t.Block = true
			p.errorHere(diag.UnsupportedBlocks, "blocks are not supported")
			p.bad = false
		}
		p.next()
		quals, attrs := p.quals.Mark(), p.attrs.Mark()
		for {
			if kindClass[p.c]&clsQual != 0 {
				p.qualifier(&t.Quals)
			} else if p.c == kwAttribute {
				p.attributeList()
			} else {
				break
			}
		}
		t.Quals.At, t.Attrs = p.quals.Cut(quals), p.attrs.Cut(attrs)
		t.node = p.from(pos)
		p.mods = append(p.mods, modifier{pointer: t})
	}
}

// suffixes parses any number of array and function suffixes and pushes them.
func (p *typeParser) suffixes() {
	for {
		switch p.c {
		case token.LBrack:
			p.arraySuffix()
		case token.LParen:
			p.functionSuffix()
		default:
			return
		}
	}
}

// arraySuffix parses
//
//	"[" { type-qualifier | "static" } [ assignment-expression | "*" ] "]"
func (p *typeParser) arraySuffix() {
	t := p.declNodes.array.New()
	pos, open := p.pos(), p.i
	p.next()
	if !p.enter(nestBrack) {
		return
	}
	quals := p.quals.Mark()
	for {
		if kindClass[p.c]&clsQual != 0 {
			p.qualifier(&t.Quals)
		} else if p.c == kwStatic {
			t.Static = true
			p.next()
		} else {
			break
		}
	}
	t.Quals.At = p.quals.Cut(quals)
	if p.c == token.Star && p.peek(1) == token.RBrack {
		t.Star = true
		p.next()
	} else if p.c != token.RBrack {
		t.Len = p.assignment()
	}
	p.closing(open, token.RBrack)
	p.leave(nestBrack)
	t.node = p.from(pos)
	p.mods = append(p.mods, modifier{array: t})
}

// functionSuffix parses
//
//	"(" [ parameter-declaration { "," parameter-declaration } [ "," "..." ] ] ")"
func (p *typeParser) functionSuffix() {
	t := p.declNodes.fn.New()
	pos, open := p.pos(), p.i
	p.next()
	if !p.enter(nestParen) {
		return
	}
	scope := p.open()
	if p.c == token.RParen {
		t.NoProto = true
	} else {
		p.parameters(t)
	}
	p.closing(open, token.RParen)
	p.close(scope)
	p.leave(nestParen)
	t.node = p.from(pos)
	p.mods = append(p.mods, modifier{fn: t})
}

// parameters parses the parameters of t up to the ")".
func (p *typeParser) parameters(t *FuncType) {
	mark := p.params.Mark()
	for !p.bad {
		if p.c == token.Ellipsis {
			if p.params.Mark() == mark {
				p.errorHere(diag.ExpectedToken, "a parameter is required before '...'")
				p.bad = false
			}
			t.Variadic = true
			p.next()
			break
		}
		if p.oldStyle() {
			return
		}
		p.params.Push(p.parameter())
		if !p.accept(token.Comma) {
			break
		}
	}
	t.Params = p.params.Cut(mark)
	if len(t.Params) == 1 && !t.Variadic && isVoidParam(t.Params[0]) {
		t.Params = nil
	}
}

// isVoidParam reports whether the only parameter is "void".
func isVoidParam(a *Param) bool {
	b, ok := a.Spec.Base.(*BasicType)
	return ok && len(b.Words) == 1 && b.Words[0] == "void" && a.Spec.Quals.Quals == 0 &&
		a.Decl.Name == "" && a.Decl.Type == TypeExpr(a.Spec)
}

// parameter parses
//
//	parameter-declaration: declaration-specifiers [ declarator | abstract-declarator ]
func (p *typeParser) parameter() *Param {
	a := p.declNodes.param.New()
	pos := p.pos()
	a.Spec = p.declSpecs(specContext{param: true})
	a.Decl = p.declaratorOf(a.Spec, either)
	if p.c == token.Amp || p.c == token.AndAnd {
		p.missingName(a.Decl)
	}
	if p.c == token.Assign && !p.bad {
		p.errorHere(diag.UnsupportedCPlusPlus, "default arguments are C++ for OpenCL, which is not supported")
		p.next()
		p.assignment()
		p.bad = false
	}
	a.node = p.from(pos)
	if a.Decl.Name != "" {
		p.declare(a.Decl.Sym, ordinary)
	}
	return a
}

// oldStyle rejects a K&R identifier list and the declarations after it: an identifier that is not a type's name and
// stands alone.
func (p *typeParser) oldStyle() bool {
	if p.c != token.Ident || p.meaningAt(p.i) >= typeName {
		return false
	}
	if k := p.peek(1); k != token.Comma && k != token.RParen {
		return false
	}
	if _, near := diag.Nearest(p.tok().Text, p.types()); near && p.meaningAt(p.i) == undeclared && len(p.tok().Text) > 3 {
		return false // a misspelled type
	}
	p.errorHere(diag.OldStyleFunction, "parameter '%s' has no type; function declarations without a prototype are not supported", p.tok().Text)
	for p.c == token.Ident || p.c == token.Comma {
		p.next()
	}
	if p.c != token.RParen {
		return true
	}
	// Skip the declarations of the parameters before the body.
	if kindClass[p.peek(1)]&(clsType|clsStorage) != 0 || p.isTypeName(p.i+1) {
		save := p.i
		p.next()
		for p.c != token.LBrace && p.c != token.EOF && p.tok().Kind != token.RBrace {
			p.next()
		}
		if p.c == token.LBrace { // continue as if ")" preceded the body
			p.i--
			p.code[p.i], p.c = token.RParen, token.RParen
		} else {
			p.i = save
			p.c = p.code[save]
		}
	}
	p.bad = false
	return true
}

// parseTypeName parses
//
//	type-name: specifier-qualifier-list [ abstract-declarator ]
func (p *typeParser) parseTypeName() *TypeName {
	t := p.declNodes.typeName.New()
	pos := p.pos()
	t.Spec = p.declSpecs(specContext{typeOnly: true})
	t.Decl = p.declaratorOf(t.Spec, abstract)
	t.node = p.from(pos)
	return t
}

// parenType parses "(" type-name ")".
func (p *typeParser) parenType() *TypeName {
	open := p.i
	p.next()
	if p.c == token.Ident && p.meaningAt(p.i) < typeName {
		pos := p.pos()
		p.unknownType()
		p.next()
		t := p.declNodes.typeName.New()
		t.Spec = p.declNodes.declSpec.New()
		t.Spec.Base = &BadType{p.from(pos)}
		t.Spec.node = p.from(pos)
		t.Decl = p.declaratorOf(t.Spec, abstract)
		t.node = p.from(pos)
		p.closing(open, token.RParen)
		return t
	}
	t := p.parseTypeName()
	p.closing(open, token.RParen)
	return t
}

// isVector reports whether t is known to be a vector type.
func (t *TypeName) isVector() bool { return t.Spec.vector && t.Decl.Type == TypeExpr(t.Spec) }

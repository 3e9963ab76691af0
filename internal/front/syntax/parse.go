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

const (
	defaultNesting = 256
	// maxHeight bounds the height of the tree of one declaration, so that later phases
	// may recurse on it: the longest chain of operators, else-ifs or cases.
	maxHeight = 1 << 17
)

// The kinds of nesting, which are counted separately, as clang counts brackets.
const (
	nestParen = iota
	nestBrack
	nestBrace
	nestStmt
	numNests
)

type parser struct {
	src  *diag.Source
	rep  *diag.Reporter
	opts *option.Source

	toks []token.Token
	code []token.Kind // kind of each token, keywords told apart
	i    int          // current token
	c    token.Kind   // code[i]
	end  diag.Pos     // end of the token before

	*Memory
	*symbols // of Memory
	chains

	nest          [numNests]int
	maxNest       int
	height        int  // of the tallest tree built so far in this declaration
	bad           bool // an error was reported in this statement or declaration
	badToken      int  // index after the token at which the last error was reported
	incomplete    bool // after an error: parts of this statement or declaration are missing
	anyIncomplete bool // File.Incomplete
	broken        bool // File.Broken
	stopped       bool // no further errors are reported
}

// chains are the operators, declarator parts and labels that wait for the code after them: the parser reads them in
// loops.
type chains struct {
	prefixes []prefix
	conds    []condPart
	assigns  []assignPart
	mods     []modifier
	labels   []Stmt
}

func newParser(m *Memory, src *diag.Source, unit token.Unit, opts *option.Source, rep *diag.Reporter) *parser {
	p := &parser{src: src, rep: rep, opts: opts, maxNest: opts.MaxDepth, Memory: m, symbols: &m.syms}
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

// feed makes toks, which end with EOF, the parser's input. code receives their kinds.
func (p *parser) feed(toks []token.Token, code []token.Kind) {
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
func (p *parser) symHere() Sym { return Sym(p.toks[p.i].Sym) }

// meaningAt returns the current meaning of token i, an identifier.
func (p *parser) meaningAt(i int) meaning { return p.list[p.toks[i].Sym].meaning }

// next moves past the current token.
func (p *parser) next() {
	t := &p.toks[p.i]
	p.end = t.Pos + diag.Pos(t.Len)
	if p.i+1 < len(p.toks) {
		p.i++
	}
	p.c = p.code[p.i]
}

// tok returns the current token.
func (p *parser) tok() *token.Token { return &p.toks[p.i] }

// pos returns where the current token begins.
func (p *parser) pos() diag.Pos { return p.toks[p.i].Pos }

// peek returns the kind of the token n after the current one.
func (p *parser) peek(n int) token.Kind {
	if p.i+n < len(p.code) {
		return p.code[p.i+n]
	}
	return token.EOF
}

// from returns the span from pos to the end of the token before the current one.
func (p *parser) from(pos diag.Pos) node { return node{diag.Span{Pos: pos, End: p.end}} }

// accept moves past the current token if it is a k.
func (p *parser) accept(k token.Kind) bool {
	if p.c != k {
		return false
	}
	p.next()
	return true
}

// isTypeName reports whether token i is the name of a type.
func (p *parser) isTypeName(i int) bool {
	return i < len(p.code) && p.code[i] == token.Ident && p.meaningAt(i) >= typeName
}

// startsType reports whether a type name (C99 6.7.6) begins at token i.
func (p *parser) startsType(i int) bool {
	return i < len(p.code) && (kindClass[p.code[i]]&clsType != 0 || p.code[i] == kwAttribute || p.isTypeName(i))
}

// startsDecl reports whether declaration specifiers begin at the current token.
func (p *parser) startsDecl() bool {
	return kindClass[p.c]&(clsStorage|clsType) != 0 || p.isTypeName(p.i)
}

// startsStmt reports whether the current token can only begin a statement or declaration.
func (p *parser) startsStmt() bool { return kindClass[p.c]&clsStmt != 0 || p.startsDecl() }

// enter counts a level of nesting. At the limit it reports an error, stops the parser and returns false. Each enter
// that returned true needs a leave.
func (p *parser) enter(sort int) bool {
	if p.nest[sort] >= p.maxNest {
		if !p.stopped {
			p.errorHere(diag.NestingTooDeep, "bracket nesting level exceeded maximum of %d", p.maxNest)
			p.stop()
		}
		return false
	}
	p.nest[sort]++
	return true
}

func (p *parser) leave(sort int) { p.nest[sort]-- }

// grow records that the tree under construction became one level taller.
func (p *parser) grow() {
	p.height++
	if p.height > maxHeight && !p.stopped {
		p.errorHere(diag.NestingTooDeep, "more than %d operators, branches or labels in one chain", maxHeight)
		p.stop()
	}
}

// stop ends parsing: every later token becomes the end of the file.
func (p *parser) stop() {
	p.stopped = true
	p.i = len(p.toks) - 1
	p.c = token.EOF
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

// declaration parses
//
//	function-definition: declaration-specifiers declarator compound-statement
//	declaration: declaration-specifiers [ init-declarator { "," init-declarator } ] ";"
//
// It returns nil if the tokens are no declaration.
func (p *parser) declaration(fileScope bool) Decl {
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
func (p *parser) startsBody(fileScope bool) bool {
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
func (p *parser) declEnd(what string, fileScope bool) {
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

// endsRecord reports whether a ";" is missing after a struct, union or enum specifier with a body: a declaration
// begins on the next line.
func (p *parser) endsRecord(spec *DeclSpec) bool {
	switch b := spec.Base.(type) {
	case *RecordType:
		if !b.HasBody {
			return false
		}
	case *EnumType:
		if !b.HasBody {
			return false
		}
	default:
		return false
	}
	return p.c == token.EOF || p.c == token.RBrace ||
		p.tok().Flags&token.LineStart != 0 && (kindClass[p.c]&(clsStorage|clsWord|clsTypeSpec|clsStmt) != 0 || p.isTypeName(p.i))
}

// recordWord returns the keyword of a struct or union.
func recordWord(b BaseType) string {
	if r, ok := b.(*RecordType); ok && r.Union {
		return "union"
	}
	return "struct"
}

// initDeclarator parses the part after a declarator and declares its name:
//
//	init-declarator: declarator [ asm-label ] { attribute } [ "=" initializer ]
func (p *parser) initDeclarator(spec *DeclSpec, d *Declarator, fileScope bool) *InitDeclarator {
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
func (p *parser) declareName(spec *DeclSpec, d *Declarator, fileScope bool) {
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
func (p *parser) funcDef(pos diag.Pos, spec *DeclSpec, d *Declarator, fn *FuncType, fileScope bool) Decl {
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
	f.Body = p.compound()
	p.broken = p.broken || p.incomplete // it does not end where it should
	p.incomplete = incomplete
	p.close(scope)
	f.node = p.from(pos)
	if !fileScope {
		return nil
	}
	return f
}

// staticAssert parses
//
//	static-assert: "_Static_assert" "(" constant-expression [ "," string-literal ] ")" ";"
func (p *parser) staticAssert() Decl {
	s := &StaticAssert{}
	pos := p.pos()
	p.next()
	open := p.i
	if !p.expect(token.LParen, "after '_Static_assert'") {
		p.skipDecl()
		s.X, s.node = p.badExpr(), p.from(pos)
		return s
	}
	s.X = p.assignment()
	if p.accept(token.Comma) {
		if p.c == token.StrLit {
			s.Msg = p.stringLit()
		} else {
			p.errorHere(diag.ExpectedToken, "expected string literal for diagnostic message in static_assert")
		}
	}
	p.closing(open, token.RParen)
	p.semi("after '_Static_assert'")
	s.node = p.from(pos)
	return s
}

// asm rejects an inline assembler statement or label and skips it.
func (p *parser) asm() {
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

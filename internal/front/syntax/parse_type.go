package syntax

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A typeParser parses types with all that can surround them: declaration specifiers, with the fields of records and
// the constants of enumerations, attributes, declarators and type names. It must not know whole declarations.
type typeParser struct {
	exprParser
	*declMemory
	mods []modifier // parts of declarators that wait for the types inside them
}

// A specContext is the context of declaration specifiers.
type specContext struct {
	fileScope bool
	typeOnly  bool // specifier-qualifier-list: no storage classes (C99 6.7.2.1, 6.7.6)
	param     bool
}

// wordNames is the normalised spelling of each basic type word; wordLists are BasicType.Words of one word.
var wordNames = map[token.Kind]string{kwVoid: "void", kwBool: "bool", kwChar: "char", kwShort: "short", kwInt: "int", kwLong: "long",
	kwHalf: "half", kwFloat: "float", kwDouble: "double", kwSigned: "signed", kwUnsigned: "unsigned"}

var wordLists = func() (t [kwComplex - kwVoid][]string) {
	for k, s := range wordNames {
		t[k-kwVoid] = []string{s}
	}
	return t
}()

// qualOf maps keywords to qualifiers; OpenCL C has no qualifier _Atomic.
var qualOf = [kwReadWrite - kwConst + 1]Quals{Const, Volatile, Restrict, 0, Global, Local, Constant, Private, Generic,
	ReadOnly, WriteOnly, ReadWrite}

var storageOf = [kwRegister - kwTypedef + 1]Storage{Typedef, Extern, Static, Auto, Register}

// declSpecs parses
//
//	declaration-specifiers: { storage-class-specifier | type-specifier | type-qualifier
//	    | function-specifier | "kernel" | attribute }
//
// (C99 6.7, OpenCL C 6.5 and 6.7).
func (p *typeParser) declSpecs(ctx specContext) *DeclSpec {
	d := p.declNodes.declSpec.New()
	pos := p.pos()
	attrs, quals := p.attrs.Mark(), p.quals.Mark()
	for p.declSpecifier(d, ctx) {
	}
	d.Attrs = p.attrs.Cut(attrs)
	d.Quals.At = p.quals.Cut(quals)
	if d.pipe {
		d.Base = &BadType{p.from(pos)}
	}
	if d.Base == nil {
		p.implicitInt(d, pos, ctx)
	}
	d.node = p.from(pos)
	return d
}

// declSpecifier parses one declaration specifier, or all adjacent words of a basic type. It returns false if none
// follows.
func (p *typeParser) declSpecifier(d *DeclSpec, ctx specContext) bool {
	if p.tok().Flags&token.LineStart != 0 && d.Base != nil && p.endsRecord(d) {
		return false
	}
	switch k := p.c; {
	case k == token.Ident:
		return d.Base == nil && p.typeNameSpecifier(d, ctx)
	case k == kwAttribute:
		p.attributeList()
	case k == kwAtomic && p.peek(1) == token.LParen:
		p.atomic()
		p.setBase(d, p.typeof())
	case kindClass[k]&clsQual != 0:
		p.qualifier(&d.Quals)
	case kindClass[k]&clsWord != 0:
		p.basicWords(d)
	case k <= kwRegister && k >= kwTypedef:
		p.storageClass(d, ctx)
	case k == kwInline, k == kwNoreturn:
		d.Inline = d.Inline || k == kwInline
		p.next()
	case k == kwKernel:
		if d.Kernel {
			p.duplicate()
		}
		d.Kernel, d.KernelSpan = true, p.tok().Span()
		p.next()
	case k == kwThreadLocal:
		incomplete := p.incomplete
		p.errorHere(diag.UnsupportedStorageClass, "OpenCL C does not support the '%s' storage class specifier", p.tok().Text)
		p.recovered(incomplete)
		p.next()
	case k == kwForeign:
		p.foreign(d)
	case k == kwStruct, k == kwUnion:
		p.setBase(d, p.record())
	case k == kwEnum:
		p.setBase(d, p.enum())
	case k == kwTypeof:
		p.setBase(d, p.typeof())
	case k == kwImage:
		p.setBase(d, p.namedType())
	case k == kwAlignas:
		p.alignas()
	case k == kwPipe:
		incomplete := p.incomplete
		p.errorHere(diag.UnsupportedPipes, "pipes are not supported")
		p.recovered(incomplete)
		d.pipe = true
		p.next()
	case k == kwExtension:
		p.next()
	default:
		return false
	}
	return true
}

// typeNameSpecifier parses the identifier at the current token as a type if it is one or can only be intended as
// one.
func (p *typeParser) typeNameSpecifier(d *DeclSpec, ctx specContext) bool {
	t := p.tok()
	sym := p.symHere()
	m := p.list[sym].meaning
	if m < typeName {
		if !p.looksLikeType(ctx) {
			return false
		}
		if !p.unknownType() {
			return false
		}
		p.next()
		d.Base = &BadType{p.from(t.Pos)}
		return true
	}
	d.Base, d.vector = p.namedType(), m == vectorType
	return true
}

// namedType parses the name of a type at the current token.
func (p *typeParser) namedType() *NamedType {
	t, sym := p.tok(), p.symHere()
	p.next()
	n := p.declNodes.named.New()
	n.node, n.Name, n.Sym = p.from(t.Pos), t.Text, sym
	return n
}

// looksLikeType reports whether the tokens after the unknown identifier at the current token indicate a type.
func (p *typeParser) looksLikeType(ctx specContext) bool {
	k := p.peek(1)
	switch {
	case k == token.Ident || kindClass[k]&(clsStorage|clsType) != 0 || k == kwAttribute:
		return true
	case k == token.Star:
		return true
	case ctx.param:
		return k == token.Comma || k == token.RParen || k == token.LBrack
	case ctx.typeOnly:
		return k != token.Comma && k != token.Semi && k != token.Colon && k != token.LBrack
	case k == token.Lt:
		return cplusplusWords[p.tok().Text]
	}
	return false
}

// implicitInt reports declaration specifiers without a type.
func (p *typeParser) implicitInt(d *DeclSpec, pos diag.Pos, ctx specContext) {
	none := node{diag.Span{Pos: pos, End: pos}}
	d.Base = &BadType{none}
	bad, incomplete := p.bad, p.incomplete
	switch {
	case p.c == token.Ident || p.c == token.LParen || p.c == token.Star || d.Storage != NoStorage && p.c != token.Semi || d.Quals.Quals != 0 && !ctx.fileScope || d.Kernel:
		p.errorAt(diag.MissingType, p.nameAhead(), "type specifier missing; there is no implicit 'int' in OpenCL C")
		p.bad, p.incomplete = bad, incomplete
	case ctx.param:
		p.unexpected("expected parameter declarator")
	case ctx.typeOnly:
		p.unexpected("expected a type")
	case d.Storage == NoStorage && d.Quals.Quals == 0 && len(d.Attrs) == 0:
		p.unexpected("expected identifier or '('")
	default: // nothing is declared
		d.Base = &BasicType{none, wordLists[kwInt-kwVoid]}
	}
}

// nameAhead returns the position of the name in the declarator that begins at the current token, or the
// token's own position.
func (p *typeParser) nameAhead() diag.Span {
	for i := p.i; i < len(p.code); i++ {
		switch k := p.code[i]; {
		case k == token.Ident:
			return p.toks[i].Span()
		case k != token.Star && k != token.LParen && kindClass[k]&clsQual == 0:
			return p.tok().Span()
		}
	}
	return p.tok().Span()
}

// duplicate warns of a repeated specifier at the current token.
func (p *typeParser) duplicate() {
	t := p.tok()
	p.rep.Report(diag.DuplicateSpecifier, t.Span(), "duplicate '%s' declaration specifier", t.Text).Replace(t.Span(), "")
}

// qualifier parses one type, address space or access qualifier.
func (p *typeParser) qualifier(q *QualSet) {
	k := p.c
	t := p.tok()
	if k == kwAtomic {
		p.atomic()
		p.next()
		return
	}
	bit := qualOf[k-kwConst]
	if q.Quals&bit != 0 {
		p.duplicate()
	}
	if k == kwGeneric && p.std < opencl.CL20 {
		p.errorHere(diag.UnsupportedGeneric, "OpenCL C version %s does not support the '%s' type qualifier", p.std.OrDefault(), t.Text)
		p.bad = false
	}
	p.next()
	q.Quals |= bit
	p.quals.Push(QualAt{bit, t.Span()})
}

// atomic reports the _Atomic at the current token.
func (p *typeParser) atomic() {
	incomplete := p.incomplete
	p.errorHere(diag.UnsupportedAtomic, "the type specifier and qualifier '_Atomic' is not supported in OpenCL C").
		Note(diag.Span{}, "use atomic_int or another of the atomic types")
	p.recovered(incomplete)
}

// storageClass parses one storage class specifier.
func (p *typeParser) storageClass(d *DeclSpec, ctx specContext) {
	t, k := p.tok(), p.c
	if k == kwExtern && p.peek(1) == token.StrLit {
		p.next()
		p.linkage()
		return
	}
	s := storageOf[k-kwTypedef]
	incomplete := p.incomplete
	switch {
	case k >= kwAuto, (k == kwExtern || k == kwStatic) && p.std != 0 && p.std < opencl.CL12:
		p.errorHere(diag.UnsupportedStorageClass, "OpenCL C version %s does not support the '%s' storage class specifier", p.std.OrDefault(), t.Text)
		p.recovered(incomplete)
	case ctx.typeOnly, ctx.param && k != kwRegister:
		p.errorHere(diag.MisplacedStorageClass, "storage class '%s' is not allowed here", t.Text)
		p.recovered(incomplete)
	case d.Storage == s:
		p.duplicate()
	case d.Storage != NoStorage:
		p.errorHere(diag.BadTypeCombination, "cannot combine with previous '%s' declaration specifier", storageText[d.Storage])
		p.recovered(incomplete)
	default:
		d.Storage, d.StorageSpan = s, t.Span()
	}
	p.next()
}

var storageText = [...]string{Typedef: "typedef", Extern: "extern", Static: "static", Auto: "auto", Register: "register"}

// setBase sets the type of d to b unless d already has a known one.
func (p *typeParser) setBase(d *DeclSpec, b BaseType) {
	if d.Base != nil && !isBadType(d.Base) {
		p.cannotCombine(b.Span(), d.Base)
		return
	}
	d.Base = b
}

func isBadType(b BaseType) bool {
	_, bad := b.(*BadType)
	return bad
}

func (p *typeParser) cannotCombine(at diag.Span, old BaseType) {
	incomplete := p.incomplete
	p.errorAt(diag.BadTypeCombination, at, "cannot combine with previous '%s' declaration specifier", baseText(old))
	p.recovered(incomplete)
}

// baseText names a type specifier for messages.
func baseText(b BaseType) string {
	switch b := b.(type) {
	case *BasicType:
		s := ""
		for i, w := range b.Words {
			if i > 0 {
				s += " "
			}
			s += w
		}
		return s
	case *NamedType:
		return b.Name
	case *RecordType:
		return recordWord(b)
	case *EnumType:
		return "enum"
	}
	return "typeof"
}

// recordWord returns the keyword of a struct or union.
func recordWord(b BaseType) string {
	if r, ok := b.(*RecordType); ok && r.Union {
		return "union"
	}
	return "struct"
}

// basicWords parses adjacent words of a basic type and combines them with those of d.
func (p *typeParser) basicWords(d *DeclSpec) {
	old, _ := d.Base.(*BasicType)
	if d.Base != nil && old == nil && !isBadType(d.Base) {
		p.cannotCombine(p.tok().Span(), d.Base)
		p.next()
		return
	}
	pos := p.pos()
	if old == nil && p.c != kwComplex && kindClass[p.peek(1)]&clsWord == 0 {
		b := p.declNodes.basic.New()
		b.Words = wordLists[p.c-kwVoid]
		p.next()
		b.node = p.from(pos)
		d.Base = b
		return
	}
	var words []string
	if old != nil {
		pos = old.S.Pos
		words = append(words, old.Words...)
	}
	for kindClass[p.c]&clsWord != 0 {
		if p.c == kwComplex {
			p.errorHere(diag.UnsupportedComplex, "complex and imaginary types are not supported")
			p.bad = false
		} else if word := wordNames[p.c]; p.wordFits(words, word) {
			words = append(words, word)
		}
		p.next()
	}
	b := p.declNodes.basic.New()
	b.node, b.Words = p.from(pos), words
	if len(words) == 0 {
		b.Words = wordLists[kwInt-kwVoid]
	}
	d.Base = b
}

// A wordClass is the class of a basic type's word, by the words with which it can be combined.
type wordClass uint8

const (
	signWord   wordClass = iota // signed, unsigned
	sizeWord                    // short, long
	intWord                     // int
	charWord                    // char
	doubleWord                  // double
	soleWord                    // void, bool, half, float
)

var wordClasses = map[string]wordClass{"signed": signWord, "unsigned": signWord, "short": sizeWord, "long": sizeWord, "int": intWord,
	"char": charWord, "double": doubleWord, "void": soleWord, "bool": soleWord, "half": soleWord, "float": soleWord}

// wordFits reports whether word can be combined with words (C99 6.7.2p2). If not, it reports an error.
func (p *typeParser) wordFits(words []string, word string) bool {
	longs, incomplete := 0, p.incomplete
	for _, w := range words {
		if w == "long" {
			longs++
		}
	}
	for _, w := range words {
		a, b := w, word // ordered by class
		if wordClasses[a] > wordClasses[b] {
			a, b = b, a
		}
		ca, cb := wordClasses[a], wordClasses[b]
		switch {
		case ca == signWord && w == word:
			p.duplicate()
			return false
		case ca == signWord && (cb == sizeWord || cb == intWord || cb == charWord), ca == sizeWord && cb == intWord:
			continue
		case a == "long" && b == "long" && longs < 2,
			a == "long" && cb == doubleWord && (word == "double" && longs == 1 || word == "long" && longs == 0):
			continue
		case ca == signWord && cb > charWord:
			p.errorHere(diag.BadTypeCombination, "'%s' cannot be signed or unsigned", b)
		case ca == sizeWord && cb > intWord:
			p.errorHere(diag.BadTypeCombination, "'%s %s' is invalid", a, b)
		case longs == 2 && w == "long":
			p.errorHere(diag.BadTypeCombination, "cannot combine with previous 'long long' declaration specifier")
		default:
			p.errorHere(diag.BadTypeCombination, "cannot combine with previous '%s' declaration specifier", w)
		}
		p.recovered(incomplete)
		return false
	}
	return true
}

// typeof parses
//
//	typeof-specifier: "typeof" "(" ( expression | type-name ) ")"
func (p *typeParser) typeof() BaseType {
	t := &TypeofType{}
	pos := p.pos()
	p.next()
	open := p.i
	if p.expect(token.LParen, "after 'typeof'") && p.enter(nestParen) {
		if p.startsType(p.i) {
			t.Type = p.parseTypeName()
		} else {
			t.X = p.expr()
		}
		p.closing(open, token.RParen)
		p.leave(nestParen)
	} else {
		t.X = p.badExpr()
	}
	t.node = p.from(pos)
	return t
}

// alignas parses "_Alignas" "(" ( constant-expression | type-name ) ")" as the
// attribute aligned.
func (p *typeParser) alignas() {
	pos := p.pos()
	p.next()
	a := p.declNodes.attr.New()
	a.Name = "aligned"
	if p.c == token.LParen {
		a.Args = p.attributeArgs()
		if len(a.Args) == 1 && a.Args[0].Type != nil {
			op := &TypeOp{Op: "alignof", Type: a.Args[0].Type}
			op.S = op.Type.S
			a.Args[0] = AttrArg{X: op}
		}
	} else {
		p.expect(token.LParen, "after '_Alignas'")
	}
	a.node = p.from(pos)
	p.attrs.Push(a)
}

// record parses
//
//	struct-or-union-specifier: ( "struct" | "union" ) { attribute } [ identifier ]
//	    [ "{" { struct-declaration } "}" { attribute } ]
func (p *typeParser) record() BaseType {
	r := &RecordType{Union: p.c == kwUnion}
	pos := p.pos()
	word := p.tok().Text
	p.next()
	mark := p.attrs.Mark()
	for p.c == kwAttribute {
		p.attributeList()
	}
	if p.c == token.Ident {
		r.Tag, r.TagSpan = p.tok().Text, p.tok().Span()
		p.next()
	}
	switch {
	case p.c == token.LBrace:
		r.HasBody = true
		p.fields(r)
		for p.c == kwAttribute {
			p.attributeList()
		}
	case r.Tag == "":
		p.unexpected("declaration of anonymous %s must be a definition", word)
	}
	r.Attrs = p.attrs.Cut(mark)
	r.node = p.from(pos)
	return r
}

// endsRecord reports whether a ";" is missing after a struct, union or enum specifier with a body: a declaration
// begins on the next line.
func (p *typeParser) endsRecord(spec *DeclSpec) bool {
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

// fields parses the braces of a struct or union.
func (p *typeParser) fields(r *RecordType) {
	open := p.i
	p.next()
	if !p.enter(nestBrace) {
		return
	}
	mark := p.decls.Mark()
	for p.c != token.RBrace && p.c != token.EOF {
		start := p.i
		switch p.c {
		case token.Semi, token.Pragma, kwExtension:
			p.next()
		case kwStaticAssert:
			p.decls.Push(p.staticAssert())
		case kwKernel:
			if p.tok().Flags&token.LineStart != 0 {
				p.closing(open, token.RBrace)
				p.leave(nestBrace)
				r.Fields = p.decls.Cut(mark)
				return
			}
			fallthrough
		default:
			p.decls.Push(p.field())
		}
		if p.i == start {
			p.next()
		}
	}
	p.bad = false
	p.closing(open, token.RBrace)
	p.leave(nestBrace)
	r.Fields = p.decls.Cut(mark)
}

// field parses
//
//	struct-declaration: specifier-qualifier-list [ struct-declarator { "," struct-declarator } ] ";"
//	struct-declarator: declarator [ ":" constant-expression ] | ":" constant-expression
func (p *typeParser) field() Decl {
	p.bad = false
	pos := p.pos()
	v := p.declNodes.varDecl.New()
	v.Spec = p.declSpecs(specContext{typeOnly: true})
	mark := p.items.Mark()
	for p.c != token.Semi && p.c != token.RBrace && !p.bad {
		var d *Declarator
		if p.c == token.Colon {
			d = p.declNodes.declarator.New()
			d.Type = v.Spec
			d.node = node{diag.Span{Pos: p.pos(), End: p.pos()}}
		} else {
			d = p.declaratorOf(v.Spec, named)
		}
		if p.accept(token.Colon) {
			d.Bits = p.conditional()
		}
		p.attributes(&d.Attrs)
		it := p.declNodes.initDecl.New()
		it.Decl = d
		if p.c == token.Assign {
			p.errorHere(diag.ExpectedSemi, "a field cannot have an initializer")
		}
		p.items.Push(it)
		if !p.accept(token.Comma) {
			break
		}
	}
	v.Items = p.items.Cut(mark)
	if p.c == token.RBrace && !p.bad {
		at := p.afterPrevious()
		p.rep.Report(diag.FieldSemi, at, "expected ';' at end of declaration list").Replace(at, ";")
	} else {
		p.semi("at end of declaration list")
	}
	v.node = p.from(pos)
	return v
}

// staticAssert parses
//
//	static-assert: "_Static_assert" "(" constant-expression [ "," string-literal ] ")" ";"
func (p *typeParser) staticAssert() Decl {
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

// enum parses
//
//	enum-specifier: "enum" { attribute } [ identifier ] [ "{" enumerator { "," enumerator } [ "," ] "}" { attribute } ]
//	enumerator: identifier { attribute } [ "=" constant-expression ]
func (p *typeParser) enum() BaseType {
	e := &EnumType{}
	pos := p.pos()
	p.next()
	mark := p.attrs.Mark()
	for p.c == kwAttribute {
		p.attributeList()
	}
	if p.c == token.Ident {
		e.Tag, e.TagSpan = p.tok().Text, p.tok().Span()
		p.next()
	}
	if p.c == token.LBrace {
		e.HasBody = true
		p.enumerators(e)
		for p.c == kwAttribute {
			p.attributeList()
		}
	} else if e.Tag == "" {
		p.unexpected("expected identifier or '{'")
	}
	e.Attrs = p.attrs.Cut(mark)
	e.node = p.from(pos)
	return e
}

func (p *typeParser) enumerators(e *EnumType) {
	open, incomplete := p.i, p.incomplete
	p.next()
	if p.c == token.RBrace {
		p.errorHere(diag.EmptyEnum, "use of empty enum")
		p.recovered(incomplete)
	}
	mark := p.enums.Mark()
	for p.c == token.Ident {
		n := p.declNodes.enumerator.New()
		pos, sym := p.pos(), p.symHere()
		n.Name, n.Sym = p.tok().Text, sym
		p.next()
		p.attributes(&n.Attrs)
		if p.accept(token.Assign) {
			n.Value = p.conditional()
		}
		n.node = p.from(pos)
		p.declare(sym, ordinary)
		p.enums.Push(n)
		if p.c == token.Ident {
			at := p.afterPrevious()
			p.errorAt(diag.ExpectedToken, at, "missing ',' between enumerators").Replace(at, ",")
			p.recovered(incomplete)
		} else if !p.accept(token.Comma) {
			break
		}
	}
	if p.c != token.RBrace && p.c != token.EOF && p.c != token.Ident && p.toks[p.i-1].Kind == token.Comma {
		p.unexpected("expected identifier")
	}
	p.closing(open, token.RBrace)
	e.Items = p.enums.Cut(mark)
}

package syntax

import "github.com/purecl/purecl/internal/slab"

// A Memory is what tokens and trees are made of, and the tables of the preprocessor and
// the parser. After a Reset it serves another translation unit. It is for one unit at a time.
type Memory struct {
	out   []Token
	syms  ppSyms
	code  []Kind
	sym   []Sym
	of    []Sym
	names symtab
	a     arena
	pending
}

// Reset ends the life of all tokens and trees that were made in m. Positions, texts and
// diagnostics stay good.
func (m *Memory) Reset() {
	clear(m.out)
	clear(m.syms.list)
	clear(m.names.text)
	clear(m.of)
	slab.ResetFields(&m.a)
	slab.ResetFields(&m.pending)
}

// An arena is the slabs of the node types that a translation unit has many of.
type arena struct {
	name       slab.Of[Name]
	number     slab.Of[NumberLit]
	paren      slab.Of[Paren]
	unary      slab.Of[Unary]
	postfix    slab.Of[Postfix]
	binary     slab.Of[Binary]
	assign     slab.Of[AssignExpr]
	cond       slab.Of[Cond]
	call       slab.Of[Call]
	index      slab.Of[Index]
	member     slab.Of[Member]
	cast       slab.Of[Cast]
	initList   slab.Of[InitList]
	typeName   slab.Of[TypeName]
	declSpec   slab.Of[DeclSpec]
	pointer    slab.Of[PointerType]
	array      slab.Of[ArrayType]
	fn         slab.Of[FuncType]
	declarator slab.Of[Declarator]
	initDecl   slab.Of[InitDeclarator]
	varDecl    slab.Of[VarDecl]
	declStmt   slab.Of[DeclStmt]
	exprStmt   slab.Of[ExprStmt]
	block      slab.Of[Block]
	ifStmt     slab.Of[If]
	forStmt    slab.Of[For]
	caseStmt   slab.Of[Case]
	returnStmt slab.Of[Return]
	breakStmt  slab.Of[Break]
	param      slab.Of[Param]
	basic      slab.Of[BasicType]
	named      slab.Of[NamedType]
	attr       slab.Of[Attr]
	enumerator slab.Of[Enumerator]
}

// pending is the sequences under construction.
type pending struct {
	exprs       slab.Lists[Expr]
	stmts       slab.Lists[Stmt]
	decls       slab.Lists[Decl]
	params      slab.Lists[*Param]
	items       slab.Lists[*InitDeclarator]
	inits       slab.Lists[InitItem]
	designators slab.Lists[Designator]
	attrs       slab.Lists[*Attr]
	attrArgs    slab.Lists[AttrArg]
	quals       slab.Lists[QualAt]
	enums       slab.Lists[*Enumerator]
	tokens      slab.Lists[Token]
}

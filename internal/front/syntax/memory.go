package syntax

import (
	"github.com/purecl/purecl/internal/base/slab"
	"github.com/purecl/purecl/internal/front/token"
)

// A Memory holds trees and the tables of the parser. After a Reset it serves another translation unit, one at a
// time.
type Memory struct {
	syms symbols
	code []token.Kind
	a    arena
	pending
}

// Reset frees all trees created in m. Positions, texts and diagnostics stay valid.
func (m *Memory) Reset() {
	slab.Reset(m.a.slabs())
	slab.Reset(m.pending.slabs())
}

// An arena holds the slabs of the most frequent node types.
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

// slabs lists the slabs.
func (a *arena) slabs() []slab.Resetter {
	return []slab.Resetter{
		&a.name, &a.number, &a.paren, &a.unary, &a.postfix, &a.binary, &a.assign, &a.cond, &a.call, &a.index, &a.member,
		&a.cast, &a.initList, &a.typeName, &a.declSpec, &a.pointer, &a.array, &a.fn, &a.declarator, &a.initDecl,
		&a.varDecl, &a.declStmt, &a.exprStmt, &a.block, &a.ifStmt, &a.forStmt, &a.caseStmt, &a.returnStmt, &a.breakStmt,
		&a.param, &a.basic, &a.named, &a.attr, &a.enumerator,
	}
}

// pending holds the sequences under construction.
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
	tokens      slab.Lists[token.Token]
}

// slabs lists the slabs.
func (p *pending) slabs() []slab.Resetter {
	return []slab.Resetter{
		&p.exprs, &p.stmts, &p.decls, &p.params, &p.items, &p.inits, &p.designators, &p.attrs, &p.attrArgs, &p.quals,
		&p.enums, &p.tokens,
	}
}

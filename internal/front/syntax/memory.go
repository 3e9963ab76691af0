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
	exprMemory
	declMemory
	stmtMemory
}

// Reset frees all trees created in m. Positions, texts and diagnostics stay valid.
func (m *Memory) Reset() {
	slab.Reset(m.exprMemory.slabs())
	slab.Reset(m.declMemory.slabs())
	slab.Reset(m.stmtMemory.slabs())
}

// exprMemory holds the nodes of expressions and initializers, and the sequences of them under construction.
type exprMemory struct {
	exprNodes   exprNodes
	exprs       slab.Lists[Expr]
	inits       slab.Lists[InitItem]
	designators slab.Lists[Designator]
}

// exprNodes holds the slabs of the most frequent nodes of expressions and initializers.
type exprNodes struct {
	name     slab.Of[Name]
	number   slab.Of[NumberLit]
	paren    slab.Of[Paren]
	unary    slab.Of[Unary]
	postfix  slab.Of[Postfix]
	binary   slab.Of[Binary]
	assign   slab.Of[AssignExpr]
	cond     slab.Of[Cond]
	call     slab.Of[Call]
	index    slab.Of[Index]
	member   slab.Of[Member]
	cast     slab.Of[Cast]
	initList slab.Of[InitList]
}

// slabs lists the slabs.
func (m *exprMemory) slabs() []slab.Resetter {
	n := &m.exprNodes
	return []slab.Resetter{
		&n.name, &n.number, &n.paren, &n.unary, &n.postfix, &n.binary, &n.assign, &n.cond, &n.call, &n.index,
		&n.member, &n.cast, &n.initList, &m.exprs, &m.inits, &m.designators,
	}
}

// declMemory holds the nodes of declarations and of the types in them, and the sequences of them under construction.
type declMemory struct {
	declNodes declNodes
	decls     slab.Lists[Decl]
	items     slab.Lists[*InitDeclarator]
	params    slab.Lists[*Param]
	attrs     slab.Lists[*Attr]
	attrArgs  slab.Lists[AttrArg]
	quals     slab.Lists[QualAt]
	enums     slab.Lists[*Enumerator]
	tokens    slab.Lists[token.Token]
}

// declNodes holds the slabs of the most frequent nodes of declarations and of the types in them.
type declNodes struct {
	declSpec   slab.Of[DeclSpec]
	basic      slab.Of[BasicType]
	named      slab.Of[NamedType]
	pointer    slab.Of[PointerType]
	array      slab.Of[ArrayType]
	fn         slab.Of[FuncType]
	typeName   slab.Of[TypeName]
	declarator slab.Of[Declarator]
	initDecl   slab.Of[InitDeclarator]
	varDecl    slab.Of[VarDecl]
	param      slab.Of[Param]
	enumerator slab.Of[Enumerator]
	attr       slab.Of[Attr]
}

// slabs lists the slabs.
func (m *declMemory) slabs() []slab.Resetter {
	n := &m.declNodes
	return []slab.Resetter{
		&n.declSpec, &n.basic, &n.named, &n.pointer, &n.array, &n.fn, &n.typeName, &n.declarator, &n.initDecl,
		&n.varDecl, &n.param, &n.enumerator, &n.attr, &m.decls, &m.items, &m.params, &m.attrs, &m.attrArgs, &m.quals,
		&m.enums, &m.tokens,
	}
}

// stmtMemory holds the nodes of statements, and the sequences of them under construction.
type stmtMemory struct {
	stmtNodes stmtNodes
	stmts     slab.Lists[Stmt]
}

// stmtNodes holds the slabs of the most frequent nodes of statements.
type stmtNodes struct {
	declStmt   slab.Of[DeclStmt]
	exprStmt   slab.Of[ExprStmt]
	block      slab.Of[Block]
	ifStmt     slab.Of[If]
	forStmt    slab.Of[For]
	caseStmt   slab.Of[Case]
	returnStmt slab.Of[Return]
	breakStmt  slab.Of[Break]
}

// slabs lists the slabs.
func (m *stmtMemory) slabs() []slab.Resetter {
	n := &m.stmtNodes
	return []slab.Resetter{
		&n.declStmt, &n.exprStmt, &n.block, &n.ifStmt, &n.forStmt, &n.caseStmt, &n.returnStmt, &n.breakStmt, &m.stmts,
	}
}

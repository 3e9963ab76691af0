package syntax

// A slab hands out zeroed values of one type from blocks that grow with use: one
// allocation for many nodes.
type slab[T any] struct {
	free []T
	size int
}

const maxSlab = 128 // values in a block

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 8), maxSlab)
		s.free = make([]T, s.size)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// A lists collects sequences of unknown length that may nest, on one stack, and cuts
// each off into a slice of its own from shared blocks.
type lists[T any] struct {
	stack []T
	free  []T
	size  int
}

// mark begins a sequence.
func (l *lists[T]) mark() int { return len(l.stack) }

func (l *lists[T]) push(x T) { l.stack = append(l.stack, x) }

// cut ends the sequence that began at mark and returns it; nil where it is empty.
func (l *lists[T]) cut(mark int) []T {
	n := len(l.stack) - mark
	if n == 0 {
		return nil
	}
	if len(l.free) < n {
		l.size = min(max(2*l.size, 16), maxSlab)
		l.free = make([]T, max(n, l.size))
	}
	out := l.free[:n:n]
	l.free = l.free[n:]
	copy(out, l.stack[mark:])
	clear(l.stack[mark:])
	l.stack = l.stack[:mark]
	return out
}

// An arena is the slabs of the node types that a translation unit has many of.
type arena struct {
	name       slab[Name]
	number     slab[NumberLit]
	paren      slab[Paren]
	unary      slab[Unary]
	postfix    slab[Postfix]
	binary     slab[Binary]
	assign     slab[AssignExpr]
	cond       slab[Cond]
	call       slab[Call]
	index      slab[Index]
	member     slab[Member]
	cast       slab[Cast]
	initList   slab[InitList]
	typeName   slab[TypeName]
	declSpec   slab[DeclSpec]
	pointer    slab[PointerType]
	array      slab[ArrayType]
	fn         slab[FuncType]
	declarator slab[Declarator]
	initDecl   slab[InitDeclarator]
	varDecl    slab[VarDecl]
	declStmt   slab[DeclStmt]
	exprStmt   slab[ExprStmt]
	block      slab[Block]
	ifStmt     slab[If]
	forStmt    slab[For]
	caseStmt   slab[Case]
	returnStmt slab[Return]
	breakStmt  slab[Break]
	param      slab[Param]
	basic      slab[BasicType]
	named      slab[NamedType]
	attr       slab[Attr]
	enumerator slab[Enumerator]
}

// pending is the sequences under construction.
type pending struct {
	exprs       lists[Expr]
	stmts       lists[Stmt]
	decls       lists[Decl]
	params      lists[*Param]
	items       lists[*InitDeclarator]
	inits       lists[InitItem]
	designators lists[Designator]
	attrs       lists[*Attr]
	attrArgs    lists[AttrArg]
	quals       lists[QualAt]
	enums       lists[*Enumerator]
	tokens      lists[Token]
}

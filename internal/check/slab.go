package check

import "github.com/purecl/purecl/internal/types"

// A slab hands out zeroed values from blocks, so that building a tree costs few
// allocations.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 8), 128)
		s.free = make([]T, s.size)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// slabs are the slabs of the node types that trees have most of.
type slabs struct {
	constant  slab[Const]
	ref       slab[VarRef]
	load      slab[Load]
	binary    slab[Binary]
	convert   slab[Convert]
	ptrAdd    slab[PtrAdd]
	deref     slab[Deref]
	swizzle   slab[Swizzle]
	assign    slab[Assign]
	compare   slab[Compare]
	member    slab[Member]
	call      slab[Call]
	builtin   slab[BuiltinCall]
	variable  slab[Var]
	symbol    slab[symbol]
	exprStmt  slab[ExprStmt]
	varStmt   slab[VarStmt]
	words     []uint64
	bytes     []uint8
	exprs     []Expr
	stmts     []Stmt
	funcRef   slab[funcRef]
	fn        slab[Func]
	fnInfo    slab[funcInfo]
	compound  slab[CompoundAssign]
	splat     slab[Splat]
	incDec    slab[IncDec]
	loop      slab[Loop]
	ifStmt    slab[If]
	block     slab[Block]
	decay     slab[Decay]
	literal   slab[VectorLit]
	argTypes  []types.QType // scratch
	exprStack []Expr
	stmtStack []Stmt
}

// bits returns a zeroed slice of n words with the lifetime of the tree.
func (a *slabs) bits(n int) []uint64 {
	if len(a.words) < n {
		a.words = make([]uint64, max(n, 256))
	}
	s := a.words[:n:n]
	a.words = a.words[n:]
	return s
}

// lanes returns a zeroed slice of n bytes with the lifetime of the tree.
func (a *slabs) lanes(n int) []uint8 {
	if len(a.bytes) < n {
		a.bytes = make([]uint8, max(n, 256))
	}
	s := a.bytes[:n:n]
	a.bytes = a.bytes[n:]
	return s
}

// exprList returns a copy of s with the lifetime of the tree.
func (a *slabs) exprList(s []Expr) []Expr { return keep(&a.exprs, s) }

// stmtList returns a copy of s with the lifetime of the tree.
func (a *slabs) stmtList(s []Stmt) []Stmt { return keep(&a.stmts, s) }

func keep[T any](free *[]T, s []T) []T {
	n := len(s)
	if n == 0 {
		return nil
	}
	if len(*free) < n {
		*free = make([]T, max(n, 256))
	}
	r := (*free)[:n:n]
	*free = (*free)[n:]
	copy(r, s)
	return r
}

package check

import (
	"github.com/purecl/purecl/internal/base/slab"
	"github.com/purecl/purecl/internal/front/types"
)

// A Memory holds typed trees. After a Reset it serves another translation unit, one at a time.
type Memory struct {
	slabs
	names []ident // of scopes
}

// Reset frees all trees created in m. The slices in constants and swizzles (Const.Bits, Swizzle.Lanes) stay valid,
// and so do types.
func (m *Memory) Reset() {
	slab.Reset(m.primarySlabs.list())
	slab.Reset(m.operatorSlabs.list())
	slab.Reset(m.stmtSlabs.list())
	slab.Reset(m.declSlabs.list())
}

// slabs are the slabs of the most frequent node types, and the memory of what nodes refer to.
type slabs struct {
	primarySlabs
	operatorSlabs
	stmtSlabs
	declSlabs
	constMemory
	argTypes []types.QType // scratch of a call
}

// primarySlabs are the slabs of expressions that name, select or read a value: constants, l-values, and the loads
// of these.
type primarySlabs struct {
	constant slab.Of[Const]
	ref      slab.Of[VarRef]
	funcRef  slab.Of[funcRef]
	deref    slab.Of[Deref]
	member   slab.Of[Member]
	swizzle  slab.Of[Swizzle]
	load     slab.Of[Load]
	decay    slab.Of[Decay]
	literal  slab.Of[VectorLit]
	exprs    slab.Lists[Expr]
}

// list lists the slabs.
func (a *primarySlabs) list() []slab.Resetter {
	return []slab.Resetter{&a.constant, &a.ref, &a.funcRef, &a.deref, &a.member, &a.swizzle, &a.load, &a.decay, &a.literal, &a.exprs}
}

// operatorSlabs are the slabs of operators, conversions and calls.
type operatorSlabs struct {
	convert  slab.Of[Convert]
	splat    slab.Of[Splat]
	binary   slab.Of[Binary]
	compare  slab.Of[Compare]
	ptrAdd   slab.Of[PtrAdd]
	assign   slab.Of[Assign]
	compound slab.Of[CompoundAssign]
	incDec   slab.Of[IncDec]
	call     slab.Of[Call]
	builtin  slab.Of[BuiltinCall]
}

// list lists the slabs.
func (a *operatorSlabs) list() []slab.Resetter {
	return []slab.Resetter{&a.convert, &a.splat, &a.binary, &a.compare, &a.ptrAdd, &a.assign, &a.compound, &a.incDec, &a.call, &a.builtin}
}

// stmtSlabs are the slabs of statements.
type stmtSlabs struct {
	exprStmt slab.Of[ExprStmt]
	varStmt  slab.Of[VarStmt]
	ifStmt   slab.Of[If]
	loop     slab.Of[Loop]
	block    slab.Of[Block]
	stmts    slab.Lists[Stmt]
}

// list lists the slabs.
func (a *stmtSlabs) list() []slab.Resetter {
	return []slab.Resetter{&a.exprStmt, &a.varStmt, &a.ifStmt, &a.loop, &a.block, &a.stmts}
}

// declSlabs are the slabs of variables and functions, with what the checker knows about them.
type declSlabs struct {
	variable slab.Of[Var]
	symbol   slab.Of[symbol]
	fn       slab.Of[Func]
	fnInfo   slab.Of[funcInfo]
}

// list lists the slabs.
func (a *declSlabs) list() []slab.Resetter {
	return []slab.Resetter{&a.variable, &a.symbol, &a.fn, &a.fnInfo}
}

// constMemory is memory for the values of constants and the components of swizzles. It is not reused: SSA may keep
// parts of it.
type constMemory struct {
	words []uint64
	bytes []uint8
}

// bits returns a zeroed slice of n words, which the garbage collector frees.
func (m *constMemory) bits(n int) []uint64 { return cut(&m.words, n) }

// lanes returns a zeroed slice of n bytes, which the garbage collector frees.
func (m *constMemory) lanes(n int) []uint8 { return cut(&m.bytes, n) }

// cut returns n zeroed elements, from the remaining memory or from new memory.
func cut[T any](left *[]T, n int) []T {
	if len(*left) < n {
		*left = make([]T, max(n, 256))
	}
	s := (*left)[:n:n]
	*left = (*left)[n:]
	return s
}

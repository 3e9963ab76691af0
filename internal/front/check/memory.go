package check

import (
	"github.com/purecl/purecl/internal/base/slab"
	"github.com/purecl/purecl/internal/front/types"
)

// A Memory holds typed trees. After a Reset it serves another translation unit, one at a time.
type Memory struct {
	slabs
	names []ident // of a checker
}

// Reset frees all trees created in m. The slices in constants and swizzles (Const.Bits, Swizzle.Lanes) stay valid,
// and so do types.
func (m *Memory) Reset() { slab.Reset(m.slabs.list()) }

// slabs are the slabs of the most frequent node types.
type slabs struct {
	constant slab.Of[Const]
	ref      slab.Of[VarRef]
	load     slab.Of[Load]
	binary   slab.Of[Binary]
	convert  slab.Of[Convert]
	ptrAdd   slab.Of[PtrAdd]
	deref    slab.Of[Deref]
	swizzle  slab.Of[Swizzle]
	assign   slab.Of[Assign]
	compare  slab.Of[Compare]
	member   slab.Of[Member]
	call     slab.Of[Call]
	builtin  slab.Of[BuiltinCall]
	variable slab.Of[Var]
	symbol   slab.Of[symbol]
	exprStmt slab.Of[ExprStmt]
	varStmt  slab.Of[VarStmt]
	funcRef  slab.Of[funcRef]
	fn       slab.Of[Func]
	fnInfo   slab.Of[funcInfo]
	compound slab.Of[CompoundAssign]
	splat    slab.Of[Splat]
	incDec   slab.Of[IncDec]
	loop     slab.Of[Loop]
	ifStmt   slab.Of[If]
	block    slab.Of[Block]
	decay    slab.Of[Decay]
	literal  slab.Of[VectorLit]
	exprs    slab.Lists[Expr]
	stmts    slab.Lists[Stmt]
	words    []uint64      // not reused: SSA may keep parts of it
	bytes    []uint8       // not reused either
	argTypes []types.QType // scratch
}

// list lists the slabs.
func (a *slabs) list() []slab.Resetter {
	return []slab.Resetter{
		&a.constant, &a.ref, &a.load, &a.binary, &a.convert, &a.ptrAdd, &a.deref, &a.swizzle, &a.assign, &a.compare,
		&a.member, &a.call, &a.builtin, &a.variable, &a.symbol, &a.exprStmt, &a.varStmt, &a.funcRef, &a.fn, &a.fnInfo,
		&a.compound, &a.splat, &a.incDec, &a.loop, &a.ifStmt, &a.block, &a.decay, &a.literal, &a.exprs, &a.stmts,
	}
}

// bits returns a zeroed slice of n words, which the garbage collector frees.
func (a *slabs) bits(n int) []uint64 { return cut(&a.words, n) }

// lanes returns a zeroed slice of n bytes, which the garbage collector frees.
func (a *slabs) lanes(n int) []uint8 { return cut(&a.bytes, n) }

// cut returns n zeroed elements, from the remaining memory or from new memory.
func cut[T any](left *[]T, n int) []T {
	if len(*left) < n {
		*left = make([]T, max(n, 256))
	}
	s := (*left)[:n:n]
	*left = (*left)[n:]
	return s
}

package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// initialize stores the initial value of the new object of type t at ptr+off.
func (ev *evaluator) initialize(ptr *ssa.Value, off, align int64, t types.QType, e check.Expr) {
	switch x := e.(type) {
	case *check.InitList:
		ev.initList(ptr, off, align, t, x)
		return
	case *check.StringConst:
		ev.initString(ptr, off, t.Type, x)
		return
	case *check.Load:
		if s, ok := x.X.(*check.StringConst); ok {
			ev.initString(ptr, off, t.Type, s)
			return
		}
	}
	if isRecord(t.Type) {
		ev.Pos = e.Span().Pos
		ev.recordInto(ev.offset(ptr, off), e)
		return
	}
	x := ev.value(e)
	ev.Pos = e.Span().Pos
	p := place{ptr: ptr, off: off, align: align, typ: t.Type, volatile: t.Volatile}
	ev.storeAt(&p, 0, x, min(align, t.Align()))
}

// Initializers with at least this many constants are copied from a constant variable.
const minTable = 8

func (ev *evaluator) initList(ptr *ssa.Value, off, align int64, t types.QType, x *check.InitList) {
	size := max(t.Size(), 0)
	ev.Pos = x.S.Pos
	if table(x) {
		d := ev.newGlobal(ev.F.Name+".init", ssa.PtrConstant, size, t.Align(), ev.spelling(t.Type), x.S.Pos)
		d.Init = []byte{}
		ev.constInit(d, 0, t.Type, x)
		ev.memCopy(ev.offset(ptr, off), ev.Sym(ssa.OpGlobalAddr, ssa.Scalar(ssa.PtrConstant), d), size, false)
		return
	}
	if !covers(x, size) && size > 0 {
		ev.Aux(ssa.OpMemZero, ssa.TVoid, size, ev.offset(ptr, off))
	}
	for i := range x.Items {
		it := &x.Items[i]
		at := alignAt(align, off+it.Offset)
		if it.Field != nil {
			ev.initBits(ptr, off+it.Offset, off+size, at, it.Field, it.Value)
			continue
		}
		q := it.Value.Type()
		q.Volatile = t.Volatile
		ev.initialize(ptr, off+it.Offset, at, q, it.Value)
	}
}

// table reports whether the initializer consists of many constants only.
func table(x *check.InitList) bool {
	if len(x.Items) < minTable {
		return false
	}
	for i := range x.Items {
		if _, ok := x.Items[i].Value.(*check.Const); !ok {
			return false
		}
	}
	return true
}

// covers reports whether the items cover every byte of the object.
func covers(x *check.InitList, size int64) bool {
	end := int64(0)
	for i := range x.Items {
		it := &x.Items[i]
		if it.Field != nil || it.Offset != end {
			return false
		}
		t := it.Value.Type()
		if t.Kind == types.Array || t.Kind == types.Vector && t.Len == 3 {
			return false
		}
		end += t.Size()
	}
	return end >= size
}

// initString stores the bytes of a string into an array of characters.
func (ev *evaluator) initString(ptr *ssa.Value, off int64, t *types.Type, x *check.StringConst) {
	ev.Pos = x.S.Pos
	n, size := int64(len(x.Data)), t.Size()
	if size < 0 {
		size = n
	}
	n = min(n, size)
	to := ev.offset(ptr, off)
	if n < size {
		ev.Aux(ssa.OpMemZero, ssa.TVoid, size, to)
	}
	if n > 0 {
		ev.memCopy(to, ev.Sym(ssa.OpGlobalAddr, ssa.Scalar(ssa.PtrConstant), ev.str(x)), n, false)
	}
}

// recordInto evaluates the record e into the memory at dst, to which e does not refer.
func (ev *evaluator) recordInto(dst *ssa.Value, e check.Expr) {
	t := e.Type()
	switch x := e.(type) {
	case *check.Call:
		ev.callInto(x, dst)
		return
	case *check.InitList:
		ev.initialize(dst, 0, t.Align(), t, x)
		return
	case *check.Load:
		if c, ok := x.X.(*check.CompoundLit); ok && c.Var.Kind == check.AutoVar && c.Var.Init != nil {
			ev.initialize(dst, 0, t.Align(), t, c.Var.Init)
			return
		}
		p := ev.lvalue(x.X)
		ev.Pos = x.S.Pos
		ev.memCopy(dst, ev.addr(&p), t.Size(), p.volatile)
		return
	}
	src := ev.value(e)
	ev.Pos = e.Span().Pos
	ev.memCopy(dst, src, t.Size(), false)
}

package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A part is the part of an object that a place denotes.
type part uint8

const (
	whole   part = iota
	lanes        // components of a vector
	dynamic      // one component whose index is known at run time
	bits         // a bit-field
)

// A place is the location of an l-value, an object in memory at ptr+off or an immutable value, and the part of it
// that the l-value denotes.
type place struct {
	reg      *ssa.Value // the value, or nil:
	ptr      *ssa.Value
	off      int64
	align    int64 // guaranteed alignment of ptr+off
	typ      *types.Type
	volatile bool
	auto     bool // in an automatic variable, at a constant offset
	part     part
	lanes    []uint8
	index    *ssa.Value   // index of a dynamic part: U64, within lanes if there are any
	field    *types.Field // of a bit-field
	limit    int64        // of a bit-field: bytes from its unit to the end of the record
	pos      diag.Pos
}

// lvalue returns the location of the l-value e (or of part of an r-value).
func (ev *evaluator) lvalue(e check.Expr) place {
	switch x := e.(type) {
	case *check.VarRef:
		return ev.varPlace(x)
	case *check.Deref:
		ptr := ev.value(x.X)
		return place{ptr: ptr, align: x.T.Align(), typ: x.T.Type, volatile: x.T.Volatile, pos: x.S.Pos}
	case *check.Member:
		return ev.memberPlace(x)
	case *check.Swizzle:
		return ev.swizzlePlace(x)
	case *check.VecIndex:
		return ev.indexPlace(x)
	case *check.CompoundLit:
		return ev.literalPlace(x)
	case *check.StringConst:
		ev.Pos = x.S.Pos
		ptr := ev.Sym(ssa.OpGlobalAddr, ssa.Scalar(ssa.PtrConstant), ev.str(x))
		return place{ptr: ptr, align: 1, typ: x.T.Type, pos: x.S.Pos}
	}
	v := ev.value(e)
	t := e.Type()
	if isRecord(t.Type) {
		return place{ptr: v, align: t.Align(), typ: t.Type, pos: e.Span().Pos}
	}
	return place{reg: v, typ: t.Type, pos: e.Span().Pos}
}

func (ev *evaluator) varPlace(x *check.VarRef) place {
	v := x.Var
	p := place{align: v.Align, typ: x.T.Type, volatile: x.T.Volatile, pos: x.S.Pos}
	if p.align == 0 {
		p.align = v.Type.Align()
	}
	if v.Kind == check.GlobalVar || v.Kind == check.LocalVar {
		d := ev.global(v)
		ev.Pos = x.S.Pos
		p.ptr = ev.Sym(ssa.OpGlobalAddr, ssa.Scalar(d.Kind), d)
		return p
	}
	if ev.outer != nil && v.Data != nil {
		p.ptr = ev.outerVar(v)
		return p
	}
	if r, ok := v.Data.(*regVar); ok {
		p.reg = (*ssa.Value)(r)
		return p
	}
	p.ptr, p.auto = ev.variable(v), true
	return p
}

func (ev *evaluator) memberPlace(x *check.Member) place {
	p := ev.lvalue(x.X)
	f := x.Field
	size := p.typ.Size()
	p.off += f.Offset
	p.align = alignAt(p.align, f.Offset)
	p.typ, p.pos = x.T.Type, x.S.Pos
	p.volatile = p.volatile || x.T.Volatile
	if f.Bits >= 0 {
		p.part, p.field, p.limit = bits, f, size-f.Offset
	}
	return p
}

// alignAt returns the alignment of the address off bytes after an address of alignment align.
func alignAt(align, off int64) int64 {
	if low := off & -off; low != 0 {
		return min(align, low)
	}
	return align
}

func (ev *evaluator) swizzlePlace(x *check.Swizzle) place {
	p := ev.lvalue(x.X)
	p.pos = x.S.Pos
	p.volatile = p.volatile || x.T.Volatile
	switch p.part {
	case whole:
		p.part, p.lanes = lanes, x.Lanes
	case lanes:
		composed := make([]uint8, len(x.Lanes))
		for i, l := range x.Lanes {
			composed[i] = ssa.ShuffleUndef
			if int(l) < len(p.lanes) {
				composed[i] = p.lanes[l]
			}
		}
		p.lanes = composed
	default:
		return place{reg: ev.load(&p), typ: x.X.Type().Type, part: lanes, lanes: x.Lanes, pos: p.pos}
	}
	return p
}

func (ev *evaluator) indexPlace(x *check.VecIndex) place {
	p := ev.lvalue(x.X)
	p.volatile = p.volatile || x.T.Volatile
	if c, ok := x.I.(*check.Const); ok && c.Bits[0] < uint64(x.X.Type().Lanes()) {
		l := uint8(c.Bits[0])
		if p.part == lanes {
			l = p.lanes[l]
		}
		p.part, p.lanes, p.pos = lanes, []uint8{l}, x.S.Pos
		return p
	}
	i := ev.value(x.I)
	ev.Pos = x.S.Pos
	if i.Type.K == ssa.I64 {
		i = ev.Value(ssa.OpBitcast, ssa.TU64, i)
	} else {
		i = ev.convertKind(i, ssa.U64)
	}
	p.part, p.index, p.pos = dynamic, i, x.S.Pos
	return p
}

// literalPlace initialises a compound literal's variable.
func (ev *evaluator) literalPlace(x *check.CompoundLit) place {
	v := x.Var
	ev.Pos = x.S.Pos
	if v.Kind == check.GlobalVar {
		d := ev.global(v)
		ev.initGlobal(v)
		return place{ptr: ev.Sym(ssa.OpGlobalAddr, ssa.Scalar(d.Kind), d), align: d.Align, typ: x.T.Type, pos: x.S.Pos}
	}
	a := ev.variable(v)
	align := max(v.Align, 1)
	if v.Init != nil {
		ev.initialize(a, 0, align, v.Type, v.Init)
	}
	return place{ptr: a, align: align, typ: x.T.Type, auto: true, pos: x.S.Pos}
}

func elemSize(t *types.Type) int64 { return int64(t.Num().Size()) }

func (ev *evaluator) loadExpr(x *check.Load) *ssa.Value {
	switch x := x.X.(type) { // the most frequent loads, which need no place
	case *check.VarRef:
		if r, ok := x.Var.Data.(*regVar); ok {
			ev.Pos = x.S.Pos
			return (*ssa.Value)(r)
		}
	case *check.Deref:
		if t := x.T.Type; inRegister(t) {
			ptr := ev.value(x.X)
			ev.Pos = x.S.Pos
			v := ev.Load(ssaType(t), ptr, t.Align())
			if x.T.Volatile {
				v.Flags |= ssa.Volatile
			}
			return v
		}
	}
	p := ev.lvalue(x.X)
	return ev.load(&p)
}

// runOf returns the number of consecutive components at the start of list: 1, 2, 3, 4, 8 or 16.
func runOf(list []uint8) int {
	n := 1
	for n < len(list) && list[n] == list[n-1]+1 {
		n++
	}
	switch {
	case n < 5:
		return n
	case n < 8:
		return 4
	case n < 16:
		return 8
	}
	return 16
}

package irgen

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An evaluator translates expressions: it evaluates operands in the language's order, then applies operators and
// accesses memory. It does not know statements, except that a statement expression hands its own to statements.
type evaluator struct {
	memory

	statements interface{ stmt(s check.Stmt) }
	outer      *Expression // the expression of the function, whose variables belong to another function

	// Stacks and scratch, to save allocations.
	spine    []check.Expr
	args     []*ssa.Value
	emission builtin.Emission
}

// value evaluates e. The value of a record is its address, that of void is nil. A block is current
// afterwards. value follows the left operands of operators iteratively.
func (ev *evaluator) value(e check.Expr) *ssa.Value {
	bottom := len(ev.spine)
	for {
		var left check.Expr
		switch x := e.(type) {
		case *check.Binary:
			left = x.X
		case *check.Compare:
			left = x.X
		case *check.Convert:
			if x.T.Kind != types.Bool {
				left = x.X
			}
		}
		if left == nil {
			break
		}
		ev.spine = append(ev.spine, e)
		e = left
	}
	v := ev.leaf(e)
	for len(ev.spine) > bottom {
		e := ev.spine[len(ev.spine)-1]
		ev.spine = ev.spine[:len(ev.spine)-1]
		switch x := e.(type) {
		case *check.Binary:
			y := ev.value(x.Y)
			ev.Pos = x.S.Pos
			v = ev.binary(x.Op, v, y, x.Contract, x.X, x.Y)
		case *check.Compare:
			m := ev.compareValues(x, v)
			if m.Type.IsVec() {
				v = ev.maskToInt(m, ssaType(x.T.Type))
			} else {
				v = ev.Convert(m, ssa.Kind(x.T.Num()), false, 0)
			}
		case *check.Convert:
			ev.Pos = x.S.Pos
			v = ev.convert(v, x)
		}
	}
	return v
}

// leaf evaluates an expression that is not the left spine of another.
func (ev *evaluator) leaf(e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Const:
		ev.Pos = x.S.Pos
		return ev.constValue(x)
	case *check.Load:
		return ev.loadExpr(x)
	case *check.BuiltinCall:
		return ev.builtinCall(x)
	case *check.Call:
		return ev.call(x)
	case *check.PtrAdd:
		return ev.ptrAdd(x)
	case *check.Assign:
		return ev.assign(x, true)
	case *check.CompoundAssign:
		return ev.compoundAssign(x, true)
	case *check.IncDec:
		return ev.incDec(x, true)
	case *check.Convert: // to bool
		return ev.boolean(x)
	case *check.Logical:
		if x.T.IsVector() {
			return ev.vectorLogical(x)
		}
		return ev.logical(x, ssaType(x.T.Type))
	case *check.LNot:
		return ev.not(x)
	case *check.Cond:
		return ev.cond(x)
	case *check.VecSelect:
		return ev.vecSelect(x)
	case *check.VectorLit:
		return ev.vectorLit(x)
	case *check.Splat, *check.Unary, *check.Decay, *check.AddrOf, *check.Bitcast, *check.SpaceCast:
		return ev.operation(x)
	case *check.PtrDiff:
		return ev.ptrDiff(x)
	case *check.ToVoid:
		ev.effect(x.X)
		return nil
	case *check.Comma:
		return ev.comma(x, true)
	case *check.StmtExpr:
		return ev.stmtExpr(x, true)
	case *check.Member, *check.Swizzle, *check.VecIndex, *check.VarRef, *check.Deref, *check.CompoundLit, *check.StringConst:
		// Part of an r-value; or an l-value that is a record or whose value is unused.
		p := ev.lvalue(e)
		return ev.load(&p)
	case *check.InitList:
		t := ev.temp(x.T.Type)
		ev.initialize(t, 0, x.T.Align(), x.T, x)
		p := place{ptr: t, align: x.T.Align(), typ: x.T.Type, auto: true, pos: x.S.Pos}
		return ev.load(&p)
	}
	panic(bug(e, "has no value"))
}

// operation generates an operation on one operand.
func (ev *evaluator) operation(e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Splat:
		v := ev.value(x.X)
		ev.Pos = x.S.Pos
		return ev.Value(ssa.OpSplat, ssaType(x.T.Type), v)
	case *check.Unary:
		v := ev.value(x.X)
		ev.Pos = x.S.Pos
		if x.Op == check.BitNot {
			return ev.Value(ssa.OpNot, v.Type, v)
		}
		return ev.float(ev.Value(ssa.OpNeg, v.Type, v))
	case *check.Decay:
		p := ev.lvalue(x.X)
		ev.Pos = x.S.Pos
		return ev.toPtr(ev.addr(&p), ssaType(x.T.Type))
	case *check.AddrOf:
		p := ev.lvalue(x.X)
		ev.Pos = x.S.Pos
		return ev.toPtr(ev.addr(&p), ssaType(x.T.Type))
	case *check.Bitcast:
		v := ev.value(x.X)
		ev.Pos = x.S.Pos
		return ev.bitcast(v, ssaType(x.T.Type))
	case *check.SpaceCast:
		v := ev.value(x.X)
		ev.Pos = x.S.Pos
		return ev.toPtr(v, ssaType(x.T.Type))
	}
	panic(bug(e, "is no operation"))
}

// effect evaluates e for its side effects.
func (ev *evaluator) effect(e check.Expr) {
	switch x := e.(type) {
	case *check.Assign:
		ev.assign(x, false)
	case *check.CompoundAssign:
		ev.compoundAssign(x, false)
	case *check.IncDec:
		ev.incDec(x, false)
	case *check.ToVoid:
		ev.effect(x.X)
	case *check.Convert:
		ev.effect(x.X)
	case *check.Comma:
		ev.comma(x, false)
	case *check.StmtExpr:
		ev.stmtExpr(x, false)
	case *check.Const, *check.VarRef, *check.StringConst:
	default:
		ev.value(e)
	}
	ev.unreachable()
}

// comma evaluates a chain of comma operators.
func (ev *evaluator) comma(x *check.Comma, want bool) *ssa.Value {
	n := 1
	for c, ok := x.X.(*check.Comma); ok; c, ok = c.X.(*check.Comma) {
		n++
	}
	list := make([]check.Expr, n)
	c := x
	for {
		n--
		list[n] = c.Y
		if n == 0 {
			break
		}
		c = c.X.(*check.Comma)
	}
	ev.effect(c.X)
	for _, y := range list[:len(list)-1] {
		ev.effect(y)
	}
	last := list[len(list)-1]
	if want {
		return ev.value(last)
	}
	ev.effect(last)
	return nil
}

// stmtExpr runs the statements of ({ … }). Its value is that of the last statement.
func (ev *evaluator) stmtExpr(x *check.StmtExpr, want bool) *ssa.Value {
	list := x.Body.List
	if n := len(list); n > 0 && x.Value != nil {
		if last, ok := list[n-1].(*check.ExprStmt); ok && last.X == x.Value {
			list = list[:n-1]
		}
	}
	for _, s := range list {
		ev.statements.stmt(s)
	}
	ev.unreachable()
	switch {
	case x.Value == nil:
		return nil
	case want && !x.Value.Type().IsVoid():
		return ev.value(x.Value)
	}
	ev.effect(x.Value)
	return nil
}

// ptrAdd moves a pointer by elements.
func (ev *evaluator) ptrAdd(x *check.PtrAdd) *ssa.Value {
	p := ev.value(x.X)
	if c, ok := x.I.(*check.Const); ok {
		ev.Pos = x.S.Pos
		return ev.offset(p, int64(c.Bits[0])*strideOf(x.T.Elem.Type))
	}
	i := ev.value(x.I)
	ev.Pos = x.S.Pos
	return ev.Value(ssa.OpPtrAdd, p.Type, p, ev.scale(i, strideOf(x.T.Elem.Type)))
}

func (ev *evaluator) ptrDiff(x *check.PtrDiff) *ssa.Value {
	a := ev.value(x.X)
	b := ev.value(x.Y)
	ev.Pos = x.S.Pos
	a, b = ev.Value(ssa.OpBitcast, ssa.TI64, a), ev.Value(ssa.OpBitcast, ssa.TI64, b)
	d := ev.Value(ssa.OpSub, ssa.TI64, a, b)
	if size := strideOf(x.X.Type().Elem.Type); size > 1 {
		d = ev.Value(ssa.OpDiv, ssa.TI64, d, ev.constant(ssa.TI64, uint64(size)))
	}
	return d
}

func (ev *evaluator) not(x *check.LNot) *ssa.Value {
	t := ssaType(x.T.Type)
	if x.T.IsVector() {
		v := ev.value(x.X)
		ev.Pos = x.S.Pos
		return ev.maskToInt(ev.nonZero(v, ssa.OpEq), t)
	}
	v := ev.boolean(x)
	return ev.convertKind(v, t.K)
}

// vectorLogical evaluates && and || of vectors, always both sides.
func (ev *evaluator) vectorLogical(x *check.Logical) *ssa.Value {
	operands := chain(x)
	op := ssa.OpAnd
	if x.Or {
		op = ssa.OpOr
	}
	m := ev.nonZero(ev.value(operands[0]), ssa.OpNe)
	for _, y := range operands[1:] {
		v := ev.value(y)
		ev.Pos = x.S.Pos
		m = ev.Value(op, m.Type, m, ev.nonZero(v, ssa.OpNe))
	}
	return ev.maskToInt(m, ssaType(x.T.Type))
}

// vecSelect evaluates C ? X : Y of vectors: the top bit of each component of C selects.
func (ev *evaluator) vecSelect(x *check.VecSelect) *ssa.Value {
	c := ev.value(x.C)
	a := ev.value(x.X)
	b := ev.value(x.Y)
	ev.Pos = x.S.Pos
	if k := ssa.Kind(c.Type.K.Num().SignedInt()); k != c.Type.K {
		c = ev.Value(ssa.OpBitcast, c.Type.With(k), c)
	}
	return ev.Value(ssa.OpSelect, a.Type, ev.nonZero(c, ssa.OpLt), a, b)
}

// vectorLit evaluates a vector literal.
func (ev *evaluator) vectorLit(x *check.VectorLit) *ssa.Value {
	t := ssaType(x.T.Type)
	bottom := len(ev.args)
	vector := false
	for _, e := range x.Elems {
		v := ev.value(e)
		vector = vector || v.Type.IsVec()
		ev.args = append(ev.args, v)
	}
	elems := ev.args[bottom:]
	defer func() { ev.args = ev.args[:bottom] }()
	ev.Pos = x.S.Pos
	switch {
	case len(elems) == 1 && elems[0].Type == t:
		return elems[0]
	case len(elems) == 1 && !vector:
		return ev.Value(ssa.OpSplat, t, elems[0])
	case !vector:
		return ev.Value(ssa.OpVec, t, elems...)
	case len(elems) == 2 && elems[0].Type == elems[1].Type:
		return ev.Shuffle(elems[0], elems[1], iota8[:t.N])
	}
	var scalars [16]*ssa.Value
	n := 0
	for _, v := range elems {
		if !v.Type.IsVec() {
			scalars[n] = v
			n++
			continue
		}
		for i := range int(v.Type.N) {
			scalars[n] = ev.Extract(v, i)
			n++
		}
	}
	return ev.Value(ssa.OpVec, t, scalars[:n]...)
}

// iota8 are the lanes of the identity shuffle.
var iota8 = []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

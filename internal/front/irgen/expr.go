package irgen

import (
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// value evaluates e. The value of a record is its address, that of void is nil. A block is current
// afterwards. value follows the left operands of operators iteratively.
func (g *generator) value(e check.Expr) *ssa.Value {
	bottom := len(g.spine)
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
		g.spine = append(g.spine, e)
		e = left
	}
	v := g.leaf(e)
	for len(g.spine) > bottom {
		e := g.spine[len(g.spine)-1]
		g.spine = g.spine[:len(g.spine)-1]
		switch x := e.(type) {
		case *check.Binary:
			y := g.value(x.Y)
			g.Pos = x.S.Pos
			v = g.binary(x.Op, v, y, x.Contract, x.X, x.Y)
		case *check.Compare:
			m := g.compareValues(x, v)
			if m.Type.IsVec() {
				v = g.maskToInt(m, ssaType(x.T.Type))
			} else {
				v = g.Convert(m, ssa.Kind(x.T.Num()), false, 0)
			}
		case *check.Convert:
			g.Pos = x.S.Pos
			v = g.convert(v, x)
		}
	}
	return v
}

// leaf evaluates an expression that is not the left spine of another.
func (g *generator) leaf(e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Const:
		g.Pos = x.S.Pos
		return g.constValue(x)
	case *check.Load:
		return g.loadExpr(x)
	case *check.BuiltinCall:
		return g.builtinCall(x)
	case *check.Call:
		return g.call(x)
	case *check.PtrAdd:
		return g.ptrAdd(x)
	case *check.Assign:
		return g.assign(x, true)
	case *check.CompoundAssign:
		return g.compoundAssign(x, true)
	case *check.IncDec:
		return g.incDec(x, true)
	case *check.Convert: // to bool
		return g.boolean(x)
	case *check.Logical:
		if x.T.IsVector() {
			return g.vectorLogical(x)
		}
		return g.logical(x, ssaType(x.T.Type))
	case *check.LNot:
		return g.not(x)
	case *check.Cond:
		return g.cond(x)
	case *check.VecSelect:
		return g.vecSelect(x)
	case *check.VectorLit:
		return g.vectorLit(x)
	case *check.Splat, *check.Unary, *check.Decay, *check.AddrOf, *check.Bitcast, *check.SpaceCast:
		return operation(g, x)
	case *check.PtrDiff:
		return g.ptrDiff(x)
	case *check.ToVoid:
		g.effect(x.X)
		return nil
	case *check.Comma:
		return g.comma(x, true)
	case *check.StmtExpr:
		return g.stmtExpr(x, true)
	case *check.Member, *check.Swizzle, *check.VecIndex, *check.VarRef, *check.Deref, *check.CompoundLit, *check.StringConst:
		// Part of an r-value; or an l-value that is a record or whose value is unused.
		p := g.lvalue(e)
		return g.load(&p)
	case *check.InitList:
		t := g.temp(x.T.Type)
		g.initialize(t, 0, x.T.Align(), x.T, x)
		p := place{ptr: t, align: x.T.Align(), typ: x.T.Type, auto: true, pos: x.S.Pos}
		return g.load(&p)
	}
	panic(bug(e, "has no value"))
}

// operation generates an operation on one operand.
func operation(g *generator, e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Splat:
		v := g.value(x.X)
		g.Pos = x.S.Pos
		return g.Value(ssa.OpSplat, ssaType(x.T.Type), v)
	case *check.Unary:
		v := g.value(x.X)
		g.Pos = x.S.Pos
		if x.Op == check.BitNot {
			return g.Value(ssa.OpNot, v.Type, v)
		}
		return g.float(g.Value(ssa.OpNeg, v.Type, v))
	case *check.Decay:
		p := g.lvalue(x.X)
		g.Pos = x.S.Pos
		return g.toPtr(g.addr(&p), ssaType(x.T.Type))
	case *check.AddrOf:
		p := g.lvalue(x.X)
		g.Pos = x.S.Pos
		return g.toPtr(g.addr(&p), ssaType(x.T.Type))
	case *check.Bitcast:
		v := g.value(x.X)
		g.Pos = x.S.Pos
		return g.bitcast(v, ssaType(x.T.Type))
	case *check.SpaceCast:
		v := g.value(x.X)
		g.Pos = x.S.Pos
		return g.toPtr(v, ssaType(x.T.Type))
	}
	panic(bug(e, "is no operation"))
}

// effect evaluates e for its side effects.
func (g *generator) effect(e check.Expr) {
	switch x := e.(type) {
	case *check.Assign:
		g.assign(x, false)
	case *check.CompoundAssign:
		g.compoundAssign(x, false)
	case *check.IncDec:
		g.incDec(x, false)
	case *check.ToVoid:
		g.effect(x.X)
	case *check.Convert:
		g.effect(x.X)
	case *check.Comma:
		g.comma(x, false)
	case *check.StmtExpr:
		g.stmtExpr(x, false)
	case *check.Const, *check.VarRef, *check.StringConst:
	default:
		g.value(e)
	}
	g.unreachable()
}

// comma evaluates a chain of comma operators.
func (g *generator) comma(x *check.Comma, want bool) *ssa.Value {
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
	g.effect(c.X)
	for _, y := range list[:len(list)-1] {
		g.effect(y)
	}
	last := list[len(list)-1]
	if want {
		return g.value(last)
	}
	g.effect(last)
	return nil
}

// stmtExpr runs the statements of ({ … }). Its value is that of the last statement.
func (g *generator) stmtExpr(x *check.StmtExpr, want bool) *ssa.Value {
	list := x.Body.List
	if n := len(list); n > 0 && x.Value != nil {
		if last, ok := list[n-1].(*check.ExprStmt); ok && last.X == x.Value {
			list = list[:n-1]
		}
	}
	for _, s := range list {
		g.stmt(s)
	}
	g.unreachable()
	switch {
	case x.Value == nil:
		return nil
	case want && !x.Value.Type().IsVoid():
		return g.value(x.Value)
	}
	g.effect(x.Value)
	return nil
}

func (g *generator) constValue(x *check.Const) *ssa.Value {
	t := ssaType(x.T.Type)
	if len(x.Bits) == 1 {
		return g.constant(t, x.Bits[0])
	}
	v := g.F.NewConstVec(t, x.Bits)
	v.Pos = g.Pos
	return g.B.Append(v)
}

var binaryOps = [...]ssa.Op{
	check.Add: ssa.OpAdd, check.Sub: ssa.OpSub, check.Mul: ssa.OpMul, check.Div: ssa.OpDiv, check.Rem: ssa.OpRem,
	check.And: ssa.OpAnd, check.Or: ssa.OpOr, check.Xor: ssa.OpXor, check.Shl: ssa.OpShl, check.Shr: ssa.OpShr,
}

// binary computes a op b, the values of the expressions x and y. x is nil if a is an object's old value.
func (g *generator) binary(op check.BinaryOp, a, b *ssa.Value, contract bool, x, y check.Expr) *ssa.Value {
	if contract && (op == check.Add || op == check.Sub) && a.Type.K != ssa.F16 {
		switch {
		case fusable(x, a):
			fused := ssa.OpFMA
			if op == check.Sub {
				fused = ssa.OpFMS
			}
			return g.fuse(fused, a, b)
		case fusable(y, b):
			fused := ssa.OpFMA
			if op == check.Sub {
				fused = ssa.OpFNMA
			}
			return g.fuse(fused, b, a)
		}
	}
	return g.float(g.Value(binaryOps[op], a.Type, a, b))
}

// fusable reports whether v is a product that was computed for e and may be fused with the operation of which e is
// an operand (C99 6.5p8).
func fusable(e check.Expr, v *ssa.Value) bool {
	m, ok := e.(*check.Binary)
	return ok && m.Op == check.Mul && m.Contract && v.Op == ssa.OpMul
}

// fuse computes op of the operands of the product m and of c. Nothing else uses m, which is removed.
func (g *generator) fuse(op ssa.Op, m, c *ssa.Value) *ssa.Value {
	v := g.float(g.Value(op, m.Type, m.Args[0], m.Args[1], c))
	list := m.Block.Values
	i := len(list) - 1
	for list[i] != m {
		i--
	}
	m.Block.Values = slices.Delete(list, i, i+1)
	return v
}

// float sets the flags of a floating-point operation.
func (g *generator) float(v *ssa.Value) *ssa.Value {
	if v.Type.K.Num().IsFloat() {
		v.Flags |= g.opts.Float
	}
	return v
}

// convert translates an explicit or implicit conversion of v to any type except bool.
func (g *generator) convert(v *ssa.Value, x *check.Convert) *ssa.Value {
	t := x.T.Type
	if !t.IsVector() && v.Type.K.IsPtr() {
		return g.convertTo(v, t)
	}
	k := ssa.Kind(t.Num())
	if v.Type.K == k {
		return v
	}
	c := g.Convert(v, k, x.Sat, x.Round)
	if x.Implicit {
		c.Flags |= ssa.Implicit
	}
	return c
}

// convertTo converts v to type t by the language's implicit conversion.
func (g *generator) convertTo(v *ssa.Value, t *types.Type) *ssa.Value {
	to := ssaType(t)
	switch {
	case v.Type == to:
		return v
	case v.Type.K.IsPtr() || to.K.IsPtr():
		return g.bitcast(v, to)
	case to.K == ssa.Bool:
		return g.toBool(v)
	}
	if v.Type.K != to.K {
		v = g.Convert(v, to.K, false, numeric.RoundDefault)
		v.Flags |= ssa.Implicit
	}
	if v.Type != to {
		v = g.Value(ssa.OpSplat, to, v)
	}
	return v
}

// bitcast reinterprets v in memory order. A vector of 3 is as large as one of 4, whose
// last component is undefined (OpenCL C, "Reinterpreting Types Using as_type()", 6.4.4.2).
func (g *generator) bitcast(v *ssa.Value, to ssa.Type) *ssa.Value {
	from := v.Type
	if from == to {
		return v
	}
	if from.K.IsPtr() && to.K.IsPtr() {
		return g.toPtr(v, to)
	}
	if from.Size() == to.Size() {
		return g.Value(ssa.OpBitcast, to, v)
	}
	if !from.IsVec() && !to.IsVec() { // a pointer and an integer of another size
		if from.K.IsPtr() || from.K == ssa.Handle {
			v = g.Value(ssa.OpBitcast, ssa.TU64, v)
			return g.convertKind(v, to.K)
		}
		return g.Value(ssa.OpBitcast, to, g.Convert(v, ssa.U64, false, 0))
	}
	if from.N == 3 {
		v = g.Shuffle(v, v, []uint8{0, 1, 2, ssa.ShuffleUndef})
	}
	if to.N != 3 {
		return g.castSame(v, to)
	}
	v = g.castSame(v, ssa.Vec(to.K, 4))
	return g.Shuffle(v, v, []uint8{0, 1, 2})
}

func (g *generator) castSame(v *ssa.Value, to ssa.Type) *ssa.Value {
	if v.Type == to {
		return v
	}
	return g.Value(ssa.OpBitcast, to, v)
}

// convertKind converts between integer kinds.
func (g *generator) convertKind(v *ssa.Value, k ssa.Kind) *ssa.Value {
	if v.Type.K == k {
		return v
	}
	return g.Convert(v, k, false, 0)
}

// toPtr converts the pointer v to type t.
func (g *generator) toPtr(v *ssa.Value, t ssa.Type) *ssa.Value {
	if v.Type == t {
		return v
	}
	return g.Value(ssa.OpPtrCast, t, v)
}

// ptrAdd moves a pointer by elements.
func (g *generator) ptrAdd(x *check.PtrAdd) *ssa.Value {
	p := g.value(x.X)
	if c, ok := x.I.(*check.Const); ok {
		g.Pos = x.S.Pos
		return g.offset(p, int64(c.Bits[0])*strideOf(x.T.Elem.Type))
	}
	i := g.value(x.I)
	g.Pos = x.S.Pos
	return g.Value(ssa.OpPtrAdd, p.Type, p, g.scale(i, strideOf(x.T.Elem.Type)))
}

// scale multiplies the index i by a size in bytes, as an i64.
func (g *generator) scale(i *ssa.Value, size int64) *ssa.Value {
	if i.Type.K == ssa.U64 {
		i = g.Value(ssa.OpBitcast, ssa.TI64, i)
	} else {
		i = g.convertKind(i, ssa.I64)
	}
	if size == 1 {
		return i
	}
	return g.Value(ssa.OpMul, ssa.TI64, i, g.constant(ssa.TI64, uint64(size)))
}

// offset moves a pointer by a constant number of bytes.
func (g *generator) offset(p *ssa.Value, n int64) *ssa.Value {
	if n == 0 {
		return p
	}
	return g.Value(ssa.OpPtrAdd, p.Type, p, g.constant(ssa.TI64, uint64(n)))
}

func (g *generator) ptrDiff(x *check.PtrDiff) *ssa.Value {
	a := g.value(x.X)
	b := g.value(x.Y)
	g.Pos = x.S.Pos
	a, b = g.Value(ssa.OpBitcast, ssa.TI64, a), g.Value(ssa.OpBitcast, ssa.TI64, b)
	d := g.Value(ssa.OpSub, ssa.TI64, a, b)
	if size := strideOf(x.X.Type().Elem.Type); size > 1 {
		d = g.Value(ssa.OpDiv, ssa.TI64, d, g.constant(ssa.TI64, uint64(size)))
	}
	return d
}

func (g *generator) not(x *check.LNot) *ssa.Value {
	t := ssaType(x.T.Type)
	if x.T.IsVector() {
		v := g.value(x.X)
		g.Pos = x.S.Pos
		return g.maskToInt(g.nonZero(v, ssa.OpEq), t)
	}
	v := g.boolean(x)
	return g.convertKind(v, t.K)
}

// vectorLogical evaluates && and || of vectors, always both sides.
func (g *generator) vectorLogical(x *check.Logical) *ssa.Value {
	operands := chain(x)
	op := ssa.OpAnd
	if x.Or {
		op = ssa.OpOr
	}
	m := g.nonZero(g.value(operands[0]), ssa.OpNe)
	for _, y := range operands[1:] {
		v := g.value(y)
		g.Pos = x.S.Pos
		m = g.Value(op, m.Type, m, g.nonZero(v, ssa.OpNe))
	}
	return g.maskToInt(m, ssaType(x.T.Type))
}

// vecSelect evaluates C ? X : Y of vectors: the top bit of each component of C selects.
func (g *generator) vecSelect(x *check.VecSelect) *ssa.Value {
	c := g.value(x.C)
	a := g.value(x.X)
	b := g.value(x.Y)
	g.Pos = x.S.Pos
	if k := ssa.Kind(c.Type.K.Num().SignedInt()); k != c.Type.K {
		c = g.Value(ssa.OpBitcast, c.Type.With(k), c)
	}
	return g.Value(ssa.OpSelect, a.Type, g.nonZero(c, ssa.OpLt), a, b)
}

// vectorLit evaluates a vector literal.
func (g *generator) vectorLit(x *check.VectorLit) *ssa.Value {
	t := ssaType(x.T.Type)
	bottom := len(g.args)
	vector := false
	for _, e := range x.Elems {
		v := g.value(e)
		vector = vector || v.Type.IsVec()
		g.args = append(g.args, v)
	}
	elems := g.args[bottom:]
	defer func() { g.args = g.args[:bottom] }()
	g.Pos = x.S.Pos
	switch {
	case len(elems) == 1 && elems[0].Type == t:
		return elems[0]
	case len(elems) == 1 && !vector:
		return g.Value(ssa.OpSplat, t, elems[0])
	case !vector:
		return g.Value(ssa.OpVec, t, elems...)
	case len(elems) == 2 && elems[0].Type == elems[1].Type:
		return g.Shuffle(elems[0], elems[1], iota8[:t.N])
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
			scalars[n] = g.Extract(v, i)
			n++
		}
	}
	return g.Value(ssa.OpVec, t, scalars[:n]...)
}

// iota8 are the lanes of the identity shuffle.
var iota8 = []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

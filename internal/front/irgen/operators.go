package irgen

import (
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// operators computes the language's operators and conversions of values. It evaluates no operands and accesses no
// memory.
type operators struct {
	funcBuilder
}

// combine computes old Op y in the type of the computation and converts back.
func (o *operators) combine(x *check.CompoundAssign, old, y *ssa.Value) *ssa.Value {
	o.Pos = x.S.Pos
	if old.Type.K.IsPtr() {
		i := o.scale(y, strideOf(x.L.Type().Elem.Type))
		if x.Op == check.Sub {
			i = o.Value(ssa.OpNeg, ssa.TI64, i)
		}
		return o.Value(ssa.OpPtrAdd, old.Type, old, i)
	}
	k := ssa.Kind(x.Comp.Num())
	v := old
	if v.Type.K != k {
		v = o.Convert(v, k, false, 0)
		v.Flags |= ssa.Implicit
	}
	v = o.binary(x.Op, v, y, x.Contract, nil, x.Y)
	return o.back(v, old.Type)
}

// back converts the result of a computation to the type of the object.
func (o *operators) back(v *ssa.Value, t ssa.Type) *ssa.Value {
	switch {
	case v.Type.K == t.K:
		return v
	case t.K == ssa.Bool:
		return o.toBool(v)
	}
	v = o.Convert(v, t.K, false, 0)
	v.Flags |= ssa.Implicit
	return v
}

// ones holds the bits of 1 in the floating-point formats.
var ones = [...]uint64{ssa.F16: 0x3C00, ssa.F32: 0x3F800000, ssa.F64: 0x3FF0000000000000}

// step returns old plus or minus 1.
func (o *operators) step(x *check.IncDec, old *ssa.Value) *ssa.Value {
	o.Pos = x.S.Pos
	t := old.Type
	switch {
	case t.K.IsPtr():
		n := strideOf(x.L.Type().Elem.Type)
		if x.Dec {
			n = -n
		}
		return o.offset(old, n)
	case t.K == ssa.Bool: // computed as an int (C99 6.5.2.4p2)
		if !x.Dec {
			return o.constant(t, 1)
		}
		return o.Value(ssa.OpNot, t, old)
	}
	op, one := ssa.OpAdd, uint64(1)
	if x.Dec {
		op = ssa.OpSub
	}
	if t.K.Num().IsFloat() {
		one = ones[t.K]
	}
	return o.float(o.Value(op, t, old, o.constant(t, one)))
}

// toBool converts the scalar v to a Bool.
func (o *operators) toBool(v *ssa.Value) *ssa.Value {
	switch {
	case v.Type.K == ssa.Bool:
		return v
	case v.Type.K.IsPtr():
		return o.Value(ssa.OpNe, ssa.TBool, v, o.constant(v.Type, 0))
	case v.Type.K == ssa.Handle:
		return o.toBool(o.Value(ssa.OpBitcast, ssa.TU64, v))
	}
	return o.Convert(v, ssa.Bool, false, 0)
}

// maskToInt converts a vector of Bools to 0 and -1 of type t.
func (o *operators) maskToInt(m *ssa.Value, t ssa.Type) *ssa.Value {
	if m.Type.K != ssa.Bool {
		return m
	}
	ones := ^uint64(0) >> (64 - t.K.Num().Bits())
	return o.Value(ssa.OpSelect, t, m, o.constant(t, ones), o.constant(t, 0))
}

// nonZero compares each element of the vector v with zero.
func (o *operators) nonZero(v *ssa.Value, op ssa.Op) *ssa.Value {
	return o.Value(op, v.Type.With(ssa.Bool), v, o.constant(v.Type, 0))
}

func (o *operators) constValue(x *check.Const) *ssa.Value {
	t := ssaType(x.T.Type)
	if len(x.Bits) == 1 {
		return o.constant(t, x.Bits[0])
	}
	v := o.F.NewConstVec(t, x.Bits)
	v.Pos = o.Pos
	return o.B.Append(v)
}

var binaryOps = [...]ssa.Op{
	check.Add: ssa.OpAdd, check.Sub: ssa.OpSub, check.Mul: ssa.OpMul, check.Div: ssa.OpDiv, check.Rem: ssa.OpRem,
	check.And: ssa.OpAnd, check.Or: ssa.OpOr, check.Xor: ssa.OpXor, check.Shl: ssa.OpShl, check.Shr: ssa.OpShr,
}

// binary computes a op b, the values of the expressions x and y. x is nil if a is an object's old value.
func (o *operators) binary(op check.BinaryOp, a, b *ssa.Value, contract bool, x, y check.Expr) *ssa.Value {
	if contract && (op == check.Add || op == check.Sub) && a.Type.K != ssa.F16 {
		switch {
		case fusable(x, a):
			fused := ssa.OpFMA
			if op == check.Sub {
				fused = ssa.OpFMS
			}
			return o.fuse(fused, a, b)
		case fusable(y, b):
			fused := ssa.OpFMA
			if op == check.Sub {
				fused = ssa.OpFNMA
			}
			return o.fuse(fused, b, a)
		}
	}
	return o.float(o.Value(binaryOps[op], a.Type, a, b))
}

// fusable reports whether v is a product, computed for the operand e, that may be fused with the operation on e
// (C99 6.5p8).
func fusable(e check.Expr, v *ssa.Value) bool {
	m, ok := e.(*check.Binary)
	return ok && m.Op == check.Mul && m.Contract && v.Op == ssa.OpMul
}

// fuse computes op of the operands of the product m and of c. Nothing else uses m, which is removed.
func (o *operators) fuse(op ssa.Op, m, c *ssa.Value) *ssa.Value {
	v := o.float(o.Value(op, m.Type, m.Args[0], m.Args[1], c))
	list := m.Block.Values
	i := len(list) - 1
	for list[i] != m {
		i--
	}
	m.Block.Values = slices.Delete(list, i, i+1)
	return v
}

// float sets the flags of a floating-point operation.
func (o *operators) float(v *ssa.Value) *ssa.Value {
	if v.Type.K.Num().IsFloat() {
		v.Flags |= o.opts.Float
	}
	return v
}

// convert translates an explicit or implicit conversion of v to any type except bool.
func (o *operators) convert(v *ssa.Value, x *check.Convert) *ssa.Value {
	t := x.T.Type
	if !t.IsVector() && v.Type.K.IsPtr() {
		return o.convertTo(v, t)
	}
	k := ssa.Kind(t.Num())
	if v.Type.K == k {
		return v
	}
	c := o.Convert(v, k, x.Sat, x.Round)
	if x.Implicit {
		c.Flags |= ssa.Implicit
	}
	return c
}

// convertTo converts v to type t by the language's implicit conversion.
func (o *operators) convertTo(v *ssa.Value, t *types.Type) *ssa.Value {
	to := ssaType(t)
	switch {
	case v.Type == to:
		return v
	case v.Type.K.IsPtr() || to.K.IsPtr():
		return o.bitcast(v, to)
	case to.K == ssa.Bool:
		return o.toBool(v)
	}
	if v.Type.K != to.K {
		v = o.Convert(v, to.K, false, numeric.RoundDefault)
		v.Flags |= ssa.Implicit
	}
	if v.Type != to {
		v = o.Value(ssa.OpSplat, to, v)
	}
	return v
}

// bitcast reinterprets v in memory order. A vector of 3 is as large as one of 4, whose
// last component is undefined (OpenCL C, "Reinterpreting Types Using as_type()", 6.4.4.2).
func (o *operators) bitcast(v *ssa.Value, to ssa.Type) *ssa.Value {
	from := v.Type
	if from == to {
		return v
	}
	if from.K.IsPtr() && to.K.IsPtr() {
		return o.toPtr(v, to)
	}
	if from.Size() == to.Size() {
		return o.Value(ssa.OpBitcast, to, v)
	}
	if !from.IsVec() && !to.IsVec() { // a pointer and an integer of another size
		if from.K.IsPtr() || from.K == ssa.Handle {
			v = o.Value(ssa.OpBitcast, ssa.TU64, v)
			return o.convertKind(v, to.K)
		}
		return o.Value(ssa.OpBitcast, to, o.Convert(v, ssa.U64, false, 0))
	}
	if from.N == 3 {
		v = o.Shuffle(v, v, []uint8{0, 1, 2, ssa.ShuffleUndef})
	}
	if to.N != 3 {
		return o.castSame(v, to)
	}
	v = o.castSame(v, ssa.Vec(to.K, 4))
	return o.Shuffle(v, v, []uint8{0, 1, 2})
}

func (o *operators) castSame(v *ssa.Value, to ssa.Type) *ssa.Value {
	if v.Type == to {
		return v
	}
	return o.Value(ssa.OpBitcast, to, v)
}

// convertKind converts between integer kinds.
func (o *operators) convertKind(v *ssa.Value, k ssa.Kind) *ssa.Value {
	if v.Type.K == k {
		return v
	}
	return o.Convert(v, k, false, 0)
}

// toPtr converts the pointer v to type t.
func (o *operators) toPtr(v *ssa.Value, t ssa.Type) *ssa.Value {
	if v.Type == t {
		return v
	}
	return o.Value(ssa.OpPtrCast, t, v)
}

// scale multiplies the index i by a size in bytes, as an i64.
func (o *operators) scale(i *ssa.Value, size int64) *ssa.Value {
	if i.Type.K == ssa.U64 {
		i = o.Value(ssa.OpBitcast, ssa.TI64, i)
	} else {
		i = o.convertKind(i, ssa.I64)
	}
	if size == 1 {
		return i
	}
	return o.Value(ssa.OpMul, ssa.TI64, i, o.constant(ssa.TI64, uint64(size)))
}

// offset moves a pointer by a constant number of bytes.
func (o *operators) offset(p *ssa.Value, n int64) *ssa.Value {
	if n == 0 {
		return p
	}
	return o.Value(ssa.OpPtrAdd, p.Type, p, o.constant(ssa.TI64, uint64(n)))
}

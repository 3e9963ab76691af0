package opt

import (
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// floats applies identities of floating-point ops that hold for every bit pattern. x*1 and x+0 are not among
// them, because they quiet a signalling NaN and may change the sign of zero; they need flags. Sign operations
// only move bits.
func (z *simplifier) floats(v *ssa.Value) bool {
	x := v.Args[0]
	switch v.Op {
	case ssa.OpNeg:
		if x.Op == ssa.OpNeg {
			return become(v, x.Args[0])
		}
	case ssa.OpFabs:
		switch x.Op {
		case ssa.OpFabs:
			return become(v, x)
		case ssa.OpNeg, ssa.OpCopySign:
			return change(v, ssa.OpFabs, x.Args[0])
		}
	case ssa.OpMin, ssa.OpMax:
		if x == v.Args[1] {
			return become(v, x)
		}
	case ssa.OpCopySign:
		if c, ok := splatConst(v.Args[1]); ok {
			if c>>(v.Type.K.Num().Bits()-1) == 0 {
				return change(v, ssa.OpFabs, x)
			}
		}
		if x.Op == ssa.OpFabs || x.Op == ssa.OpNeg || x.Op == ssa.OpCopySign {
			return change(v, ssa.OpCopySign, x.Args[0], v.Args[1])
		}
	case ssa.OpDiv:
		return z.floatDiv(v, x)
	case ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA:
		return z.fused(v, x)
	case ssa.OpAdd, ssa.OpSub:
		return contracts(v, x) || z.floatIdentity(v, x)
	case ssa.OpMul:
		return z.floatIdentity(v, x)
	}
	return false
}

// contracts fuses a sum or difference with an operand that is a product, if both have the flag Contract. If
// both operands are products it fuses the first, as irgen does within an expression. Machine code has no fused
// operations on halves.
func contracts(v, x *ssa.Value) bool {
	y := v.Args[1]
	product := func(m *ssa.Value) bool { return m.Op == ssa.OpMul && m.Flags&ssa.Contract != 0 }
	switch {
	case v.Flags&ssa.Contract == 0 || v.Type.K == ssa.F16:
	case product(x) && v.Op == ssa.OpAdd:
		return change(v, ssa.OpFMA, x.Args[0], x.Args[1], y)
	case product(x):
		return change(v, ssa.OpFMS, x.Args[0], x.Args[1], y)
	case product(y) && v.Op == ssa.OpAdd:
		return change(v, ssa.OpFMA, y.Args[0], y.Args[1], x)
	case product(y):
		return change(v, ssa.OpFNMA, y.Args[0], y.Args[1], x)
	}
	return false
}

// floatDiv replaces division by a power of two by a multiplication, which is exact if the reciprocal is a
// normal number, and division by another constant if the flags allow it.
func (z *simplifier) floatDiv(v, x *ssa.Value) bool {
	c, ok := splatConst(v.Args[1])
	if !ok {
		return false
	}
	f, ok := floatOf(c, v.Type.K)
	if !ok {
		return false
	}
	frac, exp := math.Frexp(f)
	if math.Abs(frac) != 0.5 && v.Flags&ssa.Reassoc == 0 {
		return false
	}
	limit := map[ssa.Kind]int{ssa.F16: 13, ssa.F32: 125, ssa.F64: 1021}[v.Type.K]
	if exp < -limit || exp > limit {
		return false
	}
	flags := v.Flags
	change(v, ssa.OpMul, x, z.r.constant(v.Type, bitsOf(1/f, v.Type.K)))
	v.Flags = flags
	return true
}

// floatIdentity handles op(x, c) and op(c, x) if the flags exclude the cases in which the identity is inexact.
func (z *simplifier) floatIdentity(v, x *ssa.Value) bool {
	y := v.Args[1]
	if v.Op != ssa.OpSub && x.Op == ssa.OpConst && y.Op != ssa.OpConst {
		// With a constant other than a NaN, the order of operands does not matter.
		if c, ok := splatConst(x); ok {
			if f, _ := floatOf(c, v.Type.K); f == f {
				v.Args[0], v.Args[1] = y, x
				return true
			}
		}
	}
	c, ok := splatConst(y)
	if !ok {
		return false
	}
	f, ok := floatOf(c, v.Type.K)
	if !ok {
		return false
	}
	if v.Flags&x.Flags&ssa.Reassoc != 0 && x.Op == v.Op && v.Op != ssa.OpSub {
		if b, ok := splatConst(x.Args[1]); ok { // (x op b) op c is x op (b op c)
			if bc, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Type.K, 0, []uint64{b, c}); ok {
				flags := v.Flags
				change(v, v.Op, x.Args[0], z.r.constant(v.Type, bc))
				v.Flags = flags
				return true
			}
		}
	}
	if quiet(x) {
		// x*1, x-0 and x+(-0) are x with its sign, except that a signalling NaN is quieted.
		zero := f == 0 && math.Signbit(f) == (v.Op == ssa.OpAdd)
		if v.Op == ssa.OpMul && f == 1 || v.Op != ssa.OpMul && zero {
			return become(v, x)
		}
	}
	if v.Flags&ssa.NoNaNInf == 0 {
		return false
	}
	nsz := v.Flags&ssa.NoSignedZero != 0
	switch {
	case v.Op == ssa.OpMul && f == 1:
		return become(v, x)
	case v.Op == ssa.OpMul && f == 0 && nsz:
		return z.becomeConst(v, 0)
	case v.Op == ssa.OpAdd && f == 0 && (nsz || math.Signbit(f)), v.Op == ssa.OpSub && f == 0 && (nsz || !math.Signbit(f)):
		return become(v, x)
	}
	return false
}

// quiet reports whether x cannot be a signalling NaN, because it was computed.
func quiet(x *ssa.Value) bool {
	switch x.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpFMA, ssa.OpFMS, ssa.OpFNMA, ssa.OpSqrt, ssa.OpFloor, ssa.OpCeil, ssa.OpTrunc, ssa.OpRint:
		return true
	case ssa.OpConvert:
		return x.Args[0].Type.K != x.Type.K
	case ssa.OpSplat:
		return quiet(x.Args[0])
	}
	return false
}

// fused simplifies fused operations with a factor of 1.
func (z *simplifier) fused(v, x *ssa.Value) bool {
	y, c := v.Args[1], v.Args[2]
	if b, ok := splatConst(x); ok && y.Op != ssa.OpConst {
		// With a constant other than a NaN, the order of the factors does not matter.
		if f, _ := floatOf(b, v.Type.K); f == f {
			v.Args[0], v.Args[1] = y, x
			return true
		}
	}
	b, ok := splatConst(y)
	if !ok {
		return false
	}
	f, ok := floatOf(b, v.Type.K)
	switch {
	case !ok || f != 1:
	case v.Op == ssa.OpFMA:
		return change(v, ssa.OpAdd, x, c)
	case v.Op == ssa.OpFMS:
		return change(v, ssa.OpSub, x, c)
	}
	return false
}

// floatOf returns the number with these bits; ok is false for a NaN or an infinity.
func floatOf(x uint64, k ssa.Kind) (f float64, ok bool) {
	switch k {
	case ssa.F16:
		f = numeric.Half(x).Float64()
	case ssa.F32:
		f = float64(math.Float32frombits(uint32(x)))
	default:
		f = math.Float64frombits(x)
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// bitsOf returns the bits of f, which kind k must represent.
func bitsOf(f float64, k ssa.Kind) uint64 {
	return numeric.ConvertBits(k.Num(), false, numeric.RTE, numeric.F64, math.Float64bits(f))
}

// inFloat handles the float of a double operation on floats, as in (float)(1.0 / x): a double has more than twice the bits of
// a float and two, so that rounding twice gives what the operation on floats gives (S. Figueroa, "When is double rounding
// innocuous?", SIGNUM Newsletter 30, 1995).
func (z *simplifier) inFloat(v, x *ssa.Value) bool {
	if _, r := ssa.ConvParts(v.Aux); v.Type.K != ssa.F32 || x.Type.K != ssa.F64 || r != numeric.RoundDefault && r != numeric.RTE {
		return false
	}
	switch x.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpSqrt:
	default:
		return false
	}
	converted := false
	args := make([]*ssa.Value, len(x.Args))
	for i, a := range x.Args {
		if a.Op == ssa.OpConvert && a.Args[0].Type == v.Type {
			args[i], converted = a.Args[0], true
			continue
		}
		c, ok := splatConst(a)
		if !ok {
			return false
		}
		f := math.Float64frombits(c)
		if float64(float32(f)) != f {
			return false
		}
		args[i] = z.r.constant(v.Type, uint64(math.Float32bits(float32(f))))
	}
	if !converted {
		return false
	}
	v.Flags = x.Flags & ssa.NoSignedZero
	return change(v, x.Op, args...)
}

// converts simplifies conversions.
func (z *simplifier) converts(v *ssa.Value) bool {
	x := v.Args[0]
	sat, _ := ssa.ConvParts(v.Aux)
	if x.Type == v.Type {
		return become(v, x)
	}
	from, to := x.Type.K.Num(), v.Type.K.Num()
	if sat && to.IsInt() && z.saturatedSum(v, x) {
		return true
	}
	if x.Op == ssa.OpConvert {
		y := x.Args[0]
		first := y.Type.K.Num()
		xsat, _ := ssa.ConvParts(x.Aux)
		switch {
		case holds(from, first) && !(from.IsFloat() && !sat && overflows(first, to)):
			// The first conversion is exact, so that the second alone is equivalent.
			v.SetArgs(y)
			return true
		case from.IsInt() && to.IsInt() && first.IsInt() && !sat && !xsat && to.Bits() <= from.Bits():
			v.SetArgs(y) // both keep low bits
			return true
		case to == numeric.Bool && first.IsInt() && from.IsInt() && from.Bits() >= first.Bits() && !xsat:
			v.SetArgs(y)
			return true
		}
	}
	if to.IsInt() && !sat && z.truncatedHighHalf(v, x) || z.inFloat(v, x) {
		return true
	}
	if y := x; x.Op == ssa.OpBitcast && !sat && to.IsInt() && from.IsInt() && to.Bits() <= from.Bits() {
		if y = x.Args[0]; sameWidth(x, y) {
			v.SetArgs(y) // the low bits do not depend on signedness
			return true
		}
	}
	if to.IsInt() && from.IsInt() && !sat && z.lowPart(v, x) {
		return true
	}
	return z.convertedChoice(v, x) || z.splats(v)
}

// convertedChoice simplifies v, a conversion of a selection between two constants, x.
func (z *simplifier) convertedChoice(v, x *ssa.Value) bool {
	m, c1, c2, ok := maskOf(x)
	if !ok {
		return false
	}
	t, ok1 := ssa.EvalScalar(ssa.OpConvert, v.Type.K, x.Type.K, v.Aux, []uint64{c1})
	f, ok2 := ssa.EvalScalar(ssa.OpConvert, v.Type.K, x.Type.K, v.Aux, []uint64{c2})
	switch {
	case !ok1 || !ok2:
	case v.Type.K == ssa.Bool: // a Bool was converted to 0 or 1, or -1
		return m.Type == v.Type && t == 1 && f == 0 && become(v, m)
	case x.Op == ssa.OpSelect:
		return change(v, ssa.OpSelect, m, z.r.constant(v.Type, t), z.r.constant(v.Type, f))
	}
	return false
}

// overflows reports whether a non-saturating conversion of floating-point values to kind k does not return the
// low bits of some values of kind x outside k's range: for values from 2^31 on and kinds of at most 32 bits
// other than uint.
func overflows(x, k numeric.Kind) bool {
	return x == numeric.U32 && k.IsInt() && k.Bits() <= 32 && k != numeric.U32
}

// sameWidth reports whether x and y are integers of the same width, or vectors of the same number of them.
func sameWidth(x, y *ssa.Value) bool {
	a, b := x.Type.K, y.Type.K
	return x.Type.N == y.Type.N && !a.IsPtr() && !b.IsPtr() && a.Num().IsInt() && b.Num().IsInt() && a.Num().Bits() == b.Num().Bits()
}

// holds reports whether kind k can represent every value of the integer or Bool kind x.
func holds(k, x numeric.Kind) bool {
	if x == numeric.Bool {
		return true
	}
	if !x.IsInt() {
		return false
	}
	bits := x.Bits() - b2i(x.Signed())
	switch k {
	case numeric.Bool:
		return false
	case numeric.F16:
		return bits <= 11
	case numeric.F32:
		return bits <= 24
	case numeric.F64:
		return bits <= 53
	}
	return (k.Signed() || !x.Signed()) && k.Bits()-b2i(k.Signed()) >= bits
}

package builtin

import (
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The Emit functions of rows: each generates a call as ops.

// arg returns argument i. A scalar one is repeated if the result is a vector.
func (c *Emission) arg(i int) *ssa.Value {
	x := c.Args[i]
	if x.Type.N == 1 && c.Result.N > 1 && !x.Type.K.IsPtr() {
		return c.B.Value(ssa.OpSplat, c.Result.With(x.Type.K), x)
	}
	return x
}

// float returns the constant x of type t.
func (c *Emission) float(t ssa.Type, x float64) *ssa.Value {
	return c.B.Const(t, numeric.ConvertBits(t.K.Num(), false, 0, numeric.F64, math.Float64bits(x)))
}

// emitOp applies the row's op to the arguments.
func emitOp(c *Emission) *ssa.Value {
	var buf [3]*ssa.Value
	args := buf[:0]
	for i := range c.Args {
		args = append(args, c.arg(i))
	}
	return c.approximate(c.B.Value(c.Call.Row.Op, c.Result, args...))
}

// approximate marks a quotient or square root that the row permits to be inexact, and returns it.
func (c *Emission) approximate(v *ssa.Value) *ssa.Value {
	if inexact := c.Call.Row.Ulp.Float < 0 || c.Call.Row.Ulp.Float >= halfUlp; inexact && (v.Op == ssa.OpDiv || v.Op == ssa.OpSqrt) && v.Type.K == ssa.F32 {
		v.Flags |= ssa.Approximate
	}
	return v
}

// halfUlp is the error that the specification permits half_ functions, in ulp.
const halfUlp = 8192

func emitNothing(*Emission) *ssa.Value { return nil }

func emitRecip(c *Emission) *ssa.Value {
	return c.approximate(c.B.Value(ssa.OpDiv, c.Result, c.float(c.Result, 1), c.Args[0]))
}

func emitRsqrt(c *Emission) *ssa.Value {
	root := c.approximate(c.B.Value(ssa.OpSqrt, c.Result, c.Args[0]))
	return c.approximate(c.B.Value(ssa.OpDiv, c.Result, c.float(c.Result, 1), root))
}

// emitNaN sets the exponent and the quiet bit.
func emitNaN(c *Emission) *ssa.Value {
	x := c.Args[0]
	quiet := map[ssa.Kind]uint64{ssa.U16: 0x7e00, ssa.U32: 0x7fc00000, ssa.U64: 0x7ff8000000000000}[x.Type.K]
	sign := uint64(1) << (8*x.Type.K.Num().Size() - 1)
	x = c.B.Value(ssa.OpAnd, x.Type, x, c.B.Const(x.Type, sign-1))
	return c.B.Value(ssa.OpBitcast, c.Result, c.B.Value(ssa.OpOr, x.Type, x, c.B.Const(x.Type, quiet)))
}

func emitAbs(c *Emission) *ssa.Value {
	if c.Args[0].Type == c.Result {
		return c.Args[0]
	}
	return c.B.Value(ssa.OpAbs, c.Result, c.Args[0])
}

// emitClamp computes fmin(fmax(least, x), most). With x second, the maximum is one instruction if least is a constant.
func emitClamp(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpMin, c.Result, c.B.Value(ssa.OpMax, c.Result, c.arg(1), c.arg(0)), c.arg(2))
}

func emitMadHi(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpAdd, c.Result, c.B.Value(ssa.OpMulHi, c.Result, c.Args[0], c.Args[1]), c.Args[2])
}

func emitMad24(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpAdd, c.Result, c.B.Value(ssa.OpMul, c.Result, c.Args[0], c.Args[1]), c.Args[2])
}

// emitMadSat computes in 64 bits; operands of 64 bits need the high half of the product.
func emitMadSat(c *Emission) *ssa.Value {
	b, t := c.B, c.Result
	k := t.K.Num()
	if k.Size() < 8 {
		wide := ssa.I64
		if !k.Signed() {
			wide = ssa.U64
		}
		var x [3]*ssa.Value
		for i := range x {
			x[i] = b.Convert(c.Args[i], wide, false, 0)
		}
		w := x[0].Type
		sum := b.Value(ssa.OpAdd, w, b.Value(ssa.OpMul, w, x[0], x[1]), x[2])
		return b.Convert(sum, t.K, true, 0)
	}
	lo, hi := b.Value(ssa.OpMul, t, c.Args[0], c.Args[1]), b.Value(ssa.OpMulHi, t, c.Args[0], c.Args[1])
	sum := b.Value(ssa.OpAdd, t, lo, c.Args[2])
	if !k.Signed() {
		over := b.Value(ssa.OpOr, t.With(ssa.Bool), b.Value(ssa.OpNe, t.With(ssa.Bool), hi, b.Const(t, 0)), b.Value(ssa.OpLt, t.With(ssa.Bool), sum, lo))
		return b.Value(ssa.OpSelect, t, over, b.Const(t, 1<<64-1), sum)
	}
	// The 128-bit sum hi:lo + c: its high half is hi + sign(c) + carry.
	u := t.With(ssa.U64)
	cast := func(to ssa.Type, x *ssa.Value) *ssa.Value { return b.Value(ssa.OpBitcast, to, x) }
	carry := b.Convert(b.Value(ssa.OpLt, t.With(ssa.Bool), cast(u, sum), cast(u, lo)), ssa.I64, false, 0)
	sign := func(x *ssa.Value) *ssa.Value { return b.Value(ssa.OpShr, t, x, b.Const(t, 63)) }
	top := b.Value(ssa.OpAdd, t, b.Value(ssa.OpAdd, t, hi, sign(c.Args[2])), carry)
	limit := b.Value(ssa.OpXor, t, sign(top), b.Const(t, 1<<63-1))
	fits := b.Value(ssa.OpEq, t.With(ssa.Bool), top, sign(sum))
	return b.Value(ssa.OpSelect, t, fits, sum, limit)
}

func emitUpsample(c *Emission) *ssa.Value {
	b, t := c.B, c.Result
	width := uint64(8 * c.Args[1].Type.K.Num().Size())
	hi, lo := b.Convert(c.Args[0], t.K, false, 0), b.Convert(c.Args[1], t.K, false, 0)
	return b.Value(ssa.OpOr, t, b.Value(ssa.OpShl, t, hi, b.Const(t, width)), lo)
}

// emitIntDot sums the products of four 8-bit integers, packed ones in little-endian order, and adds the accumulator
// with saturation.
func emitIntDot(c *Emission) *ssa.Value {
	b := c.B
	x, y := c.Args[0], c.Args[1]
	if x.Type.N == 1 {
		kind := map[byte]ssa.Type{'s': ssa.Vec(ssa.I8, 4), 'u': ssa.Vec(ssa.U8, 4)}
		signs := c.Call.Row.Signs
		x, y = b.Value(ssa.OpBitcast, kind[signs[0]], x), b.Value(ssa.OpBitcast, kind[signs[1]], y)
	}
	x, y = b.Convert(x, c.Result.K, false, 0), b.Convert(y, c.Result.K, false, 0)
	sum := sumLanes(b, ssa.OpAdd, b.Value(ssa.OpMul, x.Type, x, y))
	if len(c.Args) == 3 {
		sum = b.Value(ssa.OpAddSat, c.Result, sum, c.Args[2])
	}
	return sum
}

// sumLanes combines the components of x with op, from the first to the last.
func sumLanes(b *ssa.Builder, op ssa.Op, x *ssa.Value) *ssa.Value {
	if x.Type.N == 1 {
		return x
	}
	sum := b.Extract(x, 0)
	for i := 1; i < int(x.Type.N); i++ {
		sum = b.Value(op, sum.Type, sum, b.Extract(x, i))
	}
	return sum
}

// emitMix computes x + (y - x) * a, with the product and sum rounded once.
func emitMix(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpFMA, c.Result, c.B.Value(ssa.OpSub, c.Result, c.arg(1), c.arg(0)), c.arg(2), c.arg(0))
}

func emitStep(c *Emission) *ssa.Value {
	less := c.B.Value(ssa.OpLt, c.Result.With(ssa.Bool), c.arg(1), c.arg(0))
	return c.B.Value(ssa.OpSelect, c.Result, less, c.float(c.Result, 0), c.float(c.Result, 1))
}

// emitSmoothstep computes t * t * (3 - 2 * t) for t = clamp((x - edge0) / (edge1 - edge0), 0, 1).
func emitSmoothstep(c *Emission) *ssa.Value {
	b, t := c.B, c.Result
	e0, e1, x := c.arg(0), c.arg(1), c.arg(2)
	r := b.Value(ssa.OpDiv, t, b.Value(ssa.OpSub, t, x, e0), b.Value(ssa.OpSub, t, e1, e0))
	r = b.Value(ssa.OpMin, t, b.Value(ssa.OpMax, t, c.float(t, 0), r), c.float(t, 1))
	p := b.Value(ssa.OpSub, t, c.float(t, 3), b.Value(ssa.OpMul, t, c.float(t, 2), r))
	return b.Value(ssa.OpMul, t, b.Value(ssa.OpMul, t, r, r), p)
}

func emitDot(c *Emission) *ssa.Value {
	b, x, y := c.B, c.Args[0], c.Args[1]
	if x.Type.N == 1 {
		return b.Value(ssa.OpMul, c.Result, x, y)
	}
	sum := b.Value(ssa.OpMul, c.Result, b.Extract(x, 0), b.Extract(y, 0))
	for i := 1; i < int(x.Type.N); i++ {
		sum = b.Value(ssa.OpFMA, c.Result, b.Extract(x, i), b.Extract(y, i), sum)
	}
	return sum
}

// relation converts a Bool to the result of a relational function: 0 or 1 for a scalar, 0 or -1 for a vector.
func (c *Emission) relation(v *ssa.Value) *ssa.Value {
	r := c.B.Convert(v, c.Result.K, false, 0)
	if c.Result.N > 1 {
		r = c.B.Value(ssa.OpNeg, c.Result, r)
	}
	return r
}

// swapped is the Aux of a comparison with exchanged operands.
const swapped = 1

func emitCompare(c *Emission) *ssa.Value {
	x, y := c.Args[0], c.Args[1]
	if c.Call.Row.Aux == swapped {
		x, y = y, x
	}
	return c.relation(c.B.Value(c.Call.Row.Op, x.Type.With(ssa.Bool), x, y))
}

func emitLessGreater(c *Emission) *ssa.Value {
	x, y := c.Args[0], c.Args[1]
	t := x.Type.With(ssa.Bool)
	return c.relation(c.B.Value(ssa.OpOr, t, c.B.Value(ssa.OpLt, t, x, y), c.B.Value(ssa.OpLt, t, y, x)))
}

// emitOrdered computes x == x && y == y, or x != x || y != y.
func emitOrdered(c *Emission) *ssa.Value {
	x, y := c.Args[0], c.Args[1]
	t, op, join := x.Type.With(ssa.Bool), c.Call.Row.Op, ssa.OpAnd
	if op == ssa.OpNe {
		join = ssa.OpOr
	}
	return c.relation(c.B.Value(join, t, c.B.Value(op, t, x, x), c.B.Value(op, t, y, y)))
}

func (c *Emission) magnitude() (*ssa.Value, ssa.Type) {
	x := c.Args[0]
	return c.B.Value(ssa.OpFabs, x.Type, x), x.Type.With(ssa.Bool)
}

var (
	infBits    = map[ssa.Kind]uint64{ssa.F16: 0x7c00, ssa.F32: 0x7f800000, ssa.F64: 0x7ff << 52}
	normalBits = map[ssa.Kind]uint64{ssa.F16: 0x0400, ssa.F32: 0x00800000, ssa.F64: 1 << 52}
)

func emitIsFinite(c *Emission) *ssa.Value {
	x, t := c.magnitude()
	return c.relation(c.B.Value(ssa.OpLt, t, x, c.B.Const(x.Type, infBits[x.Type.K])))
}

func emitIsInf(c *Emission) *ssa.Value {
	x, t := c.magnitude()
	return c.relation(c.B.Value(ssa.OpEq, t, x, c.B.Const(x.Type, infBits[x.Type.K])))
}

func emitIsNaN(c *Emission) *ssa.Value {
	x := c.Args[0]
	return c.relation(c.B.Value(ssa.OpNe, x.Type.With(ssa.Bool), x, x))
}

func emitIsNormal(c *Emission) *ssa.Value {
	x, t := c.magnitude()
	below := c.B.Value(ssa.OpLt, t, x, c.B.Const(x.Type, infBits[x.Type.K]))
	above := c.B.Value(ssa.OpLe, t, c.B.Const(x.Type, normalBits[x.Type.K]), x)
	return c.relation(c.B.Value(ssa.OpAnd, t, below, above))
}

func emitSignbit(c *Emission) *ssa.Value {
	x := c.Args[0]
	t := x.Type.With(map[int]ssa.Kind{2: ssa.I16, 4: ssa.I32, 8: ssa.I64}[x.Type.K.Num().Size()])
	x = c.B.Value(ssa.OpBitcast, t, x)
	return c.relation(c.B.Value(ssa.OpLt, t.With(ssa.Bool), x, c.B.Const(t, 0)))
}

// emitAnyAll combines the top bits of the components.
func emitAnyAll(c *Emission) *ssa.Value {
	x := sumLanes(c.B, c.Call.Row.Op, c.Args[0])
	return c.B.Convert(c.B.Value(ssa.OpLt, ssa.TBool, x, c.B.Const(x.Type, 0)), ssa.I32, false, 0)
}

var unsignedBySize = [9]ssa.Kind{1: ssa.U8, 2: ssa.U16, 4: ssa.U32, 8: ssa.U64}

// emitAnyLane tests the result of a comparison.
func emitAnyLane(c *Emission) *ssa.Value {
	return c.B.Convert(c.B.Value(ssa.OpAny, ssa.TBool, c.chosen(c.Args[0])), ssa.I32, false, 0)
}

func emitBitselect(c *Emission) *ssa.Value {
	b := c.B
	u := c.Result.With(unsignedBySize[c.Result.K.Num().Size()])
	var x [3]*ssa.Value
	for i := range x {
		x[i] = c.Args[i]
		if x[i].Type != u {
			x[i] = b.Value(ssa.OpBitcast, u, x[i])
		}
	}
	// a ^ ((a ^ b) & c)
	r := b.Value(ssa.OpXor, u, x[0], b.Value(ssa.OpAnd, u, b.Value(ssa.OpXor, u, x[0], x[1]), x[2]))
	if u != c.Result {
		r = b.Value(ssa.OpBitcast, c.Result, r)
	}
	return r
}

func emitSelect(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpSelect, c.Result, c.chosen(c.Args[2]), c.Args[1], c.Args[0])
}

// chosen returns the condition under which select's last argument selects the second: a scalar other than 0, or
// components with the top bit set.
func (c *Emission) chosen(m *ssa.Value) *ssa.Value {
	b, t := c.B, m.Type.With(ssa.Bool)
	switch {
	case m.Type.N == 1:
		return b.Value(ssa.OpNe, t, m, b.Const(m.Type, 0))
	case m.Type.K.Num().Signed():
		return b.Value(ssa.OpLt, t, m, b.Const(m.Type, 0))
	}
	return b.Value(ssa.OpLe, t, b.Const(m.Type, 1<<(8*m.Type.K.Num().Size()-1)), m)
}

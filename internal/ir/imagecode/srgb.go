package imagecode

import (
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The sRGB curve. Package image computes it with math.Pow, in float64. The powers of 2.4 and 1/2.4 are here powers of the
// argument and of its inverse fifth or twelfth root. Their errors are far below the distance of any stored or linear
// value to a tie (TestSRGB). Nothing is divided: a division of float64 is long code on GPUs.

const f32One = 0x3f800000 // bits of 1

// rootBias lowers the first estimate of a root, as bits of a float32, which is too large on average.
const rootBias = 450_000

// rootSteps is the number of float32 steps for a root.
const rootSteps = 3

func (e *emitter) double(x float64) *ssa.Value {
	return e.constant(ssa.Scalar(ssa.F64), math.Float64bits(x))
}

// linearized returns the linear value of a stored sRGB value, an integer from 0 to 255.
func (e *emitter) linearized(v *ssa.Value) *ssa.Value {
	if v.Type.K != ssa.I32 {
		v = e.convert(v, ssa.I32, false, 0)
	}
	i := e.convert(v, ssa.F64, false, 0)
	low := e.op(ssa.OpMul, i, e.double(1/(255*12.92)))
	x := e.op(ssa.OpAdd, e.op(ssa.OpMul, i, e.double(1/(255*1.055))), e.double(0.055/1.055))
	high := e.power(e.op(ssa.OpMul, x, e.inverseRoot(x, 5)), 3)
	return e.convert(e.choose(e.compare(ssa.OpLe, v, e.int(lastLow)), low, high), ssa.F32, false, numeric.RTE)
}

// lastLow is the greatest stored value on the linear part of the curve, which ends at 0.04045.
const lastLow = 10

// encodedSRGB returns the stored sRGB value, of kind k, of a linear value.
func (e *emitter) encodedSRGB(y *ssa.Value, k ssa.Kind) *ssa.Value {
	c := e.convert(y, ssa.F64, false, 0)
	low := e.op(ssa.OpMul, c, e.double(12.92))
	x := e.convert(e.op(ssa.OpMin, e.number(1), e.op(ssa.OpMax, e.number(0.003), y)), ssa.F64, false, 0)
	root := e.op(ssa.OpMul, x, e.power(e.inverseRoot(x, 12), 7))
	high := e.op(ssa.OpSub, e.op(ssa.OpMul, e.double(1.055), root), e.double(0.055))
	v := e.choose(e.compare(ssa.OpLt, c, e.double(0.0031308)), low, high)
	v = e.choose(e.compare(ssa.OpLt, e.double(0), c), v, e.double(0)) // NaN gives 0
	return e.convert(e.op(ssa.OpMul, v, e.double(255)), k, true, numeric.RTE)
}

func (e *emitter) choose(cond, yes, no *ssa.Value) *ssa.Value {
	return e.value(ssa.OpSelect, yes.Type, cond, yes, no)
}

// inverseRoot returns x to the power of -1/n, for a float64 x from 0.003 to 1, by steps of Newton's method, the last of them
// in float64. The first estimate divides the logarithm that the bits of a float32 are.
func (e *emitter) inverseRoot(x *ssa.Value, n int) *ssa.Value {
	f := e.convert(x, ssa.F32, false, numeric.RTE)
	log := e.op(ssa.OpSub, e.bits(f, ssa.I32), e.int(f32One))
	log = e.trunc(e.op(ssa.OpMul, e.convert(log, ssa.F32, false, 0), e.number(-1/float32(n))))
	r := e.bits(e.op(ssa.OpAdd, log, e.int(f32One-rootBias)), ssa.F32)
	for range rootSteps {
		change := e.op(ssa.OpSub, e.number(1), e.op(ssa.OpMul, f, e.power(r, n)))
		r = e.op(ssa.OpAdd, r, e.op(ssa.OpMul, r, e.op(ssa.OpMul, change, e.number(1/float32(n)))))
	}
	d := e.convert(r, ssa.F64, false, 0)
	change := e.op(ssa.OpSub, e.double(1), e.op(ssa.OpMul, x, e.power(d, n)))
	return e.op(ssa.OpAdd, d, e.op(ssa.OpMul, d, e.op(ssa.OpMul, change, e.double(1/float64(n)))))
}

// power returns a power of x with a positive exponent.
func (e *emitter) power(x *ssa.Value, n int) *ssa.Value {
	if n == 1 {
		return x
	}
	half := e.power(x, n/2)
	square := e.op(ssa.OpMul, half, half)
	if n%2 == 1 {
		return e.op(ssa.OpMul, square, x)
	}
	return square
}

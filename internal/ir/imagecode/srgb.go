package imagecode

import (
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The sRGB curve. Package image computes it with math.Pow, in float64. Its powers of 2.4 and 1/2.4 are here those of a
// fifth and a twelfth root, whose errors are far below the distance of any stored or linear value to a tie
// (TestSRGB).

const f32One = 0x3f800000 // bits of 1

func (e *emitter) double(x float64) *ssa.Value {
	return e.constant(ssa.Scalar(ssa.F64), math.Float64bits(x))
}

// linearized returns the linear value of a stored sRGB value, an integer from 0 to 255.
func (e *emitter) linearized(v *ssa.Value) *ssa.Value {
	c := e.op(ssa.OpDiv, e.convert(v, ssa.F64, false, 0), e.double(255))
	low := e.op(ssa.OpDiv, c, e.double(12.92))
	root := e.root(e.op(ssa.OpDiv, e.op(ssa.OpAdd, c, e.double(0.055)), e.double(1.055)), 5, 5)
	high := e.power(root, 12)
	return e.convert(e.choose(e.compare(ssa.OpLe, c, e.double(0.04045)), low, high), ssa.F32, false, numeric.RTE)
}

// encodedSRGB returns the stored sRGB value, of kind k, of a linear value.
func (e *emitter) encodedSRGB(y *ssa.Value, k ssa.Kind) *ssa.Value {
	c := e.convert(y, ssa.F64, false, 0)
	low := e.op(ssa.OpMul, c, e.double(12.92))
	clamped := e.op(ssa.OpMin, e.number(1), e.op(ssa.OpMax, e.number(0.003), y))
	root := e.root(e.convert(clamped, ssa.F64, false, 0), 12, 6)
	high := e.op(ssa.OpSub, e.op(ssa.OpMul, e.double(1.055), e.power(root, 5)), e.double(0.055))
	v := e.choose(e.compare(ssa.OpLt, c, e.double(0.0031308)), low, high)
	v = e.choose(e.compare(ssa.OpLt, e.double(0), c), v, e.double(0)) // NaN gives 0
	return e.convert(e.op(ssa.OpMul, v, e.double(255)), k, true, numeric.RTE)
}

func (e *emitter) choose(cond, yes, no *ssa.Value) *ssa.Value {
	return e.value(ssa.OpSelect, yes.Type, cond, yes, no)
}

// root returns the n-th root of a float64 from 0.003 to 1, by steps of Newton's method. The first estimate divides the
// logarithm that the bits of a float32 are.
func (e *emitter) root(x *ssa.Value, n, steps int) *ssa.Value {
	log := e.op(ssa.OpSub, e.bits(e.convert(x, ssa.F32, false, numeric.RTE), ssa.I32), e.int(f32One))
	log = e.trunc(e.op(ssa.OpMul, e.convert(log, ssa.F32, false, 0), e.number(1/float32(n))))
	y := e.convert(e.bits(e.op(ssa.OpAdd, log, e.int(f32One)), ssa.F32), ssa.F64, false, 0)
	for range steps {
		change := e.op(ssa.OpSub, e.op(ssa.OpDiv, x, e.power(y, n-1)), y)
		y = e.op(ssa.OpAdd, y, e.op(ssa.OpMul, change, e.double(1/float64(n))))
	}
	return y
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

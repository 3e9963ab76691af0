package interp

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The arithmetic observer reports results that are defined, by the language or by common practice, but seldom
// intended: a NaN from numbers; a sum, difference or product that a signed type cannot represent; a shift by at
// least the type's width. It observes only values with a position in the source: the bodies of builtin functions
// use all of these on purpose.

// guardArithmetic adds a guard to v; args are the elements of its arguments.
func (l *lowerer) guardArithmetic(v *ssa.Value, k ssa.Kind, args [3]reg, uniform bool) {
	if !v.Pos.IsValid() {
		return
	}
	var run kernel
	switch {
	case k.Num().IsFloat():
		run = nanGuard(v.Op, k)
	case v.Op == ssa.OpShl || v.Op == ssa.OpShr:
		run = shiftGuard(v.Args[1].Type.K)
	default:
		run = overflowGuard(v.Op, k)
	}
	if run == nil {
		return
	}
	in := l.guard(v, run, uniform, args[:len(v.Args)]...)
	in.imm = uint64(v.Type.K.Num().Bits())
}

// overflowGuard returns the guard of a signed operation, nil for other ops.
func overflowGuard(op ssa.Op, k ssa.Kind) kernel {
	switch k {
	case ssa.I8:
		return smallOverflow[int8](op, math.MinInt8, math.MaxInt8)
	case ssa.I16:
		return smallOverflow[int16](op, math.MinInt16, math.MaxInt16)
	case ssa.I32:
		return smallOverflow[int32](op, math.MinInt32, math.MaxInt32)
	case ssa.I64:
		return longOverflow(op)
	}
	return nil
}

// smallOverflow computes results of types of at most 32 bits in 64 bits.
func smallOverflow[T int8 | int16 | int32](op ssa.Op, least, most int64) kernel {
	outside := func(x int64) bool { return x < least || x > most }
	switch op {
	case ssa.OpAdd:
		return reportWhere(exec.SignedOverflow, func(a, b T) bool { return outside(int64(a) + int64(b)) })
	case ssa.OpSub:
		return reportWhere(exec.SignedOverflow, func(a, b T) bool { return outside(int64(a) - int64(b)) })
	case ssa.OpMul:
		return reportWhere(exec.SignedOverflow, func(a, b T) bool { return outside(int64(a) * int64(b)) })
	case ssa.OpNeg:
		return reportOf(exec.SignedOverflow, func(a T) bool { return outside(-int64(a)) })
	}
	return nil
}

func longOverflow(op ssa.Op) kernel {
	switch op {
	case ssa.OpAdd:
		return reportWhere(exec.SignedOverflow, func(a, b int64) bool { return (a^(a+b))&(b^(a+b)) < 0 })
	case ssa.OpSub:
		return reportWhere(exec.SignedOverflow, func(a, b int64) bool { return (a^b)&(a^(a-b)) < 0 })
	case ssa.OpMul:
		return reportWhere(exec.SignedOverflow, func(a, b int64) bool {
			hi, lo := bits.Mul64(uint64(a), uint64(b))
			if a < 0 {
				hi -= uint64(b)
			}
			if b < 0 {
				hi -= uint64(a)
			}
			return hi != uint64(int64(lo)>>63) // the product's upper half is not the sign extension of its lower half
		})
	case ssa.OpNeg:
		return reportOf(exec.SignedOverflow, func(a int64) bool { return a == math.MinInt64 })
	}
	return nil
}

// shiftGuard returns the guard of a shift by a count of kind k; the instruction's imm is the number of bits of
// the shifted value.
func shiftGuard(k ssa.Kind) kernel {
	switch k {
	case ssa.I8, ssa.U8:
		return shiftTooLarge[uint8]
	case ssa.I16, ssa.U16:
		return shiftTooLarge[uint16]
	case ssa.I32, ssa.U32:
		return shiftTooLarge[uint32]
	case ssa.I64, ssa.U64:
		return shiftTooLarge[uint64]
	}
	return nil
}

// shiftTooLarge reads counts as unsigned, so that negative ones are too large.
func shiftTooLarge[T uint8 | uint16 | uint32 | uint64](v *view, in *inst) {
	for _, s := range v.act {
		for i, n := range at[T](v, in.b, s) {
			if uint64(n) >= in.imm {
				v.x.report(exec.ShiftTooLarge, in, v.lane(s, i), nil, 0, 0)
			}
		}
	}
}

// nanGuard returns the guard of an operation that may give a NaN from numbers, nil for other ops. It computes
// floats and halfs in double precision, in which the result is a NaN exactly if it is one in their precision:
// infinities are the same, and rounding turns no other number into a zero or an infinity.
func nanGuard(op ssa.Op, k ssa.Kind) kernel {
	switch k {
	case ssa.F16:
		return nanOf(op, func(x uint16) float64 {
			return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, numeric.F16, uint64(x)))
		})
	case ssa.F32:
		return nanOf(op, func(x float32) float64 { return float64(x) })
	case ssa.F64:
		return nanOf(op, func(x float64) float64 { return x })
	}
	return nil
}

func nanOf[T any](op ssa.Op, f func(T) float64) kernel {
	two := func(compute func(a, b float64) float64) kernel {
		return reportWhere(exec.NaNResult, func(x, y T) bool {
			a, b := f(x), f(y)
			return a == a && b == b && math.IsNaN(compute(a, b))
		})
	}
	three := func(sign float64) kernel {
		return func(v *view, in *inst) {
			for _, s := range v.act {
				x, y, z := at[T](v, in.a, s), at[T](v, in.b, s), at[T](v, in.c, s)
				for i := range x {
					a, b, c := f(x[i]), f(y[i]), f(z[i])
					if a == a && b == b && c == c && math.IsNaN(math.FMA(a, b, sign*c)) {
						v.x.report(exec.NaNResult, in, v.lane(s, i), nil, 0, 0)
					}
				}
			}
		}
	}
	switch op {
	case ssa.OpAdd:
		return two(func(a, b float64) float64 { return a + b })
	case ssa.OpSub:
		return two(func(a, b float64) float64 { return a - b })
	case ssa.OpMul:
		return two(func(a, b float64) float64 { return a * b })
	case ssa.OpDiv:
		return two(func(a, b float64) float64 { return a / b })
	case ssa.OpRem:
		return two(math.Mod)
	case ssa.OpFMA:
		return three(1)
	case ssa.OpFMS:
		return three(-1)
	case ssa.OpSqrt:
		return reportOf(exec.NaNResult, func(x T) bool { return f(x) < 0 })
	}
	return nil
}

// reportWhere returns a guard that reports the lanes for whose two arguments wrong is true.
func reportWhere[T any](kind exec.FindingKind, wrong func(a, b T) bool) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			a := at[T](v, in.a, s)
			for i, b := range at[T](v, in.b, s)[:len(a)] {
				if wrong(a[i], b) {
					v.x.report(kind, in, v.lane(s, i), nil, 0, 0)
				}
			}
		}
	}
}

// reportOf returns a guard that reports the lanes for whose argument wrong is true.
func reportOf[T any](kind exec.FindingKind, wrong func(a T) bool) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			for i, a := range at[T](v, in.a, s) {
				if wrong(a) {
					v.x.report(kind, in, v.lane(s, i), nil, 0, 0)
				}
			}
		}
	}
}

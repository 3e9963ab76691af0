package ssa

import (
	"math"
	"sync"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// The scalar meaning of ops as functions of package numeric: one line for each op and class of kinds.
// Constant evaluation, the reference executor and the tests of the others derive from it.

// A Meaning is the implementation of an op on operands of Go type T: F1, F2 or F3 by the number of arguments,
// or Test for a comparison. Each also has a form for columns of len(d) elements; the compiler inlines the
// operation into their loops. The zero Meaning means that the op is undefined on T.
type Meaning[T any] struct {
	F1   func(T) T
	F2   func(a, b T) T
	F3   func(a, b, c T) T
	Test func(a, b T) bool

	Column1    func(d, a []T)
	Column2    func(d, a, b []T)
	Column3    func(d, a, b, c []T)
	ColumnTest func(d []bool, a, b []T)
}

// The constructors are small enough to be inlined at the function of an op, so that the loops call it directly.

func op1[T any](f func(T) T) Meaning[T] {
	return Meaning[T]{F1: f, Column1: func(d, a []T) {
		for i, x := range a[:len(d)] {
			d[i] = f(x)
		}
	}}
}

func op2[T any](f func(a, b T) T) Meaning[T] {
	return Meaning[T]{F2: f, Column2: func(d, a, b []T) {
		b = b[:len(d)]
		for i, x := range a[:len(d)] {
			d[i] = f(x, b[i])
		}
	}}
}

func op3[T any](f func(a, b, c T) T) Meaning[T] {
	return Meaning[T]{F3: f, Column3: func(d, a, b, c []T) {
		b, c = b[:len(d)], c[:len(d)]
		for i, x := range a[:len(d)] {
			d[i] = f(x, b[i], c[i])
		}
	}}
}

func test[T any](f func(a, b T) bool) Meaning[T] {
	return Meaning[T]{Test: f, ColumnTest: func(d []bool, a, b []T) {
		b = b[:len(d)]
		for i, x := range a[:len(d)] {
			d[i] = f(x, b[i])
		}
	}}
}

// IntMeaning returns the meaning of an op on integers.
func IntMeaning[T numeric.Int](op Op) (m Meaning[T]) {
	switch op {
	case OpAdd:
		return op2(func(a, b T) T { return a + b })
	case OpSub:
		return op2(func(a, b T) T { return a - b })
	case OpMul:
		return op2(func(a, b T) T { return a * b })
	case OpDiv:
		return op2(numeric.IntDiv[T])
	case OpRem:
		return op2(numeric.IntRem[T])
	case OpNeg:
		return op1(func(a T) T { return -a })
	case OpAnd:
		return op2(func(a, b T) T { return a & b })
	case OpOr:
		return op2(func(a, b T) T { return a | b })
	case OpXor:
		return op2(func(a, b T) T { return a ^ b })
	case OpNot:
		return op1(func(a T) T { return ^a })
	case OpShl:
		return op2(numeric.Shl[T])
	case OpShr:
		return op2(numeric.Shr[T])
	case OpRotl:
		return op2(numeric.Rotate[T])
	case OpMin:
		return op2(func(a, b T) T { return min(a, b) })
	case OpMax:
		return op2(func(a, b T) T { return max(a, b) })
	case OpAbs:
		return op1(numeric.Abs[T])
	case OpAddSat:
		return op2(numeric.AddSat[T])
	case OpSubSat:
		return op2(numeric.SubSat[T])
	case OpMulHi:
		return op2(numeric.MulHi[T])
	case OpHAdd:
		return op2(numeric.Hadd[T])
	case OpRHAdd:
		return op2(numeric.Rhadd[T])
	case OpAbsDiff:
		return op2(numeric.AbsDiff[T])
	case OpClz:
		return op1(numeric.Clz[T])
	case OpCtz:
		return op1(numeric.Ctz[T])
	case OpPopcount:
		return op1(numeric.Popcount[T])
	}
	return comparison[T](op)
}

// comparison returns the meaning of a comparison, and the zero Meaning for other ops.
func comparison[T numeric.Number](op Op) (m Meaning[T]) {
	switch op {
	case OpEq:
		return test(func(a, b T) bool { return a == b })
	case OpNe:
		return test(func(a, b T) bool { return a != b })
	case OpLt:
		return test(func(a, b T) bool { return a < b })
	case OpLe:
		return test(func(a, b T) bool { return a <= b })
	}
	return m
}

// FloatMeaning returns the meaning of an op on floats and doubles.
func FloatMeaning[T numeric.Float](op Op) (m Meaning[T]) {
	switch op {
	case OpAdd:
		return op2(numeric.Add[T])
	case OpSub:
		return op2(numeric.Sub[T])
	case OpMul:
		return op2(numeric.Mul[T])
	case OpDiv:
		return op2(numeric.Div[T])
	case OpRem:
		return op2(fmod[T])
	case OpNeg:
		return op1(numeric.Neg[T])
	case OpFMA:
		return op3(numeric.FMA[T])
	case OpFMS:
		return op3(numeric.FMS[T])
	case OpFNMA:
		return op3(numeric.FNMA[T])
	case OpMin:
		return op2(numeric.Fmin[T])
	case OpMax:
		return op2(numeric.Fmax[T])
	case OpSqrt:
		return op1(numeric.Sqrt[T])
	case OpRecipEstimate:
		return op1(func(a T) T { return numeric.Div(1, a) })
	case OpRsqrtEstimate:
		return op1(func(a T) T { return numeric.Div(1, numeric.Sqrt(a)) })
	case OpFloor:
		return op1(numeric.Floor[T])
	case OpCeil:
		return op1(numeric.Ceil[T])
	case OpTrunc:
		return op1(numeric.Trunc[T])
	case OpRint:
		return op1(numeric.Rint[T])
	case OpFabs:
		return op1(numeric.Fabs[T])
	case OpCopySign:
		return op2(numeric.Copysign[T])
	}
	return comparison[T](op)
}

const halfOne = numeric.Half(0x3c00) // 1

// HalfMeaning returns the meaning of an op on halfs.
func HalfMeaning(op Op) (m Meaning[numeric.Half]) {
	type h = numeric.Half
	switch op {
	case OpAdd:
		return op2(h.Add)
	case OpSub:
		return op2(h.Sub)
	case OpMul:
		return op2(h.Mul)
	case OpDiv:
		return op2(h.Div)
	case OpRem:
		return op2(func(a, b h) h { return numeric.HalfFromFloat64(fmod(a.Float64(), b.Float64()), numeric.RTE) })
	case OpNeg:
		return op1(h.Neg)
	case OpFMA:
		return op3(h.FMA)
	case OpFMS:
		return op3(h.FMS)
	case OpFNMA:
		return op3(h.FNMA)
	case OpMin:
		return op2(h.Fmin)
	case OpMax:
		return op2(h.Fmax)
	case OpSqrt:
		return op1(h.Sqrt)
	case OpRecipEstimate:
		return op1(halfOne.Div)
	case OpRsqrtEstimate:
		return op1(func(a h) h { return halfOne.Div(a.Sqrt()) })
	case OpFloor:
		return op1(h.Floor)
	case OpCeil:
		return op1(h.Ceil)
	case OpTrunc:
		return op1(h.Trunc)
	case OpRint:
		return op1(h.Rint)
	case OpFabs:
		return op1(h.Abs)
	case OpCopySign:
		return op2(h.Copysign)
	case OpEq:
		return test(h.Eq)
	case OpNe:
		return test(func(a, b h) bool { return !a.Eq(b) })
	case OpLt:
		return test(h.Lt)
	case OpLe:
		return test(h.Le)
	}
	return m
}

// BoolMeaning returns the meaning of an op on Bools, which are 0 or 1.
func BoolMeaning(op Op) (m Meaning[uint8]) {
	switch op {
	case OpAnd, OpOr, OpXor, OpEq, OpNe:
		return IntMeaning[uint8](op)
	case OpNot:
		return op1(func(a uint8) uint8 { return a ^ 1 })
	}
	return m
}

// fmod is the remainder of the division whose quotient is rounded toward zero.
func fmod[T numeric.Float](a, b T) T {
	r := T(math.Mod(float64(a), float64(b)))
	if r != r {
		return numeric.Sub(numeric.Mul(a, b), numeric.Mul(a, b)) // the NaN that an operation on a and b returns
	}
	return r
}

// A scalarEval computes an op on the raw bits of its arguments; ok is false if the op has no meaning on their
// kind.
type scalarEval func(op Op, args []uint64) (bits uint64, ok bool)

// evaluator makes a scalarEval from the ops' meanings and the conversions between T and raw bits. The table of
// meanings is built on first use.
func evaluator[T any](meaning func(Op) Meaning[T], from func(uint64) T, to func(T) uint64) scalarEval {
	table := sync.OnceValue(func() *[NumOps]Meaning[T] {
		t := new([NumOps]Meaning[T])
		for op := range t {
			t[op] = meaning(Op(op))
		}
		return t
	})
	return func(op Op, args []uint64) (uint64, bool) {
		switch m := &table()[op]; {
		case m.F2 != nil:
			return to(m.F2(from(args[0]), from(args[1]))), true
		case m.F1 != nil:
			return to(m.F1(from(args[0]))), true
		case m.Test != nil:
			return bit(m.Test(from(args[0]), from(args[1]))), true
		case m.F3 != nil:
			return to(m.F3(from(args[0]), from(args[1]), from(args[2]))), true
		}
		return 0, false
	}
}

func intEvaluator[T numeric.Int]() scalarEval {
	shift := 64 - 8*uint(numeric.KindOf[T]().Size())
	return evaluator(IntMeaning[T], func(x uint64) T { return T(x) }, func(x T) uint64 { return uint64(x) << shift >> shift })
}

// evaluators holds the evaluation of ops by the kind of their first argument.
var evaluators = [numeric.NumKinds]scalarEval{
	numeric.Bool: evaluator(BoolMeaning, func(x uint64) uint8 { return uint8(x) }, func(x uint8) uint64 { return uint64(x) }),
	numeric.I8:   intEvaluator[int8](), numeric.U8: intEvaluator[uint8](),
	numeric.I16: intEvaluator[int16](), numeric.U16: intEvaluator[uint16](),
	numeric.I32: intEvaluator[int32](), numeric.U32: intEvaluator[uint32](),
	numeric.I64: intEvaluator[int64](), numeric.U64: intEvaluator[uint64](),
	numeric.F16: evaluator(HalfMeaning, func(x uint64) numeric.Half { return numeric.Half(x) }, func(x numeric.Half) uint64 { return uint64(x) }),
	numeric.F32: evaluator(FloatMeaning[float32], func(x uint64) float32 { return math.Float32frombits(uint32(x)) }, func(x float32) uint64 { return uint64(math.Float32bits(x)) }),
	numeric.F64: evaluator(FloatMeaning[float64], math.Float64frombits, math.Float64bits),
}

// HasMeaning reports whether an op computes elements of kind k by [EvalScalar].
func HasMeaning(op Op, k Kind) bool {
	_, ok := EvalScalar(op, k, k, 0, make([]uint64, 3))
	return ok
}

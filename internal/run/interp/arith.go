package interp

import (
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// These are the kernels of the elementwise ops. The loops of frequent integer and floating-point ops are written
// out, so that the compiler inlines the operation; the others call the op's definition in package ssa.

// elementKernel returns the kernel of an op whose operands have elements of kind k, or
// nil if there is none.
func elementKernel(op ssa.Op, k ssa.Kind) kernel {
	if k.IsPtr() || k == ssa.Handle {
		k = ssa.U64
	}
	switch k {
	case ssa.Bool:
		return boolKernel(op)
	case ssa.I8:
		return intKernel[int8](op)
	case ssa.U8:
		return intKernel[uint8](op)
	case ssa.I16:
		return intKernel[int16](op)
	case ssa.U16:
		return intKernel[uint16](op)
	case ssa.I32:
		return intKernel[int32](op)
	case ssa.U32:
		return intKernel[uint32](op)
	case ssa.I64:
		return intKernel[int64](op)
	case ssa.U64:
		if op == ssa.OpPtrAdd {
			return kPtrAdd
		}
		return intKernel[uint64](op)
	case ssa.F16:
		return byMeaning(ssa.HalfMeaning(op))
	case ssa.F32:
		return floatKernel[float32](op)
	case ssa.F64:
		return floatKernel[float64](op)
	}
	return nil
}

// Kernels with written-out loops; nil for ops that call their definition.

func boolKernel(op ssa.Op) kernel {
	switch op {
	case ssa.OpAnd:
		return kAnd[uint8]
	case ssa.OpOr:
		return kOr[uint8]
	case ssa.OpXor, ssa.OpNe:
		return kXor[uint8]
	case ssa.OpEq:
		return kEq[uint8]
	}
	return byMeaning(ssa.BoolMeaning(op))
}

func intKernel[T numeric.Int](op ssa.Op) kernel {
	switch op {
	case ssa.OpAdd:
		return kAdd[T]
	case ssa.OpSub:
		return kSub[T]
	case ssa.OpMul:
		return kMul[T]
	case ssa.OpNeg:
		return kNeg[T]
	case ssa.OpAnd:
		return kAnd[T]
	case ssa.OpOr:
		return kOr[T]
	case ssa.OpXor:
		return kXor[T]
	case ssa.OpNot:
		return kNot[T]
	case ssa.OpShl:
		return kShl[T]
	case ssa.OpShr:
		return kShr[T]
	case ssa.OpRotl:
		return kRotl[T]
	case ssa.OpMin:
		return kMin[T]
	case ssa.OpMax:
		return kMax[T]
	}
	if k := testKernel[T](op); k != nil {
		return k
	}
	return byMeaning(ssa.IntMeaning[T](op))
}

func floatKernel[T numeric.Float](op ssa.Op) kernel {
	switch op {
	case ssa.OpAdd:
		return kFAdd[T]
	case ssa.OpSub:
		return kFSub[T]
	case ssa.OpMul:
		return kFMul[T]
	case ssa.OpDiv:
		return kFDiv[T]
	case ssa.OpMin:
		return kFMin[T]
	case ssa.OpMax:
		return kFMax[T]
	case ssa.OpFMA:
		return kFMA[T]
	case ssa.OpFMS:
		return kFMS[T]
	case ssa.OpFNMA:
		return kFNMA[T]
	case ssa.OpSqrt:
		return kFSqrt[T]
	case ssa.OpFabs:
		return kFabs[T]
	}
	if k := testKernel[T](op); k != nil {
		return k
	}
	return byMeaning(ssa.FloatMeaning[T](op))
}

// testKernel returns the kernel of a comparison by Go's operators.
func testKernel[T numeric.Int | numeric.Float](op ssa.Op) kernel {
	switch op {
	case ssa.OpEq:
		return kEq[T]
	case ssa.OpNe:
		return kNe[T]
	case ssa.OpLt:
		return kLt[T]
	case ssa.OpLe:
		return kLe[T]
	}
	return nil
}

// byMeaning returns a kernel that applies the definition of an op to each active lane, nil if the op has none.
func byMeaning[T any](m ssa.Meaning[T]) kernel {
	switch {
	case m.Column1 != nil:
		return func(v *view, in *inst) {
			for _, s := range v.act {
				m.Column1(at[T](v, in.d, s), at[T](v, in.a, s))
			}
		}
	case m.Column2 != nil:
		return func(v *view, in *inst) {
			for _, s := range v.act {
				m.Column2(at[T](v, in.d, s), at[T](v, in.a, s), at[T](v, in.b, s))
			}
		}
	case m.Column3 != nil:
		return func(v *view, in *inst) {
			for _, s := range v.act {
				m.Column3(at[T](v, in.d, s), at[T](v, in.a, s), at[T](v, in.b, s), at[T](v, in.c, s))
			}
		}
	case m.ColumnTest != nil:
		return func(v *view, in *inst) {
			for _, s := range v.act {
				m.ColumnTest(at[bool](v, in.d, s), at[T](v, in.a, s), at[T](v, in.b, s))
			}
		}
	}
	return nil
}

// map3 returns a kernel that applies f to each active lane.
func map3[T any](f func(a, b, c T) T) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			d := at[T](v, in.d, s)
			b := at[T](v, in.b, s)[:len(d)]
			c := at[T](v, in.c, s)[:len(d)]
			for i, a := range at[T](v, in.a, s)[:len(d)] {
				d[i] = f(a, b[i], c[i])
			}
		}
	}
}

func kAdd[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] + b[i]
		}
	}
}

func kSub[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] - b[i]
		}
	}
}

func kMul[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] * b[i]
		}
	}
}

func kAnd[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] & b[i]
		}
	}
}

func kOr[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] | b[i]
		}
	}
}

func kXor[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	}
}

func kShl[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Shl(a[i], b[i])
		}
	}
}

func kShr[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Shr(a[i], b[i])
		}
	}
}

func kRotl[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Rotate(a[i], b[i])
		}
	}
}

func kMin[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	}
}

func kMax[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	}
}

func kNeg[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a := at[T](v, in.a, s)[:len(d)]
		for i := range d {
			d[i] = -a[i]
		}
	}
}

func kNot[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a := at[T](v, in.a, s)[:len(d)]
		for i := range d {
			d[i] = ^a[i]
		}
	}
}

func kFAdd[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Add(a[i], b[i])
		}
	}
}

func kFSub[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Sub(a[i], b[i])
		}
	}
}

func kFMul[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Mul(a[i], b[i])
		}
	}
}

func kFMA[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b, c := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)], at[T](v, in.c, s)[:len(d)]
		for i := range d {
			d[i] = numeric.FMA(a[i], b[i], c[i])
		}
	}
}

func kFMS[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b, c := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)], at[T](v, in.c, s)[:len(d)]
		for i := range d {
			d[i] = numeric.FMS(a[i], b[i], c[i])
		}
	}
}

func kFNMA[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b, c := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)], at[T](v, in.c, s)[:len(d)]
		for i := range d {
			d[i] = numeric.FNMA(a[i], b[i], c[i])
		}
	}
}

func kFDiv[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Div(a[i], b[i])
		}
	}
}

func kFMin[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Fmin(a[i], b[i])
		}
	}
}

func kFMax[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Fmax(a[i], b[i])
		}
	}
}

func kFSqrt[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a := at[T](v, in.a, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Sqrt(a[i])
		}
	}
}

func kFabs[T numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a := at[T](v, in.a, s)[:len(d)]
		for i := range d {
			d[i] = numeric.Fabs(a[i])
		}
	}
}

func kEq[T numeric.Int | numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[bool](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] == b[i]
		}
	}
}

func kNe[T numeric.Int | numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[bool](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] != b[i]
		}
	}
}

func kLt[T numeric.Int | numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[bool](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] < b[i]
		}
	}
}

func kLe[T numeric.Int | numeric.Float](v *view, in *inst) {
	for _, s := range v.act {
		d := at[bool](v, in.d, s)
		a, b := at[T](v, in.a, s)[:len(d)], at[T](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = a[i] <= b[i]
		}
	}
}

// kPtrAdd moves pointers within their objects.
func kPtrAdd(v *view, in *inst) {
	for _, s := range v.act {
		d := at[uint64](v, in.d, s)
		a, b := at[uint64](v, in.a, s)[:len(d)], at[uint64](v, in.b, s)[:len(d)]
		for i := range d {
			d[i] = movePointer(a[i], b[i])
		}
	}
}

// kSelect selects b where a is true, else c.
func kSelect[T word](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a := at[bool](v, in.a, s)[:len(d)]
		b, c := at[T](v, in.b, s)[:len(d)], at[T](v, in.c, s)[:len(d)]
		for i := range d {
			r := c[i]
			if a[i] {
				r = b[i]
			}
			d[i] = r
		}
	}
}

// kExtractDyn returns element a of the vector in.src, 0 past its end.
func kExtractDyn[T word](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		for i, k := range at[uint64](v, in.a, s)[:len(d)] {
			d[i] = 0
			if k < uint64(len(in.src)) {
				d[i] = at[T](v, in.src[k], s)[i]
			}
		}
	}
}

// kInsertDyn computes element imm of an InsertDyn: c in lanes whose index b is imm, else a.
func kInsertDyn[T word](v *view, in *inst) {
	for _, s := range v.act {
		d := at[T](v, in.d, s)
		a, b, c := at[T](v, in.a, s)[:len(d)], at[uint64](v, in.b, s)[:len(d)], at[T](v, in.c, s)[:len(d)]
		for i := range d {
			r := a[i]
			if b[i] == in.imm {
				r = c[i]
			}
			d[i] = r
		}
	}
}

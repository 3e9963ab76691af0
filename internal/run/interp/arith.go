package interp

import (
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The kernels of the elementwise ops. Integer and floating-point loops that kernels
// spend their time in are written out, so that the compiler sees the operation; the rest
// go through map1, map2 and map3 with the function of package numeric.

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
		return halfKernel(op)
	case ssa.F32:
		return floatKernel[float32](op)
	case ssa.F64:
		return floatKernel[float64](op)
	}
	return nil
}

func boolKernel(op ssa.Op) kernel {
	switch op {
	case ssa.OpAnd:
		return kAnd[uint8]
	case ssa.OpOr:
		return kOr[uint8]
	case ssa.OpXor, ssa.OpNe:
		return kXor[uint8]
	case ssa.OpNot:
		return map1(func(a uint8) uint8 { return a ^ 1 })
	case ssa.OpEq:
		return kEq[uint8]
	case ssa.OpLt:
		return kLt[uint8]
	case ssa.OpLe:
		return kLe[uint8]
	}
	return nil
}

func intKernel[T numeric.Int](op ssa.Op) kernel {
	switch op {
	case ssa.OpAdd:
		return kAdd[T]
	case ssa.OpSub:
		return kSub[T]
	case ssa.OpMul:
		return kMul[T]
	case ssa.OpDiv:
		return map2(numeric.IntDiv[T])
	case ssa.OpRem:
		return map2(numeric.IntRem[T])
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
	case ssa.OpAbs:
		return map1(numeric.Abs[T])
	case ssa.OpAddSat:
		return map2(numeric.AddSat[T])
	case ssa.OpSubSat:
		return map2(numeric.SubSat[T])
	case ssa.OpMulHi:
		return map2(numeric.MulHi[T])
	case ssa.OpHAdd:
		return map2(numeric.Hadd[T])
	case ssa.OpRHAdd:
		return map2(numeric.Rhadd[T])
	case ssa.OpAbsDiff:
		return map2(numeric.AbsDiff[T])
	case ssa.OpClz:
		return map1(numeric.Clz[T])
	case ssa.OpCtz:
		return map1(numeric.Ctz[T])
	case ssa.OpPopcount:
		return map1(numeric.Popcount[T])
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
	case ssa.OpRem:
		return map2(fmod[T])
	case ssa.OpNeg:
		return map1(numeric.Neg[T])
	case ssa.OpFMA:
		return map3(numeric.FMA[T])
	case ssa.OpFMS:
		return map3(numeric.FMS[T])
	case ssa.OpFNMA:
		return map3(numeric.FNMA[T])
	case ssa.OpMin:
		return kFMin[T]
	case ssa.OpMax:
		return kFMax[T]
	case ssa.OpSqrt:
		return kFSqrt[T]
	case ssa.OpFloor:
		return map1(numeric.Floor[T])
	case ssa.OpCeil:
		return map1(numeric.Ceil[T])
	case ssa.OpTrunc:
		return map1(numeric.Trunc[T])
	case ssa.OpRint:
		return map1(numeric.Rint[T])
	case ssa.OpFabs:
		return kFabs[T]
	case ssa.OpCopySign:
		return map2(numeric.Copysign[T])
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

func halfKernel(op ssa.Op) kernel {
	type h = numeric.Half
	switch op {
	case ssa.OpAdd:
		return map2(h.Add)
	case ssa.OpSub:
		return map2(h.Sub)
	case ssa.OpMul:
		return map2(h.Mul)
	case ssa.OpDiv:
		return map2(h.Div)
	case ssa.OpRem:
		return map2(func(a, b h) h { return numeric.HalfFromFloat64(fmod(a.Float64(), b.Float64()), numeric.RTE) })
	case ssa.OpNeg:
		return map1(h.Neg)
	case ssa.OpFMA:
		return map3(h.FMA)
	case ssa.OpFMS:
		return map3(h.FMS)
	case ssa.OpFNMA:
		return map3(h.FNMA)
	case ssa.OpMin:
		return map2(h.Fmin)
	case ssa.OpMax:
		return map2(h.Fmax)
	case ssa.OpSqrt:
		return map1(h.Sqrt)
	case ssa.OpFloor:
		return map1(h.Floor)
	case ssa.OpCeil:
		return map1(h.Ceil)
	case ssa.OpTrunc:
		return map1(h.Trunc)
	case ssa.OpRint:
		return map1(h.Rint)
	case ssa.OpFabs:
		return map1(h.Abs)
	case ssa.OpCopySign:
		return map2(h.Copysign)
	case ssa.OpEq:
		return mapTest(h.Eq)
	case ssa.OpNe:
		return mapTest(func(a, b h) bool { return !a.Eq(b) })
	case ssa.OpLt:
		return mapTest(h.Lt)
	case ssa.OpLe:
		return mapTest(h.Le)
	}
	return nil
}

// map1 returns a kernel that applies f to each active lane.
func map1[T any](f func(T) T) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			d := at[T](v, in.d, s)
			for i, a := range at[T](v, in.a, s)[:len(d)] {
				d[i] = f(a)
			}
		}
	}
}

// map2 is map1 for two operands.
func map2[T any](f func(a, b T) T) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			d := at[T](v, in.d, s)
			b := at[T](v, in.b, s)[:len(d)]
			for i, a := range at[T](v, in.a, s)[:len(d)] {
				d[i] = f(a, b[i])
			}
		}
	}
}

// map3 is map1 for three operands.
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

// mapTest is map2 for a function that gives a Bool.
func mapTest[T any](f func(a, b T) bool) kernel {
	return func(v *view, in *inst) {
		for _, s := range v.act {
			d := at[bool](v, in.d, s)
			b := at[T](v, in.b, s)[:len(d)]
			for i, a := range at[T](v, in.a, s)[:len(d)] {
				d[i] = f(a, b[i])
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

// kSelect takes b where a is true, else c.
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

// kExtractDyn takes element a of the vector in.src, 0 past its end.
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

// kInsertDyn takes c where the index b is imm, else a.
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

package interp

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The observer of implementation-defined results reports integer divisions without a result, and conversions to an
// integer type that cannot represent the value.

// guardDivision guards the division or remainder v.
func (l *lowerer) guardDivision(v *ssa.Value, k ssa.Kind, args [3]reg, uniform bool) {
	if v.Op != ssa.OpDiv && v.Op != ssa.OpRem {
		return
	}
	var run kernel
	switch k {
	case ssa.I8:
		run = kDivisionGuard[int8]
	case ssa.U8:
		run = kDivisionGuard[uint8]
	case ssa.I16:
		run = kDivisionGuard[int16]
	case ssa.U16:
		run = kDivisionGuard[uint16]
	case ssa.I32:
		run = kDivisionGuard[int32]
	case ssa.U32:
		run = kDivisionGuard[uint32]
	case ssa.I64:
		run = kDivisionGuard[int64]
	case ssa.U64:
		run = kDivisionGuard[uint64]
	default:
		return
	}
	l.guard(v, run, uniform, args[0], args[1])
}

func kDivisionGuard[T numeric.Int](v *view, in *inst) {
	for _, s := range v.act {
		a := at[T](v, in.a, s)
		for i, b := range at[T](v, in.b, s)[:len(a)] {
			if numeric.DivIsDefined(a[i], b) {
				continue
			}
			kind := exec.DivideOverflow
			if b == 0 {
				kind = exec.DivideByZero
			}
			v.x.report(kind, in, v.lane(s, i), nil, 0, 0)
		}
	}
}

// kConvertGuard reports lanes whose conversion has no defined result.
func kConvertGuard(v *view, in *inst) {
	c := in.ext.(*numeric.Conversion)
	for _, s := range v.act {
		a := columnBytes(v, in.a, s, c.Src.Size())
		for i := c.NextOutOfRange(a, 0); i >= 0; i = c.NextOutOfRange(a, i+1) {
			if f := v.x.report(exec.ConvertOutOfRange, in, v.lane(s, i), nil, 0, 0); f != nil {
				f.Note = number(a[i*c.Src.Size():], c.Src) + " to " + c.Dst.CName()
			}
		}
	}
}

// number formats the bytes of a floating-point number.
func number(b []byte, k numeric.Kind) string {
	bits := 64
	var x float64
	switch k {
	case numeric.F16:
		bits, x = 32, float64(numeric.Half(binary.LittleEndian.Uint16(b)).Float32())
	case numeric.F32:
		bits, x = 32, float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	default:
		x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	if math.IsNaN(x) {
		return "nan"
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}

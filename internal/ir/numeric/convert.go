package numeric

import (
	"fmt"
	"math"
	"unsafe"
)

// A Conversion is a conversion of OpenCL C: convert_T from kind Src to kind Dst, with _sat if Sat, and with the
// rounding mode Round (OpenCL C, "Explicit Conversions", 6.4.3). Sat matters only if Dst is an integer kind, Round
// only if Dst cannot represent every value of Src. A conversion to Bool is x != 0; Bool converts to 0 or 1.
// Between equal kinds the bits are copied.
type Conversion struct {
	Dst, Src Kind
	Sat      bool
	Round    Round
}

// A convertFunc converts n elements at src to n elements at dst. The columns must not overlap.
type convertFunc func(dst, src unsafe.Pointer, n int, r Round, sat bool)

// converters holds the function of each pair of kinds: converters[dst][src].
var converters = [NumKinds][NumKinds]convertFunc{
	Bool: {
		Bool: copyColumn[uint8],
		I8:   intToBool[int8], U8: intToBool[uint8],
		I16: intToBool[int16], U16: intToBool[uint16],
		I32: intToBool[int32], U32: intToBool[uint32],
		I64: intToBool[int64], U64: intToBool[uint64],
		F16: halfToBool, F32: floatToBool[float32], F64: floatToBool[float64],
	},
	I8: toInt[int8](), U8: toInt[uint8](),
	I16: toInt[int16](), U16: toInt[uint16](),
	I32: toInt[int32](), U32: toInt[uint32](),
	I64: toInt[int64](), U64: toInt[uint64](),
	F16: {
		Bool: intToHalf[uint8],
		I8:   intToHalf[int8], U8: intToHalf[uint8],
		I16: intToHalf[int16], U16: intToHalf[uint16],
		I32: intToHalf[int32], U32: intToHalf[uint32],
		I64: intToHalf[int64], U64: intToHalf[uint64],
		F16: copyColumn[Half], F32: floatToHalf[float32], F64: floatToHalf[float64],
	},
	F32: toFloat[float32](halfToFloat32, copyColumn[float32], float64To32),
	F64: toFloat[float64](halfToFloat64, float32To64, copyColumn[float64]),
}

// toInt returns the conversions to the integer type D by source kind.
func toInt[D Int]() [NumKinds]convertFunc {
	return [NumKinds]convertFunc{
		Bool: intToInt[D, uint8],
		I8:   intToInt[D, int8], U8: intToInt[D, uint8],
		I16: intToInt[D, int16], U16: intToInt[D, uint16],
		I32: intToInt[D, int32], U32: intToInt[D, uint32],
		I64: intToInt[D, int64], U64: intToInt[D, uint64],
		F16: halfToInt[D], F32: floatToInt[D, float32], F64: floatToInt[D, float64],
	}
}

// toFloat returns the conversions to D by source kind.
func toFloat[D Float](f16, f32, f64 convertFunc) [NumKinds]convertFunc {
	return [NumKinds]convertFunc{
		Bool: intToFloat[D, uint8],
		I8:   intToFloat[D, int8], U8: intToFloat[D, uint8],
		I16: intToFloat[D, int16], U16: intToFloat[D, uint16],
		I32: intToFloat[D, int32], U32: intToFloat[D, uint32],
		I64: intToFloat[D, int64], U64: intToFloat[D, uint64],
		F16: f16, F32: f32, F64: f64,
	}
}

// mode resolves RoundDefault for the destination.
func (c Conversion) mode() Round {
	switch {
	case c.Round != RoundDefault:
		return c.Round
	case c.Dst.IsFloat():
		return RTE
	}
	return RTZ
}

func (c Conversion) lookup() convertFunc {
	f := converters[c.Dst][c.Src]
	if f == nil {
		panic(fmt.Sprintf("numeric: no conversion from %v to %v", c.Src, c.Dst))
	}
	return f
}

// Apply converts the column src, elements of kind c.Src in the machine's byte order, into the first elements of
// dst, of kind c.Dst. dst must have room for them and not overlap src. It does not allocate.
func (c Conversion) Apply(dst, src []byte) {
	n := len(src) / c.Src.Size()
	if n == 0 {
		return
	}
	_ = dst[n*c.Dst.Size()-1]
	c.lookup()(noescape(unsafe.Pointer(&dst[0])), noescape(unsafe.Pointer(&src[0])), n, c.mode(), c.Sat)
}

// ConvertSlice converts each element of src into the element of dst with the same index. dst must be at least as
// long as src and not overlap it. The conversion is chosen once for the whole slice.
func ConvertSlice[D, S Number](dst []D, src []S, sat bool, r Round) {
	if len(src) == 0 {
		return
	}
	_ = dst[len(src)-1]
	c := Conversion{KindOf[D](), KindOf[S](), sat, r}
	c.lookup()(noescape(unsafe.Pointer(&dst[0])), noescape(unsafe.Pointer(&src[0])), len(src), c.mode(), sat)
}

// Convert converts one value.
func Convert[D, S Number](x S, sat bool, r Round) (y D) {
	c := Conversion{KindOf[D](), KindOf[S](), sat, r}
	c.lookup()(noescape(unsafe.Pointer(&y)), noescape(unsafe.Pointer(&x)), 1, c.mode(), sat)
	return y
}

// Bits converts one value. x and the result are bits of kinds c.Src and c.Dst, zero-extended to 64 bits.
func (c Conversion) Bits(x uint64) uint64 {
	var s, d uint64
	putBits(unsafe.Pointer(&s), c.Src, x)
	c.lookup()(noescape(unsafe.Pointer(&d)), noescape(unsafe.Pointer(&s)), 1, c.mode(), c.Sat)
	return getBits(unsafe.Pointer(&d), c.Dst)
}

// ConvertBits is Conversion{dst, src, sat, r}.Bits(x).
func ConvertBits(dst Kind, sat bool, r Round, src Kind, x uint64) uint64 {
	return Conversion{dst, src, sat, r}.Bits(x)
}

// MayBeOutOfRange reports whether the conversion has source values with an implementation-defined result: from
// floating point to an integer kind without saturation.
func (c Conversion) MayBeOutOfRange() bool {
	return c.Src.IsFloat() && c.Dst.IsInt() && !c.Sat
}

// NextOutOfRange returns the index of the first element of the column src, at or after from, whose result is
// implementation-defined: a NaN, or a number that rounds to an integer outside of the destination's range. It
// returns -1 if no such element exists.
func (c Conversion) NextOutOfRange(src []byte, from int) int {
	if !c.MayBeOutOfRange() {
		return -1
	}
	size := c.Src.Size()
	lo, hi := intRange(c.Dst)
	for n, r := len(src)/size, c.mode(); from < n; from++ {
		t := roundIntegral(floatValue(c.Src, getBits(unsafe.Pointer(&src[from*size]), c.Src)), r)
		if !(t >= lo && t < hi) {
			return from
		}
	}
	return -1
}

// BitsOutOfRange is NextOutOfRange for one value.
func (c Conversion) BitsOutOfRange(x uint64) bool {
	if !c.MayBeOutOfRange() {
		return false
	}
	lo, hi := intRange(c.Dst)
	t := roundIntegral(floatValue(c.Src, x), c.mode())
	return !(t >= lo && t < hi)
}

// intRange returns the range [lo, hi) of an integer kind.
func intRange(k Kind) (lo, hi float64) {
	if k.Signed() {
		hi = math.Ldexp(1, k.Bits()-1)
		return -hi, hi
	}
	return 0, math.Ldexp(1, k.Bits())
}

// floatValue returns the value whose bits in the floating-point kind k are x.
func floatValue(k Kind, x uint64) float64 {
	switch k {
	case F16:
		return Half(x).Float64()
	case F32:
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// putBits stores the low bits of x as an element of kind k.
func putBits(p unsafe.Pointer, k Kind, x uint64) {
	switch k.Size() {
	case 1:
		*(*uint8)(p) = uint8(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	case 4:
		*(*uint32)(p) = uint32(x)
	case 8:
		*(*uint64)(p) = x
	}
}

// getBits loads an element of kind k.
func getBits(p unsafe.Pointer, k Kind) uint64 {
	switch k.Size() {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// noescape hides p from escape analysis, which cannot see through the table of converters that no converter keeps
// its arguments. The race detector must not add calls to it: while p is a number, a call could move the stack that it points to.
//
//go:norace
//go:nosplit
//go:nocheckptr
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// columns returns the slices of n elements at dst and src.
func columns[D, S any](dst, src unsafe.Pointer, n int) ([]D, []S) {
	s := unsafe.Slice((*S)(src), n)
	return unsafe.Slice((*D)(dst), n)[:len(s)], s
}

func copyColumn[T any](dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[T, T](dst, src, n)
	copy(d, s)
}

func bit(b bool) Bit {
	if b {
		return 1
	}
	return 0
}

func intToBool[S Int](dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[Bit, S](dst, src, n)
	for i, x := range s {
		d[i] = bit(x != 0)
	}
}

func floatToBool[S Float](dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[Bit, S](dst, src, n)
	for i, x := range s {
		d[i] = bit(x != 0)
	}
}

func halfToBool(dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[Bit, Half](dst, src, n)
	for i, x := range s {
		d[i] = bit(x&^halfSign != 0)
	}
}

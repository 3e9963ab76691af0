package numeric

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"
)

var allRounds = []Round{RoundDefault, RTE, RTZ, RTP, RTN}

// each calls f with every conversion from src.
func each(src Kind, f func(c Conversion)) {
	for dst := Bool; dst < NumKinds; dst++ {
		for _, r := range allRounds {
			f(Conversion{dst, src, false, r})
			if dst.IsInt() {
				f(Conversion{dst, src, true, r})
			}
		}
	}
}

// column stores values as a column of kind k.
func column(k Kind, values []uint64) []byte {
	b := make([]byte, len(values)*k.Size())
	for i, v := range values {
		putBits(unsafe.Pointer(&b[i*k.Size()]), k, v)
	}
	return b
}

// specialBits returns the edge cases of kind k: for integers all powers of two and ties around them, for floating
// point those of every exponent, subnormals, infinities and NaNs, each ± a few units in the last place.
func specialBits(k Kind) []uint64 {
	w := k.Bits()
	mask := ^uint64(0) >> (64 - w)
	if k == Bool {
		return []uint64{0, 1}
	}
	var out []uint64
	around := func(b uint64) {
		for d := uint64(0); d < 4; d++ {
			out = append(out, (b+d)&mask, (b-d)&mask, -(b+d)&mask, -(b-d)&mask)
		}
	}
	if !k.IsFloat() {
		for i := 0; i <= w; i++ {
			p := uint64(1) << i
			around(p)
			for _, prec := range []int{11, 24, 53} { // ties and numbers next to them
				if i > prec {
					half := uint64(1) << (i - prec - 1)
					around(p + half)
					around(p + 3*half)
					around(p - half)
				}
			}
		}
		return out
	}
	prec := formats[k].prec
	sign := uint64(1) << (w - 1)
	both := func(b uint64) {
		for d := uint64(0); d < 4; d++ {
			out = append(out, (b+d)&mask, (b-d)&mask, (b+d)&mask^sign, (b-d)&mask^sign)
		}
	}
	for e := uint64(0); e < 1<<(w-prec); e++ {
		b := e << (prec - 1)
		both(b)
		both(b | 1<<(prec-2))
		// Ties of the integers and of the narrower formats.
		for _, s := range []int{prec - 11, prec - 24, int(e) - 1<<(w-prec-1) + 1} {
			if s >= 1 && s < prec {
				both(b | 1<<(prec-1-s))
				both(b | (1<<s-1)<<(prec-1-s))
				both(b | 3<<(prec-1-s)&(1<<(prec-1)-1))
				both(b | 1<<(s-1))
				both(b | 3<<(s-1)&(1<<(prec-1)-1))
			}
		}
	}
	for s := 0; s < prec-1; s++ { // subnormals, NaN payloads
		both(1 << s)
		both(uint64(1<<(w-prec)-1)<<(prec-1) | 1<<s)
	}
	return out
}

// spreadBits returns n values of kind k spread evenly over all its bits, with
// random low parts, half of the 64-bit ones of random magnitude.
func spreadBits(k Kind, n int, seed uint64) []uint64 {
	rng := rand.New(rand.NewPCG(seed, uint64(k)))
	w := k.Bits()
	out := make([]uint64, n)
	step := math.Exp2(float64(w)) / float64(n)
	for i := range out {
		b := uint64(float64(i)*step) + rng.Uint64N(uint64(step)+1)
		if i%2 == 1 && !k.IsFloat() {
			b = uint64(int64(rng.Uint64()) >> rng.IntN(w))
		}
		out[i] = b & (^uint64(0) >> (64 - w))
	}
	return out
}

// A batch is a column of values with the oracle's data about them.
type batch struct {
	values   []uint64
	decoded  []exact
	src, dst []byte
}

func newBatch(k Kind, values []uint64) *batch {
	b := &batch{values, make([]exact, len(values)), column(k, values), make([]byte, 8*len(values))}
	for i, v := range values {
		b.decoded[i] = decode(k, v)
	}
	return b
}

// check compares a conversion of the batch against the fast oracle.
func (b *batch) check(t *testing.T, c Conversion) {
	t.Helper()
	c.Apply(b.dst, b.src)
	size := c.Dst.Size()
	for i, v := range b.values {
		got := getBits(unsafe.Pointer(&b.dst[i*size]), c.Dst)
		if want := oracleOf(c, v, &b.decoded[i]); got != want {
			t.Fatalf("%v: %#x → %#x, want %#x", c, v, got, want)
		}
	}
}

func checkAll(t *testing.T, src Kind, values []uint64) {
	t.Helper()
	b := newBatch(src, values)
	each(src, func(c Conversion) { b.check(t, c) })
}

// TestConvertSmall tests every value of the 8- and 16-bit kinds.
func TestConvertSmall(t *testing.T) {
	for _, k := range []Kind{Bool, I8, U8, I16, U16, F16} {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			values := make([]uint64, 1<<k.Bits())
			for i := range values {
				values[i] = uint64(i)
			}
			checkAll(t, k, values)
		})
	}
}

// TestConvertWide tests the edge cases and 2^20 values of the wider kinds.
func TestConvertWide(t *testing.T) {
	n := 1 << 20
	if testing.Short() {
		n = 1 << 16
	}
	for _, k := range []Kind{I32, U32, F32, I64, U64, F64} {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			checkAll(t, k, specialBits(k))
			b := newBatch(k, spreadBits(k, n, 1))
			each(k, func(c Conversion) {
				if c.Round == RoundDefault || c.Src == c.Dst || c.Src.IsInt() && c.Dst.IsInt() && c.Round != RTZ {
					// The default is one of the modes and integers are not rounded: the edge cases above suffice.
					return
				}
				b.check(t, c)
			})
		})
	}
}

// TestOracle compares the fast oracle with the definitions on math/big.
func TestOracle(t *testing.T) {
	for src := Bool; src < NumKinds; src++ {
		t.Run(src.String(), func(t *testing.T) {
			t.Parallel()
			values := specialBits(src)
			rng := rand.New(rand.NewPCG(3, uint64(src)))
			rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			values = append(values[:min(len(values), 300)], spreadBits(src, 100, 2)...)
			if src == Bool {
				values = values[:2]
			}
			for _, b := range values {
				compareOracles(t, src, b)
			}
		})
	}
}

func compareOracles(t *testing.T, src Kind, b uint64) {
	x := decode(src, b)
	if x.inf || x.nan {
		return // not numbers; TestNonNumbers has literal expectations
	}
	v := bigValue(src, b)
	var lo, hi [NumKinds]uint64
	for dst := range formats {
		lo[dst], hi[dst] = neighbours(dst, v)
	}
	each(src, func(c Conversion) {
		if c.Round == RoundDefault || c.Dst == Bool || c.Dst == src {
			return
		}
		got := oracle(c, b)
		if v.Sign() == 0 {
			if x.neg && c.Dst.IsFloat() {
				got ^= 1 << (c.Dst.Bits() - 1) // the sign of zero is preserved
			}
			if got != 0 {
				t.Fatalf("oracle %v: %#x → %#x, want 0", c, b, got)
			}
			return
		}
		var want uint64
		if c.Dst.IsFloat() {
			want = bigToFloat(c.Dst, v, lo[c.Dst], hi[c.Dst], c.Round)
		} else {
			want = bigToInt(c.Dst, v, c.Sat, src.IsFloat(), c.Round)
		}
		if got != want {
			t.Fatalf("oracle %v: %#x → %#x, want %#x", c, b, got, want)
		}
	})
}

// TestNonNumbers has literal expectations: the table of decision record 0002, the NaN payloads of VCVTPH2PS,
// VCVTPS2PH, VCVTSS2SD and VCVTSD2SS, and the examples of the specification.
func TestNonNumbers(t *testing.T) {
	const inf, nan, neg = 0x7f800000, 0x7fc00000, 1 << 31
	f32 := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct {
		dst, src Kind
		sat      bool
		r        Round
		x, want  uint64
	}{
		{U8, F32, false, 0, f32(256), 0}, {U8, F32, false, 0, f32(-1), 0xff},
		{U8, F32, false, 0, nan, 0}, {I16, F32, false, 0, inf, 0},
		{I8, F32, false, 0, f32(3e9), 0}, {U16, F32, false, 0, f32(65537), 1},
		{I32, F32, false, 0, f32(1 << 31), 1 << 31}, {I32, F32, false, 0, nan, 1 << 31},
		{I32, F32, false, 0, neg | inf, 1 << 31},
		{U32, F32, false, 0, f32(3e9), 3000000000}, {U32, F32, false, 0, f32(-1), 0xffffffff},
		{U32, F32, false, 0, f32(1 << 32), 1 << 31}, {U32, F32, false, 0, f32(-3e9), 1 << 31},
		{U32, F32, false, 0, nan, 1 << 31},
		{I64, F32, false, 0, f32(1 << 63), 1 << 63}, {I64, F32, false, 0, nan, 1 << 63},
		{U64, F32, false, 0, f32(-1), ^uint64(0)}, {U64, F32, false, 0, f32(1 << 63), 1 << 63},
		{U64, F32, false, 0, f32(1.5 * (1 << 63)), 3 << 62}, {U64, F32, false, 0, f32(1e30), 1 << 63},
		{U64, F32, false, 0, nan, 1 << 63},
		{U8, F32, true, 0, nan, 0}, {I32, F32, true, 0, nan | neg, 0},
		{I32, F32, true, 0, inf, 0x7fffffff}, {I32, F32, true, 0, neg | inf, 1 << 31},
		{U64, F32, true, 0, inf, ^uint64(0)}, {U64, F32, true, 0, neg | inf, 0},
		{I64, F32, true, 0, inf, 1<<63 - 1}, {U64, F32, true, 0, f32(1 << 63), 1 << 63},
		{I32, F32, true, 0, f32(0x7fffff80), 0x7fffff80},
		{Bool, F32, false, 0, nan, 1}, {Bool, F32, false, 0, neg, 0}, {Bool, F16, false, 0, 0x8000, 0},
		{F64, F32, false, 0, 0xff800001, 0xfff8000020000000},
		{F32, F64, false, 0, 0x7ff0000020000001, 0x7fc00001}, {F32, F64, false, RTP, 0xfff0000000000001, 0xffc00000},
		{F16, F32, false, RTZ, 0x7f802000, 0x7e01}, {F32, F16, false, 0, 0xfc01, 0xffc02000},
		{F16, F64, false, 0, 0x7ff0040000000000, 0x7e01}, {F64, F16, false, 0, 0x7c01, 0x7ff8040000000000},
		{F32, F32, false, 0, 0x7f800001, 0x7f800001}, // "no effect on the type or value"
		{F16, F32, false, RTE, f32(65519), 0x7bff}, {F16, F32, false, RTE, f32(65520), 0x7c00},
		{F16, F32, false, RTZ, f32(1e9), 0x7bff}, {F16, F32, false, RTN, f32(-1e9), 0xfc00},
		{F32, F64, false, RTZ, math.Float64bits(1e300), 0x7f7fffff},
		{F32, F64, false, RTP, math.Float64bits(-1e300), 0xff7fffff},
		{F32, F64, false, RTN, math.Float64bits(-1e-300), 0x80000001},
		// convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2E9f))
		{U8, F32, true, RTE, f32(-5), 0}, {U8, F32, true, RTE, f32(254.5), 254},
		{U8, F32, true, RTE, f32(254.6), 255}, {U8, F32, true, RTE, f32(1.2e9), 255},
	} {
		if got := ConvertBits(c.dst, c.sat, c.r, c.src, c.x); got != c.want {
			t.Errorf("%v sat=%v %v from %v: %#x → %#x, want %#x", c.dst, c.sat, c.r, c.src, c.x, got, c.want)
		}
		conv := Conversion{c.dst, c.src, c.sat, c.r}
		if got := oracle(conv, c.x); got != c.want {
			t.Errorf("oracle: %v: %#x → %#x, want %#x", conv, c.x, got, c.want)
		}
	}
}

// TestOutOfRange checks that a result is implementation-defined if and only if it differs from the saturated one,
// or the operand is a NaN.
func TestOutOfRange(t *testing.T) {
	for _, src := range []Kind{F16, F32, F64, I32} {
		values := specialBits(src)
		col := column(src, values)
		each(src, func(c Conversion) {
			if !c.MayBeOutOfRange() {
				if c.NextOutOfRange(col, 0) != -1 {
					t.Errorf("%v: out of range", c)
				}
				return
			}
			sat := c
			sat.Sat = true
			next := c.NextOutOfRange(col, 0)
			for i, v := range values {
				// An indefinite result may equal the saturated one. Only for a number in range do all rules agree
				// with the value.
				want := decode(src, v).nan || outside(c, v)
				if got := c.BitsOutOfRange(v); got != want || got != (i == next) {
					t.Fatalf("%v: %#x out of range: %v, next %d at %d, want %v", c, v, got, next, i, want)
				}
				if !want && oracle(c, v) != oracle(sat, v) {
					t.Fatalf("%v: %#x in range but saturated", c, v)
				}
				if i == next {
					next = c.NextOutOfRange(col, i+1)
				}
			}
		})
	}
}

// outside compares the rounded magnitude with the limits of the destination.
func outside(c Conversion, b uint64) bool {
	x := decode(c.Src, b)
	if x.inf {
		return true
	}
	r := c.Round
	if r == RoundDefault {
		r = RTZ
	}
	mag := x.m << max(x.e, 0)
	if x.e < 0 {
		mag = shiftRound(x.m, -x.e, x.neg, r)
	} else if bits.Len64(x.m)+x.e > 64 && x.m != 0 {
		return true
	}
	w := c.Dst.Bits()
	switch {
	case c.Dst.Signed() && x.neg:
		return mag > 1<<(w-1)
	case c.Dst.Signed():
		return mag >= 1<<(w-1)
	case x.neg:
		return mag != 0
	}
	return w < 64 && mag >= 1<<w
}

// TestScalarForms checks that the typed form and the form on bits agree with the column form.
func TestScalarForms(t *testing.T) {
	if got := Convert[uint8](float32(254.5), true, RTE); got != 254 {
		t.Error(got)
	}
	src := []float32{-5, 254.5, 254.6, 1.2e9}
	dst := make([]uint16, 4)
	ConvertSlice(dst, src, true, RTE)
	if dst[0] != 0 || dst[1] != 254 || dst[2] != 255 || dst[3] != 65535 {
		t.Error(dst)
	}
	if n := testing.AllocsPerRun(10, func() {
		Convert[int32](float64(1.5), false, RTP)
		ConvertBits(I8, true, RTN, F16, 0x3c00)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	ConvertSlice(dst[:0], src[:0], false, RTE)
	Conversion{U8, F32, false, RTE}.Apply(nil, nil)
}

func BenchmarkConvert(b *testing.B) {
	for _, c := range []Conversion{
		{U8, F32, true, RTE}, {I32, F32, false, RTZ}, {U64, F32, false, RTP}, {F32, U8, false, RTE},
		{F32, I32, false, RTZ}, {F16, F32, false, RTE}, {F32, F16, false, RTE}, {F32, F64, false, RTN},
		{U8, I32, true, RTE}, {I64, I32, false, RTE}, {U8, F16, true, RTE},
	} {
		name := c.Dst.String() + "_" + c.Round.String() + "_from_" + c.Src.String()
		b.Run(name, func(b *testing.B) {
			const n = 4096
			src := column(c.Src, spreadBits(c.Src, n, 5))
			dst := make([]byte, n*8)
			for b.Loop() {
				c.Apply(dst, src)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}

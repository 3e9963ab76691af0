package numeric

import (
	"math"
	"math/bits"
	"unsafe"
)

// precision returns the number of significant bits of D, including the hidden one.
func precision[D Float]() uint {
	if unsafe.Sizeof(D(0)) == 4 {
		return 24
	}
	return 53
}

// intToFloat converts integers to float32 or float64.
func intToFloat[D Float, S Int](dst, src unsafe.Pointer, n int, r Round, _ bool) {
	d, s := columns[D, S](dst, src, n)
	p := precision[D]()
	// Go rounds to nearest even, but on some machines twice: first to float64.
	if r == RTE && (width[S]() < 64 || p == 53) || width[S]() < p {
		for i, x := range s {
			d[i] = D(x)
		}
		return
	}
	for i, x := range s {
		d[i] = D(roundInt(x, p, r))
	}
}

// roundInt rounds x to p ≤ 53 significant bits.
func roundInt[S Int](x S, p uint, r Round) float64 {
	mag, neg := uint64(x), x < 0
	if neg {
		mag = -mag
	}
	n := bits.Len64(mag) - int(p)
	f := 0.0
	if n <= 0 {
		f = float64(mag)
	} else {
		q := mag >> n
		rest, tie := mag&(1<<n-1), uint64(1)<<(n-1)
		if rest != 0 && (r == RTP && !neg || r == RTN && neg) || r == RTE && (rest > tie || rest == tie && q&1 != 0) {
			q++
		}
		f = float64(q) * float64(uint64(1)<<n)
	}
	if neg {
		f = -f
	}
	return f
}

// float64To32 narrows. Go rounds to nearest even; the other modes correct a result that was rounded in the wrong
// direction.
func float64To32(dst, src unsafe.Pointer, n int, r Round, _ bool) {
	d, s := columns[float32, float64](dst, src, n)
	for i, x := range s {
		f := float32(x)
		if float64(f) != x {
			f = redirect(f, x, r)
		}
		d[i] = f
	}
}

// redirect rounds x, which is not exact in float32 or is a NaN, in the mode r; f is the float32 nearest to it.
func redirect(f float32, x float64, r Round) float32 {
	if x != x {
		b := math.Float64bits(x)
		return math.Float32frombits(uint32(b>>32&(1<<31)) | 0x7fc00000 | uint32(b>>29)&0x3fffff)
	}
	up := float64(f) < x // f is below x
	b := math.Float32bits(f)
	switch {
	case r == RTP && up && b>>31 == 0, r == RTN && !up && b>>31 != 0:
		b++ // away from zero; infinity follows the greatest number
	case r == RTP && up, r == RTN && !up, r == RTZ && up == (b>>31 != 0):
		b-- // toward zero
	}
	return math.Float32frombits(b)
}

func float32To64(dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[float64, float32](dst, src, n)
	for i, x := range s {
		d[i] = widen(x)
	}
}

// widen returns x as a float64; a NaN keeps its sign and payload and is quieted.
func widen(x float32) float64 {
	if x != x {
		b := uint64(math.Float32bits(x))
		return math.Float64frombits(b>>31<<63 | 0x7ff8<<48 | b&0x3fffff<<29)
	}
	return float64(x)
}

func halfToFloat32(dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[float32, Half](dst, src, n)
	for i, x := range s {
		d[i] = x.Float32()
	}
}

func halfToFloat64(dst, src unsafe.Pointer, n int, _ Round, _ bool) {
	d, s := columns[float64, Half](dst, src, n)
	for i, x := range s {
		d[i] = x.Float64()
	}
}

func floatToHalf[S Float](dst, src unsafe.Pointer, n int, r Round, _ bool) {
	d, s := columns[Half, S](dst, src, n)
	for i, x := range s {
		if unsafe.Sizeof(x) == 4 {
			d[i] = HalfFromFloat64(widen(float32(x)), r)
		} else {
			d[i] = HalfFromFloat64(float64(x), r)
		}
	}
}

// intToHalf converts through float64. That is inexact only for integers of more than 53 bits, which all round to
// the same half in each mode.
func intToHalf[S Int](dst, src unsafe.Pointer, n int, r Round, _ bool) {
	d, s := columns[Half, S](dst, src, n)
	for i, x := range s {
		d[i] = HalfFromFloat64(float64(x), r)
	}
}

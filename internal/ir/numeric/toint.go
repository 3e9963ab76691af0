package numeric

import (
	"math"
	"unsafe"
)

// intToInt converts between integer types: it keeps the low bits, or saturates if sat is set.
func intToInt[D, S Int](dst, src unsafe.Pointer, n int, _ Round, sat bool) {
	d, s := columns[D, S](dst, src, n)
	if !sat {
		for i, x := range s {
			d[i] = D(x)
		}
		return
	}
	lo, hi := common[D, S]()
	for i, x := range s {
		d[i] = D(min(max(x, lo), hi))
	}
}

// common returns the least and the greatest value of S that D also has.
func common[D, S Int]() (lo, hi S) {
	lo, hi = MinOf[S](), MaxOf[S]()
	if !isSigned[D]() {
		lo = 0
	} else if isSigned[S]() && width[S]() > width[D]() {
		lo = S(MinOf[D]())
	}
	if width[S]() > width[D]() || width[S]() == width[D]() && !isSigned[S]() && isSigned[D]() {
		hi = S(MaxOf[D]())
	}
	return lo, hi
}

// A window defines the conversion of an integral number to D. In [lo, hi) it gives the low bits as a 64-bit signed
// integer; in [hi, top), which only an unsigned 64-bit D has, the bits as an unsigned one; outside, one of three
// fixed values.
type window[D Int] struct {
	lo, hi, top       float64
	below, above, nan D
}

// newWindow returns D's window. Without sat it is that of the x86 conversion instructions
// (docs/decisions/0002-out-of-range-conversion.md): 32-bit ones for destinations of up to 32 bits, 64-bit ones for
// larger, and the indefinite integer outside.
func newWindow[D Int](sat bool) (w window[D]) {
	bits := width[D]()
	if sat {
		w.lo, w.hi = intRange(KindOf[D]())
		w.below, w.above, w.nan = MinOf[D](), MaxOf[D](), 0
	} else {
		// The instruction's width, and one more bit for an unsigned destination of that width.
		reg := max(bits, 32)
		w.hi = math.Ldexp(1, int(reg)-1)
		w.lo = -w.hi
		if reg == bits && !isSigned[D]() {
			w.hi *= 2
		}
		indefinite := D(int64(-1) << (reg - 1))
		w.below, w.above, w.nan = indefinite, indefinite, indefinite
	}
	w.top = w.hi
	w.hi = min(w.hi, 1<<63)
	return w
}

// fit returns the D for the integral number t.
func (w *window[D]) fit(t float64) D {
	if t >= w.lo && t < w.hi {
		return D(int64(t))
	}
	return w.outside(t)
}

func (w *window[D]) outside(t float64) D {
	switch {
	case t >= w.top:
		return w.above
	case t >= w.hi:
		return D(int64(t-1<<63)) + MaxOf[D]()/2 + 1
	case t < w.lo:
		return w.below
	}
	return w.nan
}

// floatToInt converts floating point to integers, rounding first.
func floatToInt[D Int, S Float](dst, src unsafe.Pointer, n int, r Round, sat bool) {
	d, s := columns[D, S](dst, src, n)
	w := newWindow[D](sat)
	switch r {
	case RTE:
		for i, x := range s {
			d[i] = w.fit(math.RoundToEven(float64(x)))
		}
	case RTP:
		for i, x := range s {
			d[i] = w.fit(math.Ceil(float64(x)))
		}
	case RTN:
		for i, x := range s {
			d[i] = w.fit(math.Floor(float64(x)))
		}
	default:
		for i, x := range s {
			d[i] = w.fit(math.Trunc(float64(x)))
		}
	}
}

// roundIntegral rounds x to an integral number; RoundDefault is toward zero.
func roundIntegral(x float64, r Round) float64 {
	switch r {
	case RTE:
		return math.RoundToEven(x)
	case RTP:
		return math.Ceil(x)
	case RTN:
		return math.Floor(x)
	}
	return math.Trunc(x)
}

// blockLen is the number of elements in the stack buffer of a conversion with two steps.
const blockLen = 256

// halfToInt converts through float32, which represents every half.
func halfToInt[D Int](dst, src unsafe.Pointer, n int, r Round, sat bool) {
	d, s := columns[D, Half](dst, src, n)
	var buf [blockLen]float32
	for len(s) > 0 {
		m := min(len(s), blockLen)
		for i, x := range s[:m] {
			buf[i] = x.Float32()
		}
		floatToInt[D, float32](unsafe.Pointer(&d[0]), unsafe.Pointer(&buf), m, r, sat)
		d, s = d[m:], s[m:]
	}
}

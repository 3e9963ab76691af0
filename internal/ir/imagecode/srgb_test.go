package imagecode

import (
	"math"
	"testing"
)

// inverseRootOf is emitter.inverseRoot on numbers.
func inverseRootOf(x float64, n int) float64 {
	f := float32(x)
	log := int32(math.Float32bits(f)) - f32One
	log = int32(float32(log) * (-1 / float32(n)))
	r := math.Float32frombits(uint32(log + f32One - rootBias))
	for range rootSteps {
		change := 1 - float32(f*powerOf(r, n))
		r += float32(r * float32(change*(1/float32(n))))
	}
	d := float64(r)
	change := 1 - float64(x*powerOf(d, n))
	return d + float64(d*float64(change*(1/float64(n))))
}

func powerOf[T float32 | float64](x T, n int) T {
	if n == 1 {
		return x
	}
	half := powerOf(x, n/2)
	if n%2 == 1 {
		return T(T(half*half) * x)
	}
	return T(half * half)
}

// TestSRGB compares the curve's powers, in both directions, with those of math.Pow: for all stored values, and for the
// linear values beside each tie between two stored ones.
func TestSRGB(t *testing.T) {
	for b := range 256 {
		c := float64(b) / 255
		got, want := float32(float64(b)*(1/(255*12.92))), float32(c/12.92)
		if c > 0.04045 {
			x := float64(float64(b)*(1/(255*1.055))) + 0.055/1.055
			got, want = float32(powerOf(x*inverseRootOf(x, 5), 3)), float32(math.Pow((c+0.055)/1.055, 2.4))
		}
		if got != want || c > 0.04045 != (b > lastLow) {
			t.Errorf("%d is %v, want %v", b, got, want)
		}
	}
	encode := func(p float64) float64 { return math.RoundToEven((1.055*p - 0.055) * 255) }
	n := 0
	for k := range 255 {
		c := (float64(k) + 0.5) / 255
		if c <= 0.04045 {
			continue
		}
		tie := float32(math.Pow((c+0.055)/1.055, 2.4))
		for i := -2000; i <= 2000; i++ {
			y := float64(math.Float32frombits(math.Float32bits(tie) + uint32(i)))
			if y < 0.0031308 || y > 1 {
				continue
			}
			n++
			if got, want := encode(y*powerOf(inverseRootOf(y, 12), 7)), encode(math.Pow(y, 1/2.4)); got != want {
				t.Errorf("%v is %v, want %v", y, got, want)
			}
		}
	}
	if n < 900000 {
		t.Error("only", n, "values")
	}
	if y := powerOf(inverseRootOf(1, 12), 7); encode(y) != 255 {
		t.Errorf("1 is %v", y)
	}
}

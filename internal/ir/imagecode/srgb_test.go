package imagecode

import (
	"math"
	"testing"
)

// rootOf is emitter.root on numbers.
func rootOf(x float64, n, steps int) float64 {
	log := int32(math.Float32bits(float32(x))) - f32One
	log = int32(float32(log) * (1 / float32(n)))
	y := float64(math.Float32frombits(uint32(log + f32One)))
	for range steps {
		y += (x/powerOf(y, n-1) - y) * (1 / float64(n))
	}
	return y
}

func powerOf(x float64, n int) float64 {
	if n == 1 {
		return x
	}
	half := powerOf(x, n/2)
	if n%2 == 1 {
		return half * half * x
	}
	return half * half
}

// TestSRGB compares the curve's powers, in both directions, with those of math.Pow: for all stored values, and for the
// linear values beside each tie between two stored ones.
func TestSRGB(t *testing.T) {
	for b := range 256 {
		c := float64(b) / 255
		if c <= 0.04045 {
			continue
		}
		x := (c + 0.055) / 1.055
		if got, want := float32(powerOf(rootOf(x, 5, 5), 12)), float32(math.Pow(x, 2.4)); got != want {
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
			if got, want := encode(powerOf(rootOf(y, 12, 6), 5)), encode(math.Pow(y, 1/2.4)); got != want {
				t.Errorf("%v is %v, want %v", y, got, want)
			}
		}
	}
	if n < 900000 {
		t.Error("only", n, "values")
	}
	if y := powerOf(rootOf(1, 12, 6), 5); encode(y) != 255 {
		t.Errorf("1 is %v", y)
	}
}

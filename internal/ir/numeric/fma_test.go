package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFMA32 compares products at and next to the midpoint between two sums, of every size, with exact arithmetic.
func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wrong := 0
	for range 400_000 {
		// c has few low bits set; a·b is about half of c's last place, plus or minus a little, or arbitrary.
		c := math.Float32frombits(r.Uint32() &^ (1<<uint(r.IntN(20)) - 1))
		_, exp := math.Frexp(float64(c))
		a := float32(math.Ldexp(1+float64(r.IntN(4))*0x1p-23, r.IntN(60)-30))
		_, ea := math.Frexp(float64(a))
		b := float32(math.Ldexp(1+float64(r.IntN(5)-2)*0x1p-23, exp-25-ea+r.IntN(4)))
		if r.IntN(4) == 0 {
			b = math.Float32frombits(r.Uint32())
		}
		if r.IntN(2) == 0 {
			a = -a
		}
		if c != c || b != b || math.IsInf(float64(c), 0) || math.IsInf(float64(b), 0) || c == 0 || b == 0 {
			continue
		}
		exact := new(big.Float).SetPrec(1200).Mul(new(big.Float).SetPrec(1200).SetFloat64(float64(a)), big.NewFloat(float64(b)).SetPrec(1200))
		exact.Add(exact, big.NewFloat(float64(c)).SetPrec(1200))
		if exact.Sign() == 0 {
			continue // float_test.go tests the sign of zero
		}
		want, _ := exact.Float32()
		if got := FMA(a, b, c); math.Float32bits(got) != math.Float32bits(want) {
			if wrong++; wrong < 10 {
				t.Errorf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
			}
		}
	}
}

package imagecode

import (
	"math"
	"math/big"
	"testing"
)

// TestDivided computes the quotients of all channels as the code does, and compares them with exact ones.
func TestDivided(t *testing.T) {
	check := func(by, from, to int) {
		hi, lo := reciprocal(by)
		for i := from; i <= to; i++ {
			x := float32(i)
			low := float32(x * lo)
			// The fused multiply-add is exact before it is rounded.
			sum := new(big.Float).SetPrec(200).SetFloat64(float64(x) * float64(hi))
			sum.Add(sum, new(big.Float).SetFloat64(float64(low)))
			got, _ := sum.Float32()
			want, _ := big.NewRat(int64(i), int64(by)).Float32()
			if got != want || math.Signbit(float64(got)) != (i < 0) {
				t.Fatalf("%d / %d: %v, want %v", i, by, got, want)
			}
		}
	}
	check(255, 0, 255)
	check(65535, 0, 65535)
	check(127, -128, 127)
	check(32767, -32768, 32767)
	for _, n := range []int{31, 63, 1023, 3} {
		check(n, 0, n)
	}
}

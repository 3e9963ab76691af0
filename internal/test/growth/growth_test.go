package growth

import (
	"math/bits"
	"testing"
)

func TestLinear(t *testing.T) {
	for _, c := range []struct {
		name string
		work func(n int) int64
		ok   bool
	}{
		{"linear", func(n int) int64 { return int64(n) }, true},
		{"n log n", func(n int) int64 { return int64(n * bits.Len(uint(n))) }, true},
		{"quadratic", func(n int) int64 { return int64(n) * int64(n) }, false},
		{"cubic", func(n int) int64 { return int64(n) * int64(n) * int64(n) }, false},
	} {
		if times, ok := linear(100, c.work); ok != c.ok {
			t.Errorf("%s: %v, %.0f times", c.name, ok, times)
		}
	}
	slow := 2 // a temporary disturbance
	if _, ok := linear(100, func(n int) int64 {
		if n > 100 && slow > 0 {
			slow--
			return 1 << 40
		}
		return int64(n)
	}); !ok {
		t.Error("a disturbance that passes fails the test")
	}
}

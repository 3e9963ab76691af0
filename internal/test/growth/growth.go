// Package growth distinguishes linear from quadratic work in tests. It needs no limit in seconds, which a busy
// machine would exceed.
package growth

import (
	"testing"

	"github.com/purecl/purecl/internal/base/timing"
)

// factor is the ratio of the two input sizes, limit the greatest ratio of processor times: linear work takes factor
// times as long, quadratic work factor² times.
const (
	factor = 8
	limit  = 32
	tries  = 6
)

// Linear fails the test if run takes more than 32 times as much processor time for an input of size 8n as for one
// of size n, in each of several tries. prepare creates an input and is not measured.
func Linear[T any](t *testing.T, n int, prepare func(n int) T, run func(T)) {
	t.Helper()
	times, ok := linear(n, func(n int) int64 {
		x := prepare(n)
		before := timing.Processor()
		run(x)
		return int64(timing.Processor() - before)
	})
	if !ok {
		t.Errorf("an input %d times as large takes %.0f times the processor time", factor, times)
	}
}

// linear is Linear for any measure of work.
func linear(n int, work func(n int) int64) (times float64, ok bool) {
	small, large := int64(0), int64(0)
	for range tries {
		a, b := work(n), work(factor*n)
		if small == 0 || a < small && a > 0 {
			small = a
		}
		if large == 0 || b < large {
			large = b
		}
		if large <= limit*small {
			return float64(large) / float64(max(small, 1)), true
		}
	}
	return float64(large) / float64(max(small, 1)), false
}

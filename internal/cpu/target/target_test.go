package target

import "testing"

// TestSizes checks that a set of sizes contains no sums of its sizes, such as the 24 bytes of three 64-bit elements.
func TestSizes(t *testing.T) {
	s := Sizes(4 | 8 | 16)
	for size := 1; size <= 128; size++ {
		if s.Has(size) != (size == 4 || size == 8 || size == 16) {
			t.Errorf("Has(%d) = %v", size, s.Has(size))
		}
	}
}

package slab

import "testing"

// TestEmptied: small maps are reused, large ones are not, and both are empty.
func TestEmptied(t *testing.T) {
	for _, n := range []int{0, 1, mostEntries, mostEntries + 1} {
		m := Emptied[int, int](nil)
		for i := range n {
			m[i] = i
		}
		x := Emptied(m)
		if len(x) != 0 {
			t.Fatalf("%d entries are left of %d", len(x), n)
		}
		x[-1] = 1
		if _, same := m[-1]; same != (n <= mostEntries) {
			t.Errorf("a map of %d entries: reused is %v", n, same)
		}
	}
}

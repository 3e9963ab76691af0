package launch

import "testing"

// TestPart checks that the parts of any number of batches cover each batch once.
func TestPart(t *testing.T) {
	for n := range int64(40) {
		if got := (Part{}).of(n); got != (batches{0, n}) {
			t.Errorf("all of %d batches are %v", n, got)
		}
		for of := 1; of < 12; of++ {
			next, least, most := int64(0), n, int64(0)
			for i := range of {
				b := Part{i, of}.of(n)
				if b.first != next {
					t.Fatalf("part %d of %d of %d batches begins at %d, want %d", i, of, n, b.first, next)
				}
				next, least, most = b.end, min(least, b.count()), max(most, b.count())
			}
			if next != n || most-least > 1 {
				t.Errorf("%d parts of %d batches end at %d; their sizes are %d to %d", of, n, next, least, most)
			}
		}
	}
}

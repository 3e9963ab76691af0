package syntax

import (
	"testing"

	"github.com/purecl/purecl/internal/base/slab"
)

// TestSlabsAreListed checks the list of slabs: a slab that Reset does not know would grow with every unit.
func TestSlabsAreListed(t *testing.T) {
	var m Memory
	if names := append(slab.Unlisted(&m.a, m.a.slabs()), slab.Unlisted(&m.pending, m.pending.slabs())...); len(names) > 0 {
		t.Errorf("Reset forgets %q", names)
	}
}

package check

import (
	"testing"

	"github.com/purecl/purecl/internal/base/slab"
)

// TestSlabsAreListed checks the list of slabs: a slab that Reset does not know would grow with every unit.
func TestSlabsAreListed(t *testing.T) {
	var m Memory
	if names := slab.Unlisted(&m.slabs, m.list()); len(names) > 0 {
		t.Errorf("Reset forgets %q", names)
	}
}

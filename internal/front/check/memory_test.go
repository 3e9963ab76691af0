package check

import (
	"testing"

	"github.com/purecl/purecl/internal/base/slab"
)

// TestSlabsAreListed: a slab that Reset forgets would grow with every unit.
func TestSlabsAreListed(t *testing.T) {
	var m Memory
	if names := slab.Unlisted(&m.slabs, m.list()); len(names) > 0 {
		t.Errorf("Reset forgets %q", names)
	}
}

package check

import (
	"testing"

	"github.com/purecl/purecl/internal/base/slab"
)

// TestSlabsAreListed checks the list of slabs: a slab that Reset does not know would grow with every unit.
func TestSlabsAreListed(t *testing.T) {
	var m Memory
	names := slab.Unlisted(&m.primarySlabs, m.primarySlabs.list())
	names = append(names, slab.Unlisted(&m.operatorSlabs, m.operatorSlabs.list())...)
	names = append(names, slab.Unlisted(&m.stmtSlabs, m.stmtSlabs.list())...)
	names = append(names, slab.Unlisted(&m.declSlabs, m.declSlabs.list())...)
	if len(names) > 0 {
		t.Errorf("Reset forgets %q", names)
	}
}

package syntax

import (
	"testing"

	"github.com/purecl/purecl/internal/base/slab"
)

// TestSlabsAreListed checks the lists of slabs: a slab that Reset does not know would grow with every unit.
func TestSlabsAreListed(t *testing.T) {
	var m Memory
	for _, c := range []struct {
		list          []slab.Resetter
		memory, nodes any
	}{
		{m.exprMemory.slabs(), &m.exprMemory, &m.exprNodes},
		{m.declMemory.slabs(), &m.declMemory, &m.declNodes},
		{m.stmtMemory.slabs(), &m.stmtMemory, &m.stmtNodes},
	} {
		if names := append(slab.Unlisted(c.memory, c.list), slab.Unlisted(c.nodes, c.list)...); len(names) > 0 {
			t.Errorf("Reset forgets %q", names)
		}
	}
}

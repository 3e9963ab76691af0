package builtin

import (
	"testing"
)

// TestExpand expands every signature and finds every function of every family.
func TestExpand(t *testing.T) {
	seen := map[*Row]bool{}
	overloads := 0
	for _, name := range allNames() {
		g := lookupGroup(name)
		if g == nil {
			t.Errorf("%s is not found", name)
			continue
		}
		if lookupGroup(name) != g {
			t.Errorf("%s is found twice", name)
		}
		for _, r := range g.rows {
			if r.Name != name || r.Doc == "" || r.Spec == "" || r.Impl == ImplOp && r.Emit == nil || seen[r] {
				t.Errorf("%s: incomplete row", name)
			}
			seen[r] = true
		}
		overloads += len(g.overloads())
	}
	if len(allNames()) < 450 || overloads < 7500 {
		t.Errorf("%d names, %d overloads", len(allNames()), overloads)
	}
	for _, name := range []string{"", "vload", "vload5", "vload44", "vstore_half_", "vstore_half2_rtx", "read_image", "read_imageuii", "sin_", "atomic_fetch_", "{"} {
		if lookupGroup(name) != nil {
			t.Errorf("%q is found", name)
		}
	}
}

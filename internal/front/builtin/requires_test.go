package builtin

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

// TestRequirementsHaveRows checks that each version, extension and feature that a row or a type requires is in the
// tables of package opencl.
func TestRequirementsHaveRows(t *testing.T) {
	list := append([]string{}, needNames[:]...)
	for r := range Rows() {
		list = append(list, r.Requires)
	}
	words := 0
	for _, req := range list {
		for _, w := range strings.FieldsFunc(req, func(c rune) bool { return c == ' ' || c == '|' }) {
			words++
			if _, ok := opencl.ParseVersion(w); !ok && opencl.FindExtension(w) == nil {
				t.Errorf("%q requires %s, which has no row", req, w)
			}
		}
	}
	if words < 100 {
		t.Errorf("%d requirements", words)
	}
}

package difftest

import (
	"testing"

	"github.com/purecl/purecl/internal/test/filetest"
)

// TestChecks runs the kernels of testdata/checks. Each mistake in bad must be reported once, at its line; nothing
// else, and nothing in good, may be reported. The expectations were written by hand from the specification.
func TestChecks(t *testing.T) { filetest.Runs(t, "testdata/checks", CheckedExecutors()...) }

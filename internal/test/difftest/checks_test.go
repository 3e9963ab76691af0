package difftest

import (
	"testing"

	"github.com/purecl/purecl/internal/test/filetest"
)

// TestChecks: every mistake of the kernels of testdata/checks/bad is reported at its line,
// once, and nothing else; of those of testdata/checks/good, in which all is in order,
// nothing is. Expectations by hand from the specification.
func TestChecks(t *testing.T) { filetest.Runs(t, "testdata/checks", CheckedExecutors()...) }

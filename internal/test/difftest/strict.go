package difftest

import (
	"fmt"
	"slices"
	"time"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A strictCheck compares the reports of executors for a kernel that faults in strict mode. The
// buffers' contents are unspecified then.
type strictCheck struct {
	m     *ssa.Module
	c     *filetest.Case
	limit time.Duration
	want  []string // what the reference executor reports; nil until it was asked
	// comparable says that the kernel faults, and at no load that nothing needs: executors
	// may leave those out, so that its work-items stop elsewhere.
	comparable bool
}

// difference says what an executor reports otherwise than the reference executor, "" for
// nothing.
func (s *strictCheck) difference(e exec.Executor) string {
	if !s.comparable {
		return ""
	}
	if s.want == nil {
		want, err := guarded(s.m, s.c, interp.Reference, exec.ChecksNone, exec.Strict, s.limit)
		if err != nil {
			return err.Error()
		}
		s.want = want.errors
	}
	got, err := guarded(s.m, s.c, e, exec.ChecksNone, exec.Strict, s.limit)
	switch {
	case err != nil:
		return err.Error()
	case !slices.Equal(got.errors, s.want):
		return fmt.Sprintf("in strict mode errors %q, want %q", got.errors, s.want)
	}
	return ""
}

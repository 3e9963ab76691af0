package difftest

import (
	"fmt"
	"slices"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
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
	want  *result // what the reference executor gives; nil until it was asked
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
		s.want = want
	}
	got, err := guarded(s.m, s.c, e, exec.ChecksNone, exec.Strict, s.limit)
	switch {
	case err != nil:
		return err.Error()
	case cooperates(s.m) && beginAlike(got.faults, s.want.faults), slices.Equal(got.errors, s.want.errors):
		return ""
	}
	return fmt.Sprintf("in strict mode errors %q, want %q", got.errors, s.want.errors)
}

// A fault is a finding that is an error, as far as executors must agree about it.
type fault struct {
	group [3]uint64
	kind  exec.FindingKind
	pos   diag.Pos
}

// cooperates reports whether a kernel's work-items can see what others do: then they may see
// what one does that has stopped, and what follows the first fault may differ (docs/faults.md).
func cooperates(m *ssa.Module) bool {
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch v.Op {
				case ssa.OpBarrier, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
					return true
				}
				if v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup) || v.Op == ssa.OpFenceFlags {
					return true
				}
			}
		}
	}
	return false
}

// beginAlike reports whether the first faults of two launches can be the same. Lists are in
// the order of work-items, not of time, and have each place once: the first work-group with
// faults must be the same, and a place and kind among its faults.
func beginAlike(got, want []fault) bool {
	if len(got) == 0 || len(want) == 0 {
		return len(got) == len(want)
	}
	first := want[0].group
	return got[0].group == first && slices.ContainsFunc(want, func(f fault) bool { return f.group == first && slices.Contains(got, f) })
}

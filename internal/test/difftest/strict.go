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

// A strictCheck compares the reports of executors on a kernel that faults in strict mode, in which the buffers'
// contents are unspecified.
type strictCheck struct {
	m     *ssa.Module
	c     *filetest.Case
	limit time.Duration
	want  *result // the reference executor's result, nil until it has run
	// comparable is set if the kernel faults, but not at a dead load. Executors may remove dead loads, so that its
	// work-items would stop elsewhere.
	comparable bool
}

// difference describes how an executor's report differs from the reference executor's, "" if it does not.
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

// A fault is the part of an error's finding on which executors must agree.
type fault struct {
	group [3]uint64
	kind  exec.FindingKind
	pos   diag.Pos
}

// cooperates reports whether the work-items of a kernel can observe each other. Then they may observe one that has
// stopped, and the findings after the first may differ (docs/faults.md).
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

// beginAlike reports whether the first faults of two launches can be the same. The lists are ordered by work-item,
// not by time, and contain each position once. The first work-group with faults must therefore be the same, and a
// position and kind occur in both lists for it.
func beginAlike(got, want []fault) bool {
	if len(got) == 0 || len(want) == 0 {
		return len(got) == len(want)
	}
	first := want[0].group
	return got[0].group == first && slices.ContainsFunc(want, func(f fault) bool { return f.group == first && slices.Contains(got, f) })
}

package launch

import (
	"slices"

	"github.com/purecl/purecl/internal/run/exec"
)

// judge removes the findings that the program's options disable (-Wno-…) and returns the first of the others that
// fails the launch.
func (k *Kernel) judge(rep *Report, mode exec.FaultMode) *exec.Finding {
	src := k.Program.Module.Source
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f *exec.Finding) bool {
		_, wanted := f.Severity(src)
		return !wanted
	})
	i := slices.IndexFunc(rep.Findings, func(f *exec.Finding) bool { return f.Fails(src, mode) })
	if i < 0 {
		return nil
	}
	return rep.Findings[i]
}

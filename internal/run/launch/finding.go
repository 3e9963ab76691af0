package launch

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/interp"
)

// severity returns what the build options and pragmas of the program make of a finding;
// wanted is false where they switch it off.
func (k *Kernel) severity(f *interp.Finding) (sev diag.Severity, wanted bool) {
	return k.Program.Module.Source.Finding(diag.Lookup(f.Kind.String()), f.Pos)
}

// Fails reports whether the finding fails a launch of the kernel in the mode: for what it
// is, or because the program's options make it an error (-Werror).
func (k *Kernel) Fails(f *interp.Finding, mode interp.FaultMode) bool {
	return Fails(k.Program.Module.Source, f, mode)
}

// Fails is [Kernel.Fails] of a kernel of that source.
func Fails(src *diag.Source, f *interp.Finding, mode interp.FaultMode) bool {
	if mode.Fails(f.Kind) {
		return true
	}
	sev, _ := src.Finding(diag.Lookup(f.Kind.String()), f.Pos)
	return !f.Kind.IsError() && sev >= diag.Error
}

// judge removes the findings that the program's options do not want (-Wno-…) and returns
// the first of the others that fails the launch.
func (k *Kernel) judge(rep *Report, mode interp.FaultMode) *interp.Finding {
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f *interp.Finding) bool {
		_, wanted := k.severity(f)
		return !wanted
	})
	i := slices.IndexFunc(rep.Findings, func(f *interp.Finding) bool { return k.Fails(f, mode) })
	if i < 0 {
		return nil
	}
	return rep.Findings[i]
}

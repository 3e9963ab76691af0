package jit

import (
	"context"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// RunRobust runs a launch in robust mode, which defines the results of faulting work-items. The error is the
// one of strict mode: the first fault.
func RunRobust(l *launch.Launch) (*launch.Report, error) {
	l.Faults = exec.Robust
	rep, err := launch.Run(context.Background(), l)
	if err != nil {
		return rep, err
	}
	for _, f := range rep.Findings {
		if f.Kind.IsError() {
			return rep, &launch.Fault{Kernel: l.Kernel, Finding: f, Location: l.Kernel.Locate(f)}
		}
	}
	return rep, nil
}

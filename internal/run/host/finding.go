package host

import (
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

// Checks selects what a launch watches for. Accesses out of bounds are always caught.
type Checks uint8

// The levels. Each includes the checks of those before.
const (
	CheckNone     Checks = iota // accesses out of bounds only
	CheckMemory                 // uninitialised reads, misaligned accesses, writes to [MemReadOnly] buffers
	CheckAll                    // data races, implementation-defined results
	CheckPedantic               // NaN made of numbers, signed overflow, shifts too large; for programs built with -O0
)

// A FaultMode is the treatment of forbidden accesses in a launch; docs/faults.md has the table.
type FaultMode uint8

// The modes.
const (
	FaultDefault FaultMode = iota // the device's mode
	FaultStrict                   // the work-item stops, the launch fails
	FaultRobust                   // bytes outside of objects read as 0 and are not written; the launch succeeds
)

// inLaunch returns the mode of a launch on d with the mode m in its options.
func (m FaultMode) inLaunch(d *Device) exec.FaultMode {
	if m == FaultDefault {
		m = d.faults
	}
	if m == FaultRobust {
		return exec.Robust
	}
	return exec.Strict
}

// A Finding is a mistake of a kernel: its first occurrence for each place and kind.
type Finding = program.Finding

// A FaultError is the error of a launch whose kernel made a mistake. Its status is [OutOfResources].
type FaultError struct {
	Kernel   string
	Findings []Finding // the findings that are errors, in order of work-groups; at least one
}

func (e *FaultError) Error() string {
	s := "purecl: kernel " + e.Kernel + ": "
	if len(e.Findings) == 0 { // not made by this package
		return s + "a fault"
	}
	s += e.Findings[0].String()
	if n := len(e.Findings) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// Unwrap makes errors.Is find the status.
func (e *FaultError) Unwrap() error { return opencl.OutOfResources }

// finding converts an observer's finding to its public form.
func (k *Kernel) finding(f *exec.Finding, mode exec.FaultMode) Finding {
	return program.NewFinding(k.code.module.Source, f, mode)
}

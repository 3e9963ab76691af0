package jit

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Reasons for a kernel, or one launch of it, to run on the reference executor. Packages spmd and x86 have more.
// docs/reference-executor.md explains all of them.
const (
	reasonChecks    = "checks are on"
	reasonOff       = "PURECL_CPU=none"
	reasonMemory    = "the system gives no executable memory"
	reasonRange     = "global ids of 2^31 and more"
	reasonLimit     = "a limit of private memory is set"
	reasonSubGroups = "sub-groups that are not within a row of work-items"
	reasonPartial   = "code for whole gangs and for partial ones lays out memory differently"
	reasonPointer   = "a pointer argument that does not point to the beginning of an object"
	reasonPrivate   = "more than 1 GiB of private memory for the work-items that run at once"
	reasonObject    = "an object of 512 GiB and more"
)

// noLevel returns the reason why this machine runs no machine code.
func noLevel() string {
	if environment.Get("PURECL_CPU") == "none" {
		return reasonOff
	}
	return reasonProcessor
}

// why converts an error of code generation to a fallback reason.
func why(err error) *exec.Fallback {
	f := &exec.Fallback{Reason: err.Error()}
	errors.As(err, &f.Bug)
	return f
}

// bug converts a panic of the code generator to an error.
func bug(f *ssa.Func, lv *x86.Level, p any) error {
	e := exec.NewInternalError(p)
	e.Kernel = f.Name
	e.Doing = fmt.Sprintf("making %s code of", lv.Name)
	return e
}

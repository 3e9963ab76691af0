//go:build !((amd64 && (linux || darwin || windows)) || (arm64 && linux))

package jit

import (
	"errors"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
)

// Executor returns the executor for this machine: there is no machine code for it.
func Executor() exec.Executor {
	return (&exec.Fallback{Reason: "the processor is no amd64, or the system does not run machine code of arm64"}).Executor(interp.Reference)
}

// Executors returns none.
func Executors() []exec.Executor { return nil }

// Levels returns none.
func Levels() []*codegen.Level { return nil }

// Level returns nil.
func Level() *codegen.Level { return nil }

var errNone = errors.New("this machine has no code for kernels")

// List returns an error.
func List(*ssa.Func, *codegen.Level, bool) (*codegen.Code, timing.Times, error) {
	return nil, timing.Times{}, errNone
}

// Measure returns an error.
func Measure(*ssa.Func, *codegen.Level) (*codegen.Code, timing.Times, error) {
	return nil, timing.Times{}, errNone
}

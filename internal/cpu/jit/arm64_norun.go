//go:build !(linux && arm64)

package jit

import (
	"errors"

	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/run/exec"
)

// newARM64Program returns an error: only linux/arm64 runs that code.
func newARM64Program(*arm64.Code) (gangexec.Program, error) {
	return nil, errors.New("the processor is no arm64")
}

// machineExecutor returns nil: machine code here is that of a level, if any.
func machineExecutor(Options) exec.Executor { return nil }

// written is called when memory has new instructions: the processor sees that by itself.
func written([]byte) {}

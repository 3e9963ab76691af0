//go:build !(linux && arm64)

package jit

import (
	"github.com/purecl/purecl/internal/run/exec"
)

// machineExecutor returns nil: machine code here is that of a level, if any.
func machineExecutor(Options) exec.Executor { return nil }

// written is called when memory has new instructions: the processor sees that by itself.
func written([]byte) {}

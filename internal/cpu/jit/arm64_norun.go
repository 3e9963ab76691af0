//go:build !(linux && arm64)

package jit

import (
	"github.com/purecl/purecl/internal/run/exec"
)

// machineExecutor returns nil: all machine code of this processor belongs to a level.
func machineExecutor(Options) exec.Executor { return nil }

// written must be called after new instructions are in memory. This processor needs no action.
func written([]byte) {}

//go:build !(amd64 && (linux || darwin || windows))

package jit

import "github.com/purecl/purecl/internal/launch"

// Executor returns the executor for this machine: there is no machine code for it.
func Executor() launch.Executor { return launch.Reference }

// Executors returns none.
func Executors() []launch.Executor { return nil }

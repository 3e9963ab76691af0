//go:build !(amd64 && (linux || darwin || windows))

package jit

import "github.com/purecl/purecl/internal/cpu/x86"

// reasonProcessor is why this machine runs no machine code.
const reasonProcessor = "the processor is no amd64"

// Levels returns none: they are amd64's.
func Levels() []*x86.Level { return nil }

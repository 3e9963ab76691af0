//go:build !(amd64 && (linux || darwin || windows))

package jit

import "github.com/purecl/purecl/internal/cpu/codegen"

// reasonProcessor is why this machine runs no machine code.
const reasonProcessor = "the processor is no amd64"

// Levels returns none: they are amd64's.
func Levels() []*codegen.Level { return nil }

//go:build !(amd64 && (linux || darwin || windows))

package jit

import "github.com/purecl/purecl/internal/cpu/x86"

// reasonProcessor is the reason for the fallback on this processor.
const reasonProcessor = "the processor is no amd64"

// Levels returns none: all levels are for amd64.
func Levels() []*x86.Level { return nil }

// slowGathers is for amd64.
func slowGathers() bool { return false }

// narrowUpdates is for amd64.
func narrowUpdates() bool { return false }

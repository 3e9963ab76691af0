//go:build !linux

package cpu

import (
	"github.com/klauspost/cpuid/v2"
)

// physicalMemory returns a typical size: the system is not queried.
func physicalMemory() uint64 { return defaultMemory }

// clockMHz returns the processor's clock rate, 0 if unknown.
func clockMHz() int { return int(cpuid.CPU.Hz / 1e6) }

// largePages does nothing on this system.
func largePages([]byte) {}

// zeroPages leaves all bytes to the caller.
func zeroPages(mem []byte) (before, after []byte) { return mem, nil }

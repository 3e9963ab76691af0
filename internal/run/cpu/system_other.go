//go:build !linux

package cpu

import (
	"github.com/klauspost/cpuid/v2"
)

// physicalMemory returns a size that machines of today have: the system is not asked.
func physicalMemory() uint64 { return defaultMemory }

// clockMHz returns the processors' clock rate, 0 if it is not known.
func clockMHz() int { return int(cpuid.CPU.Hz / 1e6) }

// largePages does nothing: the system is not asked.
func largePages([]byte) {}

// zeroPages leaves all bytes to the caller.
func zeroPages(mem []byte) (before, behind []byte) { return mem, nil }

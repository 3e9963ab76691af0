//go:build linux || darwin || windows

package jit

import (
	"slices"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"

	"github.com/purecl/purecl/internal/cpu/x86"
)

// reasonProcessor is the reason for the fallback on a processor without levels.
const reasonProcessor = "the processor has no AVX2"

// needs lists the processor features that each level needs, beyond those of the level that it extends.
var needs = []struct {
	lv, on   *x86.Level
	features []cpuid.FeatureID
}{
	{x86.AVX2, nil, []cpuid.FeatureID{cpuid.AVX2, cpuid.FMA3, cpuid.F16C, cpuid.POPCNT, cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT}},
	{x86.AVX2VNNI, x86.AVX2, []cpuid.FeatureID{cpuid.AVXVNNI}},
	{x86.AVX512, x86.AVX2, []cpuid.FeatureID{cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512CD, cpuid.AVX512BW, cpuid.AVX512VL}},
	{x86.AVX512VNNI, x86.AVX512, []cpuid.FeatureID{cpuid.AVX512VNNI}},
	{x86.AVX512VBMI, x86.AVX512VNNI, []cpuid.FeatureID{cpuid.AVX512VBMI, cpuid.AVX512BITALG, cpuid.AVX512VPOPCNTDQ}},
	{x86.FP16, x86.AVX512VBMI, []cpuid.FeatureID{cpuid.AVX512FP16}},
}

// slowGathers reports whether this processor's gathers take longer than as many loads: AMD's do, Intel's do not.
func slowGathers() bool { return cpuid.CPU.VendorID == cpuid.AMD }

// narrowUpdates reports whether this processor updates memory beyond its caches faster by 32 bytes than by 64: AMD's do.
func narrowUpdates() bool { return cpuid.CPU.VendorID == cpuid.AMD }

// Levels returns the levels that this processor supports and whose registers the system saves, the best one
// last.
func Levels() (list []*x86.Level) {
	for _, n := range needs {
		// x/sys/cpu knows the versions of macOS that lose mask registers at a signal.
		if (n.on == nil || slices.Contains(list, n.on)) && cpuid.CPU.Supports(n.features...) && (!n.lv.MaskRegs || cpu.X86.HasAVX512) {
			list = append(list, n.lv)
		}
	}
	return list
}

//go:build linux || darwin || windows

package jit

import (
	"os"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"

	"github.com/purecl/purecl/internal/codegen"
)

// Level returns the level of this processor, nil if it has none. The environment
// variable PURECL_CPU (avx512fp16, avx512, avx2, none) forces a lower one.
func Level() *codegen.Level {
	forced := os.Getenv("PURECL_CPU")
	if forced == "none" {
		return nil
	}
	have := Levels()
	for _, lv := range have {
		if lv.Name == forced {
			return lv
		}
	}
	if len(have) == 0 {
		return nil
	}
	return have[len(have)-1]
}

// Levels returns the levels of this processor, the lowest first.
func Levels() []*codegen.Level {
	best := detect()
	for i, lv := range codegen.Levels {
		if lv == best {
			return codegen.Levels[:i+1]
		}
	}
	return nil
}

// detect returns the best level whose instructions the processor has and whose registers
// the system saves.
func detect() *codegen.Level {
	p := &cpuid.CPU
	if !p.Supports(cpuid.AVX2, cpuid.FMA3, cpuid.F16C, cpuid.POPCNT, cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT) {
		return nil
	}
	// x/sys/cpu knows of the versions of macOS that lose mask registers at a signal.
	if cpu.X86.HasAVX512 && p.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512CD, cpuid.AVX512BW, cpuid.AVX512VL) {
		if p.Supports(cpuid.AVX512FP16, cpuid.AVX512VBMI, cpuid.AVX512BITALG, cpuid.AVX512VPOPCNTDQ) {
			return codegen.FP16
		}
		return codegen.AVX512
	}
	return codegen.AVX2
}

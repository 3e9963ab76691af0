//go:build linux

package jit

import (
	"os"

	"github.com/purecl/purecl/internal/codegen"
)

// Level returns the level of this processor, nil if it has none. The environment
// variable PURECL_CPU (avx512, avx2, none) forces a lower one.
func Level() *codegen.Level {
	best := detect()
	switch os.Getenv("PURECL_CPU") {
	case "none":
		return nil
	case "avx2":
		if best != nil {
			return codegen.AVX2
		}
	}
	return best
}

// detect asks the processor (Intel manual, CPUID) and whether the system saves its
// registers.
func detect() *codegen.Level {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return nil
	}
	has := func(x uint32, bits ...int) bool {
		for _, b := range bits {
			if x>>b&1 == 0 {
				return false
			}
		}
		return true
	}
	_, _, c1, _ := cpuid(1, 0)
	_, b7, _, _ := cpuid(7, 0)
	_, _, ce, _ := cpuid(0x80000001, 0)
	// FMA, OSXSAVE, AVX, F16C, POPCNT; AVX2, BMI1, BMI2; LZCNT.
	if !has(c1, 12, 27, 28, 29, 23) || !has(b7, 3, 5, 8) || !has(ce, 5) {
		return nil
	}
	x, _ := xgetbv()
	if x&6 != 6 {
		return nil
	}
	// AVX-512 F, DQ, CD, BW, VL, and the system saves mask and upper registers.
	if x&0xE0 == 0xE0 && has(b7, 16, 17, 28, 30, 31) {
		return codegen.AVX512
	}
	return codegen.AVX2
}

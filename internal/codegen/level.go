package codegen

import "github.com/purecl/purecl/internal/asm"

// A Level is what a processor can do that code is made for.
type Level struct {
	Name   string
	AVX512 bool // F, BW, DQ, VL, CD
	FP16   bool // and AVX512-FP16, VBMI, BITALG and VPOPCNTDQ
	VL     asm.Width
	Lanes  int // 32-bit elements of a register
}

// The levels.
var (
	AVX2   = &Level{Name: "avx2", VL: 32, Lanes: 8} // with FMA, F16C, BMI1, BMI2, LZCNT, POPCNT
	AVX512 = &Level{Name: "avx512", AVX512: true, VL: 64, Lanes: 16}
	FP16   = &Level{Name: "avx512fp16", AVX512: true, FP16: true, VL: 64, Lanes: 16}
	Levels = []*Level{AVX2, AVX512, FP16} // each has what those before it have
)

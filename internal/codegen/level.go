package codegen

import "github.com/purecl/purecl/internal/asm"

// A Level is what a processor can do that code is made for.
type Level struct {
	Name   string
	AVX512 bool // F, BW, DQ, VL, CD
	VL     asm.Width
	Lanes  int // work-items of a gang
}

// The levels.
var (
	AVX2   = &Level{Name: "avx2", VL: 32, Lanes: 8} // with FMA, F16C, BMI1, BMI2, LZCNT, POPCNT
	AVX512 = &Level{Name: "avx512", AVX512: true, VL: 64, Lanes: 16}
	Levels = []*Level{AVX2, AVX512}
)

// parts returns how many registers hold one element of so many bytes for each lane.
func (lv *Level) parts(size int) int { return max(1, size*lv.Lanes/int(lv.VL)) }

// width returns the width of the registers that hold elements of so many bytes.
func (lv *Level) width(size int) asm.Width {
	return asm.Width(min(max(size*lv.Lanes, 16), int(lv.VL)))
}

// all is the mask of all lanes.
func (lv *Level) all() int64 { return 1<<lv.Lanes - 1 }

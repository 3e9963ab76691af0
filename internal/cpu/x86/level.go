package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// A Level is what a processor can do that code is made for.
type Level struct {
	Name   string
	Base   *Level // the level of which this is a variant, with a few instructions more; else nil
	AVX512 bool   // F, BW, DQ, VL, CD
	FP16   bool   // and AVX512-FP16, VBMI, BITALG and VPOPCNTDQ
	VNNI   bool   // AVX512-VNNI; without AVX512 AVX-VNNI
	VL     asm.Width
	Lanes  int           // 32-bit elements of a register
	target *lanes.Target // what is native
}

// The levels.
var (
	AVX2       = &Level{Name: "avx2", VL: 32, Lanes: 8, target: targetAVX2} // with FMA, F16C, BMI1, BMI2, LZCNT, POPCNT
	AVX2VNNI   = &Level{Name: "avx2vnni", Base: AVX2, VNNI: true, VL: 32, Lanes: 8, target: targetAVX2}
	AVX512     = &Level{Name: "avx512", AVX512: true, VL: 64, Lanes: 16, target: targetAVX512}
	AVX512VNNI = &Level{Name: "avx512vnni", Base: AVX512, AVX512: true, VNNI: true, VL: 64, Lanes: 16, target: targetAVX512}
	FP16       = &Level{Name: "avx512fp16", AVX512: true, FP16: true, VNNI: true, VL: 64, Lanes: 16, target: targetFP16}
	Levels     = []*Level{AVX2, AVX2VNNI, AVX512, AVX512VNNI, FP16} // of those that a processor has the last is the best
)

// The rows of the machine that width policy and the ways of accesses see: some registers are for intermediate
// results.
var (
	targetAVX2 = &lanes.Target{VectorBytes: 32, Lanes: 8, VectorRegs: 14, MaxLanes: MaxLanes, MinMax: 4,
		Masks: 4 | 8, Permutes: 4, RegionElements: 4, RegionRegs: 16, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetAVX512 = &lanes.Target{VectorBytes: 64, Lanes: 16, VectorRegs: 28, MaskRegs: 6, MaxLanes: MaxLanes, MinMax: 1 | 2 | 4 | 8,
		Masks: 1 | 2 | 4 | 8, Permutes: 2 | 4 | 8, Triples: 2 | 4 | 8, Records: 4 | 8, Tables: 2 | 4,
		RegionElements: 4, RegionRegs: 16, RecordMasks: 7, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetFP16 = &lanes.Target{VectorBytes: 64, Lanes: 16, VectorRegs: 28, MaskRegs: 6, MaxLanes: MaxLanes, MinMax: 1 | 2 | 4 | 8,
		Masks: 1 | 2 | 4 | 8, Permutes: 1 | 2 | 4 | 8, Triples: 1 | 2 | 4 | 8, Records: 4 | 8, Tables: 1 | 2 | 4,
		RegionElements: 4, RegionRegs: 16, RecordMasks: 7, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
)

// Target returns what width policy sees of the level.
func (lv *Level) Target() *lanes.Target { return lv.target }

// Masked returns how many lanes a gang may have that is not whole.
func (lv *Level) Masked() int { return lv.Target().Masked() }

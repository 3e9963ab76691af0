package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// A Level is what a processor can do that code is made for: a row of facts, which selection asks instead of the
// level's name.
type Level struct {
	Name  string
	Base  *Level // the level of which this is a variant, with a few instructions more; else nil
	VL    asm.Width
	Lanes int // 32-bit elements of a register
	Features
	target *lanes.Target // what is native
}

// Features says which instructions there are. AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT always are.
type Features struct {
	EVEX         bool        // instructions with 32 registers, embedded broadcasts, and general registers to broadcast
	MaskRegs     bool        // masks in registers of their own, which instructions obey
	TwoSources   lanes.Sizes // elements that one instruction picks out of two registers
	Quads        bool        // 64-bit integers are multiplied, compared, made absolute and shifted with their sign
	Conversions  bool        // between floats and integers of 64 bits or without a sign
	Rounding     bool        // conversions round in any mode
	Narrowing    bool        // integers are cut or saturated to narrower ones
	Ternary      bool        // any function of three bits
	Rotates      bool        // of bits
	WordShifts   bool        // 16-bit integers, each by a number of its own
	LeadingZeros bool        // are counted
	Scatters     bool        // elements are stored anywhere
	Conflicts    bool        // equal elements are found
	HalfMath     bool        // halfs are computed with
	BitCounts    bool        // set bits are counted
	Dots         bool        // dot products of bytes and of 16-bit integers are accumulated
}

var (
	// featuresAVX512 are those of F, BW, DQ, VL and CD.
	featuresAVX512 = Features{EVEX: true, MaskRegs: true, TwoSources: 2 | 4 | 8, Quads: true, Conversions: true, Rounding: true, Narrowing: true,
		Ternary: true, Rotates: true, WordShifts: true, LeadingZeros: true, Scatters: true, Conflicts: true}
	featuresAVX512VNNI = Features{EVEX: true, MaskRegs: true, TwoSources: 2 | 4 | 8, Quads: true, Conversions: true, Rounding: true, Narrowing: true,
		Ternary: true, Rotates: true, WordShifts: true, LeadingZeros: true, Scatters: true, Conflicts: true, Dots: true}
	// featuresFP16 has AVX512-FP16, VBMI, BITALG and VPOPCNTDQ too.
	featuresFP16 = Features{EVEX: true, MaskRegs: true, TwoSources: 1 | 2 | 4 | 8, Quads: true, Conversions: true, Rounding: true, Narrowing: true,
		Ternary: true, Rotates: true, WordShifts: true, LeadingZeros: true, Scatters: true, Conflicts: true, Dots: true, HalfMath: true, BitCounts: true}
)

// The levels.
var (
	AVX2       = &Level{Name: "avx2", VL: 32, Lanes: 8, target: targetAVX2}
	AVX2VNNI   = &Level{Name: "avx2vnni", Base: AVX2, Features: Features{Dots: true}, VL: 32, Lanes: 8, target: targetAVX2}
	AVX512     = &Level{Name: "avx512", Features: featuresAVX512, VL: 64, Lanes: 16, target: targetAVX512}
	AVX512VNNI = &Level{Name: "avx512vnni", Base: AVX512, Features: featuresAVX512VNNI, VL: 64, Lanes: 16, target: targetAVX512}
	FP16       = &Level{Name: "avx512fp16", Features: featuresFP16, VL: 64, Lanes: 16, target: targetFP16}
	Levels     = []*Level{AVX2, AVX2VNNI, AVX512, AVX512VNNI, FP16} // of those that a processor has the last is the best
)

// The rows of the machine that width policy and the ways of accesses see: some registers are for intermediate
// results.
var (
	targetAVX2 = &lanes.Target{VectorBytes: 32, Lanes: 8, VectorRegs: 14, MaxLanes: MaxLanes, MinMax: 4,
		Masks: 4 | 8, Permutes: 4, RegionElements: 4, RegionRegs: 16, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetAVX512 = &lanes.Target{VectorBytes: 64, Lanes: 16, VectorRegs: 28, MaskRegs: 6, MaxLanes: MaxLanes, MinMax: 1 | 2 | 4 | 8,
		Masks: 1 | 2 | 4 | 8, Permutes: 2 | 4 | 8, Triples: 2 | 4 | 8, Records: 4 | 8, Tables: 2 | 4,
		RegionElements: 4, RegionRegs: 16, RecordMasks: 7, Runs: 4 | 8, MaskedPieces: 4 | 8, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetFP16 = &lanes.Target{VectorBytes: 64, Lanes: 16, VectorRegs: 28, MaskRegs: 6, MaxLanes: MaxLanes, MinMax: 1 | 2 | 4 | 8,
		Masks: 1 | 2 | 4 | 8, Permutes: 1 | 2 | 4 | 8, Triples: 1 | 2 | 4 | 8, Records: 4 | 8, Tables: 1 | 2 | 4,
		RegionElements: 4, RegionRegs: 16, RecordMasks: 7, Runs: 4 | 8, MaskedPieces: 4 | 8, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
)

// Target returns what width policy sees of the level.
func (lv *Level) Target() *lanes.Target { return lv.target }

// Masked returns how many lanes a gang may have that is not whole.
func (lv *Level) Masked() int { return lv.Target().Masked() }

// VectorRegs returns how many vector registers there are.
func (lv *Level) VectorRegs() int {
	if lv.EVEX {
		return 32
	}
	return 16
}

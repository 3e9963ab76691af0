package x86

import (
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// A Level describes a CPU level: the features that instruction selection tests instead of the level's name.
type Level struct {
	Name  string
	Base  *Level // the level that this one extends by a few instructions; else nil
	VL    asm.Width
	Lanes int // 32-bit elements of a vector register
	Features
	target *target.Target // native access patterns
}

// Features lists the instructions of a level, in addition to AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
type Features struct {
	EVEX         bool         // 32 registers, embedded broadcasts, broadcasts from general registers
	MaskRegs     bool         // masks in registers of their own, which predicate instructions
	TwoSources   target.Sizes // elements that one instruction permutes from two registers
	Quads        bool         // 64-bit multiplication, comparison, absolute value and arithmetic shift
	Conversions  bool         // between floats and 64-bit or unsigned integers
	Rounding     bool         // conversions with an embedded rounding mode
	Narrowing    bool         // truncation and saturation to narrower integers
	Ternary      bool         // any function of three bits
	Rotates      bool         // bit rotations
	WordShifts   bool         // shifts of 16-bit integers by a count per element
	LeadingZeros bool         // leading zero counts
	Scatters     bool         // scatters
	Conflicts    bool         // conflict detection
	HalfMath     bool         // half arithmetic
	BitCounts    bool         // population counts
	Dots         bool         // accumulating dot products of bytes and of 16-bit integers
}

// featuresAVX512 are F, BW, DQ, VL and CD.
var featuresAVX512 = Features{EVEX: true, MaskRegs: true, TwoSources: 2 | 4 | 8, Quads: true, Conversions: true, Rounding: true, Narrowing: true,
	Ternary: true, Rotates: true, WordShifts: true, LeadingZeros: true, Scatters: true, Conflicts: true}

// with returns features and those that add adds.
func (f Features) with(add func(f *Features)) Features {
	add(&f)
	return f
}

// The levels.
var (
	AVX2       = &Level{Name: "avx2", VL: 32, Lanes: 8, target: &targetAVX2}
	AVX2VNNI   = &Level{Name: "avx2vnni", Base: AVX2, Features: Features{Dots: true}, VL: 32, Lanes: 8, target: &targetAVX2}
	AVX512     = &Level{Name: "avx512", Features: featuresAVX512, VL: 64, Lanes: 16, target: &targetAVX512}
	AVX512VNNI = &Level{Name: "avx512vnni", Base: AVX512, Features: featuresAVX512.with(func(f *Features) { f.Dots = true }), VL: 64, Lanes: 16, target: &targetAVX512}
	AVX512VBMI = &Level{Name: "avx512vbmi", Base: AVX512VNNI, Features: AVX512VNNI.with(func(f *Features) { f.BitCounts, f.TwoSources = true, 1|2|4|8 }), VL: 64, Lanes: 16, target: &targetVBMI} // and BITALG, VPOPCNTDQ
	FP16       = &Level{Name: "avx512fp16", Features: AVX512VBMI.with(func(f *Features) { f.HalfMath = true }), VL: 64, Lanes: 16, target: &targetVBMI}
	Levels     = []*Level{AVX2, AVX2VNNI, AVX512, AVX512VNNI, AVX512VBMI, FP16} // from the least to the most capable
)

// The levels' targets for width policy and access patterns. They reserve some registers for intermediate
// results.
var (
	targetAVX2 = target.Target{Registers: target.Registers{VectorRegs: 14, SpillRegs: 6}, VectorBytes: 32, Lanes: 8, MaxLanes: MaxLanes, MinMax: 4,
		Masks: 4 | 8, Permutes: 4, Collects: 4, Records: 4, RegionElements: 4, RegionRegs: 16, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetAVX512 = target.Target{Registers: target.Registers{VectorRegs: 28, MaskRegs: 6}, VectorBytes: 64, Lanes: 16, MaxLanes: MaxLanes, MinMax: 1 | 2 | 4 | 8,
		Masks: 1 | 2 | 4 | 8, Permutes: 2 | 4 | 8, TwoSources: 2 | 4 | 8, Collects: 2 | 4 | 8, Records: 4 | 8, Tables: 2 | 4,
		RegionElements: 4, RegionRegs: 16, RecordMasks: 7, Runs: 4 | 8, MaskedPieces: 4 | 8, RowPiece: pieceBytes, GatherBytes: 4, PrivateRows: true}
	targetVBMI = func(t target.Target) target.Target {
		t.Permutes, t.TwoSources, t.Collects, t.Tables = 1|2|4|8, 1|2|4|8, 1|2|4|8, 1|2|4
		return t
	}(targetAVX512)
)

// Target returns the level's target.
func (lv *Level) Target() *target.Target { return lv.target }

// Masked returns the greatest length of a gang with inactive lanes.
func (lv *Level) Masked() int { return lv.Target().Masked() }

// VectorRegs returns the number of vector registers.
func (lv *Level) VectorRegs() int {
	if lv.EVEX {
		return 32
	}
	return 16
}

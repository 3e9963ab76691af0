// Package target describes machines to the layers that are the same for all: the sizes that bound a gang's length, and the
// native patterns of accesses. A machine's package has a [Target] for each of its levels; packages lanes, gang and spmd read it.
//
// The package must not know instructions or registers by name.
package target

import "github.com/purecl/purecl/internal/ir/ssa"

// Registers are the numbers of registers that bound a gang's length.
type Registers struct {
	VectorRegs int // vector registers available to the kernel's values
	SpillRegs  int // values beyond VectorRegs that are spilled outside of loops, for a gang of two registers for each value
	MaskRegs   int // mask registers available; 0: masks take vector registers
}

// A Target describes a machine: the sizes that bound a gang's length, and its native access patterns. It is
// read-only.
type Target struct {
	Registers
	VectorBytes int   // bytes of a vector register
	Lanes       int   // 32-bit elements of a vector register: the least length of a gang
	MaxLanes    int   // the greatest length of a gang
	MinMax      Sizes // integers with a vector minimum and maximum

	// The fields below say which patterns of accesses are native.

	// LaneByLane makes all patterns native: the machine accesses lanes one after the other where it has no
	// instruction.
	LaneByLane bool
	Masks      Sizes // single elements that can be compressed into a store under a mask
	Permutes   Sizes // elements that one instruction permutes within a register
	TwoSources Sizes // elements that one instruction permutes from two registers
	// Collects are elements that few instructions collect from several registers: interleaved triples can be separated and joined,
	// and vectors of up to two registers shuffled.
	Collects Sizes
	Records  Sizes // elements that can be extracted from registers of structures
	Tables   Sizes // elements of tables that fit into registers
	Runs     Sizes // sizes of accesses whose runs are permuted
	// RegionElements is the greatest distance of lanes, in elements, for which a strided load reads the whole
	// span; RegionRegs is the most registers for it.
	RegionElements, RegionRegs int
	MaskedPieces               Sizes // sizes of accesses of Pieces under masks, and of elements that Spread stores to parts of vectors
	RecordMasks                int   // most different masks of one store
	RowPiece                   int   // bytes of the pieces of rows that are transposed; 0: none
	GatherBytes                int   // bytes of the smallest gathered element; smaller ones are extracted from an aligned one
	PrivateRows                bool  // the lanes' copies of a private object may be interleaved by element
}

// Pairs reports whether elements of 2 bytes can be stored side by side under a mask by several instructions: pairs of them are
// elements that can be stored under a mask.
func (t *Target) Pairs() bool { return !t.Masks.Has(2) && t.Masks.Has(4) }

// Sizes is a set of element sizes: each size in bytes is its own bit.
type Sizes uint8

// Has reports whether the set contains a size in bytes. It contains no sizes that are not powers of two, such as that
// of a vector of three elements.
func (s Sizes) Has(size int) bool { return size&(size-1) == 0 && int(s)&size != 0 }

// NarrowOffsets reports whether gathers and scatters take 32-bit offsets with a scale.
func (t *Target) NarrowOffsets() bool { return t.GatherBytes != 0 }

// Masked returns the greatest length of a gang with inactive lanes.
func (t *Target) Masked() int { return 4 * t.Lanes }

// Combines reports whether the machine combines the lanes' operands of an atomic operation in vectors before it
// changes memory.
func (t *Target) Combines(op ssa.RMW, k ssa.Kind) bool {
	if k.Num().IsFloat() || op == ssa.RMWXchg {
		return false
	}
	return t.MinMax.Has(k.Num().Size()) || op != ssa.RMWMin && op != ssa.RMWMax
}

package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// A Target is what width policy and the ways of accesses see of a machine. It is read only.
type Target struct {
	VectorBytes int   // of a vector register
	Lanes       int   // elements of 32 bits in one: the least work-items of a gang
	VectorRegs  int   // vector registers that values of the kernel may take
	MaskRegs    int   // mask registers likewise; 0: masks take vector registers
	MaxLanes    int   // the most work-items of a gang
	MinMax      Sizes // integers of which vectors have a minimum and maximum

	// The fields below say which patterns of accesses are native.

	// LaneByLane says that all are: without an instruction for it lanes are accessed one after the other.
	LaneByLane bool
	Masks      Sizes // single elements that are stored side by side under a mask
	Permutes   Sizes // elements that one instruction permutes within a register
	Triples    Sizes // elements of which three side by side are taken apart and put together
	Records    Sizes // elements that are picked out of registers of structures
	Tables     Sizes // elements of tables that registers hold
	Runs       Sizes // what a lane accesses, where lanes in runs with gaps are permuted
	// RegionElements is by how many elements lanes may be apart so that all between them is loaded and taken
	// apart, RegionRegs how many registers that may take.
	RegionElements, RegionRegs int
	MaskedPieces               Sizes // what a lane accesses, where pieces are accessed under masks
	RecordMasks                int   // different masks of one store
	RowPiece                   int   // bytes of the pieces of rows that are transposed; 0: none are
	GatherBytes                int   // the least bytes that are gathered; smaller elements are taken out of so many, aligned
	PrivateRows                bool  // the same elements of the lanes' copies of a private object may lie side by side
}

// Sizes is a set of sizes of elements: a bit for each, which is the size in bytes.
type Sizes uint8

// Has reports whether elements of so many bytes are in the set.
func (s Sizes) Has(size int) bool { return int(s)&size != 0 }

// Masked returns how many lanes a gang may have that is not whole.
func (t *Target) Masked() int { return 4 * t.Lanes }

// Combines reports whether lanes' operands of an atomic operation are combined in vectors before
// memory is changed.
func (t *Target) Combines(op ssa.RMW, k ssa.Kind) bool {
	if k.Num().IsFloat() || op == ssa.RMWXchg {
		return false
	}
	return t.MinMax.Has(size(k)) || op != ssa.RMWMin && op != ssa.RMWMax
}

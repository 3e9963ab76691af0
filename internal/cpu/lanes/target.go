package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// A Target is what width policy sees of a machine. It is read only.
type Target struct {
	VectorBytes int // of a vector register
	Lanes       int // elements of 32 bits in one: the least work-items of a gang
	VectorRegs  int // vector registers that values of the kernel may take
	MaskRegs    int // mask registers likewise; 0: masks take vector registers
	MaxLanes    int // the most work-items of a gang
	// ByteTables says that elements of tables of bytes are picked out of registers.
	ByteTables bool
	// MinMaxSizes has the sizes of integers, as bits, of which vectors have a minimum and maximum.
	MinMaxSizes int
}

// Masked returns how many lanes a gang may have that is not whole.
func (t *Target) Masked() int { return 4 * t.Lanes }

// Combines reports whether lanes' operands of an atomic operation are combined in vectors before
// memory is changed.
func (t *Target) Combines(op ssa.RMW, k ssa.Kind) bool {
	if k.Num().IsFloat() || op == ssa.RMWXchg {
		return false
	}
	return t.MinMaxSizes&size(k) != 0 || op != ssa.RMWMin && op != ssa.RMWMax
}

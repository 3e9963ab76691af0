package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
)

// Strength reduction of addresses: an offset that grows by the same amount in each iteration of a loop has its
// own register, which the end of the loop advances.
//
// Such a register may differ from the offset after a narrower sum has wrapped. It is then out of bounds,
// because objects are smaller than MaxObject, and the slow path computes the exact offset. Larger objects have
// no such registers.

// A loop is the state of an SSA loop during code generation.
type loop struct {
	*lanes.TestedLoop
}

// A place is a position for later insertion: before instruction number at of a block.
type place struct {
	block *mblock
	at    int
}

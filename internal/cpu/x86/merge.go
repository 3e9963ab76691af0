package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
)

// Merged bounds checks (package spmd, merge.go). Before a block, one check compares the byte range of neighbouring
// accesses with the bounds of their object. The accesses in the block need no checks.

// A checkedRange is a byte range that is in bounds in a block.
type checkedRange struct {
	lanes.ByteRange
}

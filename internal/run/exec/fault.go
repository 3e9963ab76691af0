package exec

import "github.com/purecl/purecl/internal/ir/ssa"

// A FaultMode decides how a work-item and its launch go on after an access to memory that the
// work-item must not access. docs/faults.md has the table. In either mode no access leaves
// its object, and each place that faults gives one [Finding].
type FaultMode uint8

const (
	// Strict stops the work-item and fails the launch. The contents of its objects are
	// unspecified afterwards.
	Strict FaultMode = iota
	// Robust lets the work-item continue and the launch succeed. Bytes of a load beyond the object read as 0,
	// and bytes of a store beyond it are dropped. An atomic operation that is not wholly inside the object does
	// nothing and returns 0.
	Robust
)

// Fails reports whether a launch with a finding of kind k fails. A work-group that diverges at a barrier cannot
// continue in either mode.
func (m FaultMode) Fails(k FindingKind) bool {
	return k == BarrierDivergence || m == Strict && k.IsError()
}

// Inside returns the bytes lo to hi, without hi, of an access of n bytes at an offset that are inside an object
// of size bytes. Offsets have 40 bits; a negative one is before the object.
func Inside(off, n, size uint64) (lo, hi uint64) {
	if off >= size {
		if lo = ssa.OffsetMask + 1 - off; lo >= n {
			return 0, 0
		}
		off = 0
	}
	return lo, min(n, lo+size-off)
}

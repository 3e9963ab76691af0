package interp

// A FaultMode says what becomes of a work-item that accesses memory that it must not
// access, and of its launch. docs/faults.md has the table. In either mode no access leaves
// its object, and each place that faults gives one [Finding].
type FaultMode uint8

const (
	// Strict stops the work-item and fails the launch. What its objects hold afterwards is
	// unspecified.
	Strict FaultMode = iota
	// Robust lets the work-item go on and the launch succeed: bytes of a load beyond the
	// object read as 0, bytes of a store beyond it are dropped, an atomic operation that is
	// not wholly inside the object does nothing and gives 0.
	Robust
)

// Fails reports whether a launch with a finding of kind k fails. A work-group that parts at
// a barrier cannot go on in either mode.
func (m FaultMode) Fails(k FindingKind) bool {
	return k == BarrierDivergence || m == Strict && k.IsError()
}

package exec

// Checks selects the observers of a launch. Bounds are always enforced and reported.
type Checks uint8

// The levels.
const (
	ChecksNone   Checks = iota // bounds, null pointers and writes to constant memory only
	ChecksMemory               // and misaligned accesses and uses of uninitialised values
	ChecksAll                  // and data races, implementation-defined results, barriers that not all reach
	// ChecksPedantic watches for arithmetic too that is defined but seldom meant: NaN of
	// numbers, signed overflow, shifts too large. It speaks of the source's arithmetic only in
	// programs that are not optimised.
	ChecksPedantic
)

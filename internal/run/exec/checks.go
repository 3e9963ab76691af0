package exec

// Checks selects the observers of a launch. Bounds are always enforced and reported.
type Checks uint8

// The levels.
const (
	ChecksNone   Checks = iota // bounds, null pointers and writes to constant memory only
	ChecksMemory               // also misaligned accesses and uses of uninitialised values
	ChecksAll                  // also data races, implementation-defined results and diverged barriers
	// ChecksPedantic also reports defined arithmetic that is seldom intended: NaN results of numbers, signed
	// overflow, excessive shift counts. Its reports match the source's arithmetic only in programs that are not
	// optimised.
	ChecksPedantic
)

// Package timing measures the phases from a source text to a kernel's results.
//
// Input: the starts and ends of phases. Output: [Times], the duration of each [Phase]. The compiler measures the
// phases up to the optimiser, the executors the following ones, a launch the rest.
package timing

import "time"

// A Phase is a step from a source text to results.
type Phase uint8

// The phases in order.
const (
	None       Phase = iota
	Preprocess       // tokens
	Parse            // syntax tree
	Check            // typed tree
	IRGen            // SSA
	Link             // adding the bodies of builtin functions, linking other units
	Opt              // optimiser
	SPMD             // plan for whole gangs
	Gang             // gang function
	Codegen          // machine code; of x86, the selection of instructions
	Alloc            // x86: register allocation
	Encode           // x86: encoding
	Driver           // a GPU driver's compiler
	Memory           // executable memory
	Partial          // waiting for machine code for partial gangs, which is compiled in parallel
	Reference        // the reference executor's code, if it runs the kernel
	Launch           // the first launch, without compile time during it
	NumPhases
)

// String returns the phase's name.
func (p Phase) String() string {
	return [NumPhases]string{"", "preprocess", "parse", "check", "irgen", "link", "opt", "spmd", "gang", "codegen", "alloc", "encode", "driver", "memory", "partial", "reference", "first launch"}[p]
}

// Times are the durations of the phases, each summed over its runs.
type Times [NumPhases]time.Duration

// Add adds other times.
func (t *Times) Add(u *Times) {
	for p := range t {
		t[p] += u[p]
	}
}

// Total returns the sum.
func (t *Times) Total() time.Duration {
	sum := time.Duration(0)
	for _, d := range t {
		sum += d
	}
	return sum
}

// A Clock measures phases that follow each other.
type Clock struct {
	Times Times
	phase Phase
	since int64
}

// Begin ends the running phase, if any, and begins another one; None begins none.
func (c *Clock) Begin(p Phase) {
	now := Now()
	if c.phase != None {
		c.Times[c.phase] += time.Duration(now - c.since)
	}
	c.phase, c.since = p, now
}

// Phase returns the running phase.
func (c *Clock) Phase() Phase { return c.phase }

// Package timing is the one clock of the way from a source text to a kernel's results.
//
// Input: the steps, as they begin and end. Output: [Times], how long each [Phase] took. The
// compiler measures the phases up to the optimiser, the executors those behind it, a launch
// the rest; what shows times asks them.
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
	Link             // bodies of builtin functions, other units
	Opt              // optimiser
	SPMD             // plan for whole gangs
	Codegen          // machine code for them
	Driver           // a GPU driver's compiler
	Memory           // executable memory
	Partial          // waiting for machine code for gangs that are not whole, which is made beside it
	Reference        // the reference executor's code, where that runs the kernel
	Launch           // the first launch, without what was compiled meanwhile
	NumPhases
)

// String returns the phase's name.
func (p Phase) String() string {
	return [NumPhases]string{"", "preprocess", "parse", "check", "irgen", "link", "opt", "spmd", "codegen", "driver", "memory", "partial", "reference", "first launch"}[p]
}

// Times is how long each phase took; what ran several times is added up.
type Times [NumPhases]time.Duration

// Add adds other times.
func (t *Times) Add(u *Times) {
	for p := range t {
		t[p] += u[p]
	}
}

// Total is the sum.
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

// Begin ends the running phase, if any, and begins another; None begins none.
func (c *Clock) Begin(p Phase) {
	now := Now()
	if c.phase != None {
		c.Times[c.phase] += time.Duration(now - c.since)
	}
	c.phase, c.since = p, now
}

// Phase returns the running phase.
func (c *Clock) Phase() Phase { return c.phase }

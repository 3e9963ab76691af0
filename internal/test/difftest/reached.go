package difftest

import (
	"sync/atomic"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
)

// Reached is a set of properties of the code compiled for a kernel: a bit for each of spmd.Forms and explain.Shape, in
// this order, and one for an access out of bounds.
type Reached uint64

// NumReached is the number of properties, AllReached the set of all of them, and Left the access out of bounds.
const (
	NumReached         = spmd.NumForms + int(explain.NumShapes) + 1
	AllReached Reached = 1<<NumReached - 1
	Left       Reached = 1 << (NumReached - 1)
)

// Names returns the names of the properties.
func (r Reached) Names() (list []string) {
	for i := range NumReached {
		s := i - spmd.NumForms
		switch {
		case r>>i&1 == 0:
		case s < 0:
			list = append(list, spmd.Forms(1<<i).String())
		case s < int(explain.NumShapes):
			list = append(list, explain.Shape(s).String())
		default:
			list = append(list, "left its buffer")
		}
	}
	return list
}

// made collects the properties of the code that is compiled.
var made atomic.Uint64

// MachineExecutors returns the executors of this processor's machine code. A panic of the code generator
// ends the process.
func MachineExecutors() []exec.Executor {
	return jit.Executors(jit.Options{Panics: true, Made: func(c *jit.Generated) { made.Or(uint64(c.Forms) | uint64(c.Shapes)<<spmd.NumForms) }})
}

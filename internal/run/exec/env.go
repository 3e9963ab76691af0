package exec

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An Env is an executor's view of a launch. Object number 0 is the null object; the executor numbers private
// objects from the end of Objects on.
type Env struct {
	Range   NDRange
	Objects []Object
	Params  [][]uint64             // the bits of each element of each kernel parameter
	Globals map[*ssa.Global]uint32 // object numbers of the program's variables
	Stop    *atomic.Bool           // set to end the run early; may be nil
	Printf  io.Writer              // output of printf; nil: discarded
	Limits  Limits
	Faults  FaultMode
	Lanes   int // work-items of a batch, if that may be chosen freely; 0: the executor's choice
}

// Limits bound the resources of a launch.
type Limits struct {
	PrivateBytes int64 // private memory and registers of all running work-items; 0: 1 GiB
	LocalBytes   int64 // local memory of a work-group; 0: 64 MiB
	ShadowBytes  int64 // the race detector's memory; 0: 8 GiB
}

// WithDefaults returns the limits with the default of each that is 0.
func (l Limits) WithDefaults() Limits {
	if l.PrivateBytes == 0 {
		l.PrivateBytes = 1 << 30
	}
	if l.LocalBytes == 0 {
		l.LocalBytes = 64 << 20
	}
	if l.ShadowBytes == 0 {
		l.ShadowBytes = 8 << 30
	}
	return l
}

// A LimitError reports that a launch needs more than its limits allow.
type LimitError struct {
	What        string
	Need, Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d bytes needed, the limit is %d", e.What, e.Need, e.Limit)
}

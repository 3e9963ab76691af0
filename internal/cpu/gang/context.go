package gang

import (
	"sync/atomic"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Context is what a function works on: the gangs to run, the kernel's arguments and memory. A
// worker of a launch fills it in; machine code has the same facts in a layout of its own.
type Context struct {
	Params  [][]uint64 // bits of each element of each kernel parameter
	Roots   []Memory   // by number of the root
	Queries [ssa.NumQueries][3]uint64
	Global  [3]uint64 // ids of lane 0 of the first gang, in a function of the work-group of the current one
	Local   [3]uint64
	Behind  uint64 // global id in dimension 0 behind the last gang's lanes
	Active  int    // lanes of a gang that are work-items
	Flush   bool   // subnormal numbers are flushed to zero; the thread's environment is so already
	Host    Host
}

// Memory is a root's memory.
type Memory struct {
	Pointer  uint64 // to its first byte, as kernels see it
	Size     uint64 // bytes; of a private object those of one lane
	Data     []byte // of a private object the lanes' copies, one after the other
	Writable bool
}

// contains reports whether an access lies in the root.
func (m *Memory) contains(off uint64, size int, write bool) bool {
	return off <= m.Size && m.Size-off >= uint64(size) && (m.Writable || !write)
}

// A Host does what a function asks of the launch. Its methods are called by the worker that
// runs the function.
type Host interface {
	// Begin says that the gang whose lane 0 has this global id in dimension 0 begins.
	Begin(global uint64)
	// Poll reports whether the function is to go on. It need not be asked while Watched's
	// variable is false.
	Poll() bool
	Watched() *atomic.Bool
	// Next makes the work-group's next gang the current one and reports true; behind the last it
	// makes it the first one and reports false. The context is then about that gang.
	Next() bool
	// Access does an access by pointers.
	Access(r *Request)
	// Call does an operation of the kernel.
	Call(c *Call)
}

// A Call is an operation that the host does: see [OpCall].
type Call struct {
	Access int        // number of the access
	Lanes  []bool     // the lanes that take part
	Args   [][]uint64 // by element of the operands, by lane
	Result []uint64   // the elements of a lane's result, lane after lane
}

// A Request is an access by lanes' pointers: see [OpLoadPtr] and the ops behind it.
type Request struct {
	Inst   *Inst
	Access int      // number of the access
	Size   int      // bytes of a lane
	Lanes  []bool   // the lanes that take part
	Ptr    []uint64 // by lane
	From   []uint64 // by lane, of OpCopyPtr
	// Data holds Size bytes for each lane: what is read, or is to be written; of an atomic
	// operation the operand and then the old value. Expected is OpAtomicCAS's second argument;
	// Data is then the third.
	Data, Expected []byte
}

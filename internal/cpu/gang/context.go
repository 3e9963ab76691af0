package gang

import (
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Context is a gang function's input: the gangs to run, the kernel's arguments and its memory. A worker of a
// launch fills it in. Machine code uses its own layout of the same facts.
type Context struct {
	Params  [][]uint64 // bits of each element of each kernel parameter
	Roots   []Memory   // by number of the root
	Queries [ssa.NumQueries][3]uint64
	Global  [3]uint64 // ids of lane 0: of the first gang, or of the current one if the function runs a whole work-group
	Local   [3]uint64
	IDEnd   uint64 // one past the last lane's global id in dimension 0
	Active  int    // lanes of a gang that are work-items
	Flush   bool   // flush subnormal numbers to zero; the thread's floating-point mode is set already
	Host    Host
	Noise   uint64 // for the interpreter: another number gives other unspecified values, as in lanes outside of a load's predicate
}

// Memory is the memory of one root.
type Memory struct {
	Pointer  uint64 // kernels' pointer to its first byte
	Size     uint64 // in bytes; for a private object, of one lane's copy
	Data     []byte // for a private object the lanes' copies, one after the other
	Writable bool
}

// contains reports whether the root contains an access of size bytes at off and permits it.
func (m *Memory) contains(off uint64, size int, write bool) bool {
	return off <= m.Size && m.Size-off >= uint64(size) && (m.Writable || !write)
}

// fact returns a fact of package ssa about the root's memory.
func (m *Memory) fact(aux int64) uint64 {
	switch {
	case aux == ssa.ObjectAddress:
		return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.Data))))
	case aux == ssa.ObjectWritable && !m.Writable:
		return 0
	}
	return m.Size
}

// disjoint reports whether two roots do not overlap.
func (m *Memory) disjoint(o *Memory) bool {
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(m.Data))), uintptr(unsafe.Pointer(unsafe.SliceData(o.Data)))
	return a+uintptr(len(m.Data)) <= b || b+uintptr(len(o.Data)) <= a
}

// A Host serves a function's calls into the launch. The worker that runs the function calls its methods.
type Host interface {
	// Begin announces that a gang begins; global is its lane 0's id in dimension 0.
	Begin(global uint64)
	// Poll reports whether the function may continue. The function need not call it while Watched's variable is
	// false.
	Poll() bool
	Watched() *atomic.Bool
	// Next makes the work-group's next gang current and returns true. After the last gang it makes the first
	// one current and returns false. It updates the context.
	Next() bool
	// Access performs an access through pointers.
	Access(r *Request)
	// Call performs an operation of the kernel.
	Call(c *Call)
}

// A Call is a host call: see [OpCall].
type Call struct {
	Access int        // number of the access
	Lanes  []bool     // the lanes that take part
	Args   [][]uint64 // by element of the operands, then by lane
	Result []uint64   // N elements for each lane, lane after lane
}

// A Request is an access through lanes' pointers: see [OpLoadPtr] and the ops after it.
type Request struct {
	Inst   *Inst
	Access int      // number of the access
	Size   int      // bytes per lane
	Lanes  []bool   // the lanes that take part
	Ptr    []uint64 // by lane
	From   []uint64 // by lane: OpCopyPtr's source
	// Data holds Size bytes per lane: the bytes read, or to be written. An atomic operation's operand is
	// replaced by the old value. For OpAtomicCAS, Expected is the second argument and Data the third.
	Data, Expected []byte
}

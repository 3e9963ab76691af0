package interp

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Program is a compiled kernel. It is immutable and may be shared.
type Program struct {
	Kernel *ssa.Func
	Checks exec.Checks

	facts

	fns       []*fn
	frame     int32 // bytes of column storage of a lane
	cells     int32 // uniform cells
	consts    []constCell
	addrs     []addrCell
	allocas   []allocaInfo
	queries   []queryCell
	params    [][]constCell // storage of each parameter's elements
	granShift uint8         // log2 of the race detector's granule
	printf    bool
	stepped   bool // for a Stepper: no value is uniform, so that work-items may diverge anywhere

	subGroupShift uint8 // log2 of the work-items of a sub-group
}

// facts are properties of a kernel that a launch needs.
type facts struct {
	HasBarrier bool
	UsesLocal  bool // local memory, as variables or arguments
	SubGroups  bool // functions of sub-groups
	// Synchronizes is set if other operations than barriers of work-groups may order memory accesses, such as
	// atomic operations that acquire or release.
	Synchronizes bool
	Mixed        bool // lanes of several work-groups may run in one batch
	// OrderSensitive is set if the result may depend on the order of work-groups: the kernel uses old values of
	// atomics on memory that work-groups share, or adds floating-point numbers atomically.
	OrderSensitive bool
	PrivateSize    int64         // bytes of private memory of a work-item
	LocalSize      int64         // bytes of the kernel's local variables
	Globals        []*ssa.Global // variables that it accesses, itself or through initializers
	ColumnBytes    int64         // bytes of registers of a work-item
}

// A constCell is a constant: a cell and, if lanes read it as a column, a column too.
type constCell struct {
	bits uint64
	size uint8
	cell int32 // byte offset in the cells
	col  int32 // column unit or -1
}

// An addrCell is the address of a variable or private object.
type addrCell struct {
	global *ssa.Global // or nil:
	alloca int32
	cell   int32
	col    int32
}

// An allocaInfo is a private object with its offset in each work-item's private memory.
type allocaInfo struct {
	*ssa.Alloca
	off int64
}

// A queryCell is a work-item query with a known dimension: a cell (uniform) or a column (varying), which is set at
// the start of a batch.
type queryCell struct {
	query ssa.WorkItemQuery
	dim   uint8
	size  uint8
	cell  int32 // or -1
	col   int32 // or -1
}

// A kernel executes an instruction for the active lanes of a view.
type kernel func(v *view, in *inst)

// An inst is an instruction. d, a, b, c and the lists are register numbers before storage is assigned, and
// afterwards offsets: of a cell, or of a column in bytes per lane.
type inst struct {
	run     kernel
	uniform bool    // runs once on cells, not on columns
	effect  bool    // has a side effect: it is not removed
	keep    bool    // its operands must not share storage with its results
	asks    bool    // of a pointer cast: null is a valid result, see kPtrCast
	waits   waiting // of a stepped program: the work-items that must arrive before it runs
	d       int32
	a, b, c int32
	dst     []int32
	src     []int32
	guards  []*inst // checks that run before it
	taint   int32   // of a taint guard: the register that it checks, before storage is assigned
	imm     uint64
	mem     *access
	ext     any
	pos     diag.Pos
	id      int32 // number in the program, for the keys of findings
}

// A termKind is the kind of a block's terminator.
type termKind uint8

const (
	termJump termKind = iota
	termBranch
	termSwitch
	termReturn
	termBarrier
	termLatch // jump back to a loop's header, from its latch after the loop
	noTerm    // no lane continues
)

// A waiting is the set of work-items that must execute an instruction together.
type waiting uint8

const (
	waitsForNone waiting = iota
	waitsForSubGroup
	waitsForGroup
)

// A block is a basic block. Its number is its position in the scheduling order of lanes.
type block struct {
	insts   []inst
	term    termKind
	uniform bool // the condition is in a cell
	cond    int32
	condSz  uint8
	cases   []uint64       // termSwitch: the operand of succs[i+1]
	lookup  map[uint64]int // termSwitch with many cases: the successor of each
	succs   []edge
	pos     diag.Pos
	fence   int64 // termBarrier: flags and scope
}

// An edge leads to a block; its moves set the target's phis.
type edge struct {
	to    int32
	back  bool // to the same or an earlier block
	moves []inst
}

// A fn is a function of the program.
type fn struct {
	name        string
	ssa         *ssa.Func
	index       int
	blocks      []block
	params      []int32 // columns, one for each component; not of the kernel
	paramSizes  []uint8
	results     []int32 // columns
	resultSize  uint8
	irreducible bool
	base        int32 // first column unit
}

package ptx

// The parameter block of a launch begins with these fields, which package device fills in. Offsets are in bytes.
const (
	HeadObjects    = 0   // address of the object table
	HeadNumObjects = 8   // uint32: number of its entries
	HeadFlags      = 12  // uint32: Flag…
	HeadRecords    = 16  // address of the records of findings
	HeadSignals    = 24  // address of the signals, in memory that host and device share
	HeadPrint      = 32  // address of the buffer of printf
	HeadPrintSize  = 40  // size of that buffer, without the PrintHead
	HeadDims       = 48  // uint32: dimensions of the range
	HeadZero       = 52  // uint32: bytes of local memory to clear, a multiple of 16
	HeadOffset     = 56  // [3]uint32: global offset
	HeadGlobal     = 68  // [3]uint32: global size
	HeadLocal      = 80  // [3]uint32: work-items of a full work-group
	HeadGroups     = 92  // [3]uint32: work-groups of the whole range
	HeadFirst      = 104 // [3]uint32: the first work-group of this grid
	HeadBase       = 120 // linear id of the first work-group of this grid
	HeadArgs       = 128 // offset of the first root or argument
)

// The flags.
const FlagStrict = 1 // work-items that fault are stopped

// A root is the part of the parameter block for an object that the kernel's code knows.
const (
	RootSize   = 32
	RootPtr    = 0  // pointer to its beginning
	RootBase   = 8  // address; of local memory relative to the block's shared memory
	RootLen    = 16 // size in bytes
	RootWrites = 24 // writable bytes: 0 or RootLen
)

// An entry of the object table.
const (
	ObjectEntry  = 32
	ObjectBase   = 0  // address; of local and private objects relative to the block's shared and the work-item's private memory
	ObjectLen    = 8  // size in bytes
	ObjectWrites = 16 // writable bytes
	ObjectSpace  = 24 // uint32: Space…
	ObjectKind   = 28 // uint32: the ssa.Kind of its address space
)

// The memory that an object lies in.
const (
	SpaceGlobal  = 0
	SpaceLocal   = 1
	SpacePrivate = 2
)

// RecordsHead is the size of the header of the records: a counter of writes to records, which orders a work-item's
// findings, and the lock of atomic operations at misaligned addresses.
const (
	RecordsHead  = 16
	RecordsTimes = 0
	RecordsLock  = 8
)

// A record holds the findings of one kind at one access. It is all zero at launch.
const (
	RecordSize  = 40
	RecordLock  = 0
	RecordX     = 4  // uint32: the x coordinate of an element outside of an image
	RecordCount = 8  // number of findings
	RecordItem  = 16 // 1 + key (group<<ItemBits | thread) of the first work-item in that order
	RecordPtr   = 24 // the pointer of that work-item; of an element outside of an image the other coordinates, y in the low half
	RecordTime  = 32 // the header's counter when the record was written
	ItemBits    = 16
)

// The kinds of findings of an access. The record of a kind has the number access·NumBad + kind.
const (
	BadBounds = iota
	BadWrite  // write to read-only memory
	BadNull
	BadObject  // pointer without an object
	BadBarrier // work-items of a group wait at different barriers
	NumBad
)

// The signals are words in memory that host and device share.
const (
	SignalStop    = 0 // the host asks the launch to end
	SignalFound   = 4 // some record is not zero
	SignalStopped = 8 // work-items have ended because of SignalStop
	SignalsSize   = 16
)

// PrintHead is the size of the header of printf's buffer, which begins with the number of bytes requested so far.
const PrintHead = 16

// An entry of printf's buffer: its size, its call, the work-item's key as in a record, then 8 bytes for each
// element of each argument.
const (
	PrintBytes = 0 // uint32
	PrintCall  = 4 // uint32: index in Kernel.Printfs
	PrintItem  = 8 // group<<ItemBits | thread
	PrintArgs  = 16
)

// Rounds is the number of back edges that a work-item takes between polls of SignalStop.
const Rounds = 1 << 16

// SharedReserved is the number of bytes of a block's shared memory before the kernel's local memory, in which
// barriers compare where work-items wait.
const SharedReserved = 16

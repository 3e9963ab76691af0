package ptx

// The parameter block of a launch begins with these fields, which package device fills in.
// Offsets are in bytes.
const (
	HeadObjects    = 0   // address of the object table
	HeadNumObjects = 8   // uint32: its entries
	HeadFlags      = 12  // uint32: Flag…
	HeadRecords    = 16  // address of the records of findings
	HeadSignals    = 24  // address of the signals, in memory that the host and the device see
	HeadPrint      = 32  // address of the buffer of printf
	HeadPrintSize  = 40  // its bytes behind the PrintHead
	HeadDims       = 48  // uint32: dimensions of the range
	HeadZero       = 52  // uint32: bytes of local memory to clear, a multiple of 16
	HeadOffset     = 56  // [3]uint32: of the global ids
	HeadGlobal     = 68  // [3]uint32: global size
	HeadLocal      = 80  // [3]uint32: work-items of a full work-group
	HeadGroups     = 92  // [3]uint32: work-groups of the whole range
	HeadFirst      = 104 // [3]uint32: the first work-group of this grid
	HeadArgs       = 128 // roots and arguments follow
)

// The flags.
const FlagStrict = 1 // work-items that fault stop

// A root is an entry of the parameter block for an object that the kernel's code knows.
const (
	RootSize   = 32
	RootPtr    = 0  // pointer to its beginning
	RootBase   = 8  // address; of local memory from the beginning of a block's
	RootLen    = 16 // bytes
	RootWrites = 24 // bytes that may be written to: 0 or RootLen
)

// An entry of the object table.
const (
	ObjectEntry  = 32
	ObjectBase   = 0  // address; of local memory from its beginning, of a private object in the work-item's
	ObjectLen    = 8  // bytes
	ObjectWrites = 16 // bytes that may be written to
	ObjectSpace  = 24 // uint32: Space…
	ObjectKind   = 28 // uint32: the ssa.Kind of its address space
)

// The memory that an object lies in.
const (
	SpaceGlobal  = 0
	SpaceLocal   = 1
	SpacePrivate = 2
)

// RecordsHead is the size of what records begin with: the number of times so far that one has
// been written to, which orders the findings of a work-item, and the lock of atomic operations at
// addresses that the hardware has none for.
const (
	RecordsHead  = 16
	RecordsTimes = 0
	RecordsLock  = 8
)

// A record is of the findings of one kind by one access. It is all zero before.
const (
	RecordSize  = 40
	RecordLock  = 0
	RecordX     = 4  // uint32: of an element outside of an image, the first coordinate
	RecordCount = 8  // findings
	RecordItem  = 16 // 1 + (group<<ItemBits | thread) of the first of them in that order
	RecordPtr   = 24 // the pointer of that one; of an element the other coordinates, the second below
	RecordTime  = 32 // the number of times that a record had been written to before
	ItemBits    = 16
)

// The kinds of findings of an access; Records are numbered access·NumBad + kind.
const (
	BadBounds = iota
	BadWrite  // to read-only memory
	BadNull
	BadObject  // there is no such
	BadBarrier // barriers at which the work-items of a group part
	NumBad
)

// The signals between host and device: words in memory that both see.
const (
	SignalStop    = 0 // the host wants the launch to end
	SignalFound   = 4 // there are records
	SignalStopped = 8 // work-items have ended because of SignalStop
	SignalsSize   = 16
)

// The buffer of printf begins with the number of bytes wanted so far.
const PrintHead = 16

// An entry of the buffer of printf: its size and call, the work-item as in a record, then 8
// bytes for each element of each argument.
const (
	PrintBytes = 0 // uint32
	PrintCall  = 4 // uint32: index in Kernel.Printfs
	PrintItem  = 8 // group<<ItemBits | thread
	PrintArgs  = 16
)

// Rounds is how many ways back in loops a work-item takes between looks at SignalStop.
const Rounds = 1 << 16

// SharedReserved is the part of a block's shared memory before a kernel's local memory: what
// barriers compare.
const SharedReserved = 16

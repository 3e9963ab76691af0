package x86

// The worker's context, which R15 points to: offsets in bytes. The launch and the code
// talk through it.
const (
	CtxSP         = 0 // of the caller
	CtxBP         = 8
	CtxStop       = 16 // address of a byte that is not 0 when the launch is to end
	CtxStatus     = 24 // why the code returned: Status…
	CtxYield      = 32 // number of the operation to compute, of StatusYield
	CtxResume     = 40 // where to go on
	CtxFrame      = 48 // the current gang's frame
	CtxFirst      = 56 // the first gang's frame
	CtxEnd        = 64 // behind the last gang's
	CtxLive       = 72 // gangs that have not returned
	CtxBehind     = 80 // global id behind the last gang of the row, where the code goes through them itself
	CtxObjects    = 88 // the object table
	CtxNumObjects = 96
	CtxRecords    = 104                        // violations: address of the next record
	CtxRecordsOf  = 112                        // address of the records' table, before them: [accesses][NumBad]uint32, how far from it they are, 0: none
	CtxTime       = 120                        // violations so far
	CtxArrived    = 128                        // barrier at which the first gang of the phase has arrived
	CtxStride     = 136                        // bytes from one gang's frame to the next
	CtxQueries    = 144                        // [NumQueries][3]uint64
	CtxGroups     = 408                        // work-groups still to go through, side by side in dimension 0; else rows
	CtxGroupSize  = 416                        // their size in dimension 0
	CtxLocal      = 424                        // address of the local memory
	CtxLocalWords = 432                        // its size in 8 bytes
	CtxUnaligned  = 440                        // address of the lock for misaligned atomic operations
	CtxStrict     = 448                        // not 0: work-items that fault stop
	CtxFaulted    = 456                        // 1 when work-items of the run have stopped: CtxStop leads here then
	CtxStopped    = 464                        // what CtxStop is else
	CtxRounds     = 472                        // that a gang with work-items that have stopped may still take
	CtxKept       = 480                        // RAX, while a block is counted
	CtxOrder      = 488                        // by how much FrameOrder grows from lane to lane; 0 where there are no work-groups
	CtxNoRecords  = 496                        // what CtxRecords is where there are none
	CtxRowFirst   = 504                        // of a row whose code goes through rows: global id of its first gang
	CtxRowBehind  = 512                        // what CtxBehind is at the row's beginning
	CtxRowLanes   = 520                        // likewise FrameLanes
	CtxRowStart   = 528                        // where a row begins
	CtxFirstRow   = 536                        // the first global id in dimension 1
	CtxBehindRows = 544                        // that behind the last
	CtxTail       = 552                        // where the gang begins that ends a row with fewer work-items than lanes; 0: none does
	CtxTailLanes  = 560                        // its FrameLanes
	CtxTailBehind = 568                        // its CtxBehind
	CtxPtrs       = 576                        // a pointer for each lane
	CtxArgs       = CtxPtrs + 8*MaxLanes       // 3 operands of an operation that the launch computes, then the result
	CtxVals       = CtxArgs + 4*CtxArgSize     // what stubs load and store, for each lane
	CtxRoots      = CtxVals + MaxStep*MaxLanes // roots, then parameters
)

const (
	// MaxLanes is the greatest number of work-items of a gang.
	MaxLanes = 128
	// CtxCounters is where the block counters of code for whole gangs may stand, and CtxMoreCounters those of
	// other code with the same context; nothing else of a context that has counters reaches so far.
	CtxCounters     = 1 << 20
	CtxMoreCounters = 2 << 20
	// CtxArgSize is the room for an operand.
	CtxArgSize = 8 * MaxLanes
	// CtxResult is where an atomic operation's results are, from CtxVals; the operands
	// come before.
	CtxResult = 2 * CtxArgSize
	// MaxStep is the greatest size of what a lane loads or stores at once.
	MaxStep = 128
)

// The reasons for which code returns.
const (
	StatusDone    = 0
	StatusYield   = 1
	StatusStopped = 2
	StatusBarrier = 3 // gangs wait at different barriers
	StatusLeft    = 5 // a gang of several rows has stored nothing that counts and is to be done row by row
	StatusRounds  = 4 // a gang with work-items that have stopped does not end
)

// A root is 32 bytes: pointer, address, size, size for writes.
const (
	RootSize   = 32
	RootPtr    = 0
	RootBase   = 8
	RootLen    = 16
	RootWrites = 24
)

// The gang's frame, which R14 points to.
const (
	FrameResume  = 0
	FrameGlobal  = 8   // [3]uint64: ids of lane 0
	FrameLocal   = 32  // [3]uint64
	FrameLanes   = 56  // lanes that are work-items
	FramePrivate = 64  // address of the private memory
	FrameArrived = 72  // barrier at which the gang waits
	FrameStart   = 80  // where the gang begins
	FrameFaulted = 88  // FrameGlobal of the gang that FrameLost is about
	FrameLost    = 96  // [MaxLanes]bit: lanes that have stopped
	FrameOrder   = 112 // number in the work-group of the first lane's work-item, in the host's order; 0 where there are no work-groups
	frameSlots   = 128
)

// An entry of the object table is 32 bytes.
const (
	ObjectEntry = 32
	ObjBase     = 0
	ObjLen      = 8
	ObjLane     = 16 // distance between the lanes' copies of a private object
	ObjFlags    = 24
	ObjReadOnly = 1
	ObjPrivate  = 2 // the address counts from FramePrivate
	ObjRows     = 4 // elements of all lanes lie side by side: the address counts in lanes
	ObjElem     = 8 // shift of the size of such elements in bytes, less 1
)

// A record is of the violations of one kind by one access: how many they are, and the
// first in order of work-groups, work-items and time.
const (
	RecordSize = 64
	RecCount   = 0
	RecTime    = 8  // value of CtxTime; like what follows, of the first
	RecPtr     = 16 // the pointer
	RecGroups  = 24 // value of CtxGroups: greater in earlier work-groups
	RecOrder   = 32 // number of the work-item in its work-group, in the host's order
	RecGlobal  = 40 // uint64: global id in dimension 0
	RecRest    = 48 // [2]uint32: in the others
	RecOf      = 56 // number of the access · NumBad + kind
)

// The kinds of violations, as far as the code tells them apart.
const (
	badBounds = iota
	badWrite  // to read-only memory
	badNull
	badObject // there is no such
	NumBad
)

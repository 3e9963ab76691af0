package x86

// Offsets in bytes of the worker's context, through which the launch and the code communicate. R15 points to
// it.
const (
	CtxSP         = 0 // the caller's
	CtxBP         = 8
	CtxStop       = 16 // address of a byte that is not 0 if the launch must end
	CtxStatus     = 24 // reason for the return: Status…
	CtxYield      = 32 // number of the operation to compute, for StatusYield
	CtxResume     = 40 // address to resume at
	CtxFrame      = 48 // the current gang's frame
	CtxFirst      = 56 // the first gang's frame
	CtxEnd        = 64 // end of the last gang's frame
	CtxLive       = 72 // gangs that have not returned
	CtxIDEnd      = 80 // one past the last global id of the row, if the code visits the row's gangs itself
	CtxObjects    = 88 // the object table
	CtxNumObjects = 96
	CtxRecords    = 104                        // violations: address of the next record
	CtxRecordsOf  = 112                        // address of the records' table, before them: [accesses][NumBad]uint32, the distance of the record, 0: none
	CtxTime       = 120                        // violations so far
	CtxArrived    = 128                        // the barrier that the first gang of the phase has reached
	CtxStride     = 136                        // bytes from one gang's frame to the next
	CtxQueries    = 144                        // [NumQueries][3]uint64
	CtxGroups     = 408                        // remaining work-groups, or rows
	CtxGroupSize  = 416                        // their size in dimension 0
	CtxLocal      = 424                        // address of the local memory
	CtxLocalWords = 432                        // its size in units of 8 bytes
	CtxUnaligned  = 440                        // address of the lock for misaligned atomic operations
	CtxStrict     = 448                        // not 0: faulting work-items stop
	CtxFaulted    = 456                        // 1 if work-items of the run have stopped; CtxStop then points here
	CtxStopped    = 464                        // the usual value of CtxStop
	CtxRounds     = 472                        // iterations left for a gang with stopped work-items
	CtxKept       = 480                        // RAX, while a block's counter is incremented
	CtxOrder      = 488                        // growth of FrameOrder from lane to lane; 0 without work-groups
	CtxNoRecords  = 496                        // the value of CtxRecords without records
	CtxRowFirst   = 504                        // if the code visits rows: global id of the row's first gang
	CtxRowIDEnd   = 512                        // the value of CtxIDEnd at the start of a row
	CtxRowLanes   = 520                        // the value of FrameLanes at the start of a row
	CtxRowStart   = 528                        // address of the code for a row
	CtxFirstRow   = 536                        // the first global id in dimension 1
	CtxRowsEnd    = 544                        // one past the last one
	CtxTail       = 552                        // address of the code for the partial gang at the end of a row; 0: none
	CtxTailLanes  = 560                        // its FrameLanes
	CtxTailIDEnd  = 568                        // its CtxIDEnd
	CtxRowGroups  = 576                        // for functions of work-groups: work-groups left in the row of work-groups in dimension 0
	CtxRowLength  = 584                        // their number in each further row, whose first work-group has id 0 in dimension 0
	CtxRowBack    = 592                        // the global ids of a row's last work-group minus those of the first, in dimension 0
	CtxRowStep    = 600                        // those of the next row minus those of a row, in dimension 1
	CtxPtrs       = 640                        // one pointer per lane
	CtxArgs       = CtxPtrs + 8*MaxLanes       // 3 operands of a host call, then the result
	CtxVals       = CtxArgs + 4*CtxArgSize     // data of the stubs' loads and stores, for each lane
	CtxRoots      = CtxVals + MaxStep*MaxLanes // roots, then parameters
)

const (
	// MaxLanes is the greatest number of work-items of a gang.
	MaxLanes = 128
	// CtxCounters is the offset of the block counters of code for whole gangs; CtxMoreCounters is that of other
	// code with the same context. Nothing else in the context is at these offsets.
	CtxCounters     = 1 << 20
	CtxMoreCounters = 2 << 20
	// CtxArgSize is the size of an operand.
	CtxArgSize = 8 * MaxLanes
	// CtxResult is the offset from CtxVals of an atomic operation's results; the operands precede them.
	CtxResult = 2 * CtxArgSize
	// MaxStep is the greatest size of a lane's single load or store.
	MaxStep = 128
)

// The reasons for a return from the code.
const (
	StatusDone    = 0
	StatusYield   = 1
	StatusStopped = 2
	StatusBarrier = 3 // gangs wait at different barriers
	StatusLeft    = 5 // a gang of several rows has had no observable effects and must be executed row by row
	StatusRounds  = 4 // a gang with stopped work-items does not end
)

// A root is 32 bytes: pointer, address, size, size for writes.
const (
	RootSize   = 32
	RootPtr    = 0
	RootBase   = 8
	RootLen    = 16
	RootWrites = 24
)

// Offsets of the gang's frame. R14 points to it.
const (
	FrameResume  = 0
	FrameGlobal  = 8   // [3]uint64: ids of lane 0
	FrameLocal   = 32  // [3]uint64
	FrameLanes   = 56  // active lanes
	FramePrivate = 64  // address of the private memory
	FrameArrived = 72  // the barrier at which the gang waits
	FrameStart   = 80  // address of the gang's code
	FrameFaulted = 88  // FrameGlobal of the gang to which FrameLost belongs
	FrameLost    = 96  // [MaxLanes]bit: stopped lanes
	FrameOrder   = 112 // number of the first lane's work-item in the work-group, in the host's order; 0 without work-groups
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
	ObjPrivate  = 2 // the address is relative to FramePrivate
	ObjRows     = 4 // interleaved by element: the address counts lanes
	ObjElem     = 8 // log2 of the element size in bytes, minus 1
)

// A record counts the violations of one kind by one access, and describes the first in order of work-groups,
// work-items and time.
const (
	RecordSize = 64
	RecCount   = 0
	RecTime    = 8  // value of CtxTime; this and the following fields describe the first violation
	RecPtr     = 16 // the pointer
	RecGroups  = 24 // value of CtxGroups: greater in earlier work-groups
	RecOrder   = 32 // number of the work-item in its work-group, in the host's order
	RecGlobal  = 40 // uint64: global id in dimension 0
	RecRest    = 48 // [2]uint32: global ids in the other dimensions
	RecOf      = 56 // number of the access · NumBad + kind
)

// The kinds of violations that the code distinguishes.
const (
	badBounds = iota
	badWrite  // to read-only memory
	badNull
	badObject // no such object
	NumBad
)

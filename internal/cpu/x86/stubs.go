package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A stub is shared code that selected code calls or jumps to.
type stub struct {
	kind  stubKind
	size  int // bytes of the access
	step  int // distance of the lanes' values in bytes
	rmw   ssa.RMW
	elem  ssa.Kind
	whole bool  // a load gives 0 if any of its bytes is outside of the object; for sRow: the gangs of the row were whole
	alone bool  // no other thread accesses the memory concurrently
	used  bool  // the results are used
	all   int   // the stub is for all lanes, this many
	scale uint8 // scale of the offsets at CtxPtrs
	row   bool  // the addresses of active lanes are consecutive
	rows  int   // rows of the range per gang
	from  int   // number of the lane of the first mask bit
	label asm.Label
}

type stubKind uint8

const (
	sNextGang stubKind = iota // continues with the next gang at a barrier
	sGangDone                 // ends a gang
	sRecord                   // records a violation
	sPoll                     // ends the run if the launch must end
	sInside                   // moves the bytes of a faulting access that are inside its object
	sSpread                   // computes the pointers of all lanes from that of lane 0
	sLoad
	sStore
	sRMW
	sPut    // stores to addresses that are in bounds
	sAtomic // atomic operations at addresses that are in bounds
	sChain  // atomic operations of all lanes at one address that is in bounds
	sBins   // additions of one number at addresses that are in bounds, once per lane
	sRow    // ends a row: continues with its partial gang or with the next row
	sLeave  // leaves a gang of several rows to the launch
)

// The numbers of the stubs that every kernel has.
const (
	stubNextGang = iota
	stubGangDone
	stubRecord
	stubPoll
	stubInside
	numFixedStubs
)

func (e *emitter) rr(op asm.Op, w asm.Width, d, s asm.Reg) {
	e.raw(asm.Inst{Op: op, W: w, Reg: d, V: asm.NoReg, RM: s})
}

func (e *emitter) rm(op asm.Op, w asm.Width, r asm.Reg, m asm.Mem) {
	e.raw(asm.Inst{Op: op, W: w, Reg: r, V: asm.NoReg, RM: asm.NoReg, HasMem: true, Mem: m})
}

func (e *emitter) ri(op asm.Op, w asm.Width, r asm.Reg, x int64) {
	e.raw(asm.Inst{Op: op, W: w, Reg: asm.NoReg, V: asm.NoReg, RM: r, Imm: x})
}

// op emits an instruction with a single operand, in memory.
func (e *emitter) op(op asm.Op, m asm.Mem) { e.rm(op, 8, asm.NoReg, m) }

// ctx returns the operand at an offset in the worker's context.
func ctx(off int32) asm.Mem { return asm.At(asm.R15, off) }

// frame returns the operand at an offset in the gang's frame.
func frame(off int32) asm.Mem { return asm.At(asm.R14, off) }

func (e *emitter) push(r asm.Reg) { e.ri(asm.PUSH, 8, r, 0) }
func (e *emitter) pop(r asm.Reg)  { e.ri(asm.POP, 8, r, 0) }

// move copies 8 bytes of memory through a register.
func (e *emitter) move(to, from asm.Mem, by asm.Reg) {
	e.rm(asm.MOVL, 8, by, from)
	e.rm(asm.MOV, 8, by, to)
}

// compare jumps after a comparison of a register with 8 bytes of memory.
func (e *emitter) compare(r asm.Reg, m asm.Mem, jump asm.Op, to asm.Label) {
	e.rm(asm.CMP, 8, r, m)
	e.a.Jump(jump, to)
}

// testRegs jumps (JE) if two registers have no bits in common, or (JNE) if they have some.
func (e *emitter) testRegs(w asm.Width, a, b asm.Reg, jump asm.Op, to asm.Label) {
	e.rr(asm.TEST, w, a, b)
	e.a.Jump(jump, to)
}

// test jumps (JE) if none of the bits is set in memory, or (JNE) if some are.
func (e *emitter) test(m asm.Mem, bits int64, jump asm.Op, to asm.Label) {
	e.raw(asm.Inst{Op: asm.TESTIMM, W: 4, Reg: asm.NoReg, V: asm.NoReg, RM: asm.NoReg, HasMem: true, Mem: m, Imm: bits})
	e.a.Jump(jump, to)
}

// testStop jumps if the byte is set whose address is in the context. It clobbers RAX.
func (e *emitter) testStop(address int32, to asm.Label) {
	e.rm(asm.MOVL, 8, asm.RAX, ctx(address))
	e.test(asm.At(asm.RAX, 0), 0xFF, asm.JNE, to)
}

// leave returns to Go with a status.
func (e *emitter) leave(status int64) {
	e.immMem(asm.R15, CtxStatus, status)
	e.a.Jump(asm.JMP, e.exit)
}

// stubCode has the names of stubs in listings and their code, by kind.
var stubCode = [...]struct {
	name string
	code func(e *emitter, s *stub)
}{
	sNextGang: {"next-gang", (*emitter).nextGang},
	sGangDone: {"gang-done", (*emitter).gangDone},
	sRecord:   {"record", (*emitter).record},
	sPoll:     {"poll", (*emitter).poll},
	sInside:   {"inside", (*emitter).inside},
	sSpread:   {"spread", (*emitter).spread},
	sLoad:     {"load", (*emitter).lanes},
	sStore:    {"store", (*emitter).lanes},
	sRMW:      {"rmw", (*emitter).lanes},
	sPut:      {"put", (*emitter).put},
	sAtomic:   {"atomic", (*emitter).atomicLanes},
	sChain:    {"chain", (*emitter).atomicChain},
	sBins:     {"bins", (*emitter).bins},
	sRow:      {"next-row", (*emitter).nextRow},
	sLeave:    {"leave", func(e *emitter, _ *stub) { e.leave(StatusLeft) }},
}

// nextGang continues with the next gang of the work-group. After the last gang has arrived, the first continues
// after the barrier.
func (e *emitter) nextGang(*stub) {
	ok, same, differ := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	// The first gang to arrive determines the barrier.
	e.rm(asm.MOVL, 8, asm.RAX, frame(FrameArrived))
	e.rm(asm.MOVL, 8, asm.RCX, ctx(CtxArrived))
	e.testRegs(8, asm.RCX, asm.RCX, asm.JNE, same)
	e.rm(asm.MOV, 8, asm.RAX, ctx(CtxArrived))
	e.a.Jump(asm.JMP, ok)
	e.a.Bind(same)
	e.rr(asm.CMP, 8, asm.RCX, asm.RAX)
	e.a.Jump(asm.JNE, differ)
	e.a.Bind(ok)
	e.advance()
	e.a.Bind(differ)
	e.immMem(asm.R15, CtxStatus, StatusBarrier)
	e.rm(asm.MOV, 8, asm.R14, ctx(CtxFrame))
	e.a.Jump(asm.JMP, e.exit)
}

// nextRow continues after the gangs of a row: with the partial gang if these gangs were whole and there is one, or
// with the next row. It returns to Go after the last row, when the launch is to end, and when there are findings
// to report or stopped work-items to clear.
func (e *emitter) nextRow(s *stub) {
	next, same, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	if s.whole {
		e.op(asm.CMPIMM, ctx(CtxTail))
		e.a.Jump(asm.JE, next)
		e.move(frame(FrameGlobal), ctx(CtxIDEnd), asm.RAX)
		e.move(frame(FrameLanes), ctx(CtxTailLanes), asm.RAX)
		e.move(ctx(CtxIDEnd), ctx(CtxTailIDEnd), asm.RAX)
		e.op(asm.JMPR, ctx(CtxTail))
		e.a.Bind(next)
	}
	e.op(asm.DEC, ctx(CtxGroups))
	e.a.Jump(asm.JE, done)
	e.testStop(CtxStop, done)
	e.rm(asm.MOVL, 8, asm.RAX, ctx(CtxRecords))
	e.compare(asm.RAX, ctx(CtxNoRecords), asm.JNE, done)
	e.move(frame(FrameLanes), ctx(CtxRowLanes), asm.RAX)
	e.move(ctx(CtxIDEnd), ctx(CtxRowIDEnd), asm.RAX)
	e.move(frame(FrameGlobal), ctx(CtxRowFirst), asm.RAX)
	e.rm(asm.MOVL, 8, asm.RAX, frame(FrameGlobal+8))
	e.ri(asm.ADDIMM, 8, asm.RAX, int64(s.rows))
	e.compare(asm.RAX, ctx(CtxRowsEnd), asm.JB, same)
	e.op(asm.INC, frame(FrameGlobal+16))
	e.rm(asm.MOVL, 8, asm.RAX, ctx(CtxFirstRow))
	e.a.Bind(same)
	e.rm(asm.MOV, 8, asm.RAX, frame(FrameGlobal+8))
	e.op(asm.JMPR, ctx(CtxRowStart))
	e.a.Bind(done)
	e.leave(StatusDone)
}

// advance continues with the frame after this one.
func (e *emitter) advance() {
	loop, go1 := e.a.NewLabel(), e.a.NewLabel()
	e.a.Bind(loop)
	e.rm(asm.ADD, 8, asm.R14, ctx(CtxStride))
	e.compare(asm.R14, ctx(CtxEnd), asm.JB, go1)
	e.rm(asm.MOVL, 8, asm.R14, ctx(CtxFirst))
	e.immMem(asm.R15, CtxArrived, 0)
	e.a.Bind(go1)
	// Skip a gang that has returned.
	e.rm(asm.MOVL, 8, asm.RAX, frame(FrameResume))
	e.testRegs(8, asm.RAX, asm.RAX, asm.JE, loop)
	e.raw(asm.Inst{Op: asm.JMPR, W: 8, Reg: asm.NoReg, V: asm.NoReg, RM: asm.RAX})
}

// gangDone continues with the next gang that has not returned, or after the last one with the next work-group.
func (e *emitter) gangDone(*stub) {
	more, done, stopped, next, loop := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.immMem(asm.R14, FrameResume, 0)
	e.op(asm.DEC, ctx(CtxLive))
	e.a.Jump(asm.JNE, more)
	e.op(asm.DEC, ctx(CtxGroups))
	e.a.Jump(asm.JE, done)
	e.testStop(CtxStop, stopped)
	e.a.Bind(next)
	e.rm(asm.MOVL, 8, asm.R14, ctx(CtxFirst))
	e.rm(asm.MOVL, 8, asm.RCX, ctx(CtxGroupSize))
	e.a.Bind(loop)
	e.move(frame(FrameResume), frame(FrameStart), asm.RAX)
	e.rm(asm.MOVL, 8, asm.RAX, frame(FrameGlobal))
	e.rr(asm.ADD, 8, asm.RAX, asm.RCX)
	e.rm(asm.MOV, 8, asm.RAX, frame(FrameGlobal))
	e.op(asm.INC, ctx(CtxLive))
	e.rm(asm.ADD, 8, asm.R14, ctx(CtxStride))
	e.compare(asm.R14, ctx(CtxEnd), asm.JB, loop)
	e.op(asm.INC, ctx(int32(CtxQueries+8*3*int(ssa.GroupID))))
	e.immMem(asm.R15, CtxArrived, 0)
	e.rm(asm.MOVL, 8, asm.RDI, ctx(CtxLocal))
	e.rm(asm.MOVL, 8, asm.RCX, ctx(CtxLocalWords))
	e.ri(asm.MOVIMM, 4, asm.RAX, 0)
	e.a.Bytes([]byte{0xF3, 0x48, 0xAB}) // rep stosq
	e.rm(asm.MOVL, 8, asm.R14, ctx(CtxFirst))
	e.op(asm.JMPR, frame(FrameStart))
	e.a.Bind(stopped)
	e.a.Jump(asm.CALL, e.stubs[stubPoll].label)
	e.a.Jump(asm.JMP, next)
	e.a.Bind(done)
	e.leave(StatusDone)
	e.a.Bind(more)
	e.advance()
}

// LostRounds is the number of iterations of loops that a gang may take after one of its work-items has stopped.
// The stopped work-item continues in its lane without effects; when the other lanes are done, it might never leave
// a loop.
const LostRounds = 1 << 16

// poll is called if the byte at CtxStop is set. It ends the run if the launch is to end or the gang has taken too
// many iterations. It clobbers RAX.
func (e *emitter) poll(*stub) {
	launch, out := e.a.NewLabel(), e.a.NewLabel()
	e.testStop(CtxStopped, launch)
	e.rm(asm.MOVL, 8, asm.RAX, frame(FrameGlobal))
	e.compare(asm.RAX, frame(FrameFaulted), asm.JNE, out)
	e.op(asm.DEC, ctx(CtxRounds))
	e.a.Jump(asm.JNE, out)
	e.leave(StatusRounds)
	e.a.Bind(launch)
	e.leave(StatusStopped)
	e.a.Bind(out)
	e.raw(asm.Inst{Op: asm.RET})
}

// lose records that the work-item of the lane in RCX stops, and jumps to lost if it had stopped before. It
// clobbers RSI, RDI and R8.
func (e *emitter) lose(lost asm.Label) {
	same := e.a.NewLabel()
	// The frame may have bits of an earlier gang, which do not count.
	e.rm(asm.MOVL, 8, asm.RSI, frame(FrameGlobal))
	e.compare(asm.RSI, frame(FrameFaulted), asm.JE, same)
	e.rm(asm.MOV, 8, asm.RSI, frame(FrameFaulted))
	for off := int32(0); off < MaxLanes/8; off += 8 {
		e.immMem(asm.R14, FrameLost+off, 0)
	}
	e.a.Bind(same)
	e.rr(asm.MOVL, 8, asm.RSI, asm.RCX)
	e.ri(asm.SHRIMM, 8, asm.RSI, 6)
	e.ri(asm.MOVIMM, 4, asm.R8, 1)
	e.ri(asm.SHLCL, 8, asm.R8, 0)
	bits := asm.AtIndex(asm.R14, asm.RSI, 8, FrameLost)
	e.rm(asm.MOVL, 8, asm.RDI, bits)
	e.testRegs(8, asm.RDI, asm.R8, asm.JNE, lost)
	e.rr(asm.OR, 8, asm.RDI, asm.R8)
	e.rm(asm.MOV, 8, asm.RDI, bits)
	e.immMem(asm.R15, CtxFaulted, 1)
	e.immMem(asm.R15, CtxRounds, LostRounds)
	e.rm(asm.LEA, 8, asm.RSI, ctx(CtxFaulted))
	e.rm(asm.MOV, 8, asm.RSI, ctx(CtxStop))
}

// record records a violation: the access is in RDX, the lane in RCX, the pointer in RBX, and R9 is badWrite or,
// for all other kinds, badBounds. It clobbers RSI, RDI, R8 and R9.
func (e *emitter) record(*stub) {
	some, object, have, first, later := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	rec := func(off int32) asm.Mem { return asm.At(asm.RSI, off) }
	robust, lost := e.a.NewLabel(), e.a.NewLabel()
	e.test(ctx(CtxStrict), 0xFF, asm.JE, robust)
	e.lose(lost)
	e.a.Bind(robust)
	e.op(asm.INC, ctx(CtxTime))
	e.rr(asm.MOVL, 8, asm.RSI, asm.RBX)
	e.ri(asm.SHRIMM, 8, asm.RSI, ssa.ObjectShift)
	e.a.Jump(asm.JNE, some)
	e.ri(asm.MOVIMM, 4, asm.R9, badNull)
	e.a.Bind(some)
	e.compare(asm.RSI, ctx(CtxNumObjects), asm.JB, object)
	e.ri(asm.MOVIMM, 4, asm.R9, badObject)
	e.a.Bind(object)
	e.rm(asm.LEA, 8, asm.R9, asm.AtIndex(asm.R9, asm.RDX, NumBad, 0))
	e.rm(asm.MOVL, 8, asm.RDI, ctx(CtxRecordsOf))
	e.rm(asm.MOVL, 4, asm.RSI, asm.AtIndex(asm.RDI, asm.R9, 4, 0))
	e.testRegs(4, asm.RSI, asm.RSI, asm.JNE, have)
	// A new one.
	e.rm(asm.MOVL, 8, asm.RSI, ctx(CtxRecords))
	e.rm(asm.LEA, 8, asm.R8, rec(RecordSize))
	e.rm(asm.MOV, 8, asm.R8, ctx(CtxRecords))
	e.rm(asm.MOV, 8, asm.R9, rec(RecOf))
	e.immMem(asm.RSI, RecCount, 0)
	e.rr(asm.MOVL, 8, asm.R8, asm.RSI)
	e.rr(asm.SUB, 8, asm.R8, asm.RDI)
	e.rm(asm.MOV, 4, asm.R8, asm.AtIndex(asm.RDI, asm.R9, 4, 0))
	e.a.Jump(asm.JMP, first)
	e.a.Bind(have)
	e.rr(asm.ADD, 8, asm.RSI, asm.RDI)
	e.rm(asm.MOVL, 8, asm.RDI, ctx(CtxGroups))
	e.compare(asm.RDI, rec(RecGroups), asm.JB, later)
	e.a.Jump(asm.JA, first)
	e.laneOrder()
	e.compare(asm.RDI, rec(RecOrder), asm.JA, later)
	e.a.Jump(asm.JB, first)
	e.rm(asm.MOVL, 8, asm.RDI, frame(FrameGlobal))
	e.rr(asm.ADD, 8, asm.RDI, asm.RCX)
	e.compare(asm.RDI, rec(RecGlobal), asm.JAE, later)
	e.a.Bind(first)
	e.move(rec(RecTime), ctx(CtxTime), asm.RDI)
	e.move(rec(RecGroups), ctx(CtxGroups), asm.RDI)
	e.rm(asm.MOV, 8, asm.RBX, rec(RecPtr))
	e.laneOrder()
	e.rm(asm.MOV, 8, asm.RDI, rec(RecOrder))
	e.rm(asm.MOVL, 8, asm.RDI, frame(FrameGlobal))
	e.rr(asm.ADD, 8, asm.RDI, asm.RCX)
	e.rm(asm.MOV, 8, asm.RDI, rec(RecGlobal))
	for d := range int32(2) {
		e.rm(asm.MOVL, 4, asm.RDI, frame(FrameGlobal+8+8*d))
		e.rm(asm.MOV, 4, asm.RDI, rec(RecRest+4*d))
	}
	e.a.Bind(later)
	e.op(asm.INC, rec(RecCount))
	e.a.Bind(lost)
	e.raw(asm.Inst{Op: asm.RET})
}

// laneOrder sets RDI to the number, in its work-group, of the work-item of the lane in RCX.
func (e *emitter) laneOrder() {
	e.rm(asm.MOVL, 8, asm.RDI, ctx(CtxOrder))
	e.rr(asm.IMUL, 8, asm.RDI, asm.RCX)
	e.rm(asm.ADD, 8, asm.RDI, frame(FrameOrder))
}

// spread stores the pointers of size lanes at CtxPtrs: RAX + RDX for lane 0, and RCX more for each further lane.
// Offsets wrap. It clobbers these registers.
func (e *emitter) spread(s *stub) {
	e.saving(s, []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8}, func() {
		e.rr(asm.ADD, 8, asm.RDX, asm.RAX)
		e.ri(asm.MOVIMM64, 8, asm.RSI, int64(ssa.OffsetMask))
		e.rr(asm.MOVL, 8, asm.R8, asm.RSI)
		e.ri(asm.NOT, 8, asm.R8, 0)
		e.rr(asm.AND, 8, asm.RAX, asm.R8) // the object
		e.ri(asm.MOVIMM, 4, asm.RBX, 0)
		loop := e.a.NewLabel()
		e.a.Bind(loop)
		e.rr(asm.MOVL, 8, asm.RDI, asm.RDX)
		e.rr(asm.AND, 8, asm.RDI, asm.RSI)
		e.rr(asm.OR, 8, asm.RDI, asm.RAX)
		e.rm(asm.MOV, 8, asm.RDI, asm.AtIndex(asm.R15, asm.RBX, 8, CtxPtrs))
		e.rr(asm.ADD, 8, asm.RDX, asm.RCX)
		e.ri(asm.ADDIMM, 8, asm.RBX, 1)
		e.ri(asm.CMPIMM, 8, asm.RBX, int64(s.size))
		e.a.Jump(asm.JB, loop)
	})
}

// lanes accesses memory lane by lane. RAX has the lanes, starting at lane from; their pointers are at CtxPtrs; RDX
// has the number of the access. Values are at CtxVals, step bytes apart.
func (e *emitter) lanes(s *stub) {
	e.saving(s, []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8, asm.R9}, func() {
		a := &e.a
		loop, done, bad, constant, shared, bytes := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
		a.Bind(loop)
		e.nextLane(asm.RAX, asm.RBX, done)
		if s.from > 0 {
			e.ri(asm.ADDIMM, 8, asm.RCX, int64(s.from))
		}
		e.rm(asm.MOVL, 8, asm.RBX, asm.AtIndex(asm.R15, asm.RCX, 8, CtxPtrs))
		e.rr(asm.MOVL, 8, asm.RSI, asm.RBX)
		e.ri(asm.SHRIMM, 8, asm.RSI, ssa.ObjectShift)
		e.ri(asm.MOVIMM64, 8, asm.RDI, int64(ssa.OffsetMask))
		e.rr(asm.AND, 8, asm.RDI, asm.RBX)
		e.compare(asm.RSI, ctx(CtxNumObjects), asm.JAE, bad)
		e.ri(asm.SHLIMM, 8, asm.RSI, 5)
		e.rm(asm.ADD, 8, asm.RSI, ctx(CtxObjects))
		e.rm(asm.LEA, 8, asm.R8, asm.At(asm.RDI, int32(s.size)))
		e.compare(asm.R8, asm.At(asm.RSI, ObjLen), asm.JA, bad)
		if s.kind != sLoad {
			e.test(asm.At(asm.RSI, ObjFlags), ObjReadOnly, asm.JNE, constant)
		}
		if s.kind != sRMW && !s.whole {
			e.test(asm.At(asm.RSI, ObjFlags), ObjRows, asm.JNE, bytes)
		}
		e.rm(asm.MOVL, 8, asm.R8, asm.At(asm.RSI, ObjLane))
		e.rr(asm.IMUL, 8, asm.R8, asm.RCX)
		e.rr(asm.ADD, 8, asm.RDI, asm.R8)
		e.rm(asm.ADD, 8, asm.RDI, asm.At(asm.RSI, ObjBase))
		e.test(asm.At(asm.RSI, ObjFlags), ObjPrivate, asm.JE, shared)
		e.rm(asm.ADD, 8, asm.RDI, frame(FramePrivate))
		a.Bind(shared)
		e.raw(asm.Inst{Op: asm.IMULIMM, W: 8, Reg: asm.RSI, V: asm.NoReg, RM: asm.RCX, Imm: int64(s.step)})
		mem := func(off int) asm.Mem { return asm.At(asm.RDI, int32(off)) }
		switch s.kind {
		case sLoad:
			e.copyBytes(s.size, valueAt, mem)
		case sStore:
			e.copyBytes(s.size, mem, valueAt)
		case sRMW:
			e.push(asm.RAX)
			e.shared(s)
			e.pop(asm.RAX)
		}
		a.Jump(asm.JMP, loop)
		e.faults(s, bad, constant, bytes)
		a.Jump(asm.JMP, loop)
		a.Bind(done)
	})
}

// faults emits the cold paths of lanes: for an access that is not wholly inside its object (at bad), a write to a
// read-only object (at constant), and an access byte by byte (at bytes).
func (e *emitter) faults(s *stub, bad, constant, bytes asm.Label) {
	a := &e.a
	record := a.NewLabel()
	if s.kind != sLoad {
		a.Bind(constant)
		e.ri(asm.MOVIMM, 4, asm.R9, badWrite)
		a.Jump(asm.JMP, record)
	}
	a.Bind(bad)
	e.ri(asm.MOVIMM, 4, asm.R9, badBounds)
	a.Bind(record)
	e.raw(asm.Inst{Op: asm.IMULIMM, W: 8, Reg: asm.RSI, V: asm.NoReg, RM: asm.RCX, Imm: int64(s.step)})
	switch s.kind {
	case sLoad:
		e.ri(asm.MOVIMM, 4, asm.R8, 0)
		chunks(s.size, func(off, n int) { e.rm(storeOf[n], asm.Width(n), asm.R8, valueAt(off)) })
	case sRMW:
		e.ri(asm.MOVIMM, 4, asm.R8, 0)
		e.rm(asm.MOV, 8, asm.R8, valueAt(CtxResult))
	}
	a.Jump(asm.CALL, e.stubs[stubRecord].label)
	if s.kind == sRMW || s.whole {
		return
	}
	a.Bind(bytes)
	e.raw(asm.Inst{Op: asm.IMULIMM, W: 8, Reg: asm.RSI, V: asm.NoReg, RM: asm.RCX, Imm: int64(s.step)})
	e.rm(asm.LEA, 8, asm.RSI, valueAt(0))
	e.ri(asm.MOVIMM, 4, asm.R8, int64(s.size))
	e.ri(asm.MOVIMM, 4, asm.R9, int64(s.kind-sLoad))
	a.Jump(asm.CALL, e.stubs[stubInside].label)
}

// inside moves the bytes of an access that are inside its object. The access has R8 bytes at the pointer in RBX,
// for the lane in RCX, in gangs of size lanes. If R9 is 0, it loads to the memory at RSI; else it stores from
// there, unless the object is read-only. It clobbers RBX, RSI, RDI, R8 and R9.
func (e *emitter) inside(s *stub) {
	lanes := s.size
	a := &e.a
	loop, next, store, bytewise, row, shared, out := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	object := func(off int32) asm.Mem { return asm.At(asm.RDI, off) }
	e.saving(s, []asm.Reg{asm.RAX, asm.RDX, asm.R10, asm.R11}, func() {
		e.rr(asm.MOVL, 8, asm.RDI, asm.RBX)
		e.ri(asm.SHRIMM, 8, asm.RDI, ssa.ObjectShift)
		e.compare(asm.RDI, ctx(CtxNumObjects), asm.JAE, out)
		e.ri(asm.SHLIMM, 8, asm.RDI, 5)
		e.rm(asm.ADD, 8, asm.RDI, ctx(CtxObjects))
		e.testRegs(4, asm.R9, asm.R9, asm.JE, shared)
		e.test(object(ObjFlags), ObjReadOnly, asm.JNE, out)
		a.Bind(shared)
		// R10 is the start of the copy of the lane; RDX holds the bits of the offset within an element.
		e.rm(asm.MOVL, 8, asm.R10, object(ObjLane))
		e.rm(asm.MOVL, 8, asm.R11, object(ObjBase))
		e.test(object(ObjFlags), ObjRows, asm.JE, row)
		e.rm(asm.MOVL, 4, asm.RDX, object(ObjFlags))
		e.ri(asm.SHRIMM, 4, asm.RDX, ObjElem)
		e.rm(asm.LEA, 8, asm.R10, asm.At(asm.RDX, 1))
		e.ri(asm.SHLIMM, 8, asm.R11, int64(bits.TrailingZeros(uint(lanes))))
		a.Bind(row)
		e.rr(asm.IMUL, 8, asm.R10, asm.RCX)
		e.rr(asm.ADD, 8, asm.R10, asm.R11)
		e.test(object(ObjFlags), ObjPrivate, asm.JE, bytewise)
		e.rm(asm.ADD, 8, asm.R10, frame(FramePrivate))
		a.Bind(bytewise)
		e.rr(asm.MOVL, 8, asm.R11, asm.RBX)
		a.Bind(loop)
		e.insideByte(lanes, next, store)
		e.ri(asm.ADDIMM, 8, asm.R11, 1)
		e.ri(asm.ADDIMM, 8, asm.RSI, 1)
		e.ri(asm.SUBIMM, 4, asm.R8, 1)
		a.Jump(asm.JNE, loop)
		a.Bind(out)
	})
}

// callsInside reports whether s calls the stub for the bytes of a faulting access that are inside its object.
func (s *stub) callsInside() bool { return s.kind == sLoad || s.kind == sStore }

// insideByte copies one byte at the offset in R11 and continues at next. It binds store.
func (e *emitter) insideByte(lanes int, next, store asm.Label) {
	a := &e.a
	at := a.NewLabel()
	e.ri(asm.SHLIMM, 8, asm.R11, 64-ssa.ObjectShift)
	e.ri(asm.SHRIMM, 8, asm.R11, 64-ssa.ObjectShift)
	e.compare(asm.R11, asm.At(asm.RDI, ObjLen), asm.JAE, next)
	e.rr(asm.MOVL, 8, asm.RBX, asm.R11)
	e.test(asm.At(asm.RDI, ObjFlags), ObjRows, asm.JE, at)
	e.rr(asm.MOVL, 8, asm.RAX, asm.R11)
	e.rr(asm.AND, 8, asm.RAX, asm.RDX)
	e.rr(asm.SUB, 8, asm.RBX, asm.RAX)
	e.ri(asm.SHLIMM, 8, asm.RBX, int64(bits.TrailingZeros(uint(lanes))))
	e.rr(asm.ADD, 8, asm.RBX, asm.RAX)
	a.Bind(at)
	inObject, value := asm.AtIndex(asm.R10, asm.RBX, 1, 0), asm.At(asm.RSI, 0)
	e.testRegs(4, asm.R9, asm.R9, asm.JNE, store)
	e.rm(asm.MOVZX8, 4, asm.RAX, inObject)
	e.rm(asm.MOVB, 1, asm.RAX, value)
	a.Jump(asm.JMP, next)
	a.Bind(store)
	e.rm(asm.MOVZX8, 4, asm.RAX, value)
	e.rm(asm.MOVB, 1, asm.RAX, inObject)
	a.Bind(next)
}

// put stores size bytes of each lane in RAX, from CtxVals to RDX plus the offset of the lane at CtxPtrs.
func (e *emitter) put(s *stub) {
	e.saving(s, []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8}, func() {
		e.eachLane(s, func() {
			e.rm(asm.MOVSXD, 8, asm.RDI, asm.AtIndex(asm.R15, asm.RCX, 4, CtxPtrs))
			e.raw(asm.Inst{Op: asm.IMULIMM, W: 8, Reg: asm.RSI, V: asm.NoReg, RM: asm.RCX, Imm: int64(s.step)})
			e.copyBytes(s.size, func(off int) asm.Mem { return asm.AtIndex(asm.RDX, asm.RDI, s.scale, int32(off)) }, valueAt)
		})
	})
}

// valueAt returns the place of a lane's value, after a number of bytes; RSI has its offset.
func valueAt(off int) asm.Mem { return asm.AtIndex(asm.R15, asm.RSI, 1, int32(CtxVals+off)) }

// chunks calls f for pieces of up to 8 bytes, at off.
func chunks(size int, f func(off, n int)) {
	for off := 0; off < size; {
		n := min(8, 1<<(bits.Len(uint(size-off))-1))
		f(off, n)
		off += n
	}
}

func (e *emitter) copyBytes(size int, d, s func(off int) asm.Mem) {
	chunks(size, func(off, n int) {
		e.rm(loadOf[n], asm.Width(max(n, 4)), asm.R8, s(off))
		e.rm(storeOf[n], asm.Width(n), asm.R8, d(off))
	})
}

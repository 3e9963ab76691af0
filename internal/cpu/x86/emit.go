package x86

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// An emitter encodes allocated code.
type emitter struct {
	*code
	a     asm.Assembler
	stubs []*stub
	exit  asm.Label
	saved [3]int32 // by class: offset in the frame of the registers saved at a suspension
	data  *pool
	block *mblock // the block under encoding
	of    *inst   // the instruction under encoding

	counters int32           // offset of the block counters in the context; 0: blocks are not counted
	across   map[int32][]reg // by position of a suspension: the registers that are live across it
	last     asm.Inst        // the last encoded instruction
}

// operand maps a register to its machine register.
func (e *emitter) operand(r reg) asm.Reg {
	switch {
	case r == 0:
		return asm.NoReg
	case r < 0:
		return asm.Reg(-r - 1)
	}
	return asm.Reg(e.regs.PReg(r))
}

func (e *emitter) memory(m *mem) asm.Mem {
	return asm.Mem{Base: e.operand(m.base), Index: e.operand(m.index), Scale: max(m.scale, 1), Disp: m.disp, Label: m.label}
}

func (e *emitter) raw(i asm.Inst) {
	e.last = i // a copy, so that i needs no allocation
	e.a.Emit(&e.last)
}

// maxJumps bounds the jumps that follow each other at once.
const maxJumps = 8

// body encodes all blocks.
func (e *emitter) body() {
	for _, b := range e.blocks {
		b.label = e.a.NewLabel()
	}
	for k, b := range e.blocks {
		if b.align {
			e.a.Align(16)
		}
		e.a.Bind(b.label)
		if e.counters != 0 {
			e.count(b)
		}
		e.block = b
		for n := range b.insts {
			e.inst(b, n)
		}
		if b.next != nil && !closed(b) && (k+1 == len(e.blocks) || e.blocks[k+1] != b.next) {
			e.a.Jump(asm.JMP, b.next.end(e.counters != 0).label)
		}
		e.block, e.of = nil, nil
	}
}

// end returns where control is after a jump to b, and the jumps that follow it at once. Counted blocks are executed.
func (b *mblock) end(counted bool) *mblock {
	for range maxJumps {
		to := goesOn(b)
		if to == nil || counted || len(b.insts) > 1 || len(b.insts) == 1 && b.insts[0].kind != kJump {
			break
		}
		b = to
	}
	return b
}

func (e *emitter) inst(b *mblock, n int) {
	i := &b.insts[n]
	if e.listing != nil {
		e.of = i
	}
	switch i.kind {
	case kJump:
		if i.op != asm.JMP || b.order+1 == len(e.blocks) || e.blocks[b.order+1] != b.target {
			e.a.Jump(i.op, b.target.end(e.counters != 0).label)
		}
	case kCall:
		e.a.Jump(asm.CALL, e.stubs[i.imm].label)
	case kGoto:
		e.a.Jump(asm.JMP, e.stubs[i.imm].label)
	case kBack:
		e.a.Jump(asm.JMP, b.target.label)
	case kLeave:
		e.a.Jump(asm.JMP, e.exit)
	case kBegin:
	case kBarrier, kYield:
		e.suspend(i, e.regs.Position(b.order, n))
	default:
		e.encode(i)
	}
}

// encode emits an instruction that is not a jump.
func (e *emitter) encode(i *inst) {
	if i.fl&fCopy != 0 && e.operand(i.reg) == e.operand(i.rm) && !i.m.on && i.mask == 0 {
		return
	}
	x := asm.Inst{Op: i.op, W: i.w, Reg: e.operand(i.reg), V: e.operand(i.v), RM: e.operand(i.rm), Bcst: i.bcst, Zero: i.zero, Round: i.round, Imm: i.imm}
	if e.lv.EVEX {
		x.Op = evex(x.Op)
	}
	if i.mask != 0 {
		x.Mask = e.operand(i.mask)
	}
	if i.immReg != 0 {
		if forms := fusedForms[i.op]; forms != nil {
			e.fusedForm(i, &x, forms)
		} else {
			x.Imm = int64(e.operand(i.immReg))
		}
	}
	if i.m.on {
		x.HasMem = true
		x.Mem = e.memory(&i.m)
	}
	e.raw(x)
}

// fusedForm chooses the form of a fused multiply-add by the places of its operands. All forms return the first
// factor's NaN rather than the second's (docs/decisions/0003).
func (e *emitter) fusedForm(i *inst, x *asm.Inst, forms *fusedOp) {
	d, a, b, c := x.Reg, x.V, x.RM, e.operand(i.immReg)
	move := func(from asm.Reg) {
		e.raw(asm.Inst{Op: asm.VMOVAPS, W: i.w, Reg: d, V: asm.NoReg, RM: from})
	}
	switch {
	case d == c:
		x.Op = forms.f231
	case d == a:
		x.Op, x.V = forms.f132, c
	case i.m.on:
		move(c)
		x.Op = forms.f231
	case d == b:
		x.RM = c
	case a == c:
		move(c)
		x.Op = forms.f231
	default:
		move(b)
		x.RM = c
	}
}

// evexOf maps instructions to their EVEX forms of other names, which can use registers 16 to 31.
var evexOf = [asm.NumOps]asm.Op{
	asm.VINSERTI128: asm.VINSERTI32X4, asm.VEXTRACTI128: asm.VEXTRACTI32X4,
	asm.VROUNDPS: asm.VRNDSCALEPS, asm.VROUNDPD: asm.VRNDSCALEPD,
	asm.VPAND: asm.VPANDD, asm.VPANDN: asm.VPANDND, asm.VPOR: asm.VPORD, asm.VPXOR: asm.VPXORD,
}

// evex returns the form of an op on AVX-512.
func evex(op asm.Op) asm.Op {
	if x := evexOf[op]; x != asm.NoOp {
		return x
	}
	return op
}

// suspensions returns the positions of the instructions that suspend the gang.
func (c *code) suspensions() []int32 {
	var at []int32
	for bi, b := range c.blocks {
		for k := range b.insts {
			if kind := b.insts[k].kind; kind == kBarrier || kind == kYield {
				at = append(at, c.regs.Position(bi, k))
			}
		}
	}
	return at
}

// transfer saves or restores the registers that are live across an instruction. Rematerialisable values are
// recomputed instead.
func (e *emitter) transfer(pos int32, save bool) {
	for _, v := range e.across[pos] {
		p := asm.Reg(e.regs.PReg(v))
		if again := e.rematOf(v); again != nil {
			if !save {
				i := *again
				i.retarget(fixed(p))
				e.encode(&i)
			}
			continue
		}
		k := e.regs.Class(v)
		m, op := slotMoves[k], slotMoves[k].load
		if save {
			op = m.store
		}
		e.rm(op, e.slotWidth(k), p, frame(e.saved[k]+int32(e.slotWidth(k))*int32(p-m.first)))
	}
}

func (e *emitter) immMem(base asm.Reg, off int32, x int64) {
	e.raw(asm.Inst{Op: asm.MOVIMM, W: 8, Reg: asm.NoReg, V: asm.NoReg, RM: asm.NoReg, HasMem: true, Mem: asm.At(base, off), Imm: x})
}

// suspend saves the live registers and leaves the gang: at a barrier for the next gang, else for Go.
func (e *emitter) suspend(i *inst, pos int32) {
	resume := e.a.NewLabel()
	e.transfer(pos, true)
	e.rm(asm.LEA, 8, asm.RAX, asm.AtLabel(resume))
	if i.kind == kYield {
		e.rm(asm.MOV, 8, asm.RAX, ctx(CtxResume))
		e.rm(asm.MOV, 8, asm.R14, ctx(CtxFrame))
		e.immMem(asm.R15, CtxYield, i.imm)
		e.leave(StatusYield)
	} else {
		e.rm(asm.MOV, 8, asm.RAX, frame(FrameResume))
		e.immMem(asm.R14, FrameArrived, i.imm)
		e.a.Jump(asm.JMP, e.stubs[stubNextGang].label)
	}
	e.a.Bind(resume)
	e.transfer(pos, false)
}

// finish encodes the whole function: entry, exit, body, stubs and constants.
func (c *code) finish(stubs []*stub, data *pool, counters int) ([]byte, error) {
	e := &emitter{code: c, counters: int32(counters), a: c.work.assembler, stubs: stubs, data: data, across: c.regs.LiveAcross(c.suspensions())}
	e.a.Reset()
	defer func() {
		e.a.Trace = nil
		c.work.assembler = e.a
	}()
	c.frame = (c.frame + 63) &^ 63
	if len(e.across) > 0 {
		e.saved = [...]int32{cV: c.frame, cG: c.frame + 32*64, cK: c.frame + 32*64 + 16*8}
		c.frame += 32*64 + 16*8 + 8*8
	}
	c.frame = (c.frame + 127) &^ 127
	// Selection has numbered the labels of constants from 1.
	for range data.bytes {
		e.a.NewLabel()
	}
	if c.listing != nil {
		e.a.Trace = e.trace
	}
	// The caller passes the context in R15.
	e.rm(asm.MOV, 8, asm.RSP, ctx(CtxSP))
	e.rm(asm.MOV, 8, asm.RBP, ctx(CtxBP))
	e.rm(asm.MOVL, 8, asm.R14, ctx(CtxFrame))
	e.op(asm.JMPR, ctx(CtxResume))
	e.exit = e.a.NewLabel()
	e.a.Align(16)
	e.a.Bind(e.exit)
	e.rm(asm.MOVL, 8, asm.RSP, ctx(CtxSP))
	e.rm(asm.MOVL, 8, asm.RBP, ctx(CtxBP))
	if c.nonTemporal {
		e.raw(asm.Inst{Op: asm.SFENCE, W: 8})
	}
	e.raw(asm.Inst{Op: asm.VZEROUPPER, W: 16})
	e.raw(asm.Inst{Op: asm.RET})
	for _, s := range stubs {
		s.label = e.a.NewLabel()
	}
	e.a.Align(16)
	c.start = len(e.a.Code)
	e.body()
	for _, s := range stubs {
		e.a.Align(16)
		e.a.Bind(s.label)
		e.stub(s)
	}
	e.a.Align(64)
	for k, b := range data.bytes {
		e.a.Align(data.align[k])
		e.a.Bind(asm.Label(k + 1))
		e.a.Bytes(b)
	}
	if err := e.a.Finish(); err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	if c.listing != nil {
		e.list()
	}
	return slices.Clone(e.a.Code), nil
}

// A pool has the constants behind the code. Constant number k has label k+1.
type pool struct {
	bytes [][]byte
	align []int
}

// add adds a constant. The caller has looked it up in builder.consts: the pool does not have it.
func (p *pool) add(b []byte, align int) asm.Label {
	p.bytes, p.align = append(p.bytes, b), append(p.align, align)
	return asm.Label(len(p.bytes))
}

package x86

import (
	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// The machine side of register allocation: *code is a [regalloc.Machine].

// registerFile returns the allocatable registers of a level. R15, R14, RAX, RCX and RDX are
// not among them: the context, the frame and scratch.
func (lv *Level) registerFile() regalloc.RegisterFile {
	if lv.EVEX {
		return avx512Registers
	}
	return avx2Registers
}

var (
	avx2Registers   = registers(16, 0)
	avx512Registers = registers(32, 7)
)

// registers makes a register file with vectors and masks of these numbers.
func registers(vectors, masks int) regalloc.RegisterFile {
	var general, vector, mask []regalloc.PReg
	for _, r := range []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8, asm.R9, asm.R10, asm.R11, asm.RBP, asm.R12, asm.R13} {
		general = append(general, regalloc.PReg(r))
	}
	for i := range vectors {
		vector = append(vector, regalloc.PReg(asm.V(i)))
	}
	for i := range masks {
		mask = append(mask, regalloc.PReg(asm.K(i+1))) // K0 means no mask
	}
	return regalloc.RegisterFile{cG: {Regs: general, Reach: 8}, cV: {Regs: vector, Reach: 2}, cK: {Regs: mask, Reach: 2}}
}

// Survey is [regalloc.Machine]'s.
func (c *code) Survey(s *regalloc.Survey) {
	var list named
	for _, b := range c.blocks {
		s.Block(b.depth, b.cold)
		for _, t := range b.succs {
			s.Succ(t.order)
		}
		for k := range b.insts {
			i := &b.insts[k]
			for _, v := range i.virtual(i.mayRead(), &list) {
				s.Use(v)
			}
			for _, v := range i.virtual(i.writes(), &list) {
				if i.kind == kBegin {
					s.ImplicitDef(v)
				} else {
					s.Def(v, i.fl&fEarly != 0)
				}
			}
			if i.fl&(fSpill|fRemat) != 0 {
				i.surveySpill(s)
			}
			s.Next()
		}
	}
}

// surveySpill records the effect of i on a spill slot.
func (i *inst) surveySpill(s *regalloc.Survey) {
	switch {
	case i.fl&fRemat != 0:
		if i.fl&fFolded == 0 {
			s.Remat()
		}
	case i.fl&fFolded != 0:
		s.SlotUse(i.m.disp)
	case i.fl&fDefReg != 0:
		s.Reload(i.m.disp)
	default:
		s.Save(i.m.disp)
	}
}

// Slot is [regalloc.Machine]'s. Slots are in the gang's frame, or in the worker's context
// where values outlive a gang's turn.
func (c *code) Slot(k regalloc.Class) int32 {
	size := int32(c.slotWidth(k))
	used, from := &c.frame, int32(0)
	if c.spillBase == rCtx {
		used, from = &c.spilled, c.spillFrom
	}
	*used = (*used + size - 1) &^ (size - 1)
	s := from + *used
	*used += size
	return s
}

// DefineImplicitly is [regalloc.Machine]'s.
func (c *code) DefineImplicitly(block int, regs []reg) {
	list := make([]insertion, len(regs))
	for i, v := range regs {
		list[i] = insertion{0, inst{kind: kBegin, fl: fDefReg, reg: v}}
	}
	c.insert(c.blocks[block], list)
}

// DefineBefore is [regalloc.Machine]'s.
func (c *code) DefineBefore(block int, t, v reg, slot int32) {
	b := c.blocks[block]
	n := len(b.insts)
	x := inst{}
	if slot >= 0 {
		x = c.reload(t, slot)
	} else {
		c.setRemat(t, c.rematOf(v))
		x = c.rematerialised(t, v)
	}
	if n > 0 {
		x.pos = b.insts[n-1].pos
		if b.insts[n-1].kind == kJump {
			n--
		}
	}
	c.insert(b, []insertion{{n, x}})
}

// SaveFirst is [regalloc.Machine]'s.
func (c *code) SaveFirst(block int, v reg, slot int32) {
	x := c.save(v, slot)
	b := c.blocks[block]
	if len(b.insts) > 0 {
		x.pos = b.insts[0].pos
	}
	c.insert(b, []insertion{{0, x}})
}

// Rewrite is [regalloc.Machine]'s.
func (c *code) Rewrite(r *regalloc.Rewriter) {
	e := editor{code: c, more: c.work.more}
	for bi, b := range c.blocks {
		r.Block(bi)
		n := 0 // instructions that stay
		for k := range b.insts {
			if n != k {
				b.insts[n] = b.insts[k]
			}
			if r.Marked(k) {
				if e.i, e.n = &b.insts[n], n; !r.Change(&e, k) {
					continue
				}
			}
			n++
		}
		b.insts = b.insts[:n]
		c.insert(b, e.more)
		e.more = e.more[:0]
	}
	c.work.more = e.more
}

// An editor changes an instruction: it is a [regalloc.Editor].
type editor struct {
	*code
	i    *inst
	n    int // its index among the block's instructions that stay
	more []insertion
}

func (e *editor) Implicit() bool { return e.i.kind == kBegin }

func (e *editor) Operands(o *regalloc.Operands) {
	for p := e.i.reads(); p != 0; p &= p - 1 {
		o.Use(e.i.field(p & -p))
	}
	for p := e.i.writes(); p != 0; p &= p - 1 {
		o.Def(e.i.field(p & -p))
	}
}

func (e *editor) Foldable() reg { return e.i.rm }

func (e *editor) FoldSlot(slot int32) bool {
	if e.i.op == asm.KORTESTW && e.i.reg == e.i.rm { // a test of one mask
		*e.i = inst{op: asm.TESTIMM, w: 4, fl: fSpill | fFolded, m: e.slotAt(slot), imm: 0xFFFF, pos: e.i.pos}
		return true
	}
	if !e.i.foldable(e.lv) {
		return false
	}
	e.i.rm = 0
	e.i.m = e.slotAt(slot)
	e.i.fl |= fSpill | fFolded
	return true
}

func (e *editor) FoldRemat() bool { return e.foldRemat(e.i) }

// insert inserts an instruction for the current one before the n-th kept instruction.
func (e *editor) insert(n int, x inst) {
	x.pos = e.i.pos
	e.more = append(e.more, insertion{n, x})
}

func (e *editor) Reload(t reg, slot int32) { e.insert(e.n, e.reload(t, slot)) }

func (e *editor) Save(t reg, slot int32) { e.insert(e.n+1, e.save(t, slot)) }

func (e *editor) Rematerialise(t, v reg) { e.insert(e.n, e.rematerialised(t, v)) }

// setRemat records that i computes v and may be repeated.
func (c *code) setRemat(v reg, i *inst) {
	for int(v) >= len(c.remat) {
		c.remat = append(c.remat, nil)
	}
	c.remat[v] = i
	c.regs.SetRemat(v)
}

// rematOf returns the instruction that rematerialises v, or nil.
func (c *code) rematOf(v reg) *inst {
	if int(v) >= len(c.remat) {
		return nil
	}
	return c.remat[v]
}

// rematerialised returns the instruction that computes v, with another destination.
func (c *code) rematerialised(t, v reg) inst {
	x := *c.rematOf(v)
	x.retarget(t)
	x.fl |= fRemat
	return x
}

// slotAt returns the memory operand of a spill slot.
func (c *code) slotAt(slot int32) mem {
	return mem{on: true, base: c.spillBase, scale: 1, disp: slot}
}

// foldRemat replaces rm, if it can be rematerialised from memory, by a memory operand, provided that i allows one.
func (c *code) foldRemat(i *inst) bool {
	again := c.rematOf(i.rm)
	if !again.m.on || again.mask != 0 || c.regs.Class(i.rm) != cV || !i.foldable(c.lv) {
		return false
	}
	size := moves[i.op]
	switch {
	case size != 0 && again.w == i.w && (i.mask == 0 || again.op == vbroadcast[size]):
		i.op = again.op
		i.fl &^= fCopy
	case again.op == asm.VMOVUPS && again.w >= i.w:
	case c.lv.EVEX && again.op == vbroadcast[evex(i.op).BroadcastSize()]:
		i.bcst = true
	default:
		return false
	}
	i.rm, i.m = 0, again.m
	i.fl |= fRemat | fFolded
	return true
}

// moves has the sizes of the elements that moves between vector registers copy.
var moves = [asm.NumOps]int{asm.VMOVAPS: 4, asm.VMOVDQU8: 1, asm.VMOVDQU16: 2, asm.VMOVDQU32: 4, asm.VMOVDQU64: 8}

// slotMoves are the moves between memory and the registers of a class, and its first register.
var slotMoves = [...]struct {
	load, store asm.Op
	first       asm.Reg
}{cG: {asm.MOVL, asm.MOV, 0}, cV: {asm.VMOVUPS, asm.VMOVUPSST, asm.V0}, cK: {asm.KMOVQLD, asm.KMOVQST, asm.K0}}

// slotWidth returns the size of a spilled register of a class.
func (c *code) slotWidth(k class) asm.Width {
	if k == cV {
		return c.lv.VL
	}
	return 8
}

func (c *code) reload(t reg, s int32) inst {
	k := c.regs.Class(t)
	return inst{op: slotMoves[k].load, w: c.slotWidth(k), fl: fDefReg | fSpill, reg: t, m: c.slotAt(s)}
}

func (c *code) save(t reg, s int32) inst {
	k := c.regs.Class(t)
	return inst{op: slotMoves[k].store, w: c.slotWidth(k), fl: fUseReg | fSpill, reg: t, m: c.slotAt(s)}
}

// foldable reports whether rm may be a memory operand instead.
func (i *inst) foldable(lv *Level) bool {
	if i.kind != kNormal || i.m.on || i.round != asm.NoRounding || i.fl&fDefRM != 0 || i.fl&fEarly != 0 || i.reg == i.rm || i.v == i.rm {
		return false
	}
	return i.op.MemoryOperand()
}

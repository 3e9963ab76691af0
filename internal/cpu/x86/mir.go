package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/front/diag"
)

// A reg is a register before allocation: 0 is none, positive numbers are virtual registers, negative ones fixed
// machine registers.
type reg = regalloc.Reg

func fixed(r asm.Reg) reg { return -int32(r) - 1 }

// Fixed registers. The rest of the general ones are allocated.
const (
	rAX    = -int32(asm.RAX) - 1 // scratch
	rCX    = -int32(asm.RCX) - 1
	rDX    = -int32(asm.RDX) - 1
	rFrame = -int32(asm.R14) - 1 // the gang's frame
	rCtx   = -int32(asm.R15) - 1 // the worker's context
)

// A class is a set of machine registers.
type class = regalloc.Class

const (
	cG class = iota // general
	cV              // vector
	cK              // mask
)

// A mem is a memory operand.
type mem struct {
	base, index reg
	disp        int32
	label       asm.Label // RIP-relative instead
	scale       uint8
	on          bool // there is an operand
}

type instKind uint8

const (
	kNormal  instKind = iota
	kJump             // op to the block's target
	kBarrier          // saves the live registers, continues with the next gang, restores them
	kCall             // a stub; imm is its number
	kYield            // saves the live registers, returns to Go with reason imm, restores them
	kGoto             // jump to a stub; imm is its number
	kLeave            // return to Go
	kBack             // jumps to the block's target; registers are as at the last jump to this block
	kBegin            // no code: marks the old value of reg as dead
)

type instFlags uint16

const (
	fDefReg instFlags = 1 << iota // reg is written
	fUseReg                       // reg is read
	fDefRM                        // rm, a register, is written
	fEarly                        // reg must differ from the sources
	fRemat                        // repeats another instruction instead of keeping its result
	fCopy                         // a move from rm to reg
	fSpill                        // moves a spilled register to or from its slot, or has the slot as operand
	fFolded                       // with fSpill or fRemat: the memory operand replaces a register
)

// An inst is a machine instruction on virtual registers. It has the size of a cache line and no pointers, so that lists
// of instructions are moved and cleared without write barriers.
type inst struct {
	op     asm.Op
	w      asm.Width
	kind   instKind
	fl     instFlags
	bcst   bool
	zero   bool
	reg    reg
	v      reg
	rm     reg
	mask   reg
	immReg reg      // the fourth operand of a VEX blend; the addend of a fused operation
	pos    diag.Pos // source position
	m      mem
	round  asm.Rounding
	imm    int64
}

// An mblock is a basic block of machine code. Only its last instruction may be a jump. Control falls through to next
// unless that is always taken.
type mblock struct {
	id      int
	insts   []inst
	inserts []insert
	target  *mblock     // of the jump at the end, or nil
	next    *mblock     // the fall-through successor, or nil
	succs   []*mblock   // jump targets and next
	pair    [2]*mblock  // the memory of succs
	depth   int         // number of loops around it
	from    *gang.Block // the gang block it is made for, nil before and after these
	once    bool        // before the loop over gangs
	cold    bool
	label   asm.Label
	align   bool

	order int // index in the layout
}

// An insert is code to insert before the instruction at an index.
type insert struct {
	at    int
	insts []inst
}

// A code is a function's machine code before allocation.
type code struct {
	lv     *Level
	regs   *regalloc.Allocator
	remat  []*inst   // by register: the instruction that rematerialises it, or nil
	blocks []*mblock // in order of layout
	cur    *mblock
	pos    diag.Pos    // source position of the following instructions
	from   *gang.Block // the gang block of the blocks placed next
	once   bool        // and whether they are before the loop over gangs
	frame  int32       // bytes of the frame in use
	// Spilled registers are in the frame. In functions of the work-group they are in the context, from spillFrom
	// on.
	spillBase          reg
	spillFrom, spilled int32
	start              int  // offset of the first instruction of a gang
	nonTemporal        bool // the code has non-temporal stores
	listing            *Listing
	work               *workspace
}

func (c *code) newReg(k class) reg { return c.regs.NewReg(k) }

func (c *code) g() reg  { return c.newReg(cG) }
func (c *code) vr() reg { return c.newReg(cV) }

func (c *code) emit(i inst) {
	i.pos = c.pos
	c.cur.insts = append(c.work.insts.Extend(c.cur.insts, 1), i)
}

// result emits an instruction whose result is a new register of a class, and returns that.
func (c *code) result(k class, i inst) reg {
	i.reg = c.newReg(k)
	i.fl |= fDefReg
	c.emit(i)
	return i.reg
}

// newBlock returns a new block that is not in the layout yet.
func (c *code) newBlock(depth int) *mblock {
	b := c.work.blocks.New()
	b.depth = depth
	return b
}

// blockHere returns a new block for code after the current block: in the same loops, and cold if that is.
func (c *code) blockHere() *mblock {
	b := c.newBlock(c.cur.depth)
	b.cold = c.cur.cold
	return b
}

// place appends a block to the layout. Control falls through to it from the current block if that is open.
func (c *code) place(b *mblock) {
	if c.cur != nil && c.cur.next == nil && !closed(c.cur) {
		c.cur.next = b
	}
	b.id, b.from, b.once = len(c.blocks), c.from, c.once
	c.blocks = append(c.blocks, b)
	c.cur = b
}

// closed reports whether a block ends in an unconditional jump.
func closed(b *mblock) bool {
	n := len(b.insts)
	if n == 0 {
		return false
	}
	i := &b.insts[n-1]
	return i.kind == kJump && i.op == asm.JMP || i.kind == kGoto || i.kind == kLeave || i.kind == kBack
}

// jump ends the current block with a jump to t.
func (c *code) jump(t *mblock) { endBlock(c, inst{op: asm.JMP, kind: kJump}, t) }

// endBlock ends the current block with a jump to t.
func endBlock(c *code, jump inst, t *mblock) {
	c.emit(jump)
	c.cur.target = t
}

// jcc ends the current block with a conditional jump to t, and begins a new block.
func (c *code) jcc(op asm.Op, t *mblock) {
	endBlock(c, inst{op: op, kind: kJump}, t)
	c.place(c.blockHere())
}

// Vector instructions.

// rvm emits d = op(a, b).
func (c *code) rvm(op asm.Op, w asm.Width, a, b reg) reg {
	return c.result(cV, inst{op: op, w: w, v: a, rm: b})
}

// rvmi is rvm with an immediate.
func (c *code) rvmi(op asm.Op, w asm.Width, a, b reg, imm int64) reg {
	return c.result(cV, inst{op: op, w: w, v: a, rm: b, imm: imm})
}

// rmv emits d = op(a).
func (c *code) rmv(op asm.Op, w asm.Width, a reg) reg {
	return c.result(cV, inst{op: op, w: w, rm: a})
}

func (c *code) rmi(op asm.Op, w asm.Width, a reg, imm int64) reg {
	return c.result(cV, inst{op: op, w: w, rm: a, imm: imm})
}

// overwrite emits d = op(a, b, x, imm) for instructions that overwrite their first source.
func (c *code) overwrite(op asm.Op, w asm.Width, a, b, x reg, imm int64) reg {
	d := c.vr()
	c.vmov(d, a)
	c.emit(inst{op: op, w: w, fl: fDefReg | fUseReg, reg: d, v: b, rm: x, imm: imm})
	return d
}

// mr emits d = op(a) for instructions whose destination is modrm.rm.
func (c *code) mr(op asm.Op, w asm.Width, a reg, imm int64) reg {
	d := c.vr()
	c.emit(inst{op: op, w: w, fl: fDefRM, rm: d, reg: a, imm: imm})
	return d
}

// vshift emits d = op(a, imm), the shifts by an immediate.
func (c *code) vshift(op asm.Op, w asm.Width, a reg, imm int64) reg {
	d := c.vr()
	c.emit(inst{op: op, w: w, fl: fDefRM, v: d, rm: a, imm: imm}) // see defs: the destination is vvvv
	return d
}

// krvm emits the mask d = op(a, b).
func (c *code) krvm(op asm.Op, w asm.Width, a, b reg, imm int64) reg {
	return c.result(cK, inst{op: op, w: w, v: a, rm: b, imm: imm})
}

// vload emits a load of a vector.
func (c *code) vload(op asm.Op, w asm.Width, m mem) reg {
	return c.result(cV, inst{op: op, w: w, m: m})
}

// vstore emits a store of a vector.
func (c *code) vstore(op asm.Op, w asm.Width, m mem, a, mask reg) {
	c.emit(inst{op: op, w: w, fl: fUseReg, reg: a, m: m, mask: mask})
}

// vmov copies a vector register.
func (c *code) vmov(d, a reg) {
	c.emit(inst{op: asm.VMOVAPS, w: c.lv.VL, fl: fDefReg | fCopy, reg: d, rm: a})
	c.regs.Hint(d, a)
}

// General instructions.

// mov copies a general register.
func (c *code) mov(d, a reg) {
	c.emit(inst{op: asm.MOVL, w: 8, fl: fDefReg | fCopy, reg: d, rm: a})
	c.regs.Hint(d, a)
}

// movi sets a general register to a constant.
func (c *code) movi(d reg, x uint64) {
	switch {
	case x < 1<<32: // also 0, so that the flags stay
		c.emit(inst{op: asm.MOVIMM, w: 4, fl: fDefRM, rm: d, imm: int64(int32(x))})
	case int64(x) >= -1<<31 && int64(x) < 0:
		c.emit(inst{op: asm.MOVIMM, w: 8, fl: fDefRM, rm: d, imm: int64(x)})
	default:
		c.emit(inst{op: asm.MOVIMM64, w: 8, fl: fDefRM, rm: d, imm: int64(x)})
	}
}

// op2 emits d = d op a.
func (c *code) op2(op asm.Op, w asm.Width, d, a reg) {
	c.emit(inst{op: op, w: w, fl: fDefReg | fUseReg, reg: d, rm: a})
}

// opi emits d = d op imm.
func (c *code) opi(op asm.Op, w asm.Width, d reg, imm int64) {
	c.emit(inst{op: op, w: w, fl: fDefRM | fUseReg, rm: d, imm: imm})
}

// cmp compares general registers.
func (c *code) cmp(w asm.Width, a, b reg) {
	c.emit(inst{op: asm.CMP, w: w, fl: fUseReg, reg: a, rm: b})
}

func (c *code) cmpi(w asm.Width, a reg, imm int64) {
	c.emit(inst{op: asm.CMPIMM, w: w, rm: a, imm: imm})
}

// ld loads w bytes into a general register, zero-extended.
func (c *code) ld(d reg, w asm.Width, m mem) {
	c.emit(inst{op: loadOf[w], w: max(w, 4), fl: fDefReg, reg: d, m: m})
}

// Moves between general registers and memory, by size. Loads extend by zeros; those of less than 4 bytes have a width of 4.
var (
	loadOf  = bySize{1: asm.MOVZX8, 2: asm.MOVZX16, 4: asm.MOVL, 8: asm.MOVL}
	storeOf = bySize{1: asm.MOVB, 2: asm.MOV, 4: asm.MOV, 8: asm.MOV}
)

// fetch returns a new general register with w bytes of memory, zero-extended.
func (c *code) fetch(w asm.Width, m mem) reg {
	d := c.g()
	c.ld(d, w, m)
	return d
}

// st stores w bytes of a general register.
func (c *code) st(m mem, w asm.Width, a reg) {
	c.emit(inst{op: storeOf[w], w: w, fl: fUseReg, reg: a, m: m})
}

func (c *code) lea(d reg, m mem) {
	c.emit(inst{op: asm.LEA, w: 8, fl: fDefReg, reg: d, m: m})
}

// setcc sets d to 0 or 1 by the flags.
func (c *code) setcc(op asm.Op, d reg) {
	c.emit(inst{op: op, w: 1, fl: fDefRM, rm: rAX})
	c.emit(inst{op: asm.MOVZX8, w: 4, fl: fDefReg, reg: d, rm: rAX})
}

func at(base reg, disp int32) mem { return mem{on: true, base: base, scale: 1, disp: disp} }

func ctxAt(disp int32) mem { return at(rCtx, disp) }

func frameAt(disp int32) mem { return at(rFrame, disp) }

// Exceptions to the usual roles of operands.
const (
	opVShift uint8 = 1 << iota // vvvv is the destination
	opGather                   // the instruction overwrites the mask (EVEX) or vvvv (VEX)
)

var unusual = [asm.NumOps]uint8{
	asm.VPSLLW: opVShift, asm.VPSLLD: opVShift, asm.VPSLLQ: opVShift, asm.VPSRLW: opVShift, asm.VPSRLD: opVShift, asm.VPSRLQ: opVShift,
	asm.VPSRAW: opVShift, asm.VPSRAD: opVShift, asm.VPSRAQ: opVShift, asm.VPSLLDQ: opVShift, asm.VPSRLDQ: opVShift,
	asm.VPROLD: opVShift, asm.VPROLQ: opVShift,
	asm.VPGATHERDD: opGather, asm.VPGATHERDQ: opGather,
	asm.VPSCATTERDD: opGather, asm.VPSCATTERDQ: opGather,
}

// places is a set of the register fields of an instruction, one bit each.
type places uint8

const (
	inReg places = 1 << iota
	inV
	inRM
	inMask
	inImm
	inBase
	inIndex
)

// writes returns the places of the registers that i writes.
func (i *inst) writes() (p places) {
	if i.fl&fDefReg != 0 && i.reg != 0 {
		p |= inReg
	}
	how := unusual[i.op]
	if i.fl&fDefRM != 0 {
		if how == opVShift {
			p |= inV
		} else if !i.m.on {
			p |= inRM
		}
	}
	if how == opGather {
		if i.mask != 0 {
			p |= inMask
		} else if i.v != 0 {
			p |= inV
		}
	}
	return p
}

// reads returns the places of the registers that i reads.
func (i *inst) reads() places {
	none := places(0)
	put := func(here places, r reg) {
		if r == 0 {
			none |= here
		}
	}
	put(inReg, i.reg)
	put(inV, i.v)
	put(inRM, i.rm)
	put(inMask, i.mask)
	put(inImm, i.immReg)
	put(inBase, i.m.base)
	put(inIndex, i.m.index)
	return i.mayRead() &^ none
}

// mayRead is reads, with some places that have no register.
func (i *inst) mayRead() places {
	p := readPlaces[unusual[i.op]&opVShift][i.fl&(fDefReg|fUseReg|fDefRM)]
	if i.m.on {
		p |= inBase | inIndex
	}
	return p
}

// readPlaces has the places, outside of the memory operand, whose registers an instruction may read: by whether vvvv is
// its usual destination, and by the flags fDefReg, fUseReg and fDefRM.
var readPlaces = func() (list [2][fDefReg | fUseReg | fDefRM + 1]places) {
	for k := range list[0] {
		fl := instFlags(k)
		for shift := range list {
			p := inMask | inImm
			if fl&fDefReg == 0 || fl&fUseReg != 0 {
				p |= inReg
			}
			if fl&fDefRM == 0 || shift == 0 {
				p |= inV
			}
			if fl&fDefRM == 0 || shift != 0 || fl&fUseReg != 0 && fl&fDefReg == 0 {
				p |= inRM
			}
			list[shift][k] = p
		}
	}
	return list
}()

// field returns the register at a place.
func (i *inst) field(p places) *reg {
	return [...]*reg{&i.reg, &i.v, &i.rm, &i.mask, &i.immReg, &i.m.base, &i.m.index}[bits.TrailingZeros8(uint8(p))]
}

// retarget changes the destination of i to r.
func (i *inst) retarget(r reg) {
	for p := i.writes(); p != 0; p &= p - 1 {
		*i.field(p & -p) = r
	}
}

// named is a buffer for the registers of an instruction.
type named [8]reg

// virtual appends the virtual registers in these fields to list, in order, and returns it. Passes over all
// instructions use it because it is faster than a call per register.
func (i *inst) virtual(p places, list *named) []reg {
	n := 0
	put := func(here places, r reg) {
		if list[n&7] = r; p&here != 0 && r > 0 {
			n++
		}
	}
	put(inReg, i.reg)
	put(inV, i.v)
	put(inRM, i.rm)
	put(inMask, i.mask)
	put(inImm, i.immReg)
	put(inBase, i.m.base)
	put(inIndex, i.m.index)
	return list[:n&7]
}

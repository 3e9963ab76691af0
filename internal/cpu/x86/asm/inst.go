package asm

// A Reg is a register: a general one, a vector register (of the instruction's width) or a mask register.
// Registers are numbered within their class.
type Reg uint8

// The general registers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	// NoReg means no register.
	NoReg Reg = 0xFF
)

// V0 is the first of 32 vector registers, K0 the first of 8 mask registers.
const (
	V0 Reg = 32
	K0 Reg = 64
)

// V returns vector register n, K mask register n.
func V(n int) Reg { return V0 + Reg(n) }

// K returns mask register n.
func K(n int) Reg { return K0 + Reg(n) }

// IsVec reports whether r is a vector register.
func (r Reg) IsVec() bool { return r >= V0 && r < K0 }

// IsMask reports whether r is a mask register.
func (r Reg) IsMask() bool { return r >= K0 && r < K0+8 }

// num returns the number within the class, 0 of NoReg.
func (r Reg) num() uint8 {
	if r == NoReg {
		return 0
	}
	return uint8(r % V0)
}

// A Mem is a memory operand: Base + Index*Scale + Disp. If Base is NoReg, it is RIP-relative: the address of a label.
type Mem struct {
	Base, Index Reg // Index may be a vector register for gathers and scatters
	Scale       uint8
	Disp        int32
	Label       Label
}

// At returns the operand [base + disp].
func At(base Reg, disp int32) Mem { return Mem{Base: base, Index: NoReg, Scale: 1, Disp: disp} }

// AtIndex returns the operand [base + index*scale + disp].
func AtIndex(base, index Reg, scale uint8, disp int32) Mem {
	return Mem{Base: base, Index: index, Scale: scale, Disp: disp}
}

// AtLabel returns the operand at a label.
func AtLabel(l Label) Mem { return Mem{Base: NoReg, Index: NoReg, Scale: 1, Label: l} }

// A Width is the operand size in bytes: 1, 2, 4 or 8 for general instructions, 16, 32 or 64 for vector ones.
type Width uint8

// A Rounding is an embedded rounding control (EVEX {er}) or suppression of exceptions.
type Rounding uint8

// The embedded roundings.
const (
	NoRounding Rounding = iota
	ToNearest
	Down
	Up
	ToZero
	SAE // suppress all exceptions only
)

// An Inst is an instruction. Reg, V and RM are the operands that are encoded in ModRM.reg, VEX.vvvv and
// ModRM.rm; the Form of the op's row lists which it has.
type Inst struct {
	Op     Op
	W      Width
	Reg    Reg
	V      Reg
	RM     Reg // if HasMem is false
	HasMem bool
	Bcst   bool // the memory operand is one element, broadcast
	Zero   bool // zeroing masking
	Mask   Reg  // K1…K7, or 0 for none
	Round  Rounding
	Mem    Mem
	Imm    int64
}

// MemoryOperand reports whether the operand in modrm.rm, of an op that reads it, may be in memory with the
// operation's full width, in every encoding.
func (o Op) MemoryOperand() bool {
	r := &Table[o]
	if r.Flags&(regOnly|regMem|kRM|opReg) != 0 || r.Flags&gprRM != 0 && r.Tuple == tNone {
		return false
	}
	switch r.Form {
	case formRM, formRVM, formKRVM, formRMV:
		return true
	}
	return false
}

// BroadcastSize returns the size in bytes of the element that the op can broadcast from memory, 0 if it cannot.
func (o Op) BroadcastSize() int {
	switch r := &Table[o]; r.Tuple {
	case tFull, tHalf, tQuarter:
		return int(r.Elem)
	}
	return 0
}

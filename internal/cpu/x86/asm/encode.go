package asm

import (
	"encoding/binary"
	"fmt"
)

// A Label is a position in the code; 0 is none.
type Label int32

// An Assembler collects machine code.
type Assembler struct {
	Code   []byte
	Trace  func(at int, i *Inst) // if set, called for each instruction with its offset
	labels []int32               // by label: offset, or -1
	fixups []fixup
	jump   Inst // scratch
}

type fixup struct {
	at    int32 // offset of the 4-byte displacement
	end   int32 // offset of the end of the instruction
	label Label
}

// Reset empties the assembler and keeps its memory.
func (a *Assembler) Reset() {
	a.Code, a.labels, a.fixups = a.Code[:0], a.labels[:0], a.fixups[:0]
}

// NewLabel returns an unbound label.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels))
}

// Bind binds a label to the current offset.
func (a *Assembler) Bind(l Label) { a.labels[l-1] = int32(len(a.Code)) }

// Offset returns the offset of a bound label.
func (a *Assembler) Offset(l Label) int { return int(a.labels[l-1]) }

// Align pads with multi-byte no-ops to a multiple of n, a power of two.
func (a *Assembler) Align(n int) {
	pad := -len(a.Code) & (n - 1)
	for pad > 0 {
		k := min(pad, len(nops))
		a.Code = append(a.Code, nops[k-1]...)
		pad -= k
	}
}

// nops are the recommended no-ops by length (Intel manual, NOP).
var nops = [...]string{"\x90", "\x66\x90", "\x0f\x1f\x00", "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00", "\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00", "\x0f\x1f\x84\x00\x00\x00\x00\x00", "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00"}

// Bytes appends data, such as constants.
func (a *Assembler) Bytes(b []byte) { a.Code = append(a.Code, b...) }

// Finish resolves the labels. It returns an error for a label that is used and not bound.
func (a *Assembler) Finish() error {
	for _, f := range a.fixups {
		to := a.labels[f.label-1]
		if to < 0 {
			return fmt.Errorf("asm: label %d is not bound", f.label)
		}
		binary.LittleEndian.PutUint32(a.Code[f.at:], uint32(to-f.end))
	}
	a.fixups = a.fixups[:0]
	return nil
}

// Emit appends an instruction.
func (a *Assembler) Emit(i *Inst) {
	row := &Table[i.Op]
	start := len(a.Code)
	if a.Trace != nil {
		a.Trace(start, i)
	}
	switch row.Enc {
	case encLegacy:
		a.legacy(i, row)
	case encBranch:
		a.branch(i, row)
	default:
		a.vector(i, row)
	}
	// A RIP-relative displacement counts from the end of the instruction.
	if n := len(a.fixups); n > 0 && int(a.fixups[n-1].at) >= start {
		a.fixups[n-1].end = int32(len(a.Code))
	}
}

// Jump appends a jump or conditional jump to a label, always with a 32-bit displacement.
func (a *Assembler) Jump(op Op, to Label) {
	a.jump = Inst{Op: op, Mem: Mem{Label: to}} // not a local variable, which would be allocated
	a.Emit(&a.jump)
}

func (a *Assembler) branch(i *Inst, row *Row) {
	a.escape(row.Map)
	a.Code = append(a.Code, row.Opcode)
	a.fixups = append(a.fixups, fixup{at: int32(len(a.Code)), label: i.Mem.Label})
	a.Code = append(a.Code, 0, 0, 0, 0)
}

// regField returns what modrm.reg holds.
func regField(i *Inst, row *Row) uint8 {
	if row.Ext >= 0 {
		return uint8(row.Ext)
	}
	return i.Reg.num()
}

// numbers returns the numbers of the registers that are encoded in SIB.index and in SIB.base or modrm.rm.
func (i *Inst) numbers() (index, base uint8) {
	if i.HasMem {
		return i.Mem.Index.num(), i.Mem.Base.num()
	}
	return 0, i.RM.num()
}

// bit returns 1 << n if is is set, else 0.
func bit(is bool, n int) byte {
	if is {
		return 1 << n
	}
	return 0
}

// escape appends the bytes before the opcode in encodings without VEX and EVEX.
func (a *Assembler) escape(m opcodeMap) {
	switch m {
	case m0F:
		a.Code = append(a.Code, 0x0F)
	case m0F38:
		a.Code = append(a.Code, 0x0F, 0x38)
	case m0F3A:
		a.Code = append(a.Code, 0x0F, 0x3A)
	}
}

func (a *Assembler) legacy(i *Inst, row *Row) {
	reg := regField(i, row)
	if row.Flags&opReg != 0 { // opcode + register
		reg = 0
	}
	if i.W == 2 && row.Flags&sized != 0 {
		a.Code = append(a.Code, 0x66)
	}
	if row.Flags&lock != 0 {
		a.Code = append(a.Code, 0xF0)
	}
	if row.PP != 0 {
		a.Code = append(a.Code, ppByte[row.PP])
	}
	index, base := i.numbers()
	rex := bit(i.W == 8 && row.Flags&sized != 0 || row.W == W1, 3) | reg>>3<<2 | index>>3<<1 | base>>3
	// spl, bpl, sil, dil need a REX prefix. The byte store is the only row whose ModRM.reg is a byte register.
	if rex != 0 || !i.HasMem && row.Flags&byteRM != 0 && base >= 4 || i.Op == MOVB && reg >= 4 {
		a.Code = append(a.Code, 0x40|rex)
	}
	a.escape(row.Map)
	if row.Flags&opReg != 0 {
		a.Code = append(a.Code, row.Opcode|base&7)
	} else {
		a.Code = append(a.Code, row.Opcode)
		if row.Form != formNone || row.Ext >= 0 { // fences have an extension and no operands
			a.modrm(i, reg, 1)
		}
	}
	switch {
	case row.Imm == imm8:
		a.Code = append(a.Code, byte(i.Imm))
	case row.Imm == imm32 && i.W == 2:
		a.Code = binary.LittleEndian.AppendUint16(a.Code, uint16(i.Imm))
	case row.Imm == imm32:
		a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(i.Imm))
	case row.Imm == imm64:
		a.Code = binary.LittleEndian.AppendUint64(a.Code, uint64(i.Imm))
	}
}

var ppByte = [4]byte{0, 0x66, 0xF3, 0xF2}

// vector encodes with VEX if that can express the instruction, else with EVEX.
func (a *Assembler) vector(i *Inst, row *Row) {
	reg := regField(i, row)
	var v uint8
	if row.Form.hasV() {
		v = i.V.num()
	}
	high := func(r Reg) bool { return r.IsVec() && r.num() >= 16 }
	needEVEX := i.W == 64 || i.Mask != 0 || i.Zero || i.Bcst || i.Round != NoRounding || row.Enc == encEVEX ||
		row.Ext < 0 && high(i.Reg) || v >= 16 || !i.HasMem && high(i.RM) || i.HasMem && high(i.Mem.Index)
	switch {
	case !needEVEX:
		a.vex(i, row, reg, v)
	case row.Enc == encVEX:
		panic("asm: " + row.Name + " has no EVEX form")
	default:
		a.evex(i, row, reg, v)
	}
	switch row.Imm {
	case imm8:
		a.Code = append(a.Code, byte(i.Imm))
	case immReg: // a fourth register in the upper half of the immediate
		a.Code = append(a.Code, Reg(i.Imm).num()<<4)
	}
}

// vecLen returns the field L of VEX or L'L of EVEX.
func vecLen(i *Inst, row *Row) byte {
	if row.Flags&l1 != 0 {
		return 1
	}
	return byte(i.W >> 5)
}

// wide returns the field W of VEX or EVEX.
func (w wbit) wide(i *Inst) byte { return bit(w == W1 || w == wSize && i.W == 8, 0) }

// vex encodes with VEX, whose fields R, X, B and vvvv are inverted.
func (a *Assembler) vex(i *Inst, row *Row, reg, v uint8) {
	index, base := i.numbers()
	r, w, low := ^reg&8<<4, row.W.wide(i), ^v&15<<3|vecLen(i, row)<<2|row.PP
	if (index|base)&8 == 0 && w == 0 && row.Map == m0F {
		a.Code = append(a.Code, 0xC5, r|low)
	} else {
		a.Code = append(a.Code, 0xC4, r|^index&8<<3|^base&8<<2|byte(row.Map), w<<7|low)
	}
	a.Code = append(a.Code, row.Opcode)
	if row.Form != formNone {
		a.modrm(i, reg, 1)
	}
}

// evex encodes with EVEX, whose fields R, X, B, R', vvvv and V' are inverted. X is the fifth bit of modrm.rm, V' that of SIB.index.
func (a *Assembler) evex(i *Inst, row *Row, reg, v uint8) {
	index, base := i.numbers()
	x := index
	if !i.HasMem {
		x = base >> 1
	}
	ll := vecLen(i, row)
	if i.Round != NoRounding {
		ll = byte(i.Round-ToNearest) & 3 // 0 for SAE
	}
	a.Code = append(a.Code, 0x62, ^reg&8<<4|^x&8<<3|^base&8<<2|^reg&16|byte(row.Map), row.EW.wide(i)<<7|^v&15<<3|4|row.PP,
		bit(i.Zero, 7)|ll<<5|bit(i.Bcst || i.Round != NoRounding, 4)|^(v|index)&16>>1|i.Mask.num(), row.Opcode)
	a.modrm(i, reg, row.disp8(i))
}

// modrm appends ModRM, SIB and displacement; n is the factor of a compressed 8-bit displacement.
func (a *Assembler) modrm(i *Inst, reg uint8, n int32) {
	reg = reg & 7 << 3
	if !i.HasMem {
		a.Code = append(a.Code, 0xC0|reg|i.RM.num()&7)
		return
	}
	m := &i.Mem
	if m.Base == NoReg {
		a.Code = append(a.Code, reg|5)
		a.fixups = append(a.fixups, fixup{at: int32(len(a.Code)), label: m.Label})
		a.Code = append(a.Code, 0, 0, 0, 0)
		return
	}
	mod := byte(2)
	switch {
	case m.Disp == 0 && m.Base.num()&7 != 5:
		mod = 0
	case m.Disp%n == 0 && m.Disp/n >= -128 && m.Disp/n <= 127:
		mod = 1
	}
	switch {
	case m.Index != NoReg:
		a.Code = append(a.Code, mod<<6|reg|4, scaleBits[m.Scale]<<6|m.Index.num()&7<<3|m.Base.num()&7)
	case m.Base.num()&7 == 4: // rsp and r12 need a SIB byte
		a.Code = append(a.Code, mod<<6|reg|4, 0x24)
	default:
		a.Code = append(a.Code, mod<<6|reg|m.Base.num()&7)
	}
	switch mod {
	case 1:
		a.Code = append(a.Code, byte(m.Disp/n))
	case 2:
		a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(m.Disp))
	}
}

// scaleBits is the field of a scale.
var scaleBits = [...]byte{1: 0, 2: 1, 4: 2, 8: 3}

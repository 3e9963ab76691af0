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
	if row.Map == m0F {
		a.Code = append(a.Code, 0x0F)
	}
	a.Code = append(a.Code, row.Opcode)
	a.fixups = append(a.fixups, fixup{at: int32(len(a.Code)), label: i.Mem.Label})
	a.Code = append(a.Code, 0, 0, 0, 0)
}

// operands puts the operands of the row's form in their fields: what modrm.reg holds.
func regField(i *Inst, row *Row) uint8 {
	if row.Ext >= 0 {
		return uint8(row.Ext)
	}
	if i.Reg == NoReg {
		return 0
	}
	return i.Reg.num()
}

func (a *Assembler) legacy(i *Inst, row *Row) {
	reg := regField(i, row)
	var rex byte
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
	if i.W == 8 && row.Flags&sized != 0 || row.W == W1 {
		rex |= 8
	}
	if reg >= 8 {
		rex |= 4
	}
	force := false
	if i.HasMem {
		if i.Mem.Index != NoReg && i.Mem.Index.num() >= 8 {
			rex |= 2
		}
		if i.Mem.Base != NoReg && i.Mem.Base.num() >= 8 {
			rex |= 1
		}
	} else if i.RM != NoReg {
		if i.RM.num() >= 8 {
			rex |= 1
		}
		// spl, bpl, sil, dil need a REX prefix.
		force = row.Flags&byteRM != 0 && i.RM.num() >= 4
	}
	// The byte store is the only row whose ModRM.reg is a byte register.
	if i.Op == MOVB && reg >= 4 {
		force = true
	}
	if rex != 0 || force {
		a.Code = append(a.Code, 0x40|rex)
	}
	switch row.Map {
	case m0F:
		a.Code = append(a.Code, 0x0F)
	case m0F38:
		a.Code = append(a.Code, 0x0F, 0x38)
	case m0F3A:
		a.Code = append(a.Code, 0x0F, 0x3A)
	}
	op := row.Opcode
	if row.Flags&opReg != 0 {
		a.Code = append(a.Code, op|i.RM.num()&7)
	} else if row.Flags&fence != 0 {
		a.Code = append(a.Code, op, 0xF0)
	} else if row.Flags&sfence != 0 {
		a.Code = append(a.Code, op, 0xF8)
	} else {
		a.Code = append(a.Code, op)
		if row.Form != formNone {
			a.modrm(i, reg, 1)
		}
	}
	switch row.Imm {
	case imm8:
		a.Code = append(a.Code, byte(i.Imm))
	case imm32:
		switch i.W {
		case 1:
			a.Code = append(a.Code, byte(i.Imm))
		case 2:
			a.Code = binary.LittleEndian.AppendUint16(a.Code, uint16(i.Imm))
		default:
			a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(i.Imm))
		}
	case imm64:
		a.Code = binary.LittleEndian.AppendUint64(a.Code, uint64(i.Imm))
	}
}

var ppByte = [4]byte{0, 0x66, 0xF3, 0xF2}

// vector encodes with VEX if that can express the instruction, else with EVEX.
func (a *Assembler) vector(i *Inst, row *Row) {
	reg := regField(i, row)
	var v uint8
	if i.V != NoReg && row.Form.hasV() {
		v = i.V.num()
	}
	high := func(r Reg) bool { return r != NoReg && r.IsVec() && r.num() >= 16 }
	needEVEX := i.W == 64 || i.Mask != 0 || i.Zero || i.Bcst || i.Round != NoRounding || row.Enc == encEVEX ||
		row.Ext < 0 && high(i.Reg) || row.Form.hasV() && high(i.V) || !i.HasMem && high(i.RM) || i.HasMem && i.Mem.Index.IsVec() && high(i.Mem.Index)
	if needEVEX {
		if row.Enc == encVEX {
			panic("asm: " + row.Name + " has no EVEX form")
		}
		a.evex(i, row, reg, v)
		return
	}
	a.vex(i, row, reg, v)
}

func vecLen(w Width) byte {
	switch w {
	case 32:
		return 1
	case 64:
		return 2
	}
	return 0
}

func (a *Assembler) vex(i *Inst, row *Row, reg, v uint8) {
	var r, x, b byte = 1, 1, 1
	if reg >= 8 {
		r = 0
	}
	if i.HasMem {
		if i.Mem.Index != NoReg && i.Mem.Index.num()&8 != 0 {
			x = 0
		}
		if i.Mem.Base != NoReg && i.Mem.Base.num() >= 8 {
			b = 0
		}
	} else if i.RM != NoReg && i.RM.num()&8 != 0 {
		b = 0
	}
	w := byte(0)
	if row.W == W1 || row.W == wSize && i.W == 8 {
		w = 1
	}
	l := vecLen(i.W)
	if row.Flags&lig != 0 {
		l = 0
	}
	if row.Flags&l1 != 0 {
		l = 1
	}
	low := (^v&15)<<3 | l<<2 | row.PP
	if x == 1 && b == 1 && w == 0 && row.Map == m0F {
		a.Code = append(a.Code, 0xC5, r<<7|low)
	} else {
		a.Code = append(a.Code, 0xC4, r<<7|x<<6|b<<5|byte(row.Map), w<<7|low)
	}
	a.Code = append(a.Code, row.Opcode)
	if row.Form != formNone {
		a.modrm(i, reg, 1)
	}
	a.vectorImm(i, row)
}

func (a *Assembler) vectorImm(i *Inst, row *Row) {
	switch row.Imm {
	case imm8:
		a.Code = append(a.Code, byte(i.Imm))
	case immReg: // a fourth register in the upper half of the immediate
		a.Code = append(a.Code, byte(Reg(i.Imm).num())<<4)
	}
}

func (a *Assembler) evex(i *Inst, row *Row, reg, v uint8) {
	var r, x, b, r2, v2 byte = 1, 1, 1, 1, 1
	if reg&8 != 0 {
		r = 0
	}
	if reg&16 != 0 {
		r2 = 0
	}
	if v&16 != 0 {
		v2 = 0
	}
	if i.HasMem {
		if i.Mem.Index != NoReg {
			n := i.Mem.Index.num()
			if n&8 != 0 {
				x = 0
			}
			if i.Mem.Index.IsVec() && n&16 != 0 {
				v2 = 0
			}
		}
		if i.Mem.Base != NoReg && i.Mem.Base.num() >= 8 {
			b = 0
		}
	} else {
		n := i.RM.num()
		if n&8 != 0 {
			b = 0
		}
		if n&16 != 0 {
			x = 0
		}
	}
	w := byte(0)
	switch row.EW {
	case W1:
		w = 1
	case wSize:
		if i.W == 8 {
			w = 1
		}
	}
	ll := vecLen(i.W)
	if row.Flags&lig != 0 {
		ll = 0
	}
	bit := byte(0)
	if i.Bcst {
		bit = 1
	}
	if i.Round != NoRounding {
		bit = 1
		switch i.Round {
		case ToNearest:
			ll = 0
		case Down:
			ll = 1
		case Up:
			ll = 2
		case ToZero:
			ll = 3
		case SAE:
			ll = 0
		}
	}
	z := byte(0)
	if i.Zero {
		z = 1
	}
	k := byte(0)
	if i.Mask != 0 {
		k = i.Mask.num()
	}
	pp := row.PP
	a.Code = append(a.Code, 0x62, r<<7|x<<6|b<<5|r2<<4|byte(row.Map), w<<7|(^v&15)<<3|4|pp, z<<7|ll<<5|bit<<4|v2<<3|k, row.Opcode)
	a.modrm(i, reg, row.disp8(i))
	a.vectorImm(i, row)
}

// modrm appends ModRM, SIB and displacement; n is the factor of a compressed 8-bit displacement.
func (a *Assembler) modrm(i *Inst, reg uint8, n int32) {
	reg = reg & 7 << 3
	if !i.HasMem {
		a.Code = append(a.Code, 0xC0|reg|i.RM.num()&7)
		return
	}
	m := &i.Mem
	if m.Base == NoReg && m.Label != 0 {
		a.Code = append(a.Code, reg|5)
		a.fixups = append(a.fixups, fixup{at: int32(len(a.Code)), label: m.Label})
		a.Code = append(a.Code, 0, 0, 0, 0)
		return
	}
	var mod byte
	switch {
	case m.Disp == 0 && m.Base != NoReg && m.Base.num()&7 != 5:
		mod = 0
	case m.Base != NoReg && m.Disp%n == 0 && m.Disp/n >= -128 && m.Disp/n <= 127:
		mod = 1
	default:
		mod = 2
	}
	switch {
	case m.Base == NoReg: // [index*scale + disp32]
		mod = 0
		idx := byte(4)
		if m.Index != NoReg {
			idx = m.Index.num() & 7
		}
		a.Code = append(a.Code, reg|4, scaleBits(m.Scale)<<6|idx<<3|5)
		a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(m.Disp))
		return
	case m.Index != NoReg:
		a.Code = append(a.Code, mod<<6|reg|4, scaleBits(m.Scale)<<6|m.Index.num()&7<<3|m.Base.num()&7)
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

func scaleBits(s uint8) byte {
	switch s {
	case 2:
		return 1
	case 4:
		return 2
	case 8:
		return 3
	}
	return 0
}

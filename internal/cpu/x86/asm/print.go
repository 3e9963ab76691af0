package asm

import (
	"fmt"
	"strconv"
	"strings"
)

var gprNames = map[Width][]string{
	1: {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
	2: {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	4: {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	8: {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
}

func regName(r Reg, w Width) string {
	switch {
	case r.IsMask():
		return "k" + strconv.Itoa(int(r.num()))
	case r.IsVec():
		return map[Width]string{16: "xmm", 32: "ymm", 64: "zmm"}[max(w, 16)] + strconv.Itoa(int(r.num()))
	}
	if names := gprNames[w]; int(r) < len(names) {
		return names[r]
	}
	return "?" // only a bug of the caller
}

var ptrNames = map[int32]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}

var roundingNames = [...]string{ToNearest: "{rn-sae}", Down: "{rd-sae}", Up: "{ru-sae}", ToZero: "{rz-sae}", SAE: "{sae}"}

func memName(i *Inst, size int32, indexW Width, label func(Label) string) string {
	m := &i.Mem
	if m.Base == NoReg {
		return fmt.Sprintf("%s ptr [rip+%s]", ptrNames[size], label(m.Label))
	}
	at := gprNames[8][m.Base]
	switch {
	case m.Index.IsVec():
		at += fmt.Sprintf("+%s*%d", regName(m.Index, indexW), m.Scale)
	case m.Index != NoReg:
		at += fmt.Sprintf("+%s*%d", gprNames[8][m.Index], m.Scale)
	}
	if m.Disp != 0 {
		at += fmt.Sprintf("%+d", m.Disp)
	}
	return fmt.Sprintf("%s ptr [%s]", ptrNames[size], at)
}

// String returns the register's name; for general registers the 64-bit name.
func (r Reg) String() string {
	if r.IsVec() {
		return "v" + strconv.Itoa(int(r.num()))
	}
	return regName(r, 8)
}

// Regs calls f with each register of the instruction.
func (i *Inst) Regs(f func(Reg)) {
	r := &Table[i.Op]
	if r.Enc == encBranch || r.Form == formNone {
		return
	}
	some := func(x Reg) {
		if x != NoReg {
			f(x)
		}
	}
	if r.Form != formM && r.Form != formVM {
		some(i.Reg)
	}
	if r.Form.hasV() {
		some(i.V)
	}
	if i.HasMem {
		some(i.Mem.Base)
		some(i.Mem.Index)
	} else {
		some(i.RM)
	}
	if i.Mask != 0 {
		f(i.Mask)
	}
	if r.Imm == immReg {
		f(Reg(i.Imm))
	}
}

// String returns the instruction in Intel syntax, as GNU as reads it. Labels are L and their number.
func (i *Inst) String() string {
	return i.Text(func(l Label) string { return "L" + strconv.Itoa(int(l)) })
}

// Text is String with names for the labels.
func (i *Inst) Text(label func(Label) string) string {
	r := &Table[i.Op]
	if r.Enc == encBranch {
		return r.Name + " " + label(i.Mem.Label)
	}
	w := i.widths(r)
	rm := ""
	switch {
	case i.HasMem && i.Bcst:
		rm = memName(i, int32(r.Elem), w.index, label) + fmt.Sprintf("{1to%d}", int(w.mem)/int(r.Elem))
	case i.HasMem:
		rm = memName(i, w.mem, w.index, label)
	case i.RM != NoReg:
		rm = regName(i.RM, w.rm)
	}
	ops := i.operands(r, rm, w)
	if i.Round != NoRounding {
		ops = append(ops, roundingNames[i.Round])
	}
	switch r.Imm {
	case imm8, imm32, imm64:
		ops = append(ops, strconv.FormatInt(i.Imm, 10))
	case immReg:
		ops = append(ops, regName(Reg(i.Imm), i.W))
	}
	if strings.HasSuffix(r.Name, "cl") && r.Enc == encLegacy {
		ops = append(ops, "cl")
	}
	name := r.Mnemonic
	if r.Name == "cdq" && i.W == 8 {
		name = "cqo"
	}
	return strings.TrimSuffix(name+" "+strings.Join(ops, ", "), " ")
}

// widths are the sizes in bytes that the text of an instruction shows.
type widths struct {
	reg, v, rm Width // of the operands in the fields reg, vvvv and rm
	index      Width // of the vector of indices of a gather or scatter
	mem        int32 // of the operand in memory
}

// widths returns the widths of an instruction's operands.
func (i *Inst) widths(r *Row) widths {
	w := widths{reg: i.W, v: i.W, rm: i.W, index: i.W, mem: r.Tuple.size(int32(i.W))}
	if r.Enc == encLegacy || r.Tuple == tHalf || r.Tuple == tQuarter || r.Tuple == tEighth {
		w.rm = Width(w.mem)
	}
	if r.Flags&byteRM != 0 && r.Form == formMR {
		w.reg = 1
	}
	if r.Name == "vpcompressd" { // el4 only scales the displacement
		w.mem = int32(i.W)
	}
	if r.Flags&narrow != 0 {
		w.reg = i.W / 2
	}
	if r.Flags&narrower != 0 {
		w.reg = i.W / 4
	}
	if r.Flags&rmX != 0 {
		w.rm = 16
	}
	if r.Flags&rmY != 0 {
		w.rm = 32
	}
	i.generalWidths(r, &w)
	if (r.Form == formGather || r.Form == formScatter) && r.EW == W1 { // 32-bit indices, 64-bit data
		w.index = max(i.W/2, 16)
	}
	return w
}

// generalWidths sets the widths of general registers in vector and mask instructions.
func (i *Inst) generalWidths(r *Row, w *widths) {
	general := Width(4)
	if r.W == W1 {
		general = 8
	}
	if r.Flags&regGPR != 0 {
		w.reg = general
	}
	if r.Flags&gprRM != 0 {
		w.rm = general
	}
	if r.Flags&gpr != 0 {
		w.reg, w.v, w.rm = i.W, i.W, i.W
	}
}

// operands returns the texts of the register and memory operands in order; rm is the text of the operand in the field rm.
func (i *Inst) operands(r *Row, rm string, w widths) []string {
	mask := ""
	if i.Mask != 0 {
		mask = "{" + regName(i.Mask, 0) + "}"
		if i.Zero {
			mask += "{z}"
		}
	}
	reg := func() string { return regName(i.Reg, w.reg) }
	v := func() string { return regName(i.V, w.v) }
	switch r.Form {
	case formRM, formKRM, formMaskOp:
		return []string{reg() + mask, rm}
	case formMaskMem:
		if strings.HasSuffix(r.Name, "st") {
			return []string{rm, reg()}
		}
		return []string{reg(), rm}
	case formMR:
		return []string{rm + mask, reg()}
	case formRVM, formKRVM, formMaskOp3:
		return []string{reg() + mask, v(), rm}
	case formRMV:
		return []string{reg(), rm, v()}
	case formMVR:
		return []string{rm, v(), reg()}
	case formVM:
		return []string{v() + mask, rm}
	case formM:
		return []string{rm}
	case formGather:
		if i.Mask == 0 {
			return []string{reg(), rm, regName(i.V, w.reg)}
		}
		return []string{reg() + mask, rm}
	case formScatter:
		return []string{rm + mask, reg()}
	}
	return nil
}

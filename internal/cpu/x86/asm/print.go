package asm

import (
	"fmt"
	"strconv"
	"strings"
)

// mnemonics has the instructions' names that differ from the table's.
var mnemonics = map[string]string{
	"movb": "mov", "movl": "mov", "movimm": "mov", "movimm64": "movabs", "movzx8": "movzx", "movzx16": "movzx", "movsx8": "movsx", "movsx16": "movsx",
	"cmpimm8": "cmp", "addimm8": "add", "imul1": "imul", "cdq": "cdq", "lockcmpxchg": "lock cmpxchg", "lockxadd": "lock xadd",
	"lockadd": "lock add", "lockor": "lock or", "lockand": "lock and", "lockxor": "lock xor", "callr": "call", "jmpr": "jmp",
	"vpdpbusdv": "vpdpbusd", "vpdpbusdsv": "vpdpbusds", "vpdpwssdv": "vpdpwssd",
	"vcmppsk": "vcmpps", "vcmppdk": "vcmppd", "vcmpphk": "vcmpph", "vmovqx": "vmovq", "vpermqv": "vpermq",
	"vpbroadcastbr": "vpbroadcastb", "vpbroadcastwr": "vpbroadcastw", "vpbroadcastdr": "vpbroadcastd", "vpbroadcastqr": "vpbroadcastq",
	"kmovwg": "kmovw", "kmovwr": "kmovw", "kmovdg": "kmovd", "kmovdr": "kmovd", "kmovqg": "kmovq", "kmovqr": "kmovq",
	"kmovqld": "kmovq", "kmovqst": "kmovq", "kmovwld": "kmovw", "kmovwst": "kmovw",
}

// mnemonic returns the instruction's name without the table's suffix for the form.
func mnemonic(r *Row) string {
	if n, ok := mnemonics[r.Name]; ok {
		return n
	}
	n := r.Name
	if r.Enc != encLegacy && (r.Form == formMR || r.Form == formMVR) {
		n = strings.TrimSuffix(n, "st")
	}
	if r.Enc == encLegacy {
		for _, suffix := range []string{"imm", "cl"} {
			n = strings.TrimSuffix(n, suffix)
		}
	}
	return n
}

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

func memName(i *Inst, size int32, indexW Width, label func(Label) string) string {
	m := &i.Mem
	var parts []string
	if m.Base != NoReg {
		parts = append(parts, gprNames[8][m.Base])
	}
	if m.Index != NoReg {
		n := ""
		if m.Index.IsVec() {
			n = regName(m.Index, indexW)
		} else {
			n = gprNames[8][m.Index]
		}
		parts = append(parts, fmt.Sprintf("%s*%d", n, m.Scale))
	}
	at := strings.Join(parts, "+")
	switch {
	case m.Base == NoReg && m.Label != 0:
		at = "rip+" + label(m.Label)
	case m.Disp != 0 || at == "":
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
	vw := i.W // width of vector operands
	f := r.Flags
	// Widths of the register operands.
	regW, vW, rmW := vw, vw, vw
	memSize := int32(vw)
	switch r.Tuple {
	case tHalf, tQuarter, tEighth:
		div := map[tuple]int32{tHalf: 2, tQuarter: 4, tEighth: 8}[r.Tuple]
		memSize = int32(vw) / div
		rmW = Width(memSize)
	case tEl1, tEl2, tEl4, tEl8, tM128, tM256:
		memSize = map[tuple]int32{tEl1: 1, tEl2: 2, tEl4: 4, tEl8: 8, tM128: 16, tM256: 32}[r.Tuple]
	case tNone:
		if f&byteRM != 0 {
			memSize = 1
		}
	}
	if r.Name == "vpcompressd" || r.Name == "vpexpandd" { // el4 only scales the displacement
		memSize = int32(vw)
	}
	if f&narrow != 0 {
		regW = vw / 2
	}
	if f&narrower != 0 {
		regW = vw / 4
	}
	if f&rmX != 0 {
		rmW = 16
	}
	if f&rmY != 0 {
		rmW = 32
	}
	gw := Width(4)
	if i.W == 8 || r.EW == W1 || r.W == W1 {
		gw = 8
	}
	if f&regGPR != 0 {
		regW = gw
		if r.Form == formMaskOp && r.W == W0 || r.Name == "kmovdr" {
			regW = 4
		}
	}
	if f&gprRM != 0 {
		rmW = gw
		if r.Name == "kmovdg" || r.Name == "kmovwg" || r.Name == "vpbroadcastbr" || r.Name == "vpbroadcastwr" {
			rmW = 4
		}
	}
	if f&gpr != 0 {
		regW, vW, rmW = i.W, i.W, i.W
	}
	if r.Enc == encLegacy {
		regW, rmW = i.W, i.W
		switch {
		case f&byteRM != 0 && r.Name == "movb":
			regW, rmW, memSize = 1, 1, 1
		case f&byteRM != 0:
			rmW, memSize = 1, 1
		case r.Name == "movzx16", r.Name == "movsx16":
			rmW, memSize = 2, 2
		case r.Name == "movsxd":
			regW, rmW, memSize = 8, 4, 4
		case r.Name == "movimm64", r.Name == "push", r.Name == "pop", r.Name == "callr", r.Name == "jmpr":
			rmW, memSize = 8, 8
		}
	}
	indexW := vw
	if r.Form == formGather || r.Form == formScatter {
		memSize = map[tuple]int32{tEl4: 4, tEl8: 8}[r.Tuple]
		switch {
		case strings.HasSuffix(r.Name, "dq"): // 32-bit indices, 64-bit data
			indexW = max(vw/2, 16)
		case strings.HasSuffix(r.Name, "qd"):
			regW = max(vw/2, 16)
		}
	}
	var rm string
	if i.HasMem {
		if i.Bcst {
			n := int(memSize) / int(r.Elem)
			rm = memName(i, int32(r.Elem), indexW, label) + fmt.Sprintf("{1to%d}", n)
		} else {
			rm = memName(i, memSize, indexW, label)
		}
	} else if i.RM != NoReg {
		rm = regName(i.RM, rmW)
	}
	mask := ""
	if i.Mask != 0 {
		mask = "{" + regName(i.Mask, 0) + "}"
		if i.Zero {
			mask += "{z}"
		}
	}
	var ops []string
	reg := func() string { return regName(i.Reg, regW) }
	switch r.Form {
	case formRM, formKRM, formMaskOp:
		ops = []string{reg() + mask, rm}
	case formMaskMem:
		ops = []string{reg(), rm}
		if strings.HasSuffix(r.Name, "st") {
			ops = []string{rm, reg()}
		}
	case formMR:
		ops = []string{rm + mask, reg()}
	case formRVM, formKRVM, formMaskOp3:
		ops = []string{reg() + mask, regName(i.V, vW), rm}
	case formRMV:
		ops = []string{reg(), rm, regName(i.V, vW)}
	case formMVR:
		ops = []string{rm, regName(i.V, vW), reg()}
	case formVM:
		ops = []string{regName(i.V, vW) + mask, rm}
	case formM:
		ops = []string{rm}
	case formGather:
		ops = []string{reg() + mask, rm}
		if i.Mask == 0 {
			ops = append(ops, regName(i.V, regW))
		}
	case formScatter:
		ops = []string{rm + mask, reg()}
	}
	switch i.Round {
	case ToNearest:
		ops = append(ops, "{rn-sae}")
	case Down:
		ops = append(ops, "{rd-sae}")
	case Up:
		ops = append(ops, "{ru-sae}")
	case ToZero:
		ops = append(ops, "{rz-sae}")
	case SAE:
		ops = append(ops, "{sae}")
	}
	switch r.Imm {
	case imm8, imm32, imm64:
		ops = append(ops, strconv.FormatInt(i.Imm, 10))
	case immReg:
		ops = append(ops, regName(Reg(i.Imm), vw))
	}
	if strings.HasSuffix(r.Name, "cl") && r.Enc == encLegacy {
		ops = append(ops, "cl")
	}
	name := mnemonic(r)
	if r.Name == "cdq" && i.W == 8 {
		name = "cqo"
	}
	return strings.TrimSuffix(name+" "+strings.Join(ops, ", "), " ")
}

package arm64

import (
	"fmt"
	"strings"
)

const elementLetters = "bhsd"

// String returns the instruction in GNU as syntax; a label is L and its number.
func (i *machineInst) String() string {
	r := &rows[i.op]
	name := r.name
	if r.form == fJumpIf {
		name += "." + condNames[i.imm]
	}
	ops := i.operands(r)
	if r.form.vector() {
		ops = i.vectorOperands(r.form)
	}
	return strings.TrimSpace(name + " " + strings.Join(ops, ", "))
}

// operands returns the texts of the operands of an instruction without vector registers.
func (i *machineInst) operands(r *row) []string {
	w := i.w
	if r.size != 0 && r.form != fMem && r.form != fMemX {
		w = r.size
	}
	d, n, m := general(i.d, w), general(i.n, w), general(i.m, w)
	label := fmt.Sprintf("L%d", i.label)
	switch r.form {
	case fRRR:
		return []string{d, n, m}
	case fRRRR:
		return []string{d, n, m, general(i.a, w)}
	case fRR:
		return []string{d, n}
	case fRRI:
		return []string{d, n, immediate(i.imm)}
	case fLogicI:
		return []string{d, n, "#1"}
	case fMoveI:
		return []string{d, immediate(i.imm), fmt.Sprintf("lsl #%d", i.imm2)}
	case fBits:
		return []string{d, n, immediate(i.imm), immediate(i.imm2)}
	case fSelect:
		return []string{d, n, m, condNames[i.imm]}
	case fCmp:
		return []string{n, m}
	case fCmpI:
		return []string{n, immediate(i.imm)}
	case fMem:
		return []string{transferred(i.d, r.size), fmt.Sprintf("[%s, #%d]", general(i.n, 8), i.imm)}
	case fMemX:
		return []string{transferred(i.d, r.size), fmt.Sprintf("[%s, %s]", general(i.n, 8), general(i.m, 8))}
	case fPair:
		return []string{transferred(i.d, r.size), transferred(i.a, r.size), fmt.Sprintf("[%s, #%d]", general(i.n, 8), i.imm)}
	case fJump, fJumpIf:
		return []string{label}
	case fJumpZ:
		return []string{n, label}
	case fTestBit:
		return []string{n, "#0", label}
	case fAddr:
		return []string{d, label}
	case fReg:
		return []string{n}
	case fBarrier:
		return []string{"ish"}
	}
	return nil
}

// vectorOperands returns the texts of the operands of an instruction with vector registers.
func (i *machineInst) vectorOperands(f form) []string {
	t := i.t
	whole := func(n uint8) string { return vector(n, t, 16) }
	switch f {
	case fV3, fF3:
		return []string{whole(i.d), whole(i.n), whole(i.m)}
	case fL3:
		return []string{vector(i.d, 0, 16), vector(i.n, 0, 16), vector(i.m, 0, 16)}
	case fV2, fF2:
		return []string{whole(i.d), whole(i.n)}
	case fL2:
		return []string{vector(i.d, 0, 16), vector(i.n, 0, 16)}
	case fShiftL, fShiftR:
		return []string{whole(i.d), whole(i.n), immediate(i.imm)}
	case fLong:
		return []string{vector(i.d, t+1, 16), vector(i.n, t, 8), "#0"}
	case fLong2:
		return []string{vector(i.d, t+1, 16), whole(i.n), "#0"}
	case fNarrow, fFNarrow:
		return []string{vector(i.d, t-1, 8), whole(i.n)}
	case fNarrow2, fFNarrow2:
		return []string{vector(i.d, t-1, 16), whole(i.n)}
	case fFLong:
		return []string{whole(i.d), vector(i.n, t-1, 8)}
	case fFLong2:
		return []string{whole(i.d), vector(i.n, t-1, 16)}
	case fDup:
		return []string{whole(i.d), element(i.n, t)}
	case fDupE:
		return []string{whole(i.d), vectorElement(i.n, t, i.imm)}
	case fToG:
		return []string{element(i.d, t), vectorElement(i.n, t, i.imm)}
	case fFromG:
		return []string{vectorElement(i.d, t, i.imm), element(i.n, t)}
	case fAcross:
		return []string{fmt.Sprintf("%c%d", elementLetters[t], i.d), whole(i.n)}
	case fMovi:
		return []string{vector(i.d, 3, 16), "#0"}
	}
	return nil
}

// immediate returns the text of a number.
func immediate(x int64) string { return fmt.Sprintf("#%d", x) }

// vector returns the name of the lower size bytes of a vector register with elements of 1 << t bytes.
func vector(n, t, size uint8) string {
	return fmt.Sprintf("v%d.%d%c", n, size>>t, elementLetters[t&3])
}

// vectorElement returns the name of an element of 1 << t bytes of a vector register.
func vectorElement(n, t uint8, index int64) string {
	return fmt.Sprintf("v%d.%c[%d]", n, elementLetters[t], index)
}

// general returns the name of a general register of w bytes.
func general(n, w uint8) string {
	letter := 'w'
	if w == 8 {
		letter = 'x'
	}
	if n == 31 {
		return fmt.Sprintf("%czr", letter)
	}
	return fmt.Sprintf("%c%d", letter, n)
}

// element returns the general register that holds an element of 1 << t bytes.
func element(n, t uint8) string {
	if t == 3 {
		return general(n, 8)
	}
	return general(n, 4)
}

// transferred returns the register that size bytes of memory are loaded to or stored from.
func transferred(n, size uint8) string {
	if size == 16 {
		return fmt.Sprintf("q%d", n)
	}
	return general(n, size)
}

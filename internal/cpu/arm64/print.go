package arm64

import (
	"fmt"
	"strings"
)

const elementLetters = "bhsd"

// String returns the instruction in GNU as syntax; a label is L and its number.
func (i *machineInst) String() string {
	r := &rows[i.op]
	w := i.w
	if r.size != 0 && r.form != fMem && r.form != fMemX {
		w = r.size
	}
	g := func(n uint8) string { return general(n, w) }
	// vec returns the name of a vector register of elements of 1 << t bytes, or of its lower half.
	vec := func(n, t uint8, half bool) string {
		count := 16 >> t
		if half {
			count /= 2
		}
		return fmt.Sprintf("v%d.%d%c", n, count, elementLetters[t&3])
	}
	elem := func(n uint8) string { return fmt.Sprintf("v%d.%c[%d]", n, elementLetters[i.t], i.imm) }
	var ops []string
	add := func(list ...string) { ops = append(ops, list...) }
	imm := func(x int64) string { return fmt.Sprintf("#%d", x) }
	label := fmt.Sprintf("L%d", i.label)
	name := r.name
	switch r.form {
	case fRRR:
		add(g(i.d), g(i.n), g(i.m))
	case fRRRR:
		add(g(i.d), g(i.n), g(i.m), g(i.a))
	case fRR:
		add(g(i.d), g(i.n))
	case fRRI:
		add(g(i.d), g(i.n), imm(i.imm))
	case fLogicI:
		add(g(i.d), g(i.n), "#1")
	case fMoveI:
		add(g(i.d), imm(i.imm), fmt.Sprintf("lsl #%d", i.imm2))
	case fBits:
		add(g(i.d), g(i.n), imm(i.imm), imm(i.imm2))
	case fSelect:
		add(g(i.d), g(i.n), g(i.m), condNames[i.imm])
	case fCmp:
		add(g(i.n), g(i.m))
	case fCmpI:
		add(g(i.n), imm(i.imm))
	case fMem:
		add(transferred(i.d, r.size), fmt.Sprintf("[%s, #%d]", general(i.n, 8), i.imm))
	case fMemX:
		add(transferred(i.d, r.size), fmt.Sprintf("[%s, %s]", general(i.n, 8), general(i.m, 8)))
	case fPair:
		add(transferred(i.d, r.size), transferred(i.a, r.size), fmt.Sprintf("[%s, #%d]", general(i.n, 8), i.imm))
	case fV3:
		add(vec(i.d, i.t, false), vec(i.n, i.t, false), vec(i.m, i.t, false))
	case fF3:
		add(vec(i.d, i.t, false), vec(i.n, i.t, false), vec(i.m, i.t, false))
	case fL3:
		add(vec(i.d, 0, false), vec(i.n, 0, false), vec(i.m, 0, false))
	case fV2, fF2:
		add(vec(i.d, i.t, false), vec(i.n, i.t, false))
	case fL2:
		add(vec(i.d, 0, false), vec(i.n, 0, false))
	case fShiftL, fShiftR:
		add(vec(i.d, i.t, false), vec(i.n, i.t, false), imm(i.imm))
	case fLong, fLong2:
		add(vec(i.d, i.t+1, false), vec(i.n, i.t, r.form == fLong), "#0")
	case fNarrow, fNarrow2, fFNarrow, fFNarrow2:
		add(vec(i.d, i.t-1, r.form == fNarrow || r.form == fFNarrow), vec(i.n, i.t, false))
	case fFLong, fFLong2:
		add(vec(i.d, i.t, false), vec(i.n, i.t-1, r.form == fFLong))
	case fDup:
		add(vec(i.d, i.t, false), element(i.n, i.t))
	case fDupE:
		add(vec(i.d, i.t, false), elem(i.n))
	case fToG:
		add(element(i.d, i.t), elem(i.n))
	case fFromG:
		add(elem(i.d), element(i.n, i.t))
	case fAcross:
		add(fmt.Sprintf("%c%d", elementLetters[i.t], i.d), vec(i.n, i.t, false))
	case fMovi:
		add(vec(i.d, 3, false), "#0")
	case fJump:
		add(label)
	case fJumpIf:
		name += "." + condNames[i.imm]
		add(label)
	case fJumpZ:
		add(g(i.n), label)
	case fTestBit:
		add(g(i.n), "#0", label)
	case fAddr:
		add(g(i.d), label)
	case fReg:
		add(g(i.n))
	case fBarrier:
		add("ish")
	}
	return strings.TrimSpace(name + " " + strings.Join(ops, ", "))
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

package arm64

import (
	"encoding/binary"
	"fmt"
)

// A machineInst is an instruction with machine registers. A register is its number; general register 31 is zero
// (XZR).
type machineInst struct {
	op         op
	w          uint8 // bytes of a general register: 4 or 8
	t          uint8 // vector elements have 1 << t bytes
	d, n, m, a uint8
	imm, imm2  int64
	label      int // of a branch
}

// shifted returns x as a field of bits bits at position at. It panics if x does not fit.
func shifted(x int64, bits, at int) uint32 {
	if x < 0 || x >= 1<<bits {
		panic(fmt.Sprintf("arm64: %d does not fit %d bits", x, bits))
	}
	return uint32(x) << at
}

// encode returns the instruction's 32 bits; disp is the distance to the label in instructions.
func (i *machineInst) encode(disp int64) uint32 {
	r := &rows[i.op]
	if r.form.vector() {
		return r.bits | i.vectorFields(r.form)
	}
	d, n, m := uint32(i.d), uint32(i.n)<<5, uint32(i.m)<<16
	sf := uint32(0)
	if i.w == 8 {
		sf = 1 << 31
	}
	e := r.bits
	switch r.form {
	case fRRR:
		return e | sf | d | n | m
	case fRRRR:
		return e | sf | d | n | m | uint32(i.a)<<10
	case fRR:
		return e | sf | d | n
	case fRRI:
		return e | sf | d | n | shifted(i.imm, 12, 10)
	case fMoveI:
		return e | sf | d | shifted(i.imm, 16, 5) | shifted(i.imm2/16, 2, 21)
	case fBits:
		return e | sf | sf>>9 | d | n | shifted(i.imm, 6, 16) | shifted(i.imm2, 6, 10)
	case fSelect:
		return e | sf | d | n | m | shifted(i.imm, 4, 12)
	case fCmp:
		return e | sf | n | m
	case fCmpI:
		return e | sf | n | shifted(i.imm, 12, 10)
	case fLogicI:
		return e | d | n
	case fMem:
		if i.imm%int64(r.size) != 0 {
			panic(fmt.Sprintf("arm64: offset %d of %s", i.imm, r.name))
		}
		return e | d | n | shifted(i.imm/int64(r.size), 12, 10)
	case fMemX:
		return e | d | n | m
	case fPair:
		return e | d | n | uint32(i.a)<<10 | shifted(i.imm/int64(r.size), 6, 15)
	case fJump:
		return e | uint32(disp)&(1<<26-1)
	case fJumpIf:
		return e | uint32(disp)&(1<<19-1)<<5 | uint32(i.imm)
	case fJumpZ:
		return e | sf | uint32(disp)&(1<<19-1)<<5 | uint32(i.n)
	case fTestBit:
		return e | uint32(disp)&(1<<14-1)<<5 | uint32(i.n)
	case fAddr:
		return e | uint32(disp)&(1<<19-1)<<5 | d
	case fReg:
		return e | n
	}
	return e
}

// vectorFields returns the operands of an instruction with vector registers as fields of its encoding.
func (i *machineInst) vectorFields(f form) uint32 {
	dn, t := uint32(i.d)|uint32(i.n)<<5, uint32(i.t)
	dnm := dn | uint32(i.m)<<16
	double := uint32(0) // 64-bit floats
	if t == 3 {
		double = 1 << 22
	}
	switch f {
	case fV3, fV2, fAcross:
		return t<<22 | dnm
	case fF3, fF2:
		return double | dnm
	case fShiftL:
		return dn | uint32(8<<t+i.imm)<<16
	case fShiftR:
		return dn | uint32(16<<t-i.imm)<<16
	case fLong, fLong2:
		return dn | uint32(8)<<t<<16
	case fNarrow, fNarrow2:
		return (t-1)<<22 | dn
	case fFNarrow, fFNarrow2, fFLong, fFLong2:
		return double | dn
	case fDup:
		return dn | uint32(1)<<t<<16
	case fDupE, fFromG:
		return dn | (uint32(i.imm)<<1|1)<<t<<16
	case fToG:
		q := uint32(0) // a 64-bit general register
		if t == 3 {
			q = 1 << 30
		}
		return q | dn | (uint32(i.imm)<<1|1)<<t<<16
	}
	return dnm
}

// reach returns the range of a branch form, in instructions to either side.
func (f form) reach() int64 {
	switch f {
	case fJump:
		return 1 << 25
	case fTestBit:
		return 1 << 13
	}
	return 1 << 18
}

// An assembler collects instructions; labels are indices into labels.
type assembler struct {
	insts  []machineInst
	labels []int // by label: the index of the next instruction, -1: unbound
}

func (a *assembler) newLabel() int {
	a.labels = append(a.labels, -1)
	return len(a.labels) - 1
}

func (a *assembler) bind(label int) { a.labels[label] = len(a.insts) }

func (a *assembler) emit(i machineInst) { a.insts = append(a.insts, i) }

// bytes returns the code.
func (a *assembler) bytes() ([]byte, error) {
	out := make([]byte, 0, 4*len(a.insts))
	for k := range a.insts {
		i := &a.insts[k]
		disp := int64(0)
		switch f := rows[i.op].form; f {
		case fJump, fJumpIf, fJumpZ, fTestBit, fAddr:
			disp = int64(a.labels[i.label] - k)
			if reach := f.reach(); disp < -reach || disp >= reach {
				return nil, errTooLong
			}
		}
		out = binary.LittleEndian.AppendUint32(out, i.encode(disp))
	}
	return out, nil
}

package interp

import "github.com/purecl/purecl/internal/ir/ssa"

// A reg is the number of a register of a function; -1 is none.
type reg = int32

const noReg reg = -1

// A regInfo describes a register.
type regInfo struct {
	size    uint8
	uniform bool
	fixed   bool  // keeps its column for the whole function: a parameter or result
	pin     int32 // index in compiler.pins, or -1
	bcast   reg   // of a uniform register: the column with copies of its value, or -1
	live    bool  // set by eliminate
	at      int32
	home    int32 // of a phi: its block's index
}

// registers numbers the registers of one function. A register is a cell or a column of its own, or a pin's. The type
// knows nothing of the values and instructions that use a register, and assigns no storage.
type registers struct {
	c    *compiler // for the pins, which all functions share
	regs []regInfo // by number
	slab []reg     // see list
}

func (rs *registers) newReg(size uint8, uniform bool) reg {
	rs.regs = append(rs.regs, regInfo{size: size, uniform: uniform, pin: -1, bcast: noReg, at: -1})
	return reg(len(rs.regs) - 1)
}

// pinned returns the register of a pin's cell or column.
func (rs *registers) pinned(pin int32, uniform bool) reg {
	q := &rs.c.pins[pin]
	r := rs.newReg(q.size, uniform)
	rs.regs[r].pin = pin
	if uniform {
		q.useCell = true
	} else {
		q.useCol = true
	}
	return r
}

// constReg returns the cell of a constant.
func (rs *registers) constReg(bits uint64, size uint8) reg {
	return rs.pinned(rs.c.constant(bits, size), true)
}

// list allocates n register numbers from a slab.
func (rs *registers) list(n int) []reg {
	if len(rs.slab) < n {
		rs.slab = make([]reg, 1024)
	}
	s := rs.slab[:n:n]
	rs.slab = rs.slab[n:]
	return s
}

// fresh returns new registers for a value of type t.
func (rs *registers) fresh(t ssa.Type, uniform bool) []reg {
	regs := rs.list(int(t.N))
	size := elemSize(t)
	for i := range regs {
		regs[i] = rs.newReg(size, uniform)
	}
	return regs
}

// vary returns the column form of r.
func (rs *registers) vary(r reg) reg {
	info := &rs.regs[r]
	if !info.uniform {
		return r
	}
	if info.bcast == noReg {
		var b reg
		if info.pin >= 0 {
			b = rs.pinned(info.pin, false)
		} else {
			b = rs.newReg(info.size, false)
		}
		rs.regs[r].bcast = b
	}
	return rs.regs[r].bcast
}

// form returns r in the form that a uniform or a varying instruction reads.
func (rs *registers) form(r reg, uniform bool) reg {
	if uniform || r == noReg {
		return r
	}
	return rs.vary(r)
}

// orZero returns t, or a register that holds 0 if t is noReg.
func (rs *registers) orZero(t reg) reg {
	if t == noReg {
		return rs.constReg(0, 1)
	}
	return t
}

package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// vectors generates instructions on registers that hold an element for each lane: loads and stores, shuffles,
// constants.
type vectors struct {
	*builder
	joined map[reg]joint
	cuts   map[reg]cut
	wider  map[widened]vec
	bytes  map[reg]byteOf // bytes of structures, by the first of their registers
}

// A vec is a list of vector registers with one element for each lane, in the order of the lanes; the last one may
// be partly used. If all lanes have one value, the entries may be the same register.
type vec []reg

// numParts returns how many registers hold one element of size bytes for each lane.
func (l *vectors) numParts(size int) int { return max(1, size*l.n/int(l.lv.VL)) }

// width returns the width of the registers that hold elements of size bytes.
func (l *vectors) width(size int) asm.Width {
	return asm.Width(min(max(size*l.n, 16), int(l.lv.VL)))
}

// perPart returns how many elements of size bytes a register holds.
func (l *vectors) perPart(size int) int { return min(l.n, int(l.lv.VL)/size) }

// within runs f for a gang of n lanes.
func (l *vectors) within(n int, f func()) {
	saved := l.n
	l.n = n
	f()
	l.n = saved
}

// each2 applies an operation to each part; equal operands give one result. Logical
// operations are given by their AVX names.
func (l *vectors) each2(size int, op asm.Op, a, b vec) vec {
	w := l.width(size)
	if l.lv.EVEX {
		op = evex(op)
	}
	return l.eachPair(size, a, b, func(a, b reg) reg { return l.rvm(op, w, a, b) })
}

// eachPair calls f for each register of two operands; equal operands give one result.
func (l *vectors) eachPair(size int, a, b vec, f func(a, b reg) reg) vec {
	return l.each(l.numParts(size), func(i int) reg { return f(a[i], b[i]) }, a, b)
}

// eachPart applies f to each part; equal operands give one result.
func (l *vectors) eachPart(a vec, f func(a reg) reg) vec {
	return l.each(len(a), func(i int) reg { return f(a[i]) }, a)
}

// each returns n registers. If operands are given, those of equal registers are one.
func (l *vectors) each(n int, f func(i int) reg, operands ...vec) vec {
	r := make(vec, n)
	for i := range r {
		equal := len(operands) > 0 && i > 0
		for _, p := range operands {
			equal = equal && p[i] == p[i-1]
		}
		if equal {
			r[i] = r[i-1]
		} else {
			r[i] = f(i)
		}
	}
	return r
}

// each1 applies a one-operand instruction to each part.
func (l *vectors) each1(size int, op asm.Op, a vec) vec {
	return l.eachI(size, op, a, 0)
}

func (l *vectors) eachI(size int, op asm.Op, a vec, imm int64) vec {
	w := l.width(size)
	return l.eachPart(a, func(a reg) reg { return l.rmi(op, w, a, imm) })
}

func (l *vectors) eachShift(size int, op asm.Op, a vec, imm int64) vec {
	w := l.width(size)
	return l.eachPart(a, func(a reg) reg { return l.vshift(op, w, a, imm) })
}

// slice returns bytes [i·n, (i+1)·n) of p, which are 4, 8, 16, 32 or a register's, in the
// low part of a register.
func (l *vectors) slice(p vec, n, i int) reg {
	vl := int(l.lv.VL)
	r, o := p[i*n/vl], i*n%vl
	if j := l.joined[r]; j.n > 0 && j.n == n {
		return j.of[o/n]
	}
	if o == 0 {
		return r
	}
	switch {
	case n == 32:
		return l.mr(asm.VEXTRACTI64X4, 64, r, 1)
	case o >= 16 && l.lv.EVEX:
		w := asm.Width(64)
		if o < 32 {
			w = 32
		}
		r = l.mr(asm.VEXTRACTI32X4, w, r, int64(o/16))
	case o >= 16:
		r = l.mr(asm.VEXTRACTI128, 32, r, 1)
	}
	if o%16 != 0 {
		r = l.vshift(asm.VPSRLDQ, 16, r, int64(o%16))
	}
	return r
}

// A joint records the pieces of n bytes (8 bits for a mask) from which a register was joined. Splitting it then
// needs no instruction.
type joint struct {
	of vec
	n  int
}

// concat is the reverse of slice: pieces of n bytes each, one after the other.
func (l *vectors) concat(ps vec, n int) vec {
	r := l.join(ps, n)
	if per := int(l.lv.VL) / n; len(r) < len(ps) {
		for i, x := range r {
			l.joined[x] = joint{ps[i*per : min((i+1)*per, len(ps))], n}
		}
	}
	return r
}

func (l *vectors) join(ps vec, n int) vec {
	for n < int(l.lv.VL) && len(ps) > 1 {
		join := func(a, b reg) reg {
			switch {
			case n < 16:
				return l.rvm(vunpack[0][n], 16, a, b)
			case n == 16:
				return l.rvmi(asm.VINSERTI128, 32, a, b, 1)
			}
			return l.rvmi(asm.VINSERTI64X4, 64, a, b, 1)
		}
		var low, high vec
		for i := 0; i+1 < len(ps); i += 2 {
			low, high = append(low, ps[i]), append(high, ps[i+1])
		}
		ps, n = l.each(len(low), func(i int) reg { return join(low[i], high[i]) }, low, high), 2*n
	}
	return ps
}

// narrowing applies an instruction that makes narrower elements of wider ones.
func (l *vectors) narrowing(from, to int, p vec, f func(x reg) reg) vec {
	return l.concat(l.eachPart(p, f), to*l.perPart(from))
}

// shared reports whether all entries are the same register.
func (p vec) shared() bool {
	return len(p) > 1 && !slices.ContainsFunc(p, func(r reg) bool { return r != p[0] })
}

func (l *vectors) newVec(size int) vec {
	return l.each(l.numParts(size), func(int) reg { return l.vr() })
}

// copyV returns a copy of a vector register.
func (l *vectors) copyV(a reg) reg {
	d := l.vr()
	l.vmov(d, a)
	return d
}

// Moves of a general register to all elements of a vector register, and to the lowest one.
var (
	vbroadcastg = bySize{1: asm.VPBROADCASTBR, 2: asm.VPBROADCASTWR, 4: asm.VPBROADCASTDR, 8: asm.VPBROADCASTQR}
	vmovd       = bySize{1: asm.VMOVD, 2: asm.VMOVD, 4: asm.VMOVD, 8: asm.VMOVQ}
)

// broadcast returns a general register's value in all lanes.
func (l *vectors) broadcast(size int, g reg) vec {
	if l.lv.EVEX {
		return l.everywhere(l.rmv(vbroadcastg[size], l.lv.VL, g), size)
	}
	return l.everywhere(l.rmv(vbroadcast[size], l.lv.VL, l.rmv(vmovd[size], 16, g)), size)
}

// everywhere returns a vector all of whose registers are d.
func (l *vectors) everywhere(d reg, size int) vec {
	return slices.Repeat(vec{d}, l.numParts(size))
}

// storeParts stores the elements of all lanes, es bytes each, side by side.
func (l *vectors) storeParts(m mem, p vec, size int) {
	l.eachStored(m, p, size, l.storeLow)
}

// storeOffsets stores the lanes' offsets at CtxPtrs, for instructions and stubs that read each by itself. It stores at most 32
// bytes at once: some processors do not forward the second half of a store of 64 bytes to a load, which then waits for the cache.
func (l *vectors) storeOffsets(idx vec) {
	l.eachStored(ctxAt(CtxPtrs), idx, 4, func(q mem, r reg, n int) {
		l.storeLow(q, r, min(n, 32))
		if n > 32 {
			q.disp += 32
			l.emit(inst{op: asm.VEXTRACTI64X4, w: 64, fl: fUseReg, reg: r, m: q, imm: 1})
		}
	})
}

// eachStored calls f for the operand, the register and the number of bytes of each store of elements side by side.
func (l *vectors) eachStored(m mem, p vec, size int, f func(q mem, r reg, n int)) {
	n := min(size*l.n, int(l.lv.VL))
	for _, r := range p {
		if j := l.joined[r]; j.n >= 32 && j.n*len(j.of) == n {
			// The pieces are stored one by one, without joining them.
			for i, x := range j.of {
				q := m
				q.disp += int32(i * j.n)
				f(q, x, j.n)
			}
		} else {
			f(m, r, n)
		}
		m.disp += int32(n)
	}
}

// loadParts loads elements of es bytes that lie side by side, one for each lane.
func (l *vectors) loadParts(m mem, size int) vec {
	p := l.newVec(size)
	l.loadInto(p, m, size)
	return p
}

func (l *vectors) loadInto(p vec, m mem, size int) {
	n := min(size*l.n, int(l.lv.VL))
	for _, r := range p {
		l.loadLow(r, m, n)
		m.disp += int32(n)
	}
}

// loadLow loads n bytes into the low part of a register, or all of it.
func (l *vectors) loadLow(d reg, m mem, n int) {
	op := asm.VMOVUPS
	if n < 16 {
		op = bySize{4: asm.VMOVD, 8: asm.VMOVQX}[n]
	}
	l.emit(inst{op: op, w: asm.Width(max(n, 16)), fl: fDefReg, reg: d, m: m})
}

// storeLow stores the low n bytes of a register.
func (l *vectors) storeLow(m mem, r reg, n int) {
	op := asm.VMOVUPSST
	if n < 16 {
		op = vlow[n]
	}
	l.vstore(op, asm.Width(max(n, 16)), m, r, 0)
}

// vlow moves the low element of a register to memory or to a general register.
var vlow = bySize{1: asm.VMOVDST, 2: asm.VMOVDST, 4: asm.VMOVDST, 8: asm.VMOVQST}

// low returns the low bytes of a register in a general register, at least 4.
func (l *vectors) low(r reg, n int) reg {
	d := l.g()
	l.emit(inst{op: vlow[n], w: 16, fl: fDefRM, rm: d, reg: r})
	return d
}

// high returns the second 8 bytes of a register in a general register.
func (l *vectors) high(r reg) reg {
	d := l.g()
	l.emit(inst{op: asm.VPEXTRQ, w: 16, fl: fDefRM, rm: d, reg: r, imm: 1})
	return d
}

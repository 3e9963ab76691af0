package codegen

import "github.com/purecl/purecl/internal/cpu/asm"

// A vec is the vector registers that hold one element for each lane, in the order of the
// lanes: as many as the elements fill, or a part of one. Where all lanes have one value,
// the registers may be one and the same.
type vec []reg

// parts returns how many registers hold one element of so many bytes for each lane.
func (l *lowerer) parts(size int) int { return max(1, size*l.n/int(l.lv.VL)) }

// width returns the width of the registers that hold elements of so many bytes.
func (l *lowerer) width(size int) asm.Width {
	return asm.Width(min(max(size*l.n, 16), int(l.lv.VL)))
}

// perPart returns how many elements of so many bytes a register holds.
func (l *lowerer) perPart(size int) int { return min(l.n, int(l.lv.VL)/size) }

// within runs f for a gang of n lanes.
func (l *lowerer) within(n int, f func()) {
	saved := l.n
	l.n = n
	f()
	l.n = saved
}

// each2 applies an operation to each part; equal operands give one result. Logical
// operations are given by their AVX names.
func (l *lowerer) each2(size int, op asm.Op, a, b vec) vec {
	w := l.width(size)
	if l.lv.AVX512 {
		op = evex(op)
	}
	return l.eachPair(size, a, b, func(a, b reg) reg { return l.rvm(op, w, a, b) })
}

func (l *lowerer) eachPair(size int, a, b vec, f func(a, b reg) reg) vec {
	r := make(vec, l.parts(size))
	for i := range r {
		if i > 0 && a[i] == a[i-1] && b[i] == b[i-1] {
			r[i] = r[i-1]
			continue
		}
		r[i] = f(a[i], b[i])
	}
	return r
}

// eachPart applies f to each part; equal operands give one result.
func (l *lowerer) eachPart(a vec, f func(a reg) reg) vec {
	r := make(vec, len(a))
	for i := range r {
		if i > 0 && a[i] == a[i-1] {
			r[i] = r[i-1]
			continue
		}
		r[i] = f(a[i])
	}
	return r
}

// each returns n registers.
func (l *lowerer) each(n int, f func(i int) reg) vec {
	r := make(vec, n)
	for i := range r {
		r[i] = f(i)
	}
	return r
}

// each1 applies a one-operand instruction to each part.
func (l *lowerer) each1(size int, op asm.Op, a vec) vec {
	w := l.width(size)
	return l.eachPart(a, func(a reg) reg { return l.rmv(op, w, a) })
}

func (l *lowerer) eachI(size int, op asm.Op, a vec, imm int64) vec {
	w := l.width(size)
	return l.eachPart(a, func(a reg) reg { return l.rmi(op, w, a, imm) })
}

func (l *lowerer) eachShift(size int, op asm.Op, a vec, imm int64) vec {
	w := l.width(size)
	return l.eachPart(a, func(a reg) reg { return l.vshift(op, w, a, imm) })
}

// slice returns bytes [i·n, (i+1)·n) of p, which are 4, 8, 16, 32 or a register's, in the
// low part of a register.
func (l *lowerer) slice(p vec, n, i int) reg {
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
	case o >= 16 && l.lv.AVX512:
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

// A joint remembers the pieces of n bytes (of a mask: of 8 bits) that a register was put
// together of: who takes it apart again needs no instruction.
type joint struct {
	of vec
	n  int
}

// concat is the reverse of slice: pieces of n bytes each, one after the other.
func (l *lowerer) concat(ps vec, n int) vec {
	r := l.join(ps, n)
	if per := int(l.lv.VL) / n; len(r) < len(ps) {
		for i, x := range r {
			l.joined[x] = joint{ps[i*per : min((i+1)*per, len(ps))], n}
		}
	}
	return r
}

func (l *lowerer) join(ps vec, n int) vec {
	for n < int(l.lv.VL) && len(ps) > 1 {
		same := true
		for _, p := range ps {
			same = same && p == ps[0]
		}
		join := func(a, b reg) reg {
			switch {
			case n == 4:
				return l.rvm(asm.VPUNPCKLDQ, 16, a, b)
			case n == 8:
				return l.rvm(asm.VPUNPCKLQDQ, 16, a, b)
			case n == 16:
				return l.rvmi(asm.VINSERTI128, 32, a, b, 1)
			}
			return l.rvmi(asm.VINSERTI64X4, 64, a, b, 1)
		}
		out := make(vec, len(ps)/2)
		for i := range out {
			if same && i > 0 {
				out[i] = out[0]
				continue
			}
			out[i] = join(ps[2*i], ps[2*i+1])
		}
		ps, n = out, 2*n
	}
	return ps
}

// widen applies a widening.
func (l *lowerer) widen(by widening, p vec) vec {
	r := make(vec, l.parts(by.to))
	// Code for rare cases must not keep anything alive in the other.
	if known := l.wider[widened{p[0], by.op}]; len(known) == len(r) && !l.cur.cold {
		return known
	}
	n, w := by.from*l.perPart(by.to), l.width(by.to)
	per := int(l.lv.VL) / n
	for i := range r {
		if i > 0 && i%per == 0 && p[i/per] == p[i/per-1] {
			copy(r[i:], r[i-per:i])
		}
		if r[i] == 0 {
			r[i] = l.rmv(by.op, w, l.slice(p, n, i))
		}
	}
	return r
}

// narrowing applies an instruction that makes narrower elements of wider ones.
func (l *lowerer) narrowing(from, to int, p vec, f func(x reg) reg) vec {
	return l.concat(l.eachPart(p, f), to*l.perPart(from))
}

// shared reports whether one register stands for all of several.
func (p vec) shared() bool {
	for _, r := range p {
		if r != p[0] {
			return false
		}
	}
	return len(p) > 1
}

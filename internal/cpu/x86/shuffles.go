package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Vectors in memory order. The elements of an OpenCL vector of N components are in registers as in memory, one
// lane's after the other's, like a scalar of a gang with N times the lanes. Elementwise operations need no change,
// swizzles permute within registers, and contiguous loads and stores need no shuffles.

// memoryOrder, as the number of a component, selects all components in memory order.
const memoryOrder = -1

// constants returns the elements of a vector that is the same in all lanes and known.
func (s *operands) constants(r gang.Reg) []uint64 {
	n := int(s.f.Type(r).N)
	if x, ok := s.constant(r); ok {
		return slices.Repeat([]uint64{x}, n)
	}
	d := s.def[r]
	if d == nil || d.Op != gang.OpJoin || len(d.Args) != n {
		return nil
	}
	var list []uint64
	for _, a := range d.Args {
		x, ok := s.bits(a)
		if !ok {
			return nil
		}
		list = append(list, x)
	}
	return list
}

// orderedOf returns the elements ps of a vector r side by side.
func (s *operands) orderedOf(r gang.Reg, ps []vec) (f vec) {
	es, n := s.f.Type(r).Size(), len(ps)
	if list := s.constants(r); list != nil {
		s.within(s.lanes*n, func() {
			if !slices.ContainsFunc(list, func(x uint64) bool { return x != list[0] }) {
				f = s.constV(es, list[0])
			} else {
				f = s.constLanes(es, func(k int) uint64 { return list[k%n] })
			}
		})
		return f
	}
	d := s.def[r]
	join := d != nil && d.Op == gang.OpJoin
	uniform := join && !slices.ContainsFunc(d.Args, func(a gang.Reg) bool { return !s.sameInLanes(a) })
	if join && !uniform && !slices.ContainsFunc(d.Args, func(a gang.Reg) bool { return a != d.Args[0] }) {
		s.within(s.lanes, func() { f = s.replicate(ps[0], es, n) })
		if f != nil {
			return f
		}
	}
	s.within(s.lanes, func() { f = s.sideBySide(ps, es) })
	if uniform && es*n <= int(s.lv.VL) {
		s.within(s.lanes*n, func() { f = s.everywhere(f[0], es) })
	}
	return f
}

// replicate returns each lane's element n times in sequence.
func (l *values) replicate(p vec, es, n int) (f vec) {
	if es*n <= 8 {
		// As the low part of an element n times as wide, then copied within.
		wide := l.extend(es, es*n, false, p)
		tab := l.indices(1, func(i int) int { return i%16/(es*n)*(es*n) + i%es })
		l.within(l.n*n, func() {
			w := l.width(es)
			f = l.eachPart(wide, func(x reg) reg { return l.rvm(asm.VPSHUFB, w, x, tab) })
		})
		return f
	}
	op, ok := l.permutation(es)
	if !ok {
		return nil
	}
	l.within(l.n*n, func() {
		w := l.width(es)
		per := int(w) / es
		f = l.each(l.numParts(es), func(k int) reg {
			return l.rvm(op, w, l.indices(es, func(j int) int { return (k%n*per + j%per) / n }), p[k/n])
		})
	})
	return f
}

// shuffle selects a permutation of the elements of each lane.
func (s *elements) shuffle(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	n, es := int(t.N), t.Size()
	if int(s.f.Type(i.Args[0]).N) != n || int(s.f.Type(i.Args[1]).N) != n {
		if !s.half(i, es*n) {
			s.shuffleParts(i)
		}
		return
	}
	var from [2]bool
	for _, k := range i.Cases {
		from[int(k)/n] = true
	}
	one := 0
	if !from[0] {
		one = 1
	}
	both := from[0] && from[1]
	var f vec
	switch _, ok := s.permutation(es); {
	case es*n <= 16:
		f = s.shuffledBytes(i, one, n, es)
		if both {
			g := s.shuffledBytes(i, 1, n, es)
			s.within(s.n*n, func() { f = s.each2(es, asm.VPOR, f, g) })
		}
	case es*n > 2*int(s.lv.VL):
	case !both && ok && es*n <= int(s.lv.VL), s.lv.Target().Collects.Has(es):
		a := s.inOrder(i.Args[one])
		b := a
		if both {
			b = s.inOrder(i.Args[1])
		}
		s.within(s.n*n, func() { f = s.collected(i.Cases, es, a, b) })
	}
	if f == nil {
		s.shuffleParts(i)
		return
	}
	s.setV(i.Dst, f)
}

// half selects the lower or upper half of each lane's elements, of that many bytes. It reports whether i is one.
func (s *elements) half(i *gang.Inst, bytes int) bool {
	n, vl := len(i.Cases), int(s.lv.VL)
	if a := i.Args[0]; a != i.Args[1] || int(s.f.Type(a).N) != 2*n || bytes < 4 || s.n*bytes < vl {
		return false
	}
	upper := int(i.Cases[0]) / n
	for k, from := range i.Cases {
		if int(from) != upper*n+k {
			return false
		}
	}
	raw := s.inOrder(i.Args[0])
	var f vec
	s.within(s.n*n, func() {
		if of := bytes / vl; of > 0 { // registers
			for r := upper * of; r < len(raw); r += 2 * of {
				f = append(f, raw[r:r+of]...)
			}
			return
		}
		for r := 0; r < len(raw); r += 2 {
			f = append(f, s.pickHalf(raw[r], raw[r+1], bytes, upper))
		}
	})
	s.setV(i.Dst, f)
	return true
}

// pickHalf returns the blocks with even (odd) numbers of two registers. A block has 4 bytes or more.
func (l *vectors) pickHalf(a, b reg, bytes, odd int) reg {
	if bytes <= 8 {
		return l.pick(a, b, bytes, odd)
	}
	d, _ := l.blocksOf(a, b, int(l.lv.VL), func(k int) int { return k/bytes*2*bytes + odd*bytes + k%bytes })
	return d
}

// collected returns the elements that cases gives for each lane, in memory order. A lane has as many elements in each of a and b, in one
// register or in two.
func (l *vectors) collected(cases []uint64, es int, a, b vec) (f vec) {
	n, per := len(cases), l.perPart(es)
	of := max(1, n/per) // registers of a lane
	for r := range a {
		first := r / of * of
		sources := append(slices.Clone(a[first:first+of]), b[first:first+of]...)
		f = append(f, l.collect(sources, es, func(j int) int {
			j += (r - first) * per
			k := int(cases[j%n])
			return j/n*n + k%n + k/n*of*per
		}))
	}
	return f
}

// shuffleParts selects a permutation by single elements.
func (s *elements) shuffleParts(i *gang.Inst) {
	ps := append(append([]vec(nil), s.parts(i.Args[0])...), s.parts(i.Args[1])...)
	out := make([]vec, len(i.Cases))
	for c, k := range i.Cases {
		out[c] = ps[k]
	}
	s.setParts(i.Dst, out)
}

// shuffledBytes returns those elements of a shuffle that come from one argument, and zeros for the others: bytes
// within 16 bytes.
func (s *elements) shuffledBytes(i *gang.Inst, which, n, es int) (r vec) {
	if list := s.constants(i.Args[which]); list != nil {
		s.within(s.n*n, func() {
			r = s.constLanes(es, func(k int) uint64 {
				if x := int(i.Cases[k%n]); x/n == which {
					return list[x%n]
				}
				return 0
			})
		})
		return r
	}
	p := s.inOrder(i.Args[which])
	s.within(s.n*n, func() {
		w := s.width(es)
		t := s.indices(1, func(k int) int {
			e := k % 16 / es
			if x := int(i.Cases[e%n]); x/n == which {
				return (e/n*n+x%n)*es + k%es
			}
			return 0x80
		})
		r = s.eachPart(p, func(x reg) reg { return s.rvm(asm.VPSHUFB, w, x, t) })
	})
	return r
}

// insert selects the replacement of one element of each lane.
func (s *elements) insert(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	n, es := int(t.N), t.Size()
	var p vec
	if s.lv.MaskRegs && n*es <= int(s.lv.VL) {
		if one := s.vector(i.Args[1]); s.sameInLanes(i.Args[1]) {
			s.within(s.n*n, func() { p = s.everywhere(one[0], es) })
		} else {
			p = s.replicate(one, es, n)
		}
	}
	if p == nil {
		ps := append([]vec(nil), s.parts(i.Args[0])...)
		ps[i.Imm] = s.vector(i.Args[1])
		s.setParts(i.Dst, ps)
		return
	}
	into := s.inOrder(i.Args[0])
	bits := uint64(0)
	for k := int(i.Imm); k < 64; k += n {
		bits |= 1 << k
	}
	m := s.constMask(bits)
	s.within(s.n*n, func() {
		w := s.width(es)
		p = s.eachPair(es, into, p, func(a, b reg) reg { return s.blend(es, w, a, b, m) })
	})
	s.setV(i.Dst, p)
}

// loadAlike selects a load of several elements at one address for all lanes.
func (s *objects) loadAlike(i *gang.Inst, es, n int) {
	q := s.place0(i)
	total, vl := es*n, int(s.lv.VL)
	if total%pieceBytes != 0 {
		s.loadEach(i.Dst, q, es, func(q mem) vec { return s.everywhere(s.vload(vbroadcast[es], s.lv.VL, q), es) })
		return
	}
	op, w := asm.VMOVUPS, s.lv.VL
	switch {
	case total == 32 && vl == 64:
		op = asm.VBROADCASTI64X4
	case total == 16 && vl == 64:
		op = asm.VBROADCASTI32X4
	case total == 16:
		op = asm.VBROADCASTI128
	}
	var d, f vec
	for range max(1, total/vl) {
		d = append(d, s.vload(op, w, q))
		q.disp += int32(vl)
	}
	s.within(s.n*n, func() {
		for k := range s.numParts(es) {
			f = append(f, d[k%len(d)])
		}
	})
	s.setV(i.Dst, f)
}

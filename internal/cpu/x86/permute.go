package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// permute selects a permutation of the lanes of two vectors.
func (s *elements) permute(i *gang.Inst) {
	s.setV(i.Dst, permuteLanes(s.arithmetic, i.Cases, s.f.Type(i.Dst).Size(), s.vector(i.Args[0]), s.vector(i.Args[1])))
}

// permuteLanes returns in lane i the element of lane from[i] of a and b, one after the other. Elements have es bytes.
func permuteLanes(l *arithmetic, from []uint64, es int, a, b vec) vec {
	switch native := l.lv.TwoSources.Has(es) || es == 4; {
	case !native && es < 4:
		return l.truncate(4, es, permuteLanes(l, from, 4, l.extend(es, 4, false, a), l.extend(es, 4, false, b)))
	case !native:
		low := permuteLanes(l, from, 4, l.piece(a, 8, 4, 0), l.piece(b, 8, 4, 0))
		high := permuteLanes(l, from, 4, l.piece(a, 8, 4, 1), l.piece(b, 8, 4, 1))
		return l.compose([]vec{low, high}, 4, 8)
	}
	sources, per := append(slices.Clone(a), b...), l.perPart(es)
	return l.each(l.numParts(es), func(i int) reg {
		return l.collect(sources, es, func(k int) int { return int(from[i*per+k]) })
	})
}

// collect returns a register with the elements of others, one after the other, that have the numbers from. The target's Collects
// has their size.
func (l *vectors) collect(sources vec, es int, from func(k int) int) reg {
	per := l.perPart(es)
	var used vec
	place := make([]int, per) // in used, of the register of each element
	for k := range place {
		r := sources[from(k)/per]
		if place[k] = slices.Index(used, r); place[k] < 0 {
			place[k] = len(used)
			used = append(used, r)
		}
	}
	within := func(k int) int { return from(k) % per }
	if len(used) == 1 {
		return l.permuteOne(used[0], es, per, within)
	}
	if len(used) == 2 {
		if d, ok := l.blocksOf(used[0], used[1], es*per, func(k int) int { return es*(place[k/es]*per+within(k/es)) + k%es }); ok {
			return d
		}
	}
	if l.lv.TwoSources.Has(es) {
		d := used[0]
		for n, r := range used[1:] {
			d = l.permuteTwo(d, r, es, func(k int) int {
				switch {
				case place[k] == n+1:
					return within(k) + per
				case n == 0:
					return within(k)
				}
				return k
			})
		}
		return d
	}
	return l.collectBlended(used, place, within)
}

// collectBlended returns a register with elements of 4 bytes of several registers, for AVX2: element k is that with the number
// within(k) of register place[k]. Elements with different numbers are blended into one register, which one instruction permutes.
func (l *vectors) collectBlended(used vec, place []int, within func(k int) int) (d reg) {
	set := make([]int, len(place)) // of each element: the set of elements that are permuted together
	var owners [][]int             // of each set: the owners of the elements, see blendOwners
	for k, r := range place {
		n := within(k)
		for set[k] < len(owners) && owners[set[k]][n] >= 0 && owners[set[k]][n] != r {
			set[k]++
		}
		if set[k] == len(owners) {
			owners = append(owners, slices.Repeat([]int{-1}, int(l.lv.VL)/4))
		}
		owners[set[k]][n] = r
	}
	for s, owner := range owners {
		x := l.permuteOne(l.blendOwners(used, owner), 4, len(place), func(k int) int {
			if set[k] == s {
				return within(k)
			}
			return k
		})
		if s == 0 {
			d = x
			continue
		}
		d = l.blendOwners(vec{d, x}, l.eachElement(4, func(k int) int {
			if k < len(set) && set[k] == s {
				return 1
			}
			return 0
		}))
	}
	return d
}

// blendOwners returns a register whose element k, of 4 bytes, is element k of sources[owner[k]]. An element without owner, -1, may be any.
func (l *vectors) blendOwners(sources vec, owner []int) reg {
	first := slices.IndexFunc(owner, func(r int) bool { return r >= 0 })
	d := sources[owner[first]]
	for n, r := range sources {
		var bits int64
		for k, o := range owner {
			if o == n && n != owner[first] {
				bits |= 1 << k
			}
		}
		if bits != 0 {
			d = l.rvmi(asm.VPBLENDD, l.lv.VL, d, r, bits)
		}
	}
	return d
}

// blocksOf returns the bytes of a and b, one after the other, with the numbers f(0) to f(n-1), if instructions for successive bytes,
// for blocks of 16 bytes or within these can compute that: they need no table, and do not overwrite a.
func (l *vectors) blocksOf(a, b reg, n int, f func(k int) int) (d reg, ok bool) {
	if n != int(l.lv.VL) {
		return d, false
	}
	first, window, blocks := f(0), true, true
	for k := range n {
		window = window && f(k) == first+k
		blocks = blocks && f(k)%16 == k%16 && f(k)/16 == f(k&^15)/16
	}
	switch {
	case window && l.lv.EVEX:
		if first%4 == 0 {
			return l.rvmi(asm.VALIGND, l.lv.VL, b, a, int64(first/4)), true
		}
	case n == 32 && blocks:
		return l.rvmi(asm.VPERM2I128, 32, a, b, int64(f(0)/16|f(16)/16<<4)), true
	case n == 32 && window:
		mid := l.rvmi(asm.VPERM2I128, 32, a, b, 0x21)
		if first < 16 {
			return l.rvmi(asm.VPALIGNR, 32, mid, a, int64(first)), true
		}
		return l.rvmi(asm.VPALIGNR, 32, b, mid, int64(first-16)), true
	case n == 64 && blocks && f(16) < n && f(0) < n && f(32) >= n && f(48) >= n:
		return l.rvmi(asm.VSHUFI32X4, 64, a, b, int64(f(0)/16|f(16)/16<<2|(f(32)-n)/16<<4|(f(48)-n)/16<<6)), true
	}
	for k := range n {
		if f(k) != f(k&^3)&^3+k%4 {
			return d, false
		}
	}
	four := func(k int) int { return f(4*k) / 4 }
	if d, ok = l.withinBlocks(a, b, n/4, four); ok || n != 32 {
		return d, ok
	}
	if d, ok = l.withinBlocks(a, b, n/4, func(k int) int { return four([8]int{0, 1, 4, 5, 2, 3, 6, 7}[k]) }); ok {
		d = l.rmi(asm.VPERMQ, 32, d, 0xD8)
	}
	return d, ok
}

// withinBlocks returns the elements of 4 bytes of a and b, one after the other, with the numbers f(0) to f(n-1), if an instruction that
// does the same in each block of 16 bytes can compute that.
func (l *vectors) withinBlocks(a, b reg, n int, f func(k int) int) (d reg, ok bool) {
	var of, place [4]int // the register and the place in the block
	for k := range n {
		r, at := f(k)/n, f(k)%n
		if k < 4 {
			of[k], place[k] = r, at
		}
		if at/4 != k/4 || at%4 != place[k%4] || r != of[k%4] {
			return d, false
		}
	}
	if of[0] == 1 {
		a, b = b, a
	}
	switch {
	case of[0] == of[1] && of[2] == of[3] && of[0] != of[2]:
		return l.rvmi(asm.VSHUFPS, l.lv.VL, a, b, int64(place[0]|place[1]<<2|place[2]<<4|place[3]<<6)), true
	case of[0] == of[2] && of[1] == of[3] && of[0] != of[1] && (place == [4]int{0, 0, 1, 1} || place == [4]int{2, 2, 3, 3}):
		return l.rvm(vunpack[place[0]/2][4], l.lv.VL, a, b), true
	}
	return d, false
}

// permuteOne returns elements of a register with per elements of es bytes; f gives their numbers.
func (l *vectors) permuteOne(a reg, es, per int, f func(k int) int) reg {
	same := true
	for k := range per {
		same = same && f(k) == k
	}
	if same {
		return a
	}
	op := vperm[es]
	return l.rvm(op, l.lv.VL, l.indices(es, func(k int) int { return f(k % per) }), a)
}

// permutation returns the instruction that permutes elements within a register by a
// register of indices.
func (l *vectors) permutation(es int) (asm.Op, bool) {
	return vperm[es], l.lv.Target().Permutes.Has(es)
}

// vunpack are the instructions that interleave elements of two registers: the first and the second halves of each 16 bytes.
var vunpack = [2]bySize{{4: asm.VPUNPCKLDQ, 8: asm.VPUNPCKLQDQ}, {4: asm.VPUNPCKHDQ, 8: asm.VPUNPCKHQDQ}}

var vperm = bySize{1: asm.VPERMB, 2: asm.VPERMW, 4: asm.VPERMD, 8: asm.VPERMQV}

// rawVec returns registers for n elements of es bytes of each lane.
func (l *vectors) rawVec(es, n int) (p vec) {
	l.within(l.n*n, func() { p = l.newVec(es) })
	return p
}

// loadRaw loads n elements of es bytes per lane in memory order.
func (l *vectors) loadRaw(d vec, m mem, es, n int) {
	l.within(l.n*n, func() { l.loadInto(d, m, es) })
}

// deinterleave splits vectors in memory order: result c has element c of each lane.
func (l *vectors) deinterleave(z vec, es, n int) []vec {
	if n == 1 {
		return []vec{z}
	}
	var even, odd vec
	for i := 0; i < len(z); i += 2 {
		even = append(even, l.pick(z[i], z[i+1], es, 0))
		odd = append(odd, l.pick(z[i], z[i+1], es, 1))
	}
	a, b := l.deinterleave(even, es, n/2), l.deinterleave(odd, es, n/2)
	var out []vec
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

// pick returns the even (odd) elements of a and b.
func (l *vectors) pick(a, b reg, es, odd int) reg {
	if !l.lv.TwoSources.Has(es) {
		if es == 4 {
			x := l.rvmi(asm.VSHUFPS, 32, a, b, int64(0x88+0x55*odd))
			return l.rmi(asm.VPERMQ, 32, x, 0xD8)
		}
		return l.rmi(asm.VPERMQ, 32, l.rvm(vunpack[odd][8], 32, a, b), 0xD8)
	}
	return l.permuteTwo(a, b, es, func(i int) int { return 2*i + odd })
}

// interleave is the reverse of deinterleave.
func (l *vectors) interleave(ps []vec, es int) vec {
	if len(ps) == 1 {
		return ps[0]
	}
	var e, o []vec
	for i, p := range ps {
		if i%2 == 0 {
			e = append(e, p)
		} else {
			o = append(o, p)
		}
	}
	x, y := l.interleave(e, es), l.interleave(o, es)
	var out vec
	per := int(l.lv.VL) / es
	for i := range x {
		if l.lv.TwoSources.Has(es) {
			for h := range 2 {
				out = append(out, l.permuteTwo(x[i], y[i], es, func(k int) int { return h*per/2 + k/2 + k%2*per }))
			}
			continue
		}
		a, b := l.rvm(vunpack[0][es], 32, x[i], y[i]), l.rvm(vunpack[1][es], 32, x[i], y[i])
		out = append(out, l.rvmi(asm.VPERM2I128, 32, a, b, 0x20), l.rvmi(asm.VPERM2I128, 32, a, b, 0x31))
	}
	return out
}

// permuteTwo returns elements of the concatenation of a and b, of 2 to 8 bytes, with
// AVX-512.
func (l *vectors) permuteTwo(a, b reg, es int, f func(i int) int) reg {
	per := int(l.width(es)) / es
	t := l.indices(es, func(i int) int { return f(i % per) })
	return l.overwrite(vperm2[es], l.width(es), a, t, b, 0)
}

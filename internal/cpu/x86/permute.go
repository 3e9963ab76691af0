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
	return l.each(l.parts(es), func(i int) reg {
		return l.collect(sources, es, func(k int) int { return int(from[i*per+k]) })
	})
}

// collect returns a register with the elements of others, one after the other, that have the numbers from.
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
	// The elements of each register at their places.
	of := func(n int) reg {
		return l.permuteOne(used[n], es, per, func(k int) int {
			if place[k] == n {
				return within(k)
			}
			return k
		})
	}
	d := of(0)
	for n := range used[1:] {
		d = l.blend(es, l.lv.VL, d, of(n+1), l.elementsWhere(es, func(k int) bool { return k < per && place[k] == n+1 }))
	}
	return d
}

// blocksOf returns the bytes of a and b, one after the other, with the numbers f(0) to f(n-1), if instructions for successive bytes or
// for blocks of 16 bytes can compute that: they need no table, and do not overwrite a.
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

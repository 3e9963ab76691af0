package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Accesses in runs: s consecutive elements, a gap of s elements, and so on. s is a power of two of at most the
// lanes of a register. Lane i accesses the element 2·i - (i & (s-1)) after the one of lane 0, so that a register
// of lanes spans two registers of memory. A load permutes these two registers. A store permutes the lanes and
// masks off the gaps, whose elements belong to other work-items. If s is the number of lanes, no gaps remain. The
// code computes s from the offsets of the lanes; if they form no run, it gathers or scatters. [lanes.Facts.Runs]
// decides for which accesses the test pays.

// A run describes the positions in memory of the lanes of each register of an access.
type run struct {
	less  reg    // s - 1 in each lane
	place reg    // by lane: its distance from lane 0 in elements
	full  [2]reg // by register of memory: mask of the elements that belong to lanes
}

// A runAccess is an access whose lanes may form runs: lanes side by side that access elements side by side.
type runAccess struct {
	root  int
	write bool
	es    int // bytes per lane
	w     asm.Width
	per   int   // lanes per register
	parts []mem // by register of lanes: address of its lane 0
	run
}

// findRun jumps to failed unless the two registers of memory at each register of lanes are in bounds and the lanes
// are in runs. idx holds the indices of the lanes in units of unit bytes.
func (l *accesses) findRun(x *runAccess, idx vec, unit int, failed *mblock) {
	limit := l.limit(x.root, 2*int(l.lv.VL), x.write)
	var distances []reg
	for i := range l.numParts(x.es) {
		part := l.slice(idx, 4*x.per, i)
		begin := l.low(part, 4)
		distances = append(distances, l.rvm(asm.VPSUBD, x.w, part, l.rmv(vbroadcast[4], l.lv.VL, part)))
		q := mem{on: true, base: l.rootBaseReg(x.root), index: begin, scale: 1}
		if unit > 1 {
			l.opi(asm.SHLIMM, 8, begin, int64(bits.TrailingZeros(uint(unit))))
		}
		l.cmp(8, begin, limit)
		l.jcc(asm.JAE, failed)
		x.parts = append(x.parts, q)
	}
	up := bits.TrailingZeros(uint(x.es / unit))
	x.run = l.measure(x, distances[0], up)
	want := x.place
	if up > 0 {
		want = l.vshift(asm.VPSLLD, x.w, want, int64(up))
	}
	var others mask
	for _, b := range distances {
		others = append(others, l.krvm(vpcmpu[4], x.w, b, want, predNE))
	}
	l.testMask(others)
	l.jcc(asm.JNE, failed)
}

// measure returns the only possible run of a register whose lanes have these distances from lane 0, in elements
// times 1 << up.
func (l *accesses) measure(x *runAccess, distance reg, up int) (r run) {
	ramp := l.indices(4, func(i int) int { return i })
	size, least := l.g(), l.g()
	other := l.krvm(vpcmpu[4], x.w, distance, l.indices(4, func(i int) int { return i << up }), predNE)
	l.emit(inst{op: asm.KMOVWR, w: 4, fl: fDefReg, reg: size, rm: other})
	l.opi(asm.ORIMM, 8, size, 1<<x.per)
	l.emit(inst{op: asm.TZCNT, w: 8, fl: fDefReg, reg: size, rm: size})
	l.lea(least, at(size, -1))
	r.less = l.broadcast(4, least)[0]
	r.place = l.rvm(asm.VPSUBD, x.w, l.indices(4, func(i int) int { return 2 * i }), l.rvm(asm.VPANDD, x.w, r.less, ramp))
	gap := l.broadcast(4, size)[0]
	for h := range r.full {
		r.full[h] = l.krvm(asm.VPTESTNMD, x.w, gap, l.indices(4, func(i int) int { return h*x.per + i%x.per }), 0)
	}
	return r
}

// places extends indices of 4 bytes for permutations of elements of es bytes.
func (l *accesses) places(r reg, es int) reg {
	if es == 4 {
		return r
	}
	return l.rmv(asm.VPMOVZXDQ, l.lv.VL, r)
}

// loadRun loads the elements of a run.
func (l *accesses) loadRun(x *runAccess) (words vec) {
	order := l.places(x.place, x.es)
	for _, q := range x.parts {
		d := l.vload(asm.VMOVUPS, l.lv.VL, q)
		q.disp += int32(l.lv.VL)
		l.emit(inst{op: vperm2[x.es], w: l.lv.VL, fl: fDefReg | fUseReg, reg: d, v: order, m: q})
		words = append(words, d)
	}
	return words
}

// storeRun stores the elements of a run.
func (l *accesses) storeRun(x *runAccess, words vec) {
	for h, full := range x.full {
		at := func(i int) int { return h*x.per + i%x.per }
		// The element at distance j belongs to the lane with the lower bits of j and the upper ones shifted
		// right by 1.
		lane := l.overwrite(asm.VPTERNLOGD, x.w, x.less, l.indices(4, at), l.indices(4, func(i int) int { return at(i) / 2 }), 0xCA)
		order := l.places(lane, x.es)
		for i, q := range x.parts {
			q.disp += int32(h) * int32(l.lv.VL)
			l.vstore(vmergeST[x.es], l.lv.VL, q, l.rvm(vperm[x.es], l.lv.VL, order, words[i]), full)
		}
	}
}

package codegen

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Neighbouring accesses that are checked together (package spmd, together.go): before the
// block what spans them all is compared with the bounds of the object, and in the block
// they need no comparison of their own.

// A stretch is bytes of an object that are known to be in bounds in a block, from low
// until before high off where the terms lead to in the first lane.
type stretch struct {
	root      int
	terms     []lanes.Term
	low, high int64
	write     bool
	narrow    []narrowTerm // what must not wrap for that
	off       reg          // of low, in the first lane; 0 if there are no terms
}

// A narrowTerm is a term whose sum of 32 bits must not wrap in any lane, when numbers
// down to least, at most 0, are added to it.
type narrowTerm struct {
	lanes.Term
	least int64
}

// testInside ends b with the test whether its first successor's accesses are in bounds.
func (l *lowerer) testInside(b *ssa.Block, yes, no *mblock) {
	block := b.Succs[0]
	list, narrow := l.stretches(block)
	terms := map[lanes.Term]reg{}
	if !l.opts.NoBounds {
		for _, t := range narrow {
			low, high := int64(-maxDisp), int64(maxDisp)
			if !t.Signed {
				low = -t.least
			}
			r := l.term(t.Term, terms)
			d := r
			if low != 0 {
				d = l.g()
				l.lea(d, at(r, int32(-low)))
			}
			l.cmpi(8, d, high-low)
			l.jcc(asm.JAE, no)
		}
	}
	l.findOffsets(list, terms)
	for _, s := range list {
		if l.opts.NoBounds {
			break
		}
		limit := l.limit(s.root, int(s.high-s.low), s.write)
		if s.off == 0 {
			l.outOf(limit, s.low, no)
			continue
		}
		l.cmp(8, s.off, limit)
		l.jcc(asm.JAE, no)
	}
	l.inBounds[block] = list
	l.jump(yes)
}

// stretches returns what spans the accesses of a block that have neighbours, and what must
// not wrap.
func (l *lowerer) stretches(block *ssa.Block) (list []stretch, narrow []narrowTerm) {
	var all []stretch
	for _, v := range block.Values {
		if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
			if s, ok := l.stretchOf(v, block); ok {
				all = append(all, s)
			}
		}
	}
	for i := range all {
		if s, found := spanning(all, i); found && s.low >= -maxDisp && s.high <= maxDisp {
			list = append(list, s)
			narrow = mergeNarrow(narrow, s.narrow)
		}
	}
	return list, narrow
}

// stretchOf returns the stretch of one access.
func (l *lowerer) stretchOf(v *ssa.Value, block *ssa.Block) (a stretch, ok bool) {
	s, ok := lanes.LinearOf(v.Args[0])
	if !ok || s.Root.Block == block || l.large(l.rootOf(s.Root)) {
		return a, false
	}
	a = stretch{root: l.rootOf(s.Root), terms: s.Terms, write: v.Op == ssa.OpStore}
	stride := int64(0)
	for _, t := range s.Terms {
		k, clean, ok := l.termStride(t, block)
		if !ok {
			return a, false
		}
		stride += k * t.By
		if t.Wide() {
			continue
		}
		n := narrowTerm{t, min(0, k*int64(l.n-1))}
		n.By = 1
		down, asks := n.least, k != 0 && !clean
		for _, x := range s.Narrow {
			if x.Term == n.Term {
				n.least, asks = min(n.least, down+x.C), true
			}
		}
		if asks {
			a.narrow = append(a.narrow, n)
		}
	}
	t := v.Type
	if v.Op == ssa.OpStore {
		t = v.Args[1].Type
	}
	a.low, a.high = l.span(s.Disp, stride, t)
	return a, true
}

// spanning returns what spans the accesses of which i is the first to an object with these
// terms; found is false if it is not, or if it is the only one.
func spanning(all []stretch, i int) (s stretch, found bool) {
	s = all[i]
	for j := range all {
		a := &all[j]
		if j == i || a.root != s.root || !slices.Equal(a.terms, s.terms) {
			continue
		}
		if j < i {
			return s, false
		}
		found = true
		s.low, s.high = min(s.low, a.low), max(s.high, a.high)
		s.write = s.write || a.write
		s.narrow = mergeNarrow(s.narrow, a.narrow)
	}
	return s, found
}

// mergeNarrow adds terms to a list that has each once.
func mergeNarrow(list, more []narrowTerm) []narrowTerm {
	for _, n := range more {
		if i := slices.IndexFunc(list, func(m narrowTerm) bool { return m.Term == n.Term }); i >= 0 {
			list[i].least = min(list[i].least, n.least)
		} else {
			list = append(slices.Clip(list), n)
		}
	}
	return list
}

// span returns the bytes that the access of a type spans in all lanes.
func (l *lowerer) span(disp, stride int64, t ssa.Type) (low, high int64) {
	es, n := int64(size(t.K)), int64(t.N)
	step := es * n
	if n == 3 && stride == 4*es {
		step = 4 * es
	}
	far := stride * int64(l.n-1)
	low, high = disp+min(0, far), disp+max(0, far)+step
	if stride > step {
		// What is loaded is all that the lanes span (strided.go).
		if d := ((disp % stride) + stride) % stride; d+step <= stride {
			low = disp - d
		}
		high = low + stride*int64(l.n)
	}
	return low, high
}

// termStride returns how much a term's integer grows from lane to lane before block, if it is known
// there, and whether it is in [0, 2^31) for certain.
func (l *lowerer) termStride(t lanes.Term, block *ssa.Block) (k int64, clean, ok bool) {
	clean = t.Parts[1] == nil
	for _, v := range t.Parts.All() {
		if v.Block == block || !inGeneral(v.Type.K) {
			return 0, false, false
		}
		v = l.real(v)
		if !l.plan.Varying[v.ID] {
			clean = false
			continue
		}
		x := &l.vals[v.ID]
		if !x.sure() {
			return 0, false, false
		}
		k += x.stride
		clean = clean && x.clean
	}
	return k, clean, k*int64(l.n) < maxDisp && k*int64(l.n) > -maxDisp
}

// term returns a term's integer in the first lane, extended.
func (l *lowerer) term(t lanes.Term, memo map[lanes.Term]reg) reg {
	t.By = 1
	if r, ok := memo[t]; ok {
		return r
	}
	r := l.G(t.Parts[0], 0)
	if !t.Wide() {
		for _, v := range t.Parts.All()[1:] {
			d := l.g()
			l.mov(d, r)
			l.op2(asm.ADD, 4, d, l.G(v, 0))
			r = d
		}
		op, w := asm.MOVL, asm.Width(4)
		if t.Signed {
			op, w = asm.MOVSXD, 8
		}
		d := l.g()
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, rm: r})
		r = d
	}
	memo[t] = r
	return r
}

// findOffsets computes where stretches begin. Sums of the same terms are computed once,
// and so is what they have in common, if what most of them have comes first.
func (l *lowerer) findOffsets(list []stretch, terms map[lanes.Term]reg) {
	count := map[lanes.Term]int{}
	for i := range list {
		for _, t := range list[i].terms {
			count[t]++
		}
	}
	type partial struct {
		terms []lanes.Term
		r     reg
	}
	var known []partial
	for i := range list {
		s := &list[i]
		if len(s.terms) == 0 {
			continue
		}
		order := slices.Clone(s.terms)
		slices.SortStableFunc(order, func(t, u lanes.Term) int { return count[u] - count[t] })
		// A factor of all is that of the sum.
		by := order[0].By
		for _, t := range order {
			if t.By != by {
				by = 1
			}
		}
		if by != 1 {
			for k := range order {
				order[k].By = 1
			}
		}
		var sum reg
		for n := range order {
			if k := slices.IndexFunc(known, func(p partial) bool { return slices.Equal(p.terms, order[:n+1]) }); k >= 0 {
				sum = known[k].r
				continue
			}
			r := l.factor(l.term(order[n], terms), order[n].By)
			if n > 0 {
				d := l.g()
				l.lea(d, mem{base: sum, index: r, scale: 1})
				r = d
			}
			sum = r
			known = append(known, partial{order[:n+1], r})
		}
		s.off = sum
		switch {
		case by == 2 || by == 4 || by == 8:
			s.off = l.g()
			l.lea(s.off, mem{index: sum, scale: uint8(by), disp: int32(s.low)})
			continue
		case by != 1:
			s.off = l.factor(sum, by)
		}
		if s.low != 0 {
			d := l.g()
			l.lea(d, at(s.off, int32(s.low)))
			s.off = d
		}
	}
}

// factor returns by times a register.
func (l *lowerer) factor(r reg, by int64) reg {
	if by == 1 {
		return r
	}
	d := l.g()
	if by > 0 && by&(by-1) == 0 {
		l.mov(d, r)
		l.opi(asm.SHLIMM, 8, d, int64(bits.TrailingZeros64(uint64(by))))
		return d
	}
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: d, rm: r, imm: by})
	return d
}

// checkedTogether returns the operand for n bytes at an address, if they are known to be in
// bounds in the block.
func (l *lowerer) checkedTogether(a *address, n int, write bool) (m mem, ok bool) {
	list := l.inBounds[l.block]
	if len(list) == 0 || a.flip != nil {
		return m, false
	}
	s, ok := lanes.LinearOf(a.ptr)
	if !ok {
		return m, false
	}
	// Accesses to what lanes span move the address.
	plain := l.address(a.ptr)
	low := s.Disp + a.disp - plain.disp
	for _, t := range list {
		if t.root == a.root && slices.Equal(t.terms, s.Terms) && t.low <= low && low+int64(n) <= t.high && (t.write || !write) {
			l.out.Forms |= spmd.Together
			l.noteChecked(a, "with its neighbours")
			m = mem{base: l.rootBaseReg(a.root), disp: int32(low)}
			if t.off != 0 {
				m.index, m.scale, m.disp = t.off, 1, int32(low-t.low)
			}
			return m, true
		}
	}
	return m, false
}

package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Merged bounds checks (package spmd, merge.go). Before a block, one check compares the byte range of neighbouring
// accesses with the bounds of their object. The accesses in the block need no checks.

// A checkedRange is a byte range that is in bounds in a block.
type checkedRange struct {
	lanes.ByteRange
	root int
	off  reg // offset of Low in the first lane; 0 if the range has no terms
}

// testInside jumps to no unless all neighbouring accesses of b's first successor are in bounds.
func (l *addresses) testInside(b *ssa.Block, no *mblock) {
	block := b.Succs[0]
	all, narrow := l.patterns.TestBlock(block)
	list := make([]checkedRange, len(all))
	for i, s := range all {
		list[i] = checkedRange{ByteRange: s, root: l.roots.Number(s.Root)}
	}
	for _, v := range block.Values {
		switch {
		case v.Flags&ssa.InBounds == 0:
		case v.Op == ssa.OpLoad:
			w := l.patterns.Access(v, false)
			if at := l.patterns.Check(&w, block).Where; w.Root == nil || !w.Regular() || at != lanes.BeforeBlock && at != lanes.Nowhere {
				l.cmp(8, rCtx, rCtx) // it may be outside: so they are not all inside
				l.jcc(asm.JE, no)
			}
		case !slices.ContainsFunc(all, func(s lanes.ByteRange) bool { return s.Root == l.facts.Root(v.Args[0]) }):
			refuse("a structure whose fields have no common bounds test")
		}
	}
	terms := map[lanes.Term]reg{}
	if !l.opts.NoBounds {
		for _, t := range narrow {
			low, high := int64(-maxDisp), int64(maxDisp)
			if !t.Signed {
				low = -t.Least
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
		limit := l.limit(s.root, int(s.High-s.Low), s.Write)
		if s.off == 0 {
			l.outOf(limit, s.Low, no)
			continue
		}
		l.cmp(8, s.off, limit)
		l.jcc(asm.JAE, no)
	}
	l.inBounds[block] = list
}

// term returns the first lane's value of a term, extended to 64 bits.
func (l *addresses) term(t lanes.Term, memo map[lanes.Term]reg) reg {
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

// findOffsets computes the offsets of ranges in the first lane. It shares equal sums. The most frequent terms come
// first, so that sums also share common parts.
func (l *addresses) findOffsets(list []checkedRange, terms map[lanes.Term]reg) {
	count := map[lanes.Term]int{}
	for i := range list {
		for _, t := range list[i].Terms {
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
		if len(s.Terms) == 0 {
			continue
		}
		order := slices.Clone(s.Terms)
		slices.SortStableFunc(order, func(t, u lanes.Term) int { return count[u] - count[t] })
		// A factor that all terms have multiplies their sum.
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
			l.lea(s.off, mem{index: sum, scale: uint8(by), disp: int32(s.Low)})
			continue
		case by != 1:
			s.off = l.factor(sum, by)
		}
		if s.Low != 0 {
			d := l.g()
			l.lea(d, at(s.off, int32(s.Low)))
			s.off = d
		}
	}
}

// checkedBeforeBlock returns the operand of an access in a checked range.
func (l *addresses) checkedBeforeBlock(a *access, c *lanes.Check) mem {
	l.out.Forms |= spmd.MergedChecks
	l.noteChecked(a, "with its neighbours")
	t := &l.inBounds[l.block][c.Range]
	m := mem{base: l.rootBaseReg(t.root), disp: int32(t.Low + c.At)}
	if t.off != 0 {
		m.index, m.scale, m.disp = t.off, 1, int32(c.At)
	}
	return m
}

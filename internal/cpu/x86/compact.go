package x86

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Stream compaction: the active lanes write one element after the other. Whether they do is tested at run time, because
// their offsets are sums over lanes. Compressing the elements and storing them contiguously takes half of a scatter's time.

// mostSteps bounds the instructions from which an offset is computed that mayCompact looks at. A sum over the lanes of a
// work-group in one function has several terms for each gang.
const mostSteps = 64

// compacted is the size in bytes of elements that are compressed.
const compacted = 4

// mayCompact reports whether an offset of all lanes is computed from other lanes' numbers, such as a prefix sum: by a
// permutation, as a rank, an atomic operation, or through local memory.
func (s *objects) mayCompact(offset gang.Reg) bool {
	list := []gang.Reg{offset}
	for n := 0; n < len(list) && n < mostSteps; n++ {
		d := s.def[list[n]]
		if d == nil {
			continue
		}
		switch d.Op {
		case gang.OpPermute, gang.OpRank, gang.OpExchange, gang.OpAtomic, gang.OpAtomicAt:
			return true
		case gang.OpLoad:
			if d.Shape != gang.Broadcast && s.f.Roots[d.Root].Local {
				return true
			}
		case gang.OpEach, gang.OpCopy:
			for _, a := range d.Args {
				if s.f.Type(a).Class == gang.Vector && !slices.Contains(list, a) {
					list = append(list, a)
				}
			}
		}
	}
	return false
}

// A compaction is a store at offsets that mayCompact, and the test before it that all its lanes are in bounds.
type compaction struct {
	inside, not, store *gang.Inst
	numbers            *numbers // nil: unknown
}

// compactionAfter returns the compaction that the test i at the end of b begins.
func (s *objects) compactionAfter(b *gang.Block, i *gang.Inst) (c compaction, ok bool) {
	if i.Op != gang.OpAny || !s.lv.Scatters || s.opts.NoBounds {
		return c, false
	}
	if c.not = s.only(i.Args[0], b); c.not == nil || c.not.Op != gang.OpEach || c.not.Each != ssa.OpNot {
		return c, false
	}
	next := b.Succs[1]
	c.inside, c.store = s.only(c.not.Args[0], b), &next.Insts[0]
	in, st := c.inside, c.store
	if in == nil || in.Op != gang.OpInside || in.Mask == 0 || in.Mask != i.Mask || !s.stable(in) || s.isPrivate(in.Root) ||
		st.Op != gang.OpStore || st.Shape != gang.Gather || st.Args[0] != in.Args[0] || st.Mask != in.Mask || st.Root != in.Root {
		return c, false
	}
	if s.n*compacted > int(s.lv.VL) || in.Scale != st.Scale || in.Size != compacted || st.Imm != 0 || s.entries(next) != 1 {
		return c, false
	}
	if c.numbers = numbersOf(s.operands, st, b.Succs[0]); c.numbers != nil {
		return c, true
	}
	return c, s.compacts(st, s.f.Type(st.Args[1]), int(st.Scale))
}

// entries returns the number of edges to a block.
func (s *operands) entries(b *gang.Block) (n int) {
	for _, x := range s.f.Blocks {
		for _, t := range x.Succs {
			if t == b {
				n++
			}
		}
	}
	return n
}

// compacts reports whether the lanes of the masked store i of elements of t may write one element after the other, in units of
// scale bytes.
func (s *objects) compacts(i *gang.Inst, t gang.Type, scale int) bool {
	return s.lv.Scatters && i.Mask != 0 && t.Size() == compacted && t.N == 1 && scale > 0 && scale <= 8 && compacted%scale == 0 && s.mayCompact(i.Args[0])
}

// compact selects a compaction instead of the test i, for lanes in one register. If the lanes write one element after the other, the
// first and the last one tell whether all are in bounds. Else the lanes' offsets are compared as i says.
func (s *selector) compact(c compaction, i *gang.Inst, outside *mblock) {
	q, idx := s.gatherAt(c.store, false)
	m, p := s.mask(i.Mask), s.inOrder(c.store.Args[1])
	step := uint8(compacted / int(q.scale))
	x := s.compress(idx[0], p[0], s.maskFor(m, compacted, 0), int64(step))
	cold, join := s.newBlock(s.cur.depth), s.blockHere()
	s.jcc(asm.JNE, cold)
	first := s.low(x.offsets, 4)
	last := at(first, -int32(step))
	last.index, last.scale = s.result(cG, inst{op: asm.POPCNT, w: 8, rm: x.bits}), step
	end := s.g()
	s.lea(end, last)
	s.cmp(8, end, s.elementsIn(int(c.inside.Root), int(c.inside.Size), true, bits.TrailingZeros8(q.scale)))
	s.jcc(asm.JAE, cold)
	to := q
	to.index = first
	s.storePart(to, x.elements, compacted, x.some)
	s.aside(cold, func() {
		s.inside(c.inside)
		instructions[gang.OpEach](s, c.not)
		s.testMask(s.andMask(s.mask(i.Args[0]), m))
		s.jcc(asm.JNE, outside)
		s.scatter32(q, idx, p, compacted, m)
		s.jump(join)
	})
	s.place(join)
}

// A compressed register has the offsets and the elements of the active lanes in its lowest lanes.
type compressed struct {
	offsets, elements reg
	bits, some        reg // its active lanes, as bits and as a mask
}

// compress moves the active lanes of offsets and elements to the lowest lanes. The flag that JNE tests is set unless the
// offsets are step apart.
func (l *accesses) compress(idx, p, k reg, step int64) (c compressed) {
	w := l.lv.VL
	move := func(r reg) reg {
		d := l.vr()
		l.emit(inst{op: asm.VPCOMPRESSD, w: w, fl: fDefRM, rm: d, reg: r, mask: k, zero: true})
		return d
	}
	c.offsets, c.elements = move(idx), move(p)
	l.granuleBits(rAX, k)
	c.bits = l.result(cG, inst{op: asm.PEXT, w: 8, v: rAX, rm: rAX})
	c.some = l.result(cK, inst{op: asm.KMOVWG, w: 4, rm: c.bits})
	want := l.rvm(asm.VPADDD, w, l.rmv(asm.VPBROADCASTD, w, c.offsets), l.ramp(4, step)[0])
	other := l.result(cK, inst{op: asm.VPCMPUD, w: w, v: want, rm: c.offsets, imm: predNE, mask: c.some})
	l.testMask(mask{other})
	return c
}

// scatterCompacted writes an element of 4 bytes of each lane of m at q + idx · q.scale: contiguously if the elements of the
// active lanes follow each other, else by a scatter.
func (s *objects) scatterCompacted(q mem, idx, p vec, m mask) {
	for i, r := range p {
		x := s.compress(idx[i], r, s.maskFor(m, compacted, i), compacted/int64(q.scale))
		join := s.apart(asm.JNE, func() {
			q.index = idx[i]
			s.emit(inst{op: asm.VPSCATTERDD, w: s.lv.VL, fl: fUseReg, reg: r, m: q, mask: s.ownMask(m, compacted, i)})
		})
		q.index = s.signExtend(s.low(x.offsets, 4), 4)
		s.storePart(q, x.elements, compacted, x.some)
		s.place(join)
	}
}

package x86

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Compactions at known places: a store under a mask whose offsets are scalars plus the lanes' ranks in this mask. The active lanes write
// one element after the other, which needs no test. The offsets are in no register, except for the code for lanes out of bounds.

// numbers are the numbers of the elements that the active lanes of a store write: one after the other from the sum of scalars and a
// number on, which wraps in 32 bits.
type numbers struct {
	base  []gang.Reg
	more  int64
	count gang.Reg   // the number of active lanes, or 0
	steps []gang.Reg // the registers from which only these offsets are computed
}

// numbersOf returns the numbers of a masked store at 32-bit offsets, or nil if they are unknown, or used outside of the block for lanes
// out of bounds.
func numbersOf(s *operands, st *gang.Inst, outside *gang.Block) *numbers {
	if st.Scale != compacted || st.Mask == 0 || s.f.Type(st.Args[1]) != (gang.Type{Class: gang.Vector, K: s.f.Type(st.Args[1]).K, N: 1}) || s.entries(outside) != 1 {
		return nil
	}
	uses := int32(2)
	for k := range outside.Insts {
		for _, a := range outside.Insts[k].Args {
			if a == st.Args[0] {
				uses++
			}
		}
	}
	if s.reads[st.Args[0]] != uses || s.moved[st.Args[0]] {
		return nil
	}
	x := &numbers{more: 1} // the rank of the first active lane is 1
	active := s.original(st.Mask)
	only := true
	for r := st.Args[0]; ; {
		d := s.def[r]
		if only = only && (r == st.Args[0] || s.reads[r] == 1 && !s.moved[r]); only {
			x.steps = append(x.steps, r)
		}
		switch {
		case d == nil:
			return nil
		case d.Op == gang.OpRank && d.Args[0] == active && s.defs[active] == 1:
			x.count = countIn(s, s.home[r], active)
			return x
		case d.Op == gang.OpEach && d.Each == ssa.OpBitcast && s.f.Type(d.Args[0]).Size() == s.f.Type(r).Size():
			r = d.Args[0]
			continue
		case d.Op == gang.OpEach && d.Each == ssa.OpSub && isBitOf(s, d.Args[1], active):
			r = d.Args[0]
			x.more--
			continue
		case d.Op != gang.OpEach || d.Each != ssa.OpAdd || s.f.Type(r).Size() != 4:
			return nil
		}
		k := slices.IndexFunc(d.Args, func(a gang.Reg) bool {
			_, known := s.constant(a)
			return known || s.def[a] != nil && s.def[a].Op == gang.OpSplat
		})
		if k < 0 {
			return nil
		}
		if n, ok := s.constant(d.Args[k]); ok {
			x.more += int64(int32(n))
		} else if a := s.def[d.Args[k]].Args[0]; s.defs[a] == 1 {
			x.base = append(x.base, a)
		} else {
			return nil
		}
		r = d.Args[1-k]
	}
}

// isBitOf reports whether r is 1 in the lanes of a predicate.
func isBitOf(s *operands, r, p gang.Reg) bool {
	d := s.def[r]
	switch {
	case d == nil || d.Op != gang.OpEach:
		return false
	case d.Each == ssa.OpSelect:
		one, ok := s.constant(d.Args[1])
		return ok && one == 1 && d.Args[0] == p && s.defs[p] == 1
	case d.Each == ssa.OpConvert:
		return d.Args[0] == p && s.defs[p] == 1
	case d.Each == ssa.OpBitcast:
		return isBitOf(s, d.Args[0], p)
	}
	// A predicate that is an integer of 0 or 1.
	c := s.def[p]
	one, ok := s.constant(d.Args[len(d.Args)-1])
	return d.Each == ssa.OpAnd && ok && one == 1 && c != nil && c.Op == gang.OpEach && c.Each == ssa.OpConvert && c.Args[0] == r
}

// original returns the register that r is a copy of, if both are assigned once, else r.
func (s *operands) original(r gang.Reg) gang.Reg {
	for d := s.def[r]; d != nil && d.Op == gang.OpCopy && s.defs[d.Args[0]] == 1; d = s.def[r] {
		r = d.Args[0]
	}
	return r
}

// countIn returns a register with the number of lanes of a predicate that a block computes, or 0.
func countIn(s *operands, block int32, p gang.Reg) gang.Reg {
	b := s.f.Blocks[block]
	for k := range b.Insts {
		if i := &b.Insts[k]; i.Op == gang.OpCount && i.Args[0] == p && s.defs[i.Dst] == 1 {
			return i.Dst
		}
	}
	return 0
}

// storeNumbered selects a compaction at known places instead of the test i.
func (s *selector) storeNumbered(c compaction, i *gang.Inst, outside *mblock) {
	m, p := s.mask(i.Mask), s.inOrder(c.store.Args[1])
	k := s.maskFor(m, compacted, 0)
	cold, join := s.newBlock(s.cur.depth), s.blockHere()
	first, n := s.firstNumber(c.numbers), reg(0)
	if c.numbers.count != 0 {
		n = s.scalar(c.numbers.count)
	} else {
		s.maskBits(m)
		n = s.result(cG, inst{op: asm.POPCNT, w: 8, rm: rAX})
	}
	end := s.g()
	last := at(first, 0)
	last.index = n
	s.lea(end, last)
	s.cmp(8, end, s.elementsIn(int(c.inside.Root), int(c.inside.Size), true, bits.TrailingZeros(compacted)))
	s.jcc(asm.JA, cold)
	to := at(s.gatherBase(int(c.store.Root), false), 0)
	to.index, to.scale = first, compacted
	x := s.vr()
	s.emit(inst{op: asm.VPCOMPRESSD, w: s.lv.VL, fl: fDefRM, rm: x, reg: p[0], mask: k, zero: true})
	low := s.result(cG, inst{op: asm.BZHI, w: 8, v: n, rm: s.generalConst(^uint64(0))})
	s.storePart(to, x, compacted, s.result(cK, inst{op: asm.KMOVWG, w: 4, rm: low}))
	s.aside(cold, func() {
		all := s.rvm(asm.VPADDD, s.lv.VL, s.broadcast(4, first)[0], s.accesses.ramp(4, 1)[0])
		idx := s.vr()
		s.emit(inst{op: asm.VPEXPANDD, w: s.lv.VL, fl: fDefReg, reg: idx, rm: all, mask: k, zero: true})
		s.setV(c.store.Args[0], vec{idx})
		s.inside(c.inside)
		instructions[gang.OpEach](s, c.not)
		s.testMask(s.andMask(s.mask(i.Args[0]), m))
		s.jcc(asm.JNE, outside)
		q, idxs := s.gatherAt(c.store, false)
		s.scatter32(q, idxs, p, compacted, m)
		s.jump(join)
	})
	s.place(join)
}

// firstNumber returns the number of the first element, extended by zeros.
func (s *operands) firstNumber(x *numbers) reg {
	d := reg(0)
	switch len(x.base) {
	case 0:
		return s.newConst(uint64(uint32(x.more)))
	case 1:
		d = s.scalar(x.base[0])
		m := at(d, int32(x.more))
		d = s.g()
		s.emit(inst{op: asm.LEA, w: 4, fl: fDefReg, reg: d, m: m})
		return d
	}
	d = s.scalar(x.base[0])
	for k, b := range x.base[1:] {
		m := at(d, 0)
		if k == 0 {
			m.disp = int32(x.more)
		}
		m.index = s.scalar(b)
		d = s.g()
		s.emit(inst{op: asm.LEA, w: 4, fl: fDefReg, reg: d, m: m})
	}
	return d
}

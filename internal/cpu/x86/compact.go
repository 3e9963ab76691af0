package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Stream compaction: the active lanes write one element after the other. Whether they do is tested at run time, because
// their offsets are sums over lanes. Compressing the elements and storing them contiguously takes half of a scatter's time.

// mostSteps bounds the instructions from which an offset is computed that mayCompact looks at. A sum over the lanes of a
// work-group in one function has several terms for each gang.
const mostSteps = 64

// mayCompact reports whether an offset of all lanes is computed from other lanes' numbers, such as a prefix sum: by a
// permutation, an atomic operation, or through local memory.
func (s *objects) mayCompact(offset gang.Reg) bool {
	list := []gang.Reg{offset}
	for n := 0; n < len(list) && n < mostSteps; n++ {
		d := s.def[list[n]]
		if d == nil {
			continue
		}
		switch d.Op {
		case gang.OpPermute, gang.OpExchange, gang.OpAtomic, gang.OpAtomicAt:
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

// scatterCompacted writes an element of 4 bytes of each lane of m at q + idx · q.scale: contiguously if the elements of the
// active lanes follow each other, else by a scatter.
func (s *objects) scatterCompacted(q mem, idx, p vec, m mask) {
	const es = 4
	w := s.lv.VL
	for i, r := range p {
		k := s.maskFor(m, es, i)
		compress := func(r reg) reg {
			d := s.vr()
			s.emit(inst{op: asm.VPCOMPRESSD, w: w, fl: fDefRM, rm: d, reg: r, mask: k, zero: true})
			return d
		}
		offsets := compress(idx[i])
		s.granuleBits(rAX, k)
		bits := s.result(cG, inst{op: asm.PEXT, w: 8, v: rAX, rm: rAX})
		some := s.result(cK, inst{op: asm.KMOVWG, w: 4, rm: bits})
		want := s.rvm(asm.VPADDD, w, s.rmv(asm.VPBROADCASTD, w, offsets), s.arithmetic.ramp(4, es/int64(q.scale))[0])
		other := s.result(cK, inst{op: asm.VPCMPUD, w: w, v: want, rm: offsets, imm: predNE, mask: some})
		s.testMask(mask{other})
		join := s.apart(asm.JNE, func() {
			q.index = idx[i]
			s.emit(inst{op: asm.VPSCATTERDD, w: w, fl: fUseReg, reg: r, m: q, mask: s.ownMask(m, es, i)})
		})
		q.index = s.signExtend(s.low(offsets, 4), 4)
		s.storePart(q, compress(r), es, some)
		s.place(join)
	}
}

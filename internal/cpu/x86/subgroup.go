package x86

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Sub-group operations. A gang contains whole sub-groups: its length is a multiple of theirs, and the launch
// ensures that rows of a work-group begin at sub-groups.

// ballot returns, in all lanes of each sub-group of a size, the bits of its part of a mask.
func (l *lowerer) ballot(k mask, size int) vec {
	var out vec
	if size < l.lv.Lanes { // several sub-groups in a register
		first := l.indices(4, func(lane int) int { return lane &^ (size - 1) })
		for i := range k {
			l.granuleBits(rAX, k[i])
			x := l.rvm(asm.VPSRLVD, l.lv.VL, l.broadcast(4, l.copyG(rAX))[0], first)
			out = append(out, l.rvm(asm.VPAND, l.lv.VL, x, l.constV(4, ones(size))[0]))
		}
		return out
	}
	per := size / l.lv.Lanes // registers of 32-bit elements per sub-group
	for s := 0; s < len(k); s += per {
		l.maskBits(k[s : s+per])
		out = append(out, slices.Repeat(l.broadcast(4, l.copyG(rAX))[:1], per)...)
	}
	return out
}

// exchange returns, in each lane, the element of p of the lane with number idx in its sub-group of size lanes. The
// result is 0 if that lane is not in m, or does not exist (is not in there, if that is not nil). If from is not -1, all of idx equal it.
func (l *lowerer) exchange(p vec, size, es int, idx vec, m, there mask, from int) vec {
	switch es {
	case 1, 2:
		return l.truncate(4, es, l.exchange(l.extend(es, 4, false, p), size, 4, idx, m, there, from))
	case 8:
		lo := l.exchange(l.piece(p, 8, 4, 0), size, 4, idx, m, there, from)
		hi := l.exchange(l.piece(p, 8, 4, 1), size, 4, idx, m, there, from)
		return l.compose([]vec{lo, hi}, 4, 8)
	}
	if m != nil {
		p = l.keep(m, p, 4)
	}
	out := make(vec, len(idx))
	per := size / l.lv.Lanes
	for i := range out {
		if per == 0 {
			first := l.indices(4, func(lane int) int { return lane &^ (size - 1) })
			out[i] = l.rvm(asm.VPERMD, l.lv.VL, l.rvm(asm.VPOR, l.lv.VL, idx[i], first), p[i])
			continue
		}
		if first := i / per * per; from >= 0 { // one register holds the element for the whole sub-group
			if i > first {
				out[i] = out[first]
			} else {
				out[i] = l.rvm(asm.VPERMD, l.lv.VL, idx[i], p[first+from/l.lv.Lanes])
			}
			continue
		}
		parts, bit := l.permutedBy(idx[i], p[i/per*per:][:per])
		for ; len(parts) > 1; bit++ {
			parts = l.byBit(idx[i], bit, parts)
		}
		out[i] = parts[0]
	}
	if from >= 0 || there == nil {
		return out
	}
	return l.keep(there, out, 4)
}

// permutedBy permutes registers of 32-bit elements, or pairs of them, by the low bits of idx. bit is the number of the next bit.
func (l *lowerer) permutedBy(idx reg, p vec) (parts []reg, bit int) {
	bit = bits.TrailingZeros(uint(l.lv.Lanes))
	if len(p) > 1 && l.lv.TwoSources.Has(4) {
		for j := 0; j < len(p); j += 2 {
			parts = append(parts, l.overwrite(vpermi2[4], l.lv.VL, idx, p[j], p[j+1], 0))
		}
		return parts, bit + 1
	}
	for _, r := range p {
		parts = append(parts, l.rvm(asm.VPERMD, l.lv.VL, idx, r))
	}
	return parts, bit
}

// byBit selects, by bit number bit of each 32-bit element of idx, between the two registers of each pair.
func (l *lowerer) byBit(idx reg, bit int, pairs []reg) (chosen []reg) {
	up := l.vshift(asm.VPSLLD, l.lv.VL, idx, int64(31-bit))
	var m reg
	if l.lv.MaskRegs {
		m = l.krvm(asm.VPMOVD2M, l.lv.VL, 0, up, 0)
	} else {
		m = l.vshift(asm.VPSRAD, l.lv.VL, up, 31)
	}
	for i := 0; i < len(pairs); i += 2 {
		chosen = append(chosen, l.blend(4, l.lv.VL, pairs[i], pairs[i+1], m))
	}
	return chosen
}

package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Narrowing of integers. AVX-512 narrows one register per instruction, with two shuffles inside. Packing two
// registers into one takes a single shuffle and saturates signed numbers, but within each 16 bytes only, so a
// permutation restores the order. Several registers are therefore packed.

var (
	vtrunc = map[[2]int]asm.Op{{2, 1}: asm.VPMOVWB, {4, 1}: asm.VPMOVDB, {8, 1}: asm.VPMOVQB, {4, 2}: asm.VPMOVDW, {8, 2}: asm.VPMOVQW, {8, 4}: asm.VPMOVQD}
	vsat   = map[[2]int]pair{{2, 1}: {asm.VPMOVSWB, asm.VPMOVUSWB}, {4, 1}: {asm.VPMOVSDB, asm.VPMOVUSDB}, {8, 1}: {asm.VPMOVSQB, asm.VPMOVUSQB}, {4, 2}: {asm.VPMOVSDW, asm.VPMOVUSDW}, {8, 2}: {asm.VPMOVSQW, asm.VPMOVUSQW}, {8, 4}: {asm.VPMOVSQD, asm.VPMOVUSQD}}
	vpack  = map[int]pair{4: {asm.VPACKSSDW, asm.VPACKUSDW}, 2: {asm.VPACKSSWB, asm.VPACKUSWB}} // by the size of the source, to signed and unsigned integers
)

// ones returns an integer of the n lowest bits.
func ones(n int) uint64 { return ^uint64(0) >> (64 - n) }

// packs reports whether integers of ss bytes are narrowed by packing.
func (l *arithmetic) packs(p vec, ss int) bool {
	return ss <= 4 && (!l.lv.Narrowing || len(p) > 1 && !p.shared())
}

// pack narrows signed integers of ss bytes, 2 or 4, to signed or unsigned ones of ds, with
// saturation.
func (l *arithmetic) pack(p vec, ds, ss int, signed bool) vec {
	w := l.width(ss)
	out := max(1, len(p)*ds/ss)
	n := len(p) / out
	if p.shared() {
		return slices.Repeat(vec{l.packOne(p[:1], w, ds, ss, signed)}, out)
	}
	return l.each(out, func(i int) reg { return l.packOne(p[i*n:][:n], w, ds, ss, signed) })
}

// packOne packs at most ss/ds registers of width w into one.
func (l *arithmetic) packOne(p vec, w asm.Width, ds, ss int, signed bool) reg {
	pairs := func(op asm.Op, p vec) (r vec) {
		for i := 0; i < len(p); i += 2 {
			r = append(r, l.rvm(op, w, p[i], p[min(i+1, len(p)-1)]))
		}
		return r
	}
	for s := ss; s > ds; s /= 2 {
		p = pairs(vpack[s].of(s/2 > ds || signed), p)
	}
	// Each 16 bytes of the result have a piece of each source.
	sources, blocks := ss/ds, int(w)/16
	switch {
	case blocks == 1:
		return p[0]
	case blocks == 2 && sources == 2:
		return l.rmi(asm.VPERMQ, 32, p[0], 0xD8)
	}
	op, _ := l.permutation(16 / sources)
	t := l.indices(16/sources, func(i int) int {
		i %= sources * blocks
		return i%blocks*sources + i/blocks
	})
	return l.rvm(op, w, t, p[0])
}

// truncate keeps the low bytes of integers.
func (l *arithmetic) truncate(from, to int, p vec) vec {
	switch {
	case from == to:
		return p
	case from == 8 && to < 4 && (len(p) > 1 || !l.lv.Narrowing):
		return l.truncate(4, to, l.truncate(8, 4, p))
	case l.packs(p, from) && (from != 4 || to != 2 || !l.lv.Narrowing):
		return l.pack(l.each2(from, asm.VPAND, p, l.constV(from, ones(8*to))), to, from, false)
	case l.lv.TwoSources.Has(to) && len(p) > 1 && !p.shared() && from == 2*to:
		return l.each(len(p)/2, func(i int) reg {
			return l.permuteTwo(p[2*i], p[2*i+1], to, func(k int) int { return 2 * k })
		})
	case l.lv.Narrowing:
		op, w := vtrunc[[2]int{from, to}], l.width(from)
		return l.narrowing(from, to, p, func(x reg) reg { return l.mr(op, w, x, 0) })
	}
	return l.each(l.granules(), func(i int) reg { return l.pick(p[2*i], p[2*i+1], to, 0) })
}

// narrowSat narrows integers with saturation. capped says that they are signed and at most the maximum of the
// result type.
func (l *arithmetic) narrowSat(p vec, ds, ss int, dSigned, sSigned, capped bool) (r vec) {
	top, low := ones(8*ds), uint64(0)
	if dSigned {
		top >>= 1
		low = ^top & ones(8*ss)
	}
	wide := p // the value if the result is extended again
	if !capped {
		wide = l.minMax(true, ss, sSigned, wide, l.constV(ss, top))
	}
	if sSigned {
		wide = l.minMax(false, ss, true, wide, l.constV(ss, low))
	}
	switch {
	case l.packs(p, ss) && sSigned:
		r = l.pack(p, ds, ss, dSigned)
	case l.packs(p, ss):
		r = l.pack(wide, ds, ss, false)
	case !l.lv.Narrowing || dSigned && !sSigned:
		r = l.truncate(ss, ds, wide)
	default:
		if !dSigned && sSigned {
			p = l.minMax(false, ss, true, p, l.constV(ss, 0))
		}
		op, w := vsat[[2]int{ss, ds}].of(dSigned), l.width(ss)
		r = l.narrowing(ss, ds, p, func(x reg) reg { return l.mr(op, w, x, 0) })
	}
	l.wider[widened{r[0], extension(ds, ss, dSigned).op}] = wide
	return r
}

func (l *arithmetic) intToInt(p vec, ds, ss int, dSigned, sSigned, sat bool) vec {
	switch {
	case !sat:
	case ds < ss:
		return l.narrowSat(p, ds, ss, dSigned, sSigned, false)
	case sSigned && !dSigned:
		p = l.minMax(false, ss, true, p, l.constV(ss, 0))
	case ds == ss && dSigned && !sSigned:
		p = l.minMax(true, ss, false, p, l.constV(ss, ones(8*ds-1)))
	}
	return l.resize(p, ds, ss, sSigned)
}

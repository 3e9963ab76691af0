package x86

import "github.com/purecl/purecl/internal/cpu/x86/asm"

// componentMasks returns the masks of the n elements of a Bool vector in memory order.
func (l *arithmetic) componentMasks(fk mask, n int) (ks []mask) {
	var bytes vec
	l.within(l.n*n, func() { bytes = l.keep(fk, l.constV(1, 0xFF), 1) })
	for _, p := range l.components(bytes, 1, n) {
		ks = append(ks, l.cmpInt(predNE, 1, false, p, l.constV(1, 0)))
	}
	return ks
}

// components deinterleaves vectors in memory order: result c has element c of each lane; n is the number of
// elements.
func (l *arithmetic) components(raw vec, es, n int) []vec {
	if es >= 4 {
		return l.deinterleave(raw, es, n)
	}
	// Narrow elements are deinterleaved as wider ones, which are then split.
	wide := min(es*n, 8)
	words := l.deinterleave(raw, wide, es*n/wide)
	var out []vec
	for c := range n {
		out = append(out, l.piece(words[c*es/wide], wide, es, c%(wide/es)))
	}
	if es == 1 && n == 4 && len(raw) > 1 && l.lv.TwoSources.Has(2) {
		w := &splitWords{whole: raw}
		for c, p := range out {
			l.bytes[p[0]] = byteOf{w, c}
		}
	}
	return out
}

// splitWords are the words of structures of 4 bytes: those with bytes 0 and 1, and those with bytes 2 and 3.
type splitWords struct {
	whole vec
	block *mblock // the block that computes them
	words [2]vec
}

// A byteOf is a byte of such structures.
type byteOf struct {
	*splitWords
	c int
}

// widenByte extends a byte of structures to 16 bits. The structures' words have it, so that it need not be extracted
// first.
func (l *arithmetic) widenByte(b byteOf) vec {
	if b.block != l.cur {
		b.block, b.words = l.cur, [2]vec{}
	}
	w := &b.words[b.c/2]
	if *w == nil {
		*w = l.each(len(b.whole)/2, func(i int) reg {
			return l.permuteTwo(b.whole[2*i], b.whole[2*i+1], 2, func(k int) int { return 2*k + b.c/2 })
		})
	}
	if b.c%2 == 0 {
		return l.each2(2, asm.VPAND, *w, l.constV(2, 0xFF))
	}
	return l.eachShift(2, asm.VPSRLW, *w, 8)
}

// inMemoryOrder is the inverse of components, for n lanes.
func (l *arithmetic) inMemoryOrder(ps []vec, es, n int) (raw vec) {
	if k := len(ps); k > 1 && es < 4 {
		wide := min(es*k, 8)
		var words []vec
		l.within(n, func() {
			for c := 0; c < k; c += wide / es {
				words = append(words, l.compose(ps[c:c+wide/es], es, wide))
			}
		})
		ps, es = words, wide
	}
	return l.interleave(ps, es)
}

// compose joins elements of ss bytes to elements of ds bytes; the first part is the lowest.
func (l *arithmetic) compose(parts []vec, ss, ds int) vec {
	var r vec
	for i, p := range parts {
		y := l.extend(ss, ds, false, p)
		if i == 0 {
			r = y
			continue
		}
		r = l.each2(ds, asm.VPOR, r, l.eachShift(ds, vshl[ds], y, int64(8*ss*i)))
	}
	return r
}

// split appends the parts, of ds bytes, of elements of ss bytes to a list.
func (l *arithmetic) split(ps []vec, p vec, ss, ds int) []vec {
	for i := range ss / ds {
		ps = append(ps, l.piece(p, ss, ds, i))
	}
	return ps
}

// piece returns part i, of ds bytes, of elements of ss bytes.
func (l *arithmetic) piece(p vec, ss, ds, i int) vec {
	whole := p
	if i > 0 {
		p = l.shiftRight(ss, false, p, int64(8*ds*i))
	}
	r := l.truncate(ss, ds, p)
	if ss == 4 && ds < ss {
		// A conversion of the part back to ss bytes uses the shifted or masked whole instead.
		if i+1 < ss/ds {
			p = l.each2(ss, asm.VPAND, p, l.constV(ss, ones(8*ds)))
			whole = l.eachShift(ss, asm.VPSLLD, whole, int64(8*(ss-ds*(i+1))))
		}
		l.wider[widened{r[0], extension(ds, ss, false).op}] = p
		l.wider[widened{r[0], extension(ds, ss, true).op}] = l.shiftRight(ss, true, whole, int64(8*(ss-ds)))
	}
	return r
}

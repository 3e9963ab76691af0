package x86

// regular selects accesses whose lanes are equidistant, reversed or permuted.
type regular struct{ *accesses }

// Strided accesses: the lanes are a few elements apart, or contiguous in reverse. The code loads the whole region
// that the lanes span, and shuffles extract the elements of the lanes. Accesses to one region share its loads.

// loadRegion loads k elements per lane. The result of k = 3 may have fewer registers than three components.
func (l *regular) loadRegion(m mem, es, k int) (raw vec) {
	if k != 3 {
		raw = l.rawVec(es, k)
		l.loadRaw(raw, m, es, k)
		return raw
	}
	for range k {
		raw = append(raw, l.loadParts(m, es)...)
		m.disp += int32(es * l.n)
	}
	return raw
}

// splitRegion deinterleaves a region into its components.
func (l *regular) splitRegion(raw vec, es, k int) []vec {
	if k != 3 {
		return l.components(raw, es, k)
	}
	out := make([]vec, 3)
	for c := range out {
		for i := 0; i+3 <= len(raw); i += 3 {
			per := int(l.width(es)) / es
			at := func(j int) int { return 3*j + c }
			t := l.permuteTwo(raw[i], raw[i+1], es, func(j int) int { return min(at(j), 2*per-1) })
			out[c] = append(out[c], l.permuteTwo(t, raw[i+2], es, func(j int) int {
				if at(j) < 2*per {
					return j
				}
				return per + at(j) - 2*per
			}))
		}
	}
	return out
}

// reversed returns the lanes' elements in reverse order.
func (l *regular) reversed(p vec, es int) vec {
	op, _ := l.permutation(es)
	w := l.width(es)
	per := int(w) / es
	t := l.indices(es, func(i int) int { return per - 1 - i%per })
	r := make(vec, len(p))
	for i := range p {
		r[len(p)-1-i] = l.rvm(op, w, t, p[i])
	}
	return r
}

// joinTriples interleaves 3 components. It is the inverse of splitRegion for k = 3.
func (l *regular) joinTriples(ps []vec, es int) (raw vec) {
	l.within(l.lanes, func() {
		per := int(l.width(es)) / es
		for i := range ps[0] {
			for r := range 3 {
				// Element j of register r is component c of lane e/3.
				e := func(j int) int { return r*per + j }
				t := l.permuteTwo(ps[0][i], ps[1][i], es, func(j int) int { return min(e(j)%3, 1)*per + e(j)/3 })
				raw = append(raw, l.permuteTwo(t, ps[2][i], es, func(j int) int {
					if e(j)%3 == 2 {
						return per + e(j)/3
					}
					return j
				}))
			}
		}
	})
	return raw
}

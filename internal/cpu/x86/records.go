package x86

// Arrays of structures, if lanes are farther apart than strided.go supports, up to the width of a register. A load
// reads the registers with the structures and permutes the elements of one register of lanes after the other,
// which keeps register pressure low. A store permutes the elements to their positions and writes under masks. With
// AVX-512 both are faster than gathers and scatters.

// loadEvery loads the elements from c on of structures of k elements at q. Of a nil element nothing is loaded.
func (l *vectors) loadEvery(q mem, es, k, c int, out []vec) {
	for j := range l.parts(es) {
		var raw vec
		l.within(l.perPart(es), func() {
			for range k {
				raw = append(raw, l.loadParts(q, es)...)
				q.disp += int32(l.lv.VL)
			}
		})
		for i := range out {
			if out[i] != nil {
				l.vmov(out[i][j], l.pickEvery(raw, es, c+i, k))
			}
		}
	}
}

// pickEvery returns the elements c, c + k, c + 2k … of consecutive registers.
func (l *vectors) pickEvery(raw vec, es, c, k int) reg {
	per := int(l.lv.VL) / es
	at := func(j int) int { return j*k + c } // position of element j of the result
	r := raw[0]
	for i := 1; i < len(raw); i++ {
		some := false
		for j := range per {
			some = some || at(j)/per == i
		}
		if !some {
			continue
		}
		first := i == 1
		r = l.permuteTwo(r, raw[i], es, func(j int) int {
			switch {
			case at(j)/per == i:
				return per + at(j)%per
			case first:
				return at(j) % per // elements of later registers are blended in below
			}
			return j
		})
	}
	return r
}

// storeEvery stores the elements ps of structures of k elements at q.
func (l *accesses) storeEvery(q mem, ps []vec, es, k int) {
	n, per := len(ps), int(l.lv.VL)/es
	for j := range l.parts(es) {
		for r := range k {
			bits := uint64(0)
			at := func(i int) int { return r*per + i } // position of element i of register r
			for i := range per {
				if at(i)%k < n {
					bits |= 1 << i
				}
			}
			if bits == 0 {
				continue
			}
			l.within(l.perPart(es), func() {
				to := q
				to.disp += int32((j*k + r) * int(l.lv.VL))
				l.storePart(to, l.putEvery(ps, j, es, func(i int) (int, int) { return at(i) % k, at(i) / k }), es, l.constMask(bits))
			})
		}
	}
}

// putEvery returns a register whose element i is the component and lane that from(i) returns. The lanes are those
// of register j of each component.
func (l *vectors) putEvery(ps []vec, j, es int, from func(i int) (c, lane int)) reg {
	per := int(l.lv.VL) / es
	if len(ps) == 1 {
		op, _ := l.permutation(es)
		return l.rvm(op, l.lv.VL, l.indices(es, func(i int) int {
			_, lane := from(i)
			return lane % per
		}), ps[0][j])
	}
	r := l.permuteTwo(ps[0][j], ps[1][j], es, func(i int) int {
		c, lane := from(i)
		return min(c, 1)*per + lane%per
	})
	for c := 2; c < len(ps); c++ {
		r = l.permuteTwo(r, ps[c][j], es, func(i int) int {
			if x, lane := from(i); x == c {
				return per + lane%per
			}
			return i
		})
	}
	return r
}

// elementMask returns the mask, for storePart, of some elements of a register.
func (l *regular) elementMask(es int, in func(i int) bool) reg {
	if l.lv.MaskRegs {
		bits := uint64(0)
		for i := range int(l.width(es)) / es {
			if in(i) {
				bits |= 1 << i
			}
		}
		return l.constMask(bits)
	}
	return l.tableOfBits(es, in)
}

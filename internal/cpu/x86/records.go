package x86

// Arrays of structures. A load reads the registers with the structures and permutes the elements of one register of lanes
// after the other, which keeps register pressure low. A store permutes the elements to their positions and writes under masks
// if elements remain between them. With AVX-512 both are faster than gathers and scatters.

// loadRecords loads the elements that are wanted of structures of k elements at q.
func (l *vectors) loadRecords(q mem, es, k int, wanted func(c int) bool) []vec {
	out := make([]vec, k)
	for range l.numParts(es) {
		l.within(l.perPart(es), func() {
			var raw vec
			for range k {
				raw = append(raw, l.loadParts(q, es)...)
				q.disp += int32(l.width(es))
			}
			for c := range out {
				if wanted(c) {
					out[c] = append(out[c], l.collect(raw, es, func(i int) int { return i*k + c }))
				}
			}
		})
	}
	return out
}

// storeRecords stores the elements ps, the first ones of structures of k elements at q.
func (l *accesses) storeRecords(q mem, ps []vec, es, k int) {
	n, per := len(ps), l.perPart(es)
	for j := range l.numParts(es) {
		var sources, moved vec
		for _, p := range ps {
			sources = append(sources, p[j])
		}
		if n == k && k%2 != 0 && es == 4 && !l.lv.TwoSources.Has(es) {
			moved = l.atPositions(sources)
		}
		for r := range k {
			component := func(i int) int { return (r*per + i) % k } // of element i of the register
			l.within(per, func() {
				collect := func() reg {
					if moved != nil {
						return l.blendOwners(moved, l.eachElement(es, component))
					}
					return l.collect(sources, es, func(i int) int { return min(component(i), n-1)*per + (r*per+i)/k })
				}
				switch bits := l.elementBits(es, func(i int) bool { return component(i) < n }); {
				case n == k:
					l.storeParts(q, vec{collect()}, es)
				case bits != 0:
					l.storePart(q, collect(), es, l.constMask(bits))
				}
				q.disp += int32(l.width(es))
			})
		}
	}
}

// elementBits returns the set of those elements of a register for which in is true.
func (l *vectors) elementBits(es int, in func(i int) bool) (bits uint64) {
	for i := range int(l.width(es)) / es {
		if in(i) {
			bits |= 1 << i
		}
	}
	return bits
}

// elementMask returns the mask, for storePart, of those elements of a register for which in is true.
func (l *accesses) elementMask(es int, in func(i int) bool) reg {
	if l.lv.MaskRegs {
		return l.constMask(l.elementBits(es, in))
	}
	return l.elementsWhere(es, in)
}

// atPositions returns the registers of the components of structures of an odd number of elements of 4 bytes, permuted: each element is
// at its position in the register that it is stored from. No two elements of a component have the same position.
func (l *vectors) atPositions(components vec) (moved vec) {
	per := l.perPart(4)
	l.within(per, func() {
		for c, r := range components {
			lane := make([]int, per)
			for i := range lane {
				lane[(i*len(components)+c)%per] = i
			}
			moved = append(moved, l.permuteOne(r, 4, per, func(k int) int { return lane[k] }))
		}
	})
	return moved
}

// eachElement returns f of the number of each element of a register.
func (l *vectors) eachElement(es int, f func(i int) int) (list []int) {
	for i := range int(l.width(es)) / es {
		list = append(list, f(i))
	}
	return list
}

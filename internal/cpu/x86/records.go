package x86

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Arrays of structures: lanes are more elements apart than strided.go's regions have, up to a
// register's width. With AVX-512 the registers that hold the structures are loaded whole
// and what belongs to the lanes is permuted out of them, for one register of lanes after
// the other: so few registers are live at once. Stores permute the lanes' elements to where they stand in
// memory and write them under masks. Both take less time than gathers and scatters.

// spread reports whether lanes are k elements apart, more than strided takes, and access n of
// them from element c on; c counts from where whole structures begin, to which the address is moved.
func (l *regular) spread(a *address, es, n int) (c, k int, ok bool) {
	if !l.lv.AVX512 || es < 4 || a.root < 0 || !a.Regular() || a.Stride <= int64(es*n) || a.Stride%int64(es) != 0 || l.n*es < int(l.lv.VL) {
		return 0, 0, false
	}
	k = int(a.Stride) / es
	if k <= 1 || k > int(l.lv.VL)/es {
		return 0, 0, false
	}
	d := int(((a.Disp % a.Stride) + a.Stride) % a.Stride)
	if d%es != 0 || d/es+n > k {
		return 0, 0, false
	}
	a.Disp -= int64(d)
	return d / es, k, true
}

// loadSpread lowers a load of parts of structures.
func (l *regular) loadSpread(v *ssa.Value, a *address, m mask, slow stub) bool {
	es, n := size(v.Type.K), int(v.Type.N)
	b := *a
	c, k, ok := l.spread(&b, es, n)
	if !ok {
		return false
	}
	l.note(v, a, Strided)
	out := make([]vec, n)
	for i := range out {
		out[i] = l.newVec(es)
	}
	q, join := l.check(&b, k*es*l.n, false, func() {
		l.call(v, v.Args[0], m, slow)
		for i, p := range l.loadElements(ctxAt(CtxVals), es, n) {
			for j, r := range p {
				l.vmov(out[i][j], r)
			}
		}
	})
	for j := range l.parts(es) {
		var raw vec
		l.within(l.perPart(es), func() {
			for range k {
				raw = append(raw, l.loadParts(q, es)...)
				q.disp += int32(l.lv.VL)
			}
		})
		for i := range n {
			l.vmov(out[i][j], l.pickEvery(raw, es, c+i, k))
		}
	}
	l.place(join)
	l.vals[v.ID].v = out
	return true
}

// pickEvery returns elements c, c + k, c + 2k … of registers side by side.
func (l *vectors) pickEvery(raw vec, es, c, k int) reg {
	per := int(l.lv.VL) / es
	at := func(j int) int { return j*k + c } // of element j of the result
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
				return at(j) % per // what lies behind is chosen later
			}
			return j
		})
	}
	return r
}

// storeSpread lowers a store of parts of structures, by all lanes.
func (l *regular) storeSpread(v *ssa.Value, a *address, slow func()) bool {
	val := v.Args[1]
	es, n := size(val.Type.K), int(val.Type.N)
	if val.Type.K == ssa.Bool || n > 4 {
		return false
	}
	b := *a
	_, k, ok := l.spread(&b, es, n)
	per := int(l.lv.VL) / es
	if !ok || storeMasks(k, per) > maxStoreMasks {
		return false
	}
	l.note(v, a, Strided)
	ps := l.elements(val)
	q, join := l.check(a, (l.n-1)*k*es+n*es, true, slow)
	for j := range l.parts(es) {
		for r := range k {
			bits := uint64(0)
			at := func(i int) int { return r*per + i } // of element i of register r
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
	l.place(join)
	return true
}

// maxStoreMasks bounds the masks of one store: there are eight mask registers.
const maxStoreMasks = 7

// storeMasks returns how many different masks registers of so many elements need for elements
// k apart.
func storeMasks(k, per int) int {
	for r := 1; ; r++ {
		if r*per%k == 0 {
			return r
		}
	}
}

// putEvery returns a register with the elements that from says: of which component, and in
// which lane. It takes the lanes of register number j of each component.
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

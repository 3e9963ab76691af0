package codegen

import "slices"

// A tenancy is a span of time in which a machine register is a virtual one's.
type tenancy struct {
	span
	v reg
}

// An occupancy is the tenancies of a machine register, in order of time; none overlap.
// It is asked at times that never go back. The list is cut in pieces, so that an
// insertion moves little.
type occupancy struct {
	pieces [][]tenancy
	t      int32 // now
	p, i   int   // the first tenancy that is not over
}

// pieceLen is the greatest length of a piece.
const pieceLen = 64

// since returns the place of the first tenancy that ends after t.
func (o *occupancy) since(t int32) (p, i int) {
	p, _ = slices.BinarySearchFunc(o.pieces, t, func(x []tenancy, t int32) int { return endsAfter(&x[len(x)-1], t) })
	if p < len(o.pieces) {
		i, _ = slices.BinarySearchFunc(o.pieces[p], t, func(x tenancy, t int32) int { return endsAfter(&x, t) })
	}
	return p, i
}

// endsAfter orders what is over at t before what is not.
func endsAfter(x *tenancy, t int32) int {
	if x.to <= t {
		return -1
	}
	return 1
}

// now goes on to time t.
func (o *occupancy) now(t int32) {
	o.t = t
	for o.p < len(o.pieces) && o.pieces[o.p][o.i].to <= t {
		o.i++
		if o.i == len(o.pieces[o.p]) {
			o.p, o.i = o.p+1, 0
		}
	}
}

// conflicts calls f with each tenancy that overlaps cur, of which no span begins before
// now, until f returns false.
func (o *occupancy) conflicts(cur []span, f func(x *tenancy) bool) {
	o.now(cur[0].from)
	p, i := o.p, o.i
	for k, s := range cur {
		if k > 0 {
			p, i = o.since(s.from)
		}
		for p < len(o.pieces) && o.pieces[p][i].from < s.to {
			if !f(&o.pieces[p][i]) {
				return
			}
			if i++; i == len(o.pieces[p]) {
				p, i = p+1, 0
			}
		}
		if p == len(o.pieces) {
			return
		}
	}
}

// free reports whether no tenancy overlaps cur.
func (o *occupancy) free(cur []span) bool {
	free := true
	o.conflicts(cur, func(*tenancy) bool {
		free = false
		return false
	})
	return free
}

// add makes v the tenant for the spans cur, in which the register is free.
func (o *occupancy) add(v reg, cur []span) {
	for _, s := range cur {
		p, i := o.since(s.from)
		if p == len(o.pieces) {
			if p == 0 {
				o.pieces = append(o.pieces, make([]tenancy, 0, 8))
			} else {
				p--
			}
			i = len(o.pieces[p])
		}
		o.pieces[p] = slices.Insert(o.pieces[p], i, tenancy{s, v})
		if x := o.pieces[p]; len(x) == pieceLen {
			half := append(make([]tenancy, 0, pieceLen), x[pieceLen/2:]...)
			o.pieces[p] = x[:pieceLen/2]
			o.pieces = slices.Insert(o.pieces, p+1, half)
		}
	}
	o.p, o.i = o.since(o.t)
}

// remove ends v's tenancies of the spans rs.
func (o *occupancy) remove(v reg, rs []span) {
	for _, s := range rs {
		p, i := o.since(s.from)
		o.pieces[p] = slices.Delete(o.pieces[p], i, i+1)
		if len(o.pieces[p]) == 0 {
			o.pieces = slices.Delete(o.pieces, p, p+1)
		}
	}
	o.p, o.i = o.since(o.t)
}

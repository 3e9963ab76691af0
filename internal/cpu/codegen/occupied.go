package codegen

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/asm"
)

// A tenancy is a span of time in which a machine register is a virtual one's.
type tenancy struct {
	span
	v reg
}

// tenants says which virtual registers the machine registers are, at the present time and
// later; it is asked at times that never go back. Most registers live without a hole, so
// that they are tenants at present only: that is looked at first.
type tenants struct {
	until [96]int32 // by machine register: when its present tenancy ends
	who   [96]reg   // and whose it is
	later [96]queue
	spare [][]tenancy
}

// A queue is tenancies in order of time; none overlap. The list is cut in pieces, so that an
// insertion moves little.
type queue struct {
	pieces [][]tenancy
	p, i   int // the first tenancy that has not begun
}

// pieceLen is the capacity of a piece.
const pieceLen = 64

// reset makes all machine registers free for ever.
func (t *tenants) reset() {
	clear(t.until[:])
	for p := range t.later {
		q := &t.later[p]
		t.spare = append(t.spare, q.pieces[q.p:]...)
		*q = queue{pieces: q.pieces[:0]}
	}
}

// piece returns an empty piece.
func (t *tenants) piece() []tenancy {
	if n := len(t.spare) - 1; n >= 0 {
		x := t.spare[n][:0]
		t.spare = t.spare[:n]
		return x
	}
	return make([]tenancy, 0, pieceLen)
}

// advance goes on to the time now, when p's present tenancy is over.
func (t *tenants) advance(p asm.Reg, now int32) {
	q := &t.later[p]
	for q.p < len(q.pieces) {
		x := &q.pieces[q.p][q.i]
		if x.from > now {
			return
		}
		if x.to > now {
			t.until[p], t.who[p] = x.to, x.v
		}
		if q.i++; q.i == len(q.pieces[q.p]) {
			t.spare = append(t.spare, q.pieces[q.p])
			q.pieces[q.p] = nil
			q.p, q.i = q.p+1, 0
		}
	}
	q.pieces, q.p = q.pieces[:0], 0
}

// tenant returns the virtual register that p is at the time now, or 0.
func (t *tenants) tenant(p asm.Reg, now int32) reg {
	if t.until[p] <= now {
		t.advance(p, now)
	}
	if t.until[p] <= now {
		return 0
	}
	return t.who[p]
}

// free reports whether p has no tenant at the times cur, of which the first begins now.
func (t *tenants) free(p asm.Reg, cur []span) bool {
	now := cur[0].from
	if t.until[p] > now {
		return false
	}
	if len(t.later[p].pieces) == 0 {
		return true
	}
	return t.tenant(p, now) == 0 && !t.later[p].overlaps(cur)
}

// firstFree returns the first of some machine registers that is free at the times cur.
func (t *tenants) firstFree(among []asm.Reg, cur []span) asm.Reg {
	for _, p := range among {
		if t.free(p, cur) {
			return p
		}
	}
	return asm.NoReg
}

// conflicts appends p's tenants at the times cur to a list, in order of time; one may come
// several times.
func (t *tenants) conflicts(p asm.Reg, cur []span, list []reg) []reg {
	if x := t.tenant(p, cur[0].from); x != 0 {
		list = append(list, x)
	}
	q := &t.later[p]
	for at := q.walk(cur); at.next(); {
		list = append(list, at.x.v)
	}
	return list
}

// add makes v p's tenant at the times cur, when p is free.
func (t *tenants) add(p asm.Reg, v reg, cur []span) {
	t.until[p], t.who[p] = cur[0].to, v
	for _, s := range cur[1:] {
		t.insert(&t.later[p], tenancy{s, v})
	}
}

// remove ends v's tenancies of p at the times spans, from now on.
func (t *tenants) remove(p asm.Reg, v reg, spans []span, now int32) {
	if t.who[p] == v {
		t.until[p] = 0
	}
	for k := len(spans) - 1; k >= 0 && spans[k].from > now; k-- {
		t.drop(&t.later[p], spans[k])
	}
}

// since returns the place of the first tenancy of those that have not begun which ends
// after a time.
func (q *queue) since(time int32) (p, i int) {
	p, _ = slices.BinarySearchFunc(q.pieces[q.p:], time, func(x []tenancy, t int32) int { return endsAfter(x[len(x)-1], t) })
	if p += q.p; p == len(q.pieces) {
		return p, 0
	}
	if p == q.p {
		i = q.i
	}
	n, _ := slices.BinarySearchFunc(q.pieces[p][i:], time, endsAfter)
	return p, i + n
}

// endsAfter orders what is over at t before what is not.
func endsAfter(x tenancy, t int32) int {
	if x.to <= t {
		return -1
	}
	return 1
}

// A walk goes through the tenancies of a queue that overlap spans.
type walk struct {
	q    *queue
	cur  []span
	p, i int
	x    *tenancy
}

// walk begins a walk; the first span begins now.
func (q *queue) walk(cur []span) walk { return walk{q: q, cur: cur, p: q.p, i: q.i} }

// next goes on to x; false behind the last.
func (w *walk) next() bool {
	for w.p < len(w.q.pieces) {
		x := &w.q.pieces[w.p][w.i]
		if x.from < w.cur[0].to {
			w.x = x
			if w.i++; w.i == len(w.q.pieces[w.p]) {
				w.p, w.i = w.p+1, 0
			}
			return true
		}
		if w.cur = w.cur[1:]; len(w.cur) == 0 {
			return false
		}
		w.p, w.i = w.q.since(w.cur[0].from)
	}
	return false
}

// overlaps reports whether one of the tenancies overlaps one of the spans.
func (q *queue) overlaps(cur []span) bool {
	w := q.walk(cur)
	return w.next()
}

// insert adds a tenancy.
func (t *tenants) insert(q *queue, x tenancy) {
	p, i := q.since(x.from)
	if p == len(q.pieces) {
		if p == 0 {
			q.pieces = append(q.pieces, t.piece())
		} else {
			p--
		}
		i = len(q.pieces[p])
	}
	q.pieces[p] = slices.Insert(q.pieces[p], i, x)
	switch list := q.pieces[p]; {
	case len(list) < pieceLen:
	case p == q.p && q.i > 0: // what has begun makes room
		q.pieces[p] = slices.Delete(list, 0, q.i)
		q.i = 0
	default:
		q.pieces[p] = list[:pieceLen/2]
		q.pieces = slices.Insert(q.pieces, p+1, append(t.piece(), list[pieceLen/2:]...))
	}
}

// drop removes the tenancy that begins when s does.
func (t *tenants) drop(q *queue, s span) {
	p, i := q.since(s.from)
	q.pieces[p] = slices.Delete(q.pieces[p], i, i+1)
	begun := 0
	if p == q.p {
		begun = q.i
	}
	if len(q.pieces[p]) == begun {
		t.spare = append(t.spare, q.pieces[p])
		q.pieces = slices.Delete(q.pieces, p, p+1)
		if p == q.p {
			q.i = 0
		}
	}
	if q.p == len(q.pieces) {
		q.pieces, q.p = q.pieces[:0], 0
	}
}

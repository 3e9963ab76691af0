package regalloc

import "slices"

// An interval is a range of times in which a machine register holds a virtual one.
type interval struct {
	span
	v Reg
}

// An occupancy records the virtual register that each machine register holds, now and later. The times of
// queries never decrease. Most live ranges have no hole, so that the current interval alone answers a query;
// the queue of later intervals is the slow path.
type occupancy struct {
	until [MaxPRegs]int32 // by machine register: the end of its current interval
	who   [MaxPRegs]Reg   // and its virtual register
	later [MaxPRegs]queue
	spare [][]interval
}

// A queue holds disjoint intervals in order of time. It consists of pieces, so that an insertion moves few
// intervals.
type queue struct {
	pieces [][]interval
	p, i   int // piece and index of the first interval that has not begun
}

// pieceLen is the capacity of a piece.
const pieceLen = 64

// reset frees all machine registers.
func (o *occupancy) reset() {
	clear(o.until[:])
	for p := range o.later {
		q := &o.later[p]
		if len(q.pieces) == 0 {
			continue
		}
		o.spare = append(o.spare, q.pieces[q.p:]...)
		*q = queue{pieces: q.pieces[:0]}
	}
}

// piece returns an empty piece.
func (o *occupancy) piece() []interval {
	if n := len(o.spare) - 1; n >= 0 {
		x := o.spare[n][:0]
		o.spare = o.spare[:n]
		return x
	}
	return make([]interval, 0, pieceLen)
}

// advance moves p on to the time now; its current interval is over.
func (o *occupancy) advance(p PReg, now int32) {
	q := &o.later[p]
	for q.p < len(q.pieces) {
		x := &q.pieces[q.p][q.i]
		if x.from > now {
			return
		}
		if x.to > now {
			o.until[p], o.who[p] = x.to, x.v
		}
		if q.i++; q.i == len(q.pieces[q.p]) {
			o.spare = append(o.spare, q.pieces[q.p])
			q.pieces[q.p] = nil
			q.p, q.i = q.p+1, 0
		}
	}
	q.pieces, q.p = q.pieces[:0], 0
}

// occupant returns the virtual register that p holds at the time now, or 0.
func (o *occupancy) occupant(p PReg, now int32) Reg {
	if o.until[p] <= now {
		o.advance(p, now)
	}
	if o.until[p] <= now {
		return 0
	}
	return o.who[p]
}

// free reports whether p is free during cur, whose first span begins now.
func (o *occupancy) free(p PReg, cur []span) bool {
	now := cur[0].from
	if o.until[p] > now {
		return false
	}
	if len(o.later[p].pieces) == 0 {
		return true
	}
	return o.occupant(p, now) == 0 && !o.later[p].overlaps(cur)
}

// firstFree returns the first candidate that is free during cur, or NoPReg.
func (o *occupancy) firstFree(candidates []PReg, cur []span) PReg {
	now := cur[0].from
	for _, p := range candidates {
		if o.until[p] <= now && o.free(p, cur) {
			return p
		}
	}
	return NoPReg
}

// conflicts appends to list the registers that p holds during cur, in order of time. A register may occur
// several times.
func (o *occupancy) conflicts(p PReg, cur []span, list []Reg) []Reg {
	if x := o.occupant(p, cur[0].from); x != 0 {
		list = append(list, x)
	}
	q := &o.later[p]
	for at := q.walk(cur); at.next(); {
		list = append(list, at.x.v)
	}
	return list
}

// add assigns p to v during cur; p must be free then.
func (o *occupancy) add(p PReg, v Reg, cur []span) {
	o.until[p], o.who[p] = cur[0].to, v
	for _, s := range cur[1:] {
		o.insert(&o.later[p], interval{s, v})
	}
}

// remove deletes v's intervals in p, given by spans, from now on.
func (o *occupancy) remove(p PReg, v Reg, spans []span, now int32) {
	if o.who[p] == v {
		o.until[p] = 0
	}
	for k := len(spans) - 1; k >= 0 && spans[k].from > now; k-- {
		o.drop(&o.later[p], spans[k])
	}
}

// since returns the piece and the index of the first interval in the queue that ends after a time.
func (q *queue) since(time int32) (p, i int) {
	p, _ = slices.BinarySearchFunc(q.pieces[q.p:], time, func(x []interval, t int32) int { return endsAfter(x[len(x)-1], t) })
	if p += q.p; p == len(q.pieces) {
		return p, 0
	}
	if p == q.p {
		i = q.i
	}
	n, _ := slices.BinarySearchFunc(q.pieces[p][i:], time, endsAfter)
	return p, i + n
}

// endsAfter compares for a binary search: intervals that end by t come first.
func endsAfter(x interval, t int32) int {
	if x.to <= t {
		return -1
	}
	return 1
}

// A walk visits the intervals of a queue that overlap given spans.
type walk struct {
	q    *queue
	cur  []span
	p, i int
	x    *interval
}

// walk begins a walk over cur, whose first span begins now.
func (q *queue) walk(cur []span) walk { return walk{q: q, cur: cur, p: q.p, i: q.i} }

// next sets w.x to the next interval; it returns false after the last.
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

// overlaps reports whether an interval overlaps one of the spans.
func (q *queue) overlaps(cur []span) bool {
	w := q.walk(cur)
	return w.next()
}

// insert adds an interval to the queue.
func (o *occupancy) insert(q *queue, x interval) {
	p, i := q.since(x.from)
	if p == len(q.pieces) {
		if p == 0 {
			q.pieces = append(q.pieces, o.piece())
		} else {
			p--
		}
		i = len(q.pieces[p])
	}
	q.pieces[p] = slices.Insert(q.pieces[p], i, x)
	switch list := q.pieces[p]; {
	case len(list) < pieceLen:
	case p == q.p && q.i > 0: // drop the intervals that have begun
		q.pieces[p] = slices.Delete(list, 0, q.i)
		q.i = 0
	default:
		q.pieces[p] = list[:pieceLen/2]
		q.pieces = slices.Insert(q.pieces, p+1, append(o.piece(), list[pieceLen/2:]...))
	}
}

// drop removes the interval that starts with s.
func (o *occupancy) drop(q *queue, s span) {
	p, i := q.since(s.from)
	q.pieces[p] = slices.Delete(q.pieces[p], i, i+1)
	begun := 0
	if p == q.p {
		begun = q.i
	}
	if len(q.pieces[p]) == begun {
		o.spare = append(o.spare, q.pieces[p])
		q.pieces = slices.Delete(q.pieces, p, p+1)
		if p == q.p {
			q.i = 0
		}
	}
	if q.p == len(q.pieces) {
		q.pieces, q.p = q.pieces[:0], 0
	}
}

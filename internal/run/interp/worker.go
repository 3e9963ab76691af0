package interp

import (
	"bytes"
	"math/bits"

	"github.com/purecl/purecl/internal/run/exec"
)

// A worker executes batches of a run, one at a time: it schedules the lanes. The types below it hold the rest of its
// state, each with the methods that need no more than that type and those below it.
type worker struct {
	asyncCopies

	states []*lanes // by function
}

// NewWorker returns a worker of the run. A worker is for one goroutine at a time.
func (r *Run) NewWorker(int) exec.BatchWorker {
	w := max((r.lanes+7)&^7, 8)
	x := &worker{}
	x.batchItems = newBatchItems(r, w)
	x.objects = newObjects(r, w)
	x.allocate(x, w)
	for _, f := range r.p.fns {
		x.states = append(x.states, newLanes(len(f.blocks)))
	}
	if r.p.Checks >= exec.ChecksAll && (r.p.HasBarrier || r.p.UsesLocal) {
		x.splits = map[*block]*split{}
	}
	if r.watchRaces {
		x.who = make([]uint64, w)
		x.races.init(r)
		if r.p.Synchronizes && r.races.mode == exec.ExplainRaces {
			x.order = newOrdering(w)
		}
	}
	x.constants()
	return x
}

// begin prepares the worker for batch number b. It returns false if the batch is empty.
func (x *worker) begin(b int64) bool {
	if !x.assign(b) {
		return false
	}
	x.stops.begin(x.run)
	x.beginOrder()
	x.beginRaces()
	x.beginCopies()
	for i := range x.p.queries {
		x.fillQuery(&x.p.queries[i])
	}
	x.clearLocal()
	return true
}

// lanes holds the positions of a function's lanes that are not active.
type lanes struct {
	waiting [][]span // by block
	set     []uint64 // set of blocks at which lanes wait
	count   int      // number of these blocks
	cur     []span
	yes, no []span
	merged  []span
	parked  []parking
	cases   [][]span
}

// A parking is a set of lanes that wait at a barrier.
type parking struct {
	block int32
	act   []span
}

func newLanes(blocks int) *lanes {
	return &lanes{waiting: make([][]span, blocks), set: make([]uint64, (blocks+63)/64)}
}

func (s *lanes) put(b int32, act []span) {
	if len(act) == 0 {
		return
	}
	w := s.waiting[b]
	if len(w) == 0 {
		s.set[b/64] |= 1 << (b % 64)
		s.count++
		s.waiting[b] = append(w, act...)
		return
	}
	s.merged = merge(s.merged[:0], w, act)
	s.waiting[b], s.merged = s.merged, w
}

// merge appends the union of two disjoint sorted lists to d, with adjacent spans joined.
func merge(d, a, b []span) []span {
	for len(a) > 0 || len(b) > 0 {
		var s span
		if len(b) == 0 || len(a) > 0 && a[0].lo < b[0].lo {
			s, a = a[0], a[1:]
		} else {
			s, b = b[0], b[1:]
		}
		if n := len(d) - 1; n >= 0 && d[n].hi == s.lo {
			d[n].hi = s.hi
		} else {
			d = append(d, s)
		}
	}
	return d
}

// take removes the lanes at the earliest block and returns them.
func (s *lanes) take() (int32, []span) {
	for i, w := range s.set {
		if w != 0 {
			b := int32(i*64 + bits.TrailingZeros64(w))
			s.set[i] &= w - 1
			s.count--
			s.cur, s.waiting[b] = s.waiting[b], s.cur[:0]
			return b, s.cur
		}
	}
	return -1, nil
}

func count(act []span) (n int) {
	for _, s := range act {
		n += int(s.hi - s.lo)
	}
	return n
}

// body runs a block's instructions. It returns false if all lanes have stopped.
func (x *worker) body(b *block) bool {
	for i := range b.insts {
		in := &b.insts[i]
		if in.uniform {
			in.run(&x.cells, in)
		} else {
			in.run(&x.cols, in)
		}
		if x.stops.fresh && !x.drop() {
			return false
		}
	}
	return true
}

// exec runs the active lanes through f until all have returned.
func (x *worker) exec(f *fn, depth int) {
	st := x.states[f.index]
	cur := int32(0)
	for {
		b := &f.blocks[cur]
		term := b.term
		if !x.body(b) {
			term = noTerm
		}
		next := int32(-1)
		switch term {
		case termJump:
			next = x.follow(st, &b.succs[0])
		case termLatch:
			if x.poll() {
				x.abandon(st)
				return
			}
			next = x.follow(st, &b.succs[0])
		case termBranch:
			next = x.branch(st, b)
		case termSwitch:
			next = x.choose(st, b)
		case termReturn:
			if depth == 0 {
				x.live -= count(x.cols.act)
				if x.gone != nil {
					x.leave()
				}
			}
		case termBarrier:
			next = x.barrier(st, f, b, cur, depth)
		}
		if x.aborted {
			x.abandon(st)
			return
		}
		if next < 0 {
			next, x.cols.act = st.take()
			for next < 0 && len(st.parked) > 0 {
				next = x.unpark(st, f, depth)
			}
			if next < 0 {
				return
			}
		}
		if x.aborted || next <= cur && x.poll() {
			x.abandon(st)
			return
		}
		cur = next
	}
}

// abandon removes all lanes of a function.
func (x *worker) abandon(st *lanes) {
	for st.count > 0 {
		st.take()
	}
	st.parked = st.parked[:0]
	x.aborted = true
}

// follow moves the active lanes along e. It returns the next block, or -1 if it must be chosen among the waiting
// lanes'.
func (x *worker) follow(st *lanes, e *edge) int32 {
	x.moves(e)
	if st.count == 0 {
		return e.to
	}
	st.put(e.to, x.cols.act)
	return -1
}

// branch moves the active lanes to the two successors.
func (x *worker) branch(st *lanes, b *block) int32 {
	if b.uniform {
		k := 1
		if *cell[uint8](&x.columns, b.cond) != 0 {
			k = 0
		}
		return x.follow(st, &b.succs[k])
	}
	yes, no := sides(&x.columns, b, st.yes[:0], st.no[:0])
	st.yes, st.no = yes, no
	if len(no) == 0 {
		return x.follow(st, &b.succs[0])
	}
	if len(yes) == 0 {
		return x.follow(st, &b.succs[1])
	}
	if x.splits != nil {
		x.split(b, yes, no)
	}
	x.cols.act = yes
	x.moves(&b.succs[0])
	st.put(b.succs[0].to, yes)
	x.cols.act = no
	x.moves(&b.succs[1])
	st.put(b.succs[1].to, no)
	return -1
}

// sides appends the active lanes for which a branch's condition is true to yes, the others to no.
func sides(x *columns, b *block, yes, no []span) ([]span, []span) {
	for _, s := range x.cols.act {
		c := at[uint8](&x.cols, b.cond, s)
		for lo := 0; lo < len(c); {
			val := c[lo]
			k := bytes.IndexByte(c[lo:], 1-val)
			if k < 0 {
				k = len(c) - lo
			}
			part := span{s.lo + int32(lo), s.lo + int32(lo+k)}
			if val != 0 {
				yes = append(yes, part)
			} else {
				no = append(no, part)
			}
			lo += k
		}
	}
	return yes, no
}

// choose moves the active lanes to the successors of a switch.
func (x *worker) choose(st *lanes, b *block) int32 {
	if b.uniform {
		return x.follow(st, &b.succs[caseOf(b, bitsAt(&x.cells, b, 0))])
	}
	act := x.cols.act
	for len(st.cases) < len(b.succs) {
		st.cases = append(st.cases, nil)
	}
	for _, s := range act {
		for i := s.lo; i < s.hi; i++ {
			k := caseOf(b, bitsAt(&x.cols, b, i))
			c := st.cases[k]
			if n := len(c) - 1; n >= 0 && c[n].hi == i {
				c[n].hi++
			} else {
				st.cases[k] = append(c, span{i, i + 1})
			}
		}
	}
	if x.splits != nil {
		x.split(b, st.cases[:len(b.succs)]...)
	}
	for k := range b.succs {
		if set := st.cases[k]; len(set) > 0 {
			x.cols.act = set
			x.moves(&b.succs[k])
			st.put(b.succs[k].to, set)
			st.cases[k] = set[:0]
		}
	}
	return -1
}

// caseOf returns the successor of a switch for a value.
func caseOf(b *block, val uint64) int {
	if b.lookup != nil {
		return b.lookup[val]
	}
	for i, c := range b.cases {
		if c == val {
			return i + 1
		}
	}
	return 0
}

// bitsAt returns the switch's operand, zero-extended.
func bitsAt(v *view, b *block, lane int32) uint64 {
	s := span{lane, lane + 1}
	switch b.condSz {
	case 1:
		return uint64(at[uint8](v, b.cond, s)[0])
	case 2:
		return uint64(at[uint16](v, b.cond, s)[0])
	case 4:
		return uint64(at[uint32](v, b.cond, s)[0])
	}
	return at[uint64](v, b.cond, s)[0]
}

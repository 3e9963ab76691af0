package interp

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// barrier handles the arrival of the active lanes at the barrier that ends block cur. If every live lane of the
// work-group has arrived, they continue; else they wait for the others.
func (x *worker) barrier(st *lanes, f *fn, b *block, cur int32, depth int) int32 {
	if count(x.cols.act) == x.live {
		x.missing(b)
		return x.pass(st, b)
	}
	if depth > 0 {
		// Lanes outside this call cannot arrive while it runs.
		x.diverged(b, st, "")
		x.aborted = true
		return -1
	}
	for i := range st.parked {
		p := &st.parked[i]
		if p.block != cur {
			continue
		}
		p.act = merge(nil, p.act, x.cols.act)
		if !f.irreducible {
			// In reducible flow lanes of one iteration arrive together.
			x.diverged(b, st, "in different iterations of a loop")
			x.aborted = true
			return -1
		}
		if count(p.act) == x.live {
			x.cols.act = p.act
			st.parked = append(st.parked[:i], st.parked[i+1:]...)
			return x.pass(st, b)
		}
		return -1
	}
	st.parked = append(st.parked, parking{cur, append([]span(nil), x.cols.act...)})
	return -1
}

// pass lets the active lanes through the barrier.
func (x *worker) pass(st *lanes, b *block) int32 {
	flags, _, scope := ssa.AtomicParts(b.fence)
	x.passBarrier(x.takeFlags(int64(flags)), max(scope, ssa.ScopeWorkGroup))
	x.passCopies(flags&ssa.WaitCopies != 0)
	return x.follow(st, &b.succs[0])
}

// missing reports a barrier that is not reached by work-items that have returned.
func (x *divergence) missing(b *block) {
	if x.p.Checks >= exec.ChecksAll && x.live+x.stops.n < x.n {
		x.diverged(b, nil, "")
	}
}

// unpark is called when all lanes that have not returned wait at barriers. If it is one barrier, because the others
// have returned meanwhile, they continue; from several barriers they cannot.
func (x *worker) unpark(st *lanes, f *fn, depth int) int32 {
	p := st.parked[0]
	b := &f.blocks[p.block]
	if len(st.parked) > 1 {
		x.cols.act = p.act
		if d := x.diverged(b, st, ""); d != nil {
			d.AddPlace(f.blocks[st.parked[1].block].pos, "others are at this barrier")
		}
		x.aborted = true
		st.parked = st.parked[:0]
		return -1
	}
	st.parked = st.parked[:0]
	x.cols.act = p.act
	x.missing(b)
	next := x.pass(st, b)
	if next < 0 {
		next, x.cols.act = st.take()
	}
	return next
}

// diverged reports a barrier that only the active lanes of the group have reached. st holds the other lanes, nil if
// all have returned.
func (x *divergence) diverged(b *block, st *lanes, how string) *exec.Finding {
	in := &inst{pos: b.pos}
	n := count(x.cols.act)
	f := x.report(exec.BarrierDivergence, in, int(x.cols.act[0].lo), nil, 0, 0)
	if f == nil {
		return nil
	}
	f.Note = x.arrived(n, st, how)
	if s := x.parted(x.cols.act); s != nil {
		f.AddPlace(s.pos, "work-items diverge here")
	}
	return f
}

// arrived describes how many work-items have arrived and where the others are.
func (x *divergence) arrived(n int, st *lanes, how string) string {
	if how != "" {
		return fmt.Sprintf("%d of %d work-items arrive, %s", n, x.n, how)
	}
	here := x.cols.act[0].lo
	waiting := 0
	if st != nil {
		for _, p := range st.parked {
			if len(p.act) > 0 && p.act[0].lo != here {
				waiting += count(p.act)
			}
		}
	}
	return exec.BarrierNote(n, x.n, waiting, x.n-x.live)
}

// divergence observes where the batch's lanes part, and reports barriers that only some of them reach.
type divergence struct {
	raceObserver

	splits   map[*block]*split // the latest divergence at each block; nil if not needed
	splitSeq int64
}

// A split is the most recent divergence of the batch's lanes at a branch.
type split struct {
	pos   diag.Pos
	sides [][]span
	batch int64
	seq   int64
}

// split records that lanes diverge at the end of block b; the sides are those of its successors.
func (x *divergence) split(b *block, sides ...[]span) {
	s := x.splits[b]
	if s == nil {
		s = &split{pos: b.pos}
		x.splits[b] = s
	}
	x.splitSeq++
	s.seq, s.batch = x.splitSeq, x.batch
	for len(s.sides) < len(sides) {
		s.sides = append(s.sides, nil)
	}
	for i := range s.sides {
		s.sides[i] = s.sides[i][:0]
		if i < len(sides) {
			s.sides[i] = append(s.sides[i], sides[i]...)
		}
	}
}

// parted returns the branch that separated the lanes of act from most of the others, and at which all of act went
// one way. It is nil if unknown.
func (x *divergence) parted(act []span) (best *split) {
	most := 0
	for _, s := range x.splits {
		if s.batch != x.batch || s.pos == 0 {
			continue
		}
		for i := range s.sides {
			if !contains(s.sides[i], act) {
				continue
			}
			n := 0
			for k := range s.sides {
				if k != i {
					n += count(s.sides[k])
				}
			}
			if n > most || n == most && best != nil && s.seq > best.seq {
				best, most = s, n
			}
		}
	}
	return best
}

// contains reports whether all lanes of b are in a.
func contains(a, b []span) bool {
	for _, s := range b {
		for s.lo < s.hi {
			i := slices.IndexFunc(a, func(t span) bool { return t.lo <= s.lo && s.lo < t.hi })
			if i < 0 {
				return false
			}
			s.lo = a[i].hi
		}
	}
	return true
}

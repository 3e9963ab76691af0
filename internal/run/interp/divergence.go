package interp

import "github.com/purecl/purecl/internal/ir/ssa"

// barrier handles the active lanes' arrival at the barrier that ends block cur. Where
// every live lane of the work-group is here, they go on; else they wait for the others.
func (x *worker) barrier(st *lanes, f *fn, b *block, cur int32, depth int) int32 {
	if count(x.cols.act) == x.live {
		x.missing(b)
		return x.pass(st, b)
	}
	if depth > 0 {
		// Lanes that are not in this call cannot arrive while it runs.
		x.diverged(b, nil, "only part of the work-group calls a function with a barrier")
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
			x.diverged(b, nil, "work-items arrive at a barrier in different iterations of a loop")
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
	x.passBarrier(int64(flags), max(scope, ssa.ScopeWorkGroup))
	return x.follow(st, &b.succs[0])
}

// missing reports a barrier that work-items which have returned do not reach.
func (x *worker) missing(b *block) {
	if x.p.Checks >= ChecksAll && x.live < x.n {
		x.diverged(b, nil, "work-items of the group have returned before it")
	}
}

// unpark is called when all lanes that have not returned wait at barriers: at one, since
// the others have returned in the meantime, or at several, from which nothing leads on.
func (x *worker) unpark(st *lanes, f *fn, depth int) int32 {
	p := st.parked[0]
	b := &f.blocks[p.block]
	if len(st.parked) > 1 {
		x.cols.act = p.act
		x.diverged(b, &f.blocks[st.parked[1].block], "other work-items of the group wait at another barrier")
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

// diverged reports a barrier that not all work-items of the group reach; other is the
// barrier that some of them stand at instead.
func (x *worker) diverged(b, other *block, why string) {
	in := &inst{pos: b.pos}
	lane := int(x.cols.act[0].lo)
	f := x.report(BarrierDivergence, in, lane, nil, 0, 0)
	if f != nil {
		f.Note = why
		if other != nil {
			f.OtherPos = other.pos
		}
	}
}

package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Stores of row loops (rows.go). The copy of a loop loads all pieces of rows before its iterations and stores
// pieces after them. If two accesses of a lane to one object are a constant distance apart, they meet in
// iterations whose numbers differ by that many elements. The copy's order is correct if the access that it
// executes first also comes first in the loop. A load of a value stored some iterations before takes it from
// the store's operand. In the first iterations of a round it takes it from the previous round: it need not wait until
// the pieces have been written. Before the first round the value is in memory.

// kept identifies the store whose value a load finds, and how many iterations before.
type kept struct {
	store  *ssa.Value
	rounds int
}

// private reports whether an access is to a private object.
func private(v *ssa.Value) bool { return v.Args[0].Type.K == ssa.PtrPrivate }

// mayStoreLast reports whether the copy may execute the loop's stores to rows after its iterations.
func (w *rowLoop) mayStoreLast() bool {
	if len(w.stores) == 0 {
		return true // no access is reordered
	}
	passed := map[*ssa.Value]bool{}
	for _, b := range w.chain {
		for _, v := range b.Values {
			if _, ok := v.AccessType(); !ok || private(v) {
				continue
			}
			if w.facts().Root(v.Args[0]) == nil || !w.early(v.Args[0], map[*ssa.Value]bool{}) {
				return false
			}
			for _, s := range w.stores {
				if s != v && !w.ordered(v, s, passed[s]) {
					return false
				}
			}
			passed[v] = v.Op == ssa.OpStore
		}
	}
	return true
}

// ordered reports whether v and the store s keep their meaning in the copy, which executes loads before all
// stores, and stores in order. before says that s precedes v in an iteration.
func (w *rowLoop) ordered(v, s *ssa.Value, before bool) bool {
	root := w.facts().Root(s.Args[0])
	if w.facts().Root(v.Args[0]) != root {
		return true // the copy runs only if the objects do not overlap
	}
	t, _ := v.AccessType()
	es := int64(t.Size())
	if by := w.rows[v]; by != w.rows[s] || s.Args[1].Type.Size() != t.Size() {
		return false
	}
	d, ok := distance(v.Args[0], s.Args[0])
	if !ok {
		return false
	}
	d *= int64(w.rows[s]) // from v to the store, in the direction of the loop
	far := d >= int64(w.rounds)*es
	switch {
	case v.Op == ssa.OpStore && before:
		return d >= 0 || d <= -int64(w.rounds)*es
	case v.Op == ssa.OpStore, far, d < 0:
		return far || d <= 0
	case d == 0:
		return !before
	}
	if d%es != 0 || s.Args[1].Type != v.Type || w.storesTo(root) != 1 {
		return false
	}
	w.kept[v] = kept{s, int(d / es)}
	return true
}

// distance returns the number of bytes from one address to another in the same object, if it is a constant. As in a row's
// piece, an index that wraps between them must be out of bounds.
func distance(from, to *ssa.Value) (d int64, ok bool) {
	a, ok := lanes.LinearOf(from)
	b, ok2 := lanes.LinearOf(to)
	if !ok || !ok2 {
		return 0, false
	}
	d = b.Disp - a.Disp
	less := func(s, t []lanes.Term) []lanes.Term {
		return slices.DeleteFunc(slices.Clone(s), func(x lanes.Term) bool { return slices.Contains(t, x) })
	}
	x, y := less(a.Terms, b.Terms), less(b.Terms, a.Terms)
	if len(x) == 0 && len(y) == 0 {
		return d, true
	}
	if len(x) != 1 || len(y) != 1 || x[0].By != y[0].By || x[0].Signed != y[0].Signed || x[0].Wide() || y[0].Wide() {
		return 0, false
	}
	// The sums have differences as summands: n - 2 - k beside n - k - 2.
	s := sum{}
	for _, v := range y[0].Parts.All() {
		s.add(v, 1, maxMoves)
	}
	for _, v := range x[0].Parts.All() {
		s.add(v, ^uint32(0), maxMoves)
	}
	c := int64(int32(s[nil]))
	delete(s, nil)
	for _, times := range s {
		if times != 0 {
			return 0, false
		}
	}
	return d + x[0].By*c, c <= maxAdded && c >= -maxAdded
}

// A sum is one of 32-bit integers: how often it has each. The constant is that of nil.
type sum map[*ssa.Value]uint32

// add adds times · v.
func (s sum) add(v *ssa.Value, times uint32, depth int) {
	switch {
	case v.IsConst():
		s[nil] += times * uint32(v.ConstElem(0))
	case depth > 0 && (v.Op == ssa.OpAdd || v.Op == ssa.OpSub):
		s.add(v.Args[0], times, depth-1)
		if v.Op == ssa.OpSub {
			times = -times
		}
		s.add(v.Args[1], times, depth-1)
	default:
		s[v] += times
	}
}

// storesTo returns the number of stores to an object.
func (w *rowLoop) storesTo(root *ssa.Value) (n int) {
	for _, s := range w.stores {
		if w.facts().Root(s.Args[0]) == root {
			n++
		}
	}
	return n
}

// early reports whether an address can be computed without loads in the loop.
func (w *rowLoop) early(v *ssa.Value, seen map[*ssa.Value]bool) bool {
	if v.Block == nil || !w.Loops.Contains(w.l, v.Block) || seen[v] {
		return true
	}
	seen[v] = true
	if v.Op == ssa.OpPhi {
		return w.early(v.Args[1-w.in], seen)
	}
	return v.Op.Has(ssa.Pure) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !w.early(a, seen) })
}

// findAll computes the addresses of all accesses before the test; uniform says, only of uniform ones that need no loads.
// The test then checks those at constant distances together.
func (w *rowLoop) findAll(test *ssa.Block, uniform bool) {
	for k := range w.rounds {
		for _, b := range w.chain {
			for _, v := range b.Values {
				_, ok := v.AccessType()
				if !ok || private(v) || w.last[v] != nil || uniform && (w.Varying[v.Args[0].ID] || !w.early(v.Args[0], map[*ssa.Value]bool{})) {
					continue
				}
				if by := w.rows[v]; by != 0 && k == w.first(v) || by == 0 && (k == 0 || w.vec == nil) {
					w.copyOf(v.Args[0], k, test)
				}
			}
		}
	}
}

// mostLast is the most iterations between a store and a load for which the copy keeps the stored values from round to
// round.
const mostLast = 4

// loadFirst begins phis for the values that loads find in memory before the first round, and makes blocks between the
// block before the loop and head that load these values. It returns the first of them, nil if there are no such values.
// If a value is out of bounds, control goes on with the original loop.
func (w *rowLoop) loadFirst(head *ssa.Block) *ssa.Block {
	if w.vec != nil || len(w.kept) == 0 {
		return nil
	}
	f, h, pos := w.F, w.l.Header, w.l.Header.Term().Pos
	test, once := f.NewBlock(h.Name), f.NewBlock(h.Name)
	for _, b := range w.chain {
		for _, v := range b.Values {
			n := w.kept[v].rounds
			if n == 0 || n > min(mostLast, w.rounds) {
				continue
			}
			piece := once.Append(w.copyValue(v))
			piece.Type.N = uint8(w.rounds)
			piece.SetArgs(w.begin(v.Args[0], w.first(v), test))
			for k := range n {
				x := once.Append(f.NewValue(ssa.OpExtract, v.Type, v.Pos, piece))
				x.Aux = int64(w.element(v, k))
				w.last[v] = append(w.last[v], head.Append(f.NewValue(ssa.OpPhi, v.Type, v.Pos, x, x)))
			}
		}
	}
	if len(w.last) == 0 {
		return nil
	}
	w.wide[test], w.wide[once] = true, true
	inside := f.NewValue(ssa.OpInside, ssa.TBool, pos, test.Append(f.NewConst(ssa.TI64, 1)))
	inside.Aux = ssa.InsideApart
	test.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, test.Append(inside)))
	test.Link(once)
	test.Link(h)
	for _, phi := range h.Phis() {
		phi.Args = append(phi.Args, phi.Args[w.in])
	}
	once.Append(f.NewValue(ssa.OpJump, ssa.TVoid, pos))
	once.Link(head)
	return test
}

// begin computes v as of an iteration of the loop at the end of block b, which is before the loop.
func (w *rowLoop) begin(v *ssa.Value, round int, b *ssa.Block) *ssa.Value {
	switch {
	case v.Block == nil || !w.Loops.Contains(w.l, v.Block):
		return v
	case v.Op == ssa.OpPhi && round == 0:
		return v.Args[w.in]
	case v.Op == ssa.OpPhi:
		return w.begin(v.Args[1-w.in], round-1, b)
	}
	x := w.copyValue(v)
	args := make([]*ssa.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.begin(a, round, b)
	}
	x.SetArgs(args...)
	return b.Append(x)
}

// keepLast ends the phis for the values that a round of the copy keeps for the next one.
func (w *rowLoop) keepLast() {
	for _, b := range w.chain {
		for _, v := range b.Values {
			for k, phi := range w.last[v] {
				phi.Args[1] = w.copyOf(w.kept[v].store.Args[1], w.rounds-w.kept[v].rounds+k, w.body)
			}
		}
	}
}

// storeLast stores the pieces after the iterations.
func (w *rowLoop) storeLast() {
	for _, s := range w.stores {
		t := s.Args[1].Type
		n := int(t.N)
		args := make([]*ssa.Value, w.rounds*n)
		for k := range w.rounds {
			v, at := w.copyOf(s.Args[1], k, w.body), w.element(s, k)*n
			if n == 1 {
				args[at] = v
				continue
			}
			for c := range n {
				args[at+c] = w.body.Append(w.F.NewValue(ssa.OpExtract, t.Elem(), s.Pos, v))
				args[at+c].Aux = int64(c)
			}
		}
		piece := w.body.Append(w.F.NewValue(ssa.OpVec, ssa.Type{K: t.K, N: uint8(len(args))}, s.Pos, args...))
		x := w.copyValue(s)
		x.SetArgs(w.copyOf(s.Args[0], w.first(s), w.body), piece)
		w.body.Append(x)
	}
}

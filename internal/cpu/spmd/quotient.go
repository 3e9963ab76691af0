package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// quotients gives what follows divisions in d a second form, for gangs all of whose lanes
// have the same quotients, and reports whether it did.
//
// A kernel of one dimension that computes a row and a column of its id, i / width and
// i % width, or that wraps an index around by i % n or i & mask, has lanes side by side
// within a row nevertheless: the quotient of the first and of the last lane are equal, and
// since quotients only grow along the lanes, so are all. They are computed once there, by
// scalar instructions; a remainder is the dividend less a number that all lanes share.
//
// The copy is of all that d's rest dominates, within the loop around d: conditions and
// addresses that depend on the results are the same for the gang, or side by side, there.
func (g *versions) quotients(d *ssa.Block) bool {
	if g.done[d] || g.touched[d] {
		return false
	}
	q := quotienter{versions: g, d: d, known: map[*ssa.Value]bool{}, ends: map[*ssa.Value]*[3]*ssa.Value{}}
	if !q.find() {
		return false
	}
	list, size := q.region()
	if list == nil || size > g.left || !q.gains(list) {
		return false
	}
	g.left -= size
	for _, b := range list {
		g.touched[b] = true
		for _, s := range b.Succs {
			g.touched[s] = true // has more predecessors then
		}
	}
	q.copy(list)
	g.Forms |= Quotients
	return true
}

type quotienter struct {
	*versions
	d     *ssa.Block
	from  int                           // in d: where the rest begins that is copied
	rest  []*ssa.Value                  // from there on
	known map[*ssa.Value]bool           // whether a value of the rest may be computed before
	found []quotient                    // in order
	ends  map[*ssa.Value]*[3]*ssa.Value // of a dividend: by Aux of OpEnd
}

// A quotient is a value that lanes of a gang mostly share: v itself, or of a remainder or a
// mask what is subtracted from the dividend.
type quotient struct {
	v *ssa.Value
	x *ssa.Value // the dividend, whose lanes are at equal distances
}

// find collects the quotients of d and what is computed of them in it.
func (q *quotienter) find() bool {
	q.from = -1
	for i, v := range q.d.Values {
		if v.Op.Has(ssa.Terminator) {
			break
		}
		x, ok := q.dividend(v)
		if q.from < 0 && (ok || q.Varying[v.ID] && q.part(v)) {
			q.from = i
		}
		if q.from < 0 {
			continue
		}
		q.known[v] = q.movable(v, q.known)
		if ok && q.operandsOf(v, x, q.early) {
			q.found = append(q.found, quotient{v, x})
		}
	}
	if t := q.d.Term(); len(q.found) == 0 || t.Op == ssa.OpSwitch && t.Args[0].Op == ssa.OpVote && slices.Contains(q.d.Values[:q.from], t.Args[0]) {
		return false // a vote stays with its switch
	}
	// A quotient of which only another is computed needs no test.
	q.found = slices.DeleteFunc(q.found, func(f quotient) bool {
		return f.v.Op != ssa.OpRem && f.v.Op != ssa.OpAnd && q.partOnly(f.v)
	})
	q.rest = slices.Clone(q.d.Values[q.from:])
	return len(q.found) > 0 && len(q.found) <= maxQuotients
}

// maxQuotients bounds the tests of one block.
const maxQuotients = 12

// part reports whether v may be part of a quotient: all lanes compute it in the general
// form only.
func (q *quotienter) part(v *ssa.Value) bool {
	if int(v.ID) >= len(q.shapes) || q.shape(v) == line {
		return false
	}
	_, _, ok := q.grows(v)
	return ok
}

// partOnly reports whether v is only part of other quotients in its block.
func (q *quotienter) partOnly(v *ssa.Value) bool {
	any := false
	for _, b := range q.Order {
		for _, u := range b.Values {
			if slices.Contains(u.Args, v) {
				x, ok := q.dividend(u)
				if !ok || x == v || b != q.d {
					return false
				}
				any = true
			}
		}
	}
	return any
}

// operandsOf reports whether ok holds for the dividend x and all that is the same in all
// lanes of what a quotient v is computed of.
func (q *quotienter) operandsOf(v, x *ssa.Value, ok func(*ssa.Value) bool) bool {
	for _, a := range v.Args {
		if a == x || !q.Varying[a.ID] {
			if !ok(a) {
				return false
			}
		} else if !q.operandsOf(a, x, ok) {
			return false
		}
	}
	return true
}

// early reports whether v is known before the rest, or may be computed there.
func (q *quotienter) early(v *ssa.Value) bool {
	ok, in := q.known[v]
	return ok || !in
}

// dividend returns x where v grows with x, rarely from lane to lane; or is x less a number
// that does.
func (q *quotienter) dividend(v *ssa.Value) (x *ssa.Value, ok bool) {
	if int(v.ID) >= len(q.shapes) || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 || !q.Varying[v.ID] {
		return nil, false
	}
	switch v.Op {
	case ssa.OpRem:
		x, by := v.Args[0], v.Args[1]
		return x, q.shape(x) == line && q.shape(by) == flat && (!by.IsConst() || by.ConstElem(0) >= rare)
	case ssa.OpAnd:
		x, by := v.Args[0], v.Args[1]
		if q.shape(x) != line {
			x, by = by, x
		}
		if q.shape(x) != line || q.shape(by) != flat {
			return nil, false
		}
		m := uint64(0)
		if by.IsConst() {
			m = by.ConstElem(0)
		}
		return x, !by.IsConst() || m >= rare-1 && m&(m+1) == 0
	}
	x, slope, ok := q.grows(v)
	return x, ok && slope > 0 && slope <= 1.0/rare
}

// grows reports whether v is a function of x that never falls where x grows (or never grows
// there): slope is what it grows by, 0 < slope, where x grows by 1. Of a divisor that is not
// known it is the smallest.
func (q *quotienter) grows(v *ssa.Value) (x *ssa.Value, slope float64, ok bool) {
	if q.shape(v) == line {
		return v, 1, true
	}
	if v.Block != q.d || int(v.ID) >= len(q.shapes) || v.Type.N != 1 || !isInt(v.Type.K) || len(v.Args) != 2 {
		return nil, 0, false
	}
	k := v.Type.K.Num()
	a, b := v.Args[0], v.Args[1]
	two := math.Ldexp(1, k.Bits())
	switch v.Op {
	case ssa.OpDiv:
		x, slope, ok = q.grows(a)
		if !b.IsConst() {
			return x, math.SmallestNonzeroFloat64, ok && q.shape(b) == flat
		}
		c := int64(b.ConstElem(0))
		return x, slope / float64(c), ok && c > 0 && c < math.MaxInt32
	case ssa.OpShr:
		x, slope, ok = q.grows(a)
		if !b.IsConst() {
			return nil, 0, false
		}
		return x, math.Ldexp(slope, -int(b.ConstElem(0))), ok && b.ConstElem(0) < uint64(k.Bits())
	case ssa.OpMulHi:
		x, slope, ok = q.grows(a)
		if !b.IsConst() {
			return nil, 0, false
		}
		m := multiplier(b)
		return x, slope * m / two, ok && m > 0
	case ssa.OpAdd:
		// mulhi(x, m) + x with m < 0, or (x - t >> 1) + t with t = mulhi(x, m): divisions by
		// constants whose multipliers need a bit more.
		if a.Op == ssa.OpMulHi && a.Args[0] == b && a.Args[1].IsConst() && k.Signed() {
			x, slope, ok = q.grows(b)
			m := multiplier(a.Args[1])
			return x, slope * (m + two) / two, ok && m < 0
		}
		if !k.Signed() && b.Op == ssa.OpMulHi && b.Args[1].IsConst() && a.Op == ssa.OpShr && a.Args[1].IsConst() && a.Args[1].ConstElem(0) == 1 &&
			a.Args[0].Op == ssa.OpSub && a.Args[0].Args[0] == b.Args[0] && a.Args[0].Args[1] == b {
			x, slope, ok = q.grows(b.Args[0])
			return x, slope * (1 + multiplier(b.Args[1])/two) / 2, ok
		}
	}
	return nil, 0, false
}

// multiplier returns a constant as its type reads it.
func multiplier(c *ssa.Value) float64 {
	b, k := c.ConstElem(0), c.Type.K.Num()
	if n := 64 - k.Bits(); k.Signed() {
		return float64(int64(b) << n >> n)
	}
	return float64(b)
}

// region returns the blocks that d dominates in the loop around it, without d, and how many
// values they and the rest of d have; nil where one of them has changed already.
func (q *quotienter) region() (list []*ssa.Block, size int) {
	if slices.ContainsFunc(q.rest, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier || isGangs(v) }) {
		return nil, 0
	}
	l := q.Loops.Of(q.d)
	list = []*ssa.Block{q.d}
	size = len(q.rest)
	for _, b := range q.Order[q.Pos[q.d.ID]+1:] {
		if !q.Dom.Dominates(q.d, b) || l != nil && !q.Loops.Contains(l, b) {
			continue
		}
		if q.touched[b] || size > q.left || hasBarrier(b) || slices.ContainsFunc(b.Values, isGangs) {
			return nil, 0
		}
		list = append(list, b)
		size += len(b.Values)
	}
	return list, size
}

func isGangs(v *ssa.Value) bool { return v.Op == ssa.OpGangs }

// gains reports whether a division is saved, or an address depends on a quotient.
func (q *quotienter) gains(list []*ssa.Block) bool {
	reach := map[*ssa.Value]bool{}
	for _, f := range q.found {
		reach[f.v] = true
		if (f.v.Op == ssa.OpDiv || f.v.Op == ssa.OpRem) && !f.v.Args[1].IsConst() {
			return true
		}
	}
	for _, b := range list {
		for _, v := range b.Values {
			if (v.Op == ssa.OpLoad || v.Op == ssa.OpStore) && reach[v.Args[0]] {
				return true
			}
			reach[v] = reach[v] || v.Op != ssa.OpLoad && slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return reach[a] })
		}
	}
	return false
}

// copy moves d's rest to a block of its own, makes the copy, and ends d by the tests.
func (q *quotienter) copy(list []*ssa.Block) {
	f, d := q.F, q.d
	general := f.NewBlock("")
	q.done[general], q.cold[general] = true, true
	for _, b := range list[1:] {
		q.cold[b] = true
	}
	d.Values = d.Values[:q.from]
	for _, v := range q.rest {
		general.Append(v)
	}
	general.Succs, d.Succs = slices.Clone(d.Succs), nil
	for _, s := range general.Succs {
		s.ReplacePred(d, general)
	}
	// The operands of the tests are computed before.
	for _, x := range q.found {
		q.operandsOf(x.v, x.x, func(v *ssa.Value) bool {
			q.raise(v, general)
			return true
		})
	}
	// A quotient that another one is computed of has moved with its operands: it stays as it is.
	q.found = slices.DeleteFunc(q.found, func(x quotient) bool { return x.v.Block == d })
	blocks := append([]*ssa.Block{general}, list[1:]...)
	c := q.copyBlocks(blocks)
	for _, b := range blocks {
		c.end(b)
		for _, s := range b.Succs {
			c.edge(c.blocks[b], b, s)
		}
	}
	fast := c.blocks[general]
	q.done[fast] = false
	at := d
	test := func(cond *ssa.Value) {
		at.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, cond.Pos, cond))
		next := f.NewBlock("")
		at.Link(next)
		at.Link(general)
		at = next
	}
	for _, x := range q.found {
		q.decide(x, c, fast, &at, test)
	}
	at.Append(f.NewValue(ssa.OpJump, ssa.TVoid, d.Values[len(d.Values)-1].Pos))
	at.Link(fast)
	c.repair()
	f.ReplaceCopies()
}

// raise moves v, and what it is computed of, from the rest to the end of d.
func (q *quotienter) raise(v *ssa.Value, from *ssa.Block) {
	if v.Block != from {
		return
	}
	for _, a := range v.Args {
		q.raise(a, from)
	}
	from.Remove(v)
	q.d.Append(v)
}

// decide tests whether all lanes have one quotient, and gives the copy its value.
func (q *quotienter) decide(x quotient, c *copier, fast *ssa.Block, at **ssa.Block, test func(*ssa.Value)) {
	f := q.F
	put := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return (*at).Append(f.NewValue(op, t, x.v.Pos, args...))
	}
	ends := q.ends[x.x]
	if ends == nil {
		ends = new([3]*ssa.Value)
		q.ends[x.x] = ends
		for i := range ends {
			t := x.x.Type
			if i == ssa.EndsOrder {
				t = ssa.TBool
			}
			ends[i] = put(ssa.OpEnd, t, x.x)
			ends[i].Aux = int64(i)
		}
		test(ends[ssa.EndsOrder])
	}
	var quo [2]*ssa.Value
	var by *ssa.Value
	t := x.v.Type
	switch x.v.Op {
	case ssa.OpRem:
		by = x.v.Args[1]
		test(put(ssa.OpNe, ssa.TBool, by, f.InsertEntry(f.NewConst(t, 0)))) // x % 0 is not x less a multiple of 0
	case ssa.OpAnd:
		by = x.v.Args[0]
		if by == x.x {
			by = x.v.Args[1]
		}
		if !by.IsConst() {
			next := put(ssa.OpAdd, t, by, f.InsertEntry(f.NewConst(t, 1)))
			test(put(ssa.OpEq, ssa.TBool, put(ssa.OpAnd, t, by, next), f.InsertEntry(f.NewConst(t, 0))))
		}
	}
	for i := range quo {
		switch x.v.Op {
		case ssa.OpRem:
			quo[i] = put(ssa.OpDiv, t, ends[i], by)
		case ssa.OpAnd:
			quo[i] = put(ssa.OpSub, t, ends[i], put(ssa.OpAnd, t, ends[i], by))
		default:
			quo[i] = q.again1(x.v, x.x, ends[i], *at)
		}
	}
	test(put(ssa.OpEq, ssa.TBool, quo[0], quo[1]))
	result := quo[0]
	switch x.v.Op {
	case ssa.OpRem:
		result = put(ssa.OpMul, t, result, by)
		fallthrough
	case ssa.OpAnd:
		result = fast.InsertAt(0, f.NewValue(ssa.OpSub, t, x.v.Pos, x.x, result))
	}
	c.values[x.v].BecomeCopy(result)
}

// again1 computes v at the end of b with y for x.
func (q *quotienter) again1(v, x, y *ssa.Value, b *ssa.Block) *ssa.Value {
	if v == x {
		return y
	}
	if !q.Varying[v.ID] {
		return v
	}
	w := q.F.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux = v.Flags, v.Aux
	w.SetArgs(v.Args...)
	for i, a := range w.Args {
		w.Args[i] = q.again1(a, x, y, b)
	}
	return b.Append(w)
}

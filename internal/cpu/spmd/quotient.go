package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// quotients makes a version of the code after divisions in d for gangs whose lanes all have the same quotients,
// and reports whether it did.
//
// A one-dimensional kernel may compute a row and a column from its id, as i / width and i % width, or wrap an
// index by i % n or i & mask. Its lanes are nevertheless consecutive within a row: if the quotients of the
// first and the last lane are equal, so are all, because quotients are monotonic along the lanes. Scalar
// instructions then compute the quotient once; a remainder is the dividend minus a uniform value.
//
// The copy contains all blocks that the rest of d dominates within the loop around d. In the copy, conditions
// and addresses that depend on the results are uniform or consecutive.
func (g *versions) quotients(d *ssa.Block) bool {
	if g.done[d] || g.touched[d] {
		return false
	}
	q := quotienter{versions: g, d: d, known: map[*ssa.Value]bool{}, ends: map[*ssa.Value]*[3]*ssa.Value{}}
	if !q.find() {
		return false
	}
	list, size := q.region()
	if list == nil || size > g.budget || !q.gains(list) {
		return false
	}
	g.budget -= size
	for _, b := range list {
		g.touched[b] = true
		for _, s := range b.Succs {
			g.touched[s] = true // it gets more predecessors
		}
	}
	q.copy(list)
	g.Forms |= Quotients
	return true
}

type quotienter struct {
	*versions
	d     *ssa.Block
	from  int                 // index in d at which the copied rest begins
	rest  []*ssa.Value        // the values from there on
	known map[*ssa.Value]bool // whether a value of the rest can be computed before it
	found []quotient          // in order
	wraps []wrap
	ends  map[*ssa.Value]*[3]*ssa.Value // of a dividend: by Aux of OpEnd
}

// A quotient is a value that the lanes of a gang usually share: v itself, or if v is a remainder or is masked,
// the value subtracted from the dividend.
type quotient struct {
	v       *ssa.Value
	x       *ssa.Value // the dividend, which is affine
	wrapped *ssa.Value // (v + n) % n for a remainder v = x % n, or nil
	nested  bool       // x is the remainder of another quotient, and affine where the lanes share that one
}

// find collects the quotients of d, and the values of d computed from them.
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
			q.found = append(q.found, quotient{v: v, x: x, nested: q.isRemainder(x)})
		} else if v.Op == ssa.OpRem && v.Args[0].Op == ssa.OpAdd {
			q.findWrapped(v)
		}
		if w, ok := q.findWrap(v); ok {
			q.wraps = append(q.wraps, w)
		}
	}
	if t := q.d.Term(); len(q.found) == 0 || t.Op == ssa.OpSwitch && t.Args[0].Op == ssa.OpVote && slices.Contains(q.d.Values[:q.from], t.Args[0]) {
		return false // a vote stays with its switch
	}
	// A quotient that is only used to compute another one needs no test.
	q.found = slices.DeleteFunc(q.found, func(f quotient) bool {
		return f.v.Op != ssa.OpRem && f.v.Op != ssa.OpAnd && q.partOnly(f.v)
	})
	q.rest = slices.Clone(q.d.Values[q.from:])
	return len(q.found) > 0 && len(q.found) <= maxQuotients
}

// findWrapped looks for the remainder x % n of v = (x % n + n) % n.
func (q *quotienter) findWrapped(v *ssa.Value) {
	sum, n := v.Args[0].Args, v.Args[1]
	for i := range q.found {
		if f := &q.found[i]; f.v.Op == ssa.OpRem && f.by() == n && (sum[0] == f.v && sum[1] == n || sum[1] == f.v && sum[0] == n) {
			f.wrapped = v
		}
	}
}

// isRemainder reports whether v is the remainder of a quotient that has been found.
func (q *quotienter) isRemainder(v *ssa.Value) bool {
	return slices.ContainsFunc(q.found, func(f quotient) bool { return f.v == v && (v.Op == ssa.OpRem || v.Op == ssa.OpAnd) })
}

// isDividend reports whether v is affine in the version.
func (q *quotienter) isDividend(v *ssa.Value) bool {
	return q.shape(v) == affineShape || q.isRemainder(v)
}

// maxQuotients bounds the tests of one block.
const maxQuotients = 12

// part reports whether v may be part of a quotient; only the general version computes it in all lanes.
func (q *quotienter) part(v *ssa.Value) bool {
	if int(v.ID) >= len(q.shapes) || q.isDividend(v) {
		return false
	}
	_, _, ok := q.grows(v)
	return ok
}

// partOnly reports whether v is used in its block only by other quotients.
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

// operandsOf reports whether ok holds for the dividend x and all uniform operands of a quotient v.
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

// early reports whether v is available before the rest, or can be computed there.
func (q *quotienter) early(v *ssa.Value) bool {
	ok, in := q.known[v]
	return ok || !in
}

// dividend returns x if v is monotonic in x and rarely changes from lane to lane, or if v is x minus such a
// value.
func (q *quotienter) dividend(v *ssa.Value) (x *ssa.Value, ok bool) {
	if int(v.ID) >= len(q.shapes) || v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 || !q.Varying[v.ID] {
		return nil, false
	}
	switch v.Op {
	case ssa.OpRem:
		x, by := v.Args[0], v.Args[1]
		return x, q.isDividend(x) && q.shape(by) == uniformShape && (!by.IsConst() || by.ConstElem(0) >= minRun)
	case ssa.OpAnd:
		x, by := v.Args[0], v.Args[1]
		if !q.isDividend(x) {
			x, by = by, x
		}
		if !q.isDividend(x) || q.shape(by) != uniformShape {
			return nil, false
		}
		m := uint64(0)
		if by.IsConst() {
			m = by.ConstElem(0)
		}
		return x, !by.IsConst() || m >= minRun-1 && m&(m+1) == 0
	}
	x, slope, ok := q.grows(v)
	return x, ok && slope > 0 && slope <= 1.0/minRun
}

// grows reports whether v is a monotonic function of x. slope > 0 is its growth per unit of x; for an unknown
// divisor it is the smallest possible.
func (q *quotienter) grows(v *ssa.Value) (x *ssa.Value, slope float64, ok bool) {
	if q.isDividend(v) {
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
			return x, math.SmallestNonzeroFloat64, ok && q.shape(b) == uniformShape
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
		// mulhi(x, m) + x with m < 0, or (x - t >> 1) + t with t = mulhi(x, m): divisions by constants whose
		// multipliers need one more bit.
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

// multiplier returns the value of a constant as a float.
func multiplier(c *ssa.Value) float64 {
	b, k := c.ConstElem(0), c.Type.K.Num()
	if n := 64 - k.Bits(); k.Signed() {
		return float64(int64(b) << n >> n)
	}
	return float64(b)
}

// region returns the blocks that d dominates in the loop around it, without d, and the number of values of
// these blocks and the rest of d. It returns nil if one of them has changed since the analysis.
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
		if q.touched[b] || size > q.budget || hasBarrier(b) || slices.ContainsFunc(b.Values, isGangs) {
			return nil, 0
		}
		list = append(list, b)
		size += len(b.Values)
	}
	return list, size
}

func isGangs(v *ssa.Value) bool { return v.Op == ssa.OpGangs }

// gains reports whether the version saves a division, or an address depends on a quotient.
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

// copy moves the rest of d to a new block, copies it, and ends d with the tests.
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
	// Hoist the operands of the tests.
	for _, x := range q.found {
		q.operandsOf(x.v, x.x, func(v *ssa.Value) bool {
			if !x.nested || v != x.x {
				q.moveOut(v, general)
			}
			return true
		})
	}
	// A quotient that another one uses has been hoisted with its operands: it stays as it is.
	for n := -1; n != len(q.found); {
		n = len(q.found)
		q.found = slices.DeleteFunc(slices.Clone(q.found), func(x quotient) bool { return x.v.Block == d || x.nested && !q.isRemainder(x.x) })
	}
	blocks := append([]*ssa.Block{general}, list[1:]...)
	c := q.copyBlocks(blocks)
	for _, b := range blocks {
		c.finish(b)
	}
	fast := c.blocks[general]
	q.done[fast] = false
	t := &quotientTests{q, d, general, map[*ssa.Value]bool{}, map[[2]*ssa.Value]quotients{}, map[*ssa.Value]*ssa.Value{}}
	quos := make([]quotients, len(q.found))
	for i, x := range q.found {
		if quos[i] = t.testEnds(x); x.wrapped != nil { // v + n does not overflow
			t.test(t.put(x, ssa.OpLe, ssa.TBool, x.by(), t.number(x, 1<<(x.v.Type.K.Num().Bits()-2))))
		}
	}
	var unequal []*ssa.Block // they end with a test of quotients
	at := 0
	for i, x := range q.found {
		if !slices.Contains(quos[:i], quos[i]) {
			unequal = append(unequal, t.at)
			t.test(t.equal(x, quos[i]))
		}
		if x.wrapped != nil && x.v.Type.K.Num().Signed() {
			unequal = append(unequal, t.at)
			t.test(t.put(x, ssa.OpLe, ssa.TBool, t.number(x, 0), q.ends[x.x][ssa.EndFirst]))
		}
		at = q.same(x, quos[i], c, fast, at)
	}
	t.testWraps()
	t.setWraps(c, fast, at)
	t.jump(fast)
	c.repair()
	if !q.copyForTwo(quos, unequal, blocks) {
		for _, x := range q.found {
			general = q.divideNear(x, general)
		}
	}
	f.ReplaceCopies()
}

// divideNear replaces a long division of the general version, which takes a division in each lane, where two quotients
// at most occur in the gang: the first lane's quotient is that of the others, or one less. It returns the block
// with the values after the division.
func (q *quotienter) divideNear(x quotient, b *ssa.Block) *ssa.Block {
	f, v := q.F, x.v
	if v.Op != ssa.OpDiv && v.Op != ssa.OpRem || x.nested || v.Type.Size() < 8 || v.Block != b || v.Args[0] != x.x || v.Args[1].IsConst() {
		return b
	}
	by, t := v.Args[1], v.Type
	at := slices.Index(b.Values, v)
	near, far, rest := f.NewBlock(""), f.NewBlock(""), f.NewBlock("")
	for _, n := range []*ssa.Block{near, far, rest} {
		q.done[n], q.cold[n] = true, true
	}
	after := slices.Clone(b.Values[at+1:])
	b.Values, rest.Succs, b.Succs = b.Values[:at], slices.Clone(b.Succs), nil
	for _, s := range rest.Succs {
		s.ReplacePred(b, rest)
	}
	add := func(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return b.Append(f.NewValue(op, t, v.Pos, args...))
	}
	number := func(n uint64) *ssa.Value { return f.InsertEntry(f.NewConst(t, n)) }
	end := func(aux int64, t ssa.Type) *ssa.Value {
		e := add(b, ssa.OpEnd, t, x.x)
		e.Aux = aux
		return e
	}
	first, last, ok := end(ssa.EndFirst, t), end(ssa.EndLast, t), end(ssa.EndsOrder, ssa.TBool)
	and := func(c *ssa.Value) { ok = add(b, ssa.OpAnd, ssa.TBool, ok, c) }
	and(add(b, ssa.OpLt, ssa.TBool, number(0), by))
	and(add(b, ssa.OpLe, ssa.TBool, number(0), first))
	quo := add(b, ssa.OpDiv, t, first, by)
	and(add(b, ssa.OpLe, ssa.TBool, add(b, ssa.OpSub, t, add(b, ssa.OpDiv, t, last, by), quo), number(1)))
	add(b, ssa.OpBranch, ssa.TVoid, ok)
	b.Link(near)
	b.Link(far)

	over := add(near, ssa.OpSub, t, x.x, add(near, ssa.OpMul, t, quo, by))
	more := add(near, ssa.OpLe, ssa.TBool, by, over)
	result := add(near, ssa.OpSelect, t, more, add(near, ssa.OpSub, t, over, by), over)
	if v.Op == ssa.OpDiv {
		result = add(near, ssa.OpSelect, t, more, add(near, ssa.OpAdd, t, quo, number(1)), quo)
	}
	slow := far.Append(q.copyValue(v))
	slow.SetArgs(v.Args...)
	for _, n := range []*ssa.Block{near, far} {
		add(n, ssa.OpJump, ssa.TVoid)
		n.Link(rest)
	}
	phi := add(rest, ssa.OpPhi, t, result, slow)
	for _, w := range after {
		rest.Append(w)
	}
	v.BecomeCopy(phi)
	return rest
}

// moveOut moves v and its operands from the rest to the end of d.
func (q *quotienter) moveOut(v *ssa.Value, from *ssa.Block) {
	if v.Block != from {
		return
	}
	for _, a := range v.Args {
		q.moveOut(a, from)
	}
	from.Remove(v)
	q.d.Append(v)
}

// quotientTests are a chain of blocks that end with tests. Control leaves the chain where one fails.
type quotientTests struct {
	*quotienter
	at, no   *ssa.Block
	divisors map[*ssa.Value]bool         // tested ones
	divided  map[[2]*ssa.Value]quotients // by dividend and divisor: x % n needs those of x / n
	starts   map[*ssa.Value]*ssa.Value   // by remainder: the dividend that has the first lane's quotient and no remainder
}

// put appends a value for a quotient.
func (t *quotientTests) put(x quotient, op ssa.Op, typ ssa.Type, args ...*ssa.Value) *ssa.Value {
	return t.at.Append(t.F.NewValue(op, typ, x.v.Pos, args...))
}

func (t *quotientTests) number(x quotient, n uint64) *ssa.Value {
	return t.F.InsertEntry(t.F.NewConst(x.v.Type, n))
}

// as builds a as an integer of another type of the same size.
func (t *quotientTests) as(x quotient, typ ssa.Type, a *ssa.Value) *ssa.Value {
	if a.Type == typ {
		return a
	}
	return t.put(x, ssa.OpBitcast, typ, a)
}

// signedType and unsignedType return the integer type of the same size.
func signedType(t ssa.Type) ssa.Type {
	if t.Size() == 8 {
		return ssa.TI64
	}
	return ssa.TI32
}

func unsignedType(t ssa.Type) ssa.Type {
	if t.Size() == 8 {
		return ssa.TU64
	}
	return ssa.TU32
}

// test continues the chain if cond holds.
func (t *quotientTests) test(cond *ssa.Value) {
	t.at.Append(t.F.NewValue(ssa.OpBranch, ssa.TVoid, cond.Pos, cond))
	next := t.F.NewBlock("")
	t.at.Link(next)
	t.at.Link(t.no)
	t.at = next
}

// jump ends the chain.
func (t *quotientTests) jump(to *ssa.Block) {
	t.at.Append(t.F.NewValue(ssa.OpJump, ssa.TVoid, t.rest[len(t.rest)-1].Pos))
	t.at.Link(to)
}

// quotients describes those of a gang by its ends. After a division, over is how much the last lane's dividend exceeds start,
// the dividend that has the first lane's quotient and no remainder; else last is the quotient in the last lane.
type quotients struct {
	first, last *ssa.Value
	start, over *ssa.Value
}

// testEnds tests that all dividends are between those at the ends, and that quotients are defined.
func (t *quotientTests) testEnds(x quotient) (quo quotients) {
	ends := t.ends[x.x]
	if ends == nil {
		ends = new([3]*ssa.Value)
		t.ends[x.x] = ends
		if x.nested {
			t.remainders(x, ends)
		} else {
			t.endsOf(x, ends)
		}
	}
	by, typ := x.by(), x.v.Type
	if x.divides() {
		of := [2]*ssa.Value{x.x, by}
		quo, ok := t.divided[of]
		if !ok {
			quo = t.divide(x, ends[ssa.EndFirst], ends[ssa.EndLast])
			t.divided[of] = quo
		}
		t.starts[x.v] = quo.start
		return quo
	}
	of := func(end *ssa.Value) *ssa.Value {
		if x.v.Op == ssa.OpAnd {
			return t.put(x, ssa.OpSub, typ, end, t.put(x, ssa.OpAnd, typ, end, by))
		}
		return t.recomputeWith(x.v, x.x, end, t.at)
	}
	if x.v.Op == ssa.OpAnd && !by.IsConst() {
		next := t.put(x, ssa.OpAdd, typ, by, t.number(x, 1))
		t.test(t.put(x, ssa.OpEq, ssa.TBool, t.put(x, ssa.OpAnd, typ, by, next), t.number(x, 0)))
	}
	quo = quotients{first: of(ends[ssa.EndFirst]), last: of(ends[ssa.EndLast])}
	t.starts[x.v] = quo.first
	return quo
}

// endsOf builds the dividend in the first and the last lane, and the test that the other lanes are between them.
func (t *quotientTests) endsOf(x quotient, ends *[3]*ssa.Value) {
	for i := range ends {
		typ := x.x.Type
		if i == ssa.EndsOrder {
			typ = ssa.TBool
		}
		ends[i] = t.put(x, ssa.OpEnd, typ, x.x)
		ends[i].Aux = int64(i)
	}
	t.test(ends[ssa.EndsOrder])
}

// remainders builds a dividend that is a remainder, in the first and the last lane, on the assumption that these share their
// quotient.
func (t *quotientTests) remainders(x quotient, ends *[3]*ssa.Value) {
	of := t.found[slices.IndexFunc(t.found, func(f quotient) bool { return f.v == x.x })]
	for _, i := range [2]int{ssa.EndFirst, ssa.EndLast} {
		ends[i] = t.put(x, ssa.OpSub, x.x.Type, t.ends[of.x][i], t.starts[of.v])
	}
}

// divide builds the first lane's quotient, after tests that the divisor is positive, also as a signed integer, and that the
// quotient is not negative. Ends are less than half of the type's range apart, so over does not overflow where dividends grow;
// where they fall below start it is negative as a signed integer.
func (t *quotientTests) divide(x quotient, first, last *ssa.Value) (quo quotients) {
	by, typ := x.by(), x.v.Type
	if !t.divisors[by] {
		t.divisors[by] = true
		t.test(t.put(x, ssa.OpLt, ssa.TBool, t.F.InsertEntry(t.F.NewConst(signedType(typ), 0)), t.as(x, signedType(typ), by)))
	}
	if typ.K.Num().Signed() {
		t.test(t.put(x, ssa.OpLt, ssa.TBool, t.number(x, 0), t.put(x, ssa.OpAdd, typ, first, by)))
	}
	quo.first = t.put(x, ssa.OpDiv, typ, first, by)
	quo.start = t.put(x, ssa.OpMul, typ, quo.first, by)
	quo.over = t.put(x, ssa.OpSub, typ, last, quo.start)
	return quo
}

// equal builds the test that all lanes have one quotient.
func (t *quotientTests) equal(x quotient, quo quotients) *ssa.Value {
	if quo.over == nil {
		return t.put(x, ssa.OpEq, ssa.TBool, quo.first, quo.last)
	}
	return t.put(x, ssa.OpLt, ssa.TBool, t.as(x, unsignedType(x.v.Type), quo.over), t.as(x, unsignedType(x.v.Type), x.by()))
}

// by returns the other argument of a quotient whose first one is the dividend.
func (x quotient) by() *ssa.Value {
	if by := x.v.Args[0]; x.v.Op == ssa.OpAnd && by != x.x {
		return by
	}
	return x.v.Args[len(x.v.Args)-1]
}

// divides reports whether the quotients of x are those of a division.
func (x quotient) divides() bool {
	return x.v.Op == ssa.OpRem || x.v.Op == ssa.OpDiv && x.v.Args[0] == x.x
}

// same computes x in the copy of the code for gangs whose lanes all have one quotient. It inserts values before position at of the copy, and
// returns the position after them.
func (q *quotienter) same(x quotient, quo quotients, c *copier, fast *ssa.Block, at int) int {
	w := quo.first
	switch x.v.Op {
	case ssa.OpRem:
		w = quo.start
		fallthrough
	case ssa.OpAnd:
		of := x.x
		if x.nested {
			of = c.values[of].Args[0] // of the copy that it has become
		}
		w = fast.InsertAt(at, q.F.NewValue(ssa.OpSub, x.v.Type, x.v.Pos, of, w))
		at++
	}
	c.values[x.v].BecomeCopy(w)
	if x.wrapped != nil {
		c.values[x.wrapped].BecomeCopy(w)
	}
	return at
}

// recomputeWith recomputes v at the end of b with y in place of x.
func (q *quotienter) recomputeWith(v, x, y *ssa.Value, b *ssa.Block) *ssa.Value {
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
		w.Args[i] = q.recomputeWith(a, x, y, b)
	}
	return b.Append(w)
}

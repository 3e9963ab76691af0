package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Counted loops. A loop may count up or down by a power of two, with integers of any size; it may test the counter
// before or after it has changed, and before the iteration or after it (do … while). The number of iterations is
// computed before the loop.

// A counterTest is the test of a uniform counter against an invariant bound that ends a loop. The loop continues while
//
//	count + ahead < bound, ≤ bound or ≠ bound
//
// or, if the counter falls, > and ≥. The sum has the counter's type; it may be extended before the comparison.
type counterTest struct {
	*ssa.Loop
	branch *ssa.Block // the block that ends in the test
	in     int        // index of the entering edge among the header's predecessors
	stay   int        // index of the branch's successor in the loop
	count  *ssa.Value // a phi of the header
	ahead  int64
	step   int64
	op     ssa.Op     // OpLt, OpLe or OpNe; if the counter falls, of bound and counter
	bound  *ssa.Value // nil: 0
	typ    ssa.Type   // of the comparison
}

// counterTest returns the test of a loop: that at its header, if it may end there, or at its only end. The result is nil
// if the loop has another test.
func (g *versions) counterTest(l *ssa.Loop) *counterTest {
	if len(l.Header.Preds) != 2 {
		return nil
	}
	t := &counterTest{Loop: l}
	if g.Loops.Contains(l, l.Header.Preds[0]) {
		t.in = 1
	}
	leaves := func(s *ssa.Block) bool { return int(s.ID) < len(g.Split) && !g.Loops.Contains(l, s) }
	for _, b := range l.Blocks {
		i := slices.IndexFunc(b.Succs, leaves)
		switch {
		case i < 0:
			continue
		case t.branch != nil || b.Term().Op != ssa.OpBranch:
			return nil
		}
		t.branch, t.stay = b, 1-i
		if b == l.Header {
			break
		}
	}
	if t.branch == nil || !g.Loops.Contains(l, t.branch.Succs[t.stay]) || !t.compares() || !t.regular() {
		return nil
	}
	if b := t.bound; !g.uniform(t.count) || b != nil && (!g.uniform(b) || b.Block != nil && g.Loops.Contains(l, b.Block)) {
		return nil
	}
	return t
}

// compares splits the condition into the counter and the bound.
func (t *counterTest) compares() bool {
	c := t.branch.Term().Args[0]
	if c.Type.N != 1 || len(c.Args) == 0 || !isInt(c.Args[0].Type.K) || c.Args[0].Type.N != 1 {
		return false
	}
	t.typ = c.Args[0].Type
	if c.Op == ssa.OpConvert && c.Type.K == ssa.Bool && t.stay == 0 { // counter ≠ 0
		t.op = ssa.OpNe
		return t.counter(c.Args[0])
	}
	if len(c.Args) != 2 {
		return false
	}
	a, b := c.Args[0], c.Args[1]
	switch {
	case c.Op == ssa.OpNe && t.stay == 0, c.Op == ssa.OpEq && t.stay == 1:
		t.op = ssa.OpNe
	case (c.Op == ssa.OpLt || c.Op == ssa.OpLe) && t.stay == 0:
		t.op = c.Op
	case c.Op == ssa.OpLe: // this is not b < a
		t.op, a, b = ssa.OpLt, b, a
	case c.Op == ssa.OpLt:
		t.op, a, b = ssa.OpLe, b, a
	default:
		return false
	}
	if t.bound = b; t.counter(a) {
		return t.op == ssa.OpNe || t.step > 0
	}
	t.bound = a
	return t.counter(b) && (t.op == ssa.OpNe || t.step < 0)
}

// counter reports whether v is the counter plus a constant, and sets both.
func (t *counterTest) counter(v *ssa.Value) bool {
	if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && !sat && v.Type.N == 1 && keepsValue(v.Args[0].Type.K, v.Type.K) {
		v = v.Args[0]
	}
	t.ahead = 0
	if v.Op == ssa.OpAdd && v.Args[1].IsConst() {
		t.ahead = signed(v.Args[1])
		v = v.Args[0]
	}
	if v.Op != ssa.OpPhi || v.Block != t.Header || v.Type.N != 1 || !isInt(v.Type.K) {
		return false
	}
	t.count = v
	next := v.Args[1-t.in]
	if next.Op != ssa.OpAdd || next.Args[0] != v || !next.Args[1].IsConst() {
		return false
	}
	t.step = signed(next.Args[1])
	return true
}

// keepsValue reports whether a conversion between integers keeps all values.
func keepsValue(from, to ssa.Kind) bool {
	if !isInt(from) || !isInt(to) {
		return false
	}
	a, b := from.Num(), to.Num()
	return a.Size() < b.Size() && (b.Signed() || !a.Signed()) || a == b
}

// regular reports whether the counter reaches the bound in a number of steps that is known if the counter does not wrap.
func (t *counterTest) regular() bool {
	n := t.length()
	return n > 0 && n&(n-1) == 0 && n <= 1<<16 && (t.op != ssa.OpNe || n == 1) && t.ahead >= -maxAdded && t.ahead <= maxAdded
}

// length returns the distance of the counter's values in successive iterations.
func (t *counterTest) length() int64 { return max(t.step, -t.step) }

// limits returns the least and the greatest value of an integer type; the greatest one of 64 bits without sign as bits.
func limits(k ssa.Kind) (least, most int64) {
	size := uint(8 * k.Num().Size())
	if k.Num().Signed() {
		return -1 << (size - 1), 1<<(size-1) - 1
	}
	return 0, int64(^uint64(0) >> (64 - size))
}

// reachable returns whether the counter reaches the bound without wrapping, as a condition on the bound: bound ≤
// limit, or ≥ if the counter falls. always says that this holds for all bounds.
func (t *counterTest) reachable() (limit int64, always bool) {
	least, most := limits(t.count.Type.K)
	margin := t.length() - 1
	if t.op == ssa.OpLe {
		margin++
	}
	always = margin == 0 && t.typ == t.count.Type
	if t.step < 0 {
		return least + margin, always
	}
	return most - margin, always
}

// tripCount computes the number of iterations of a loop that is left at its header, as iterations does.
func (g *versions) tripCount(l *ssa.Loop, before *ssa.Block) *ssa.Value {
	if t := g.counterTest(l); t != nil && t.branch == l.Header {
		return t.iterations(g, before)
	}
	return nil
}

// A beforeLoop adds values to the end of the block before a loop.
type beforeLoop struct {
	*ssa.Block
	pos   diag.Pos
	known []*ssa.Value // conditions
}

func (b *beforeLoop) add(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.InsertBeforeTerm(b.Func.NewValue(op, t, b.pos, args...))
}

func (b *beforeLoop) number(t ssa.Type, x int64) *ssa.Value {
	return b.InsertBeforeTerm(b.Func.NewConst(t, uint64(x)&onesOf(t.K)))
}

// long extends an integer to 64 bits.
func (b *beforeLoop) long(v *ssa.Value) *ssa.Value {
	switch {
	case v.Type.K == ssa.I64:
		return v
	case v.IsConst():
		return b.number(ssa.TI64, longOf(v))
	}
	return b.add(ssa.OpConvert, ssa.TI64, v)
}

// holds adds the condition x ≤ y, or y ≤ x if the counter falls. It returns false if that never holds.
func (b *beforeLoop) holds(x, y *ssa.Value, falls bool) bool {
	if falls {
		x, y = y, x
	}
	if x.IsConst() && y.IsConst() {
		return lessOrEqual(x, y)
	}
	b.known = append(b.known, b.add(ssa.OpLe, ssa.TBool, x, y))
	return true
}

// iterations computes how often the loop continues, an I64, at the end of before. The value is outside of [1, 2^31) if
// that is unknown at run time. The result is nil if it is never known.
func (t *counterTest) iterations(g *versions, before *ssa.Block) *ssa.Value {
	if b := t.bound; b != nil && b.Block != nil && !g.Dom.Dominates(b.Block, before) {
		return nil
	}
	at := len(before.Values) - 1
	n := t.atRunTime(before)
	if n == nil { // without the conditions
		before.Values = slices.Delete(before.Values, at, len(before.Values)-1)
	}
	return n
}

// atRunTime is iterations for a bound that is known before the loop. If the result is nil, there may be conditions at
// the end of before.
func (t *counterTest) atRunTime(before *ssa.Block) *ssa.Value {
	b := &beforeLoop{Block: before, pos: t.branch.Term().Args[0].Pos}
	typ, falls := t.count.Type, t.step < 0
	start, bound := t.count.Args[t.in], t.bound
	if bound == nil {
		bound = b.number(t.typ, 0)
	}
	if limit, always := t.reachable(); !always && !b.holds(bound, b.number(t.typ, limit), falls) {
		return nil
	}
	if t.ahead != 0 { // the sum of the first test must not have wrapped
		least, most := limits(typ.K)
		limit := most - t.ahead
		if t.ahead < 0 {
			limit = least - t.ahead
		}
		if !b.holds(start, b.number(typ, limit), t.ahead < 0) {
			return nil
		}
		start = b.add(ssa.OpAdd, typ, start, b.number(typ, t.ahead))
	}
	from, to := start, bound
	if falls {
		from, to = to, from
	}
	// Integers of 64 bits may differ by 2^63 and more, which is no signed number. If the smaller one is 0, such a
	// difference shows as a negative number; otherwise it must be known not to occur.
	if typ.Size() == 8 && !zero(from) && !b.holds(start, bound, falls) {
		return nil
	}
	n := t.steps(b, b.long(from), b.long(to))
	if len(b.known) == 0 {
		return n
	}
	all := b.known[0]
	for _, c := range b.known[1:] {
		all = b.add(ssa.OpAnd, ssa.TBool, all, c)
	}
	return b.add(ssa.OpSelect, ssa.TI64, all, n, b.number(ssa.TI64, 0))
}

// steps computes the number of values of the counter between two ones.
func (t *counterTest) steps(b *beforeLoop, from, to *ssa.Value) *ssa.Value {
	n := to
	if !zero(from) {
		n = b.add(ssa.OpSub, ssa.TI64, n, from)
	}
	if d := t.length(); d > 1 {
		if t.op == ssa.OpLt {
			n = b.add(ssa.OpAdd, ssa.TI64, n, b.number(ssa.TI64, d-1))
		}
		n = b.add(ssa.OpShr, ssa.TI64, n, b.number(ssa.TI64, int64(bits.TrailingZeros64(uint64(d)))))
	}
	if t.op == ssa.OpLe {
		n = b.add(ssa.OpAdd, ssa.TI64, n, b.number(ssa.TI64, 1))
	}
	return n
}

// longOf returns a constant as an integer of 64 bits.
func longOf(v *ssa.Value) int64 {
	return int64(numeric.ConvertBits(numeric.I64, false, numeric.RTZ, v.Type.K.Num(), v.ConstElem(0)))
}

// lessOrEqual reports whether a ≤ b for constants of one type.
func lessOrEqual(a, b *ssa.Value) bool {
	if !a.Type.K.Num().Signed() {
		return a.ConstElem(0) <= b.ConstElem(0)
	}
	return longOf(a) <= longOf(b)
}

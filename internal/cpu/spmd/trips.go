package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A loop over a row of elements is often written with an index or a pointer that begins and ends at different elements
// in each lane: for (k = i*w; k < i*w + w; k++), or while (p < end). All lanes have the same number of iterations,
// because begin and end differ by a uniform value. Such a loop gets a uniform test of its counter.
//
// The test is exact. If begin + n wraps, the lanes for which begin < begin + n holds have as many iterations as n has as
// an unsigned number, and the others have none. A branch before the loop separates them.

// A tripLoop is a loop whose test is to be replaced.
type tripLoop struct {
	*Plan
	l       *ssa.Loop
	before  *ssa.Block
	in      int        // index of the entering edge among the header's predecessors
	exit    *ssa.Block // the block after the loop
	test    *ssa.Value
	stays   int        // index of the header's successor in the loop
	ordered bool       // the test is an order, not an equality
	begin   *ssa.Value // the value that is compared, before the first iteration
	count   *ssa.Value // its growth since then, a phi
	n       *ssa.Value // end - begin
}

// countTrips replaces such tests, and reports whether it did.
func countTrips(p *Plan) (changed bool) {
	for _, l := range p.Loops.All {
		if h := l.Header; p.Split[h.ID] && h.Term().Op == ssa.OpBranch && len(h.Preds) == 2 {
			t := &tripLoop{Plan: p, l: l, before: entering(p, l), test: h.Term().Args[0]}
			if t.find() {
				t.replace()
				dropUnused(p.F, l.Blocks)
				p.Forms |= Trips
				changed = true
			}
		}
	}
	return changed
}

// find analyses the loop and its test.
func (t *tripLoop) find() bool {
	h := t.l.Header
	if !t.Loops.Contains(t.l, h.Succs[0]) {
		t.stays = 1
	}
	t.exit = h.Succs[1-t.stays]
	if t.Loops.Contains(t.l, h.Preds[0]) {
		t.in = 1
	}
	if len(t.test.Args) != 2 || t.test.Block != h || t.Loops.Contains(t.l, t.exit) || len(t.exit.Preds) != 1 || len(t.before.Succs) != 1 {
		return false
	}
	a, b := t.test.Args[0], t.test.Args[1]
	switch op := t.test.Op; {
	case op == ssa.OpLt && t.stays == 0:
		t.ordered = true
	case op == ssa.OpLe && t.stays == 1: // the loop ends if the end ≤ the counter
		t.ordered = true
		a, b = b, a
	case op == ssa.OpNe && t.stays == 0, op == ssa.OpEq && t.stays == 1:
		if !t.counter(a) {
			a, b = b, a
		}
	default:
		return false
	}
	return t.counter(a) && t.distance(b) && t.steps() && t.alone()
}

// counter reports whether v is the sum of an invariant value and a uniform counter from 0.
func (t *tripLoop) counter(v *ssa.Value) bool {
	if v.Op != ssa.OpAdd && v.Op != ssa.OpPtrAdd || v.Block != t.l.Header || v.Type.N != 1 {
		return false
	}
	t.begin, t.count = v.Args[0], v.Args[1]
	c := t.count
	return c.Op == ssa.OpPhi && c.Block == t.l.Header && !t.Varying[c.ID] && c.Type.K.Num().Size() >= 4 && zero(c.Args[t.in]) && t.invariant(t.begin)
}

func zero(v *ssa.Value) bool { return v.IsConst() && v.Type.N == 1 && v.ConstElem(0) == 0 }

// invariant reports whether v is computed before the loop.
func (t *tripLoop) invariant(v *ssa.Value) bool {
	return v.IsConst() || !t.Loops.Contains(t.l, v.Block)
}

// distance finds the uniform distance of the end from the begin.
func (t *tripLoop) distance(end *ssa.Value) bool {
	if !t.invariant(end) || len(end.Args) != 2 {
		return false
	}
	a, b := end.Args[0], end.Args[1]
	switch end.Op {
	case ssa.OpAdd, ssa.OpPtrAdd:
		if b == t.begin {
			a, b = b, a
		}
		if a == t.begin {
			t.n = b
		}
	case ssa.OpMul: // (i + 1) * w and i * w
		if m := t.begin; m.Op == ssa.OpMul && a.Op == ssa.OpAdd && b == m.Args[1] && a.Args[0] == m.Args[0] && a.Args[1].IsConst() && a.Args[1].ConstElem(0) == 1 {
			t.n = b
		}
	}
	return t.n != nil && !t.Varying[t.n.ID]
}

// steps reports whether the counter reaches the end exactly: it grows by a constant that divides the distance.
func (t *tripLoop) steps() bool {
	next := t.count.Args[1-t.in]
	if next.Op != ssa.OpAdd || next.Args[0] != t.count || !next.Args[1].IsConst() {
		return false
	}
	step := next.Args[1].ConstElem(0)
	return step > 0 && step <= 1<<16 && step&(step-1) == 0 && multiple(t.n, step, maxMoves)
}

// multiple reports whether an integer is certainly a multiple of n, a power of two.
func multiple(v *ssa.Value, n uint64, depth int) bool {
	if n == 1 {
		return true
	}
	if depth == 0 || v.Type.N != 1 || !isInt(v.Type.K) {
		return false
	}
	switch v.Op {
	case ssa.OpConst:
		return v.ConstElem(0)%n == 0
	case ssa.OpMul, ssa.OpShl:
		c := v.Args[1]
		if !c.IsConst() {
			return v.Op == ssa.OpMul && (multiple(v.Args[0], n, depth-1) || multiple(c, n, depth-1))
		}
		by := c.ConstElem(0)
		if v.Op == ssa.OpMul {
			by = uint64(bits.TrailingZeros64(by))
		}
		return by < 32 && multiple(v.Args[0], max(n>>by, 1), depth-1)
	case ssa.OpAdd, ssa.OpSub:
		return multiple(v.Args[0], n, depth-1) && multiple(v.Args[1], n, depth-1)
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat && isInt(v.Args[0].Type.K) && v.Args[0].Type.K.Num().Size() >= 4 && multiple(v.Args[0], n, depth-1)
	case ssa.OpBitcast, ssa.OpCopy:
		return multiple(v.Args[0], n, depth-1)
	}
	return false
}

// alone reports whether the loop ends at its header only, lanes need not be together in it, and the values that are used
// after it are known if it has no iterations.
func (t *tripLoop) alone() bool {
	for _, b := range t.l.Blocks {
		for _, s := range b.Succs {
			if b != t.l.Header && !t.Loops.Contains(t.l, s) {
				return false
			}
		}
		for _, v := range b.Values {
			if v.Op.Has(ssa.Convergent) || v.Op.Has(ssa.SideEffect) && v.Op != ssa.OpStore && !v.Op.Has(ssa.Terminator) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(t.exit.Phis(), func(v *ssa.Value) bool { return t.first(v.Args[0]) == nil })
}

// first returns the value of v in the first execution of the header, nil if it is not known.
func (t *tripLoop) first(v *ssa.Value) *ssa.Value {
	switch {
	case t.invariant(v):
		return v
	case v.Op == ssa.OpPhi && v.Block == t.l.Header:
		return v.Args[t.in]
	case (v.Op == ssa.OpAdd || v.Op == ssa.OpPtrAdd) && v.Args[1].Op == ssa.OpPhi && v.Block == t.l.Header && t.invariant(v.Args[0]):
		if zero(v.Args[1].Args[t.in]) {
			return v.Args[0]
		}
	}
	return nil
}

// replace makes the test uniform. The counter becomes unsigned.
func (t *tripLoop) replace() {
	f, h, c, test := t.F, t.l.Header, t.count, t.test
	k := ssa.U32
	if c.Type.K.Num().Size() == 8 {
		k = ssa.U64
	}
	n, to := t.n, ssa.Scalar(k)
	number := func(b *ssa.Block, v *ssa.Value) *ssa.Value {
		if v.Type == to {
			return v
		}
		return b.InsertBeforeTerm(f.NewValue(ssa.OpBitcast, to, v.Pos, v))
	}
	n = number(t.before, n)
	if c.Type != to {
		start, step := f.InsertEntry(f.NewConst(to, 0)), f.InsertEntry(f.NewConst(to, c.Args[1-t.in].Args[1].ConstElem(0)))
		phi := h.InsertAt(0, f.NewValue(ssa.OpPhi, to, c.Pos, start, start))
		old := c.Args[1-t.in]
		phi.Args[1-t.in] = old.Block.InsertAt(slices.Index(old.Block.Values, old)+1, f.NewValue(ssa.OpAdd, to, old.Pos, phi, step))
		h.Remove(c)
		same := h.InsertAt(len(h.Phis()), f.NewValue(ssa.OpBitcast, c.Type, c.Pos, phi))
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				for i, a := range v.Args {
					if a == c {
						v.Args[i] = same
					}
				}
			}
		}
		c = phi
	}
	op, args := ssa.OpLt, []*ssa.Value{c, n}
	if t.stays == 1 {
		op, args = ssa.OpLe, []*ssa.Value{n, c}
	}
	h.Term().SetArgs(h.InsertBeforeTerm(f.NewValue(op, ssa.TBool, test.Pos, args...)))
	if t.ordered {
		t.enter()
	}
}

// enter puts a branch before the loop by the test's first result.
func (t *tripLoop) enter() {
	f, b, h := t.F, t.before, t.l.Header
	for _, v := range t.exit.Phis() {
		v.Args = append(slices.Clip(v.Args), t.first(v.Args[0]))
	}
	args := []*ssa.Value{t.begin, t.test.Args[1]}
	if t.stays == 1 {
		args = []*ssa.Value{t.test.Args[0], t.begin}
	}
	pos := t.test.Pos
	b.Remove(b.Term())
	any := b.Append(f.NewValue(t.test.Op, ssa.TBool, pos, args...))
	b.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, pos, any))
	t.exit.Preds = append(slices.Clip(t.exit.Preds), b)
	b.Succs = []*ssa.Block{h, t.exit}
	if t.stays == 1 {
		b.Succs = []*ssa.Block{t.exit, h}
	}
}

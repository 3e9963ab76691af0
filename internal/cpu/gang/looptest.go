package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The bounds test before a loop (package spmd, inside.go): blocks between the end of an SSA block and the copy of the
// loop without checks. An access of the loop adds a range to the test; the blocks are built at the end, when all ranges
// are known.

// A loopTest is the test of an OpInside before a loop.
type loopTest struct {
	v      *ssa.Value
	rounds Reg    // iterations minus 1, an i64
	last   *Block // the block that the test extends
	no     *Block // where control goes if the test fails
	ranges []testedRange
}

// A testedRange is the bytes of a root that a loop's accesses may need, relative to a sum of terms that grows by the
// same amount in each iteration.
type testedRange struct {
	loop      *lanes.TestedLoop
	root      int
	write     bool
	terms     []*ssa.Value
	by        lanes.Step
	shift     int // if not 0: the only term and its growth count elements of 1<<shift bytes
	low, high int64
}

// inside begins the test before a loop. An OpInside before a block is built by testBlock.
func (b *accesses) inside(v *ssa.Value) {
	if v.Aux == ssa.InsideLoop {
		b.tests = append(b.tests, &loopTest{v: v, rounds: b.plus(i64, b.scalar(v.Args[0], 0), -1)})
	}
}

// testOf returns the test of an OpInside before a loop.
func (b *accesses) testOf(v *ssa.Value) *loopTest {
	return b.tests[slices.IndexFunc(b.tests, func(t *loopTest) bool { return t.v == v })]
}

// maxRounds bounds the iterations of a tested loop, so that the growth of an offset fits into 64 bits.
const maxRounds = 1<<31 - 1

// testLoop ends an SSA block with the test before a loop: control goes to yes if it succeeds, else to no.
func (b *accesses) testLoop(v *ssa.Value, yes, no *Block) {
	t := b.testOf(v)
	few := b.each(ssa.OpBitcast, idType, 0, t.rounds)
	t.last, t.no = b.cur, no
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(few, b.constant(idType, maxRounds))}, yes, no)
}

// checkedBefore adds an access to the test before its loop. It returns false if it cannot: the access's offset
// in the first iteration must be computable from scalars.
func (b *accesses) checkedBefore(w *fastPath, c *lanes.Check) bool {
	if slices.ContainsFunc(w.Terms, func(o *ssa.Value) bool { return !b.repeats(o, c.Loop) }) {
		return false
	}
	at := w.Disp + w.Low
	r := testedRange{loop: c.Loop, root: w.root, write: w.Write, terms: w.Terms, by: c.Sum, low: at, high: at + w.Bytes}
	if of, shift, ok := b.scaled(&w.Access); ok && c.Sum.V == nil && (c.Sum.K|at)&(1<<shift-1) == 0 {
		r.terms, r.shift, r.by.K = []*ssa.Value{of}, shift, c.Sum.K>>shift
	}
	t := b.testOf(c.Loop.Test)
	for k := range t.ranges {
		x := &t.ranges[k]
		if x.root != r.root || x.write != r.write || x.by != r.by || x.shift != r.shift {
			continue
		}
		by, ok := int64(0), slices.Equal(x.terms, r.terms)
		if !ok && r.shift == 0 && !b.patterns.MayBeLarge(w.Root) {
			by, ok = distance(x.terms, r.terms)
		}
		if ok {
			x.low, x.high = min(x.low, r.low+by), max(x.high, r.high+by)
			return true
		}
	}
	t.ranges = append(t.ranges, r)
	return true
}

// finishTests builds the tests before loops.
func (b *accesses) finishTests() {
	for _, t := range b.tests {
		if len(t.ranges) > 0 {
			t.finish(b)
		}
	}
	if len(b.tests) > 0 {
		for k, x := range b.f.Blocks {
			x.ID = k
		}
	}
}

// finish builds the test, between its last block and that block's first successor.
func (t *loopTest) finish(b *accesses) {
	at := slices.Index(b.f.Blocks, t.last) + 1
	rest := slices.Clone(b.f.Blocks[at:])
	b.f.Blocks, b.loop, b.pos, b.here = b.f.Blocks[:at], t.last.Loop, t.v.Pos, nil
	first, yes := b.newBlock(t.last.Depth, t.last.Cold), t.last.Succs[0]
	t.last.Succs[0] = first
	b.place(first)
	e := loopEnds{accesses: b, test: t, entry: map[*ssa.Value]Reg{}, zeroExtended: map[*ssa.Value]Reg{}, grows: map[lanes.Step]Reg{}, lasts: map[lastSum]Reg{}, tested: map[offsetAt]bool{}}
	for k := range t.ranges {
		e.check(&t.ranges[k])
	}
	b.f.Blocks = append(b.f.Blocks, rest...)
	b.jump(yes)
	if b.alone() {
		t.strip(b, first)
	}
}

// loopEnds builds the conditions of a test: ranges are in bounds in the first and in the last iteration.
type loopEnds struct {
	*accesses
	test         *loopTest
	entry        map[*ssa.Value]Reg // the values of the first iteration
	zeroExtended map[*ssa.Value]Reg // those of entry of 32 bits, extended with zeros
	grows        map[lanes.Step]Reg // growth in all iterations together
	lasts        map[lastSum]Reg
	tested       map[offsetAt]bool // the offsets that are tested not to be negative
}

// A lastSum is the sum of a register and of growth in all iterations.
type lastSum struct {
	base Reg
	by   lanes.Step
}

// An offsetAt is an offset at a distance from a register.
type offsetAt struct {
	r  Reg
	at int64
}

// check builds the conditions of a range. The larger of two offsets is in bounds only if it is positive. So if the
// smaller one is not negative, only the larger one is compared with the size.
func (e *loopEnds) check(x *testedRange) {
	low := x.low >> x.shift
	base, positive := e.base(x)
	first := offsetAt{base, low}
	last := offsetAt{e.last(base, x.by), low}
	switch {
	case x.by.V != nil:
		e.fits(x, first)
		e.fits(x, last)
	case x.by.K < 0:
		e.fits(x, first)
		e.notNegative(last)
	default:
		if !positive || low < 0 {
			e.notNegative(first)
		}
		e.fits(x, last)
	}
}

// base returns the sum of a range's terms in the first iteration. positive says that it is never negative.
func (e *loopEnds) base(x *testedRange) (sum Reg, positive bool) {
	if x.shift > 0 {
		if v := narrowNumber(x.terms[0]); v != nil {
			if e.zeroExtended[v] == 0 {
				e.zeroExtended[v] = e.extended(v, e.onEntry(v, x.loop, e.entry))
			}
			return e.zeroExtended[v], true
		}
	}
	return e.plus(i64, e.firstOffset(x.terms, x.loop, e.entry), 0), false
}

// last returns a sum in the last iteration.
func (e *loopEnds) last(base Reg, by lanes.Step) Reg {
	k := lastSum{base, by}
	if e.lasts[k] == 0 {
		e.lasts[k] = e.each(ssa.OpAdd, i64, 0, base, e.grown(by))
	}
	return e.lasts[k]
}

// grown returns the growth of a sum from the first to the last iteration.
func (e *loopEnds) grown(by lanes.Step) Reg {
	if r := e.grows[by]; r != 0 {
		return r
	}
	r := e.test.rounds
	if by.V != nil || by.K != 1 {
		n := e.accesses.growth(by)
		if by.V != nil {
			// Both factors have 32 bits, so that their product does not overflow.
			cut := e.each(ssa.OpConvert, i64, 0, e.each(ssa.OpConvert, i32, 0, n))
			e.unless(e.holds(ssa.OpEq, cut, n), e.test.no)
		}
		r = e.each(ssa.OpMul, i64, 0, n, r)
	}
	e.grows[by] = r
	return r
}

// fits tests that a range is in bounds of its root at an offset.
func (e *loopEnds) fits(x *testedRange, at offsetAt) {
	i := Inst{Op: OpCheck, Root: int32(x.root), Args: e.regs(e.plus(i64, at.r, at.at)), Size: int32(x.high - x.low), Write: x.write}
	if x.shift > 0 {
		i.Scale = 1 << x.shift
	}
	e.unless(check{i, 1}, e.test.no)
}

// notNegative tests that an offset is not negative.
func (e *loopEnds) notNegative(x offsetAt) {
	if !e.tested[x] {
		e.tested[x] = true
		e.unless(check{Inst{Op: OpBranch, Each: ssa.OpLt, Args: e.regs(e.plus(i64, x.r, x.at), e.constant(i64, 0))}, 0}, e.test.no)
	}
}

package ptx

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Innermost counted loops are emitted twice (loop versioning). Before such a loop, the code computes an upper bound
// of its trip count. For each access whose address changes by equal steps, it tests that the first and the last
// address lie in the object. If all do, the fast copy runs: it has no checks of these accesses and does not count
// rounds. Both copies leave their results in the same registers.

// Limits of loops that have a fast copy.
const (
	maxTrips    = 1 << 20 // iterations between polls of the host
	maxTripStep = 1 << 10
	maxLoopSize = 300 // elements of the loop's values
	maxProved   = 32  // accesses
	// maxOffsetStep bounds the steps of offsets, so that their products with trip counts fit in 64 bits.
	maxOffsetStep = 1 << 39
)

// A fastLoop is a loop with a fast copy.
type fastLoop struct {
	*ssa.Loop
	test      tripTest
	proved    []provedAccess
	unchecked int                 // accesses, of code without checks
	skips     map[*ssa.Value]bool // accesses without a check in the copy
	left      string              // register of the number of iterations left, "" if there is no copy for four (fours.go)
}

// A provedAccess is an access whose pointer changes by equal steps.
type provedAccess struct {
	v     *ssa.Value
	size  int64
	write bool
	index *index // an index, whose number changes by equal steps; nil: the offset does
	step  step   // set where the loop is entered
	reg   string // holds the step in the copy for four iterations: both copies of the block before the loop enter that
}

// versions selects the loops and blocks that are emitted several times. It emits the tests at their entries, which choose
// the copy that runs.
type versions struct {
	values
	fastLoops map[*ssa.Block]*fastLoop // by header
}

// findFastLoops selects the loops that get a fast copy.
func (g *versions) findFastLoops() {
	g.fastLoops = map[*ssa.Block]*fastLoop{}
	for _, l := range g.flow.Loops.All {
		if x := g.fastLoop(l); x != nil {
			g.fastLoops[l.Header] = x
		}
	}
}

// fastLoopOf returns the innermost loop around b if it has a fast copy, else nil.
func (g *versions) fastLoopOf(b *ssa.Block) *fastLoop {
	if l := g.flow.Loops.Of(b); l != nil {
		return g.fastLoops[l.Header]
	}
	return nil
}

// fastLoop returns the fast copy of a loop, nil if it should have none.
func (g *versions) fastLoop(l *ssa.Loop) *fastLoop {
	if g.flow.Loops.Irreducible || g.masks != nil { // a sub-group's work-items must meet at one instruction
		return nil
	}
	x := &fastLoop{Loop: l, skips: map[*ssa.Value]bool{}}
	size := 0
	for _, b := range l.Blocks {
		if g.flow.Loops.Of(b) != l {
			return nil // the loop contains another one
		}
		for _, v := range b.Values {
			size += int(max(v.Type.N, 1))
			if v.Op.Has(ssa.Convergent) || v.Op == ssa.OpPrintf {
				return nil
			}
		}
	}
	var ok bool
	if x.test, ok = g.tripTest(l); !ok || size > maxLoopSize {
		return nil
	}
	for _, b := range l.Blocks {
		g.facts.enter(b)
		for _, v := range b.Values {
			if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
				g.prove(x, v)
			}
		}
	}
	if g.byFours(x, size) {
		x.left = g.reg(b32)
	}
	return x
}

// prove adds an access to the unchecked ones if its address changes by equal steps.
func (g *versions) prove(x *fastLoop, v *ssa.Value) {
	p := v.Args[0]
	r := g.roots[p.ID]
	t, write := v.Type, v.Op == ssa.OpStore
	if write {
		t = v.Args[1].Type
	}
	size := int64(t.Size())
	align := granted(v.Aux, t)
	have := int64(0)
	if r != nil {
		have = min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7))
	}
	if g.opts.Unchecked || g.facts.assumed[v] {
		x.unchecked++
		return
	}
	if r == nil || have < align || len(x.proved) >= maxProved || g.facts.inBounds(r, p, size, write) {
		return
	}
	a := provedAccess{v: v, size: size, write: write}
	if i, ok := g.indexOf(p); ok && i.val != nil {
		if _, ok := g.stepOf(x.Loop, i.val, 0, false); !ok || !g.evaluable(x.Loop, i.val, 0) {
			return
		}
		a.index = &i
	} else if s, ok := g.stepOf(x.Loop, p, 0, false); !ok || !g.evaluable(x.Loop, p, 0) || s.number >= maxOffsetStep || s.number <= -maxOffsetStep {
		return
	}
	x.proved = append(x.proved, a)
	x.skips[v] = true
}

// evaluable reports whether entryValue can compute v.
func (g *versions) evaluable(l *ssa.Loop, v *ssa.Value, depth int) bool {
	if !g.inLoop(l, v) || v.Op == ssa.OpPhi && v.Block == l.Header {
		return true
	}
	if depth > maxStepDepth || v.Op == ssa.OpPhi {
		return false
	}
	for _, a := range v.Args {
		if !g.evaluable(l, a, depth+1) {
			return false
		}
	}
	return true
}

// entryValue emits a value's first-iteration value before the loop, and the offset for a pointer. It accepts the
// ops that stepOf accepts.
func (g *versions) entryValue(l *ssa.Loop, v *ssa.Value) string {
	if !g.inLoop(l, v) || v.Op == ssa.OpPhi {
		return g.raw(v, 0)
	}
	c, t := b32, "32"
	if wide(v.Type.K) {
		c, t = b64, "64"
	}
	a := make([]string, len(v.Args))
	for i := range a {
		a[i] = g.entryValue(l, v.Args[i])
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpPtrAdd:
		return g.set(c, "add.s"+t, a...)
	case ssa.OpSub:
		return g.set(c, "sub.s"+t, a...)
	case ssa.OpMul:
		return g.set(c, "mul.lo.s"+t, a...)
	case ssa.OpShl:
		return g.shifted(c, a[0], fmt.Sprint(v.Args[1].Bits[0]))
	}
	if wide(v.Type.K) && !wide(v.Args[0].Type.K) {
		return g.extended(v.Args[0].Type.K, a[0])
	}
	return a[0] // a copy or a bitcast
}

// enterFast emits, before a loop, the tests that choose its fast copy, and the branch to that.
func (g *versions) enterFast(x *fastLoop) {
	var all allOf
	need := func(ok string) { all.add(&g.emitter, ok) }
	trips := g.trips(x, need)
	last := [2]string{g.set(b32, "sub.s32", trips, "1"), trips} // iterations before the last one of the body, and of the header
	for i := range x.proved {
		a := &x.proved[i]
		n := last[0]
		if a.v.Block == x.Header {
			n = last[1]
		}
		g.proveAccess(x, a, n, &all)
	}
	slow := all.branch(&g.emitter)
	g.keepSteps(x)
	g.emit("sub.s32 %%rounds, %%rounds, %s", trips)
	to := g.enterFours(x, trips)
	g.emit("@%s bra %s", g.set(pred, "setp.gt.s32", "%rounds", "0"), to)
	g.emit("bra %s", g.pollHost(to))
	g.mark(slow)
}

// keepSteps emits moves of the steps of proved accesses to the registers in which the copy for four iterations expects
// them.
func (g *versions) keepSteps(x *fastLoop) {
	for i := range x.proved {
		a := &x.proved[i]
		if x.left == "" || a.step.reg == "" {
			continue
		}
		c := b64
		if a.step.scale != 0 {
			c = b32
		}
		if a.reg == "" {
			a.reg = g.reg(c)
		}
		g.emit("mov.%s %s, %s", classTypes[c], a.reg, a.step.reg)
		a.step.reg = a.reg
	}
}

func fastLabel(b *ssa.Block) string { return fmt.Sprint("$F", b.ID) }

// trips emits an upper bound of the body's trip count, from 1 to maxTrips, in a 32-bit register.
func (g *versions) trips(x *fastLoop, need func(ok string)) string {
	t := &x.test
	e := unextended(t.expr)
	first, bound := g.entryValue(x.Loop, e), g.elem(t.bound, 0)
	by, from, to := t.step, first, bound
	if by < 0 {
		by, from, to = -by, bound, first
	}
	if k := e.Type.K; !wide(k) && k == t.bound.Type.K && !t.ne && !t.equal {
		return g.shortTrips(x, k, by, from, to, need)
	}
	first, bound = g.extended(e.Type.K, first), g.extended(t.bound.Type.K, bound)
	from, to = first, bound
	if t.step < 0 {
		from, to = bound, first
	}
	for _, y := range []struct {
		k ssa.Kind
		x string
	}{{e.Type.K, first}, {t.bound.Type.K, bound}} {
		switch y.k { // the difference below must not wrap
		case ssa.I64:
			need(g.set(pred, "setp.lt.u64", g.set(b64, "add.s64", y.x, fmt.Sprint(int64(1)<<61)), fmt.Sprint(int64(1)<<62)))
		case ssa.U64:
			need(g.set(pred, "setp.lt.u64", y.x, fmt.Sprint(int64(1)<<61)))
		}
	}
	left := g.set(b64, "sub.s64", to, from)
	if t.equal && !t.ne {
		left = g.set(b64, "add.s64", left, "1")
	}
	need(g.set(pred, "setp.lt.u64", g.set(b64, "sub.s64", left, "1"), fmt.Sprint(maxTrips*by)))
	trips := g.quotient(g.set(b32, "cvt.u32.u64", left), by)
	// The counter after the last iteration must not have wrapped.
	after := g.set(b64, "mad.lo.s64", g.set(b64, "cvt.u64.u32", trips), fmt.Sprint(t.step), first)
	switch e.Type.K {
	case ssa.I32:
		need(g.set(pred, "setp.lt.u64", g.set(b64, "add.s64", after, fmt.Sprint(int64(1)<<31)), fmt.Sprint(int64(1)<<32)))
	case ssa.U32:
		need(g.set(pred, "setp.lt.u64", after, fmt.Sprint(int64(1)<<32)))
	}
	return trips
}

// shortTrips is trips for a counter of 32 bits that goes from a number to a greater one of its kind k, or back, by steps
// of size by.
func (g *versions) shortTrips(x *fastLoop, k ssa.Kind, by int64, from, to string, need func(ok string)) string {
	need(g.set(pred, "setp.lt."+intType(k), from, to))
	left := g.set(b32, "sub.s32", to, from)
	need(g.set(pred, "setp.le.u32", left, fmt.Sprint(maxTrips*by)))
	if by > 1 { // the counter after the last iteration must not have wrapped
		least, most := kindInterval(k).lo, kindInterval(k).hi
		if x.test.step > 0 {
			need(g.set(pred, "setp.le."+intType(k), to, fmt.Sprint(most-by)))
		} else {
			need(g.set(pred, "setp.ge."+intType(k), from, fmt.Sprint(least+by)))
		}
	}
	return g.quotient(left, by)
}

// quotient emits a 32-bit number divided by a positive number, rounded up.
func (g *versions) quotient(n string, by int64) string {
	if by == 1 {
		return n
	}
	return g.set(b32, "div.u32", g.set(b32, "add.u32", n, fmt.Sprint(by-1)), fmt.Sprint(by))
}

// proveAccess emits the comparisons of the first and the last address of an access with its object; n is the number
// of iterations between them.
func (g *versions) proveAccess(x *fastLoop, a *provedAccess, n string, all *allOf) {
	p := a.v.Args[0]
	r := g.roots[p.ID]
	within := func(at, limit string) { all.add(&g.emitter, g.set(pred, "setp.lt.u64", at, limit)) }
	if a.index == nil {
		limit := g.limitOf(r, Limit{Write: a.write, Wide: true, Size: a.size, Scale: 1})
		first := g.entryValue(x.Loop, p)
		within(first, limit)
		s, _ := g.stepOf(x.Loop, p, 0, true)
		a.step = s
		if s == (step{}) {
			return
		}
		if s.reg != "" {
			within(g.set(b64, "add.s64", s.reg, fmt.Sprint(int64(maxOffsetStep))), fmt.Sprint(2*int64(maxOffsetStep)))
		}
		within(g.set(b64, "mad.lo.s64", g.set(b64, "cvt.u64.u32", n), s.operand(), first), limit)
		return
	}
	i := a.index
	s, _ := g.stepOf(x.Loop, i.val, 0, true)
	s.number = int64(int32(s.number))
	a.step = s
	a.step.scale = i.scale
	first := g.entryValue(x.Loop, i.val)
	lo, end, _ := i.bounds()
	if s.reg == "" && max(s.number, -s.number) <= maxDistance/(2*maxTrips) && lo >= -maxDistance {
		g.proveShort(a, first, n, all)
		return
	}
	limit := g.limitOf(r, Limit{Write: a.write, Size: a.size, Scale: i.scale, Disp: i.disp, Lo: lo, End: end})
	if strings.HasPrefix(limit, "%") {
		limit = g.set(b64, "cvt.u64.u32", limit)
	}
	first = g.extended(i.val.Type.K, first)
	if lo != 0 {
		first = g.set(b64, "sub.s64", first, fmt.Sprint(lo))
	}
	within(first, limit)
	if s.reg != "" {
		s.reg = g.set(b64, "cvt.s64.s32", s.reg)
	}
	within(g.set(b64, "mad.lo.s64", g.set(b64, "cvt.u64.u32", n), s.operand(), first), limit)
}

// proveShort is proveAccess for an index that moves by less than maxDistance. Limits stay so far below the point where
// numbers wrap that 32 bits suffice.
func (g *versions) proveShort(a *provedAccess, first, n string, all *allOf) {
	i := a.index
	lo, end, _ := i.bounds()
	limit := g.limitOf(g.roots[a.v.Args[0].ID], Limit{Write: a.write, Size: a.size, Scale: i.scale, Disp: i.disp, Lo: lo, End: end - maxDistance})
	if lo != 0 {
		first = g.set(b32, "sub.s32", first, fmt.Sprint(lo))
	}
	all.less(first, limit)
	if a.step.number != 0 {
		all.less(g.set(b32, "mad.lo.s32", n, fmt.Sprint(a.step.number), first), limit)
	}
}

package ptx

import (
	"fmt"
	"math"
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

// A tripTest is the condition at a loop's header that keeps work-items in the loop: expr < bound if step is
// positive, expr > bound if it is negative, or with equality if equal is set. If ne is set, the condition is expr
// != bound.
type tripTest struct {
	expr, bound *ssa.Value
	step        int64
	equal, ne   bool
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

// versions emits the fast copies of a generator's kernel.
type versions struct {
	*generator
	// counting is set while a loop's test is searched for. The test must not depend on steps that are derived from
	// it.
	counting bool
}

// findFastLoops selects the loops that get a fast copy.
func (g versions) findFastLoops() {
	g.fastLoops = map[*ssa.Block]*fastLoop{}
	for _, l := range g.flow.Loops.All {
		if x := g.fastLoop(l); x != nil {
			g.fastLoops[l.Header] = x
		}
	}
}

// fastLoop returns the fast copy of a loop, nil if it should have none.
func (g versions) fastLoop(l *ssa.Loop) *fastLoop {
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

// tripTest returns the test at a loop's header; ok is false if it has no usable form.
func (g versions) tripTest(l *ssa.Loop) (t tripTest, ok bool) {
	end := l.Header.Term()
	if end.Op != ssa.OpBranch {
		return t, false
	}
	g.counting = true
	in0, in1 := g.flow.Loops.Contains(l, l.Header.Succs[0]), g.flow.Loops.Contains(l, l.Header.Succs[1])
	if in0 == in1 {
		return t, false
	}
	return g.stays(l, end.Args[0], in0)
}

// stays matches a condition that, if its value is holds, keeps work-items in the loop. Of a conjunction it returns
// the first part that matches.
func (g versions) stays(l *ssa.Loop, c *ssa.Value, holds bool) (t tripTest, ok bool) {
	if both := c.Op == ssa.OpAnd && holds || c.Op == ssa.OpOr && !holds; both && c.Type.K == ssa.Bool && c.Type.N == 1 {
		if t, ok = g.stays(l, c.Args[0], holds); !ok {
			t, ok = g.stays(l, c.Args[1], holds)
		}
		return t, ok
	}
	if c.Type.N != 1 || len(c.Args) != 2 || !counts(c.Args[0].Type.K) {
		return t, false
	}
	a, b := c.Args[0], c.Args[1]
	less, equal, swap := false, false, false
	switch c.Op { // match a comparison that holds while a is less than b
	case ssa.OpLt:
		less = true
	case ssa.OpLe:
		less, equal = true, true
	case ssa.OpNe, ssa.OpEq:
		t.ne = true
	default:
		return t, false
	}
	if t.ne && (c.Op == ssa.OpNe) != holds {
		return t, false // the loop continues while they are equal
	}
	if less && !holds { // !(a < b) is b <= a
		equal, swap = !equal, true
	}
	if swap {
		a, b = b, a
	}
	t.equal = equal
	for _, way := range []struct {
		expr, bound *ssa.Value
		up          bool
	}{{a, b, true}, {b, a, false}} {
		if g.inLoop(l, way.bound) {
			continue
		}
		s, isConst := g.constStep(l, unextended(way.expr))
		if !isConst || s == 0 || s > maxTripStep || s < -maxTripStep {
			continue
		}
		if t.ne && (s == 1 || s == -1) || !t.ne && (s > 0) == way.up {
			t.expr, t.bound, t.step = way.expr, way.bound, s
			return t, true
		}
	}
	return t, false
}

// counts reports whether a loop counter may have kind k.
func counts(k ssa.Kind) bool {
	return k == ssa.I32 || k == ssa.U32 || k == ssa.I64 || k == ssa.U64
}

// unextended returns the 32-bit integer that v extends, or v itself.
func unextended(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.OpCopy {
		v = v.Args[0]
	}
	if v.Op == ssa.OpConvert && wide(v.Type.K) && v.Type.N == 1 {
		if a := v.Args[0]; a.Type.K == ssa.I32 || a.Type.K == ssa.U32 {
			return a
		}
	}
	return v
}

// inLoop reports whether a value is computed in a loop.
func (g versions) inLoop(l *ssa.Loop, v *ssa.Value) bool {
	return v.Block != nil && g.flow.Loops.Contains(l, v.Block)
}

// A step is the change of a value from one iteration to the next: a number if reg is "", else the register. The
// step of a 32-bit value is modulo 2^32.
type step struct {
	number int64
	reg    string
	scale  int64 // of a provedAccess: the bytes of a unit of a 32-bit step; 0: the step is in bytes
}

// constStep returns a step that is a number.
func (g versions) constStep(l *ssa.Loop, v *ssa.Value) (int64, bool) {
	s, ok := g.stepOf(l, v, 0, false)
	return s.number, ok && s.reg == ""
}

// maxStepDepth bounds the depth of expressions that stepOf follows.
const maxStepDepth = 8

// stepOf returns the change of a value from one iteration to the next. It emits the code of steps in registers if
// emit is set; otherwise their register has a name without code.
func (g versions) stepOf(l *ssa.Loop, v *ssa.Value, depth int, emit bool) (s step, ok bool) {
	k := v.Type.K
	if v.Type.N != 1 || !counts(k) && !k.IsPtr() || depth > maxStepDepth {
		return s, false
	}
	if !g.inLoop(l, v) {
		return s, true
	}
	arg := func(i int) (step, bool) { return g.stepOf(l, v.Args[i], depth+1, emit) }
	switch v.Op {
	case ssa.OpPhi:
		return g.phiStep(l, v, emit)
	case ssa.OpCopy:
		return arg(0)
	case ssa.OpBitcast:
		if a := v.Args[0].Type; a.N == 1 && counts(a.K) && wide(a.K) == wide(k) {
			return arg(0)
		}
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		a := v.Args[0].Type.K
		switch {
		case sat || !counts(a) || wide(a) && !wide(k):
		case wide(a) == wide(k):
			return arg(0)
		case !g.counting: // only the value that the loop counts is known not to wrap
			if t, ok := g.tripTest(l); ok && unextended(t.expr) == v.Args[0] {
				return step{number: t.step}, true
			}
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, ok0 := arg(0)
		b, ok1 := arg(1)
		return g.sumStep(k, v.Op == ssa.OpSub, a, b, emit), ok0 && ok1
	case ssa.OpMul:
		for i := range 2 {
			if n := v.Args[i]; !g.inLoop(l, n) {
				s, ok := arg(1 - i)
				return g.timesStep(k, n, s, emit), ok
			}
		}
	case ssa.OpShl:
		if n := v.Args[1]; n.IsConst() && n.Bits[0] < 31 {
			s, ok := arg(0)
			if s.reg != "" {
				return g.regStep(k, emit, func(c class, t string) string { return g.set(c, "shl.b"+t[1:], s.reg, fmt.Sprint(n.Bits[0])) }), ok
			}
			return step{number: s.number << n.Bits[0]}, ok && smallStep(s.number)
		}
	}
	return s, false
}

// smallStep reports whether products of steps of this size fit in 64 bits.
func smallStep(n int64) bool { return n > -1<<30 && n < 1<<30 }

// signedConst returns an integer constant of 32 or 64 bits, read as signed.
func signedConst(v *ssa.Value) int64 {
	if wide(v.Type.K) {
		return int64(v.Bits[0])
	}
	return int64(int32(v.Bits[0]))
}

// regStep returns a step in a register, computed by do if emit is set.
func (g versions) regStep(k ssa.Kind, emit bool, do func(c class, t string) string) step {
	if !emit {
		return step{reg: "?"}
	}
	if wide(k) {
		return step{reg: do(b64, "s64")}
	}
	return step{reg: do(b32, "s32")}
}

func (s step) operand() string {
	if s.reg != "" {
		return s.reg
	}
	return fmt.Sprint(s.number)
}

func (g versions) sumStep(k ssa.Kind, minus bool, a, b step, emit bool) step {
	if a.reg == "" && b.reg == "" {
		if minus {
			return step{number: a.number - b.number}
		}
		return step{number: a.number + b.number}
	}
	return g.regStep(k, emit, func(c class, t string) string {
		name := "add."
		if minus {
			name = "sub."
		}
		return g.set(c, name+t, g.small(c, a), g.small(c, b))
	})
}

// small returns a step as an operand, also for 32-bit instructions.
func (g versions) small(c class, s step) string {
	if c == b32 && s.reg == "" {
		return fmt.Sprint(int32(s.number))
	}
	return s.operand()
}

func (g versions) timesStep(k ssa.Kind, n *ssa.Value, s step, emit bool) step {
	if s.reg == "" && s.number == 0 {
		return s
	}
	if s.reg == "" && n.IsConst() && smallStep(s.number) && smallStep(signedConst(n)) {
		return step{number: s.number * signedConst(n)}
	}
	return g.regStep(k, emit, func(c class, t string) string {
		return g.set(c, "mul.lo."+t, g.elem(n, 0), g.small(c, s))
	})
}

// phiStep returns the step of a phi at the loop's header to which every iteration adds the same number.
func (g versions) phiStep(l *ssa.Loop, v *ssa.Value, emit bool) (s step, ok bool) {
	if v.Block != l.Header {
		return s, false
	}
	var next *ssa.Value
	for i, p := range l.Header.Preds {
		if g.flow.Loops.Contains(l, p) {
			if next != nil && next != v.Args[i] {
				return s, false
			}
			next = v.Args[i]
		}
	}
	for next != nil && next.Op == ssa.OpCopy {
		next = next.Args[0]
	}
	if next == nil || next.Op != ssa.OpAdd && next.Op != ssa.OpSub && next.Op != ssa.OpPtrAdd {
		return s, false
	}
	for i := range 2 {
		n := next.Args[1-i]
		if next.Args[i] != v || g.inLoop(l, n) || i == 1 && next.Op != ssa.OpAdd {
			continue
		}
		if n.IsConst() {
			by := signedConst(n)
			if next.Op == ssa.OpSub {
				by = -by
			}
			return step{number: by}, smallStep(by)
		}
		return g.regStep(v.Type.K, emit, func(c class, t string) string {
			if next.Op == ssa.OpSub {
				return g.negated(c, g.elem(n, 0))
			}
			return g.set(c, "mov."+classTypes[c], g.elem(n, 0))
		}), true
	}
	return s, false
}

// prove adds an access to the unchecked ones if its address changes by equal steps.
func (g versions) prove(x *fastLoop, v *ssa.Value) {
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
	if g.o.Unchecked {
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
func (g versions) evaluable(l *ssa.Loop, v *ssa.Value, depth int) bool {
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
func (g versions) entryValue(l *ssa.Loop, v *ssa.Value) string {
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
		return g.set(c, "shl.b"+t, a[0], fmt.Sprint(v.Args[1].Bits[0]))
	}
	if wide(v.Type.K) && !wide(v.Args[0].Type.K) {
		return g.extended(v.Args[0].Type.K, a[0])
	}
	return a[0] // a copy or a bitcast
}

// extended returns a 64-bit register with an integer of kind k.
func (g versions) extended(k ssa.Kind, x string) string {
	switch k {
	case ssa.I32:
		return g.set(b64, "cvt.s64.s32", x)
	case ssa.U32:
		return g.set(b64, "cvt.u64.u32", x)
	}
	return x
}

// enterFast emits, before a loop, the tests that choose its fast copy, and the branch to that.
func (g versions) enterFast(x *fastLoop) {
	var all allOf
	need := func(ok string) { all.add(g, ok) }
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
	slow := all.branch(g)
	g.keepSteps(x)
	g.emit("sub.s32 %%rounds, %%rounds, %s", trips)
	to := g.enterFours(x, trips)
	g.emit("@%s bra %s", g.set(pred, "setp.gt.s32", "%rounds", "0"), to)
	g.emit("bra %s", g.pollHost(to))
	g.mark(slow)
}

// keepSteps emits moves of the steps of proved accesses to the registers in which the copy for four iterations expects
// them.
func (g versions) keepSteps(x *fastLoop) {
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

// copyLabel returns the label of a block in the copy that is emitted.
func (g *generator) copyLabel(b *ssa.Block) string {
	if g.fast.round > 0 {
		return roundLabel(g.fast.round, b)
	}
	return fastLabel(b)
}

// trips emits an upper bound of the body's trip count, from 1 to maxTrips, in a 32-bit register.
func (g versions) trips(x *fastLoop, need func(ok string)) string {
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
func (g versions) shortTrips(x *fastLoop, k ssa.Kind, by int64, from, to string, need func(ok string)) string {
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
func (g versions) quotient(n string, by int64) string {
	if by == 1 {
		return n
	}
	return g.set(b32, "div.u32", g.set(b32, "add.u32", n, fmt.Sprint(by-1)), fmt.Sprint(by))
}

// proveAccess emits the comparisons of the first and the last address of an access with its object; n is the number
// of iterations between them.
func (g versions) proveAccess(x *fastLoop, a *provedAccess, n string, all *allOf) {
	p := a.v.Args[0]
	r := g.roots[p.ID]
	within := func(at, limit string) { all.add(g, g.set(pred, "setp.lt.u64", at, limit)) }
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
func (g versions) proveShort(a *provedAccess, first, n string, all *allOf) {
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

// bounds returns the range lo ≤ x < end of an index in which accesses begin inside of the object, as far as the
// register's width allows; ok is false if lo does not fit in 32 bits.
func (x *index) bounds() (lo, end int64, ok bool) {
	lo, end = -(x.disp / x.scale), 1<<31
	if x.disp < 0 && x.disp%x.scale != 0 {
		lo++
	}
	if !x.signed {
		lo, end = max(lo, 0), 1<<32
	}
	return lo, end, lo >= math.MinInt32 && lo <= math.MaxInt32
}

// skips reports whether the access being emitted has no check.
func (g versions) skips() bool {
	return g.o.Unchecked || g.facts.assumed[g.now] || g.fast != nil && g.fast.skips[g.now]
}

// A fastCopy is a loop or block that is emitted for the second time.
type fastCopy struct {
	in     map[*ssa.Block]bool
	loop   bool                      // the copy is a loop: back edges lead to it
	skips  map[*ssa.Value]bool       // accesses without checks
	places map[*ssa.Value]groupPlace // of accesses of groups
	first  map[*ssa.Value]bool       // values that both copies share
	round  int                       // of a loop that is emitted several times, from 1 on
	fours  *foursCopy                // of the copy for four iterations
}

// copyFast emits the fast copy of blocks that have just been emitted; next is the block that follows in the text.
// Values that later code uses are moved to the registers of the first copy.
func (g versions) copyFast(x *fastCopy, blocks []*ssa.Block, next *ssa.Block) {
	x.in = map[*ssa.Block]bool{}
	for _, b := range blocks {
		x.in[b] = true
	}
	live := g.liveOut(x)
	kept := map[*ssa.Value][]string{}
	for _, b := range blocks {
		for _, v := range b.Values {
			if v.Op != ssa.OpPhi && !x.first[v] {
				kept[v] = g.vals[v.ID]
			}
		}
	}
	g.fast = x
	g.emitBlocks(blocks, next, func(v *ssa.Value) {
		c := classOf(v.Type.K)
		for i, to := range kept[v] {
			if from := g.vals[v.ID][i]; live[v] && from != to && strings.HasPrefix(to, "%") {
				g.emit("mov.%s %s, %s", classTypes[c], to, from)
			}
		}
	})
	g.fast = nil
	for v, list := range kept {
		g.vals[v.ID] = list
	}
}

// liveOut returns the values of the copied blocks that later code may use. Operands of pure values count as used,
// because addresses are computed again from the operands of their pointers.
func (g versions) liveOut(x *fastCopy) map[*ssa.Value]bool {
	live := map[*ssa.Value]bool{}
	var mark func(v *ssa.Value)
	mark = func(v *ssa.Value) {
		if live[v] || v.Block == nil || !x.in[v.Block] {
			return
		}
		live[v] = true
		if v.Op != ssa.OpPhi && v.Op.Has(ssa.Pure) {
			for _, a := range v.Args {
				mark(a)
			}
		}
	}
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			for i, a := range v.Args {
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if !x.in[at] {
					mark(a)
				}
			}
		}
	}
	return live
}

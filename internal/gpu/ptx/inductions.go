package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// inductions finds the values that change by equal steps from one iteration of a loop to the next, and the test that ends
// the loop. It emits the steps that are no constants.
type inductions struct {
	operandTable
	// counting is set while a loop's test is searched for. The test must not depend on steps that are derived from
	// it.
	counting bool
}

// A tripTest is the condition at a loop's header that keeps work-items in the loop: expr < bound if step is
// positive, expr > bound if it is negative, or with equality if equal is set. If ne is set, the condition is expr
// != bound.
type tripTest struct {
	expr, bound *ssa.Value
	step        int64
	equal, ne   bool
}

// tripTest returns the test at a loop's header; ok is false if it has no usable form.
func (g *inductions) tripTest(l *ssa.Loop) (t tripTest, ok bool) {
	end := l.Header.Term()
	if end.Op != ssa.OpBranch {
		return t, false
	}
	in0, in1 := g.flow.Loops.Contains(l, l.Header.Succs[0]), g.flow.Loops.Contains(l, l.Header.Succs[1])
	if in0 == in1 {
		return t, false
	}
	defer func(was bool) { g.counting = was }(g.counting)
	g.counting = true
	return g.stays(l, end.Args[0], in0)
}

// stays matches a condition that, if its value is holds, keeps work-items in the loop. Of a conjunction it returns
// the first part that matches.
func (g *inductions) stays(l *ssa.Loop, c *ssa.Value, holds bool) (t tripTest, ok bool) {
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

// A step is the change of a value from one iteration to the next: a number if reg is "", else the register. The
// step of a 32-bit value is modulo 2^32.
type step struct {
	number int64
	reg    string
	scale  int64 // of a provedAccess: the bytes of a unit of a 32-bit step; 0: the step is in bytes
}

// constStep returns a step that is a number.
func (g *inductions) constStep(l *ssa.Loop, v *ssa.Value) (int64, bool) {
	s, ok := g.stepOf(l, v, 0, false)
	return s.number, ok && s.reg == ""
}

// maxStepDepth bounds the depth of expressions that stepOf follows.
const maxStepDepth = 8

// stepOf returns the change of a value from one iteration to the next. It emits the code of steps in registers if
// emit is set; otherwise their register has a name without code.
func (g *inductions) stepOf(l *ssa.Loop, v *ssa.Value, depth int, emit bool) (s step, ok bool) {
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
				return regStep(k, emit, func(c class, t string) string { return g.set(c, "shl.b"+t[1:], s.reg, fmt.Sprint(n.Bits[0])) }), ok
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
func regStep(k ssa.Kind, emit bool, do func(c class, t string) string) step {
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

func (g *inductions) sumStep(k ssa.Kind, minus bool, a, b step, emit bool) step {
	if a.reg == "" && b.reg == "" {
		if minus {
			return step{number: a.number - b.number}
		}
		return step{number: a.number + b.number}
	}
	return regStep(k, emit, func(c class, t string) string {
		name := "add."
		if minus {
			name = "sub."
		}
		return g.set(c, name+t, a.of(c), b.of(c))
	})
}

// of returns the step as an operand of instructions of class c.
func (s step) of(c class) string {
	if c == b32 && s.reg == "" {
		return fmt.Sprint(int32(s.number))
	}
	return s.operand()
}

func (g *inductions) timesStep(k ssa.Kind, n *ssa.Value, s step, emit bool) step {
	if s.reg == "" && s.number == 0 {
		return s
	}
	if s.reg == "" && n.IsConst() && smallStep(s.number) && smallStep(signedConst(n)) {
		return step{number: s.number * signedConst(n)}
	}
	return regStep(k, emit, func(c class, t string) string {
		return g.set(c, "mul.lo."+t, g.elem(n, 0), s.of(c))
	})
}

// phiStep returns the step of a phi at the loop's header to which every iteration adds the same number.
func (g *inductions) phiStep(l *ssa.Loop, v *ssa.Value, emit bool) (s step, ok bool) {
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
		return regStep(v.Type.K, emit, func(c class, t string) string {
			if next.Op == ssa.OpSub {
				return g.negated(c, g.elem(n, 0))
			}
			return g.set(c, "mov."+classTypes[c], g.elem(n, 0))
		}), true
	}
	return s, false
}

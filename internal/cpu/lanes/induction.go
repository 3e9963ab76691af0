package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// Induction variables: the growth of integers and pointers per iteration of a loop.

// An Induction is a loop with one entering edge and one latch, and the steps of its values.
type Induction struct {
	*ssa.Loop
	In     int        // index of the entering edge among the header's predecessors
	Latch  *ssa.Block // nil if the loop has another form
	Before *ssa.Block // the entering edge's block

	f     *Facts
	steps map[*ssa.Value]Step
}

// Induction returns the induction of loop l. Its Latch is nil if l has another form.
func (f *Facts) Induction(l *ssa.Loop) *Induction {
	p := &Induction{Loop: l, f: f, steps: map[*ssa.Value]Step{}}
	if len(l.Header.Preds) != 2 || len(l.Latches) != 1 {
		return p
	}
	p.Latch = l.Latches[0]
	if l.Header.Preds[0] == p.Latch {
		p.In = 1
	}
	p.Before = l.Header.Preds[p.In]
	return p
}

// A Step is the growth of a value per iteration: K, or K times V. A narrow step belongs to a value extended
// from fewer bits, in which it may have wrapped.
type Step struct {
	OK     bool
	Narrow bool
	K      int64
	V      *ssa.Value
}

// maxNarrow bounds a narrow step, so that a sum that is still within an object has not wrapped.
const maxNarrow = 1 << 24

// Invariant reports whether v is the same in all iterations.
func (p *Induction) Invariant(v *ssa.Value) bool {
	return v.IsConst() || v.Block == nil || !p.f.Loops.Contains(p.Loop, v.Block)
}

// Step returns the step of v, which is uniform or counts with its first lane.
func (p *Induction) Step(v *ssa.Value) Step {
	if p.Invariant(v) {
		return Step{OK: true}
	}
	if s, ok := p.steps[v]; ok {
		return s
	}
	p.steps[v] = Step{} // in case of a cycle
	s := p.step(v)
	p.steps[v] = s
	return s
}

func (p *Induction) step(v *ssa.Value) Step {
	if p.f.varies(v) && p.f.Of(v).Shape != Affine || v.Type.N != 1 || !Scalar(v.Type.K) {
		return Step{}
	}
	switch v.Op {
	case ssa.OpPhi:
		if v.Block != p.Header || size(v.Type.K) < 4 {
			return Step{}
		}
		next := v.Args[1-p.In]
		if by := growth(v, next); by != nil && p.Invariant(by) && !p.f.varies(by) {
			return scaled(by, next.Op == ssa.OpSub)
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, b := p.Step(v.Args[0]), p.Step(v.Args[1])
		if v.Op == ssa.OpSub {
			b.K = -b.K
		}
		if size(v.Type.K) == 8 && (a.Narrow && !smallNarrow(v.Args[1]) || b.Narrow && !smallNarrow(v.Args[0])) {
			return Step{}
		}
		return a.Plus(b)
	case ssa.OpMul, ssa.OpShl:
		return p.product(v)
	case ssa.OpCopy, ssa.OpBitcast:
		if Scalar(v.Args[0].Type.K) && size(v.Args[0].Type.K) == size(v.Type.K) {
			return p.Step(v.Args[0])
		}
	case ssa.OpConvert:
		return p.conversion(v)
	}
	return Step{}
}

// product returns the step of a multiplication by an invariant value.
func (p *Induction) product(v *ssa.Value) Step {
	a, by := v.Args[0], v.Args[1]
	if v.Op == ssa.OpMul && p.Invariant(a) {
		a, by = by, a
	}
	if !p.Invariant(by) || p.f.varies(by) {
		return Step{}
	}
	s := p.Step(a)
	switch {
	case !s.OK:
		return Step{}
	case by.IsConst():
		f := signed(by)
		if v.Op == ssa.OpShl {
			f = 1 << (f & 63)
		}
		if f > MaxDisp || f < -MaxDisp {
			return Step{}
		}
		s.K *= f
		return s.bounded()
	case v.Op == ssa.OpMul && s.V == nil:
		return Step{OK: true, Narrow: s.Narrow, K: s.K, V: by}
	}
	return Step{}
}

// conversion returns the step of an extension.
func (p *Induction) conversion(v *ssa.Value) Step {
	a := v.Args[0]
	if sat, _ := ssa.ConvParts(v.Aux); sat || !a.Type.K.Num().IsInt() || !v.Type.K.Num().IsInt() || size(a.Type.K) < 4 || size(v.Type.K) < size(a.Type.K) {
		return Step{}
	}
	s := p.Step(a)
	if size(v.Type.K) > size(a.Type.K) && s.K != 0 {
		s.Narrow = true
		// An unsigned index below 0 is a large number; the extended descending value would be negative.
		if !a.Type.K.Num().Signed() && s.K < 0 {
			return Step{}
		}
	}
	return s
}

// scaled returns the step of a counter that grows by an invariant value in each iteration, or falls by it if negative is set.
func scaled(v *ssa.Value, negative bool) Step {
	s := Step{OK: true, K: 1, V: v}
	if v.IsConst() {
		s.K, s.V = signed(v), nil
	}
	if negative {
		s.K = -s.K
	}
	return s.bounded()
}

// signed returns a constant, of 32 bits sign-extended.
func signed(c *ssa.Value) int64 {
	if size(c.Type.K) == 4 {
		return int64(int32(c.ConstElem(0)))
	}
	return int64(c.ConstElem(0))
}

func (s Step) bounded() Step {
	s.OK = s.OK && s.K <= MaxDisp && s.K >= -MaxDisp
	return s
}

// Plus returns the step of a sum.
func (s Step) Plus(t Step) Step {
	switch {
	case !s.OK || !t.OK:
		return Step{}
	case s.K == 0:
		return t
	case t.K == 0:
		return s
	case s.V == t.V:
		s.K += t.K
		s.Narrow = s.Narrow || t.Narrow
		return s.bounded()
	}
	return Step{}
}

// OffsetStep returns the step of the sum of an address's terms, if it has a simple form. exact excludes a step
// that is wrong after a narrow index has wrapped.
func (p *Induction) OffsetStep(terms []*ssa.Value, exact bool) (sum Step, ok bool) {
	sum = Step{OK: true}
	for _, o := range terms {
		sum = sum.Plus(p.Step(o))
	}
	// Next to another term, an index that has wrapped might be in bounds again.
	if !sum.OK || sum.K == 0 || sum.Narrow && (exact || len(terms) > 1) {
		return sum, false
	}
	return sum, sum.V == nil || size(sum.V.Type.K) >= 4
}

// growth returns the value that next, the value of phi v after an iteration, adds to v; nil if there is none.
func growth(v, next *ssa.Value) *ssa.Value {
	switch next.Op {
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub:
		if next.Args[0] == v {
			return next.Args[1]
		}
		if next.Op == ssa.OpAdd && next.Args[1] == v {
			return next.Args[0]
		}
	}
	return nil
}

func smallNarrow(v *ssa.Value) bool {
	return v.IsConst() && int64(v.ConstElem(0)) <= maxNarrow && int64(v.ConstElem(0)) >= -maxNarrow
}

package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Divisions and square roots of floats whose flags permit a rounding error become the machine's estimate and a step
// of Newton's method. An estimate has a relative error of at most 2^-14, so that the error of a result is at most
// 2 ulp, within the specification's table for unsafe math optimizations (7.4): 2.5 ulp for quotients, 2 for inverse
// square roots, 3 for square roots. Numerators below 2^-100 get the estimate's error. Where the step gives NaN, which is so for zero and infinity, the result is the one
// without it.

// An estimator replaces operations of a plan's function.
type estimator struct {
	*Plan
	at  *ssa.Value // the operation to replace
	out []*ssa.Value
}

// estimates replaces divisions and square roots by estimates if the machine has them.
func estimates(s *state) (bool, error) {
	if !s.o.Estimates {
		return false, nil
	}
	p, _ := s.analysed()
	e := estimator{Plan: p}
	uses, inverted := e.F.UseCounts(nil), map[*ssa.Value]int32{}
	for _, b := range e.F.Blocks {
		for _, v := range b.Values {
			if root := inverse(v); root != nil {
				inverted[root]++
			}
		}
	}
	changed := false
	for _, b := range e.F.Blocks {
		e.out = e.out[:0]
		for _, v := range b.Values {
			e.at = v
			switch {
			case roughly(v, ssa.OpSqrt) && (inverted[v] < uses[v.ID] || uses[v.ID] == 0):
				e.root(v)
			case roughly(v, ssa.OpDiv):
				e.quotient(v)
			}
			e.out = append(e.out, v)
		}
		if len(e.out) > len(b.Values) {
			changed = true
			b.Values = slices.Clone(e.out)
		}
	}
	if !changed {
		return false, nil
	}
	return true, s.canonicalise()
}

// roughly reports whether v is an operation on floats that may have a rounding error.
func roughly(v *ssa.Value, op ssa.Op) bool {
	return v.Op == op && v.Type.K == ssa.F32 && v.Flags&ssa.Reassoc != 0
}

// inverse returns the square root s if v is 1/s, else nil.
func inverse(v *ssa.Value) *ssa.Value {
	if roughly(v, ssa.OpDiv) && isOne(v.Args[0]) && roughly(v.Args[1], ssa.OpSqrt) {
		return v.Args[1]
	}
	return nil
}

// isOne reports whether all elements of v are the float 1.
func isOne(v *ssa.Value) bool {
	v = v.Source()
	return v.IsConst() && !slices.ContainsFunc(v.Bits, func(x uint64) bool { return x != uint64(math.Float32bits(1)) })
}

// add inserts an operation before the one that an estimate replaces.
func (e *estimator) add(op ssa.Op, args ...*ssa.Value) *ssa.Value {
	t := e.at.Type
	if op == ssa.OpEq {
		t = t.With(ssa.Bool)
	}
	x := e.F.NewValue(op, t, e.at.Pos, args...)
	x.Block = e.at.Block
	e.follow(x, e.at)
	e.out = append(e.out, x)
	return x
}

// constant returns a constant of the type of the operation to replace.
func (e *estimator) constant(x float32) *ssa.Value {
	c := e.F.NewConst(e.at.Type, uint64(math.Float32bits(x)))
	c.Block = e.at.Block
	e.out = append(e.out, c)
	return c
}

// quotient replaces a division.
func (e *estimator) quotient(v *ssa.Value) {
	x, y := v.Args[0], v.Args[1]
	if inverse(v) != nil {
		x = y.Args[0]
		r := e.add(ssa.OpRsqrtEstimate, x)
		e.finish(e.refined(e.add(ssa.OpMul, x, r), r, r), r)
		return
	}
	r := e.add(ssa.OpRecipEstimate, y)
	q := r
	if !isOne(x) {
		q = e.add(ssa.OpMul, x, r)
	}
	rest := e.add(ssa.OpFNMA, y, q, x)
	e.finish(e.add(ssa.OpFMA, rest, r, q), q)
}

// root replaces a square root.
func (e *estimator) root(v *ssa.Value) {
	x := v.Args[0]
	r := e.add(ssa.OpRsqrtEstimate, x)
	s := e.add(ssa.OpMul, x, r)
	e.finish(e.refined(s, r, s), x)
}

// refined returns y with a step for the error of an inverse root r: s r is 1 then.
func (e *estimator) refined(s, r, y *ssa.Value) *ssa.Value {
	rest := e.add(ssa.OpFNMA, s, r, e.constant(1))
	half := e.add(ssa.OpMul, y, e.constant(0.5))
	return e.add(ssa.OpFMA, half, rest, y)
}

// finish makes the operation to replace a choice of y or, where y is NaN, other.
func (e *estimator) finish(y, other *ssa.Value) {
	v := e.at
	v.SetArgs(e.add(ssa.OpEq, y, y), y, other)
	v.Op, v.Flags = ssa.OpSelect, 0
}

package ptx

import "github.com/purecl/purecl/internal/ir/ssa"

// The nodes of phis in preconditions.

// phi returns the node of a phi.
func (x *rangeFinder) phi(v *ssa.Value) int32 {
	any := x.add(node{op: nodeAny, kind: v.Type.K})
	if x.open[v] {
		return any
	}
	if t, first, ok := x.counter(v); ok {
		if t.step == 1 {
			return x.add(node{op: nodeFrom, kind: v.Type.K, a: any, b: x.expr(first)})
		}
		return x.add(node{op: nodeSteps, kind: v.Type.K, a: x.expr(first), b: x.expr(t.bound), c: t.step})
	}
	// The phi is one of its operands. They may be numbers of an earlier iteration, for which the facts of this block do not hold.
	if x.choices += len(v.Args); x.choices > maxChoices {
		return any
	}
	here, memo := x.here, x.memo
	defer func() {
		x.here, x.memo = here, memo
		delete(x.open, v)
	}()
	x.here, x.memo, x.open[v] = nil, map[*ssa.Value]int32{}, true
	n := x.expr(v.Args[0])
	for _, a := range v.Args[1:] {
		n = x.add(node{op: nodeUnion, kind: v.Type.K, a: n, b: x.expr(a)})
	}
	return n
}

// steps returns the first number and the step of a counter whose steps are greater than one; ok is false for other values.
func (x *rangeFinder) steps(v *ssa.Value) (first *ssa.Value, step int64, ok bool) {
	if v.Op != ssa.OpPhi || x.open[v] {
		return nil, 0, false
	}
	t, first, ok := x.counter(v)
	return first, t.step, ok && t.step > 1
}

// counter returns the test and the first number of a phi that counts upwards as long as it is less than a number of
// the same kind; ok is false if v is no such phi. In steps of one it does not wrap.
func (x *rangeFinder) counter(v *ssa.Value) (t tripTest, first *ssa.Value, ok bool) {
	l := x.flow.Loops.Of(v.Block)
	if !counts(v.Type.K) || l == nil || l.Header != v.Block {
		return t, nil, false
	}
	t, ok = x.tripTest(l)
	if !ok || t.ne || t.equal || t.step < 1 || unextended(t.expr) != v || t.bound.Type.K != v.Type.K {
		return t, nil, false
	}
	for i, p := range v.Block.Preds {
		if !x.flow.Loops.Contains(l, p) {
			if first != nil {
				return t, nil, false
			}
			first = v.Args[i]
		}
	}
	return t, first, first != nil
}

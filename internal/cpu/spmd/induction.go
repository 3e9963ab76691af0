package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// splitInductions rewrites loop counters that begin at an id, and pointers that advance through an object, as
// their initial value plus a counter from 0. The counter is uniform, and the object of the sum is known. It
// reports whether it changed anything.
func splitInductions(p *Plan) bool {
	if len(p.Loops.All) == 0 {
		return false
	}
	g := &versions{Plan: p, shapes: make([]shape, p.F.NumValues())}
	repl := make([]*ssa.Value, p.F.NumValues())
	var old []*ssa.Value
	for i := len(p.Loops.All) - 1; i >= 0; i-- { // outer loops first
		l := p.Loops.All[i]
		h := l.Header
		if len(h.Preds) != 2 {
			continue
		}
		in := 0
		if p.Loops.Contains(l, h.Preds[0]) {
			in = 1
		}
		for _, phi := range slices.Clone(h.Phis()) {
			steps, ok := g.induction(phi, in, repl)
			if !ok {
				continue
			}
			repl[phi.ID] = split(phi, in, steps)
			g.shapes[phi.ID] = affineShape + 1
			old = append(old, phi)
		}
	}
	if len(old) == 0 {
		return false
	}
	grown := make([]*ssa.Value, p.F.NumValues())
	copy(grown, repl)
	p.F.ReplaceAll(grown)
	for _, phi := range old {
		phi.Block.Remove(phi)
	}
	return true
}

// A stride is a uniform value that a counter grows or falls by in each iteration.
type stride struct {
	by   *ssa.Value
	down bool
}

// induction returns the uniform values that a header's phi grows or falls by in each iteration. The phis in
// repl will be replaced.
func (g *versions) induction(phi *ssa.Value, in int, repl []*ssa.Value) (steps []stride, ok bool) {
	k := phi.Type.K
	if phi.Type.N != 1 {
		return nil, false
	}
	op := ssa.OpAdd
	switch {
	case k.IsPtr():
		op = ssa.OpPtrAdd
		if !rooted(phi.Args[in], repl) {
			return nil, false
		}
	case !isInt(k) || k.Num().Size() < 4 || !g.Varying[phi.ID] || g.shape(phi.Args[in]) != affineShape:
		return nil, false
	}
	v := phi.Args[1-in]
	for v != phi {
		down := op == ssa.OpAdd && v.Op == ssa.OpSub
		if v.Op != op && !down || len(steps) == 8 {
			return nil, false
		}
		on, step := v.Args[0], v.Args[1]
		if down {
			if g.Varying[step.ID] || v.Block == nil {
				return nil, false
			}
			steps = append(steps, stride{step, true})
			v = on
			continue
		}
		if op == ssa.OpAdd && !g.Varying[on.ID] {
			on, step = step, on
		}
		if g.Varying[step.ID] || v.Block == nil {
			return nil, false
		}
		steps = append(steps, stride{step, false})
		v = on
	}
	return steps, len(steps) > 0
}

// rooted reports whether the object that a pointer points into is known.
func rooted(p *ssa.Value, repl []*ssa.Value) bool {
	for {
		switch {
		case p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast:
			p = p.Args[0]
		case int(p.ID) < len(repl) && repl[p.ID] != nil:
			p = repl[p.ID]
		default:
			return p.Op == ssa.OpParam || p.Op == ssa.OpGlobalAddr || p.Op == ssa.OpAlloca
		}
	}
}

// split makes the counter and returns the sum.
func split(phi *ssa.Value, in int, steps []stride) *ssa.Value {
	h, f := phi.Block, phi.Block.Func
	t, op := phi.Type, ssa.OpAdd
	if t.K.IsPtr() {
		t, op = ssa.TI64, ssa.OpPtrAdd
	}
	zero := f.InsertEntry(f.NewConst(t, 0))
	count := h.InsertAt(0, f.NewValue(ssa.OpPhi, t, phi.Pos, zero, zero))
	last := phi.Args[1-in]
	at := 0
	for i, v := range last.Block.Values {
		if v == last {
			at = i + 1
		}
	}
	next := count
	for _, s := range steps {
		op := ssa.OpAdd
		if s.down {
			op = ssa.OpSub
		}
		next = last.Block.InsertAt(at, f.NewValue(op, t, phi.Pos, next, s.by))
		at++
	}
	count.Args[1-in] = next
	return h.InsertAt(len(h.Phis()), f.NewValue(op, phi.Type, phi.Pos, phi.Args[in], count))
}

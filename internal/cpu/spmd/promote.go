package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// Scalar promotion for gangs of several rows: an element that a work-item reads and writes in a loop, always at one
// address, is in a register, and is stored once after the loop:
//
//	for k: c[i] += a[k] * b[k]        becomes        s = c[i]; for k: s += a[k] * b[k]; c[i] = s
//
// The launch has tested that no other object overlaps. A gang that leaves has not stored the element, and its work-items
// run again by code that accesses memory in every iteration; so a load before the loop needs no test of the number
// of iterations. The store does: without an iteration the element may be another work-item's.

// A promotion is the transformation of the accesses to one object.
type promotion struct {
	*Plan
	post     *ssa.DomTree
	accesses []*ssa.Value // in the order of blocks
	first    *ssa.Block   // dominates them, outside of loops
	last     *ssa.Block   // all paths from first lead here, and no access follows
	value    reach        // of the element
	stored   reach        // whether a store has been executed
	entries  map[*ssa.Block]*ssa.Value
	replaced map[*ssa.Value]*ssa.Value // by load
}

// promoteCell promotes the accesses to one object, and reports whether it found one.
func promoteCell(p *Plan, u *uniform.Analysis) bool {
	if len(p.Loops.All) == 0 {
		return false
	}
	of := map[*ssa.Value][]*ssa.Value{}
	for _, b := range p.Order {
		for _, v := range b.Values {
			if _, ok := v.AccessType(); ok {
				root := v.Args[0]
				for root.Op == ssa.OpPtrAdd || root.Op == ssa.OpPtrCast {
					root = root.Args[0]
				}
				of[root] = append(of[root], v)
			}
		}
	}
	for _, root := range p.F.Blocks[0].Values[:len(p.F.Params)] {
		m := &promotion{Plan: p, post: u.PostDom, accesses: of[root], entries: map[*ssa.Block]*ssa.Value{}, replaced: map[*ssa.Value]*ssa.Value{}}
		if root.Type.K == ssa.PtrGlobal && m.oneCell() && m.findEnds() {
			m.promote()
			return true
		}
	}
	return false
}

// oneCell reports whether all accesses are to one element of the work-item, and a loop has a store.
func (m *promotion) oneCell() bool {
	loop := false
	for _, v := range m.accesses {
		of := m.accesses[0]
		t, _ := v.AccessType()
		if u, _ := of.AccessType(); t != u || v.Args[0] != of.Args[0] || v.Flags&ssa.Volatile != 0 || t.K.IsPtr() || t.K == ssa.Bool {
			return false
		}
		loop = loop || v.Op == ssa.OpStore && m.Loops.Of(v.Block) != nil
	}
	return loop && m.Varying[m.accesses[0].Args[0].ID]
}

// findEnds finds the first and the last block, and reports whether there are such.
func (m *promotion) findEnds() bool {
	d := m.accesses[0].Block
	for _, v := range m.accesses {
		for !m.Dom.Dominates(d, v.Block) {
			d = m.Dom.Idom(d)
		}
	}
	for m.Loops.Of(d) != nil {
		d = m.Dom.Idom(d)
	}
	if at := m.accesses[0].Args[0].Block; at != nil && !m.Dom.Dominates(at, d) {
		return false
	}
	i := slices.Index(m.Order, m.accesses[len(m.accesses)-1].Block)
	for _, b := range m.Order[i:] {
		if b != d && m.Loops.Of(b) == nil && m.Dom.Dominates(d, b) && m.post.Dominates(b, d) {
			m.first, m.last = d, b
			return true
		}
	}
	return false
}

// promote replaces the accesses.
func (m *promotion) promote() {
	f, some := m.F, m.accesses[0]
	t, _ := some.AccessType()
	yes, no := f.InsertEntry(f.NewConst(ssa.TBool, 1)), f.InsertEntry(f.NewConst(ssa.TBool, 0))
	m.value = reach{f: f, v: f.NewValue(ssa.OpLoad, t, some.Pos), at: map[*ssa.Block]*ssa.Value{}}
	m.stored = reach{f: f, v: no, at: map[*ssa.Block]*ssa.Value{m.first: no}}
	var load *ssa.Value
	if some.Block != m.first || some.Op == ssa.OpLoad {
		load = m.value.v
		load.Flags, load.Aux = some.Flags, some.Aux
		load.SetArgs(some.Args[0])
		if some.Block == m.first {
			m.first.InsertAt(slices.Index(m.first.Values, some), load)
		} else {
			m.first.InsertBeforeTerm(load)
		}
		m.value.at[m.first] = load
	}
	always := false
	for _, v := range m.accesses {
		if v.Op == ssa.OpStore {
			m.value.at[v.Block], m.stored.at[v.Block] = v.Args[1], yes
			always = always || m.Dom.Dominates(v.Block, m.last)
		}
	}
	defined := map[*ssa.Block]bool{}
	for b := range m.value.at {
		defined[b] = true
	}
	for _, b := range m.Order {
		m.forward(b, load, defined[b])
	}
	m.store(some, always)
	dropTrivial(f, slices.Concat(m.value.made, m.stored.made))
}

// forward replaces the loads of a block by the element's value, and removes the accesses.
func (m *promotion) forward(b *ssa.Block, load *ssa.Value, defined bool) {
	var now *ssa.Value
	if b == m.first {
		now = load
	}
	for _, v := range slices.Clone(b.Values) {
		if !slices.Contains(m.accesses, v) {
			continue
		}
		if v.Op == ssa.OpStore {
			now = v.Args[1]
		} else {
			if now == nil {
				now = m.entry(b, defined)
			}
			m.replaced[v] = now
		}
		b.Remove(v)
	}
}

// entry returns the element's value at the begin of a block. defined says that the block changes it.
func (m *promotion) entry(b *ssa.Block, defined bool) *ssa.Value {
	switch {
	case !defined:
		return m.value.value(b)
	case len(b.Preds) == 1:
		return m.value.value(b.Preds[0])
	}
	phi := b.InsertAt(0, m.F.NewValue(ssa.OpPhi, m.value.v.Type, m.value.v.Pos))
	var args []*ssa.Value
	for _, p := range b.Preds {
		args = append(args, m.value.value(p))
	}
	phi.SetArgs(args...)
	m.value.made = append(m.value.made, phi)
	return phi
}

// store stores the element in the last block, always or if a store has been executed. It also replaces the uses of the loads.
func (m *promotion) store(some *ssa.Value, always bool) {
	f, b := m.F, m.last
	x, stored := m.value.value(b), m.stored.value(b)
	repl := make([]*ssa.Value, f.NumValues())
	for v, w := range m.replaced {
		for m.replaced[w] != nil {
			w = m.replaced[w]
		}
		repl[v.ID] = w
	}
	f.ReplaceAll(repl)
	for m.replaced[x] != nil {
		x = m.replaced[x]
	}
	w := f.NewValue(ssa.OpStore, ssa.TVoid, some.Pos, some.Args[0], x)
	w.Flags, w.Aux = some.Flags, some.Aux
	if always {
		b.InsertBeforeTerm(w)
		return
	}
	rest := splitBlock(b, len(b.Values)-1)
	then := f.NewBlock("")
	b.Term().Op = ssa.OpBranch
	b.Term().SetArgs(stored)
	b.Succs[0] = then
	then.Preds = append(then.Preds, b)
	b.Succs = append(b.Succs, rest)
	then.Append(w)
	then.Append(f.NewValue(ssa.OpJump, ssa.TVoid, some.Pos))
	then.Link(rest)
}

package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// maxFrontier bounds the total size of the dominance frontiers. A function that exceeds it, which only
// contrived nets of gotos do, keeps its variables in memory.
const maxFrontier = 1 << 25

// mem2reg promotes an alloca to values if all its loads and stores access it whole, as one type. It places phis
// where the iterated dominance frontier of the stores contains blocks in which the variable is live (pruned
// SSA). A load without a preceding store becomes an OpUndef at the variable's position.
//
// Requires: cfg (no unreachable blocks), sroa (accesses of one type). Breaks: simplify (phis with one value,
// extracts of inserts).
func mem2reg(s *state) {
	if !s.mem.allocas {
		return
	}
	m := promoter{s: s, f: s.f}
	if m.candidates(); len(m.vars) == 0 {
		return
	}
	m.collect()
	if !m.placePhis() {
		return
	}
	m.rename()
	m.finish()
	s.dirty = true
}

// A variable is an alloca that is being promoted.
type variable struct {
	alloca *ssa.Value
	typ    ssa.Type
	undef  *ssa.Value
	zero   *ssa.Value
	block  *ssa.Block // the only block with accesses so far
	many   bool       // has accesses in several blocks
	defs   []int32    // positions, in dominator order, of blocks that store
	uses   []int32    // positions of blocks that load before they store
}

type promoter struct {
	s     *state
	f     *ssa.Func
	index []int32 // by value ID: number of an alloca's variable + 1
	vars  []variable
	dom   *ssa.DomTree
	phis  [][]*ssa.Value // by block ID: phis placed
	entry []*ssa.Value   // new values for the entry block
}

// access returns the number of the variable whose address v is, -1 if there is none, and the type that v
// accesses.
func (m *promoter) access(v *ssa.Value) (n int32, t ssa.Type) {
	switch v.Op {
	case ssa.OpLoad:
		t = v.Type
	case ssa.OpStore:
		t = v.Args[1].Type
	case ssa.OpMemZero:
	default:
		return -1, t
	}
	return m.index[v.Args[0].ID] - 1, t
}

// candidates finds the promotable variables.
func (m *promoter) candidates() {
	m.s.count = cleared(m.s.count, m.f.NumValues())
	m.index = m.s.count
	m.s.mem.allocas = false
	for _, v := range m.f.Blocks[0].Values {
		if v.Op == ssa.OpAlloca {
			m.s.mem.allocas = true
			m.vars = append(m.vars, variable{alloca: v})
			m.index[v.ID] = int32(len(m.vars))
		}
	}
	if !m.s.mem.allocas {
		return
	}
	bad := make([]bool, len(m.vars))
	for _, b := range m.f.Blocks {
		for _, v := range b.Values {
			for k, a := range v.Args {
				n := m.index[a.ID] - 1
				if n < 0 {
					continue
				}
				x := &m.vars[n]
				size := x.alloca.Sym.(*ssa.Alloca).Size
				_, t := m.access(v)
				switch {
				case k != 0 || v.Flags&ssa.Volatile != 0 || t == (ssa.Type{}) && v.Op != ssa.OpMemZero:
					bad[n] = true
				case v.Op == ssa.OpMemZero:
					bad[n] = bad[n] || v.Aux != size
				case x.typ == (ssa.Type{}):
					x.typ = t
					bad[n] = bad[n] || int64(t.Size()) > size
				case x.typ != t:
					bad[n] = true
				}
			}
		}
	}
	n := 0
	for i := range m.vars {
		id := m.vars[i].alloca.ID
		m.index[id] = 0
		if !bad[i] {
			m.vars[n] = m.vars[i]
			n++
			m.index[id] = int32(n)
		}
	}
	m.vars = m.vars[:n]
}

// collect records the blocks that store each variable, and those in which it is live-in.
func (m *promoter) collect() {
	m.dom = m.s.dom()
	stored := make([]int32, len(m.vars)) // position + 1 of the last block that stores
	used := make([]int32, len(m.vars))
	for i, b := range m.dom.Order {
		at := int32(i)
		for _, v := range b.Values {
			n, _ := m.access(v)
			if n < 0 {
				continue
			}
			x := &m.vars[n]
			x.many = x.many || x.block != nil && x.block != b
			x.block = b
			if v.Op == ssa.OpLoad {
				if stored[n] != at+1 && used[n] != at+1 {
					used[n] = at + 1
					x.uses = append(x.uses, at)
				}
			} else if stored[n] != at+1 {
				stored[n] = at + 1
				x.defs = append(x.defs, at)
			}
		}
	}
}

// frontiers returns the dominance frontiers as linked lists by position: first[p] and next[e] are entries + 1,
// to[e] is a position. ok is false past maxFrontier.
func (m *promoter) frontiers() (first, next, to []int32, ok bool) {
	order := m.dom.Order
	first = make([]int32, len(order))
	last := make([]int32, len(order)) // position + 1 of the last join that was entered
	for i, b := range order {
		if len(b.Preds) < 2 && !(len(b.Preds) == 1 && m.dom.Pos(b.Preds[0]) >= i) {
			continue
		}
		stop := m.dom.Idom(b)
		for _, p := range b.Preds {
			for r := p; r != stop && r != nil; r = m.dom.Idom(r) {
				k := m.dom.Pos(r)
				if last[k] == int32(i)+1 {
					break // already entered from here up
				}
				last[k] = int32(i) + 1
				to = append(to, int32(i))
				next = append(next, first[k])
				first[k] = int32(len(to))
				if len(to) > maxFrontier {
					return nil, nil, nil, false
				}
			}
		}
	}
	return first, next, to, true
}

// placePhis inserts phis, with nil arguments, at the start of blocks.
func (m *promoter) placePhis() bool {
	m.phis = make([][]*ssa.Value, m.f.NumBlocks())
	if !slices.ContainsFunc(m.vars, func(x variable) bool { return len(x.uses) > 0 && len(x.defs) > 0 }) {
		return true
	}
	first, next, to, ok := m.frontiers()
	if !ok {
		return false
	}
	n := len(m.dom.Order)
	start, preds := m.predecessors()
	buf := make([]int32, 3*n)
	// Stamps: the number + 1 of the last variable for which the block is live-in, stores, has a phi.
	live, def, phi := buf[:n], buf[n:2*n], buf[2*n:]
	var work []int32
	for i := range m.vars {
		x := &m.vars[i]
		stamp := int32(i) + 1
		if len(x.uses) == 0 || len(x.defs) == 0 {
			continue
		}
		for _, d := range x.defs {
			def[d] = stamp
		}
		work = work[:0]
		for _, u := range x.uses {
			live[u] = stamp
			work = append(work, u)
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, k := range preds[start[b]:start[b+1]] {
				if live[k] != stamp && def[k] != stamp {
					live[k] = stamp
					work = append(work, k)
				}
			}
		}
		work = append(work[:0], x.defs...)
		for len(work) > 0 {
			d := work[len(work)-1]
			work = work[:len(work)-1]
			for e := first[d]; e != 0; e = next[e-1] {
				j := to[e-1]
				if live[j] != stamp || phi[j] == stamp {
					continue
				}
				phi[j] = stamp
				m.addPhi(m.dom.Order[j], i)
				if def[j] != stamp {
					work = append(work, j)
				}
			}
		}
	}
	return true
}

// predecessors returns the positions of each block's predecessors: for block i, list[start[i]:start[i+1]].
func (m *promoter) predecessors() (start, list []int32) {
	order := m.dom.Order
	start = make([]int32, 1, len(order)+1)
	list = make([]int32, 0, 2*len(order))
	for _, b := range order {
		for _, p := range b.Preds {
			list = append(list, int32(m.dom.Pos(p)))
		}
		start = append(start, int32(len(list)))
	}
	return start, list
}

func (m *promoter) addPhi(b *ssa.Block, n int) {
	x := &m.vars[n]
	v := m.f.NewValue(ssa.OpPhi, x.typ, x.alloca.Pos)
	v.Args = make([]*ssa.Value, len(b.Preds))
	v.Block = b
	v.Aux = int64(n) // replaced in finish
	m.phis[b.ID] = append(m.phis[b.ID], v)
}

// An edgeIn is an edge into a block with phis: the one from predecessor i of to.
type edgeIn struct {
	to   *ssa.Block
	i    int32
	next int32 // number + 1 of the next such edge from the same block
}

// rename replaces loads by the values that reach them, in a walk over the dominator tree.
func (m *promoter) rename() {
	edges, firstEdge := m.edges()
	cur := make([]*ssa.Value, len(m.vars))
	type undo struct {
		n   int32
		old *ssa.Value
	}
	type frame struct {
		b   *ssa.Block
		log int
	}
	var log []undo
	var stack []frame
	set := func(n int32, v *ssa.Value) {
		log = append(log, undo{n, cur[n]})
		cur[n] = v
	}
	for _, b := range m.dom.Preorder() {
		for len(stack) > 0 && !m.dom.Dominates(stack[len(stack)-1].b, b) {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for len(log) > top.log {
				u := log[len(log)-1]
				log = log[:len(log)-1]
				cur[u.n] = u.old
			}
		}
		stack = append(stack, frame{b, len(log)})
		for _, phi := range m.phis[b.ID] {
			set(int32(phi.Aux), phi)
		}
		m.block(b, cur, set)
		for e := firstEdge[b.ID]; e != 0; e = edges[e-1].next {
			in := edges[e-1]
			for _, phi := range m.phis[in.to.ID] {
				phi.Args[in.i] = m.value(int32(phi.Aux), cur)
			}
		}
	}
}

// edges returns the edges into blocks with phis, linked by source block.
func (m *promoter) edges() (edges []edgeIn, first []int32) {
	first = make([]int32, m.f.NumBlocks())
	for _, b := range m.f.Blocks {
		if len(m.phis[b.ID]) == 0 {
			continue
		}
		for i, p := range b.Preds {
			edges = append(edges, edgeIn{b, int32(i), first[p.ID]})
			first[p.ID] = int32(len(edges))
		}
	}
	return edges, first
}

// value returns the current value of variable n.
func (m *promoter) value(n int32, cur []*ssa.Value) *ssa.Value {
	if cur[n] != nil {
		return cur[n]
	}
	x := &m.vars[n]
	if x.undef == nil {
		x.undef = m.f.NewValue(ssa.OpUndef, x.typ, x.alloca.Pos)
		x.undef.Sym = x.alloca.Sym // for reports
		m.entry = append(m.entry, x.undef)
	}
	return x.undef
}

// block replaces the accesses in b.
func (m *promoter) block(b *ssa.Block, cur []*ssa.Value, set func(int32, *ssa.Value)) {
	k := 0
	for _, v := range b.Values {
		for i, a := range v.Args {
			if a != nil && a.Op == ssa.OpCopy && v.Op != ssa.OpPhi {
				v.Args[i] = a.Source()
			}
		}
		n := int32(-1)
		if len(v.Args) > 0 && v.Args[0] != nil && int(v.Args[0].ID) < len(m.index) {
			n, _ = m.access(v)
		}
		switch {
		case v.Op == ssa.OpAlloca && int(v.ID) < len(m.index) && m.index[v.ID] > 0:
			continue
		case n < 0:
		case v.Op == ssa.OpLoad:
			v.BecomeCopy(m.value(n, cur)) // phis and later blocks resolve the copy
			continue
		case v.Op == ssa.OpStore:
			set(n, v.Args[1])
			continue
		default:
			m.zero(n, v, set)
			continue
		}
		b.Values[k] = v
		k++
	}
	clear(b.Values[k:])
	b.Values = b.Values[:k]
}

// zero handles a memzero of variable n, or the start of its lifetime.
func (m *promoter) zero(n int32, v *ssa.Value, set func(int32, *ssa.Value)) {
	x := &m.vars[n]
	if x.typ == (ssa.Type{}) {
		return // no loads and no stores
	}
	if v.Flags&ssa.Implicit != 0 {
		set(n, nil)
		return
	}
	if x.zero == nil {
		x.zero = m.f.NewConst(x.typ, 0)
		m.entry = append(m.entry, x.zero)
	}
	set(n, x.zero)
}

// finish adds the new phis and entry values to their blocks and removes the copies.
func (m *promoter) finish() {
	for _, b := range m.f.Blocks {
		if phis := m.phis[b.ID]; len(phis) > 0 {
			b.Values = slices.Insert(b.Values, 0, phis...)
			for _, phi := range phis {
				phi.Aux = 0
			}
		}
	}
	if len(m.entry) > 0 {
		e := m.f.Blocks[0]
		for _, v := range m.entry {
			v.Block = e
		}
		e.Values = slices.Insert(e.Values, len(m.f.Params), m.entry...)
	}
	m.f.ResolvePhis() // rename has updated the uses that a definition dominates
}

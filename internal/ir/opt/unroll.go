package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits of unrolling. A size is the number of values in all iterations after folding of values that depend
// only on the counter.
const (
	maxTrips     = 16      // iterations of a loop without a hint
	maxUnrolled  = 400     // size of a loop without a hint
	maxTripsTiny = 64      // iterations of a loop so small that unrolling overlaps more of its dependence chains
	maxTiny      = 160     // size of such a loop
	maxTripsWide = 128     // iterations of a loop with a hint, or whose counter indexes a private array
	maxSizeWide  = 4096    // size of such a loop
	maxGrowth    = 1 << 13 // of a function

	convergentSize = 8  // of a barrier, where gangs leave and enter the code
	maxCounterOps  = 64 // operations that a loop's condition depends on
	unrollRounds   = 6  // depth of loop nests that are fully unrolled
)

// unroll replaces a loop with a small known number of iterations by that many copies of its body, inner loops
// first. Private arrays indexed by the counter can then become values, and everything that depends only on the
// counter is folded. Loops may have additional exits. Larger loops are unrolled if their iterations overlap
// (overlap.go). The source's hint (ssa.Block.Unroll) raises the limits or forbids unrolling.
//
// Requires: cfg, mem2reg and simplify (counters in phis with constant steps). Breaks: simplify and cfg (phis
// with one value), sroa and mem2reg (indices that have become constants, variables for values used after
// several exits).
func unroll(s *state) {
	u := unroller{s: s, f: s.f, budget: maxGrowth}
	for range unrollRounds {
		u.dom = s.dom()
		u.loops = s.f.Loops(u.dom)
		if len(u.loops.All) == 0 || u.loops.Irreducible {
			return
		}
		chosen := u.choose()
		if len(chosen) == 0 {
			return
		}
		u.hoistConstants(chosen)
		u.close(chosen)
		for _, c := range chosen {
			u.copy(c)
		}
		s.f.RemoveUnreachable()
		s.changed()
		s.dirty = true
		simplify(s)
	}
}

type unroller struct {
	s      *state
	f      *ssa.Func
	dom    *ssa.DomTree
	loops  *ssa.Loops
	budget int

	known  map[*ssa.Loop]*counted
	arrays []bool  // by ID: an alloca for which unrolling pays, or a pointer into one
	index  []int32 // by value ID: number in the current loop
	place  []int32 // by block ID: position + 1 among the blocks of the current chosen loop
}

// A counted loop passes its test n times. Block exit executes in every iteration. The first n times control
// continues at successor stay, then at the other one.
type counted struct {
	x        *ssa.Loop
	exit     *ssa.Block
	stay     int
	n        int
	counters []*ssa.Value // phis that the test depends on
	outer    bool         // n depends on the counters of an enclosing loop, and is not known yet
}

// choose returns loops to unroll. None of them contains another.
func (u *unroller) choose() (list []*counted) {
	u.known = map[*ssa.Loop]*counted{}
	for _, x := range slices.Backward(u.loops.All) {
		if x.Header.Unroll != 1 {
			if c := u.count(x); c != nil {
				u.known[x] = c
			}
		}
	}
	if len(u.known) == 0 {
		return nil
	}
	u.findArrays()
	// The loops that contain a loop that is unrolled first or that stays.
	waits := map[*ssa.Loop]bool{}
	stays := map[*ssa.Loop]bool{}
	for _, x := range u.loops.All {
		c := u.known[x]
		chosen := c != nil && !c.outer && !waits[x] && u.worth(c, stays[x])
		if chosen {
			list = append(list, c)
		}
		if p := x.Parent; p != nil {
			waits[p] = waits[p] || chosen || waits[x]
			stays[p] = stays[p] || stays[x] || !chosen && (c == nil || !c.outer && !waits[x])
		}
	}
	return list
}

// count computes the number of iterations of x; it returns nil if unknown.
func (u *unroller) count(x *ssa.Loop) *counted {
	for _, b := range x.Blocks {
		t := b.Term()
		if t.Op != ssa.OpBranch || u.loops.Of(b) != x {
			continue
		}
		stay := -1
		for i, s := range b.Succs {
			if u.loops.Contains(x, s) {
				stay += i + 1
			}
		}
		if stay != 0 && stay != 1 || slices.ContainsFunc(x.Latches, func(l *ssa.Block) bool { return !u.dom.Dominates(b, l) }) {
			continue // does not leave the loop, or is not executed in every iteration
		}
		c := &counted{x: x, exit: b, stay: stay}
		if u.simulate(c, t.Args[0]) {
			return c
		}
	}
	return nil
}

// simulate computes the test of c iteration by iteration.
func (u *unroller) simulate(c *counted, cond *ssa.Value) bool {
	sim := simulation{u: u, c: c, number: map[*ssa.Value]int{}}
	if !sim.gather(cond) {
		return false
	}
	for i := 0; i < len(c.counters); i++ { // grows
		phi := c.counters[i]
		if !sim.gather(sim.next(phi)) || !sim.gather(sim.init(phi)) {
			return false
		}
	}
	if len(c.counters) == 0 {
		return false
	}
	if c.outer {
		return true
	}
	vals := make([]uint64, len(sim.nodes))
	next := make([]uint64, len(c.counters))
	if !sim.iteration(vals) { // the initial values are constants
		return false
	}
	for i, phi := range c.counters {
		next[i] = vals[sim.number[sim.init(phi)]]
	}
	for i, phi := range c.counters {
		vals[sim.number[phi]] = next[i]
	}
	for c.n = 0; c.n <= maxTripsWide; c.n++ {
		if !sim.iteration(vals) {
			return false
		}
		if int(1-vals[sim.number[cond]]) != c.stay {
			return true
		}
		for i, phi := range c.counters {
			next[i] = vals[sim.number[sim.next(phi)]]
		}
		for i, phi := range c.counters {
			vals[sim.number[phi]] = next[i]
		}
	}
	return false
}

// A simulation is the set of scalars on which a loop's test depends, arguments before users.
type simulation struct {
	u      *unroller
	c      *counted
	nodes  []*ssa.Value
	number map[*ssa.Value]int
}

// init returns the initial value of the header's phi, nil if there are several.
func (m *simulation) init(phi *ssa.Value) *ssa.Value { return m.arg(phi, false) }

// next returns the phi's value in the next iteration, nil if latches differ.
func (m *simulation) next(phi *ssa.Value) *ssa.Value { return m.arg(phi, true) }

func (m *simulation) arg(phi *ssa.Value, inside bool) (x *ssa.Value) {
	for i, p := range phi.Block.Preds {
		if a := phi.Args[i]; m.u.loops.Contains(m.c.x, p) == inside {
			same := x == nil || a == x || a.Op == ssa.OpConst && x.Op == ssa.OpConst && a.Bits[0] == x.Bits[0]
			if !same {
				return nil
			}
			x = a
		}
	}
	return x
}

// outer reports whether phi is a counter of an enclosing loop.
func (m *simulation) outer(phi *ssa.Value) bool {
	for x := m.c.x.Parent; x != nil; x = x.Parent {
		if c := m.u.known[x]; c != nil && slices.Contains(c.counters, phi) {
			return true
		}
	}
	return false
}

// gather adds v and its operands.
func (m *simulation) gather(v *ssa.Value) bool {
	type frame struct {
		v *ssa.Value
		i int
	}
	stack := []frame{{v, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		v := top.v
		if top.i == 0 {
			if v == nil || v.Type.IsVec() || len(m.nodes)+len(stack) > maxCounterOps {
				return false
			}
			if _, ok := m.number[v]; ok {
				stack = stack[:len(stack)-1]
				continue
			}
			switch {
			case v.Op == ssa.OpConst:
			case v.Op == ssa.OpPhi && v.Block == m.c.x.Header:
				m.c.counters = append(m.c.counters, v)
			case v.Op == ssa.OpPhi && m.outer(v):
				m.c.outer = true
			case v.Op == ssa.OpPhi || len(v.Args) == 0 || !v.Op.Has(ssa.Pure) || !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpSelect:
				return false
			}
		}
		if v.Op != ssa.OpPhi && top.i < len(v.Args) {
			top.i++
			stack = append(stack, frame{v.Args[top.i-1], 0})
			continue
		}
		m.number[v] = len(m.nodes)
		m.nodes = append(m.nodes, v)
		stack = stack[:len(stack)-1]
	}
	return true
}

// iteration computes the nodes from the counters. A node independent of all counters has the same value in each
// iteration.
func (m *simulation) iteration(vals []uint64) bool {
	var args [3]uint64
	for i, v := range m.nodes {
		switch v.Op {
		case ssa.OpPhi:
			continue
		case ssa.OpConst:
			vals[i] = v.Bits[0]
			continue
		}
		for k, a := range v.Args {
			args[k] = vals[m.number[a]]
		}
		if v.Op == ssa.OpSelect {
			vals[i] = args[2-args[0]]
			continue
		}
		x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)])
		if !ok {
			return false
		}
		vals[i] = x
	}
	return true
}

// findArrays finds the private arrays whose accesses all have known offsets once the counted loops are
// unrolled.
func (u *unroller) findArrays() {
	u.arrays = nil
	if !u.s.mem.allocas {
		return
	}
	n := u.f.NumValues()
	fixed := make([]bool, n) // known in each iteration
	for _, c := range u.known {
		for _, phi := range c.counters {
			fixed[phi.ID] = true
		}
	}
	u.s.roots = cleared(u.s.roots, n)
	root, bad := u.s.roots, make([]bool, n)
	for _, b := range u.dom.Order {
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpConst:
				fixed[v.ID] = true
			case v.Op == ssa.OpAlloca:
				root[v.ID] = v
				bad[v.ID] = v.Sym.(*ssa.Alloca).Size > maxObject
			case v.Op == ssa.OpPtrAdd && root[v.Args[0].ID] != nil:
				r := root[v.Args[0].ID]
				root[v.ID] = r
				bad[r.ID] = bad[r.ID] || !fixed[v.Args[1].ID]
			case v.Op.Has(ssa.Pure) && v.Op != ssa.OpPhi && len(v.Args) > 0:
				fixed[v.ID] = !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !fixed[a.ID] })
			}
			for k, a := range v.Args {
				r := root[a.ID]
				if r == nil || v.Op == ssa.OpPtrAdd && k == 0 {
					continue
				}
				switch v.Op {
				case ssa.OpLoad, ssa.OpMemZero:
				case ssa.OpStore:
					bad[r.ID] = bad[r.ID] || k != 0
				case ssa.OpMemCopy:
				default:
					bad[r.ID] = true
				}
			}
		}
	}
	for i, r := range root {
		root[i] = nil
		if r != nil && !bad[r.ID] {
			if u.arrays == nil {
				u.arrays = make([]bool, n)
			}
			u.arrays[i] = true
		}
	}
}

// worth reports whether unrolling c pays; inner says that c contains another loop, which stays.
func (u *unroller) worth(c *counted, inner bool) bool {
	hint := int(c.x.Header.Unroll)
	wide := hint < 0 || hint > 1 && c.n <= hint
	hinted := wide
	free := u.s.marked(u.f.NumValues())
	for _, phi := range c.counters {
		free[phi.ID] = true
	}
	size, exits, convergent, nest := 0, 0, false, false
	for _, b := range c.x.Blocks {
		nest = nest || u.loops.Of(b) != c.x
		for _, s := range b.Succs {
			if !u.loops.Contains(c.x, s) {
				exits++
			}
		}
		for _, v := range b.Values {
			if v.Op.Has(ssa.Convergent) {
				convergent = true
				size += convergentSize
			}
			switch {
			case v.Op == ssa.OpPhi || v.Op == ssa.OpJump || v.Op == ssa.OpConst:
			case v.Op.Has(ssa.Pure) && !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return a.Op != ssa.OpConst && !free[a.ID] }):
				free[v.ID] = true
			default:
				size++
				wide = wide || u.arrays != nil && v.Op == ssa.OpPtrAdd && u.arrays[v.ID] && free[v.Args[1].ID]
			}
		}
	}
	if convergent && (exits > 1 || nest && hint == 0 && !u.s.steps) {
		return false
	}
	size *= max(c.n, 1)
	if convergent && u.s.steps {
		return size <= maxConvergent && c.n <= maxTrips
	}
	small := c.n <= maxTrips && size <= maxUnrolled || c.n <= maxTripsTiny && size <= maxTiny && exits == 1
	// Copies of an inner loop pay without a hint if a private array becomes values.
	if inner && !hinted && !(wide && small) {
		return false
	}
	if !wide && !small && size <= maxSizeWide && hint == 0 {
		wide = u.overlap(c)
	}
	if size > u.budget || wide && size > maxSizeWide || !wide && !small {
		return false
	}
	u.budget -= size
	return true
}

// hoistConstants moves the constants of the loops to the entry block, so that all copies share them.
func (u *unroller) hoistConstants(chosen []*counted) {
	e := u.f.Blocks[0]
	var moved []*ssa.Value
	for _, c := range chosen {
		for _, b := range c.x.Blocks {
			n := 0
			for _, v := range b.Values {
				if v.Op == ssa.OpConst {
					v.Block = e
					moved = append(moved, v)
					continue
				}
				b.Values[n] = v
				n++
			}
			clear(b.Values[n:])
			b.Values = b.Values[:n]
		}
	}
	e.Values = slices.Insert(e.Values, len(u.f.Params), moved...)
}

// close makes uses of values of the chosen loops outside of them go through phis on the exit edge if there is
// only one, else through variables.
func (u *unroller) close(chosen []*counted) {
	blocks := u.f.Blocks[:len(u.f.Blocks):len(u.f.Blocks)]
	in := make([]*closing, u.f.NumBlocks())
	of := make(map[*ssa.Loop]*closing, len(chosen))
	for _, c := range chosen {
		k := &closing{c: c}
		if u.singleExit(c) {
			// First the phis of the edge's target: their arguments on this edge are uses at the exit.
			k.edge = u.f.SplitEdge(c.exit, 1-c.stay)
		}
		of[c.x] = k
	}
	// The chosen loop around each block; new blocks are in none.
	around := func(b *ssa.Block) *closing {
		for x := u.loops.Of(b); x != nil; x = x.Parent {
			if k := of[x]; k != nil {
				return k
			}
		}
		return nil
	}
	for _, b := range blocks {
		in[b.ID] = around(b)
	}
	at := func(b *ssa.Block) *closing {
		if int(b.ID) >= len(in) {
			return nil
		}
		return in[b.ID]
	}
	type use struct {
		v *ssa.Value
		i int
	}
	var uses []use
	for _, b := range blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				k := in[a.Block.ID]
				if k == nil {
					continue
				}
				from := b
				if v.Op == ssa.OpPhi {
					from = b.Preds[i]
				}
				if at(from) != k {
					uses = append(uses, use{v, i})
				}
			}
		}
	}
	for _, w := range uses {
		k := in[w.v.Args[w.i].Block.ID]
		if k.edge != nil {
			w.v.Args[w.i] = k.phi(u, w.v.Args[w.i])
		} else {
			u.reload(k, w.v, w.i)
		}
	}
}

// singleExit reports whether the test is the only exit.
func (u *unroller) singleExit(c *counted) bool {
	for _, b := range c.x.Blocks {
		for _, s := range b.Succs {
			if b != c.exit && !u.loops.Contains(c.x, s) {
				return false
			}
		}
	}
	return true
}

// A closing is the state of close for one loop.
type closing struct {
	c    *counted
	edge *ssa.Block // on the exit edge, if that is the only one
	made map[*ssa.Value]*ssa.Value
}

// phi returns the phi for v at the only exit.
func (k *closing) phi(u *unroller, v *ssa.Value) *ssa.Value {
	p := k.made[v]
	if p == nil {
		if k.made == nil {
			k.made = map[*ssa.Value]*ssa.Value{}
		}
		p = k.edge.InsertAt(0, u.f.NewValue(ssa.OpPhi, v.Type, v.Pos, v))
		k.made[v] = p
	}
	return p
}

// reload loads argument i of user from a variable to which the argument's definition is stored.
func (u *unroller) reload(k *closing, user *ssa.Value, i int) {
	v := user.Args[i]
	if k.made == nil {
		k.made = map[*ssa.Value]*ssa.Value{}
	}
	a := k.made[v]
	align := int64(v.Type.K.Num().Size())
	if a == nil {
		a = u.f.InsertEntry(u.f.NewValue(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), v.Pos))
		a.Sym = &ssa.Alloca{Size: int64(v.Type.Size()), Align: align}
		k.made[v] = a
		u.s.mem.allocas = true
		at := slices.Index(v.Block.Values, v) + 1
		if v.Op == ssa.OpPhi {
			at = len(v.Block.Phis())
		}
		st := u.f.NewValue(ssa.OpStore, ssa.TVoid, v.Pos, a, v)
		st.Aux = align
		v.Block.InsertAt(at, st)
	}
	ld := u.f.NewValue(ssa.OpLoad, v.Type, user.Pos, a)
	ld.Aux = align
	if user.Op == ssa.OpPhi {
		user.Block.Preds[i].InsertBeforeTerm(ld)
	} else {
		user.Block.InsertAt(slices.Index(user.Block.Values, user), ld)
	}
	user.Args[i] = ld
}

// An iteration is one copy of a loop.
type iteration struct {
	blocks []*ssa.Block // by position in Loop.Blocks; nil: unreachable
	values []*ssa.Value // by unroller.index
}

// copy inserts n copies of the loop after the original; the last one ends at the test.
func (u *unroller) copy(c *counted) {
	x := c.x
	if c.n == 0 {
		c.exit.SetJump(1 - c.stay)
		return
	}
	// Clear only the entries that were set here, because a function may have many small loops.
	u.index = zeros(u.index, u.f.NumValues())
	u.place = zeros(u.place, u.f.NumBlocks())
	first := iteration{blocks: x.Blocks}
	for i, b := range x.Blocks {
		u.place[b.ID] = int32(i) + 1
		for _, v := range b.Values {
			first.values = append(first.values, v)
			u.index[v.ID] = int32(len(first.values))
		}
	}
	iters := make([]iteration, c.n+1)
	iters[0] = first
	reached := u.reached(c)
	for k := 1; k <= c.n; k++ {
		it := &iters[k]
		it.blocks = make([]*ssa.Block, len(x.Blocks))
		for i, b := range x.Blocks {
			if k < c.n || reached[i] {
				it.blocks[i] = u.f.NewBlock(b.Name)
			}
		}
	}
	for k := 1; k <= c.n; k++ {
		u.iteration(c, iters, k)
	}
	// The original is the first iteration.
	head := x.Header
	for i := len(head.Preds) - 1; i >= 0; i-- {
		if p := head.Preds[i]; u.at(p) > 0 {
			for j, s := range p.Succs {
				if s == head {
					p.Succs[j] = iters[1].blocks[u.at(head)-1]
				}
			}
			head.RemovePred(i)
		}
	}
	head.Unroll = 0
	c.exit.SetJump(c.stay)
	for _, v := range first.values {
		u.index[v.ID] = 0
	}
	for _, b := range x.Blocks {
		u.place[b.ID] = 0
	}
}

// zeros returns s with at least n elements, all zero.
func zeros(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, n+n/4)
	}
	return s[:max(len(s), n)]
}

// at returns b's position + 1 in the current loop, 0 outside of it.
func (u *unroller) at(b *ssa.Block) int {
	if int(b.ID) < len(u.place) {
		return int(u.place[b.ID])
	}
	return 0
}

// reached returns, by position, the blocks that the last iteration reaches.
func (u *unroller) reached(c *counted) []bool {
	seen := make([]bool, len(c.x.Blocks))
	work := []*ssa.Block{c.x.Header}
	seen[u.at(c.x.Header)-1] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == c.exit {
			continue
		}
		for _, s := range b.Succs {
			if i := u.at(s) - 1; i >= 0 && !seen[i] {
				seen[i] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// iteration fills copy k.
func (u *unroller) iteration(c *counted, iters []iteration, k int) {
	it, last := &iters[k], k == len(iters)-1
	it.values = make([]*ssa.Value, len(iters[0].values))
	n := 0
	for i, b := range c.x.Blocks {
		nb := it.blocks[i]
		if nb == nil {
			n += len(b.Values)
			continue
		}
		nb.Values = make([]*ssa.Value, 0, len(b.Values))
		for _, v := range b.Values {
			w := u.f.NewValue(v.Op, v.Type, v.Pos)
			w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
			it.values[n] = nb.Append(w)
			n++
		}
	}
	n = 0
	for i, b := range c.x.Blocks {
		if it.blocks[i] == nil {
			n += len(b.Values)
			continue
		}
		from, keep := it, func(p *ssa.Block) bool { return it.blocks[u.at(p)-1] != nil && !(last && p == c.exit) }
		if b == c.x.Header {
			from, keep = &iters[k-1], func(p *ssa.Block) bool { return u.at(p) > 0 }
		}
		u.edges(c, iters, k, b, from, keep)
		for _, v := range b.Values {
			w := it.values[n]
			n++
			switch {
			case v.Op == ssa.OpPhi:
				for j, p := range b.Preds {
					if keep(p) {
						w.Args = append(w.Args, u.value(from, v.Args[j]))
					}
				}
			case b == c.exit && v.Op == ssa.OpBranch:
				w.Op = ssa.OpJump
			default:
				w.SetArgs(v.Args...)
				for j, a := range w.Args {
					w.Args[j] = u.value(it, a)
				}
			}
		}
	}
}

// value returns the copy of a in an iteration.
func (u *unroller) value(it *iteration, a *ssa.Value) *ssa.Value {
	if int(a.ID) < len(u.index) {
		if i := u.index[a.ID]; i > 0 {
			return it.values[i-1]
		}
	}
	return a
}

// edges links the copy of b in iteration k. from is the iteration of its predecessors; keep selects them.
func (u *unroller) edges(c *counted, iters []iteration, k int, b *ssa.Block, from *iteration, keep func(*ssa.Block) bool) {
	it, last := &iters[k], k == len(iters)-1
	nb := it.blocks[u.at(b)-1]
	for _, p := range b.Preds {
		if keep(p) {
			nb.Preds = append(nb.Preds, from.blocks[u.at(p)-1])
		}
	}
	for i, s := range b.Succs {
		if b == c.exit && (i == c.stay) == last {
			continue
		}
		switch j := u.at(s) - 1; {
		case s == c.x.Header:
			nb.Succs = append(nb.Succs, iters[k+1].blocks[j])
		case j >= 0:
			nb.Succs = append(nb.Succs, it.blocks[j])
		default:
			nb.Succs = append(nb.Succs, s)
			e := slices.Index(s.Preds, b)
			for _, phi := range s.Phis() {
				phi.Args = append(phi.Args, u.value(it, phi.Args[e]))
			}
			s.Preds = append(s.Preds, nb)
		}
	}
}

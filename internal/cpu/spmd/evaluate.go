package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Symbolic execution of a kernel for a work-group of known size. The barriers' loops, such as the steps of a sorting
// network, are followed iteration by iteration, and each part between barriers gang by gang. Local ids are known
// numbers, and so are the addresses of most accesses to local memory: such arrays live in registers (cells.go), and
// barriers between the accesses vanish. Divergent branches become selections, except around accesses to memory.
//
// The result is one sequence of blocks that the gangs of a work-group share, as after unfolding (unfold.go).

// Limits of the symbolic execution.
const (
	maxEvaluated  = 12000 // values
	maxStepped    = 4000  // values, with known arguments: a loop would be shorter
	maxVisited    = 60000 // executed blocks
	maxSpeculated = 300   // values of the two sides of a branch on data
	maxAttempts   = 12    // each learns of a variable that must be in memory, or a loop that must be made
)

// A mask is the set of lanes that execute code: those of maybe for which val, if not nil, is true.
type mask struct {
	maybe uint64
	val   *ssa.Value
}

// An evaluation executes a kernel.
type evaluation struct {
	*gangs
	symbols
	*local
	o       *Unfolding
	n       int
	postdom *ssa.DomTree
	env     [][]*symbol // by value ID: by gang, or one for all
	visit   []int32     // by value ID: the visit of a part in which the value was computed for all gangs
	visits  int32
	again   bool // another variable must stay in memory, or another loop be made
	left    int  // blocks to execute
	once    bool // values that are the same for all gangs are computed once in the running part

	// A block of effects under a mask, between cur and the block that is to follow.
	side     *ssa.Block
	sideMask mask
	loaded   []*ssa.Value // phis of what the block loads

	extents *extents
	loads   map[loadKey]*symbol // since the last store to memory

	around []*madeLoop  // loops that contain cur, the innermost last
	origin []*ssa.Value // by value ID, as in unfolder
	gang   []int32
}

// evaluateGroup makes the kernel a function of a work-group of known size by symbolic execution. It returns nil if it
// cannot; the function is then unusable.
func evaluateGroup(f *ssa.Func, o Unfolding) *unfolder {
	n := o.gangs()
	if n == 0 || o.Lanes > 64 || !unfolds(f) {
		return nil
	}
	o.knowSizes(f)
	g := newGangs(f)
	if g == nil {
		return nil
	}
	g.loops = f.Loops(f.Dominators())
	l := &local{memory: map[*ssa.Global]bool{}, made: map[*ssa.Block]bool{}}
	blocks, postdom := len(f.Blocks), f.PostDominators()
	for range maxAttempts {
		f.Blocks = f.Blocks[:blocks]
		e := newEvaluation(g, l, &o, postdom)
		first := e.run()
		if e.again {
			continue
		}
		if first == nil || len(l.arrays) == 0 {
			return nil
		}
		if l.keepBroadcasts() {
			// Sums in a loop that is made need the registers.
			if len(l.made) > 0 {
				return nil
			}
			continue
		}
		if e.hasInterior() && e.extents != nil && e.extents.masked {
			// In work-groups at a border, masks keep accesses in bounds.
			l.checkMasked = true
			continue
		}
		e, first = e.interior(first)
		entry := f.Blocks[0]
		entry.Remove(entry.Term())
		entry.Succs = nil
		entry.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
		entry.Link(first)
		f.RemoveUnreachable()
		u := &unfolder{gangs: g, Unfolding: o, n: n, origin: e.origin, gang: e.gang, forms: Evaluated | e.forms}
		if e.extents != nil && len(e.extents.ranges) > 0 {
			e.hoistLoads()
			e.loadNeighbours()
			u.extents = &e.extents.Extents
			u.origin, u.gang = e.origin, e.gang
		}
		sweep(f)
		if countPrefixes(f, o.Lanes) {
			u.forms |= PrefixSums
		}
		if o.Tested {
			e.sinkLoads()
		}
		return u
	}
	return nil
}

// newEvaluation returns an evaluation of a kernel whose parts are known.
func newEvaluation(g *gangs, l *local, o *Unfolding, postdom *ssa.DomTree) *evaluation {
	f := g.f
	l.arrays, l.list = map[*ssa.Global]*array{}, nil
	e := &evaluation{gangs: g, local: l, o: o, n: o.gangs(), postdom: postdom, left: maxVisited}
	e.symbols = symbols{f: f, lanes: o.Lanes, table: map[consKey]*ssa.Value{}, consts: map[consKey]*ssa.Value{}, ramps: map[string]ramp{}, knowns: map[*ssa.Value]*symbol{}, flush: e.join, interleave: o.Registers <= fewRegisters}
	e.forgetLoads()
	if o.Tested {
		e.extents = &extents{number: map[*ssa.Value]int{}, seen: map[summand]int{}}
	}
	e.env, e.visit = make([][]*symbol, f.NumValues()), make([]int32, f.NumValues())
	return e
}

// run executes the skeleton and the parts. It returns the first block of the new code, or nil if it
// cannot.
func (e *evaluation) run() *ssa.Block {
	f := e.gangs.f
	first := f.NewBlock("")
	e.cur = first
	at := place{b: f.Blocks[0]}
	for e.spend() {
		if c := e.of[at.b]; c != nil {
			if !e.part(c, at.from) {
				return nil
			}
			at = place{b: c.exit.Succs[slices.IndexFunc(c.exit.Succs, func(s *ssa.Block) bool { return e.of[s] != c })], from: c.exit}
			continue
		}
		switch e.header(&at) {
		case failed:
			return nil
		case moved:
			continue
		}
		switch t := at.b.Term(); t.Op {
		case ssa.OpReturn:
			e.join()
			e.cur.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, t.Pos))
			if e.symbols.bad {
				return nil
			}
			return first
		case ssa.OpJump:
			at = place{b: at.b.Succs[0], from: at.b}
		case ssa.OpBranch:
			if e.differs(t.Args[0]) {
				return nil
			}
			if bits, ok := e.symbol(t.Args[0], 0).uniform(); ok {
				at = place{b: at.b.Succs[1-bits&1], from: at.b}
			} else if !e.test(&at) {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// spend counts an executed block. It returns false if there were too many, or if the execution has failed.
func (e *evaluation) spend() bool {
	e.left--
	if e.escaped != nil {
		e.keep(e.escaped)
	}
	most := maxEvaluated
	if len(e.o.Arguments) > 0 {
		most = maxStepped
	}
	return e.left > 0 && !e.again && !e.symbols.bad && e.gangs.f.NumValues() < len(e.env)+most
}

// part executes a part for one gang after the other.
func (e *evaluation) part(c *part, from *ssa.Block) bool {
	if len(c.entry.Phis()) > 0 {
		return false
	}
	e.visits++
	e.once = !slices.ContainsFunc(c.blocks, func(b *ssa.Block) bool { l := e.gangs.loops.Of(b); return l != nil && e.of[l.Header] == c })
	works := slices.ContainsFunc(c.blocks, e.works)
	for k := range e.n {
		all := mask{maybe: e.every()}
		list, ok := e.path(place{c.entry, from, c.exit}, all, k)
		if !ok {
			return false
		}
		e.setPhis(c.exit, e.merged(list, nil), k)
		if !e.block(c.exit, all, k) {
			return false
		}
		if !works {
			break
		}
	}
	return true
}

// A place is where lanes continue: at b, coming from another block, up to a block that they do not enter.
type place struct {
	b, from, until *ssa.Block
}

// An arrival is a set of lanes that have reached the block where they meet others.
type arrival struct {
	m    mask
	phis []*symbol // values for the block's phis
}

// path executes a gang's lanes in a mask up to where they arrive. It returns false if it cannot.
func (e *evaluation) path(at place, m mask, k int) ([]arrival, bool) {
	b, from := at.b, at.from
	for {
		in := e.incoming(b, from, k)
		if b == at.until {
			return []arrival{{m, in}}, true
		}
		if !e.spend() {
			return nil, false
		}
		e.setPhis(b, in, k)
		for ok := true; ok; {
			if !e.block(b, m, k) {
				return nil, false
			}
			t := b.Term()
			if t.Op == ssa.OpJump {
				from, b = b, b.Succs[0]
				break
			}
			if t.Op != ssa.OpBranch {
				return nil, false
			}
			c := e.symbol(t.Args[0], k)
			if side, all := e.decided(c, m); all {
				from, b = b, b.Succs[side]
				break
			}
			join := e.postdom.Idom(b)
			list, done := e.sides(b, join, c, m, k)
			if !done || join == at.until {
				return list, done
			}
			e.setPhis(join, e.merged(list, c), k)
			if b = join; !e.spend() {
				return nil, false
			}
		}
	}
}

// decided returns the side of a branch that all lanes of a mask take, if that is known.
func (e *evaluation) decided(c *symbol, m mask) (side int, all bool) {
	if c.known == nil {
		return 0, false
	}
	switch yes := e.trueLanes(c) & m.maybe; yes {
	case m.maybe:
		return 0, true
	case 0:
		return 1, true
	}
	return 0, false
}

// sides executes both sides of a divergent branch up to their join.
func (e *evaluation) sides(b, join *ssa.Block, c *symbol, m mask, k int) (list []arrival, ok bool) {
	data, l := c.known == nil, e.gangs.loops.Of(b)
	if join == nil || e.of[join] != e.of[b] || data && l != nil && !e.gangs.loops.Contains(l, join) {
		return nil, false
	}
	// Lanes that leave a loop go first: the others may execute b again.
	first := 0
	if l != nil && !e.gangs.loops.Contains(l, b.Succs[1]) {
		first = 1
	}
	before := e.gangs.f.NumValues()
	var arrived [2][]arrival
	for _, side := range [2]int{first, 1 - first} {
		if arrived[side], ok = e.path(place{b.Succs[side], b, join}, e.within(m, c, side == 0), k); !ok {
			return nil, false
		}
	}
	return append(arrived[0], arrived[1]...), !data || e.gangs.f.NumValues()-before <= maxSpeculated
}

// within returns the lanes of a mask for which c is true, or false.
func (e *evaluation) within(m mask, c *symbol, is bool) mask {
	if c.known != nil {
		set := e.trueLanes(c)
		if !is {
			set = ^set
		}
		m.maybe &= set
		return m
	}
	v := e.value(c)
	if is {
		m.maybe = e.knownPart(v, m.maybe)
	} else {
		v = e.do(ssa.OpNot, ssa.TBool, v)
	}
	if m.val != nil {
		v = e.do(ssa.OpAnd, ssa.TBool, m.val, v)
	}
	m.val = v
	return m
}

// knownPart returns the lanes of a set for which c may be true, as far as known, or the set if there are none.
func (e *evaluation) knownPart(c *ssa.Value, set uint64) uint64 {
	some := set
	for _, b := range conjuncts(c, nil) {
		if x := e.knowns[b]; x != nil {
			some &= e.trueLanes(x)
		}
	}
	if some == 0 {
		return set
	}
	return some
}

// merged returns the values of the phis at a join. A branch on c, if not nil, has separated the lanes that meet there.
func (e *evaluation) merged(list []arrival, c *symbol) (in []*symbol) {
	in = list[len(list)-1].phis
	for i := len(list) - 2; i >= 0; i-- {
		a := list[i]
		on := c
		if c == nil || len(list) > 2 {
			on = e.maskSymbol(a.m)
		}
		sum := make([]*symbol, len(in))
		for n := range sum {
			sum[n] = e.chosen(on, a.phis[n], in[n])
		}
		in = sum
	}
	return in
}

// maskSymbol returns a mask as a Bool.
func (e *evaluation) maskSymbol(m mask) *symbol {
	switch {
	case m.val == nil:
		x := &symbol{t: ssa.TBool, known: e.newWords()}
		for i := range x.known {
			x.known[i] = m.maybe >> i & 1
		}
		return x
	case m.maybe == e.knownPart(m.val, e.every()):
		return ofValue(m.val)
	}
	return ofValue(e.do(ssa.OpAnd, ssa.TBool, m.val, e.maskValue(m.maybe)))
}

// incoming returns a gang's values for the phis of b on the edge from a block.
func (e *evaluation) incoming(b, from *ssa.Block, k int) (in []*symbol) {
	for _, v := range b.Phis() {
		in = append(in, e.symbol(v.Args[slices.Index(b.Preds, from)], k))
	}
	return in
}

func (e *evaluation) setPhis(b *ssa.Block, in []*symbol, k int) {
	for i, v := range b.Phis() {
		e.set(v, in[i], k)
	}
}

// set sets a gang's symbol of v.
func (e *evaluation) set(v *ssa.Value, x *symbol, k int) {
	if e.env[v.ID] == nil {
		n := 1
		if e.differs(v) {
			n = e.n
		}
		e.env[v.ID] = make([]*symbol, n)
	}
	e.env[v.ID][k%len(e.env[v.ID])] = x
}

// symbol returns a gang's symbol of v.
func (e *evaluation) symbol(v *ssa.Value, k int) *symbol {
	if list := e.env[v.ID]; list != nil {
		return list[k%len(list)]
	}
	var x *symbol
	switch {
	case v.Op == ssa.OpConst && v.Type.N == 1:
		x = e.all(v.Type, v.Bits[0])
	case v.Op == ssa.OpConst:
		x = ofValue(e.gangs.f.InsertEntry(e.gangs.f.NewConstVec(v.Type, v.Bits)))
	case v.Op == ssa.OpParam:
		x = ofValue(v)
		if bits, ok := e.o.argument(v); ok {
			x = e.all(v.Type, bits)
			e.forms |= Stepped
		}
	default:
		panic("spmd: a value is used before it is computed")
	}
	e.env[v.ID] = []*symbol{x}
	return x
}

// block executes the values of a block for a gang's lanes in a mask.
func (e *evaluation) block(b *ssa.Block, m mask, k int) bool {
	for _, v := range b.Values[len(b.Phis()):] {
		if v.Op.Has(ssa.Terminator) || v.Op == ssa.OpConst || v.Op == ssa.OpParam {
			continue
		}
		if e.once && !e.differs(v) && v.Op.Has(ssa.Pure) {
			if e.visit[v.ID] == e.visits {
				continue
			}
			e.visit[v.ID] = e.visits
		}
		x, ok := e.execute(v, m, k)
		if !ok || e.again {
			return false
		}
		if x != nil {
			e.set(v, x, k)
		}
	}
	return true
}

// execute executes a value.
func (e *evaluation) execute(v *ssa.Value, m mask, k int) (x *symbol, ok bool) {
	switch v.Op {
	case ssa.OpWorkItem:
		return e.query(v, k), true
	case ssa.OpGlobalAddr:
		if g, ok := isLocal(v); ok && !e.memory[g] {
			x := e.all(v.Type, 0)
			x.root = g
			return x, true
		}
		return ofValue(e.emit(v)), true
	case ssa.OpLoad, ssa.OpStore:
		return e.access(v, m, k)
	}
	if !v.Op.Has(ssa.Pure) {
		return nil, false
	}
	args := make([]*symbol, len(v.Args))
	for i, a := range v.Args {
		args[i] = e.symbol(a, k)
	}
	if x = e.assumed(v, args); x != nil {
		return x, true
	}
	return e.apply(v, args), true
}

// query returns the answer to a work-item query for a gang.
func (e *evaluation) query(v *ssa.Value, k int) *symbol {
	d, q := v.Args[0].ConstElem(0), ssa.WorkItemQuery(v.Aux)
	if d < 3 && q == ssa.LocalID {
		x := e.all(v.Type, e.o.first(k)[d])
		for i := range x.known {
			if d == 0 {
				x.known[i] += uint64(i)
			}
		}
		return x
	}
	x := ofValue(e.emit(v, e.constant(v.Args[0].Type, d)))
	if d < 3 && q == ssa.GlobalID && e.o.first(k)[d] != 0 {
		x.off, x.made = e.o.first(k)[d], nil
	}
	return x
}

// access executes a load or a store.
func (e *evaluation) access(v *ssa.Value, m mask, k int) (x *symbol, ok bool) {
	p, t := e.symbol(v.Args[0], k), v.Type
	var stored *symbol
	if v.Op == ssa.OpStore {
		stored = e.symbol(v.Args[1], k)
		t = stored.t
	}
	if p.root == nil {
		return e.effect(v, p, stored, m, k), true
	}
	if v.Flags&ssa.Volatile != 0 || p.open() && stored != nil {
		e.keep(p.root)
		return nil, false
	}
	if stored == nil {
		x = e.loadAt(p, t, m)
		return x, x != nil
	}
	a, at := e.arrayOf(p, t, m.maybe)
	if a == nil {
		return nil, false
	}
	if !e.store(a, at, stored, m) {
		e.keep(p.root)
		return nil, false
	}
	return nil, true
}

// effect makes the load or store of memory for a gang's lanes in a mask.
func (e *evaluation) effect(v *ssa.Value, p, stored *symbol, m mask, k int) *symbol {
	if m.maybe == 0 {
		return nil
	}
	key := loadKey{p.val, p.off, v.Type}
	if x := e.loads[key]; x != nil && stored == nil && v.Flags&ssa.Volatile == 0 && m.val == nil {
		return x
	}
	args := []*ssa.Value{e.value(p)}
	if stored != nil {
		args = append(args, e.value(stored))
	}
	if slices.ContainsFunc(args, func(a *ssa.Value) bool { return a.Block == nil }) {
		e.join()
	}
	w := e.like(v, args)
	for len(e.origin) <= int(w.ID) {
		e.origin, e.gang = append(e.origin, nil), append(e.gang, 0)
	}
	e.origin[w.ID], e.gang[w.ID] = v, int32(k)+1
	if m.val == nil && m.maybe == e.every() {
		return e.whole(w, p, key)
	}
	e.testMasked(w, p)
	if stored != nil {
		e.stores(w)
	}
	if e.side == nil || e.sideMask != m {
		e.join()
		e.side, e.sideMask = e.gangs.f.NewBlock(""), m
	}
	e.side.Append(w)
	if stored != nil {
		return nil
	}
	phi := e.gangs.f.NewValue(ssa.OpPhi, v.Type, v.Pos, e.constant(v.Type, 0), w)
	e.loaded = append(e.loaded, phi)
	return ofValue(phi)
}

// join ends the block of effects under a mask.
func (e *evaluation) join() {
	side := e.side
	if side == nil {
		return
	}
	e.side = nil
	f := e.gangs.f
	next := f.NewBlock("")
	c := e.value(e.maskSymbol(e.sideMask))
	e.cur.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, 0, c))
	e.cur.Link(side)
	e.cur.Link(next)
	side.Append(f.NewValue(ssa.OpJump, ssa.TVoid, 0))
	side.Link(next)
	for _, phi := range e.loaded {
		next.Append(phi)
	}
	e.loaded, e.cur = nil, next
}

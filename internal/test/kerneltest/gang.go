package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A gang interprets a plan as machine code executes it. Each value has a register with an element for each lane; a
// computation overwrites the elements of inactive lanes too. Each block with a mask of its own has a register for
// it.
type gang struct {
	p     *spmd.Plan
	mem   []byte
	first uint64 // global id of lane 0
	local uint64 // work-items of a work-group
	val   [][]uint64
	mask  [][]bool
	alias []*ssa.Value
	where []*ssa.Block // by lane: the block that it must reach next
	noise uint64
	in    []uint64
	watch Watch
}

// A Watch is called with a value of a plan after a gang has computed it; with a phi when its block begins. active
// is the mask of lanes, nil if all are active. of returns the lanes' present elements of a value.
type Watch func(v *ssa.Value, active []bool, of func(v *ssa.Value) []uint64) error

// RunPlan runs a plan of a RandomFlow kernel for a gang of lanes work-items of one work-group; lane 0 has the
// global id first. It returns an error if a lane is active in a wrong block or inactive in its block.
//
// The registers of inactive lanes hold noise. watch may be nil.
func RunPlan(p *spmd.Plan, mem []byte, first, local uint64, lanes int, watch Watch) error {
	g := &gang{p: p, watch: watch, mem: mem, first: first, local: local, val: make([][]uint64, p.F.NumValues()), mask: make([][]bool, p.F.NumBlocks()), alias: make([]*ssa.Value, p.F.NumValues()), where: make([]*ssa.Block, lanes)}
	for i := range g.val {
		g.val[i] = make([]uint64, lanes)
		for k := range g.val[i] {
			g.val[i][k] = g.random()
		}
	}
	for i := range g.mask {
		g.mask[i] = make([]bool, lanes)
		for k := range g.mask[i] {
			g.mask[i][k] = g.random()&1 != 0
		}
	}
	for _, b := range p.Order {
		g.aliases(b)
	}
	b := p.Order[0]
	for k := range g.where {
		g.where[k] = b
	}
	for steps := 0; b != nil; steps++ {
		if steps > maxSteps {
			return errEndless
		}
		if err := g.arrived(b); err != nil {
			return err
		}
		next, err := g.block(b)
		if err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
		b = next
	}
	return nil
}

func (g *gang) random() uint64 {
	g.noise = g.noise*6364136223846793005 + 1442695040888963407
	return g.noise >> 33
}

// aliases replaces phis by their incoming value in blocks that all lanes enter together from one predecessor, as
// package x86 does.
func (g *gang) aliases(b *ssa.Block) {
	if t := b.Term().Op; g.p.Split[b.ID] || t != ssa.OpBranch && t != ssa.OpSwitch {
		return
	}
	for _, s := range b.Succs {
		if len(s.Preds) == 1 && (g.p.Loops.Of(s) == g.p.Loops.Of(b) || !g.p.Divergent[b.ID]) {
			for _, v := range s.Phis() {
				g.alias[v.ID] = v.Args[0]
			}
		}
	}
}

// of returns the register of a value.
func (g *gang) of(v *ssa.Value) []uint64 {
	for g.alias[v.ID] != nil {
		v = g.alias[v.ID]
	}
	return g.val[v.ID]
}

// here returns the mask of b; nil stands for all lanes.
func (g *gang) here(b *ssa.Block) []bool {
	if c := g.p.Class[b.ID]; c != nil {
		return g.mask[c.ID]
	}
	return nil
}

// arrived checks that the active lanes of b are the lanes that must be there. An empty divergent block has no mask,
// and is not checked.
func (g *gang) arrived(b *ssa.Block) error {
	if len(b.Values) == 1 && b.Term().Op == ssa.OpJump && g.p.Class[b.ID] == nil && g.p.Divergent[b.ID] {
		return nil
	}
	m, some := g.here(b), false
	for k, w := range g.where {
		is := m == nil || m[k]
		some = some || is
		if is != (w == b) {
			return fmt.Errorf("b%d: lane %d is there: %v; it must be at b%d", b.ID, k, is, w.ID)
		}
	}
	if !some {
		return fmt.Errorf("b%d: no lane is there", b.ID)
	}
	return nil
}

// enter follows skip tests from b to a block with active lanes.
func (g *gang) enter(t spmd.Target) *ssa.Block {
	b := t.Block
	for ; t.Test; t = g.p.Enter(b) {
		for _, is := range g.here(b) {
			if is {
				return b
			}
		}
		if g.p.Skip[b.ID] == nil {
			break
		}
		b = g.p.Skip[b.ID]
	}
	return b
}

// block runs b and returns the next block, nil at the end.
func (g *gang) block(b *ssa.Block) (*ssa.Block, error) {
	m := g.here(b)
	for _, v := range b.Values {
		switch {
		case v.Op == ssa.OpPhi:
			if err := g.seen(v, m); err != nil {
				return nil, err
			}
		case v.Op.Has(ssa.Terminator):
			return g.terminator(b, v, m), nil
		case v.Op == ssa.OpVote:
			g.vote(v, m)
		case v.Op == ssa.OpEnd:
			g.end(v)
		default:
			if err := g.value(v, m); err != nil {
				return nil, err
			}
			if err := g.seen(v, m); err != nil {
				return nil, err
			}
		}
	}
	panic("kerneltest: a block without an end")
}

// seen calls the watch with a value.
func (g *gang) seen(v *ssa.Value, m []bool) error {
	if g.watch == nil {
		return nil
	}
	return g.watch(v, m, g.of)
}

// value computes v in the lanes of m and writes noise to the others. A value that the plan marks as uniform is
// computed once.
func (g *gang) value(v *ssa.Value, m []bool) error {
	one := -1
	for k := range g.where {
		if m != nil && !m[k] {
			if v.Op != ssa.OpConst && v.Op != ssa.OpParam {
				g.val[v.ID][k] = g.random()
			}
			continue
		}
		if one >= 0 && !g.p.Varying[v.ID] && v.Op != ssa.OpStore {
			continue
		}
		one = k
		arg := func(i int) uint64 { return g.of(v.Args[i])[k] }
		id := g.first + uint64(k)
		x, err := evaluate(v, arg, g.mem, id, id%g.local)
		if err != nil {
			return err
		}
		g.val[v.ID][k] = x
	}
	if !g.p.Varying[v.ID] {
		g.same(v, g.val[v.ID][one])
	}
	return nil
}

// same sets all lanes of v to x.
func (g *gang) same(v *ssa.Value, x uint64) {
	for k := range g.where {
		g.val[v.ID][k] = x
	}
}

func (g *gang) vote(v *ssa.Value, m []bool) {
	all, none := true, true
	for k := range g.where {
		if m == nil || m[k] {
			is := g.of(v.Args[0])[k] != 0
			all, none = all && is, none && !is
		}
	}
	switch {
	case all:
		g.same(v, ssa.VoteAll)
	case none:
		g.same(v, ssa.VoteNone)
	default:
		g.same(v, ssa.VoteSome)
	}
}

// end sets all lanes to the value of an OpEnd. EndsOrder is conservative: it may be 0 also for ordered lanes.
func (g *gang) end(v *ssa.Value) {
	of := g.of(v.Args[0])
	n := len(g.where)
	switch v.Aux {
	case ssa.EndFirst:
		g.same(v, of[0])
	case ssa.EndLast:
		g.same(v, of[n-1])
	default:
		k := v.Args[0].Type.K
		le := func(x, y uint64) bool {
			r, _ := ssa.EvalScalar(ssa.OpLe, ssa.Bool, k, 0, []uint64{x, y})
			return r != 0
		}
		lo, hi := of[0], of[n-1]
		if !le(lo, hi) {
			lo, hi = hi, lo
		}
		ordered := uint64(1)
		for _, x := range of[:n] {
			if !le(lo, x) || !le(x, hi) || g.random()%16 == 0 {
				ordered = 0
			}
		}
		g.same(v, ordered)
	}
}

// terminator ends b: it sets masks and phis of the successors and returns the next block.
func (g *gang) terminator(b *ssa.Block, t *ssa.Value, m []bool) *ssa.Block {
	p := g.p
	taken := func(k int) int { return successor(t, func(i int) uint64 { return g.of(t.Args[i])[k] }) }
	one := -1
	for k := range g.where {
		if g.where[k] != b {
			continue
		}
		one = k
		if t.Op != ssa.OpReturn {
			defer func(s *ssa.Block) { g.where[k] = s }(b.Succs[taken(k)])
		}
	}
	x := p.Exit(b)
	switch x.Kind {
	case spmd.Returns:
		return nil
	case spmd.Continues:
		g.edge(b, b.Succs[0], m)
		g.zeros(x.Zero)
		return g.enter(x.To[0])
	case spmd.Splits:
		g.zeros(x.Zero)
		edges := make([][]bool, len(b.Succs))
		for i := range edges {
			edges[i] = make([]bool, len(g.where))
			for k := range g.where {
				edges[i][k] = (m == nil || m[k]) && taken(k) == i
			}
		}
		for i, s := range b.Succs {
			g.edge(b, s, edges[i])
		}
		return g.enter(x.To[0])
	}
	g.zeros(x.Zero)
	i := taken(one)
	if x.Direct { // all edges set the phis
		for _, s := range b.Succs {
			g.moves(b, s, m)
		}
		g.setMask(b, b.Succs[i], m)
	} else {
		g.edge(b, b.Succs[i], m)
	}
	return g.enter(x.To[i])
}

func (g *gang) zeros(list []*ssa.Block) {
	for _, s := range list {
		clear(g.mask[s.ID])
	}
}

// edge passes the lanes e from b to s.
func (g *gang) edge(b, s *ssa.Block, e []bool) {
	g.moves(b, s, e)
	g.setMask(b, s, e)
}

func (g *gang) setMask(b, s *ssa.Block, e []bool) {
	if g.p.Class[s.ID] != s {
		return
	}
	plain := g.p.Plain(b, s)
	for k := range g.where {
		is := e == nil || e[k]
		g.mask[s.ID][k] = is || !plain && g.mask[s.ID][k]
	}
}

// moves sets s's phis for the lanes e of the edge from b.
func (g *gang) moves(b, s *ssa.Block, e []bool) {
	at := edgeNumber(b, s)
	over := g.p.Plain(b, s) || e == nil
	phis := s.Phis()
	for k := range g.where {
		g.in = g.in[:0]
		for _, v := range phis {
			g.in = append(g.in, g.of(v.Args[at])[k])
		}
		for i, v := range phis {
			if g.alias[v.ID] == nil && (over || !g.p.Varying[v.ID] || e[k]) {
				g.val[v.ID][k] = g.in[i]
			}
		}
	}
}

package spmd

import (
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A Plan is a kernel made ready for gangs.
type Plan struct {
	F       *ssa.Func
	Order   []*ssa.Block // of execution
	Pos     []int32      // by block ID: index in Order
	Dom     *ssa.DomTree
	Loops   *ssa.Loops
	Varying []bool // by value ID: lanes may differ
	Split   []bool // by block ID: its branch is divergent

	Control

	Rows  int                  // of the range that a gang does at once, see coarsen.go
	Gangs bool                 // a function of the work-group, see gangs.go
	Kept  map[*ssa.Alloca]bool // private objects made for it

	// Facts says how values vary over the lanes and what numbers they are. Passes ask the facts
	// method, which computes them anew for a function that they changed.
	Facts *lanes.Facts

	mostGroups [3]int64 // in each dimension, see lanes.Input
	copies
	rare    []bool              // by block ID, see Rare
	cold    map[*ssa.Block]bool // made for gangs that do not agree
	waiting []places            // by block ID: where lanes may wait meanwhile
	came    []*ssa.Block        // by block ID: of a tested block, what has run before every test
}

// Control is how control and masks go from block to block, by block ID. Machines ask [Plan.Exit] for the ends of blocks.
type Control struct {
	Divergent []bool         // lanes of the gang may be elsewhere while the block runs
	Class     []*ssa.Block   // the block whose mask this one has; nil: the whole gang's
	Test      []bool         // entered also where no lane is there: test the mask
	Next      [][]*ssa.Block // by number of successor: what comes after a block that does not continue directly
	Skip      []*ssa.Block   // after a block without lanes
	Zero      [][]*ssa.Block // blocks whose masks become zero at the end of this one
}

// copies says what passes have made copies of. It stays when the function is analysed anew.
type copies struct {
	Unfolded bool  // a plan without loops over gangs, see unfold.go
	Forms    Forms // that the plan has

	origin    []*ssa.Value // by value ID: what the value is a copy of, nil: itself
	unfolding Unfolding
	gang      []int32 // by value ID: 1 + the number of the gang whose the value is, 0 if there is no other
}

// ErrBarrier is the error of a kernel with a barrier that part of a gang may not reach.
var ErrBarrier = errors.New("a barrier in divergent control flow")

// Options say what a gang looks like.
type Options struct {
	// RowUniform says that lanes differ only in dimension 0 of their ids.
	RowUniform bool
	// Along is the dimension of the host's range that lanes lie along: the plan's dimension 0.
	// The two are exchanged in the whole plan, in Unfold too.
	Along int
	// Flat asks for a kernel that needs no work-groups, see flat.go. Local is the size of all of them,
	// in the host's order; zeros: any.
	Flat  bool
	Local [3]uint64
	// Collapse asks for a kernel of work-groups with one dimension, see collapse.go: all have the size Local.
	Collapse bool
	// Rows is how many bytes of its row a lane reads at once, at most, in copies of loops for that; 0: no
	// such copies. Objects of [lanes.MaxObject] bytes must not occur then.
	Rows int
	// GroupUniform says that a gang's lanes belong to one work-group.
	GroupUniform bool
	// Versions asks for copies of parts of the kernel for gangs whose lanes agree at
	// branches: for gangs that have all their lanes.
	Versions bool
	// Gangs asks for a function of the work-group where the kernel has barriers.
	Gangs bool
	// Coarsen asks for gangs of several rows if it has registers; else gangs are of one.
	Coarsen Coarsening
	// Unfold is the form of the work-groups, if all have one that is known.
	Unfold Unfolding
	// Config says how the passes run.
	Config Config

	group bool // lanes are all work-items of a group
}

// Rare reports whether b is only for gangs whose lanes do not agree about a test of an
// id, or with an element for which an OpAny asks: a few of many.
func (p *Plan) Rare(b *ssa.Block) bool { return p.rare[b.ID] }

// Origin returns the value that v is a copy of, or v.
func (p *Plan) Origin(v *ssa.Value) *ssa.Value {
	if int(v.ID) < len(p.origin) && p.origin[v.ID] != nil {
		return p.origin[v.ID]
	}
	return v
}

// Gang returns the number of the gang whose v is, where the frame is the first one's.
func (p *Plan) Gang(v *ssa.Value) int {
	if int(v.ID) < len(p.gang) && p.gang[v.ID] != 0 {
		return int(p.gang[v.ID]) - 1
	}
	return 0
}

// FirstID returns the local id, in dimension 0, of a gang's first work-item.
func (p *Plan) FirstID(gang int) uint64 { return p.unfolding.first(gang)[0] }

// facts returns the facts of the function as it was analysed.
func (p *Plan) facts() *lanes.Facts {
	if p.Facts == nil {
		in := lanes.Input{F: p.F, Order: p.Order, Loops: p.Loops, Varying: p.Varying, Split: p.Split, Divergent: p.Divergent, Origin: p.Origin}
		if p.rare != nil {
			in.Rare = p.Rare
		}
		if p.Unfolded {
			in.Lanes = p.unfolding.Lanes
		}
		in.Groups = p.mostGroups
		p.Facts = lanes.Analyse(in)
	}
	return p.Facts
}

// awaited reports whether lanes that wait elsewhere while b runs may come to a barrier
// yet; else they return, and nobody waits for them there.
func (p *Plan) awaited(b *ssa.Block) bool {
	seen := map[*ssa.Block]bool{}
	var work []*ssa.Block
	visit := func(c *ssa.Block) {
		if !seen[c] {
			seen[c] = true
			work = append(work, c)
		}
	}
	for _, c := range p.Order {
		if p.Waiting(b, c) {
			visit(c)
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for _, v := range c.Values {
			if v.Op == ssa.OpBarrier {
				return true
			}
		}
		for _, s := range c.Succs {
			visit(s)
		}
	}
	return false
}

// Waiting reports whether lanes may wait at c while b runs.
func (p *Plan) Waiting(b, c *ssa.Block) bool {
	return p.waiting[b.ID].has(p.Pos[c.ID])
}

// Plain reports whether no other lanes wait at b's successor s while b runs, so that
// what goes along the edge may overwrite what stands there.
func (p *Plan) Plain(b, s *ssa.Block) bool {
	if l := p.Loops.Of(s); l != nil && l.Header == s {
		return true
	}
	return !p.Waiting(b, s) || len(s.Preds) == 1 && p.Loops.Of(b) == p.Loops.Of(s)
}

// Direct reports whether control may go from b straight to its successor s: no lanes
// wait at a block before it.
func (p *Plan) Direct(b, s *ssa.Block) bool {
	to := p.Pos[s.ID]
	k := p.waiting[b.ID].next(p.Pos[b.ID] + 1)
	return k < 0 || k >= to
}

// schedule computes where lanes may wait, the classes of masks and the order of control.
func (p *Plan) schedule(u *uniform.Analysis) {
	n := p.F.NumBlocks()
	p.Divergent = make([]bool, n)
	p.waiting = make([]places, n)
	s := parting{Plan: p, u: u, from: make([]int32, len(p.Order))}
	for _, d := range u.Splits {
		s.part(d)
	}
	p.classes(u)
}

// A parting finds where lanes may wait for others that left them at a divergent branch.
type parting struct {
	*Plan
	u    *uniform.Analysis
	from []int32 // by place: 1 + the number of the successor from which it is reached, or several
	work []int32
}

const several = -1

// part adds to where lanes may wait while blocks between d and its join run: where the
// other successors of d lead.
func (s *parting) part(d *ssa.Block) {
	join := s.u.PostDom.Idom(d)
	var all []int32
	reached := make([][]int32, len(d.Succs)) // by successor: from it alone
	for i, first := range d.Succs {
		if slices.Contains(d.Succs[:i], first) {
			continue
		}
		all = s.reach(first, join, int32(i)+1, all)
	}
	for _, k := range all {
		if i := s.from[k]; i > 0 {
			reached[i-1] = append(reached[i-1], k)
		}
	}
	everywhere := placesOf(all)
	others := make([]places, len(d.Succs))
	for i, list := range reached {
		others[i] = everywhere.without(placesOf(list))
	}
	var old, add, sum places // of the block before
	for _, k := range all {
		b, w := s.Order[k], everywhere
		if i := s.from[k]; i > 0 {
			w = others[i-1]
		}
		s.from[k] = 0
		if b == join {
			continue
		}
		s.Divergent[b.ID] = true
		// The earliest lanes are executed first: nobody waits at b or before it.
		w = w.behind(k)
		if x := s.waiting[b.ID]; sum == nil || !x.same(old) || !w.same(add) {
			old, add, sum = x, w, x.union(w)
		}
		s.waiting[b.ID] = sum
	}
}

// reach notes what is reached from b, up to join, as reached from a successor, and adds
// places where it is the first to come to all. It need not go on where two have been.
func (s *parting) reach(b, join *ssa.Block, number int32, all []int32) []int32 {
	s.work = s.work[:0]
	visit := func(b *ssa.Block) {
		k := s.Pos[b.ID]
		switch s.from[k] {
		case number, several:
			return
		case 0:
			s.from[k] = number
			all = append(all, k)
		default:
			s.from[k] = several
		}
		s.work = append(s.work, k)
	}
	visit(b)
	for len(s.work) > 0 {
		b := s.Order[s.work[len(s.work)-1]]
		s.work = s.work[:len(s.work)-1]
		if b != join {
			for _, t := range b.Succs {
				visit(t)
			}
		}
	}
	return all
}

// left returns the loops that lanes may leave at different times.
func (p *Plan) left(u *uniform.Analysis) map[*ssa.Loop]bool {
	left := map[*ssa.Loop]bool{}
	for _, d := range u.Splits {
		u.Leaves(d, u.RegionOf(d), func(l *ssa.Loop) { left[l] = true })
	}
	return left
}

func (p *Plan) classes(u *uniform.Analysis) {
	n := p.F.NumBlocks()
	p.Class = make([]*ssa.Block, n)
	p.Test = make([]bool, n)
	p.Next = make([][]*ssa.Block, n)
	p.Skip = make([]*ssa.Block, n)
	p.Zero = make([][]*ssa.Block, n)
	own := make([]bool, n)
	apart := p.left(u)
	for again := true; again; {
		again = false
		for _, b := range p.Order {
			p.Class[b.ID] = p.classOf(u, b, own, apart)
			p.Test[b.ID] = false
		}
		// Where lanes may wait when control comes to a block that may have none: what its
		// Skip must not pass over. All this goes forward only.
		pending := make([]places, n)
		p.came = make([]*ssa.Block, n)
		transfer := func(from, s *ssa.Block, w places, skip bool) {
			if s == nil {
				return
			}
			pending[s.ID] = pending[s.ID].union(w)
			ran := from
			if skip {
				ran = p.came[from.ID]
			}
			p.came[s.ID] = p.meet(p.came[s.ID], ran)
			c := p.Class[s.ID]
			switch {
			case c == s:
				p.Test[s.ID] = true
			case c == nil: // the whole gang's
			case p.Dom.Dominates(c, ran):
				// Its lanes are certainly there: those of a block that has run. That from
				// has a test does not say that the blocks that dominate it have run.
			default:
				own[s.ID] = true
				again = true
			}
		}
		for _, b := range p.Order {
			p.Next[b.ID] = p.Next[b.ID][:0]
			for i := range b.Succs {
				to := b.Succs[i : i+1]
				if p.Split[b.ID] {
					to = b.Succs
				}
				w := p.waiting[b.ID]
				s := p.after(b, w, to)
				p.Next[b.ID] = append(p.Next[b.ID], s)
				if !p.ContinuesDirectly(b) {
					at := make([]int32, len(to))
					for i, t := range to {
						at[i] = p.Pos[t.ID]
					}
					transfer(b, s, w.union(placesOf(at)), false)
				}
			}
			p.Skip[b.ID] = nil
			if p.Test[b.ID] {
				p.Skip[b.ID] = p.after(b, pending[b.ID], nil)
				transfer(b, p.Skip[b.ID], pending[b.ID], true)
			}
		}
	}
	p.zeros()
	p.dropHollow()
}

// dropHollow takes the masks and tests from blocks that do nothing, with lanes or without, from which control goes on
// at one place and whose masks are no others': nobody needs those.
func (p *Plan) dropHollow() {
	hollow := make([]bool, len(p.Class))
	for _, b := range p.Order {
		if len(b.Values) > 1 || b.Term().Op != ssa.OpJump || p.Class[b.ID] != b || !p.Test[b.ID] || len(p.Zero[b.ID]) > 0 {
			continue
		}
		s, to := b.Succs[0], p.Next[b.ID][0]
		if p.ContinuesDirectly(b) {
			to = s
		}
		hollow[b.ID] = len(s.Phis()) == 0 && p.Class[s.ID] != s && p.Pos[s.ID] > p.Pos[b.ID] && p.Skip[b.ID] == to
	}
	for _, b := range p.Order {
		if c := p.Class[b.ID]; c != nil && c != b {
			hollow[c.ID] = false
		}
	}
	for _, b := range p.Order {
		p.Zero[b.ID] = slices.DeleteFunc(p.Zero[b.ID], func(s *ssa.Block) bool { return hollow[s.ID] })
		if hollow[b.ID] {
			p.Class[b.ID], p.Test[b.ID], p.Skip[b.ID] = nil, false, nil
		}
	}
}

// ContinuesDirectly reports whether after b control goes straight to a successor.
func (p *Plan) ContinuesDirectly(b *ssa.Block) bool {
	if p.Split[b.ID] {
		return false
	}
	for _, s := range b.Succs {
		if !p.Direct(b, s) {
			return false
		}
	}
	return true
}

func (p *Plan) classOf(u *uniform.Analysis, b *ssa.Block, own []bool, apart map[*ssa.Loop]bool) *ssa.Block {
	if !p.Divergent[b.ID] {
		return nil
	}
	if own[b.ID] {
		return b
	}
	l := p.Loops.Of(b)
	if l != nil && l.Header == b {
		if pre := entering(p, l); !apart[l] && p.Direct(pre, b) {
			return p.Class[pre.ID]
		}
		return b
	}
	// Of what b does not post-dominate it post-dominates no dominator either.
	for a := p.Dom.Idom(b); a != nil && u.PostDom.Dominates(b, a); a = p.Dom.Idom(a) {
		if p.Loops.Of(a) == l {
			return p.Class[a.ID]
		}
	}
	if len(b.Preds) == 1 && !p.Split[b.Preds[0].ID] && p.ContinuesDirectly(b.Preds[0]) && p.Loops.Of(b.Preds[0]) == l {
		return p.Class[b.Preds[0].ID]
	}
	return b
}

// entering returns the block that leads into a loop.
func entering(p *Plan, l *ssa.Loop) *ssa.Block {
	for _, b := range l.Header.Preds {
		if !p.Loops.Contains(l, b) {
			return b
		}
	}
	return nil
}

// after returns the first block behind b in w, or that b's own lanes have gone to.
func (p *Plan) after(b *ssa.Block, w places, to []*ssa.Block) *ssa.Block {
	at := p.Pos[b.ID]
	first := int32(len(p.Order))
	for _, s := range to {
		if k := p.Pos[s.ID]; k > at {
			first = min(first, k)
		}
	}
	l := p.Loops.Of(b)
	for k := w.next(at + 1); k >= 0 && k < first; k = w.next(k + 1) {
		// Behind b only b's own lanes come by, except from earlier rounds of a loop around it.
		c := p.Order[k]
		if !(p.Dom.Dominates(b, c) && (l == nil || p.Loops.Contains(l, c))) {
			return c
		}
	}
	if first == int32(len(p.Order)) {
		return nil
	}
	return p.Order[first]
}

// zeros places the zeroing of the masks that are collected from several edges: where
// all ways to their test, and all edges to the block, have come through.
func (p *Plan) zeros() {
	for _, s := range p.Order {
		if p.Class[s.ID] != s {
			continue
		}
		if l := p.Loops.Of(s); l != nil && l.Header == s {
			if p.Test[s.ID] {
				p.zeroAt(s)
			}
			continue
		}
		p.zeroAt(s)
	}
}

// meet returns the nearest block that dominates both; a may be nil.
func (p *Plan) meet(a, b *ssa.Block) *ssa.Block {
	if a == nil {
		return b
	}
	for !p.Dom.Dominates(a, b) {
		a = p.Dom.Idom(a)
	}
	return a
}

func (p *Plan) zeroAt(s *ssa.Block) {
	z := p.came[s.ID]
	l := p.Loops.Of(s)
	for _, b := range s.Preds {
		if l == nil || l.Header != s || !p.Loops.Contains(l, b) {
			z = p.meet(z, b)
		}
	}
	inner := func(z *ssa.Block) *ssa.Loop {
		for x := p.Loops.Of(z); x != nil; x = x.Parent {
			if !p.Loops.Contains(x, s) {
				y := x
				for y.Parent != nil && !p.Loops.Contains(y.Parent, s) {
					y = y.Parent
				}
				return y
			}
		}
		return nil
	}
	for {
		x := inner(z)
		if x == nil {
			break
		}
		z = p.Dom.Idom(x.Header)
	}
	p.Zero[z.ID] = append(p.Zero[z.ID], s)
}

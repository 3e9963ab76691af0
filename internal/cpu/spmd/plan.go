package spmd

import (
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A Plan is a kernel prepared for gangs.
type Plan struct {
	F       *ssa.Func
	Order   []*ssa.Block // in execution order
	Pos     []int32      // by block ID: index in Order
	Dom     *ssa.DomTree
	Loops   *ssa.Loops
	Varying []bool // by value ID: may differ between lanes
	Split   []bool // by block ID: its branch is divergent

	Control

	Rows  int                  // rows of the range that a gang covers, see coarsen.go
	Gangs bool                 // the function runs a whole work-group, see gangs.go
	Kept  map[*ssa.Alloca]bool // private objects that keep values between parts
	// Aligned says that the launch's offset must be a multiple of the size of work-groups.
	Aligned bool

	// Facts describes how values vary over the lanes, and their possible values. Passes call facts, which
	// recomputes it for a changed function.
	Facts *lanes.Facts

	mostGroups [3]int64 // in each dimension, see lanes.Input
	groupSize  [3]int64 // see Group of lanes.Input
	copies
	rare    []bool              // by block ID, see Rare
	cold    map[*ssa.Block]bool // for gangs that do not agree
	waiting []places            // by block ID: the positions where lanes may wait while it runs
	came    []*ssa.Block        // by block ID: the block that has run before every test of this one
}

// Control describes the flow of control and masks between blocks, by block ID. Machines call [Plan.Exit] for
// the ends of blocks.
type Control struct {
	Divergent []bool         // some lanes of the gang may be elsewhere while the block runs
	Class     []*ssa.Block   // the block whose mask this one has; nil: the whole gang's
	Test      []bool         // may be entered without active lanes: test the mask
	Next      [][]*ssa.Block // by index of the successor: the next block if control does not go directly to the successor
	Skip      []*ssa.Block   // the next block if the mask is empty
	Zero      [][]*ssa.Block // blocks whose masks to clear at the end of this one
}

// copies records the copies made by passes. It survives a new analysis of the function.
type copies struct {
	Unfolded bool  // a plan without loops over gangs, see unfold.go
	Forms    Forms // the plan's special forms

	origin    []*ssa.Value // by value ID: the original of a copy, nil: itself
	unfolding Unfolding
	row       uint64  // work-items of a row of a padded work-group that do not return at once; 0: others
	gang      []int32 // by value ID: 1 + the number of the value's gang, 0 if there is only one

	// Extents are the bounds that a launch must test, nil if none. Once says that the first block is executed once for all
	// work-groups.
	Extents *Extents
	Once    bool
}

// ErrBarrier is the error of a kernel with a barrier that part of a gang may not reach.
var ErrBarrier = errors.New("a barrier in divergent control flow")

// Options describe the gangs.
type Options struct {
	// RowUniform says that the ids of lanes differ only in dimension 0.
	RowUniform bool
	// LaneDim is the dimension of the host's range in which lanes are consecutive: dimension 0 of the plan. The
	// two are exchanged in the whole plan, including Unfold.
	LaneDim int
	// Flat requests a kernel that ignores work-groups, see flat.go. Local is the size of all work-groups, in
	// the host's order; zeros: unknown.
	Flat  bool
	Local [3]uint64
	// Collapse requests a kernel of work-groups with one dimension, see collapse.go. All of them have the size Local.
	// Padded is the size, in the host's dimensions, of the work-groups that the launch has instead; zeros if it has
	// others. If they are collapsed, they have at least Items work-items.
	Collapse bool
	Padded   [3]uint64
	Items    uint64
	// Rows is the greatest number of bytes that a lane reads of its row at once, in copies of loops for that;
	// 0: no such copies. Objects of [lanes.MaxObject] bytes are then not supported.
	Rows int
	// GroupUniform says that a gang's lanes belong to one work-group.
	GroupUniform bool
	// Versions requests copies of code for gangs whose lanes agree at branches. It pays only for whole gangs.
	Versions bool
	// Gangs requests a function of the work-group if the kernel has barriers.
	Gangs bool
	// Coarsen requests gangs of several rows, if it has registers.
	Coarsen Coarsening
	// Unfold describes the work-groups if all have one known size.
	Unfold Unfolding
	// Evaluate requests a function of work-groups as in Unfold with local arrays in registers (evaluate.go), for
	// machines that can permute lanes.
	Evaluate bool
	// Aligned permits a plan that requires an offset that is a multiple of the size of work-groups.
	Aligned bool
	// Config controls the passes.
	Config Config

	// Scalar requests gangs of one work-item: all values are uniform, and machines compute them in scalar code. The
	// kernel must meet [Scalarable].
	Scalar bool

	// Estimates says that the machine has the operations OpRecipEstimate and OpRsqrtEstimate on floats.
	Estimates bool

	group bool // analyse work-groups instead of gangs
}

// Rare reports whether only few gangs execute b: those whose lanes do not agree on a test of an id, or for
// which an OpAny is true.
func (p *Plan) Rare(b *ssa.Block) bool { return p.rare[b.ID] }

// Origin returns the original of v if v is a copy, else v.
func (p *Plan) Origin(v *ssa.Value) *ssa.Value {
	if int(v.ID) < len(p.origin) && p.origin[v.ID] != nil {
		return p.origin[v.ID]
	}
	return v
}

// Gang returns the number of v's gang in an unfolded plan, else 0.
func (p *Plan) Gang(v *ssa.Value) int {
	if int(v.ID) < len(p.gang) && p.gang[v.ID] != 0 {
		return int(p.gang[v.ID]) - 1
	}
	return 0
}

// FirstID returns the local id, in dimension 0, of a gang's first work-item.
func (p *Plan) FirstID(gang int) uint64 { return p.unfolding.first(gang)[0] }

// facts returns the facts of the analysed function. Passes that change the function and keep the plan discard them.
func (p *Plan) facts() *lanes.Facts {
	if p.Facts == nil {
		p.Facts = lanes.Analyse(p.input())
	}
	return p.Facts
}

// input returns what facts follow from.
func (p *Plan) input() lanes.Input {
	in := lanes.Input{F: p.F, Order: p.Order, Loops: p.Loops, Varying: p.Varying, Split: p.Split, Divergent: p.Divergent, Origin: p.Origin}
	if p.rare != nil {
		in.Rare = p.Rare
	}
	if p.Unfolded {
		in.Lanes = p.unfolding.Lanes
	}
	in.Group, in.Groups = p.groupSize, p.mostGroups
	return in
}

// awaited reports whether lanes that wait elsewhere while b runs may still reach a barrier. If not, they return
// without waiting for others.
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

// Plain reports whether no other lanes wait at b's successor s while b runs, so that the edge may overwrite s's
// mask and phis.
func (p *Plan) Plain(b, s *ssa.Block) bool {
	if l := p.Loops.Of(s); l != nil && l.Header == s {
		return true
	}
	return !p.Waiting(b, s) || len(s.Preds) == 1 && p.Loops.Of(b) == p.Loops.Of(s)
}

// Direct reports whether control may go from b directly to its successor s: no lanes wait at a block before s.
func (p *Plan) Direct(b, s *ssa.Block) bool {
	to := p.Pos[s.ID]
	k := p.waiting[b.ID].next(p.Pos[b.ID] + 1)
	return k < 0 || k >= to
}

// schedule computes the positions where lanes may wait, the classes of masks and the order of control.
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

// A parting computes the positions where lanes may wait for others after a divergent branch.
type parting struct {
	*Plan
	u    *uniform.Analysis
	from []int32 // by position: 1 + the index of the successor that reaches it, or several
	work []int32
}

const several = -1

// part adds the positions where lanes may wait while blocks between d and its join run: those that d's other
// successors reach.
func (s *parting) part(d *ssa.Block) {
	join := s.u.PostDom.Idom(d)
	var all []int32
	reached := make([][]int32, len(d.Succs)) // by successor: the positions that only it reaches
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
	var old, add, sum places // of the previous block
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
		// The earliest lanes run first: no lane waits at b or before it.
		w = w.after(k)
		if x := s.waiting[b.ID]; sum == nil || !x.same(old) || !w.same(add) {
			old, add, sum = x, w, x.union(w)
		}
		s.waiting[b.ID] = sum
	}
}

// reach marks the positions that b reaches, up to join, with the successor's number, and appends newly reached
// ones to all. It stops at positions that several successors have reached.
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

// divergentLoops returns the loops that lanes may leave at different times.
func (p *Plan) divergentLoops(u *uniform.Analysis) map[*ssa.Loop]bool {
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
	apart := p.divergentLoops(u)
	for again := true; again; {
		again = false
		for _, b := range p.Order {
			p.Class[b.ID] = p.classOf(u, b, own, apart)
			p.Test[b.ID] = false
		}
		// The positions where lanes may wait when control enters a block that may have no lanes: its Skip must
		// not pass them. Information flows forward only.
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
			case c == nil: // the mask of the whole gang
			case p.Dom.Dominates(c, ran):
				// A block that has run had active lanes. But if from has a test, the blocks that dominate from
				// may not have run.
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
	p.dropEmptyBlocks()
}

// dropEmptyBlocks removes the masks and tests of blocks that are empty, always continue at the same block, and share
// their mask with no other block.
func (p *Plan) dropEmptyBlocks() {
	empty := make([]bool, len(p.Class))
	for _, b := range p.Order {
		if len(b.Values) > 1 || b.Term().Op != ssa.OpJump || p.Class[b.ID] != b || !p.Test[b.ID] || len(p.Zero[b.ID]) > 0 {
			continue
		}
		s, to := b.Succs[0], p.Next[b.ID][0]
		if p.ContinuesDirectly(b) {
			to = s
		}
		empty[b.ID] = len(s.Phis()) == 0 && p.Class[s.ID] != s && p.Pos[s.ID] > p.Pos[b.ID] && p.Skip[b.ID] == to
	}
	for _, b := range p.Order {
		if c := p.Class[b.ID]; c != nil && c != b {
			empty[c.ID] = false
		}
	}
	for _, b := range p.Order {
		p.Zero[b.ID] = slices.DeleteFunc(p.Zero[b.ID], func(s *ssa.Block) bool { return empty[s.ID] })
		if empty[b.ID] {
			p.Class[b.ID], p.Test[b.ID], p.Skip[b.ID] = nil, false, nil
		}
	}
}

// ContinuesDirectly reports whether control goes directly from b to a successor.
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
	// If b does not post-dominate a block, it post-dominates none of the block's dominators.
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

// entering returns the block before a loop.
func entering(p *Plan, l *ssa.Loop) *ssa.Block {
	for _, b := range l.Header.Preds {
		if !p.Loops.Contains(l, b) {
			return b
		}
	}
	return nil
}

// after returns the first block after b at which lanes in w or lanes of b, which have gone to the blocks to,
// wait.
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
		// After b only b's own lanes arrive, except from earlier iterations of a loop around it.
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

// zeros places the clearing of masks that several edges set: at a block that dominates all paths to their test
// and all edges to the block.
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

// meet returns the nearest common dominator; a may be nil.
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

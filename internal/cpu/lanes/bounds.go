package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The place of each bounds check: none at all, at the access, or in a test before the block or the loop, which
// package spmd has inserted (merge.go, inside.go).

// Where is the place of a bounds check.
type Where uint8

// The places.
const (
	Here        Where = iota // at the access
	Nowhere                  // none: the bounds hold in every launch
	BeforeBlock              // before the block, together with its neighbours
	BeforeLoop               // before the loop, for all iterations
)

// A Check tells how the bytes of an access are known to be in bounds.
type Check struct {
	Where Where
	// At is the access's offset in the object if Fixed, a constant. For BeforeBlock it is the distance from the
	// start of range number Range of the block's test.
	At    int64
	Fixed bool
	Range int
	Loop  *TestedLoop
	Sum   Step // for BeforeLoop: the growth of the offset per iteration
}

// tests are the bounds tests before blocks and loops.
type tests struct {
	ranges map[*ssa.Block][]ByteRange
	loops  map[*ssa.Loop]*TestedLoop
}

// TestBlock returns the contents of the test before a block: the ranges to compare with bounds, and the
// terms that must not wrap for that. After it the block's accesses in these ranges need no check.
func (x *Patterns) TestBlock(block *ssa.Block) ([]ByteRange, []NarrowTerm) {
	list, narrow := x.ByteRanges(block, x.Gang, x.Large)
	if x.ranges == nil {
		x.ranges = map[*ssa.Block][]ByteRange{}
	}
	x.ranges[block] = list
	return list, narrow
}

// Check decides where the bounds of an access with a regular pattern are checked.
func (x *Patterns) Check(w *Access, block *ssa.Block) (c Check) {
	at, fixed := x.FixedFirst(&w.Address)
	c.At, c.Fixed = at+w.Low, fixed
	switch {
	case fixed && Holds(w.Root, c.At, int(w.Bytes)):
		c.Where = Nowhere
	case x.beforeBlock(w, block, &c):
		c.Where = BeforeBlock
	case !fixed && x.beforeLoop(w, block, &c):
		c.Where = BeforeLoop
	}
	return c
}

// beforeBlock finds the range that contains an access.
func (x *Patterns) beforeBlock(w *Access, block *ssa.Block, c *Check) bool {
	list := x.ranges[block]
	if len(list) == 0 || w.Order != nil {
		return false
	}
	s, ok := LinearOf(w.Ptr)
	if !ok {
		return false
	}
	low := s.Disp + w.Low
	i := slices.IndexFunc(list, func(t ByteRange) bool {
		return t.Root == w.Root && slices.Equal(t.Terms, s.Terms) && t.Low <= low && low+w.Bytes <= t.High && (t.Write || !w.Write)
	})
	if i < 0 {
		return false
	}
	c.Range, c.At = i, low-list[i].Low
	return true
}

// Spanned reports whether a range of the test before the block contains the access in all lanes.
func (x *Patterns) Spanned(w *Access, block *ssa.Block) bool {
	if !w.Regular() || w.Stride < 0 {
		return false
	}
	all := Access{Address: w.Address, Bytes: int64(w.Type.Size()) + x.far(w)}
	return x.beforeBlock(&all, block, &Check{})
}

// A TestedLoop is a loop with the bounds test before it.
type TestedLoop struct {
	*Induction
	Test *ssa.Value // the OpInside; nil: none
	// Entry is the block at whose end the loop's initial values are known: the test's block, else Before.
	Entry *ssa.Block
}

// Loop returns the innermost loop around a block, nil if none.
func (x *Patterns) Loop(b *ssa.Block) *TestedLoop {
	l := x.Loops.Of(b)
	if l == nil {
		return nil
	}
	if p, ok := x.loops[l]; ok {
		return p
	}
	if x.loops == nil {
		x.loops = map[*ssa.Loop]*TestedLoop{}
	}
	p := &TestedLoop{Induction: x.Induction(l)}
	x.loops[l] = p
	if p.Latch == nil {
		return p
	}
	p.Entry = p.Before
	if len(p.Before.Preds) != 1 || len(p.Before.Values) != 1 {
		return p
	}
	b = p.Before.Preds[0]
	t := b.Term()
	if t.Op == ssa.OpBranch && b.Succs[0] == p.Before && b.Succs[1] != p.Before && t.Args[0].Op == ssa.OpInside && t.Args[0].Aux == ssa.InsideLoop {
		p.Test, p.Entry = t.Args[0], b
	}
	return p
}

// beforeLoop finds the test before the loop around an access. An offset that grows by the same amount in each
// iteration is in bounds in all of them if it is in the first and in the last, because nothing wraps between
// two offsets in an object. If a narrower sum wraps, the real offset differs, but the computed one is then out
// of bounds. The header runs once more than the body.
func (x *Patterns) beforeLoop(w *Access, block *ssa.Block, c *Check) (ok bool) {
	p := x.Loop(block)
	if p == nil || p.Test == nil || block == p.Header || w.Order != nil || len(w.Guards) > 0 {
		return false
	}
	c.Loop = p
	c.Sum, ok = p.OffsetStep(w.Terms, x.MayBeLarge(w.Root))
	return ok
}

// MayHaveWrapped returns the integers whose last lane must be representable in their type for w's guards to
// hold in an object of any size.
func (x *Patterns) MayHaveWrapped(w *Access) (list []*ssa.Value) {
	for _, o := range w.Guards {
		list = x.wrapping(o, list, map[*ssa.Value]bool{})
	}
	return list
}

// wrapping appends the integers that v is extended from and that may wrap from lane to lane.
func (f *Facts) wrapping(v *ssa.Value, list []*ssa.Value, seen map[*ssa.Value]bool) []*ssa.Value {
	v = f.Source(v)
	if !f.Of(v).MayWrap || seen[v] {
		return list
	}
	seen[v] = true
	for _, a := range v.Args {
		list = f.wrapping(a, list, seen)
	}
	if v.Op == ssa.OpConvert && size(v.Type.K) > size(v.Args[0].Type.K) {
		if a := f.Source(v.Args[0]); f.Of(a).Stride != 0 {
			list = append(list, a)
		}
	}
	return list
}

package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// describe records the shapes of the accesses, and lists them.
func (s *selector) describe() {
	s.out.Forms |= s.f.Forms
	for k := range s.f.Notes {
		n := &s.f.Notes[k]
		shape := s.shapeOf(n)
		s.out.Shapes |= 1 << shape
		if s.listing != nil {
			s.list(n, shape)
		}
	}
}

// shapeOf returns the shape of an access in the code.
func (s *selector) shapeOf(n *gang.Note) Shape {
	switch v := n.Value; {
	case n.Earlier != nil:
		return Again
	case !isAtomic(v.Op) || n.Pattern == lanes.Broadcast:
		return shapes[n.Pattern]
	case n.Pattern == lanes.Gather && s.binned[s.plan.Origin(v)]:
		return Scattered
	}
	return LaneByLane
}

func isAtomic(op ssa.Op) bool {
	return op == ssa.OpAtomicLoad || op == ssa.OpAtomicStore || op == ssa.OpAtomicRMW || op == ssa.OpAtomicCAS
}

// list adds an access to the listing, with the reasons that prevent a better shape.
func (s *selector) list(n *gang.Note, shape Shape) {
	v := n.Value
	masked := !s.opts.Full || s.plan.Class[v.Block.ID] != nil
	x := ListedAccess{Value: v, Shape: shape, Bytes: accessSize(v), Checked: checkedAt[n.Checked]}
	a := s.patterns.Access(v, masked)
	if a.Regular() {
		x.Step = a.Stride
	}
	if shape != Uniform && shape != Contiguous && shape != Rows && shape != Again {
		x.Why = explainer{s.plan, s.facts}.why(v, &a, masked)
	}
	switch {
	case n.Earlier != nil && s.plan.Gang(n.Earlier) != s.plan.Gang(v):
		x.Why = []Reason{{"another gang has loaded the same", n.Earlier.Pos}}
	case n.Earlier != nil:
		x.Why = []Reason{{"an equal load has found it", n.Earlier.Pos}}
	case shape == Scattered && v.Op == ssa.OpAtomicRMW:
		x.Why = []Reason{{Text: "work-items with one address are found first"}}
	}
	s.listing.Accesses = append(s.listing.Accesses, x)
}

// checkedAt describes the places of bounds checks that are not at the access.
var checkedAt = [...]string{lanes.BeforeBlock: "with its neighbours", lanes.BeforeLoop: "before the loop"}

package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// Barriers often follow a test whether a work-group's tile is inside a matrix, and the test uses the
// work-item's own position in the tile:
//
// lid * 2 + group * 8 < n / 8 * 8     in work-groups of 4
//
// The bound is a multiple of 8, and so is group * 8, while lid * 2 is less than 8. The low bits of the sum do
// not matter, and the test is equivalent to group * 8 < n / 8 * 8, which is uniform for the group.

// groupTests replaces tests of ids around barriers by equivalent tests that are uniform for the work-group.
func groupTests(s *state) (bool, error) {
	size := s.f.Kernel.ReqdGroupSize
	if size[0] == 0 || !s.barriers() {
		return false, nil
	}
	size[0], size[s.o.LaneDim] = size[s.o.LaneDim], size[0]
	switch p := s.o.Padded; {
	case s.o.Collapse:
		size = [3]int64{int64(s.o.Items), 1, 1}
	case p[0] != 0:
		size = [3]int64{int64(p[0]), int64(p[1]), int64(p[2])}
	}
	p, u := analyse(s.f, Options{GroupUniform: true, group: true})
	if !p.apartAtBarriers(u) {
		return false, nil
	}
	g := grains{f: s.f, varying: p.Varying}
	g.facts = lanes.Analyse(lanes.Input{F: p.F, Order: p.Order, Loops: p.Loops, Varying: p.Varying, Split: p.Split, Origin: p.Origin, Local: size})
	changed := false
	for _, b := range p.Order {
		for _, v := range slices.Clone(b.Values) {
			changed = g.test(v) || changed
		}
	}
	if changed {
		s.plan, s.groupTests = nil, true
	}
	return changed, nil
}

// apartAtBarriers reports whether a barrier depends on a divergent branch.
func (p *Plan) apartAtBarriers(u *uniform.Analysis) bool {
	return slices.ContainsFunc(u.Splits, func(d *ssa.Block) bool { return slices.ContainsFunc(u.RegionOf(d), hasBarrier) })
}

type grains struct {
	f       *ssa.Func
	facts   *lanes.Facts
	varying []bool // by value ID: differs between the work-items of a group
}

// test handles x < y and y <= x, where x is varying and y a multiple of 2ᵏ. It clears the k low bits of x if
// the result is uniform for the work-group, and reports whether it did.
func (g *grains) test(v *ssa.Value) bool {
	var x, y int // operands
	switch v.Op {
	case ssa.OpLt:
		y = 1
	case ssa.OpLe:
		x = 1
	default:
		return false
	}
	of, bound := v.Args[x], v.Args[y]
	if of.Type.N != 1 || !isInt(of.Type.K) || of.Type.K.Num().Size() < minGrainSize || !g.differs(of) || g.differs(bound) {
		return false
	}
	k := min(g.facts.Of(bound).Zeros, g.grain(of), maxGrain)
	if _, ok := g.low(of, k); !ok {
		return false
	}
	args := slices.Clone(v.Args)
	args[x] = g.floor(of, k, v)
	v.SetArgs(args...)
	return true
}

// maxGrain bounds the low bits to clear. Sums, and what they convert, have at least minGrainSize bytes, which is more.
const (
	maxGrain     = 24
	minGrainSize = 4
)

func (g *grains) differs(v *ssa.Value) bool { return int(v.ID) < len(g.varying) && g.varying[v.ID] }

// converts reports whether v converts an integer without changing the bits that both types have.
func converts(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat && isInt(v.Args[0].Type.K) && min(v.Type.K.Num().Size(), v.Args[0].Type.K.Num().Size()) >= minGrainSize
	case ssa.OpBitcast:
		return v.Args[0].Type.N == 1 && isInt(v.Args[0].Type.K)
	}
	return false
}

// grain returns the number of low zero bits common to all uniform summands of the varying v.
func (g *grains) grain(v *ssa.Value) uint8 {
	switch {
	case v.IsConst():
	case !g.differs(v):
		return g.facts.Of(v).Zeros
	case v.Op == ssa.OpAdd || converts(v):
		n := uint8(maxGrain)
		for _, a := range v.Args {
			n = min(n, g.grain(a))
		}
		return n
	}
	return maxGrain
}

// low reports whether v is the sum of a uniform multiple of 2ᵏ and a value below 2ᵏ, and returns a bound of the
// latter.
func (g *grains) low(v *ssa.Value, k uint8) (most int64, ok bool) {
	x := g.facts.Of(v)
	switch {
	case !g.differs(v) && x.Zeros >= k:
		return 0, true
	case x.Within(0, 1<<k-1):
		return x.Hi, true
	case !g.differs(v):
		return 0, false
	case v.Op == ssa.OpAdd:
		a, ok := g.low(v.Args[0], k)
		b, ok2 := g.low(v.Args[1], k)
		return a + b, ok && ok2 && bits.Len64(uint64(a+b)) <= int(k)
	case converts(v):
		return g.low(v.Args[0], k)
	}
	return 0, false
}

// floor computes v without its k low bits before the value at. It requires low.
func (g *grains) floor(v *ssa.Value, k uint8, at *ssa.Value) *ssa.Value {
	x := g.facts.Of(v)
	switch {
	case !g.differs(v) && x.Zeros >= k:
		return v
	case x.Within(0, 1<<k-1):
		return g.f.InsertEntry(g.f.NewConst(v.Type, 0))
	}
	if v.Op == ssa.OpAdd {
		for i, a := range v.Args {
			if g.differs(a) && g.facts.Of(a).Within(0, 1<<k-1) {
				return g.floor(v.Args[1-i], k, at)
			}
		}
	}
	w := g.f.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux = v.Flags, v.Aux
	w.SetArgs(v.Args...)
	for i, a := range w.Args {
		w.Args[i] = g.floor(a, k, at)
	}
	at.Block.InsertAt(slices.Index(at.Block.Values, at), w)
	return w
}

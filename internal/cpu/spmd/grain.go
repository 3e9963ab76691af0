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
//
// Quotients of ids are alike. In work-groups of 32 whose offset is a multiple of 32, get_global_id(0) / 32 is
// (offset + group * 32) / 32.

// groupTests replaces tests and quotients of ids around barriers by equivalent ones that are uniform for the work-group.
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
	if s.o.Aligned && !s.o.Collapse && s.o.Padded[0] == 0 {
		g.size = size
	}
	g.facts = lanes.Analyse(lanes.Input{F: p.F, Order: p.Order, Loops: p.Loops, Varying: p.Varying, Split: p.Split, Origin: p.Origin, Local: size})
	changed := false
	for _, b := range p.Order {
		for _, v := range slices.Clone(b.Values) {
			changed = g.test(v) || g.quotient(v) || changed
		}
	}
	if changed {
		s.plan, s.groupTests, s.aligned = nil, true, g.aligned
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
	varying []bool   // by value ID: differs between the work-items of a group
	size    [3]int64 // of work-groups, if the launch's offset is a multiple of it; else zeros
	aligned bool     // a value relies on that
	steps   int      // that grain and low may still take: a value with several uses is visited once for each path to it
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
	return g.clear(v, x, g.facts.Of(bound).Zeros)
}

// quotient handles x >> k, x / (n << k) of unsigned integers and x & n << k, where x is varying. It clears the k low
// bits of x, or fewer, if the result is uniform for the work-group, and reports whether it did.
func (g *grains) quotient(v *ssa.Value) bool {
	if v.Op != ssa.OpShr && v.Op != ssa.OpDiv && v.Op != ssa.OpAnd {
		return false
	}
	of, by := v.Args[0], v.Args[1]
	if of.Type.N != 1 || !isInt(of.Type.K) || of.Type.K.Num().Size() < minGrainSize || !by.IsConst() || !g.differs(of) {
		return false
	}
	n := by.ConstElem(0)
	switch {
	case v.Op == ssa.OpShr:
		return n < uint64(of.Type.K.Num().Bits()) && g.clear(v, 0, uint8(n))
	case n == 0 || v.Op == ssa.OpDiv && of.Type.K.Num().Signed():
		return false
	}
	return g.clear(v, 0, uint8(bits.TrailingZeros64(n)))
}

// clear clears the k low bits of v's varying operand x, or fewer, if the rest is uniform for the work-group. It reports
// whether it did.
func (g *grains) clear(v *ssa.Value, x int, k uint8) bool {
	of := v.Args[x]
	g.steps = maxGrainSteps
	k = min(k, g.grain(of), maxGrain)
	g.steps = maxGrainSteps
	if _, ok := g.low(of, k); !ok {
		return false
	}
	args := slices.Clone(v.Args)
	args[x] = g.floor(of, k, v)
	v.SetArgs(args...)
	return true
}

// sizeOf returns the size of work-groups in the dimension d if v is a global id in d that lies between a multiple of the
// size and the next, else 0.
func (g *grains) sizeOf(v *ssa.Value) (size int64, d *ssa.Value) {
	if v.Op != ssa.OpWorkItem || ssa.WorkItemQuery(v.Aux) != ssa.GlobalID || !v.Args[0].IsConst() || v.Args[0].ConstElem(0) > 2 {
		return 0, nil
	}
	return g.size[v.Args[0].ConstElem(0)], v.Args[0]
}

// maxGrain bounds the low bits to clear. Sums, and what they convert, have at least minGrainSize bytes, which is more.
const (
	maxGrain      = 24
	minGrainSize  = 4
	maxGrainSteps = 1000
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
	g.steps--
	switch {
	case g.steps < 0:
		return 0
	case v.IsConst():
	case !g.differs(v):
		return g.facts.Of(v).Zeros
	case v.Op == ssa.OpWorkItem:
		if n, _ := g.sizeOf(v); n != 0 {
			return uint8(bits.TrailingZeros64(uint64(n)))
		}
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
	g.steps--
	switch {
	case g.steps < 0:
		return 0, false
	case !g.differs(v) && x.Zeros >= k:
		return 0, true
	case x.Within(0, 1<<k-1):
		return x.Hi, true
	case !g.differs(v):
		return 0, false
	case v.Op == ssa.OpWorkItem:
		n, _ := g.sizeOf(v)
		return n - 1, n != 0 && n == 1<<k
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
	if v.Op == ssa.OpWorkItem {
		return g.first(v, at)
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

// first computes the global id of the work-group's first work-item before the value at.
func (g *grains) first(id, at *ssa.Value) *ssa.Value {
	g.aligned = true
	size, d := g.sizeOf(id)
	add := func(op ssa.Op, aux ssa.WorkItemQuery, args ...*ssa.Value) *ssa.Value {
		w := g.f.NewValue(op, id.Type, id.Pos, args...)
		w.Aux = int64(aux)
		return at.Block.InsertAt(slices.Index(at.Block.Values, at), w)
	}
	group := add(ssa.OpMul, 0, add(ssa.OpWorkItem, ssa.GroupID, d), g.f.InsertEntry(g.f.NewConst(id.Type, uint64(size))))
	return add(ssa.OpAdd, 0, add(ssa.OpWorkItem, ssa.GlobalOffset, d), group)
}

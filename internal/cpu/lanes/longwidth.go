package lanes

import (
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Long gangs: gangs of more work-items than Width gives, and than an integer has mask bits. They pay if four
// registers of elements leave the processor idle: one-byte elements fill only one register, so that addresses
// and checks cost more than the work; and in a chain of dependent operations more of them must overlap.
// Only whole gangs can be long, in kernels with indistinguishable work-groups, uniform control flow, and
// accesses that are equidistant or look up tables in registers.

// MayBeLong reports whether whole gangs of the kernel may have more lanes than [target.Target.Masked].
func (f *Facts) MayBeLong(t *target.Target) bool {
	for _, b := range f.Order {
		if f.Split[b.ID] {
			return false
		}
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpVote, v.Op == ssa.OpAny, v.Op == ssa.OpEnd:
				return false
			case v.Op == ssa.OpLoad, v.Op == ssa.OpStore:
				if !f.regular(v.Args[0]) && !f.byteTable(t, v) {
					return false
				}
			case !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator):
				return false
			}
		}
	}
	return true
}

// regular reports whether a pointer leads into one known object, at equidistant places for the lanes.
func (f *Facts) regular(p *ssa.Value) bool {
	for p.Op == ssa.OpPtrAdd {
		if f.Of(p.Args[1]).Shape == Varying {
			return false
		}
		p = p.Args[0]
	}
	return p.Op == ssa.OpParam || p.Op == ssa.OpGlobalAddr
}

// byteTable reports whether v looks up a table of bytes by a byte index, which registers can do.
func (f *Facts) byteTable(t *target.Target, v *ssa.Value) bool {
	p := v.Args[0]
	if !t.Tables.Has(1) || v.Op != ssa.OpLoad || v.Type.Size() != 1 || p.Op != ssa.OpPtrAdd || p.Type.K != ssa.PtrConstant || p.Args[0].Op != ssa.OpParam {
		return false
	}
	return f.Of(p.Args[1]).Within(0, 1<<8-1)
}

// LongWidth returns the length of gangs for a kernel that MayBeLong accepts; lanes is the result of Width.
func (f *Facts) LongWidth(t *target.Target, lanes int) int {
	if lanes < t.Masked() {
		return lanes // registers are short already
	}
	d, w := f.demand(), f.latencies(t)
	for n := 2 * lanes; n <= t.MaxLanes && d.fits(t, n) && (w.slight && w.widest*n <= 4*t.VectorBytes || w.idle(t, n/2)); n *= 2 {
		lanes = n
	}
	return lanes
}

// A cost is the cost of an operation on one register of elements.
type cost struct {
	wait int // latency in cycles
	work int // instructions
}

// costs lists the operations that cost more than the simplest, by kind of the element.
var costs = struct{ float, integer map[ssa.Op]cost }{
	float: map[ssa.Op]cost{
		ssa.OpAdd: {4, 1}, ssa.OpSub: {4, 1}, ssa.OpMul: {4, 1}, ssa.OpFMA: {4, 1}, ssa.OpFMS: {4, 1}, ssa.OpFNMA: {4, 1},
		ssa.OpMin: {5, 2}, ssa.OpMax: {5, 2}, ssa.OpDiv: {16, 20}, ssa.OpSqrt: {20, 24}, ssa.OpRem: {100, 200},
		ssa.OpFloor: {8, 2}, ssa.OpCeil: {8, 2}, ssa.OpTrunc: {8, 2}, ssa.OpRint: {8, 2},
		ssa.OpEq: {3, 1}, ssa.OpNe: {3, 1}, ssa.OpLt: {3, 1}, ssa.OpLe: {3, 1}, ssa.OpConvert: {5, 1},
		ssa.OpLoad: {7, 1}, ssa.OpStore: {0, 1},
	},
	integer: map[ssa.Op]cost{
		ssa.OpMul: {10, 2}, ssa.OpMulHi: {10, 4}, ssa.OpDiv: {40, 40}, ssa.OpRem: {50, 50}, ssa.OpDot: {5, 1},
		ssa.OpClz: {4, 1}, ssa.OpCtz: {5, 3}, ssa.OpPopcount: {3, 1},
		ssa.OpEq: {3, 1}, ssa.OpNe: {3, 1}, ssa.OpLt: {3, 1}, ssa.OpLe: {3, 1}, ssa.OpConvert: {2, 1},
		ssa.OpLoad: {7, 1}, ssa.OpStore: {0, 1},
	},
}

// saturated is the additional cost of saturation in a conversion from float to integer.
var saturated = cost{5, 2}

// costOf estimates the cost of v, and its bytes per lane.
func costOf(v *ssa.Value) (c cost, bytes int) {
	t := v.Type
	for _, a := range v.Args {
		if k := a.Type.K; k != ssa.Bool && !k.IsPtr() && (t == ssa.TVoid || t.K == ssa.Bool || t.K.IsPtr() || a.Type.Size() > t.Size()) {
			t = a.Type
		}
	}
	if t == ssa.TVoid || t.K == ssa.Bool || t.K.IsPtr() {
		return cost{1, 1}, 1
	}
	table := costs.integer
	if t.K.Num().IsFloat() {
		table = costs.float
	}
	c, ok := table[v.Op]
	if !ok {
		c = cost{1, 1}
	}
	if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && sat && t.K.Num().IsFloat() {
		c.wait, c.work = c.wait+saturated.wait, c.work+saturated.work
	}
	return c, t.Size()
}

// A waiting summarises a kernel's dependence chains.
type waiting struct {
	widest int  // bytes per lane of the largest value
	slight bool // the kernel does so little that addresses and checks matter
	chains []chain
}

// A chain is the critical path of a loop, or of a kernel without loops.
type chain struct {
	wait int         // cycles of latency from one iteration to the next
	work map[int]int // instructions per register, by bytes per lane
	loop bool
}

// windowed is the number of instructions up to which the processor overlaps the gangs of a kernel without loops
// by itself.
const windowed = 128

// slightWork is the number of vector instructions up to which a kernel does little.
const slightWork = 8

// latencies measures the innermost loops, or the whole of a kernel without loops.
func (f *Facts) latencies(t *target.Target) *waiting {
	w := &waiting{}
	index := make([]bool, f.F.NumValues())
	for v := range f.Values() {
		if v.Op == ssa.OpPtrAdd {
			index[v.Args[1].ID] = true // the index of a table in registers is used unextended
		}
	}
	m := &chains{f: f, t: t, w: w, depth: make([]int, f.F.NumValues())}
	m.vector = func(v *ssa.Value) bool {
		return f.Varying[v.ID] && f.InVector(v) && !index[v.ID] || v.Op == ssa.OpStore
	}
	all := 0
	var often []*ssa.Block
	for _, b := range f.Order {
		if f.rare(b) {
			continue
		}
		often = append(often, b)
		for _, v := range b.Values {
			if m.vector(v) {
				k, bytes := costOf(v)
				all, w.widest = all+k.work, max(w.widest, bytes)
			}
		}
	}
	w.slight = all <= slightWork
	if len(f.Loops.All) == 0 {
		m.measure(nil, often)
	}
	outer := map[*ssa.Loop]bool{}
	for _, l := range f.Loops.All { // inner loops come first
		if outer[l.Parent] = true; !outer[l] && !f.rare(l.Header) {
			m.measure(l, l.Blocks)
		}
	}
	return w
}

// chains measures the chains of a kernel.
type chains struct {
	f      *Facts
	t      *target.Target
	w      *waiting
	vector func(v *ssa.Value) bool
	depth  []int // by value ID: 1 + cycles after the iteration begins; 0: independent of it
}

// maxNear is the distance of lanes, in elements, up to which one load can serve several lanes.
const maxNear = 4

// apart reports whether the lanes of access v are far from each other.
func (f *Facts) apart(v *ssa.Value) bool {
	t, ok := v.AccessType()
	if !ok {
		return false
	}
	a := f.Address(v.Args[0], false)
	near := int64(maxNear * t.Size())
	return a.Regular() && (a.Stride > near || a.Stride < -near)
}

// measure adds the chain of a loop, or of blocks outside of loops.
func (m *chains) measure(l *ssa.Loop, blocks []*ssa.Block) {
	clear(m.depth)
	c := chain{work: map[int]int{}, loop: l != nil}
	for _, b := range blocks {
		for _, v := range b.Values {
			if m.vector(v) {
				m.value(&c, v, l == nil || v.Op == ssa.OpPhi && b == l.Header)
			}
		}
	}
	if l != nil {
		for _, v := range l.Header.Phis() {
			for _, a := range v.Args {
				if m.vector(v) {
					c.wait = max(c.wait, m.depth[a.ID]-1)
				}
			}
		}
	}
	m.w.chains = append(m.w.chains, c)
}

// value adds a value to a chain; first says that it may be the chain's start.
func (m *chains) value(c *chain, v *ssa.Value, first bool) {
	k := cost{}
	if v.Op != ssa.OpPhi {
		var bytes int
		k, bytes = costOf(v)
		if m.f.apart(v) {
			k.work = m.t.VectorBytes / bytes // one instruction for each lane
		}
		c.work[bytes] += k.work
	}
	d := &m.depth[v.ID]
	if first {
		*d = 1 + k.wait
	}
	for _, a := range v.Args {
		if m.depth[a.ID] > 0 {
			*d = max(*d, m.depth[a.ID]+k.wait)
		}
	}
	if !c.loop {
		c.wait = max(c.wait, *d-1)
	}
}

// idle reports whether the processor idles for latencies in gangs of that length, assuming two vector
// instructions a cycle.
func (w *waiting) idle(t *target.Target, lanes int) bool {
	for _, c := range w.chains {
		work := 0
		for bytes, n := range c.work {
			work += n * max(1, bytes*lanes/t.VectorBytes)
		}
		if 8*c.wait < 5*work || !c.loop && work < windowed {
			return false
		}
	}
	return len(w.chains) > 0
}

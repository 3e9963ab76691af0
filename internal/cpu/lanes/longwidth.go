package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// Long gangs: of more work-items than Lanes gives them, and than an integer has bits for a mask
// of them. They pay where four registers of elements leave the processor idle: elements of a
// byte fill but one, and addresses and checks cost more than the work, and where operations
// each wait for the one before, more of them must be under way. Only whole gangs are so long, of
// kernels whose work-groups cannot be told apart, whose lanes never part, and which access
// memory at equal distances, or tables in registers.

// MayBeLong reports whether whole gangs of the kernel may have more lanes than [Target.Masked].
func (f *Facts) MayBeLong(t *Target) bool {
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

// regular reports whether a pointer leads into one known object, and there to places at equal
// distances for the lanes.
func (f *Facts) regular(p *ssa.Value) bool {
	for p.Op == ssa.OpPtrAdd {
		if f.Of(p.Args[1]).Shape == Varying {
			return false
		}
		p = p.Args[0]
	}
	return p.Op == ssa.OpParam || p.Op == ssa.OpGlobalAddr
}

// byteTable reports whether v is a load from a table of bytes by a byte, which is done in
// registers.
func (f *Facts) byteTable(t *Target, v *ssa.Value) bool {
	p := v.Args[0]
	if !t.Tables.Has(1) || v.Op != ssa.OpLoad || v.Type.Size() != 1 || p.Op != ssa.OpPtrAdd || p.Type.K != ssa.PtrConstant || p.Args[0].Op != ssa.OpParam {
		return false
	}
	return f.Of(p.Args[1]).Within(0, 1<<8-1)
}

// LongWidth returns how many lanes gangs should have of a kernel for which Width says lanes
// and MayBeLong that they may have more.
func (f *Facts) LongWidth(t *Target, lanes int) int {
	if lanes < t.Masked() {
		return lanes // there are no registers for more
	}
	d, w := f.demand(), f.latencies(t)
	for n := 2 * lanes; n <= t.MaxLanes && d.fits(t, n) && (w.slight && w.widest*n <= 4*t.VectorBytes || w.idle(t, n/2)); n *= 2 {
		lanes = n
	}
	return lanes
}

// A cost is what an operation takes on a register of elements.
type cost struct {
	wait int // cycles until its result is there
	work int // instructions
}

// costs has the operations that take longer than the simplest, by kind of the element.
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

// saturated is what a conversion of floats to integers takes besides where it saturates.
var saturated = cost{5, 2}

// costOf estimates what v takes, and of how many bytes of a lane.
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

// A waiting says how long a kernel waits for results.
type waiting struct {
	widest int  // bytes of a lane's largest value
	slight bool // does so little that addresses and checks count
	chains []chain
}

// A chain is a loop, or a kernel without loops.
type chain struct {
	wait int         // cycles until what an iteration needs of the one before is there
	work map[int]int // instructions by bytes of a lane, on as many registers as those fill
	loop bool
}

// windowed is how many instructions a kernel without loops may have and the processor finds
// work in the next gangs by itself.
const windowed = 128

// slightWork is how many vector instructions on a register of elements are few.
const slightWork = 8

// latencies looks at the innermost loops, or at all of a kernel without loops.
func (f *Facts) latencies(t *Target) *waiting {
	w := &waiting{}
	index := make([]bool, f.F.NumValues())
	for _, b := range f.Order {
		for _, v := range b.Values {
			if v.Op == ssa.OpPtrAdd {
				index[v.Args[1].ID] = true // of a table in registers: the index as it was, not widened
			}
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
	for _, l := range f.Loops.All { // inner ones come first
		if outer[l.Parent] = true; !outer[l] && !f.rare(l.Header) {
			m.measure(l, l.Blocks)
		}
	}
	return w
}

// chains measures chains.
type chains struct {
	f      *Facts
	t      *Target
	w      *waiting
	vector func(v *ssa.Value) bool
	depth  []int // by value ID: 1 + cycles after an iteration begins; 0: does not wait for it
}

// maxNear is how many elements lanes may be apart for one load to find several of them.
const maxNear = 4

// apart reports whether v accesses memory at places that are far from each other.
func (f *Facts) apart(v *ssa.Value) bool {
	t, ok := v.AccessType()
	if !ok {
		return false
	}
	a := f.Address(v.Args[0], false)
	near := int64(maxNear * t.Size())
	return a.Regular() && (a.Stride > near || a.Stride < -near)
}

// measure adds the chain of a loop, or of blocks that are in none.
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

// value adds a value to a chain, at whose beginning it may stand.
func (m *chains) value(c *chain, v *ssa.Value, first bool) {
	k := cost{}
	if v.Op != ssa.OpPhi {
		var bytes int
		k, bytes = costOf(v)
		if m.f.apart(v) {
			k.work = m.t.VectorBytes / bytes // one for each lane
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

// idle reports whether gangs of so many lanes leave the processor idle while they wait: it does
// two vector instructions a cycle.
func (w *waiting) idle(t *Target, lanes int) bool {
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

package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// If the size of work-groups is known, so are their gangs and all local ids. A function of the work-group
// (gangs.go) then needs no loop over gangs in each part. The gangs' code is in sequence, or interleaved if no
// branch of the part depends on work-items. Values kept from part to part are in registers, addresses in local
// memory are constants, and inactive code of a gang is omitted.
//
// The frame is the first gang's throughout. [Plan.Gang] returns the gang of an access.

// An Unfolding describes the work-groups that a function is specialised for.
type Unfolding struct {
	Lanes     int        // of a gang
	Local     [3]uint64  // size of the work-groups; the first is a multiple of Lanes
	Registers int        // vector registers
	Width     int        // bytes of a vector register
	Arguments []Argument // of all launches that use the function (steps.go)

	Tested     bool // launches test bounds (extent.go)
	TestMasked bool // also of accesses under masks
}

const (
	maxUnfolded      = 4000 // values
	maxUnfoldedGangs = 64
)

// gangs returns the number of gangs of a work-group, 0 if it is not unfolded.
func (o *Unfolding) gangs() int {
	if o.Lanes == 0 || o.Local[0] == 0 || o.Local[0]%uint64(o.Lanes) != 0 {
		return 0
	}
	n := o.Local[0] / uint64(o.Lanes)
	for _, k := range o.Local[1:] {
		if n *= k; n > maxUnfoldedGangs {
			return 0
		}
	}
	return int(n)
}

// first returns the local id of a gang's first lane.
func (o *Unfolding) first(gang int) [3]uint64 {
	row := int(o.Local[0]) / o.Lanes
	return [3]uint64{uint64(gang % row * o.Lanes), uint64(gang / row % int(o.Local[1])), uint64(gang / row / int(o.Local[1]))}
}

type unfolder struct {
	*gangs
	Unfolding
	n        int
	each     map[*ssa.Value][]*ssa.Value // by value that differs between gangs: one copy per gang
	copies   []*partCopy
	origin   []*ssa.Value // by value ID
	gang     []int32      // by value ID: 1 + the number of the value's gang
	lastCopy map[*part]*partCopy
	dom      *ssa.DomTree
	extents  *Extents
	forms    Forms
	steps    int // that distance may still take
}

// maxDistanceSteps bounds the operations of a distance. One with several uses counts once for each path to it.
const maxDistanceSteps = 1000

// A partCopy is a copy of a part for the gangs [first, end).
type partCopy struct {
	*part
	first, end int
	blocks     map[*ssa.Block]*ssa.Block
	once       map[*ssa.Value]*ssa.Value
}

// unfold makes the kernel a function of a work-group of known size. It returns nil if it cannot.
func unfold(f *ssa.Func, o Unfolding) *unfolder {
	n := o.gangs()
	if n == 0 || !unfolds(f) || f.CountValues()*n > 4*maxUnfolded {
		return nil
	}
	o.knowSizes(f)
	g := newGangs(f)
	if g == nil {
		return nil
	}
	u := &unfolder{gangs: g, Unfolding: o, n: n, each: map[*ssa.Value][]*ssa.Value{}, dom: f.Dominators(), lastCopy: map[*part]*partCopy{}}
	if u.count() > maxUnfolded {
		return nil
	}
	u.loops = f.Loops(u.dom)
	if u.onlyRepeats() {
		return nil
	}
	for _, c := range g.parts {
		u.copyPart(c)
	}
	u.phis()
	for _, c := range u.copies {
		u.connect(c)
	}
	if !u.useCopies() {
		return nil
	}
	f.RemoveUnreachable()
	decideConditions(f, o.Lanes)
	return u
}

// onlyRepeats reports whether unfolding would only make code longer: a part has a loop whose iterations depend on work-items, so that
// each gang has a copy of it, and neither values in registers nor known steps of an algorithm gain from the size of work-groups.
// Loops over longer gangs are better.
func (u *unfolder) onlyRepeats() bool {
	const mostParts = 2 // more are steps in local memory, such as those of a reduction, in which some gangs may be idle
	if u.n == 1 || len(u.parts) > mostParts || slices.ContainsFunc(u.f.Blocks, u.differsInSkeleton) {
		return false
	}
	loops := false
	for _, c := range u.parts {
		for _, b := range c.blocks {
			if slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return u.keeps(c, v) }) {
				return false
			}
			t, l := b.Term(), u.loops.Of(b)
			loops = loops || len(t.Args) > 0 && u.differs(t.Args[0]) && l != nil && u.of[l.Header] == c
		}
	}
	return loops
}

// differsInSkeleton reports whether b is in the skeleton and has a phi that differs between work-items.
func (u *unfolder) differsInSkeleton(b *ssa.Block) bool {
	return u.skeleton[b] && slices.ContainsFunc(b.Phis(), u.differs)
}

// keeps reports whether v, of part c, uses a value of another part that it would not recompute.
func (u *unfolder) keeps(c *part, v *ssa.Value) bool {
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool {
		return a.Block != nil && u.differs(a) && u.of[a.Block] != nil && u.of[a.Block] != c && !u.rematerialises(c, a) && !u.pointer(c, a)
	})
}

// tooLong reports whether the unfolded function certainly has too many values. Each value that depends on loads or on a work-item's ids
// has a copy for each gang. tooLong does not change the kernel.
func (o *Unfolding) tooLong(f *ssa.Func) bool {
	differ, n := make([]bool, f.NumValues()), 0
	dom := f.Dominators()
	for _, b := range f.LoopOrder(dom, f.Loops(dom)) {
		for _, v := range b.Values {
			q := ssa.WorkItemQuery(v.Aux)
			own := v.Op == ssa.OpLoad || v.Op == ssa.OpWorkItem && (q == ssa.LocalID || q == ssa.GlobalID)
			if differ[v.ID] = own || slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return differ[a.ID] }); differ[v.ID] && v.Op != ssa.OpPhi && !v.Op.Has(ssa.Terminator) {
				n++
			}
		}
	}
	return n*o.gangs() > maxUnfolded
}

// knowSizes replaces queries for the size of work-groups by constants.
func (o *Unfolding) knowSizes(f *ssa.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if q := ssa.WorkItemQuery(v.Aux); v.Op == ssa.OpWorkItem && (q == ssa.LocalSize || q == ssa.EnqueuedLocalSize) && v.Args[0].IsConst() {
				k := uint64(1)
				if d := v.Args[0].ConstElem(0); d < 3 {
					k = o.Local[d]
				}
				v.BecomeConst(f, []uint64{k})
			}
		}
	}
}

// Unfolds reports whether a kernel with barriers may have unfolded code for work-groups of known size.
func Unfolds(f *ssa.Func) bool {
	return unfolds(f) && slices.ContainsFunc(f.Blocks, hasBarrier)
}

// unfolds reports whether all operations of f are supported. Not supported are private objects, which the first
// gang would share, and host calls, which use the frame's gang.
func unfolds(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpImageQuery, v.Op == ssa.OpAsyncLimit, v.Op == ssa.OpVote, v.Op == ssa.OpAny, v.Op == ssa.OpEnd, v.Op == ssa.OpWorkItem && len(v.Args) > 0 && !v.Args[0].IsConst(): // linear ids have no argument
				return false
			case v.Op.Has(ssa.Pure), v.Op.Has(ssa.Terminator), v.Op == ssa.OpLoad, v.Op == ssa.OpStore, v.Op == ssa.OpBarrier:
			default:
				return false
			}
		}
	}
	return true
}

// apart reports whether a value of a part needs a copy for each gang.
func (u *unfolder) apart(v *ssa.Value) bool {
	return u.differs(v) || !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator)
}

// count returns the number of values of all parts after unfolding.
func (u *unfolder) count() (n int) {
	for _, c := range u.parts {
		for _, b := range c.blocks {
			for _, v := range b.Values {
				if u.apart(v) {
					n += u.n
				}
			}
		}
	}
	return n
}

// copyPart makes the copies of a part, without arguments and edges.
func (u *unfolder) copyPart(c *part) {
	step := u.interleaved(c)
	for k := 0; k < u.n; k += step {
		p := &partCopy{c, k, min(k+step, u.n), map[*ssa.Block]*ssa.Block{}, map[*ssa.Value]*ssa.Value{}}
		for _, b := range c.blocks {
			nb := u.f.NewBlock(b.Name)
			p.blocks[b] = nb
			u.copyBlock(p, b, nb)
		}
		u.copies = append(u.copies, p)
		u.lastCopy[c] = p
	}
}

// copyBlock copies the values of a block piece by piece, each for one gang after the other, so that interleaved
// gangs share values in registers.
func (u *unfolder) copyBlock(p *partCopy, b, nb *ssa.Block) {
	values := b.Values
	for len(values) > 0 {
		n := u.piece(values)
		for k := p.first; k < p.end; k++ {
			for _, v := range values[:n] {
				switch {
				case u.apart(v):
					if u.each[v] == nil {
						u.each[v] = make([]*ssa.Value, u.n)
					}
					u.each[v][k] = u.copyFor(v, k, p, b, nb)
				case k == p.first:
					p.once[v] = nb.Append(u.copyValue(v))
				}
			}
		}
		values = values[n:]
	}
}

// piece returns the number of values to copy for a gang before the next gang's: the phis, the terminator, or
// the values up to the first that is neither a load nor part of an address.
func (u *unfolder) piece(values []*ssa.Value) int {
	n := 0
	for n < len(values) && values[n].Op == ssa.OpPhi {
		n++
	}
	if n > 0 {
		return n
	}
	for i, v := range values {
		if v.Op.Has(ssa.Terminator) {
			return max(i, 1)
		}
		if v.Op != ssa.OpLoad && v.Op != ssa.OpConst && v.Op != ssa.OpGlobalAddr && !u.cheap(v) {
			return i + 1
		}
	}
	return len(values)
}

// copyValue returns a copy that is in no block and has no arguments.
func (u *unfolder) copyValue(v *ssa.Value) *ssa.Value {
	w := u.f.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	for len(u.origin) <= int(w.ID) {
		u.origin, u.gang = append(u.origin, nil), append(u.gang, 0)
	}
	u.origin[w.ID] = v
	return w
}

// copyFor appends the copy of v, a value of b, for a gang to nb.
func (u *unfolder) copyFor(v *ssa.Value, gang int, p *partCopy, b, nb *ssa.Block) *ssa.Value {
	if first := u.each[v][0]; first != nil && u.differs(v) && (p.first == 0 || u.dom.Dominates(b, p.exit)) {
		if by, ok := u.distance(v, gang, p.first == 0); ok {
			if by == 0 {
				return first
			}
			if bits := 8 * v.Type.K.Num().Size(); bits < 64 {
				by &= 1<<bits - 1
			}
			return nb.Append(u.f.NewValue(ssa.OpAdd, v.Type, v.Pos, first, u.f.InsertEntry(u.f.NewConst(v.Type, by))))
		}
	}
	w := u.copyValue(v)
	u.gang[w.ID] = int32(gang) + 1
	nb.Append(w)
	if v.Op != ssa.OpWorkItem {
		return w
	}
	w.SetArgs(u.f.InsertEntry(u.f.NewConst(v.Args[0].Type, v.Args[0].ConstElem(0))))
	by, _ := u.distance(v, gang, false)
	switch d := v.Args[0].ConstElem(0); {
	case ssa.WorkItemQuery(v.Aux) == ssa.LocalID && d > 0 && d < 3:
		w.BecomeConst(u.f, []uint64{by})
	case by != 0:
		w = nb.Append(u.f.NewValue(ssa.OpAdd, v.Type, v.Pos, w, u.f.InsertEntry(u.f.NewConst(v.Type, by))))
	}
	return w
}

// distance returns the difference, modulo the size of its type, between an integer of a gang and that of the
// first gang, if it follows from ids alone. beside says that the gangs are interleaved; otherwise the first
// gang has already executed the part's loops.
func (u *unfolder) distance(v *ssa.Value, gang int, beside bool) (by uint64, ok bool) {
	u.steps = maxDistanceSteps
	return u.distanceOf(v, gang, beside)
}

func (u *unfolder) distanceOf(v *ssa.Value, gang int, beside bool) (by uint64, ok bool) {
	if u.steps--; u.steps < 0 {
		return 0, false
	}
	if !u.differs(v) {
		l := u.loops.Of(v.Block)
		return 0, beside || l == nil || u.of[l.Header] == nil
	}
	if v.Type.N != 1 || !isInt(v.Type.K) || v.Type.K.Num().Size() < 4 {
		return 0, false
	}
	switch v.Op {
	case ssa.OpWorkItem:
		d, q := v.Args[0].ConstElem(0), ssa.WorkItemQuery(v.Aux)
		if d < 3 && (q == ssa.LocalID || q == ssa.GlobalID) {
			return u.first(gang)[d], true
		}
		return 0, d > 2
	case ssa.OpAdd, ssa.OpSub:
		a, ok := u.distanceOf(v.Args[0], gang, beside)
		b, ok2 := u.distanceOf(v.Args[1], gang, beside)
		if v.Op == ssa.OpSub {
			b = -b
		}
		return a + b, ok && ok2
	case ssa.OpMul, ssa.OpShl:
		a, ok := u.distanceOf(v.Args[0], gang, beside)
		if a == 0 && ok && !u.differs(v.Args[1]) {
			return u.distanceOf(v.Args[1], gang, beside)
		}
		if !ok || !v.Args[1].IsConst() {
			return 0, false
		}
		if by = v.Args[1].ConstElem(0); v.Op == ssa.OpShl {
			by = 1 << (by & uint64(8*v.Type.K.Num().Size()-1))
		}
		return a * by, true
	case ssa.OpAnd, ssa.OpShr:
		return u.bitDistance(v, gang, beside)
	case ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy:
		a := v.Args[0]
		if a.Type.N != 1 || !isInt(a.Type.K) {
			return 0, false
		}
		by, ok := u.distanceOf(a, gang, beside)
		if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && (sat || v.Type.K.Num().Size() > a.Type.K.Num().Size()) {
			return 0, ok && by == 0
		}
		return by, ok
	}
	return 0, false
}

// bitDistance is distance for an AND or a shift: a sum above the remaining bits changes nothing, and a sum above the bits
// that a shift drops from a local id has no carry.
func (u *unfolder) bitDistance(v *ssa.Value, gang int, beside bool) (by uint64, ok bool) {
	by, ok = u.distanceOf(v.Args[0], gang, beside)
	if !ok || !v.Args[1].IsConst() {
		return 0, false
	}
	n := v.Args[1].ConstElem(0)
	if v.Op == ssa.OpAnd {
		return 0, by&(1<<bits.Len64(n)-1) == 0
	}
	n &= uint64(8*v.Type.K.Num().Size() - 1)
	q, d, isID := query(v.Args[0])
	return by >> n, isID && q == ssa.LocalID && d == 0 && by&(1<<n-1) == 0
}

// interleaved returns the number of gangs to interleave in a part: one if a branch depends on work-items, else as
// many as the registers allow.
func (u *unfolder) interleaved(c *part) int {
	if !slices.ContainsFunc(c.blocks, u.works) {
		return u.n
	}
	for _, b := range c.blocks {
		if t := b.Term(); len(t.Args) > 0 && u.differs(t.Args[0]) {
			return 1
		}
	}
	live, most := u.pressure(c)
	if live == 0 {
		return 1
	}
	n := max(1, (u.Registers-4-most)/live)
	for u.n%n != 0 {
		n--
	}
	return n
}

// pressure estimates the vector registers that a gang needs for values live between pieces, at their maximum,
// and within a piece.
func (u *unfolder) pressure(c *part) (live, most int) {
	regs := func(v *ssa.Value) int {
		if !u.differs(v) || v.Type == ssa.TVoid || v.Type.K == ssa.Bool || u.cheap(v) {
			return 0
		}
		size := v.Type.K.Num().Size() * int(v.Type.N) * u.Lanes
		return (size + u.Width - 1) / u.Width
	}
	// A value of another block is live from the block's start, and a value used in another block up to its end.
	for _, b := range c.blocks {
		last := map[*ssa.Value]int{}
		for i, v := range b.Values {
			for _, a := range v.Args {
				if v.Op != ssa.OpPhi {
					last[a] = i
				}
			}
		}
		for _, s := range c.blocks {
			for _, v := range s.Values {
				for _, a := range v.Args {
					if s != b || v.Op == ssa.OpPhi {
						last[a] = len(b.Values)
					}
				}
			}
		}
		now := 0
		for a, i := range last {
			if a.Block != b && i < len(b.Values) {
				now += regs(a)
			}
		}
		for at := 0; at < len(b.Values); {
			live = max(live, now)
			n, within := u.piece(b.Values[at:]), 0
			for i := at; i < at+n; i++ {
				v := b.Values[i]
				within += regs(v)
				if end, used := last[v]; used && end >= at+n {
					now += regs(v)
				}
			}
			for a, i := range last {
				if i >= at && i < at+n && (a.Block != b || slices.Index(b.Values, a) < at) {
					now -= regs(a)
				}
			}
			most = max(most, within)
			at += n
		}
		live = max(live, now)
	}
	return live, most
}

// phis gives the varying phis of the skeleton a copy for each gang.
func (u *unfolder) phis() {
	for _, b := range u.f.Blocks {
		if !u.skeleton[b] {
			continue
		}
		for _, v := range slices.Clone(b.Phis()) {
			if !u.differs(v) {
				continue
			}
			list := make([]*ssa.Value, u.n)
			for k := range list {
				list[k] = u.copyValue(v)
				u.gang[list[k].ID] = int32(k) + 1
				b.InsertAt(k, list[k])
			}
			u.each[v] = list
		}
	}
}

// value returns a gang's version of v in a copy of a part, or in the skeleton.
func (u *unfolder) value(v *ssa.Value, gang int, in *partCopy) *ssa.Value {
	if list := u.each[v]; list != nil {
		return list[gang]
	}
	if v.Block == nil {
		return v
	}
	c := u.of[v.Block]
	if c == nil {
		return v
	}
	if in == nil || in.part != c {
		in = u.lastCopy[c]
	}
	if w := in.once[v]; w != nil {
		return w
	}
	return v
}

// connect adds the arguments and edges of a copy.
func (u *unfolder) connect(p *partCopy) {
	for _, b := range p.blocks {
		for _, w := range b.Values {
			if v := u.copied(w); v != nil && w.Op != ssa.OpConst && len(w.Args) == 0 {
				u.setArgs(w, v, p)
			}
		}
	}
	for _, b := range p.part.blocks {
		nb := p.blocks[b]
		for _, s := range b.Succs {
			if u.of[s] == p.part {
				nb.Succs = append(nb.Succs, p.blocks[s])
			}
		}
		for _, q := range b.Preds {
			if u.of[q] == p.part {
				nb.Preds = append(nb.Preds, p.blocks[q])
			} else {
				nb.Preds = append(nb.Preds, nil) // the entry; chain sets it
			}
		}
	}
	u.chain(p)
}

// copied returns the original of w.
func (u *unfolder) copied(w *ssa.Value) *ssa.Value {
	if int(w.ID) < len(u.origin) {
		return u.origin[w.ID]
	}
	return nil
}

func (u *unfolder) setArgs(w, v *ssa.Value, p *partCopy) {
	gang := int(u.gang[w.ID]) - 1
	if gang < 0 {
		gang = p.first
	}
	w.SetArgs(v.Args...)
	for i, a := range w.Args {
		w.Args[i] = u.value(a, gang, p)
	}
}

// chain links a copy into the sequence of its part's copies, between the blocks before and after the part.
func (u *unfolder) chain(p *partCopy) {
	entry, exit := p.blocks[p.entry], p.blocks[p.exit]
	outside := slices.IndexFunc(p.entry.Preds, func(b *ssa.Block) bool { return u.of[b] != p.part })
	to := p.exit.Succs[slices.IndexFunc(p.exit.Succs, func(b *ssa.Block) bool { return u.of[b] != p.part })]
	before := p.entry.Preds[outside]
	if p.first > 0 {
		for _, q := range u.copies {
			if q.part == p.part && q.end == p.first {
				before = q.blocks[q.exit]
			}
		}
		before.Succs = append(before.Succs, entry)
	} else {
		before.Succs[slices.Index(before.Succs, p.entry)] = entry
	}
	entry.Preds[outside] = before
	if p.end == u.n {
		exit.Succs = append(exit.Succs, to)
		to.ReplacePred(p.exit, exit)
	}
}

// useCopies makes the skeleton use the copies. It returns false if the skeleton uses a value that differs
// between gangs.
func (u *unfolder) useCopies() bool {
	for _, b := range u.f.Blocks {
		if !u.skeleton[b] {
			continue
		}
		for _, v := range slices.Clone(b.Values) {
			if u.each[v] != nil {
				b.Remove(v)
				continue
			}
			if o := u.copied(v); o != nil { // a phi made for a gang
				u.setArgs(v, o, nil)
				continue
			}
			for i, a := range v.Args {
				if u.differs(a) {
					return false
				}
				v.Args[i] = u.value(a, u.n-1, nil)
			}
		}
	}
	return true
}

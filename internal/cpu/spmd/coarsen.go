package spmd

import (
	"errors"
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Thread coarsening. A gang does the work-items of several rows, that is, with consecutive ids in dimension 1, side by
// side: the operations that do not depend on the row, such as the load of a column of a matrix, are done once for
// all of them, and the rows' chains of operations overlap. Each work-item does what it did, in the same order.
//
// Control flow must not depend on the row. Where a test of the row does, as at the border of an image, the copy of it
// for each row is computed, and where they differ the gang leaves by an [ssa.OpLeave]: the launch does its
// work-items one row after the other, with the code that knows no such gangs. So does the gang with an access
// that is not in bounds, at which nothing is reported yet. Its stores until then are done again: that is
// allowed, as a kernel that is coarsened reads no object that it writes. The launch finds out whether objects overlap.

// A Coarsening says for what machine gangs do several rows.
type Coarsening struct {
	Registers int  // vector registers
	Always    bool // also where that is no gain, for tests
}

// The costs of what a gang does, beside those of accesses (along.go), in operations on a register of elements.
const (
	costVector  = 1.0
	costGeneral = 0.25 // of what is the same in all lanes: general registers, beside the vectors

	// The gain from which rows are worth it: how much more time they take one after the other.
	leastGain = 1.2
	// The gain of twice as many rows from which the code for them is worth it.
	leastMore = 1.05

	mostRows  = 8
	usualRows = 4   // where gain does not count
	spare     = 3   // registers for what is live for a moment only
	maxCoarse = 800 // values of all rows but the first
)

var errCoarse = errors.New("its work-items do not gain by being done for several rows together")

// A coarsening is a kernel on its way to gangs of several rows.
type coarsening struct {
	*Plan
	apart  []bool                      // by value ID: differs between rows
	agreed []*ssa.Value                // conditions that are tested to be the same in all rows
	copies map[*ssa.Value][]*ssa.Value // by row
}

// coarsenRows makes gangs do some rows at once, and returns how many; 0: it cannot be, or is no gain.
func coarsenRows(p *Plan, o *Coarsening) int {
	c := &coarsening{Plan: p, apart: make([]bool, p.F.NumValues()), copies: map[*ssa.Value][]*ssa.Value{}}
	if !c.simple() || !c.readsApart() {
		return 0
	}
	c.findApart()
	for _, b := range c.Order {
		if t := b.Term(); len(t.Args) > 0 && c.apart[t.Args[0].ID] && !c.findAgreed(t.Args[0]) {
			return 0
		}
	}
	clear(c.apart)
	c.findApart()
	n := c.rows(o)
	if n > 0 {
		c.copyAll(n)
	}
	return n
}

// simple reports whether all operations are of a kind that several rows may do together.
func (c *coarsening) simple() bool {
	for _, b := range c.Order {
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpWorkItem:
				if !v.Args[0].IsConst() || !slices.Contains([]ssa.WorkItemQuery{ssa.GlobalID, ssa.WorkDim, ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups, ssa.GlobalOffset}, ssa.WorkItemQuery(v.Aux)) {
					return false
				}
			case v.Op == ssa.OpLoad, v.Op == ssa.OpStore:
				if v.Flags&ssa.Volatile != 0 {
					return false
				}
			case v.Op == ssa.OpAlloca, v.Op == ssa.OpImageQuery, v.Op == ssa.OpAsyncLimit, v.Op == ssa.OpAny:
				return false
			case !v.Op.Has(ssa.Pure) && !v.Op.Has(ssa.Terminator):
				return false
			}
		}
	}
	return true
}

// readsApart reports whether all objects are known, and none is both read and written.
func (c *coarsening) readsApart() bool {
	how := map[any]ssa.Op{}
	for _, b := range c.Order {
		for _, v := range b.Values {
			if v.Op != ssa.OpLoad && v.Op != ssa.OpStore {
				continue
			}
			p := v.Args[0]
			for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast {
				p = p.Args[0]
			}
			object := any(p)
			if p.Op == ssa.OpGlobalAddr {
				object = p.Sym
			} else if p.Op != ssa.OpParam {
				return false
			}
			if k := p.Type.K; k != ssa.PtrGlobal && k != ssa.PtrConstant || how[object] != 0 && how[object] != v.Op {
				return false
			}
			how[object] = v.Op
		}
	}
	return true
}

// findApart finds the values that differ between rows, but for conditions that have been agreed on.
func (c *coarsening) findApart() {
	for again := true; again; {
		again = false
		for _, b := range c.Order {
			for _, v := range b.Values {
				if !c.apart[v.ID] && !slices.Contains(c.agreed, v) && (isRow(v) || slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return c.apart[a.ID] })) {
					c.apart[v.ID], again = true, true
				}
			}
		}
	}
}

// isRow reports whether v is the id of the row.
func isRow(v *ssa.Value) bool {
	return v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.GlobalID && v.Args[0].ConstElem(0) == 1
}

// findAgreed finds the comparisons that a condition is made of and that the rows have to agree on.
func (c *coarsening) findAgreed(v *ssa.Value) bool {
	switch {
	case !c.apart[v.ID] || slices.Contains(c.agreed, v):
		return true
	case v.Type != ssa.TBool:
		return false
	}
	switch v.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpNot:
		return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !c.findAgreed(a) })
	case ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe:
		if !c.Varying[v.ID] && c.Loops.Of(v.Block) == nil {
			c.agreed = append(c.agreed, v)
			return true
		}
	}
	return false
}

// rows decides how many rows a gang does at once; 0: one.
func (c *coarsening) rows(o *Coarsening) int {
	k := c.costs()
	best := 1
	if k.copied == 0 || k.of(best, o) == 0 && !o.Always {
		return 0
	}
	for n := 2; n <= mostRows && (n-1)*k.copied <= maxCoarse; n *= 2 {
		least := leastMore
		if best == 1 {
			least = leastGain
		}
		if k.of(best, o) >= least*k.of(n, o) || o.Always && n <= usualRows {
			best = n
		}
	}
	if best == 1 {
		return 0
	}
	return best
}

// A rowCost is what the loops of a gang take: in operations that lanes differ in, on a register of lanes, and in others, for
// all rows together and for each.
type rowCost struct {
	once, each struct{ lanes, gang float64 }
	// Bytes of a lane that are live all the time, likewise.
	liveOnce, liveEach int
	copied             int // values of a row
}

// of estimates the cost for a lane of a row in gangs of n rows, as wide as registers allow.
func (k *rowCost) of(n int, o *Coarsening) float64 {
	best := math.Inf(1)
	for parts := 1; parts <= 4; parts *= 2 { // registers of elements of 4 bytes
		if parts > 1 && (k.liveOnce+n*k.liveEach)*parts/4+spare > o.Registers {
			break
		}
		p := float64(parts)
		best = min(best, (k.once.lanes*p+k.once.gang+float64(n)*(k.each.lanes*p+k.each.gang))/(float64(n)*p))
	}
	return best
}

// costs estimates what a gang does in loops.
func (c *coarsening) costs() (k rowCost) {
	s := slopes{of: make([][3]slope, c.F.NumValues()), known: make([]bool, c.F.NumValues())}
	for range 2 {
		for _, b := range c.Order {
			for _, v := range b.Values {
				s.value(v)
			}
		}
	}
	for _, b := range c.Order {
		weight := 0.0
		for l := c.Loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight = max(weight, 1) * costLoop
		}
		for _, v := range b.Values {
			to, live := &k.once, &k.liveOnce
			if c.apart[v.ID] {
				to, live = &k.each, &k.liveEach
				k.copied++
			}
			t, access := v.AccessType()
			weight := weight // of registers of elements
			if size := v.Type.Size(); access && t.Size() > 4 || !access && size > 4 {
				weight *= 2
			}
			switch {
			case access && c.Varying[v.Args[0].ID]:
				to.lanes += weight * s.of[v.Args[0].ID][0].cost(int64(t.Size()))
			case access:
				to.gang += weight * costSame
			case v.Op == ssa.OpPhi:
				if c.Varying[v.ID] && weight > 0 && !v.Type.K.IsPtr() {
					*live += v.Type.Size()
				}
			case v.Op.Has(ssa.Terminator) || v.IsConst() || v.Type.K.IsPtr():
			case c.Varying[v.ID] && s.of[v.ID][0].any || v.Type.K.Num().IsFloat():
				to.lanes += weight * costVector
			default: // the first lane's says all
				to.gang += weight * costGeneral
			}
		}
	}
	return k
}

// copyAll makes the copies of what differs between n rows.
func (c *coarsening) copyAll(n int) {
	for _, b := range c.Order {
		values := make([]*ssa.Value, 0, len(b.Values))
		for _, v := range b.Values {
			values = append(values, v)
			if !c.apart[v.ID] || v.Op.Has(ssa.Terminator) {
				continue
			}
			for r := 1; r < n; r++ {
				w := c.copyOf(v, r)
				w.Block = b
				values = append(values, w)
			}
		}
		b.Values = values
	}
	for v, list := range c.copies {
		for r, w := range list {
			c.setArgs(w, v, r+1)
		}
	}
	for _, v := range c.agreed {
		c.agree(v, n)
	}
}

// copyOf returns the copy of v for a row, without arguments.
func (c *coarsening) copyOf(v *ssa.Value, row int) *ssa.Value {
	w := c.F.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	if isRow(v) {
		w.Op, w.Aux = ssa.OpAdd, 0
	}
	c.copies[v] = append(c.copies[v], w)
	return w
}

// setArgs gives the copy of v for a row its arguments.
func (c *coarsening) setArgs(w, v *ssa.Value, row int) {
	if isRow(v) {
		w.SetArgs(v, c.F.InsertEntry(c.F.NewConst(v.Type, uint64(row))))
		return
	}
	w.SetArgs(v.Args...)
	for i, a := range w.Args {
		if c.apart[a.ID] {
			w.Args[i] = c.copies[a][row-1]
		}
	}
}

// agree makes the gang leave behind v, a condition, where it is not the same in all n rows.
func (c *coarsening) agree(v *ssa.Value, n int) {
	f, b := c.F, v.Block
	at := slices.Index(b.Values, v) + 1
	add := func(w *ssa.Value) *ssa.Value {
		b.InsertAt(at, w)
		at++
		return w
	}
	var differ *ssa.Value
	for r := 1; r < n; r++ {
		w := add(c.copyOf(v, r))
		c.setArgs(w, v, r)
		w = add(f.NewValue(ssa.OpXor, ssa.TBool, v.Pos, v, w))
		if differ != nil {
			w = add(f.NewValue(ssa.OpOr, ssa.TBool, v.Pos, differ, w))
		}
		differ = w
	}
	rest, leave := f.NewBlock(b.Name), f.NewBlock(b.Name)
	rest.Values, b.Values = slices.Clone(b.Values[at:]), b.Values[:at]
	for _, w := range rest.Values {
		w.Block = rest
	}
	rest.Succs, b.Succs = slices.Clone(b.Succs), nil // a block's own list is in the block
	for _, s := range rest.Succs {
		s.ReplacePred(b, rest)
	}
	b.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, v.Pos, differ))
	b.Link(leave)
	b.Link(rest)
	leave.Append(f.NewValue(ssa.OpLeave, ssa.TVoid, v.Pos))
	leave.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, v.Pos))
}

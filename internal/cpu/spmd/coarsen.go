package spmd

import (
	"errors"
	"math"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
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
	Piece     int  // bytes of the pieces of rows that a lane reads and writes at once, at most; 0: no such pieces
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

// Accesses of lanes that are far apart, and of rows that are side by side, such as to a matrix that is transposed, become one
// access of a vector for each lane: pieces that every cache line is touched by once or twice, and not for each row again.

// A coarsening is a kernel on its way to gangs of several rows.
type coarsening struct {
	*Plan
	apart  []bool              // by value ID: differs between rows
	beside map[*ssa.Value]bool // accesses that become one for all rows
	slopes slopes
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
	c.findBeside(o)
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

// findBeside finds the accesses that rows have side by side and lanes far apart.
func (c *coarsening) findBeside(o *Coarsening) {
	s := slopes{of: make([][3]slope, c.F.NumValues()), known: make([]bool, c.F.NumValues())}
	for range 2 {
		for _, b := range c.Order {
			for _, v := range b.Values {
				s.value(v)
			}
		}
	}
	c.slopes, c.beside = s, map[*ssa.Value]bool{}
	for _, b := range c.Order {
		for _, v := range b.Values {
			t, ok := v.AccessType()
			if !ok || o.Piece == 0 || t.N != 1 || t.K == ssa.Bool || t.K.IsPtr() || !c.Varying[v.Args[0].ID] {
				continue
			}
			a := c.facts().Address(v.Args[0], false)
			step, ok := c.step(v.Args[0], a.Root != nil && len(a.Terms) == 1 && a.Disp <= lanes.MaxDisp && a.Disp >= -lanes.MaxDisp, maxMoves)
			c.beside[v] = ok && step == int64(t.Size()) && s.of[v.Args[0].ID][0].cost(step) == costFar
		}
	}
}

// step returns by how much an integer or a pointer grows from row to row, if that is a constant. Narrow says that sums of 32 bits
// count as if they did not wrap: where one does the access is out of bounds.
func (c *coarsening) step(v *ssa.Value, narrow bool, depth int) (by int64, ok bool) {
	of := func(i int) (int64, bool) { return c.step(v.Args[i], narrow, depth-1) }
	switch {
	case !c.apart[v.ID]:
		return 0, true
	case isRow(v):
		return 1, true
	case depth == 0 || v.Type.N != 1 || !v.Type.K.IsPtr() && (!isInt(v.Type.K) || v.Type.K.Num().Size() < 4):
		return 0, false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, ok := of(0)
		b, ok2 := of(1)
		if v.Op == ssa.OpSub {
			b = -b
		}
		return a + b, ok && ok2
	case ssa.OpMul, ssa.OpShl:
		k := v.Args[1]
		a, ok := of(0)
		switch {
		case !ok || !k.IsConst():
			return 0, false
		case v.Op == ssa.OpShl:
			return a << (k.ConstElem(0) & 7), k.ConstElem(0) < 8
		}
		return a * signed(k), signed(k) > 0 && signed(k) < 1<<8
	case ssa.OpCopy, ssa.OpPtrCast:
		return of(0)
	case ssa.OpConvert, ssa.OpBitcast:
		from := v.Args[0]
		if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && sat || from.Type.K.IsPtr() || v.Type.K.IsPtr() {
			return 0, false
		}
		if v.Type.Size() > from.Type.Size() && !narrow && !c.facts().Of(from).Within(0, math.MaxInt32) {
			return 0, false
		}
		return of(0)
	}
	return 0, false
}

// rows decides how many rows a gang does at once; 0: one.
func (c *coarsening) rows(o *Coarsening) int {
	k := c.costs()
	best, most := 1, mostRows
	if k.copied == 0 || k.of(best, o) == 0 && !o.Always {
		return 0
	}
	if k.piece > 0 {
		most = max(1, o.Piece/k.piece)
	}
	for n := 2; n <= most && (n-1)*k.copied <= maxCoarse; n *= 2 {
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
	piece              int // bytes of an element of accesses that rows have side by side, 0 if there are none
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
	s := &c.slopes
	for v, beside := range c.beside {
		if beside {
			t, _ := v.AccessType()
			k.piece = max(k.piece, t.Size())
		}
	}
	for _, b := range c.Order {
		weight := 0.0
		if k.piece > 0 && len(c.Loops.All) == 0 {
			weight = 1
		}
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
			case c.beside[v]:
				k.once.lanes += weight * costFar
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
		add := func(w *ssa.Value) {
			w.Block = b
			values = append(values, w)
		}
		for _, v := range b.Values {
			switch {
			case c.beside[v] && v.Op == ssa.OpStore:
				add(c.F.NewValue(ssa.OpVec, ssa.Type{K: v.Args[1].Type.K, N: uint8(n)}, v.Pos))
				add(v)
				continue
			case c.beside[v]: // its elements are what it was for each row
				w := c.copyValue(v)
				w.Type.N = uint8(n)
				w.SetArgs(v.Args...)
				add(w)
				v.Op, v.Flags, v.Aux = ssa.OpExtract, 0, 0
				v.SetArgs(w)
			}
			add(v)
			if !c.apart[v.ID] || v.Op.Has(ssa.Terminator) {
				continue
			}
			for r := 1; r < n; r++ {
				add(c.copyOf(v, r))
			}
		}
		b.Values = values
	}
	for _, b := range c.Order {
		for _, v := range slices.Clone(b.Values) {
			for r, w := range c.copies[v] {
				c.setArgs(w, v, r+1)
			}
			if c.beside[v] && v.Op == ssa.OpStore {
				c.storeAll(v, n)
			}
		}
	}
	for _, v := range c.agreed {
		c.agree(v, n)
	}
}

// storeAll makes a store that of the vector before it, of what all rows store.
func (c *coarsening) storeAll(v *ssa.Value, n int) {
	x := v.Args[1]
	list := []*ssa.Value{x}
	for r := 1; r < n; r++ {
		if c.apart[x.ID] {
			list = append(list, c.copies[x][r-1])
		} else {
			list = append(list, x)
		}
	}
	w := v.Block.Values[slices.Index(v.Block.Values, v)-1]
	w.SetArgs(list...)
	v.SetArgs(v.Args[0], w)
}

// copyValue makes a copy without arguments.
func (c *coarsening) copyValue(v *ssa.Value) *ssa.Value {
	w := c.F.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	return w
}

// copyOf returns the copy of v for a row, without arguments.
func (c *coarsening) copyOf(v *ssa.Value, row int) *ssa.Value {
	w := c.copyValue(v)
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
	if v.Op == ssa.OpExtract && c.beside[v] {
		w.Aux = int64(row)
		return
	}
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

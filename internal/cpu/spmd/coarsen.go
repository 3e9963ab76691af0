package spmd

import (
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Thread coarsening: a gang executes the work-items of several rows, which have consecutive ids in dimension 1.
// Operations that do not depend on the row, such as the load of a column of a matrix, are executed once for all
// rows, so are loads that several rows share (shared.go), and the rows' dependence chains overlap. The order of each
// work-item's operations stays.
//
// Control flow must not depend on the row. If a condition does, as at the border of an image, it is computed
// for each row. If the results differ, the gang leaves by an [ssa.OpLeave], and the launch executes its
// work-items row by row with the usual code. An access out of bounds makes the gang leave too, before anything
// is reported. The stores before it are then repeated, which is harmless because a coarsened kernel reads no
// object that it writes, or stores last, where it has read: c[i] = a*s + b*c[i]. Then no store can fail after another
// one. The launch tests whether objects overlap.

// A Coarsening describes the machine for the choice of the number of rows.
type Coarsening struct {
	Registers int  // vector registers
	Piece     int  // greatest size in bytes of the pieces of rows that a lane accesses at once; 0: no pieces
	Always    bool // even without a gain, for tests
}

// Costs of a gang's operations. The unit is an operation on one vector register. lanedim.go has the costs of
// accesses.
const (
	costVector  = 1.0
	costGeneral = 0.25 // of a uniform operation: general registers execute in parallel to vector registers

	// Coarsening pays if separate rows take at least this many times as long as combined rows.
	leastGain = 1.2
	// Doubling the number of rows pays from this gain on.
	leastMore = 1.05

	mostRows  = 8
	usualRows = 4   // if Always
	spare     = 3   // registers for short-lived values
	maxCoarse = 800 // copied values of all rows but the first
)

var errCoarse = errors.New("gangs of several rows would not pay")

// Accesses for which lanes are far apart and rows are adjacent, as to a transposed matrix, become one vector
// access per lane. It touches each cache line once or twice, instead of once per row.

// A coarsening is the transformation of a kernel for gangs of several rows.
type coarsening struct {
	*Plan
	apart  []bool              // by value ID: differs between rows
	beside map[*ssa.Value]bool // accesses combined for all rows
	slopes *slopes
	agreed []*ssa.Value                // conditions tested to be the same in all rows
	shared *sharing                    // loads that are equal to another row's
	copies map[*ssa.Value][]*ssa.Value // by row

	updates []*ssa.Value // stores to an object that the kernel reads too
}

// coarsenRows coarsens the kernel and returns the number of rows, 0 if it is impossible or does not pay.
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
	if slices.ContainsFunc(c.updates, func(v *ssa.Value) bool { return !c.apart[v.Args[0].ID] }) {
		return 0 // rows update the same place, one after the other
	}
	c.findBeside(o)
	c.findShared()
	n := c.rows(o)
	if n > 0 {
		c.copyAll(n)
	}
	return n
}

// simple reports whether coarsening supports all operations.
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

// readsApart reports whether all objects are known, and none is both read and written except by updates at the end.
func (c *coarsening) readsApart() bool {
	how := map[any]ssa.Op{}
	var both any
	for _, b := range c.Order {
		for _, v := range b.Values {
			if v.Op != ssa.OpLoad && v.Op != ssa.OpStore {
				continue
			}
			object := rootOf(v.Args[0])
			if object == nil {
				return false
			}
			if how[object] != 0 && how[object] != v.Op {
				if both != nil && both != object {
					return false
				}
				both = object
			}
			how[object] = v.Op
		}
	}
	return both == nil || c.updatesLast()
}

// rootOf returns the parameter or symbol of the object in global or constant memory that p points into. If the object is
// unknown it returns nil.
func rootOf(p *ssa.Value) any {
	for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast {
		p = p.Args[0]
	}
	switch k := p.Type.K; {
	case k != ssa.PtrGlobal && k != ssa.PtrConstant:
	case p.Op == ssa.OpGlobalAddr:
		return p.Sym
	case p.Op == ssa.OpParam:
		return p
	}
	return nil
}

// updatesLast reports whether all stores are to one object, at places that the work-item has read, and nothing follows
// them. If the first of them succeeds, all do.
func (c *coarsening) updatesLast() bool {
	var last *ssa.Block
	var object any
	for _, b := range c.Order {
		for i, v := range b.Values {
			switch v.Op {
			case ssa.OpStore:
				if last != nil && (last != b || object != rootOf(v.Args[0])) || !c.hasRead(v, b.Values[:i]) {
					return false
				}
				last, object, c.updates = b, rootOf(v.Args[0]), append(c.updates, v)
			case ssa.OpLoad:
				if last == b {
					return false
				}
			}
		}
	}
	for b := last; len(b.Succs) > 0; b = b.Succs[0] {
		if len(b.Succs) > 1 || c.Loops.Of(b) != nil {
			return false
		}
		if b != last && slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpLoad }) {
			return false
		}
	}
	return true
}

// hasRead reports whether the place of a store has been read before it: by one of the values before it in its block, or
// in a block that dominates it.
func (c *coarsening) hasRead(store *ssa.Value, before []*ssa.Value) bool {
	reads := func(v *ssa.Value) bool {
		return v.Op == ssa.OpLoad && v.Args[0] == store.Args[0] && v.Type == store.Args[1].Type
	}
	return slices.ContainsFunc(before, reads) || slices.ContainsFunc(c.Order, func(b *ssa.Block) bool {
		return b != store.Block && c.Dom.Dominates(b, store.Block) && slices.ContainsFunc(b.Values, reads)
	})
}

// findApart computes the values that differ between rows, except conditions in agreed.
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

// findAgreed collects the comparisons of a condition on which rows must agree.
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

// findBeside finds the accesses for which rows are adjacent and lanes far apart.
func (c *coarsening) findBeside(o *Coarsening) {
	s := slopesOf(c.F, c.Order, 1)
	c.slopes, c.beside = s, map[*ssa.Value]bool{}
	for _, b := range c.Order {
		for _, v := range b.Values {
			t, ok := v.AccessType()
			if !ok || o.Piece == 0 || t.N != 1 || t.K == ssa.Bool || t.K.IsPtr() || !c.Varying[v.Args[0].ID] {
				continue
			}
			a := c.facts().Address(v.Args[0], false)
			step, ok := c.step(v.Args[0], a.Root != nil && len(a.Terms) == 1 && a.Disp <= lanes.MaxDisp && a.Disp >= -lanes.MaxDisp, maxMoves)
			c.beside[v] = ok && step == int64(t.Size()) && s.of(v.Args[0], 0).cost(step) == costFar
		}
	}
}

// step returns the growth of an integer or a pointer from row to row, if it is constant. narrow says to ignore
// wrapping of 32-bit sums: an access at a wrapped address is out of bounds.
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

// rows chooses the number of rows of a gang; 0 means one.
func (c *coarsening) rows(o *Coarsening) int {
	k := c.costs(o)
	best, most := 1, mostRows
	if k.copied == 0 || k.of(best, o) == 0 && !o.Always {
		return 0
	}
	if k.piece > 0 {
		most = max(1, o.Piece/k.piece)
	}
	if len(c.shared.forms) > 0 {
		most = min(most, mostRows)
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

// A rowCost is the cost of a gang's loops: of varying operations, per register of lanes, and of others; once
// for all rows and for each row.
type rowCost struct {
	once, each struct{ lanes, gang float64 }
	// Bytes per lane that are live throughout: shared by all rows, and per row.
	liveOnce, liveEach int
	copied             int // values copied per row
	piece              int // bytes of an element of the combined accesses, 0 if there are none
	// Bytes per lane of the pieces of lanes' own rows that are live: shared by all rows, and per row. A piece's elements are in as
	// many registers before they are used.
	pieceOnce, pieceEach int
	// Loads that rows share, and their bytes per lane that are live, for 1, 2, 4 and 8 rows.
	loads     [4]float64
	liveLoads [4]int
}

// of estimates the cost per lane and row in gangs of n rows, with as many registers per value as fit.
func (k *rowCost) of(n int, o *Coarsening) float64 {
	best := math.Inf(1)
	at := min(bits.Len(uint(n)), len(k.loads)) - 1 // more rows only without such loads
	for parts := 1; parts <= 4; parts *= 2 {       // registers per value of 4-byte elements
		pieces := k.pieceOnce + n*k.pieceEach
		if (parts > 1 || k.liveLoads[at]+pieces > 0) && (k.liveOnce+n*k.liveEach+k.liveLoads[at]+pieces)*parts/4+spare > o.Registers {
			break
		}
		p := float64(parts)
		best = min(best, ((k.once.lanes+k.loads[at])*p+k.once.gang+float64(n)*(k.each.lanes*p+k.each.gang))/(float64(n)*p))
	}
	return best
}

// costs estimates the cost of a gang's loops.
func (c *coarsening) costs(o *Coarsening) (k rowCost) {
	s := c.slopes
	for v, beside := range c.beside {
		if beside {
			t, _ := v.AccessType()
			k.piece = max(k.piece, t.Size())
		}
	}
	shares := len(c.shared.forms) > 0
	weigh := func(b *ssa.Block) (weight float64) {
		if (k.piece > 0 || shares) && len(c.Loops.All) == 0 {
			weight = 1
		}
		for l := c.Loops.Of(b); l != nil && weight < costLoop*costLoop*costLoop; l = l.Parent {
			weight = max(weight, 1) * costLoop
		}
		return weight
	}
	if shares {
		c.shared.costs(&k, weigh)
	}
	for _, b := range c.Order {
		weight := weigh(b)
		for _, v := range b.Values {
			to, live := &k.once, &k.liveOnce
			if c.apart[v.ID] {
				to, live = &k.each, &k.liveEach
				k.copied++
			}
			t, access := v.AccessType()
			weight := weight // per vector register
			if size := v.Type.Size(); access && t.Size() > 4 || !access && size > 4 {
				weight *= 2
			} else if shares && size > 0 && size < 4 {
				weight *= float64(size) / 4
			}
			if _, ok := c.shared.forms[v]; ok {
				continue
			}
			switch {
			case c.beside[v]:
				k.once.lanes += weight * costFar
			case access && c.Varying[v.Args[0].ID]:
				if piece := &k.pieceOnce; v.Op == ssa.OpLoad && c.walks(v) {
					if c.apart[v.ID] {
						piece = &k.pieceEach
					}
					*piece = max(*piece, o.Piece)
				}
				to.lanes += weight * s.of(v.Args[0], 0).cost(int64(t.Size()))
			case access:
				to.gang += weight * costSame
			case v.Op == ssa.OpPhi:
				if c.Varying[v.ID] && weight > 0 && !v.Type.K.IsPtr() && !c.nested(v) {
					*live += v.Type.Size()
				}
			case v.Op.Has(ssa.Terminator) || v.IsConst() || v.Type.K.IsPtr():
			case c.Varying[v.ID] && (s.of(v, 0).any || v.Op == ssa.OpMin || v.Op == ssa.OpMax) || v.Type.K.Num().IsFloat(): // lanes at a border are clamped
				to.lanes += weight * costVector
			default: // one operation on the first lane suffices
				to.gang += weight * costGeneral
			}
		}
	}
	return k
}

// walks reports whether the lanes' elements are far apart, and each lane loads successive elements in an innermost loop that all lanes
// execute together, as from a row of its own (rows.go).
func (c *coarsening) walks(v *ssa.Value) bool {
	l, size := c.Loops.Of(v.Block), int64(v.Type.Size())
	if l == nil || c.Split[l.Header.ID] || v.Type.N > 1 || size < 4 || c.slopes.of(v.Args[0], 0).cost(size) < costFar || slices.ContainsFunc(c.Loops.All, func(x *ssa.Loop) bool { return x.Parent == l }) {
		return false
	}
	w := &rowLoop{versions: &versions{Plan: c.Plan}, l: l}
	if c.Loops.Contains(l, l.Header.Preds[0]) {
		w.in = 1
	}
	by, ok := w.growth(v.Args[0], true, maxMoves)
	return ok && (by == size || by == -size)
}

// nested reports whether a phi has the register of one before it: in an inner loop it goes on with the value of an outer loop's phi, or
// it is that value after the loop.
func (c *coarsening) nested(phi *ssa.Value) bool {
	return slices.ContainsFunc(phi.Args, func(a *ssa.Value) bool {
		return a.Op == ssa.OpPhi && c.Dom.Dominates(a.Block, phi.Block) && a.Block != phi.Block
	})
}

// copyAll copies the values that differ between n rows.
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
			case c.beside[v]: // element i is the value of row i
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
	c.shared.share(n)
	for _, v := range c.agreed {
		c.agree(v, n)
	}
}

// storeAll replaces a store by one of a vector with the values of all rows.
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

// copyValue returns a copy without arguments.
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

// setArgs sets the arguments of v's copy for a row.
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

// agree ends the gang's code after the condition v if the condition differs between the n rows.
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
	c.leaveIf(differ, at)
}

// leaveIf ends the gang's code if a condition holds, before value number at of the condition's block.
func (c *coarsening) leaveIf(v *ssa.Value, at int) {
	f, b := c.F, v.Block
	rest, leave := f.NewBlock(b.Name), f.NewBlock(b.Name)
	rest.Values, b.Values = slices.Clone(b.Values[at:]), b.Values[:at]
	for _, w := range rest.Values {
		w.Block = rest
	}
	rest.Succs, b.Succs = slices.Clone(b.Succs), nil // the slice may be stored in the block itself
	for _, s := range rest.Succs {
		s.ReplacePred(b, rest)
	}
	b.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, v.Pos, v))
	b.Link(leave)
	b.Link(rest)
	leave.Append(f.NewValue(ssa.OpLeave, ssa.TVoid, v.Pos))
	leave.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, v.Pos))
}

package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loop nests: a nest of two counted loops becomes register-blocked (unroll-and-jam). The loop of columns
// executes several columns at once, and the other loop is inside it. Loads that do not depend on the column are
// shared, and the columns' dependence chains overlap. The nest may have had either order:
//
//	for each column: s = 0; for k: s += a[k] * b[k][column]; c[column] = s    (jammed)
//	for k: x = a[k]; for each column: c[column] += x * b[k][column]           (interchanged)
//
// Memory that an iteration reads and writes, such as c[column] above, is kept in registers (a cell). In a single
// loop the same is done for memory at an invariant address: scalar promotion. An object may have several cells, as c[i][j] and
// c[j][i], if the nest reads no memory of it: the copy then writes them in the order of the nest. Only some lanes may execute that loop.
//
// Each column's operations keep their order, and so do floating-point results. But accesses change their order, so that
// the copy runs only if all accesses of the nest are in bounds and the objects that it writes overlap no other one
// (boxes.go). Otherwise the original nest runs, as for the remaining columns.

const (
	mostColumns  = 16
	leastRounds  = 8   // iterations from which the test before a nest pays
	maxNestSize  = 240 // copied values of the inner loop
	maxNestTests = 10  // accesses of a nest
)

// A nest is a nest of loops under transformation.
type nest struct {
	*versions
	k       *counted // the inner loop of the copy
	j       *counted // the loop of columns; nil: none
	swapped bool     // j was the inner loop
	before  *ssa.Block
	exit    *ssa.Block
	columns int

	region   map[*ssa.Block]section // the blocks of the nest
	sequence []*ssa.Block           // in the order of execution
	accesses []*ssa.Value
	cells    []*cell
	contents map[*ssa.Value]content // by load from a cell
	onK, onJ map[*ssa.Value]bool    // the value depends on the iteration of the loop
}

// A section is a part of the copy.
type section uint8

const (
	beforeInner section = iota + 1 // before the inner loop
	innerHeader                    // the inner loop's header
	innerBody                      // its body
	afterInner                     // after the inner loop
)

// A counted loop has a counter and leaves at its header.
type counted struct {
	*counterTest
}

// A cell is memory that is kept in a register: one access in each column.
type cell struct {
	root   *ssa.Value
	ptr    *ssa.Value // of one of the accesses
	linear lanes.Linear
	typ    ssa.Type
	inside bool // accessed in the inner loop
	vector bool // columns are adjacent, and lanes apart
	// several says that the object has other cells, which may be the same memory in other columns.
	several bool

	loaded bool    // a load may find the memory as it was before the nest
	start  content // the value before the inner loop
	next   content // the value after an iteration of the inner loop
	end    content // the value after the nest or a column of it
}

// A content tells the value of a cell at a load: value if it is not nil, else the memory or the phi.
type content struct {
	cell  *cell
	value *ssa.Value
	at    section // beforeInner: in memory; innerHeader: in the phi
}

// nestAll transforms all nests that it can, and reports whether it found any.
func (g *versions) nestAll(registers int) bool {
	if g.rows > 1 || !slices.ContainsFunc(g.Loops.All, func(l *ssa.Loop) bool { return !g.Split[l.Header.ID] }) {
		return false
	}
	apart, ok := g.checkable()
	if !ok {
		return false
	}
	changed := false
	done := map[*ssa.Loop]bool{}
	for _, l := range g.Loops.All { // inner loops first
		if g.Rare(l.Header) || done[l] || slices.ContainsFunc(g.Loops.All, func(x *ssa.Loop) bool { return x.Parent == l }) {
			continue
		}
		for _, outer := range []*ssa.Loop{l.Parent, l} {
			if outer != l && apart.has(l.Header) {
				continue // columns of some lanes only do not pay
			}
			n := g.findNest(outer, l, registers)
			if n == nil {
				continue
			}
			changed = true // a trial leaves constants
			if n.transform() {
				done[outer] = true
				g.Forms |= Nests
				break
			}
		}
	}
	return changed
}

// findNest returns the nest of an outer loop and the inner one, or of a single loop if both are the same; nil
// if it is not supported or would not pay.
func (g *versions) findNest(outer, l *ssa.Loop, registers int) *nest {
	if outer == nil {
		return nil
	}
	n := &nest{versions: g, region: map[*ssa.Block]section{}, contents: map[*ssa.Value]content{}, onK: map[*ssa.Value]bool{}, onJ: map[*ssa.Value]bool{}, columns: 1}
	o, i := g.counted(outer), g.counted(l)
	if o == nil || i == nil || !n.findBlocks(o, i) {
		return nil
	}
	n.before = entering(g.Plan, outer)
	if len(n.before.Succs) != 1 {
		return nil
	}
	n.k = i
	if o.Loop == i.Loop {
		return n.complete(registers)
	}
	n.j = o
	if x := n.complete(registers); x != nil {
		return x
	}
	n.k, n.j, n.swapped = o, i, true
	n.accesses, n.cells = nil, nil
	clear(n.onK)
	clear(n.onJ)
	clear(n.contents)
	return n.complete(registers)
}

// complete analyses the nest in the chosen order of the loops. It returns nil if it is not supported or would not pay.
func (n *nest) complete(registers int) *nest {
	n.findSections()
	n.depends()
	if n.counters() && n.findAccesses() && n.findCells() && n.pays(registers) {
		return n
	}
	return nil
}

// counted returns the loop with its counter, nil if it has another form.
func (g *versions) counted(l *ssa.Loop) *counted {
	t := g.counterTest(l)
	if t == nil || t.branch != l.Header || g.Split[l.Header.ID] {
		return nil
	}
	return &counted{t}
}

// counts reports whether a phi of the header grows by a constant in each iteration.
func (c *counted) counts(phi *ssa.Value) bool {
	next := phi.Args[1-c.in]
	return (next.Op == ssa.OpAdd && isInt(phi.Type.K) || next.Op == ssa.OpPtrAdd) && phi.Type.N == 1 && next.Args[0] == phi && next.Args[1].IsConst()
}

// findBlocks sets the blocks of a nest in their order, if there are no branches but those of the loops.
func (n *nest) findBlocks(o, i *counted) bool {
	nested := o.Loop != i.Loop
	straight := func(b *ssa.Block, l *ssa.Loop) bool {
		return n.Loops.Of(b) == l && len(b.Succs) == 1 && !n.Split[b.ID] && len(n.sequence) <= len(o.Blocks)
	}
	add := func(b *ssa.Block) { n.sequence = append(n.sequence, b) }
	add(o.Header)
	for b := o.Header.Succs[o.stay]; b != o.Header; {
		if nested && b == i.Header {
			add(b)
			for c := b.Succs[i.stay]; c != b; c = c.Succs[0] {
				if !straight(c, i.Loop) {
					return false
				}
				add(c)
			}
			b = b.Succs[1-i.stay]
			continue
		}
		if !straight(b, o.Loop) {
			return false
		}
		add(b)
		b = b.Succs[0]
	}
	n.exit = o.Header.Succs[1-o.stay]
	return len(n.sequence) == len(o.Blocks)
}

// findSections sets the section that each block belongs to.
func (n *nest) findSections() {
	at := beforeInner
	if n.j == nil || n.swapped {
		at = innerBody
	}
	for _, b := range n.sequence {
		switch {
		case b == n.k.Header:
			n.region[b], at = innerHeader, innerBody
			continue
		case at == innerBody && !n.Loops.Contains(n.k.Loop, b):
			at = afterInner
		}
		n.region[b] = at
	}
}

// contains reports whether a value is in the nest.
func (n *nest) contains(v *ssa.Value) bool { return v.Block != nil && n.region[v.Block] != 0 }

// counters reports whether the phis and operations of the nest are supported.
func (n *nest) counters() bool {
	for _, b := range n.sequence {
		for _, v := range b.Values {
			switch {
			case v.Op.Has(ssa.Terminator):
			case v.Op == ssa.OpPhi && b == n.k.Header && (n.j == nil || !n.swapped):
			case v.Op == ssa.OpPhi && b == n.k.Header:
				if !n.k.counts(v) {
					return false
				}
			case v.Op == ssa.OpPhi && n.j != nil && b == n.j.Header:
				if !n.j.counts(v) || n.contains(v.Args[n.j.in]) {
					return false
				}
			case v.Op == ssa.OpPhi:
				if len(v.Args) != 1 {
					return false
				}
			case v.Op == ssa.OpLoad || v.Op == ssa.OpStore:
				if v.Flags&ssa.Volatile != 0 || n.region[b] == innerHeader || n.j != nil && b == n.j.Header {
					return false
				}
			case v.Op == ssa.OpVote, v.Op == ssa.OpAny, v.Op == ssa.OpEnd, v.Op == ssa.OpInside, v.Op == ssa.OpAlloca, v.Op == ssa.OpObject, !v.Op.Has(ssa.Pure):
				return false
			}
		}
	}
	for _, phi := range n.exit.Phis() {
		if n.j != nil && slices.ContainsFunc(phi.Args, n.contains) {
			return false
		}
	}
	// The numbers of iterations must be known before the nest.
	for _, c := range n.loops() {
		if c.bound != nil && n.contains(c.bound) || n.contains(c.count.Args[c.in]) {
			return false
		}
	}
	return true
}

// loops returns the loops of the nest.
func (n *nest) loops() []*counted {
	if n.j == nil {
		return []*counted{n.k}
	}
	return []*counted{n.k, n.j}
}

// depends computes the values that differ between iterations of the loops.
func (n *nest) depends() {
	for again := true; again; {
		again = false
		for _, b := range n.sequence {
			for _, v := range b.Values {
				k := n.region[b] == innerHeader && v.Op == ssa.OpPhi || n.region[b] >= innerHeader && v.Op == ssa.OpLoad
				j := n.j != nil && b == n.j.Header && v.Op == ssa.OpPhi
				for _, a := range v.Args {
					k, j = k || n.onK[a], j || n.onJ[a]
				}
				again = again || n.onK[v] != k || n.onJ[v] != j
				n.onK[v], n.onJ[v] = k, j
			}
		}
	}
}

// findAccesses lists the accesses, and reports whether their objects are known.
func (n *nest) findAccesses() bool {
	for _, b := range n.sequence {
		for _, v := range b.Values {
			t, ok := v.AccessType()
			if !ok {
				continue
			}
			root := n.facts().Root(v.Args[0])
			if private(v) || t.K == ssa.Bool || t.K.IsPtr() || root == nil || root.Op != ssa.OpParam || root.Type.K == ssa.PtrGeneric {
				return false
			}
			n.accesses = append(n.accesses, v)
		}
	}
	return len(n.accesses) <= maxNestTests
}

// findCells finds the memory that is kept in registers, and the value at each load from it.
func (n *nest) findCells() bool {
	if !n.makeCells() {
		return false
	}
	now := map[*cell]content{}
	for _, c := range n.cells {
		if !n.columnsApart(c) {
			return false
		}
		now[c] = content{c, nil, beforeInner}
	}
	stale := map[*cell]bool{} // another cell of the object has been written since
	for _, v := range n.accesses {
		if c := n.cellOf(v); c != nil && n.region[v.Block] == innerBody {
			c.inside = true
		}
	}
	begin := func() { // the inner loop, or after it
		for _, c := range n.cells {
			if c.inside {
				if c.start.cell != nil {
					c.next = now[c]
				} else {
					c.start = now[c]
				}
				now[c] = content{c, nil, innerHeader}
			}
		}
	}
	at := beforeInner
	for _, v := range n.accesses {
		for ; at < n.region[v.Block]; at++ {
			if at != innerHeader {
				begin()
			}
		}
		c := n.cellOf(v)
		if c == nil {
			if n.writes(v) {
				return false
			}
			continue
		}
		if v.Op == ssa.OpStore {
			now[c] = content{c, v.Args[1], 0}
			n.written(c, stale)
			continue
		}
		if stale[c] {
			return false
		}
		n.contents[v] = now[c]
		f := now[c]
		if f.value == nil && f.at == innerHeader {
			f = c.start
		}
		c.loaded = c.loaded || f.value == nil
	}
	for ; at < afterInner; at++ {
		if at != innerHeader {
			begin()
		}
	}
	for c, f := range now {
		c.end = f
	}
	return !slices.ContainsFunc(n.cells, func(c *cell) bool { return c.several && c.loaded })
}

// makeCells makes the cells that stores write, and reports whether all are supported. An object may have several cells if
// the nest finds no value in it. The second and further ones must be written after the inner loop.
func (n *nest) makeCells() bool {
	for _, s := range n.accesses {
		if s.Op != ssa.OpStore || n.cellOf(s) != nil {
			continue
		}
		l, ok := lanes.LinearOf(s.Args[0])
		if !ok || n.onK[s.Args[0]] {
			return false
		}
		c := &cell{root: n.facts().Root(s.Args[0]), ptr: s.Args[0], linear: l, typ: s.Args[1].Type}
		for _, d := range n.cells {
			if d.root == c.root {
				c.several, d.several = true, true
			}
		}
		if c.several && (n.j == nil || n.swapped || n.region[s.Block] != afterInner) {
			return false
		}
		n.cells = append(n.cells, c)
	}
	return len(n.cells) > 0
}

// written notes that a store to a cell may have changed the memory of the others of its object. Cells are in the
// order of their last stores.
func (n *nest) written(c *cell, stale map[*cell]bool) {
	if !c.several {
		return
	}
	for _, d := range n.cells {
		stale[d] = stale[d] && d != c || d != c && d.root == c.root
	}
	i := slices.Index(n.cells, c)
	n.cells = append(slices.Delete(n.cells, i, i+1), c)
}

// writes reports whether the nest writes the object of an access.
func (n *nest) writes(v *ssa.Value) bool {
	root := n.facts().Root(v.Args[0])
	return slices.ContainsFunc(n.cells, func(c *cell) bool { return c.root == root })
}

// cellOf returns the cell that an access is to, or nil.
func (n *nest) cellOf(v *ssa.Value) *cell {
	root := n.facts().Root(v.Args[0])
	l, ok := lanes.LinearOf(v.Args[0])
	t, _ := v.AccessType()
	i := slices.IndexFunc(n.cells, func(c *cell) bool {
		return ok && c.root == root && t == c.typ && l.Disp == c.linear.Disp && slices.Equal(l.Terms, c.linear.Terms) && slices.Equal(l.Narrow, c.linear.Narrow)
	})
	if i >= 0 {
		return n.cells[i]
	}
	return nil
}

// columnsApart reports whether the cell of each column and work-item is elsewhere, as far as that is known. Columns write
// objects with several cells in order.
func (n *nest) columnsApart(c *cell) bool {
	if c.several || n.j == nil || !n.Varying[c.ptr.ID] { // work-items at one address would race
		return n.Varying[c.ptr.ID]
	}
	w := rowLoop{versions: n.versions, l: n.j.Loop, in: n.j.in}
	by, ok := w.growth(c.ptr, true, maxMoves)
	size := int64(c.typ.Size())
	a := n.facts().Address(c.ptr, false)
	c.vector = by == size && c.typ.N == 1 && !(a.Regular() && a.Stride <= 4*size && a.Stride >= -4*size)
	return ok && (by >= size || by <= -size)
}

// pays sets the number of columns, and reports whether the copy pays.
func (n *nest) pays(registers int) bool {
	if n.j == nil {
		return slices.ContainsFunc(n.cells, func(c *cell) bool { return c.inside })
	}
	shared, size, state := n.swapped, 0, 0 // registers of a gang for each column
	live := func(t ssa.Type) { state += int(t.N) * max(1, t.K.Num().Size()/4) }
	for _, c := range n.cells {
		if c.inside {
			live(c.typ)
		}
	}
	for b, at := range n.region {
		for _, v := range b.Values {
			switch {
			case at == innerHeader && v.Op == ssa.OpPhi && n.onJ[v]:
				live(v.Type)
			case at == innerBody && n.onJ[v] && n.onK[v] && n.contents[v].cell == nil:
				size++
			case at == innerBody && v.Op == ssa.OpLoad && n.onK[v.Args[0]]:
				shared = true
			}
		}
	}
	if state == 0 || !shared {
		return false
	}
	most := min(registers*5/8/state, maxNestSize/max(1, size), mostColumns)
	if most < 2 {
		return false
	}
	n.columns = 1 << (bits.Len(uint(most)) - 1)
	return true
}

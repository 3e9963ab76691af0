package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A jam builds the copy of a nest (nests.go):
//
//	before → test → tiles ⇄ (start → head ⇄ body; head → finish → tiles); tiles → rest → original or exit
//
// Without columns finish continues at the nest's exit.
type jam struct {
	*nest
	tiles, start, head, body, finish *ssa.Block
	original                         *ssa.Block                  // before the original nest
	left                             *ssa.Value                  // columns that remain
	copies                           []map[*ssa.Value]*ssa.Value // by column
	phis                             []map[*cell]*ssa.Value      // by column: the cell in the inner loop
	initial                          []map[*cell]*ssa.Value      // by column: the cell before it
}

func (n *nest) number(k int64) *ssa.Value { return n.F.InsertEntry(n.F.NewConst(ssa.TI64, uint64(k))) }

// add appends a value to a block.
func (n *nest) add(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(n.F.NewValue(op, t, n.k.Header.Term().Pos, args...))
}

func (n *nest) branch(b *ssa.Block, c *ssa.Value, yes, no *ssa.Block) {
	n.add(b, ssa.OpBranch, ssa.TVoid, c)
	b.Link(yes)
	b.Link(no)
}

func (n *nest) jump(b, to *ssa.Block) {
	n.add(b, ssa.OpJump, ssa.TVoid)
	b.Link(to)
}

// transform builds the test and the copy. It returns false if it cannot.
func (n *nest) transform() bool {
	f := n.F
	size := 0
	for _, b := range n.sequence {
		for _, v := range b.Values {
			if size++; n.onJ[v] {
				size += n.columns - 1
			}
		}
	}
	if size > maxCopied {
		return false
	}
	some := map[*counted]*ssa.Value{}
	for _, c := range n.loops() {
		some[c] = n.number(0)
	}
	trial := n.test(some)
	f.Blocks = f.Blocks[:len(f.Blocks)-1] // its block
	if trial.failed {
		return false
	}
	rounds := map[*counted]*ssa.Value{}
	for _, c := range n.loops() {
		if rounds[c] = n.versions.tripCount(c.Loop, n.before); rounds[c] == nil {
			return false
		}
	}

	// The numbers of iterations are tested first: short nests run as they are.
	n.before.Values, n.before.Succs = n.before.Values[:len(n.before.Values)-1], nil
	var enough *ssa.Value
	for _, c := range n.loops() {
		least := int64(leastRounds)
		if c == n.j {
			least = int64(n.columns)
		}
		for _, ok := range []*ssa.Value{n.add(n.before, ssa.OpLe, ssa.TBool, n.number(least), rounds[c]), n.add(n.before, ssa.OpLt, ssa.TBool, rounds[c], n.number(1<<roundBits))} {
			if enough != nil {
				ok = n.add(n.before, ssa.OpAnd, ssa.TBool, enough, ok)
			}
			enough = ok
		}
	}
	m := &jam{nest: n, start: f.NewBlock(n.before.Name), original: f.NewBlock(n.before.Name)}
	entry := m.start
	if n.j != nil {
		m.tiles = f.NewBlock(n.j.Header.Name)
		entry = m.tiles
	}
	x := n.test(rounds)
	n.branch(n.before, enough, x.block, m.original)
	x.end(entry, m.original)
	m.copy(rounds)
	m.resume()
	n.blocked[m.head] = true
	return true
}

// test computes the test in a new block.
func (n *nest) test(rounds map[*counted]*ssa.Value) *box {
	x := &box{nest: n, block: n.F.NewBlock(n.before.Name), rounds: map[*counted]*ssa.Value{}, varying: map[*ssa.Value]bool{}, factors: map[*ssa.Value]bool{},
		copied: map[*ssa.Value]*ssa.Value{}, offsets: map[*ssa.Value]exactSum{}}
	for _, c := range n.loops() {
		x.rounds[c] = x.add(ssa.OpConvert, ssa.TU64, x.add(ssa.OpSub, ssa.TI64, rounds[c], n.number(1)))
	}
	x.test()
	return x
}

// end ends the test: control continues at yes if all conditions hold in all lanes, else at no.
func (x *box) end(yes, no *ssa.Block) {
	good := x.even[0]
	for _, c := range x.even[1:] {
		good = x.add(ssa.OpAnd, ssa.TBool, good, c)
	}
	if len(x.uneven) == 0 {
		x.branch(x.block, good, yes, no)
		return
	}
	bad := x.uneven[0]
	for _, c := range x.uneven[1:] {
		bad = x.nest.add(x.block, ssa.OpOr, ssa.TBool, bad, c)
	}
	lanes := x.F.NewBlock(x.before.Name)
	x.branch(x.block, good, lanes, no)
	x.branch(lanes, x.nest.add(lanes, ssa.OpAny, ssa.TBool, bad), no, yes)
}

// copy builds the copy.
func (m *jam) copy(rounds map[*counted]*ssa.Value) {
	f := m.F
	m.head, m.body, m.finish = f.NewBlock(m.k.Header.Name), f.NewBlock(m.k.Header.Name), f.NewBlock(m.k.Header.Name)
	for range m.columns {
		m.copies = append(m.copies, map[*ssa.Value]*ssa.Value{})
		m.phis = append(m.phis, map[*cell]*ssa.Value{})
		m.initial = append(m.initial, map[*cell]*ssa.Value{})
	}
	if m.j != nil {
		m.beginTiles(rounds[m.j])
	}
	for _, c := range m.cells {
		m.begin(c)
	}
	for _, phi := range m.k.Header.Phis() {
		for t := range m.columnsOf(phi) {
			p := m.copyValue(phi)
			start := m.of(phi.Args[m.k.in], t)
			p.SetArgs(start, start)
			m.copies[t][phi] = m.head.Append(p)
		}
	}
	for _, c := range m.cells {
		for t := range m.columns {
			if c.inside {
				start := m.valueOf(c.start, c, t)
				m.phis[t][c] = m.add(m.head, ssa.OpPhi, c.typ, start, start)
			}
		}
	}
	cond := m.of(m.k.Header.Term().Args[0], 0)
	for _, phi := range m.k.Header.Phis() {
		for t := range m.columnsOf(phi) {
			m.copies[t][phi].Args[1] = m.of(phi.Args[1-m.k.in], t)
		}
	}
	for _, c := range m.cells {
		for t := range m.columns {
			if c.inside {
				m.phis[t][c].Args[1] = m.valueOf(c.next, c, t)
			}
		}
	}
	m.storeAll()
	exits := map[*ssa.Value]*ssa.Value{} // made before the blocks end
	if m.j == nil {
		for _, phi := range m.exit.Phis() {
			exits[phi] = m.of(phi.Args[0], 0)
		}
	}
	m.jump(m.start, m.head)
	to := []*ssa.Block{m.finish, m.finish}
	to[m.k.stay] = m.body
	m.branch(m.head, cond, to[0], to[1])
	m.jump(m.body, m.head)
	if m.j != nil {
		m.endTiles()
		return
	}
	for _, phi := range m.exit.Phis() {
		phi.Args = append(slices.Clip(phi.Args), exits[phi])
	}
	m.jump(m.finish, m.exit)
}

// columnsOf returns the number of copies of a value.
func (m *jam) columnsOf(v *ssa.Value) int {
	if m.onJ[v] {
		return m.columns
	}
	return 1
}

// step returns a counter after n iterations.
func (m *jam) step(b *ssa.Block, c *counted, phi, from *ssa.Value, n int) *ssa.Value {
	next := phi.Args[1-c.in]
	by := next.Args[1].Type
	k := m.F.InsertEntry(m.F.NewConst(by, uint64(signed(next.Args[1])*int64(n))&onesOf(by.K)))
	return b.Append(m.F.NewValue(next.Op, phi.Type, phi.Pos, from, k))
}

// beginTiles begins the loop of columns.
func (m *jam) beginTiles(rounds *ssa.Value) {
	for _, phi := range m.j.Header.Phis() {
		p := m.tiles.Append(m.copyValue(phi))
		p.SetArgs(phi.Args[m.j.in], phi.Args[m.j.in])
		m.copies[0][phi] = p
	}
	m.left = m.add(m.tiles, ssa.OpPhi, ssa.TI64, rounds, rounds)
	for _, phi := range m.j.Header.Phis() {
		for t := 1; t < m.columns; t++ {
			m.copies[t][phi] = m.step(m.start, m.j, phi, m.copies[0][phi], t)
		}
	}
}

// endTiles ends the loop of columns. Without remaining columns, control continues after the nest.
func (m *jam) endTiles() {
	for _, phi := range m.j.Header.Phis() {
		p := m.copies[0][phi]
		p.Args[1] = m.step(m.finish, m.j, phi, p, m.columns)
	}
	m.left.Args[1] = m.add(m.finish, ssa.OpSub, ssa.TI64, m.left, m.number(int64(m.columns)))
	m.jump(m.finish, m.tiles)
	rest := m.F.NewBlock(m.before.Name)
	m.branch(m.tiles, m.add(m.tiles, ssa.OpLe, ssa.TBool, m.number(int64(m.columns)), m.left), m.start, rest)
	for _, phi := range m.exit.Phis() {
		phi.Args = append(slices.Clip(phi.Args), phi.Args[0])
	}
	m.branch(rest, m.add(rest, ssa.OpEq, ssa.TBool, m.left, m.number(0)), m.exit, m.original)
}

// resume continues at the original nest, with the remaining columns.
func (m *jam) resume() {
	outer := m.sequence[0]
	if m.j != nil {
		for _, phi := range m.j.Header.Phis() {
			args := make([]*ssa.Value, len(m.original.Preds))
			for i := range args {
				args[i] = phi.Args[m.j.in]
			}
			args[len(args)-1] = m.copies[0][phi]
			p := m.original.Append(m.F.NewValue(ssa.OpPhi, phi.Type, phi.Pos, args...))
			phi.Args[m.j.in] = p
		}
	}
	m.add(m.original, ssa.OpJump, ssa.TVoid)
	m.original.Succs = []*ssa.Block{outer}
	outer.ReplacePred(m.before, m.original)
}

// begin loads a cell.
func (m *jam) begin(c *cell) {
	if !c.loaded {
		for t := range m.columns { // no load finds it, and the nest writes the cell
			m.initial[t][c] = m.F.InsertEntry(m.F.NewConst(c.typ, 0))
		}
		return
	}
	var load *ssa.Value // of which the new ones are copies
	for _, v := range m.accesses {
		if v.Op == ssa.OpLoad && m.cellOf(v) == c {
			load = v
			break
		}
	}
	if c.vector {
		x := m.copyValue(load)
		x.Type.N = uint8(m.columns)
		x.SetArgs(m.of(c.ptr, 0))
		m.start.Append(x)
		for t := range m.columns {
			e := m.add(m.start, ssa.OpExtract, c.typ, x)
			e.Aux = int64(t)
			m.initial[t][c] = e
		}
		return
	}
	for t := range m.columns {
		x := m.copyValue(load)
		x.SetArgs(m.of(c.ptr, t))
		m.initial[t][c] = m.start.Append(x)
	}
}

// storeAll writes the cells. The copy writes objects with several cells column by column.
func (m *jam) storeAll() {
	for _, c := range m.cells {
		if !c.several {
			m.store(c)
		}
	}
	for t := range m.columns {
		for _, c := range m.cells {
			if c.several {
				x := m.copyValue(m.storeTo(c))
				x.SetArgs(m.of(c.ptr, t), m.valueOf(c.end, c, t))
				m.finish.Append(x)
			}
		}
	}
}

// storeTo returns a store to a cell.
func (m *jam) storeTo(c *cell) *ssa.Value {
	i := slices.IndexFunc(m.accesses, func(v *ssa.Value) bool { return v.Op == ssa.OpStore && m.cellOf(v) == c })
	return m.accesses[i]
}

// store writes a cell.
func (m *jam) store(c *cell) {
	store := m.storeTo(c)
	list := make([]*ssa.Value, m.columns)
	for t := range list {
		list[t] = m.valueOf(c.end, c, t)
	}
	if c.vector {
		x := m.copyValue(store)
		x.SetArgs(m.of(c.ptr, 0), m.add(m.finish, ssa.OpVec, ssa.Type{K: c.typ.K, N: uint8(m.columns)}, list...))
		m.finish.Append(x)
		return
	}
	for t, v := range list {
		x := m.copyValue(store)
		x.SetArgs(m.of(c.ptr, t), v)
		m.finish.Append(x)
	}
}

// valueOf returns the value of a cell in a column.
func (m *jam) valueOf(f content, c *cell, t int) *ssa.Value {
	switch {
	case f.value != nil:
		return m.of(f.value, t)
	case f.at == innerHeader:
		return m.phis[t][c]
	}
	return m.initial[t][c]
}

// of returns the copy of v in a column. If it does not exist, it is made: before the inner loop, if it does not
// depend on that loop's iteration.
func (m *jam) of(v *ssa.Value, t int) *ssa.Value {
	if !m.contains(v) {
		return v
	}
	if !m.onJ[v] {
		t = 0
	}
	if x := m.copies[t][v]; x != nil {
		return x
	}
	var x *ssa.Value
	if f, ok := m.contents[v]; ok {
		x = m.valueOf(f, f.cell, t)
	} else if v.Op == ssa.OpPhi {
		x = m.of(v.Args[0], t)
	} else {
		x = m.copyValue(v)
		args := make([]*ssa.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = m.of(a, t)
		}
		x.SetArgs(args...)
		b := m.start
		if m.onK[v] {
			b = map[section]*ssa.Block{beforeInner: m.start, innerHeader: m.head, innerBody: m.body, afterInner: m.finish}[m.region[v.Block]]
		}
		b.Append(x)
	}
	m.copies[t][v] = x
	return x
}

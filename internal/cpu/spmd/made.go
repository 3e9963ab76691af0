package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loops around barriers whose number of iterations is unknown, during the symbolic execution of a work-group
// (evaluate.go): the body is executed once, and a loop is made of it. Phis carry the elements of arrays.

// A madeLoop is a loop in the making.
type madeLoop struct {
	of     *ssa.Loop
	head   *ssa.Block
	phis   []*ssa.Value   // of the header's phis, each for all gangs
	arrays [][]*ssa.Value // by array: the phis of its elements

	// Once the loop's test has been executed: where control continues after the loop, and the arrays' elements then.
	after place
	out   *ssa.Block
	cells [][]source
}

// A carried array is accessed in a made loop.
type carried struct {
	g *ssa.Global
	t ssa.Type
}

// An entry is the result of entering a block of the skeleton.
type entry uint8

const (
	failed  entry = iota
	entered       // its phis have values
	moved         // control is elsewhere
)

// header enters a block of the skeleton, which may begin a made loop, or end it at its back edge.
func (e *evaluation) header(at *place) entry {
	if n := len(e.around); n > 0 {
		l := e.around[n-1]
		switch {
		case at.b == l.of.Header:
			return e.close(l, at)
		case !e.gangs.loops.Contains(l.of, at.b):
			return failed
		}
	}
	phis, in := at.b.Phis(), make([][]*symbol, e.n)
	for k := range in {
		in[k] = e.incoming(at.b, at.from, k)
	}
	if e.made[at.b] {
		l := e.open(at.b)
		first := e.values(phis, in)
		arrays, ok := e.elements(len(e.list))
		if !ok {
			return failed
		}
		e.join()
		e.cur.Append(e.gangs.f.NewValue(ssa.OpJump, ssa.TVoid, 0))
		e.cur.Link(l.head)
		e.cur = l.head
		l.phis = e.phis(first)
		for _, list := range arrays {
			l.arrays = append(l.arrays, e.phis(list))
		}
		for i, g := range e.list {
			for k := range e.arrays[g].cells {
				e.arrays[g].cells[k] = source{l.arrays[i][k/e.lanes], uint8(k % e.lanes)}
			}
		}
		n := 0
		for i, v := range phis {
			for k := range in {
				in[k][i] = ofValue(l.phis[n+k%e.copies(v)])
			}
			n += e.copies(v)
		}
	}
	for k, list := range in {
		e.setPhis(at.b, list, k)
	}
	return entered
}

// copies returns the number of a value's symbols.
func (e *evaluation) copies(v *ssa.Value) int {
	if e.differs(v) {
		return e.n
	}
	return 1
}

// open begins a loop.
func (e *evaluation) open(header *ssa.Block) *madeLoop {
	for _, c := range e.carried {
		if e.arrays[c.g] == nil && !e.memory[c.g] {
			e.newArray(c.g, c.t)
		}
	}
	l := &madeLoop{of: e.gangs.loops.Of(header), head: e.gangs.f.NewBlock("")}
	e.around = append(e.around, l)
	e.forgetLoads()
	return l
}

// values returns the gangs' symbols for phis as values, phi by phi.
func (e *evaluation) values(phis []*ssa.Value, in [][]*symbol) (list []*ssa.Value) {
	for i, v := range phis {
		for k := range e.copies(v) {
			list = append(list, e.value(in[k][i]))
		}
	}
	return list
}

// elements returns the elements of the first n arrays as values. It returns false if it cannot.
func (e *evaluation) elements(n int) (arrays [][]*ssa.Value, ok bool) {
	for _, g := range e.list[:n] {
		a := e.arrays[g]
		if len(a.cells)%e.lanes != 0 {
			e.keep(g)
			return nil, false
		}
		var list []*ssa.Value
		for part := range slices.Chunk(a.cells, e.lanes) {
			list = append(list, e.gather(a.t, slices.Clone(part), e.every()))
		}
		arrays = append(arrays, list)
	}
	return arrays, true
}

// phis appends phis to cur whose first arguments are the values of a list.
func (e *evaluation) phis(list []*ssa.Value) (phis []*ssa.Value) {
	for _, v := range list {
		phis = append(phis, e.cur.Append(e.gangs.f.NewValue(ssa.OpPhi, v.Type, v.Pos, v)))
	}
	return phis
}

// test executes a branch on an unknown condition, which must leave a loop.
func (e *evaluation) test(at *place) bool {
	b := at.b
	l, leaves := e.gangs.loops.Of(b), -1
	for ; l != nil && leaves < 0; l = l.Parent {
		if leaves = slices.IndexFunc(b.Succs, func(s *ssa.Block) bool { return !e.gangs.loops.Contains(l, s) }); leaves >= 0 {
			break
		}
	}
	switch n := len(e.around); {
	case l == nil:
		return false
	case !e.made[l.Header]:
		e.made[l.Header], e.again = true, true
		return false
	case n == 0 || e.around[n-1].of != l || e.around[n-1].out != nil:
		return false
	}
	m := e.around[len(e.around)-1]
	f := e.gangs.f
	e.join()
	c := e.value(e.symbol(b.Term().Args[0], 0))
	inside := f.NewBlock("")
	m.out, m.after = f.NewBlock(""), place{b: b.Succs[leaves], from: b}
	for _, g := range e.list {
		m.cells = append(m.cells, slices.Clone(e.arrays[g].cells))
	}
	e.cur.Append(f.NewValue(ssa.OpBranch, ssa.TVoid, b.Term().Pos, c))
	to := []*ssa.Block{inside, inside}
	to[leaves] = m.out
	e.cur.Link(to[0])
	e.cur.Link(to[1])
	e.begin()
	e.forgetLoads()
	e.cur = inside
	*at = place{b: b.Succs[1-leaves], from: b}
	return true
}

// close ends a loop and goes on after it.
func (e *evaluation) close(l *madeLoop, at *place) entry {
	if l.out == nil {
		return failed
	}
	for _, g := range e.list[len(l.arrays):] {
		e.carried = append(e.carried, carried{g, e.arrays[g].t})
		e.again = true
	}
	if e.again {
		return failed
	}
	in := make([][]*symbol, e.n)
	for k := range in {
		in[k] = e.incoming(at.b, at.from, k)
	}
	next := e.values(at.b.Phis(), in)
	arrays, ok := e.elements(len(l.arrays))
	if !ok {
		return failed
	}
	e.join()
	e.cur.Append(e.gangs.f.NewValue(ssa.OpJump, ssa.TVoid, 0))
	e.cur.Link(l.head)
	again := func(phis, list []*ssa.Value) {
		for i, phi := range phis {
			phi.SetArgs(phi.Args[0], list[i])
		}
	}
	again(l.phis, next)
	for i, list := range arrays {
		again(l.arrays[i], list)
	}
	e.end()
	e.forgetLoads()
	for i, g := range e.list {
		e.arrays[g].cells = l.cells[i]
	}
	e.cur = l.out
	e.around = e.around[:len(e.around)-1]
	*at = l.after
	return moved
}

package spmd

import (
	"maps"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Local arrays in registers, during the symbolic execution of a work-group (evaluate.go). Each element of an array,
// a cell, is a lane of a value. A load whose addresses are known combines lanes; a store makes the lanes of its value
// the content of cells.

// maxCells bounds the elements of an array in registers.
const maxCells = 4096

// fewTransposed is the least number of rows of a transpose: with fewer, aligned elements take fewer permutations.
const fewTransposed = 4

// An array is a variable in local memory whose elements are in registers.
type array struct {
	t ssa.Type // of an element, or of a component of a vector, when it was first accessed
	// The components of each element, in memory. The cells of all first components come first, then those of all second ones.
	n     int
	cells []source
	// The number of loads of one element for all lanes, and of others.
	broadcasts, others int
}

// A local describes the variables in local memory.
type local struct {
	arrays  map[*ssa.Global]*array
	list    []*ssa.Global        // the variables of arrays
	memory  map[*ssa.Global]bool // stay in memory
	made    map[*ssa.Block]bool  // headers of made loops
	carried []carried            // arrays that these access first

	checkMasked bool // accesses under masks are checked
}

// clone returns a copy without arrays.
func (l *local) clone() *local {
	return &local{memory: maps.Clone(l.memory), made: maps.Clone(l.made), carried: slices.Clone(l.carried)}
}

// arrayOf returns the array that an access touches in the lanes of a set, and the offsets of the lanes, or nil if the
// variable must be in memory.
func (e *evaluation) arrayOf(p *symbol, t ssa.Type, set uint64) (a *array, at []int) {
	g, size := p.root, t.Elem().Size()
	if t.K.IsPtr() || t.K == ssa.Bool || t.K == ssa.Handle {
		e.keep(g)
		return nil, nil
	}
	if a = e.arrays[g]; a == nil {
		a = e.newArray(g, t)
	}
	if a.t.Size() != size || int(g.Size)%(a.n*size) != 0 || len(a.cells) > maxCells {
		e.keep(g)
		return nil, nil
	}
	at = make([]int, e.lanes)
	for i := range at {
		if set>>i&1 == 0 {
			continue
		}
		off := p.known[i]
		if off >= uint64(g.Size) || off+uint64(t.Size()) > uint64(g.Size) || off%uint64(size) != 0 {
			e.keep(g)
			return nil, nil
		}
		at[i] = int(off) / size
	}
	return a, at
}

// component returns the numbers of the cells that lanes of a set access in a component of a vector at their offsets.
func (a *array) component(at []int, i int, set uint64) []int {
	cells := make([]int, len(at))
	for k, off := range at {
		if set>>k&1 != 0 {
			off += i
			cells[k] = off%a.n*(len(a.cells)/a.n) + off/a.n
		}
	}
	return cells
}

// newArray adds an array whose elements are 0.
func (l *local) newArray(g *ssa.Global, t ssa.Type) *array {
	n := int(t.N)
	if n == 3 {
		n = 4
	}
	a := &array{t: t.Elem(), n: n, cells: make([]source, int(g.Size)/t.Elem().Size())}
	l.arrays[g] = a
	l.list = append(l.list, g)
	return a
}

// keep makes the execution start again with a variable in memory.
func (e *evaluation) keep(g *ssa.Global) {
	e.memory[g] = true
	e.again = true
}

// keepBroadcasts keeps the arrays in memory most of whose loads are of one element for all lanes, as in a product of matrices by
// tiles: an element in memory is an operand of instructions. It reports whether there are any.
func (l *local) keepBroadcasts() (some bool) {
	for _, g := range l.list {
		if a := l.arrays[g]; a.broadcasts > a.others {
			l.memory[g], some = true, true
		}
	}
	return some
}

// load returns what lanes of a set load from an array.
func (e *evaluation) load(a *array, at []int, t ssa.Type, set uint64) *symbol {
	parts := make([]*symbol, t.N)
	for i := range parts {
		parts[i] = e.loadCells(a, a.component(at, i, set), t.Elem(), set)
	}
	if t.N == 1 {
		return parts[0]
	}
	return vectorOf(t, parts)
}

// store stores a symbol's lanes that are in a mask to an array. It returns false if lanes that may be active store to one
// element.
func (e *evaluation) store(a *array, at []int, x *symbol, m mask) bool {
	for i, p := range e.components(x) {
		if !e.storeCells(a, a.component(at, i, m.maybe), p, m) {
			return false
		}
	}
	return true
}

// loadCells returns what lanes of a set load from cells.
func (e *evaluation) loadCells(a *array, at []int, t ssa.Type, set uint64) *symbol {
	from := make([]source, e.lanes)
	if set == e.every() && !slices.ContainsFunc(at, func(k int) bool { return k != at[0] }) {
		a.broadcasts++
	} else {
		a.others++
	}
	e.collect(from, a, at, set)
	if used, number := e.number(from, set); len(used) > 1 && !e.transposes(used, from, number) {
		for i, k := range at {
			if set>>i&1 != 0 && a.cells[k] == from[i] {
				e.align(a, k/e.lanes*e.lanes, t)
			}
		}
		e.collect(from, a, at, set)
	}
	return ofValue(e.gather(t, from, set))
}

// collect sets the sources of what lanes load.
func (e *evaluation) collect(from []source, a *array, at []int, set uint64) {
	for i, k := range at {
		if set>>i&1 != 0 {
			from[i] = a.cells[k]
		}
	}
}

// transposes reports whether merged values, which other loads are likely to share, permute what lanes load.
func (e *evaluation) transposes(used []*ssa.Value, from []source, number []int) bool {
	if len(used) < fewTransposed {
		return false
	}
	_, _, ok := e.halves(len(used), from, number)
	if !ok {
		_, _, ok = e.moves(from, number)
	}
	return ok
}

// align makes the elements of an array from first on lanes of one value, in order.
func (e *evaluation) align(a *array, first int, t ssa.Type) {
	if first+e.lanes > len(a.cells) {
		return
	}
	part := a.cells[first:][:e.lanes]
	x := part[0]
	for i, c := range part {
		if c != (source{x.v, uint8(i)}) {
			v := e.gather(t, append([]source(nil), part...), e.every())
			for k := range part {
				part[k] = source{v, uint8(k)}
			}
			return
		}
	}
}

// storeCells stores a symbol's lanes that are in a mask to cells. It returns false if lanes that may be active store to
// one.
func (e *evaluation) storeCells(a *array, at []int, x *symbol, m mask) bool {
	v := e.value(x)
	if m.val != nil {
		seen := map[int]bool{}
		for i, k := range at {
			if m.maybe>>i&1 != 0 {
				if seen[k] {
					return false
				}
				seen[k] = true
			}
		}
		old := e.loadCells(a, at, x.t, m.maybe)
		if !isZero(old.val) || !e.zeroElsewhere(v, m) {
			v = e.value(e.chosen(ofValue(m.val), ofValue(v), old))
		}
	}
	for i, k := range at {
		if m.maybe>>i&1 != 0 {
			a.cells[k] = source{v, uint8(i)}
		}
	}
	return true
}

func isZero(v *ssa.Value) bool {
	return v != nil && v.Op == ssa.OpConst && !slices.ContainsFunc(v.Bits, func(b uint64) bool { return b != 0 })
}

// zeroElsewhere reports whether a value is 0 in the lanes outside of a mask: it is loaded under the mask by a block that
// is not yet complete.
func (e *evaluation) zeroElsewhere(v *ssa.Value, m mask) bool {
	return e.side != nil && e.sideMask == m && slices.Contains(e.loaded, v)
}

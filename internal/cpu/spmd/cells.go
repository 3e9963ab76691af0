package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// Local arrays in registers, during the symbolic execution of a work-group (evaluate.go). Each element of an array,
// a cell, is a lane of a value. A load whose addresses are known combines lanes; a store makes the lanes of its value
// the content of cells.

// maxCells bounds the elements of an array in registers.
const maxCells = 4096

// An array is a variable in local memory whose elements are in registers.
type array struct {
	size  int // bytes of an element
	cells []source
}

// A local describes the variables in local memory.
type local struct {
	arrays map[*ssa.Global]*array
	memory map[*ssa.Global]bool // stay in memory
}

// arrayOf returns the array that an access touches in the lanes of a set, and the numbers of the elements, or nil if
// the variable must be in memory.
func (e *evaluation) arrayOf(p *symbol, t ssa.Type, set uint64) (a *array, at []int) {
	g, size := p.root, t.Size()
	if t.N != 1 || t.K.IsPtr() || t.K == ssa.Bool || t.K == ssa.Handle {
		e.keep(g)
		return nil, nil
	}
	if a = e.arrays[g]; a == nil {
		a = &array{size, make([]source, int(g.Size)/size)}
		e.arrays[g] = a
	}
	if a.size != size || int(g.Size)%size != 0 || len(a.cells) > maxCells {
		e.keep(g)
		return nil, nil
	}
	at = make([]int, e.lanes)
	for i := range at {
		if set>>i&1 == 0 {
			continue
		}
		off := p.known[i]
		if off >= uint64(g.Size) || off%uint64(size) != 0 {
			e.keep(g)
			return nil, nil
		}
		at[i] = int(off) / size
	}
	return a, at
}

// keep makes the execution start again with a variable in memory.
func (e *evaluation) keep(g *ssa.Global) {
	e.memory[g] = true
	e.again = true
}

// loadCells returns what lanes of a set load from an array.
func (e *evaluation) loadCells(a *array, at []int, t ssa.Type, set uint64) *symbol {
	from := make([]source, e.lanes)
	e.collect(from, a, at, set)
	if used, _ := e.number(from, set); len(used) > 1 {
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

// storeCells stores a symbol's lanes that are in a mask to an array. It returns false if lanes that may be active
// store to one element.
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
		v = e.value(e.chosen(ofValue(m.val), ofValue(v), old))
	}
	for i, k := range at {
		if m.maybe>>i&1 != 0 {
			a.cells[k] = source{v, uint8(i)}
		}
	}
	return true
}

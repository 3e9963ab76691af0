package interp

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A span is the half-open range [lo, hi) of lanes.
type span struct{ lo, hi int32 }

// A view is the operand of a kernel: columns and the active lanes. The view of cells has one lane.
type view struct {
	base unsafe.Pointer
	w    int // elements of a column
	act  []span
	x    *worker
}

// at returns span s of the column (or cell) at unit u.
func at[T any](v *view, u int32, s span) []T {
	var t T
	p := unsafe.Add(v.base, int(u)*v.w+int(s.lo)*int(unsafe.Sizeof(t)))
	return unsafe.Slice((*T)(p), int(s.hi-s.lo))
}

// cell returns a pointer to the cell at offset u.
func cell[T any](x *columns, u int32) *T { return (*T)(unsafe.Add(x.cells.base, int(u))) }

// lane returns the lane of element i of span s; for the cells' view, the first active lane.
func (v *view) lane(s span, i int) int {
	if v == &v.x.cells {
		return int(v.x.cols.act[0].lo)
	}
	return int(s.lo) + i
}

// columns are a batch's registers: a column has an element for each lane, a cell has one for all. The type knows
// nothing of memory objects and of observers.
type columns struct {
	cols  view // first in the worker: every instruction reads them
	cells view
	w     int // capacity in lanes
	store []uint64
	addr  []uint64 // by lane: scratch

	batchItems
}

// allocate creates the registers for w lanes. Through their views an instruction reaches the worker whole.
func (x *columns) allocate(whole *worker, w int) {
	n := int(x.p.frame) * w / 8
	x.w = w
	x.store = make([]uint64, n+int(x.p.cells)+8)
	x.cols = view{base: unsafe.Pointer(&x.store[0]), w: w, x: whole}
	x.cells = view{base: unsafe.Pointer(&x.store[n]), w: 1, act: []span{{0, 1}}, x: whole}
	x.addr = make([]uint64, w)
}

// constants sets the cells and columns that are constant for the whole run.
func (x *columns) constants() {
	whole := span{0, int32(x.w)}
	for _, c := range x.p.consts {
		x.fill(c.cell, c.col, c.size, c.bits, whole)
	}
	for _, a := range x.p.addrs {
		n := uint64(x.run.allocaBase) + uint64(a.alloca)
		if a.global != nil {
			n = uint64(x.run.env.Globals[a.global])
		}
		x.fill(a.cell, a.col, 8, n<<ssa.ObjectShift, whole)
	}
	for i, cells := range x.p.params {
		for k, c := range cells {
			bits := uint64(0)
			if e := x.run.env.Params[i]; k < len(e) {
				bits = e[k]
			}
			x.fill(c.cell, c.col, c.size, bits, whole)
		}
	}
}

// fill sets a cell and a column, if they exist, to a value of size bytes.
func (x *columns) fill(c, col int32, size uint8, bits uint64, s span) {
	switch size {
	case 1:
		fillWith(x, c, col, uint8(bits), s)
	case 2:
		fillWith(x, c, col, uint16(bits), s)
	case 4:
		fillWith(x, c, col, uint32(bits), s)
	case 8:
		fillWith(x, c, col, bits, s)
	}
}

func fillWith[T any](x *columns, c, col int32, val T, s span) {
	if c >= 0 {
		*cell[T](x, c) = val
	}
	if col >= 0 {
		spread(at[T](&x.cols, col, s), val)
	}
}

// spread sets every element of d to val.
func spread[T any](d []T, val T) {
	k := min(len(d), 16)
	for i := range d[:k] {
		d[i] = val
	}
	for k < len(d) {
		k += copy(d[k:], d[:k])
	}
}

// fillQuery sets a query's cell or column for the batch.
func (x *columns) fillQuery(q *queryCell) {
	if q.cell >= 0 {
		x.fill(q.cell, -1, q.size, x.query(q.query, uint64(q.dim), 0), span{})
	}
	if q.col < 0 {
		return
	}
	s := span{0, int32(x.n)}
	switch q.query {
	case ssa.GlobalID, ssa.LocalID, ssa.GroupID, ssa.LocalSize, ssa.GlobalLinearID, ssa.LocalLinearID:
	default:
		x.fill(-1, q.col, q.size, x.query(q.query, uint64(q.dim), 0), s)
		return
	}
	if q.size == 8 {
		fillLanes(x, at[uint64](&x.cols, q.col, s), q)
	} else {
		fillLanes(x, at[uint32](&x.cols, q.col, s), q)
	}
}

// moves executes the moves of an edge.
func (x *columns) moves(e *edge) {
	for i := range e.moves {
		in := &e.moves[i]
		if in.uniform {
			in.run(&x.cells, in)
		} else {
			in.run(&x.cols, in)
		}
	}
}

// fillLanes sets a query's elements of the batch's lanes.
func fillLanes[T uint32 | uint64](x *columns, d []T, q *queryCell) {
	linear := q.query == ssa.LocalLinearID || q.query == ssa.GlobalLinearID
	if !linear && int(q.dim) >= x.run.env.Range.Dims {
		spread(d, T(x.query(q.query, uint64(q.dim), 0)))
		return
	}
	// In a row of a work-group the ids of dimension 0 increase by one, the others are equal.
	step := T(0)
	switch q.query {
	case ssa.GlobalID, ssa.LocalID:
		if q.dim == 0 {
			step = 1
		}
	case ssa.LocalLinearID, ssa.GlobalLinearID:
		step = 1
	}
	for i := 0; i < len(d); {
		val := T(x.query(q.query, uint64(q.dim), i))
		row := x.groupSize(x.groupID(x.groups[i]))[0]
		k := min(len(d), i+int(row-uint64(x.items[i])%row))
		for ; i < k; i++ {
			d[i] = val
			val += step
		}
	}
}

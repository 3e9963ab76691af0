package interp

import (
	"bytes"
	"math/bits"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
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
func cell[T any](x *worker, u int32) *T { return (*T)(unsafe.Add(x.cells.base, int(u))) }

// lane returns the lane of element i of span s; for the cells' view, the first active lane.
func (v *view) lane(s span, i int) int {
	if v == &v.x.cells {
		return int(v.x.cols.act[0].lo)
	}
	return int(s.lo) + i
}

// An object is a memory object at run time.
type object struct {
	bytes    []byte // of buffers and variables; of a local object the worker's own memory
	size     uint64
	off      uint64 // of private and local objects: in the work-item's or group's memory
	number   uint32
	space    ssa.Kind
	readOnly bool
	private  bool
	local    bool
	shadowed bool // has shadow bytes
	desc     *exec.Object
}

// A worker executes batches of a run, one at a time.
type worker struct {
	run   *Run
	p     *Program
	cols  view
	cells view
	w     int // capacity in lanes
	n     int // lanes in the batch
	live  int // lanes that have not returned

	store      []uint64
	objs       []object
	priv       []byte
	privInit   []byte
	privStride uint64
	local      []byte
	localInit  []byte
	addr       []uint64
	states     []*lanes // by function

	group0      uint64 // group of lane 0
	item0       uint64 // its number in group0
	groups      []uint64
	items       []uint32
	who         []uint64             // by lane: the result of who, for the race observer
	base        [numRelations]uint32 // the clock of all work-items after the group's last barrier
	order       *ordering            // of a run that explains races, if other operations than barriers order accesses
	notFlags    int64                // flags that the next barrier or fence lacks: see kFenceFlags
	modifies    bool                 // whether the current atomic operation writes
	races       raceLocal
	copies      []*asyncCopy      // copies that the group has not waited for
	events      events            // events of its copies
	splits      map[*block]*split // the latest divergence at each block; nil if not needed
	splitSeq    int64
	batch       int64
	findings    exec.FindingLog[findingKey]
	aborted     bool     // the batch ended early
	stops       stops    // lanes stopped in strict mode
	masks, gone []uint32 // by sub-group: scratch; lanes that have returned
	text        exec.Printed
}

// NewWorker returns a worker of the run. A worker is for one goroutine at a time.
func (r *Run) NewWorker(int) exec.BatchWorker {
	p := r.p
	w := max((r.lanes+7)&^7, 8)
	x := &worker{run: r, p: p, w: w, privStride: r.privStride}
	x.store = make([]uint64, int(p.frame)*w/8+int(p.cells)+8)
	x.cols = view{base: unsafe.Pointer(&x.store[0]), w: w, x: x}
	x.cells = view{base: unsafe.Pointer(&x.store[int(p.frame)*w/8]), w: 1, act: []span{{0, 1}}, x: x}
	x.objs = append([]object(nil), r.objs...)
	x.priv = make([]byte, uint64(w)*r.privStride)
	x.local = make([]byte, r.localSize)
	if p.Checks >= exec.ChecksMemory {
		x.privInit = make([]byte, len(x.priv))
		x.localInit = make([]byte, len(x.local))
	}
	for i := range x.objs {
		if o := &x.objs[i]; o.local {
			o.bytes = x.local[o.off : o.off+o.size : o.off+o.size]
		}
	}
	x.addr = make([]uint64, w)
	x.groups = make([]uint64, w)
	x.items = make([]uint32, w)
	x.who = make([]uint64, w)
	if p.SubGroups {
		n := w>>p.subGroupShift + 1
		x.masks, x.gone = make([]uint32, n), make([]uint32, n)
	}
	for _, f := range p.fns {
		x.states = append(x.states, newLanes(len(f.blocks)))
	}
	if p.Checks >= exec.ChecksAll && (p.HasBarrier || p.UsesLocal) {
		x.splits = map[*block]*split{}
	}
	if r.watchRaces {
		x.races.init(r)
		if p.Synchronizes && r.races.mode == exec.ExplainRaces {
			x.order = newOrdering(w)
		}
	}
	x.constants()
	return x
}

// constants sets the cells and columns that are constant for the whole run.
func (x *worker) constants() {
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
func (x *worker) fill(c, col int32, size uint8, bits uint64, s span) {
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

func fillWith[T any](x *worker, c, col int32, val T, s span) {
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

// begin prepares the worker for batch number b. It returns false if the batch is empty.
func (x *worker) begin(b int64) bool {
	r := x.run
	rg := &r.env.Range
	n := uint64(0)
	switch {
	case !x.p.Mixed:
		x.group0, x.item0 = uint64(b), 0
	case r.uneven:
		x.group0, x.item0 = uint64(b)/r.chunks, uint64(b)%r.chunks*uint64(r.lanes)
	default:
		first := uint64(b) * uint64(r.lanes)
		x.group0, x.item0 = first/r.perItem, first%r.perItem
		n = min(uint64(r.lanes), r.nGroups*r.perItem-first)
	}
	gid := x.groupID(x.group0)
	size := x.groupSize(gid)
	if n == 0 {
		total := size[0] * size[1] * size[2]
		if x.item0 >= total {
			return false
		}
		n = min(uint64(r.lanes), total-x.item0)
	}
	x.n, x.live = int(n), int(n)
	x.aborted = false
	x.stops.begin(x)
	x.base = [numRelations]uint32{firstClock, firstClock}
	x.copies, x.notFlags = x.copies[:0], 0
	x.events = events{first: x.events.next, next: x.events.next}
	x.batch++
	clear(x.gone)
	g, it := x.group0, uint32(x.item0)
	for i := range x.n {
		x.groups[i], x.items[i] = g, it
		if it++; uint64(it) == r.perItem && !r.uneven {
			g, it = g+1, 0
		}
	}
	if r.watchRaces {
		for i := range x.n {
			x.who[i] = who(x.groups[i], x.items[i])
		}
		x.races.begin(r.races)
		if x.order != nil {
			x.order.begin()
		}
	}
	for i := range x.p.queries {
		x.fillQuery(&x.p.queries[i], gid, size, rg)
	}
	if len(x.local) > 0 {
		clear(x.local)
		clear(x.localInit)
	}
	return true
}

func (x *worker) groupID(g uint64) [3]uint64 {
	n := x.run.groups
	return [3]uint64{g % n[0], g / n[0] % n[1], g / n[0] / n[1]}
}

// groupSize returns the size of a work-group, smaller at the edges of the range.
func (x *worker) groupSize(gid [3]uint64) (s [3]uint64) {
	rg := &x.run.env.Range
	for d := range s {
		s[d] = min(rg.Local[d], rg.Global[d]-gid[d]*rg.Local[d])
	}
	return s
}

// localID returns the local id of a work-item of a group.
func (x *worker) localID(group uint64, item uint32) [3]uint64 {
	size := x.groupSize(x.groupID(group))
	i := uint64(item)
	return [3]uint64{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
}

// globalID returns the global id of a work-item of a group.
func (x *worker) globalID(group uint64, item uint32) [3]uint64 {
	id, gid := x.localID(group, item), x.groupID(group)
	rg := &x.run.env.Range
	for d := range id {
		id[d] += rg.Offset[d] + gid[d]*rg.Local[d]
	}
	return id
}

// query returns the result of a work-item query for the lane.
func (x *worker) query(q ssa.WorkItemQuery, dim uint64, lane int) uint64 {
	rg := &x.run.env.Range
	gid := x.groupID(x.groups[lane])
	size := x.groupSize(gid)
	item := uint64(x.items[lane])
	lid := x.localID(x.groups[lane], x.items[lane])
	switch q {
	case ssa.WorkDim:
		return uint64(rg.Dims)
	case ssa.MaxSubGroupSize:
		return 1 << x.p.subGroupShift
	case ssa.LocalLinearID:
		return item
	case ssa.GlobalLinearID:
		id := uint64(0)
		for d := 2; d >= 0; d-- {
			id = id*rg.Global[d] + gid[d]*rg.Local[d] + lid[d]
		}
		return id
	}
	if dim >= 3 || dim >= uint64(rg.Dims) {
		// "Other values of dimindx": sizes are 1, ids and offsets 0 (Work-Item Functions).
		switch q {
		case ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups:
			return 1
		}
		return 0
	}
	switch q {
	case ssa.GlobalSize:
		return rg.Global[dim]
	case ssa.GlobalID:
		return rg.Offset[dim] + gid[dim]*rg.Local[dim] + lid[dim]
	case ssa.LocalSize:
		return size[dim]
	case ssa.EnqueuedLocalSize:
		return rg.Local[dim]
	case ssa.LocalID:
		return lid[dim]
	case ssa.NumGroups:
		return x.run.groups[dim]
	case ssa.GroupID:
		return gid[dim]
	case ssa.GlobalOffset:
		return rg.Offset[dim]
	}
	return 0
}

// fillQuery sets a query's cell or column for the batch.
func (x *worker) fillQuery(q *queryCell, gid, size [3]uint64, rg *exec.NDRange) {
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

func fillLanes[T uint32 | uint64](x *worker, d []T, q *queryCell) {
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

// lanes holds the positions of a function's lanes that are not active.
type lanes struct {
	waiting [][]span // by block
	set     []uint64 // set of blocks at which lanes wait
	count   int      // number of these blocks
	cur     []span
	yes, no []span
	merged  []span
	parked  []parking
	cases   [][]span
}

// A parking is a set of lanes that wait at a barrier.
type parking struct {
	block int32
	act   []span
}

func newLanes(blocks int) *lanes {
	return &lanes{waiting: make([][]span, blocks), set: make([]uint64, (blocks+63)/64)}
}

func (s *lanes) put(b int32, act []span) {
	if len(act) == 0 {
		return
	}
	w := s.waiting[b]
	if len(w) == 0 {
		s.set[b/64] |= 1 << (b % 64)
		s.count++
		s.waiting[b] = append(w, act...)
		return
	}
	s.merged = merge(s.merged[:0], w, act)
	s.waiting[b], s.merged = s.merged, w
}

// merge appends the union of two disjoint sorted lists to d, with adjacent spans joined.
func merge(d, a, b []span) []span {
	for len(a) > 0 || len(b) > 0 {
		var s span
		if len(b) == 0 || len(a) > 0 && a[0].lo < b[0].lo {
			s, a = a[0], a[1:]
		} else {
			s, b = b[0], b[1:]
		}
		if n := len(d) - 1; n >= 0 && d[n].hi == s.lo {
			d[n].hi = s.hi
		} else {
			d = append(d, s)
		}
	}
	return d
}

// take removes the lanes at the earliest block and returns them.
func (s *lanes) take() (int32, []span) {
	for i, w := range s.set {
		if w != 0 {
			b := int32(i*64 + bits.TrailingZeros64(w))
			s.set[i] &= w - 1
			s.count--
			s.cur, s.waiting[b] = s.waiting[b], s.cur[:0]
			return b, s.cur
		}
	}
	return -1, nil
}

func count(act []span) (n int) {
	for _, s := range act {
		n += int(s.hi - s.lo)
	}
	return n
}

// body runs a block's instructions. It returns false if all lanes have stopped.
func (x *worker) body(b *block) bool {
	for i := range b.insts {
		in := &b.insts[i]
		if in.uniform {
			in.run(&x.cells, in)
		} else {
			in.run(&x.cols, in)
		}
		if x.stops.fresh && !x.drop() {
			return false
		}
	}
	return true
}

// exec runs the active lanes through f until all have returned.
func (x *worker) exec(f *fn, depth int) {
	st := x.states[f.index]
	cur := int32(0)
	for {
		b := &f.blocks[cur]
		term := b.term
		if !x.body(b) {
			term = noTerm
		}
		next := int32(-1)
		switch term {
		case termJump:
			next = x.follow(st, &b.succs[0])
		case termLatch:
			if x.poll() {
				x.abandon(st)
				return
			}
			next = x.follow(st, &b.succs[0])
		case termBranch:
			next = x.branch(st, b)
		case termSwitch:
			next = x.choose(st, b)
		case termReturn:
			if depth == 0 {
				x.live -= count(x.cols.act)
				if x.gone != nil {
					x.leave()
				}
			}
		case termBarrier:
			next = x.barrier(st, f, b, cur, depth)
		}
		if x.aborted {
			x.abandon(st)
			return
		}
		if next < 0 {
			next, x.cols.act = st.take()
			for next < 0 && len(st.parked) > 0 {
				next = x.unpark(st, f, depth)
			}
			if next < 0 {
				return
			}
		}
		if x.aborted || next <= cur && x.poll() {
			x.abandon(st)
			return
		}
		cur = next
	}
}

// poll reports whether the run must end.
func (x *worker) poll() bool {
	if x.run.stop.Load() || x.run.raced.Load() && x.run.races.mode == exec.FindRaces {
		x.aborted = true
	}
	return x.aborted
}

// abandon removes all lanes of a function.
func (x *worker) abandon(st *lanes) {
	for st.count > 0 {
		st.take()
	}
	st.parked = st.parked[:0]
	x.aborted = true
}

// follow moves the active lanes along e. It returns the next block, or -1 if it must be chosen among the waiting
// lanes'.
func (x *worker) follow(st *lanes, e *edge) int32 {
	x.moves(e)
	if st.count == 0 {
		return e.to
	}
	st.put(e.to, x.cols.act)
	return -1
}

func (x *worker) moves(e *edge) {
	for i := range e.moves {
		in := &e.moves[i]
		if in.uniform {
			in.run(&x.cells, in)
		} else {
			in.run(&x.cols, in)
		}
	}
}

// branch moves the active lanes to the two successors.
func (x *worker) branch(st *lanes, b *block) int32 {
	if b.uniform {
		k := 1
		if *cell[uint8](x, b.cond) != 0 {
			k = 0
		}
		return x.follow(st, &b.succs[k])
	}
	yes, no := sides(x, b, st.yes[:0], st.no[:0])
	st.yes, st.no = yes, no
	if len(no) == 0 {
		return x.follow(st, &b.succs[0])
	}
	if len(yes) == 0 {
		return x.follow(st, &b.succs[1])
	}
	if x.splits != nil {
		x.split(b, yes, no)
	}
	x.cols.act = yes
	x.moves(&b.succs[0])
	st.put(b.succs[0].to, yes)
	x.cols.act = no
	x.moves(&b.succs[1])
	st.put(b.succs[1].to, no)
	return -1
}

// sides appends the active lanes for which a branch's condition is true to yes, the others to no.
func sides(x *worker, b *block, yes, no []span) ([]span, []span) {
	for _, s := range x.cols.act {
		c := at[uint8](&x.cols, b.cond, s)
		for lo := 0; lo < len(c); {
			val := c[lo]
			k := bytes.IndexByte(c[lo:], 1-val)
			if k < 0 {
				k = len(c) - lo
			}
			part := span{s.lo + int32(lo), s.lo + int32(lo+k)}
			if val != 0 {
				yes = append(yes, part)
			} else {
				no = append(no, part)
			}
			lo += k
		}
	}
	return yes, no
}

// choose moves the active lanes to the successors of a switch.
func (x *worker) choose(st *lanes, b *block) int32 {
	if b.uniform {
		return x.follow(st, &b.succs[caseOf(b, x.bitsAt(&x.cells, b, 0))])
	}
	act := x.cols.act
	for len(st.cases) < len(b.succs) {
		st.cases = append(st.cases, nil)
	}
	for _, s := range act {
		for i := s.lo; i < s.hi; i++ {
			k := caseOf(b, x.bitsAt(&x.cols, b, i))
			c := st.cases[k]
			if n := len(c) - 1; n >= 0 && c[n].hi == i {
				c[n].hi++
			} else {
				st.cases[k] = append(c, span{i, i + 1})
			}
		}
	}
	if x.splits != nil {
		x.split(b, st.cases[:len(b.succs)]...)
	}
	for k := range b.succs {
		if set := st.cases[k]; len(set) > 0 {
			x.cols.act = set
			x.moves(&b.succs[k])
			st.put(b.succs[k].to, set)
			st.cases[k] = set[:0]
		}
	}
	return -1
}

// caseOf returns the successor of a switch for a value.
func caseOf(b *block, val uint64) int {
	if b.lookup != nil {
		return b.lookup[val]
	}
	for i, c := range b.cases {
		if c == val {
			return i + 1
		}
	}
	return 0
}

// bitsAt returns the switch's operand, zero-extended.
func (x *worker) bitsAt(v *view, b *block, lane int32) uint64 {
	s := span{lane, lane + 1}
	switch b.condSz {
	case 1:
		return uint64(at[uint8](v, b.cond, s)[0])
	case 2:
		return uint64(at[uint16](v, b.cond, s)[0])
	case 4:
		return uint64(at[uint32](v, b.cond, s)[0])
	}
	return at[uint64](v, b.cond, s)[0]
}

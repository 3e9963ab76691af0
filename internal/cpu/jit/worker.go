package jit

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// A worker executes batches. It is reused by launches that need the same layout of memory.
type worker struct {
	x     *execution
	arena *arena
	parts [numParts]uint64 // sizes in bytes
	memory
	log  exec.FindingLog[exec.AccessKey]
	objs []entry
	text exec.Printed
	err  error

	images map[*ssa.Value]*exec.ImageCall
	calls  image.Calls // of the gang with a host call on images
	spent  spent       // for a profile
	left   int         // gangs of several rows that ended early
	kept   bool        // the execution keeps it for its number
	framed bool        // the frames have been set in this launch
}

// memory has the parts of an arena.
type memory struct {
	mem    []byte // the context
	frame  []byte // the frames
	local  []byte
	recOf  []byte // the records' table: see x86.CtxRecordsOf
	recs   []byte // the records
	table  []byte // the object table
	priv   []byte
	copies []byte // see copies.go

	neutral []copies // those for which the neutral elements have been stored
	changed bool     // not all of these elements are neutral
}

// The parts of an arena.
const (
	partContext = iota
	partRecordsOf
	partRecords // the records, after their table
	partObjects
	partFrames
	partPrivate
	partLocal
	partCopies
	numParts
)

func align(n, a uint64) uint64 { return (n + a - 1) &^ (a - 1) }

// parts returns the sizes of the parts of a worker's arena.
func (x *execution) parts() [numParts]uint64 {
	ctx, accesses := x.full.CtxSize, 2*len(x.full.Accesses) // by number of access: see generate
	if x.coarse != nil {
		ctx = max(ctx, x.coarse.CtxSize)
	}
	if x.partial != nil {
		ctx = max(ctx, x.partial.CtxSize)
		accesses = max(accesses, 2*len(x.partial.Accesses))
	}
	return [numParts]uint64{
		partContext:   uint64(ctx) + 64,
		partRecordsOf: uint64(accesses) * x86.NumBad * 4,
		partRecords:   uint64(accesses) * x86.NumBad * x86.RecordSize,
		partObjects:   uint64(len(x.objects)) * x86.ObjectEntry,
		partFrames:    x.stride * x.gangs,
		partPrivate:   uint64(x.full.Private) * x.w * x.gangs,
		partLocal:     align(x.localSize, 64) + 128,
		partCopies:    x.copiedSize,
	}
}

// exchange puts old, if not nil, into the pool. It returns a worker from the pool, preferably with the same
// layout, or a new one.
func (v *variant) exchange(old *worker, parts *[numParts]uint64, total uint64) *worker {
	v.mu.Lock()
	defer v.mu.Unlock()
	if old != nil {
		v.release(old)
	}
	best := -1
	for i := len(v.free) - 1; i >= 0; i-- {
		w := v.free[i]
		if w.parts == *parts {
			best = i
			break
		}
		if uint64(len(w.arena.mem)) >= total {
			best = i
		}
	}
	if best < 0 {
		return &worker{}
	}
	w := v.free[best]
	v.free = slices.Delete(v.free, best, best+1)
	return w
}

// NewWorker makes a worker with its context, preferably of the one that had the number before: what it has is then in
// the cache of the number's processor, and no lock is needed.
func (x *execution) NewWorker(number int) exec.BatchWorker {
	parts := x.parts()
	total := uint64(0)
	for _, n := range parts {
		total = align(total+n, 4096)
	}
	var w *worker
	keep := number < len(x.kept)
	if keep {
		w = x.kept[number]
	}
	if w == nil || w.parts != parts {
		w = x.v.exchange(w, &parts, total)
		if w.kept = keep; keep {
			x.kept[number] = w
		}
	}
	w.x = x
	if w.arena == nil || uint64(len(w.arena.mem)) < total {
		if w.arena, w.err = newArena(int(total)); w.err != nil {
			return w
		}
	}
	if w.parts != parts {
		w.divide(parts)
	}
	w.begin()
	return w
}

// divide divides the arena into parts.
func (w *worker) divide(parts [numParts]uint64) {
	off := uint64(0)
	var list [numParts][]byte
	for i, n := range parts {
		list[i] = w.arena.mem[off : off+n]
		off = align(off+n, 4096)
	}
	w.parts = parts
	w.mem, w.recOf, w.recs, w.table = list[partContext], list[partRecordsOf], list[partRecords], list[partObjects]
	w.frame, w.priv, w.local, w.copies = list[partFrames], list[partPrivate], list[partLocal], list[partCopies]
	w.neutral = w.neutral[:0]
	clear(w.mem)
	clear(w.recOf)
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(x86.CtxObjects, uint64(address(w.table)))
	put(x86.CtxRecordsOf, uint64(address(w.recOf)))
	put(x86.CtxRecords, uint64(address(w.recs)))
	put(x86.CtxNoRecords, uint64(address(w.recs)))
	put(x86.CtxLocal, uint64(address(w.local)))
	put(x86.CtxUnaligned, uint64(uintptr(exec.Unaligned.Address())))
}

// begin prepares the context for the launch: it sets every field that the launch may read.
func (w *worker) begin() {
	x := w.x
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(x86.CtxStopped, uint64(uintptr(unsafe.Pointer(x.stop))))
	put(x86.CtxStrict, 0)
	put(x86.CtxOrder, 0)
	if x.env.Faults == exec.Strict {
		put(x86.CtxStrict, 1)
	}
	w.clearFaults()
	w.left = 0
	put(x86.CtxLocalWords, 0)
	if !x.filled {
		put(x86.CtxLocalWords, uint64(len(w.local)-128)/8)
	}
	put(x86.CtxNumObjects, uint64(len(x.objects)))
	put(x86.CtxStride, x.stride)
	w.framed = false
	w.objs = append(w.objs[:0], x.objects...)
	for _, l := range x.locals {
		w.objs[l.number].base = uint64(address(w.local)) + l.at
	}
	for i, e := range w.objs {
		row := w.table[i*x86.ObjectEntry:]
		*word(row, x86.ObjBase), *word(row, x86.ObjLen) = e.base, e.size
		*word(row, x86.ObjLane), *word(row, x86.ObjFlags) = e.lane, e.flags
	}
	private := uint64(x.allocaAt)
	for i := range x.full.Roots {
		n := uint64(0)
		switch r := &x.full.Roots[i]; r.Kind {
		case gang.RootParam:
			n = x.env.Params[r.Param][0] >> ssa.ObjectShift
		case gang.RootGlobal:
			n = uint64(x.env.Globals[r.Var])
		default:
			n = private
			private++
		}
		var e entry
		if n < uint64(len(w.objs)) {
			e = w.objs[n]
		}
		at := x86.CtxRoots + x86.RootSize*i
		put(at, n<<ssa.ObjectShift)
		put(at+x86.RootBase, e.base)
		put(at+x86.RootLen, e.size)
		if e.flags&x86.ObjReadOnly != 0 {
			e.size = 0
		}
		put(at+x86.RootWrites, e.size)
	}
	for i, p := range x.full.Params {
		for c := range p[1] {
			put(p[0]+8*c, x.env.Params[i][c])
		}
	}
	for g := range x.gangs {
		*word(w.frame, int(g*x.stride)+x86.FramePrivate) = uint64(address(w.priv)) + g*uint64(x.full.Private)*x.w
	}
	w.resetSums()
	w.beginCopies()
	w.queries()
}

// Leave returns false if the worker has nothing to report and remains in the execution.
func (w *worker) Leave() bool {
	x := w.x
	if w.err == nil {
		w.mergeCopies()
	}
	return !w.kept || w.err != nil || !w.log.Empty() || x.printer != nil || x.c.o.Profile != nil
}

// end releases references to the launch.
func (w *worker) end() {
	if p := w.x.c.o.Profile; p != nil {
		p.collect(w)
	}
	w.x = nil
	w.log.Clear()
	w.text = exec.Printed{}
}

// queries sets the work-item queries that are constant in a launch.
func (w *worker) queries() {
	rg := &w.x.env.Range
	clear(w.mem[x86.CtxQueries:x86.CtxGroups])
	for d := range 3 {
		set := func(q ssa.WorkItemQuery, v, rest uint64) {
			if d >= rg.Dims {
				v = rest
			}
			w.query(q, d, v)
		}
		w.query(ssa.WorkDim, d, uint64(rg.Dims))
		set(ssa.GlobalSize, rg.Global[d], 1)
		set(ssa.LocalSize, rg.Local[d], 1)
		set(ssa.EnqueuedLocalSize, rg.Local[d], 1)
		set(ssa.NumGroups, w.x.groups[d], 1)
		set(ssa.GlobalOffset, rg.Offset[d], 0)
	}
}

func (w *worker) query(q ssa.WorkItemQuery, d int, v uint64) {
	*word(w.mem, x86.CtxQueries+8*(3*int(q)+d)) = v
}

// Do executes batches.
func (w *worker) Do(from, to int64) error {
	if w.err != nil {
		return w.err
	}
	defer runtime.KeepAlive(w.x)
	var err error
	if w.x.v.grouped() {
		err = w.groups(uint64(from), uint64(to))
	} else {
		err = w.rows(uint64(from), uint64(to))
	}
	w.flushSums()
	if w.x.printer != nil {
		if perr := w.x.printer.Deliver(from, w.text.Drain()); err == nil { // to is from+1: see Most
			err = perr
		}
	}
	return err
}

// groups executes batches of work-groups.
func (w *worker) groups(from, to uint64) error {
	x := w.x
	end := min(x.nGroups, to*x.groupsEach)
	for g := from * x.groupsEach; g < end && !x.stop.Load(); {
		n, err := w.workGroups(g, end-g)
		if err != nil {
			return err
		}
		g += n
	}
	return nil
}

// rows executes batches of rows or of chunks of rows.
func (w *worker) rows(from, to uint64) error {
	x := w.x
	if x.perRow == 1 {
		return w.rowRange(from*x.rowsEach, min(to*x.rowsEach, x.rows), 0, x.env.Range.Global[0])
	}
	for b := from; b < to; {
		row, part := b/x.perRow*x.rowsEach, b%x.perRow
		n := min(to-b, x.perRow-part)
		if err := w.rowRange(row, min(row+x.rowsEach, x.rows), part*x.chunk, min((part+n)*x.chunk, x.env.Range.Global[0])); err != nil {
			return err
		}
		b += n
	}
	return nil
}

// rowRange executes the work-items [first, last) of the rows [row, end).
func (w *worker) rowRange(row, end, first, last uint64) error {
	rg := &w.x.env.Range
	for row < end && !w.x.stop.Load() {
		n, err := w.coarse(row, end, first, last)
		if err != nil {
			return err
		}
		if n > 0 {
			row += n
			continue
		}
		n, err = w.rectangle([3]uint64{rg.Offset[0] + first, rg.Offset[1] + row%rg.Global[1], rg.Offset[2] + row/rg.Global[1]}, end-row, last-first)
		if err != nil {
			return err
		}
		row += n
	}
	return nil
}

// rectangle executes n work-items of each row, from id on, for as many of the rows as one run of machine code
// covers. It returns the number of rows executed.
func (w *worker) rectangle(id [3]uint64, rows, n uint64) (uint64, error) {
	x := w.x
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	tail := n % x.w
	u, lanes, idEnd := x.full, x.w, id[0]+n-tail
	put(x86.CtxTail, 0)
	if tail > 0 {
		width := uint64(x.partial.Lanes)
		switch {
		case tail > width: // the tail consists of several gangs
			return 1, w.row(id, n)
		case tail == n:
			u, lanes, idEnd = x.partial, tail, id[0]+width
		default:
			put(x86.CtxTail, x.partial.start())
			put(x86.CtxTailLanes, tail)
			put(x86.CtxTailIDEnd, idEnd+width)
		}
	}
	w.setRows(u, id, rows, idEnd, lanes)
	if err := w.run(u); err != nil {
		return 0, err
	}
	done := rows - *word(w.mem, x86.CtxGroups)
	if *word(w.mem, x86.CtxStatus) != x86.StatusRounds {
		return done, nil
	}
	end := id[0] + n
	for d := range id {
		id[d] = *word(w.frame, x86.FrameGlobal+8*d)
	}
	id[0] += *word(w.frame, x86.FrameLanes) // after the ended gang
	return done + 1, w.row(id, end-id[0])
}

// setRows sets the context for rows of gangs, from id to before idEnd in dimension 0. steps is the number of rows of
// gangs.
func (w *worker) setRows(u *unit, id [3]uint64, steps, idEnd, lanes uint64) {
	rg := &w.x.env.Range
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(x86.CtxGroups, steps)
	put(x86.CtxRowFirst, id[0])
	put(x86.CtxRowIDEnd, idEnd)
	put(x86.CtxIDEnd, idEnd)
	put(x86.CtxRowLanes, lanes)
	put(x86.CtxRowStart, u.start())
	put(x86.CtxFirstRow, rg.Offset[1])
	put(x86.CtxRowsEnd, rg.Offset[1]+rg.Global[1])
	w.setFrame(0, id, [3]uint64{}, lanes)
}

// row executes n work-items of a row from id on, one run of machine code after the other.
func (w *worker) row(id [3]uint64, n uint64) error {
	x := w.x
	end := id[0] + n
	*word(w.mem, x86.CtxTail) = 0
	for id[0] < end && !x.stop.Load() {
		u, lanes, idEnd := x.full, x.w, end-(end-id[0])%x.w
		if idEnd == id[0] {
			u = x.partial
			lanes, idEnd = min(uint64(u.Lanes), end-id[0]), id[0]+uint64(u.Lanes)
		}
		*word(w.mem, x86.CtxGroups) = 1
		*word(w.mem, x86.CtxIDEnd) = idEnd
		w.setFrame(0, id, [3]uint64{}, lanes)
		if err := w.run(u); err != nil {
			return err
		}
		if *word(w.mem, x86.CtxStatus) == x86.StatusRounds {
			idEnd = *word(w.frame, x86.FrameGlobal) + uint64(u.Lanes) // after the ended gang
		}
		id[0] = idEnd
	}
	return nil
}

// setFrame sets a frame's ids of the first lane and its number of lanes.
func (w *worker) setFrame(at int, global, local [3]uint64, lanes uint64) {
	f := w.frame[at:]
	for d := range 3 {
		*word(f, x86.FrameGlobal+8*d) = global[d]
		*word(f, x86.FrameLocal+8*d) = local[d]
	}
	*word(f, x86.FrameLanes) = lanes
	*word(f, x86.FrameOrder) = 0
}

// workGroups executes the work-group g, with a frame for each gang, and the next ones if they have the same
// size, up to most. It returns the number of work-groups executed.
func (w *worker) workGroups(g, most uint64) (uint64, error) {
	x := w.x
	rg := &x.env.Range
	gid, base, size := rg.Group(x.groups, g)
	for d := range rg.Dims {
		w.query(ssa.GroupID, d, gid[d])
		w.query(ssa.LocalSize, d, size[d])
	}
	most = w.groupRows(gid, most)
	*word(w.mem, x86.CtxGroupSize) = size[0]
	if !x.filled {
		clear(w.local)
	}
	order := w.x.order(size)
	*word(w.mem, x86.CtxOrder) = order[0]
	if w.framed && x.full.Forms&spmd.Unfolded != 0 {
		return w.moreGroups(base, most)
	}
	n := uint64(0)
	var first *unit
	samePartial := false // all gangs use the same unit
	if p := x.partial; p != nil && size[0]%x.w != 0 {
		samePartial = p.Groups || x.full.Groups
	}
	for z := range size[2] {
		for y := range size[1] {
			for at := uint64(0); at < size[0]; at += x.w {
				f := int(n * x.stride)
				lanes := min(x.w, size[0]-at)
				w.setFrame(f, [3]uint64{base[0] + at, base[1] + y, base[2] + z}, [3]uint64{at, y, z}, lanes)
				*word(w.frame, f+x86.FrameOrder) = at*order[0] + y*order[1] + z*order[2]
				u := x.full
				if lanes < x.w || samePartial {
					u = x.partial
				}
				if n == 0 {
					first = u
				}
				*word(w.frame, f+x86.FrameStart), *word(w.frame, f+x86.FrameResume) = u.start(), u.start()
				n++
			}
		}
	}
	start := uint64(address(w.frame))
	*word(w.mem, x86.CtxFirst) = start
	*word(w.mem, x86.CtxEnd) = start + n*x.stride
	*word(w.mem, x86.CtxLive) = n
	*word(w.mem, x86.CtxArrived) = 0
	w.framed = true
	return w.runGroups(first, most)
}

// groupRows sets the context for as many work-groups, up to most, as one run of machine code can execute, and returns their
// number: the rest of a row in dimension 0, or whole rows, of work-groups of full size.
func (w *worker) groupRows(gid [3]uint64, most uint64) uint64 {
	x := w.x
	rg := &x.env.Range
	row := x.whole[0]
	n := max(1, min(most, row-min(gid[0], row)))
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(x86.CtxRowGroups, n)
	inOrder := x.v.key.laneDim == 0 // else the rows of one run are not in the host's order, and nor are their findings
	if inOrder && n == row && row == x.groups[0] && most > n && x.full.Groups && (x.partial == nil || x.partial.Groups) {
		n *= max(1, min(most/n, x.whole[1]-min(gid[1], x.whole[1])))
		put(x86.CtxRowLength, row)
		put(x86.CtxRowBack, (row-1)*rg.Local[0])
		put(x86.CtxRowStep, rg.Local[1])
	}
	put(x86.CtxGroups, n)
	return n
}

// moreGroups is workGroups for code that changes no frame except for the global ids, after the first call of a launch.
func (w *worker) moreGroups(base [3]uint64, most uint64) (uint64, error) {
	for n := uint64(0); n < w.x.gangs; n++ {
		f := w.frame[n*w.x.stride:]
		for d := range 3 {
			*word(f, x86.FrameGlobal+8*d) = base[d] + *word(f, x86.FrameLocal+8*d)
		}
	}
	return w.runGroups(w.x.full, most)
}

// runGroups runs most work-groups and returns the number executed.
func (w *worker) runGroups(first *unit, most uint64) (uint64, error) {
	err := w.run(first)
	left := *word(w.mem, x86.CtxGroups)
	return most - left + min(left, 1), err // execution ends at a work-group whose gangs wait at different barriers
}

// run runs machine code until it ends, and executes its host calls.
func (w *worker) run(u *unit) error {
	*word(w.mem, x86.CtxResume) = u.start()
	*word(w.mem, x86.CtxFrame) = uint64(address(w.frame))
	ctx, env := unsafe.Pointer(&w.mem[0]), uint32(fpenv.Standard)
	if w.x.c.f.Kernel.FlushSubnormals {
		env = fpenv.Flushing
	}
	clock := w.x.c.o.Profile.clock()
	for {
		enter(ctx, unsafe.Pointer(&u.mem[0]), env)
		clock.code(w)
		switch s := *word(w.mem, x86.CtxStatus); s {
		case x86.StatusYield:
			at, of := *word(w.mem, x86.CtxResume), w.x.full
			if c := w.x.coarse; c != nil && at-uint64(address(c.mem)) < uint64(len(c.mem)) {
				of = c
			} else if w.x.partial != nil && at-uint64(address(w.x.partial.mem)) < uint64(len(w.x.partial.mem)) {
				of = w.x.partial
			}
			w.compute(of, *word(w.mem, x86.CtxYield))
			clock.host(w, of)
			continue
		case x86.StatusBarrier:
			w.drainRecords()
			w.reportDivergence()
		case x86.StatusDone, x86.StatusStopped, x86.StatusRounds, x86.StatusLeft:
		default:
			return fmt.Errorf("internal error: machine code of kernel %s returned status %d", w.x.c.f.Name, s)
		}
		break
	}
	w.drainRecords()
	if *word(w.mem, x86.CtxFaulted) != 0 {
		w.clearFaults()
	}
	return nil
}

// compute evaluates an operation lane by lane.
func (w *worker) compute(u *unit, op uint64) {
	defer fpenv.EnterKernel(w.x.c.f.Kernel.FlushSubnormals).Leave()
	o := &u.Ops[op]
	if o.Access != nil {
		w.callHost(u, o.Access.Value)
		return
	}
	var args [4]uint64
	out, size := w.mem[x86.CtxArgs+3*x86.CtxArgSize:], o.Kind.Num().Size()
	for lane := range u.Lanes {
		for i, k := range o.Args {
			args[i] = laneBits(w.mem[x86.CtxArgs+x86.CtxArgSize*i:], k, lane)
		}
		r, _ := ssa.EvalScalar(o.Each, o.Kind, o.Args[0], o.Aux, args[:len(o.Args)])
		numeric.Store(out[size*lane:], size, r)
	}
}

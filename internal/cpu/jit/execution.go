//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/codegen"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// An execution is a launch: what all its workers share.
type execution struct {
	c       *Code
	env     *exec.Env
	asked   *exec.NDRange // the host's range; env's has two dimensions exchanged where lanes lie along another than the first
	workers int
	w       uint64 // lanes
	stop    *atomic.Bool
	full    *unit
	partial *unit
	groups  [3]uint64
	nGroups uint64

	// Without work-groups: rows of dimension 0, cut into chunks.
	chunk, perRow, rows, rowsEach uint64
	groupsEach                    uint64
	batches                       int64

	objects   []entry
	locals    []localObject
	localSize uint64
	printer   *exec.Printer
	callsMu   sync.Mutex
	calls     map[*ssa.Value]any // by operation done in Go: what is known of it
	allocaAt  int
	first     atomic.Pointer[worker] // that of an earlier launch, for the one who comes first
	stride    uint64
	gangs     uint64 // of a full work-group
}

// An entry is a row of the object table as machine code sees it.
type entry struct{ base, size, lane, flags uint64 }

// A localObject is an object of local memory and where it lies in a worker's.
type localObject struct {
	number int
	at     uint64
}

// local returns where an object lies in local memory.
func (x *execution) local(number int) (at uint64, ok bool) {
	for _, l := range x.locals {
		if l.number == number {
			return l.at, true
		}
	}
	return 0, false
}

// prepare cuts the range and makes the object table. It says why where machine code is not
// made for the launch.
func (x *execution) prepare() (*exec.Fallback, error) {
	c, env := x.c, x.env
	rg := &env.Range
	x.full = c.full
	if c.prints && env.Printf != nil {
		x.printer = exec.NewPrinter(env.Printf)
	}
	x.stop = env.Stop
	if x.stop == nil {
		x.stop = new(atomic.Bool)
	}
	for d := range 3 {
		if rg.Offset[d]+rg.Global[d]+x.w >= 1<<31 {
			return &exec.Fallback{Reason: reasonRange}, nil
		}
	}
	if env.Limits.PrivateBytes != 0 {
		return &exec.Fallback{Reason: reasonLimit}, nil
	}
	if size := uint64(c.f.Kernel.SubGroupSize()); c.subGroups && rg.Local[1]*rg.Local[2] > 1 && (rg.Local[0]%size != 0 || rg.Global[0]%size != 0) {
		return &exec.Fallback{Reason: reasonSubGroups}, nil
	}
	x.groups = rg.Groups()
	x.nGroups = x.groups[0] * x.groups[1] * x.groups[2]
	x.stride = uint64(x.full.FrameSize)
	if c.needsPartial(rg) {
		u, err := c.partialUnit()
		if err != nil {
			return why(err), nil
		}
		if !fits(x.full.Code, u.Code) {
			return &exec.Fallback{Reason: reasonPartial}, nil
		}
		x.partial = u
		x.stride = max(x.stride, uint64(u.FrameSize))
	}
	for i, p := range c.f.Params {
		if p.Type.K.IsPtr() && (len(env.Params[i]) != 1 || env.Params[i][0]&ssa.OffsetMask != 0) {
			return &exec.Fallback{Reason: reasonPointer}, nil
		}
	}
	x.cut()
	if uint64(x.full.Private)*x.w*x.gangs*uint64(x.workers) > 1<<30 {
		return &exec.Fallback{Reason: reasonPrivate}, nil // the reference executor knows the limit
	}
	return x.table()
}

// fits reports whether the code for partial gangs counts on the same context, object
// table and private memory as that for whole ones. Versions of regions may keep private
// objects from getting rows in the latter.
func fits(full, partial *codegen.Code) bool {
	return partial.Stride == full.Stride && partial.Private == full.Private &&
		slices.Equal(partial.Offsets, full.Offsets) && slices.Equal(partial.Elems, full.Elems) && slices.Equal(partial.Roots, full.Roots) && slices.Equal(partial.Params, full.Params) &&
		slices.EqualFunc(partial.Sums, full.Sums, func(a, b codegen.Sum) bool {
			return a.Root == b.Root && a.Op == b.Op && a.Kind == b.Kind && a.At == b.At && slices.Equal(a.Others, b.Others)
		})
}

// What a batch is: enough work to be worth asking for, and no more than all workers can
// end with at about the same time.
const (
	batchTime         = 2000    // nanoseconds
	batchInstructions = 1 << 13 // the same, where the code has no loops and was not run yet
	mostBatches       = 2048    // that a worker takes at once
	cacheLine         = 64      // bytes
)

// batchItems returns how many of the total work-items should make up a batch.
func (x *execution) batchItems(total uint64) uint64 {
	if p := x.c.pace(); p > 0 {
		return uint64(min(batchTime/p, float64(total)))
	}
	if c := uint64(x.full.Cost); c > 0 {
		return batchInstructions / c * x.w
	}
	return total / uint64(16*x.workers)
}

// cut says what a batch is.
func (x *execution) cut() {
	rg := &x.env.Range
	if x.c.groups {
		row := (rg.Local[0] + x.w - 1) / x.w
		x.gangs = row * rg.Local[1] * rg.Local[2]
		items := rg.Local[0] * rg.Local[1] * rg.Local[2]
		x.groupsEach = max(1, x.batchItems(x.nGroups*items)/items)
		if x.printer != nil {
			x.groupsEach = min(x.groupsEach, max(1, 16384/items)) // text is kept until a batch ends
		}
		x.batches = int64((x.nGroups + x.groupsEach - 1) / x.groupsEach)
		return
	}
	x.gangs = 1
	x.rows = rg.Global[1] * rg.Global[2]
	want := max(x.batchItems(x.rows*rg.Global[0]), 1)
	if want = align(want, x.w); want > cacheLine {
		want = align(want, cacheLine) // two workers do not write to one line, be the elements bytes
	}
	x.chunk = min(want, (rg.Global[0]+x.w-1)/x.w*x.w)
	x.perRow = (rg.Global[0] + x.chunk - 1) / x.chunk
	x.rowsEach = 1
	if x.perRow == 1 {
		x.rowsEach = max(1, want/max(rg.Global[0], 1))
	}
	x.batches = int64((x.rows + x.rowsEach - 1) / x.rowsEach * x.perRow)
}

// pace is how many nanoseconds a worker needed for a work-item lately, 0 where that is not
// known.
func (c *Code) pace() float64 { return math.Float64frombits(c.paceBits.Load()) }

// items returns the work-items of all batches.
func (x *execution) items() float64 {
	rg := &x.env.Range
	return float64(rg.Global[0]) * float64(rg.Global[1]) * float64(rg.Global[2])
}

// Estimate is how long the launch would take one worker.
func (x *execution) Estimate() time.Duration {
	if p := x.c.pace(); p > 0 {
		return max(1, time.Duration(min(p*x.items(), math.MaxInt64/2)))
	}
	if x.full.Cost > 0 { // two instructions a nanosecond
		return 1 + time.Duration(float64(x.full.Cost)*x.items()/float64(2*x.w))
	}
	return 0
}

// Took learns the pace. It follows at once where a launch took longer than was expected, and
// slowly where it did not: work that is shared in vain costs less than work that is not.
func (x *execution) Took(batches int64, d time.Duration) {
	now := float64(d) / (x.items() * float64(batches) / float64(x.batches))
	if old := x.c.pace(); now < old {
		now = old - (old-now)/8
	}
	x.c.paceBits.Store(math.Float64bits(now))
}

// Most is one where batches deliver text.
func (x *execution) Most() int64 {
	if x.printer != nil {
		return 1
	}
	return mostBatches
}

// table makes the object table; addresses of local memory are the workers' business.
func (x *execution) table() (*exec.Fallback, error) {
	env := x.env
	limit := env.Limits.LocalBytes
	if limit == 0 {
		limit = 64 << 20
	}
	for i := range env.Objects {
		o := &env.Objects[i]
		e := entry{size: uint64(len(o.Data))}
		if len(o.Data) > 0 {
			e.base = uint64(address(o.Data))
		}
		if o.ReadOnly || o.Space == ssa.PtrConstant {
			e.flags = codegen.ObjReadOnly
		}
		if o.Space == ssa.PtrLocal {
			e.size = 0
			if i > len(env.Globals) || x.uses(uint32(i)) { // an argument, or a variable of this kernel
				e.size = uint64(o.Size)
				off := (x.localSize + 127) &^ 127
				x.locals = append(x.locals, localObject{i, off})
				x.localSize = off + e.size
				if x.localSize > uint64(limit) {
					return nil, &exec.LimitError{What: "local memory", Need: int64(x.localSize), Limit: limit}
				}
			}
		}
		if e.size >= codegen.MaxLarge || e.size >= codegen.MaxObject && !x.c.form.large {
			return &exec.Fallback{Reason: reasonObject}, nil
		}
		x.objects = append(x.objects, e)
	}
	x.allocaAt = len(x.objects)
	for i, a := range x.full.Allocas {
		e := entry{uint64(x.full.Offsets[i]), uint64(a.Sym.(*ssa.Alloca).Size), uint64(x.full.Stride), codegen.ObjPrivate}
		if n := x.full.Elems[i]; n > 0 {
			e.flags |= codegen.ObjRows | uint64(n-1)<<codegen.ObjElem
		}
		x.objects = append(x.objects, e)
	}
	return nil, nil
}

// uses reports whether the kernel has the variable with that object number.
func (x *execution) uses(number uint32) bool {
	for _, r := range x.full.Roots {
		if r.Global != nil && x.env.Globals[r.Global] == number {
			return true
		}
	}
	return false
}

func (x *execution) Batches() int64 { return x.batches }

// Races are not watched here.
func (x *execution) Raced() bool                         { return false }
func (x *execution) Watch(exec.RaceMode, exec.RaceMarks) {}
func (x *execution) Marks() exec.RaceMarks               { return nil }

// Unwatched is empty: races are not watched here.
func (x *execution) Unwatched() []string { return nil }

// A worker executes batches. It is used for one launch after the other, as long as they
// need the same memory.
type worker struct {
	x     *execution
	arena *arena
	parts [numParts]uint64 // sizes
	mem   []byte           // the context
	frame []byte           // the frames
	local []byte
	recOf []byte // the table of the records: see codegen.CtxRecordsOf
	recs  []byte // the records
	table []byte // the object table
	priv  []byte
	found findings
	objs  []entry
	text  printed
	err   error

	runtime map[*ssa.Value]*runtimeCall
	calls   image.Calls // of the gang that does one
}

// The parts of an arena.
const (
	partContext = iota
	partRecordsOf
	partRecords // behind their table
	partObjects
	partFrames
	partPrivate
	partLocal
	numParts
)

func align(n, a uint64) uint64 { return (n + a - 1) &^ (a - 1) }

// parts returns the sizes of the parts of a worker's arena.
func (x *execution) parts() [numParts]uint64 {
	ctx, accesses := x.full.CtxSize, 2*len(x.full.Accesses) // by number of access: see generate
	if x.partial != nil {
		ctx = max(ctx, x.partial.CtxSize)
		accesses = max(accesses, 2*len(x.partial.Accesses))
	}
	return [numParts]uint64{
		partContext:   uint64(ctx) + 64,
		partRecordsOf: uint64(accesses) * codegen.NumBad * 4,
		partRecords:   uint64(accesses) * codegen.NumBad * codegen.RecordSize,
		partObjects:   uint64(len(x.objects)) * codegen.ObjectEntry,
		partFrames:    x.stride * x.gangs,
		partPrivate:   uint64(x.full.Private) * x.w * x.gangs,
		partLocal:     align(x.localSize, 64) + 128,
	}
}

// exchange gives back a worker, if not nil, for one with such memory or with room for it, or
// a new one.
func (c *Code) exchange(old *worker, parts *[numParts]uint64, total uint64) *worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old != nil && len(c.free) < restingWorkers {
		c.free = append(c.free, old)
	}
	best := -1
	for i := len(c.free) - 1; i >= 0; i-- {
		w := c.free[i]
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
	w := c.free[best]
	c.free = slices.Delete(c.free, best, best+1)
	return w
}

// NewWorker makes a worker with its context.
func (x *execution) NewWorker() exec.BatchWorker {
	parts := x.parts()
	total := uint64(0)
	for _, n := range parts {
		total = align(total+n, 4096)
	}
	w := x.first.Swap(nil)
	if w == nil || w.parts != parts {
		w = x.c.exchange(w, &parts, total)
	}
	if w.arena == nil || uint64(len(w.arena.mem)) < total {
		if w.arena, w.err = newArena(int(total)); w.err != nil {
			return w
		}
	}
	w.x, w.found.x = x, x
	if w.parts != parts {
		w.divide(parts)
	}
	w.begin()
	return w
}

// divide lays out the arena.
func (w *worker) divide(parts [numParts]uint64) {
	off := uint64(0)
	var list [numParts][]byte
	for i, n := range parts {
		list[i] = w.arena.mem[off : off+n]
		off = align(off+n, 4096)
	}
	w.parts = parts
	w.mem, w.recOf, w.recs, w.table = list[partContext], list[partRecordsOf], list[partRecords], list[partObjects]
	w.frame, w.priv, w.local = list[partFrames], list[partPrivate], list[partLocal]
	clear(w.mem)
	clear(w.recOf)
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(codegen.CtxObjects, uint64(address(w.table)))
	put(codegen.CtxRecordsOf, uint64(address(w.recOf)))
	put(codegen.CtxRecords, uint64(address(w.recs)))
	put(codegen.CtxLocal, uint64(address(w.local)))
	put(codegen.CtxLocalWords, uint64(len(w.local)-128)/8)
	put(codegen.CtxUnaligned, uint64(uintptr(exec.Unaligned.Address())))
}

// begin readies the context for the launch: whatever an earlier one has set that this one
// may look at is set again.
func (w *worker) begin() {
	x := w.x
	put := func(off int, v uint64) { *word(w.mem, off) = v }
	put(codegen.CtxStopped, uint64(uintptr(unsafe.Pointer(x.stop))))
	put(codegen.CtxStrict, 0)
	if x.env.Faults == exec.Strict {
		put(codegen.CtxStrict, 1)
	}
	w.settle()
	put(codegen.CtxNumObjects, uint64(len(x.objects)))
	put(codegen.CtxStride, x.stride)
	w.objs = append(w.objs[:0], x.objects...)
	for _, l := range x.locals {
		w.objs[l.number].base = uint64(address(w.local)) + l.at
	}
	for i, e := range w.objs {
		row := w.table[i*codegen.ObjectEntry:]
		*word(row, codegen.ObjBase), *word(row, codegen.ObjLen) = e.base, e.size
		*word(row, codegen.ObjLane), *word(row, codegen.ObjFlags) = e.lane, e.flags
	}
	for i, r := range x.full.Roots {
		n := uint64(0)
		switch {
		case r.Param >= 0:
			n = x.env.Params[r.Param][0] >> ssa.ObjectShift
		case r.Global != nil:
			n = uint64(x.env.Globals[r.Global])
		default:
			n = uint64(x.allocaAt + r.Alloca)
		}
		var e entry
		if n < uint64(len(w.objs)) {
			e = w.objs[n]
		}
		at := codegen.CtxRoots + codegen.RootSize*i
		put(at, n<<ssa.ObjectShift)
		put(at+codegen.RootBase, e.base)
		put(at+codegen.RootLen, e.size)
		if e.flags&codegen.ObjReadOnly != 0 {
			e.size = 0
		}
		put(at+codegen.RootWrites, e.size)
	}
	for i, p := range x.full.Params {
		for c := range p[1] {
			put(p[0]+8*c, x.env.Params[i][c])
		}
	}
	for g := range x.gangs {
		*word(w.frame, int(g*x.stride)+codegen.FramePrivate) = uint64(address(w.priv)) + g*uint64(x.full.Private)*x.w
	}
	w.resetSums()
	w.queries()
}

// end lets go of the launch.
func (w *worker) end() {
	w.x, w.found.x, w.found.list, w.found.seq = nil, nil, nil, 0
	w.text = printed{}
}

// queries sets the answers that hold for the whole launch.
func (w *worker) queries() {
	rg := &w.x.env.Range
	clear(w.mem[codegen.CtxQueries:codegen.CtxGroups])
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
	*word(w.mem, codegen.CtxQueries+8*(3*int(q)+d)) = v
}

// Do executes batches.
func (w *worker) Do(from, to int64) error {
	if w.err != nil {
		return w.err
	}
	defer runtime.KeepAlive(w.x)
	var err error
	if w.x.c.groups {
		err = w.groups(uint64(from), uint64(to))
	} else {
		err = w.rows(uint64(from), uint64(to))
	}
	w.flushSums()
	if w.x.printer != nil {
		if perr := w.x.printer.Deliver(from, w.text.take()); err == nil { // to is from+1: see Most
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

// rows executes batches of rows or of parts of them.
func (w *worker) rows(from, to uint64) error {
	x := w.x
	if x.perRow == 1 {
		return w.parallel(from*x.rowsEach, min(to*x.rowsEach, x.rows), 0, x.env.Range.Global[0])
	}
	for b := from; b < to; {
		row, part := b/x.perRow, b%x.perRow
		n := min(to-b, x.perRow-part)
		if err := w.parallel(row, row+1, part*x.chunk, min((part+n)*x.chunk, x.env.Range.Global[0])); err != nil {
			return err
		}
		b += n
	}
	return nil
}

// parallel executes the work-items from first to before last of some rows.
func (w *worker) parallel(row, end, first, last uint64) error {
	x := w.x
	rg := &x.env.Range
	n := last - first
	for r := row; r < end && !x.stop.Load(); r++ {
		y, z := r%rg.Global[1], r/rg.Global[1]
		id := [3]uint64{rg.Offset[0] + first, rg.Offset[1] + y, rg.Offset[2] + z}
		if k := n / x.w; k > 0 {
			if err := w.wholeGangs(id, k); err != nil {
				return err
			}
		}
		for done := n - n%x.w; done < n; {
			lanes := uint64(x.partial.Lanes)
			id[0] = rg.Offset[0] + first + done
			w.setFrame(0, id, [3]uint64{}, min(lanes, n-done))
			*word(w.mem, codegen.CtxBehind) = id[0] + lanes
			if err := w.run(x.partial); err != nil {
				return err
			}
			done += lanes
		}
	}
	return nil
}

// wholeGangs executes n gangs side by side from a global id on.
func (w *worker) wholeGangs(id [3]uint64, n uint64) error {
	end := id[0] + n*w.x.w
	*word(w.mem, codegen.CtxBehind) = end
	for id[0] < end {
		w.setFrame(0, id, [3]uint64{}, w.x.w)
		if err := w.run(w.x.full); err != nil || *word(w.mem, codegen.CtxStatus) != codegen.StatusRounds {
			return err
		}
		id[0] = *word(w.frame, codegen.FrameGlobal) + w.x.w // behind the gang that was ended
	}
	return nil
}

func (w *worker) setFrame(at int, global, local [3]uint64, lanes uint64) {
	f := w.frame[at:]
	for d := range 3 {
		*word(f, codegen.FrameGlobal+8*d) = global[d]
		*word(f, codegen.FrameLocal+8*d) = local[d]
	}
	*word(f, codegen.FrameLanes) = lanes
}

// workGroups executes the work-group g, with a frame for each gang, and those behind it in
// dimension 0 that have its size, but most at most. It returns how many it was.
func (w *worker) workGroups(g, most uint64) (uint64, error) {
	x := w.x
	rg := &x.env.Range
	gid := [3]uint64{g % x.groups[0], g / x.groups[0] % x.groups[1], g / x.groups[0] / x.groups[1]}
	var size, base [3]uint64
	for d := range 3 {
		size[d] = min(rg.Local[d], rg.Global[d]-gid[d]*rg.Local[d])
		base[d] = rg.Offset[d] + gid[d]*rg.Local[d]
		if d < rg.Dims {
			w.query(ssa.GroupID, d, gid[d])
			w.query(ssa.LocalSize, d, size[d])
		}
	}
	most = max(1, min(most, rg.Global[0]/rg.Local[0]-min(gid[0], rg.Global[0]/rg.Local[0])))
	*word(w.mem, codegen.CtxGroups) = most
	*word(w.mem, codegen.CtxGroupSize) = size[0]
	clear(w.local)
	n := uint64(0)
	var first *unit
	together := false // the same code for all gangs
	if p := x.partial; p != nil && size[0]%x.w != 0 {
		together = p.Groups || x.full.Groups
	}
	for z := range size[2] {
		for y := range size[1] {
			for at := uint64(0); at < size[0]; at += x.w {
				f := int(n * x.stride)
				lanes := min(x.w, size[0]-at)
				w.setFrame(f, [3]uint64{base[0] + at, base[1] + y, base[2] + z}, [3]uint64{at, y, z}, lanes)
				u := x.full
				if lanes < x.w || together {
					u = x.partial
				}
				if n == 0 {
					first = u
				}
				at := uint64(address(u.mem)) + uint64(u.Start)
				*word(w.frame, f+codegen.FrameStart), *word(w.frame, f+codegen.FrameResume) = at, at
				n++
			}
		}
	}
	start := uint64(address(w.frame))
	*word(w.mem, codegen.CtxFirst) = start
	*word(w.mem, codegen.CtxEnd) = start + n*x.stride
	*word(w.mem, codegen.CtxLive) = n
	*word(w.mem, codegen.CtxArrived) = 0
	err := w.run(first)
	left := *word(w.mem, codegen.CtxGroups)
	return most - left + min(left, 1), err // one whose gangs wait at different barriers ends there
}

// run runs machine code until it is done, and computes what it asks for.
func (w *worker) run(u *unit) error {
	*word(w.mem, codegen.CtxResume) = uint64(address(u.mem)) + uint64(u.Start)
	*word(w.mem, codegen.CtxFrame) = uint64(address(w.frame))
	ctx, env := unsafe.Pointer(&w.mem[0]), uint32(fpenv.Standard)
	if w.x.c.f.Kernel.FlushSubnormals {
		env = fpenv.Flushing
	}
	for {
		enter(ctx, unsafe.Pointer(&u.mem[0]), env)
		switch s := *word(w.mem, codegen.CtxStatus); s {
		case codegen.StatusYield:
			at, of := *word(w.mem, codegen.CtxResume), w.x.full
			if w.x.partial != nil && at-uint64(address(w.x.partial.mem)) < uint64(len(w.x.partial.mem)) {
				of = w.x.partial
			}
			w.compute(of, *word(w.mem, codegen.CtxYield))
			continue
		case codegen.StatusBarrier:
			w.found.drain(w)
			w.diverged()
		case codegen.StatusDone, codegen.StatusStopped, codegen.StatusRounds:
		default:
			return fmt.Errorf("internal error: machine code of kernel %s returned status %d", w.x.c.f.Name, s)
		}
		break
	}
	w.found.drain(w)
	if *word(w.mem, codegen.CtxFaulted) != 0 {
		w.settle()
	}
	return nil
}

// compute does an operation lane by lane.
func (w *worker) compute(u *unit, op uint64) {
	defer fpenv.EnterKernel(w.x.c.f.Kernel.FlushSubnormals).Leave()
	v := u.Ops[op]
	if v.Op == ssa.OpRuntime || codegen.InGo(v) {
		w.outside(u, v)
		return
	}
	var args [4]uint64
	get := func(i, lane int, k ssa.Kind) uint64 {
		b := w.mem[codegen.CtxArgs+codegen.CtxArgSize*i:]
		switch k.Num().Size() {
		case 1:
			if k == ssa.Bool {
				return *word(w.mem, codegen.CtxArgs+codegen.CtxArgSize*i) >> lane & 1
			}
			return uint64(b[lane])
		case 2:
			return uint64(binary.LittleEndian.Uint16(b[2*lane:]))
		case 4:
			return uint64(binary.LittleEndian.Uint32(b[4*lane:]))
		}
		return binary.LittleEndian.Uint64(b[8*lane:])
	}
	out := w.mem[codegen.CtxArgs+3*codegen.CtxArgSize:]
	for lane := range u.Lanes {
		for i, a := range v.Args {
			args[i] = get(i, lane, a.Type.K)
		}
		r, _ := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)])
		switch v.Type.K.Num().Size() {
		case 1:
			out[lane] = byte(r)
		case 2:
			binary.LittleEndian.PutUint16(out[2*lane:], uint16(r))
		case 4:
			binary.LittleEndian.PutUint32(out[4*lane:], uint32(r))
		default:
			binary.LittleEndian.PutUint64(out[8*lane:], r)
		}
	}
}

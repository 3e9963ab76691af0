package jit

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An execution is a launch: the state that all its workers share.
type execution struct {
	c       *Code
	v       *variant
	env     *exec.Env
	asked   *exec.NDRange // the host's range; env's may have dimensions exchanged
	workers int
	w       uint64 // lanes
	stop    *atomic.Bool
	full    *unit
	partial *unit     // nil: all gangs are whole
	coarse  *unit     // for gangs of several rows, or nil
	kept    []*worker // by number: workers of earlier launches, which have no reference to these
	stride  uint64    // bytes of a gang's frame
	division
	objectTable
	printing
	copying
}

// A division of a launch's range into batches.
type division struct {
	batches int64
	gangs   uint64 // of a full work-group

	groups     [3]uint64
	whole      [2]uint64 // those of full size, in dimensions 0 and 1
	nGroups    uint64
	groupsEach uint64 // of a batch

	// Without work-groups: rows of dimension 0, divided into chunks.
	chunk, perRow, rows, rowsEach uint64
}

// An objectTable has the memory objects of a launch in machine code's layout.
type objectTable struct {
	objects   []entry
	locals    []localObject
	localSize uint64
	filled    bool // the work-groups need no clear local memory
	allocaAt  int  // number of the first private object
}

// printing has the text that a launch writes.
type printing struct {
	printer *exec.Printer
	printfs exec.Calls[*exec.PrintfCall]
}

// An entry is a row of the object table in machine code's layout.
type entry struct{ base, size, lane, flags uint64 }

// A localObject is an object of local memory with its offset in a worker's local memory.
type localObject struct {
	number int
	at     uint64
}

// local returns the offset of an object in the worker's local memory.
func (x *objectTable) local(number int) (at uint64, ok bool) {
	for _, l := range x.locals {
		if l.number == number {
			return l.at, true
		}
	}
	return 0, false
}

// prepare divides the range and builds the object table. It returns the reason if machine code cannot run the
// launch.
func (x *execution) prepare() (*exec.Fallback, error) {
	c, env := x.c, x.env
	rg := &env.Range
	x.full = x.v.unit
	if c.Prints && env.Printf != nil {
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
	if size := uint64(c.f.Kernel.SubGroupSize()); c.SubGroups && rg.Local[1]*rg.Local[2] > 1 && (rg.Local[0]%size != 0 || rg.Global[0]%size != 0) {
		return &exec.Fallback{Reason: reasonSubGroups}, nil
	}
	x.groups = rg.Groups()
	x.whole = [2]uint64{rg.Global[0] / rg.Local[0], rg.Global[1] / rg.Local[1]}
	x.nGroups = x.groups[0] * x.groups[1] * x.groups[2]
	x.stride = uint64(x.full.FrameSize)
	x.coarse = x.v.coarseFor(env)
	if x.v.needsPartial(rg, x.v.lanes) || x.coarse != nil && x.v.leavesInside(x.coarse) {
		p := x.v.forPartial()
		if p.err != nil {
			return why(p.err), nil
		}
		u := p.unit
		if !sameLayout(x.full.Code, u.Code) {
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
	if x.coarse != nil {
		x.stride = max(x.stride, uint64(x.coarse.FrameSize))
	}
	x.cut()
	if uint64(x.full.Private)*x.w*x.gangs*uint64(x.workers) > 1<<30 {
		return &exec.Fallback{Reason: reasonPrivate}, nil // the reference executor checks the limit
	}
	return x.table()
}

// sameLayout reports whether the code for partial gangs has the same layout of context, object table and
// private memory as the code for whole gangs. Loop versions in the latter may keep private objects in
// registers, without a row in the table.
func sameLayout(full, partial *x86.Code) bool {
	return partial.Stride == full.Stride && partial.Private == full.Private &&
		slices.Equal(partial.Privates, full.Privates) && slices.EqualFunc(partial.Roots, full.Roots, sameObject) && slices.Equal(partial.Params, full.Params) &&
		slices.EqualFunc(partial.Sums, full.Sums, func(a, b x86.Sum) bool {
			return a.Root == b.Root && a.RMW == b.RMW && a.Kind == b.Kind && a.At == b.At && slices.Equal(a.Others, b.Others)
		})
}

// sameObject reports whether roots are of the same object. Gangs of several rows may write an object that the code for one row
// also reads.
func sameObject(a, b gang.Root) bool {
	a.WriteOnly = b.WriteOnly
	return a == b
}

// The size of a batch: large enough to be worth a claim, small enough for all workers to end at about the same
// time.
const (
	batchTime         = 2000    // nanoseconds
	leastBatchTime    = 400     // nanoseconds, in launches that are short for several workers
	batchesEach       = 4       // batches for each worker, in these launches
	batchInstructions = 1 << 13 // the same in instructions, for code without loops before its first launch
	mostBatches       = 2048    // most batches of one claim
	cacheLine         = 64      // bytes
)

// batchItems returns the number of work-items of a batch; total is the launch's.
func (x *execution) batchItems(total uint64) uint64 {
	if p := x.v.pace(); p > 0 {
		ns := float64(batchTime)
		if x.workers > 1 {
			ns = max(leastBatchTime, min(ns, p*float64(total)/float64(batchesEach*x.workers)))
		}
		return uint64(min(ns/p, float64(total)))
	}
	if c := uint64(x.full.Cost); c > 0 {
		return batchInstructions / c * x.w
	}
	return total / uint64(16*x.workers)
}

// cut sets the size of a batch.
func (x *execution) cut() {
	rg := &x.env.Range
	if x.v.grouped() {
		row := (rg.Local[0] + x.w - 1) / x.w
		x.gangs = row * rg.Local[1] * rg.Local[2]
		items := rg.Local[0] * rg.Local[1] * rg.Local[2]
		x.groupsEach = max(1, x.batchItems(x.nGroups*items)/items)
		if x.printer != nil {
			x.groupsEach = min(x.groupsEach, max(1, 16384/items)) // text is buffered until a batch ends
		}
		x.batches = int64((x.nGroups + x.groupsEach - 1) / x.groupsEach)
		return
	}
	x.gangs = 1
	x.rows = rg.Global[1] * rg.Global[2]
	want := max(x.batchItems(x.rows*rg.Global[0]), 1)
	rows, lanes := uint64(1), x.w
	if x.coarse != nil {
		rows, lanes = uint64(x.coarse.RowsAtOnce), max(x.w, uint64(x.coarse.Lanes))
	}
	want = align(want, x.w)
	chunk := align((want+rows-1)/rows, lanes)
	if chunk > cacheLine {
		chunk = align(chunk, cacheLine) // two workers do not write to one line, be the elements bytes
	}
	x.chunk = min(chunk, (rg.Global[0]+x.w-1)/x.w*x.w)
	x.perRow = (rg.Global[0] + x.chunk - 1) / x.chunk
	x.rowsEach = rows
	if x.perRow == 1 {
		x.rowsEach = (max(1, want/max(rg.Global[0], 1)) + rows - 1) / rows * rows
	}
	x.batches = int64((x.rows + x.rowsEach - 1) / x.rowsEach * x.perRow)
}

// pace returns the recent nanoseconds per work-item of one worker, 0 if unknown.
func (v *variant) pace() float64 { return math.Float64frombits(v.paceBits.Load()) }

// recent is the nanoseconds per work-item of the last two launches, each 32 bits of a float. The less of the two counts,
// because a launch may have waited for the system.
type recent struct{ bits atomic.Uint64 }

// add adds a launch.
func (r *recent) add(ns float64) {
	r.bits.Store(r.bits.Load()<<32 | uint64(math.Float32bits(float32(ns))))
}

// least returns the less of the two, 0 if there have not been two.
func (r *recent) least() float32 {
	x := r.bits.Load()
	return min(math.Float32frombits(uint32(x)), math.Float32frombits(uint32(x>>32)))
}

// items returns the work-items of all batches.
func (x *execution) items() float64 {
	rg := &x.env.Range
	return float64(rg.Global[0]) * float64(rg.Global[1]) * float64(rg.Global[2])
}

// Estimate returns the expected time of the launch on one worker, 0 if unknown.
func (x *execution) Estimate() time.Duration {
	if p := x.v.pace(); p > 0 {
		return max(1, time.Duration(min(p*x.items(), math.MaxInt64/2)))
	}
	if x.full.Cost > 0 { // assumes two instructions a nanosecond
		return 1 + time.Duration(float64(x.full.Cost)*x.items()/float64(2*x.w))
	}
	return 0
}

// Took updates the pace: at once if the launch was slower than expected, gradually if it was faster. Sharing
// too much work costs less than sharing too little.
func (x *execution) Took(batches int64, d time.Duration) {
	now := float64(d) / (x.items() * float64(batches) / float64(x.batches))
	x.v.recent.add(now)
	if old := x.v.pace(); now < old {
		now = old - (old-now)/8
	}
	x.v.paceBits.Store(math.Float64bits(now))
}

// Most bounds the batches of one claim. It is 1 if batches print text.
func (x *execution) Most() int64 {
	if x.printer != nil {
		return 1
	}
	return mostBatches
}

// table builds the object table. Workers fill in the addresses of local memory.
func (x *execution) table() (*exec.Fallback, error) {
	env := x.env
	limit := env.Limits.WithDefaults().LocalBytes
	for i := range env.Objects {
		o := &env.Objects[i]
		e := entry{size: uint64(len(o.Data))}
		if len(o.Data) > 0 {
			e.base = uint64(address(o.Data))
		}
		if o.ReadOnly || o.Space == ssa.PtrConstant {
			e.flags = x86.ObjReadOnly
		}
		if o.Space == ssa.PtrLocal {
			e.size = 0
			if i > len(env.Globals) || x.uses(uint32(i)) { // an argument, or a variable that this kernel uses
				e.size = uint64(o.Size)
				off := (x.localSize + 127) &^ 127
				x.locals = append(x.locals, localObject{i, off})
				x.localSize = off + e.size
				if x.localSize > uint64(limit) {
					return nil, &exec.LimitError{What: "local memory", Need: int64(x.localSize), Limit: limit}
				}
			}
		}
		if e.size >= x86.MaxLarge || e.size >= x86.MaxObject && !x.v.key.large {
			return &exec.Fallback{Reason: reasonObject}, nil
		}
		x.objects = append(x.objects, e)
	}
	x.allocaAt = len(x.objects)
	for _, p := range x.full.Privates {
		r := &x.full.Roots[p.Root]
		e := entry{uint64(p.Offset), uint64(r.Size), uint64(x.full.Stride), x86.ObjPrivate}
		if r.Elem > 0 {
			e.flags |= x86.ObjRows | uint64(r.Elem-1)<<x86.ObjElem
		}
		x.objects = append(x.objects, e)
	}
	x.findCopies()
	x.findTiles()
	return nil, nil
}

// uses reports whether the kernel uses the variable with that object number.
func (x *execution) uses(number uint32) bool {
	for k := range x.full.Roots {
		if r := &x.full.Roots[k]; r.Kind == gang.RootGlobal && x.env.Globals[r.Var] == number {
			return true
		}
	}
	return false
}

func (x *execution) Batches() int64 { return x.batches }

// Machine code does not detect races.
func (x *execution) Raced() bool                         { return false }
func (x *execution) Watch(exec.RaceMode, exec.RaceMarks) {}
func (x *execution) Marks() exec.RaceMarks               { return nil }

// Unwatched is empty: machine code does not detect races.
func (x *execution) Unwatched() []string { return nil }

// execution returns an execution from the pool, or a new one.
func (v *variant) execution() *execution {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := len(v.ended)
	if n == 0 {
		return &execution{kept: make([]*worker, mostKept)}
	}
	x := v.ended[n-1]
	v.ended = v.ended[:n-1]
	return x
}

// Limits of a variant's pools of free workers and of executions. An execution keeps up to mostKept workers.
var (
	maxPooled = max(16, 2*runtime.NumCPU())
	maxEnded  = 4
	mostKept  = 1 + runtime.NumCPU()
)

// End returns the execution with the workers that it keeps, and others, to their pools.
func (x *execution) End(workers []exec.BatchWorker) {
	v := x.v
	for _, b := range workers {
		b.(*worker).end()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, b := range workers {
		switch w := b.(*worker); {
		case !w.kept:
			v.release(w)
		case w.err != nil:
			x.kept[slices.Index(x.kept, w)] = nil
		}
	}
	if len(v.ended) >= maxEnded {
		for _, w := range x.kept {
			if w != nil {
				v.release(w)
			}
		}
		return
	}
	*x = execution{objectTable: objectTable{objects: x.objects[:0], locals: x.locals[:0]}, copying: copying{copied: x.copied[:0]}, kept: x.kept}
	v.ended = append(v.ended, x)
}

// release adds a worker to the pool, if there is room. The caller holds v.mu.
func (v *variant) release(w *worker) {
	if w.err == nil && len(v.free) < maxPooled {
		w.x, w.kept = nil, false
		v.free = append(v.free, w)
	}
}

package gangexec

import (
	"errors"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A worker executes batches. It is the [gang.Host] of the functions that it runs.
type worker struct {
	x       *execution
	ctx     gang.Context
	full    runner
	partial runner
	coarse  runner
	runner  // the running unit's runner
	local   []byte
	private []byte // of all gangs and lanes, one after the other
	log     exec.FindingLog[exec.AccessKey]
	text    exec.Printed
	err     error

	gang   int         // number of the current gang in the work-group
	gangs  []gangState // of the work-group
	global uint64      // id in dimension 0 of lane 0 of the current gang
	lost   []bool      // lanes of the current gang that a violation has stopped
	any    bool        // some lane of some gang has stopped
	rounds int         // polls left before the gang is ended, if a lane has stopped
}

// A runner is a worker's state for one unit.
type runner struct {
	u     *unit
	run   Runner
	roots []gang.Memory
}

// A gangState is a gang of the work-group.
type gangState struct {
	global, local [3]uint64 // ids of lane 0
	active        int
	lost          []bool
	waiters       map[*unit]Waiter // by unit with barriers
	on            Waiter           // the running one; nil: the gang has ended
}

// lostRounds is the number of polls of a gang after one of its work-items has stopped. The work-item continues
// beside the others without effects, and might never leave a loop.
const lostRounds = 1 << 16

// NewWorker makes a worker and its memory.
func (x *execution) NewWorker(int) exec.BatchWorker {
	w := &worker{x: x, local: make([]byte, x.local), gangs: make([]gangState, x.gangs())}
	private := uint64(0)
	for _, u := range []*unit{x.full, x.partial, x.coarse} {
		if u != nil {
			private = max(private, u.private)
		}
	}
	w.private = make([]byte, private*x.w*x.gangs())
	for k := range w.gangs {
		w.gangs[k].lost = make([]bool, x.w)
	}
	w.lost = w.gangs[0].lost
	w.full, w.partial, w.coarse = w.newRunner(x.full), w.newRunner(x.partial), w.newRunner(x.coarse)
	c := &w.ctx
	c.Host, c.Params, c.Flush = w, x.env.Params, x.c.f.Kernel.FlushSubnormals
	w.queries()
	return w
}

// newRunner makes the worker's state for unit u.
func (w *worker) newRunner(u *unit) (r runner) {
	if u == nil || w.err != nil {
		return r
	}
	r.u = u
	r.run, w.err = u.program.NewRunner()
	x := w.x
	private := len(x.objects)
	for _, t := range u.f.Roots {
		n := 0
		switch t.Kind {
		case gang.RootParam:
			n = int(x.env.Params[t.Param][0] >> ssa.ObjectShift)
		case gang.RootGlobal:
			n = int(x.env.Globals[t.Var])
		case gang.RootPrivate:
			r.roots = append(r.roots, gang.Memory{Pointer: uint64(private) << ssa.ObjectShift, Size: uint64(t.Size), Writable: true})
			private++
			continue
		}
		m := gang.Memory{Pointer: uint64(n) << ssa.ObjectShift}
		if n < len(x.objects) {
			o := &x.objects[n]
			m.Writable = !o.readOnly
			if m.Data, m.Size = o.data, o.size; o.local {
				m.Data = w.local[o.at:][:o.size]
			}
		}
		r.roots = append(r.roots, m)
	}
	return r
}

// queries sets the work-item queries that are constant in a launch.
func (w *worker) queries() {
	rg := &w.x.env.Range
	for d := range 3 {
		set := func(q ssa.WorkItemQuery, v, rest uint64) {
			if d >= rg.Dims {
				v = rest
			}
			w.ctx.Queries[q][d] = v
		}
		w.ctx.Queries[ssa.WorkDim][d] = uint64(rg.Dims)
		set(ssa.GlobalSize, rg.Global[d], 1)
		set(ssa.LocalSize, rg.Local[d], 1)
		set(ssa.EnqueuedLocalSize, rg.Local[d], 1)
		set(ssa.NumGroups, w.x.groups[d], 1)
		set(ssa.GlobalOffset, rg.Offset[d], 0)
	}
}

// Do executes batches.
func (w *worker) Do(from, to int64) error {
	if w.err != nil {
		return w.err
	}
	defer fpenv.EnterKernel(w.x.c.f.Kernel.FlushSubnormals).Leave()
	for b := uint64(from); b < uint64(to) && !w.x.stop.Load(); b++ {
		do := w.chunk
		if w.x.c.Groups {
			do = w.group
		}
		if err := do(b); err != nil {
			return err
		}
	}
	if w.x.printer != nil {
		return w.x.printer.Deliver(from, w.text.Drain()) // to is from+1: see Most
	}
	return nil
}

// chunk executes a chunk of a row of dimension 0, or of several rows.
func (w *worker) chunk(b uint64) error {
	x := w.x
	rg := &x.env.Range
	row, first := b/x.perRow, b%x.perRow*x.chunk
	steps := (rg.Global[1] + x.rows - 1) / x.rows
	y := row % steps * x.rows
	id := [3]uint64{rg.Offset[0] + first, rg.Offset[1] + y, rg.Offset[2] + row/steps}
	n, rows := min(x.chunk, rg.Global[0]-first), min(x.rows, rg.Global[1]-y)
	if x.coarse != nil && rows == x.rows {
		whole := n &^ (x.w - 1)
		if err := w.severalRows(id, whole); err != nil {
			return err
		}
		id[0], n = id[0]+whole, n-whole
	}
	return w.eachRow(id, rows, n)
}

// eachRow executes n work-items of each of some rows.
func (w *worker) eachRow(id [3]uint64, rows, n uint64) error {
	for range rows {
		if err := w.row(id, [3]uint64{}, n); err != nil {
			return err
		}
		id[1]++
	}
	return nil
}

// severalRows executes n work-items of each row of a chunk by gangs of several rows. Gangs that leave are executed row
// by row: work that is done twice gives the same results.
func (w *worker) severalRows(id [3]uint64, n uint64) error {
	c, end := &w.ctx, id[0]+n
	for id[0] < end {
		w.runner = w.coarse
		w.setPrivates()
		c.Global, c.Local, c.IDEnd, c.Active = id, [3]uint64{}, end, int(w.x.w)
		err := w.run.Run(c)
		if !errors.Is(err, gang.ErrLeave) {
			return err
		}
		id[0] = w.global
		if err := w.eachRow(id, w.x.rows, w.x.w); err != nil {
			return err
		}
		id[0] += w.x.w
	}
	return nil
}

// group executes a work-group.
func (w *worker) group(g uint64) error {
	x := w.x
	rg := &x.env.Range
	id, base, size := rg.Group(x.groups, g)
	for d := range rg.Dims {
		w.ctx.Queries[ssa.GroupID][d] = id[d]
		w.ctx.Queries[ssa.LocalSize][d] = size[d]
	}
	if !x.full.f.Fills {
		clear(w.local)
	}
	asGroup := x.full.f.Groups || x.full.f.Waits
	n := 0
	for z := range size[2] {
		for y := range size[1] {
			if !asGroup {
				if err := w.row([3]uint64{base[0], base[1] + y, base[2] + z}, [3]uint64{0, y, z}, size[0]); err != nil {
					return err
				}
				continue
			}
			for at := uint64(0); at < size[0]; at += x.w {
				s := &w.gangs[n]
				s.global, s.local = [3]uint64{base[0] + at, base[1] + y, base[2] + z}, [3]uint64{at, y, z}
				s.active = int(min(x.w, size[0]-at))
				n++
			}
		}
	}
	if !asGroup {
		return nil
	}
	return w.allGangs(n, size[0]%x.w == 0)
}

// allGangs executes the first n gangs of a work-group. The function visits all gangs itself, or the gangs take
// turns from barrier to barrier.
func (w *worker) allGangs(n int, whole bool) error {
	all := w.gangs
	w.gangs = all[:n]
	defer func() { w.gangs = all }()
	w.clearLost()
	w.runner = w.full
	if !whole {
		w.runner = w.partial
	}
	w.enter(0)
	if w.u.f.Groups {
		return w.run.Run(&w.ctx)
	}
	for k := range w.gangs {
		w.enter(k)
		if err := w.gangs[k].begin(w.u, &w.ctx); err != nil {
			return err
		}
	}
	for {
		var at *gang.Inst
		for k := range w.gangs {
			s := &w.gangs[k]
			if s.on == nil {
				continue
			}
			w.enter(k)
			barrier, err := s.on.Resume()
			switch {
			case err != nil:
				return err
			case barrier == nil:
				s.on = nil
			case at != nil && at.Access != barrier.Access:
				w.divergence(at, k)
				return nil
			default:
				at = barrier
			}
		}
		if at == nil || w.x.stop.Load() {
			return nil
		}
	}
}

// begin starts the gang that the context describes.
func (s *gangState) begin(u *unit, c *gang.Context) error {
	if s.on = s.waiters[u]; s.on == nil {
		r, err := u.program.NewRunner()
		if err != nil {
			return err
		}
		if s.waiters == nil {
			s.waiters = map[*unit]Waiter{}
		}
		s.on = r.(Waiter)
		s.waiters[u] = s.on
	}
	s.on.Begin(c)
	return nil
}

// divergence reports that gang k waits at another barrier than the gangs before it.
func (w *worker) divergence(at *gang.Inst, k int) {
	arrived, waiting, returned, first := 0, 0, 0, -1
	for i := range w.gangs {
		s := &w.gangs[i]
		switch {
		case s.on == nil:
			returned += s.active
		case i < k:
			if arrived += s.active; first < 0 {
				first = i
			}
		default:
			waiting += s.active
		}
	}
	f := exec.Finding{Kind: exec.BarrierDivergence, Note: exec.BarrierNote(arrived, arrived+waiting+returned, waiting, returned)}
	w.report(w.u.f.Accesses[at.Access].Value, f, w.gangs[first].global)
}

// enter makes gang number k the current one.
func (w *worker) enter(k int) {
	s, c := &w.gangs[k], &w.ctx
	w.gang, w.global, w.lost = k, s.global[0], s.lost
	c.Global, c.Local, c.Active = s.global, s.local, s.active
	w.setPrivates()
}

// setPrivates updates the context's roots for the running unit and the current gang's private objects.
func (w *worker) setPrivates() {
	w.ctx.Roots = w.roots
	private := 0
	for k, r := range w.u.f.Roots {
		if r.Kind == gang.RootPrivate {
			w.roots[k].Data = w.copies(&w.u.privates[private])
			private++
		}
	}
}

// Next makes the next gang current; see [gang.Host].
func (w *worker) Next() bool {
	k := (w.gang + 1) % len(w.gangs)
	w.enter(k)
	return k > 0
}

// row executes a row of n work-items in dimension 0.
func (w *worker) row(global, local [3]uint64, n uint64) error {
	whole := n &^ (w.x.w - 1)
	if err := w.side(w.full, global, local, whole, int(w.x.w)); err != nil || whole == n {
		return err
	}
	global[0], local[0] = global[0]+whole, local[0]+whole
	return w.side(w.partial, global, local, n-whole, int(n-whole))
}

// side runs a function for n work-items. If a gang was ended because a stopped lane did not leave a loop, the
// function starts again at the next gang.
func (w *worker) side(r runner, global, local [3]uint64, n uint64, active int) error {
	c := &w.ctx
	w.runner = r
	end := global[0] + n
	for global[0] < end {
		w.setPrivates()
		c.Global, c.Local, c.IDEnd, c.Active = global, local, end, active
		if err := r.run.Run(c); err != nil {
			return err
		}
		if !w.any || w.rounds > 0 {
			return nil
		}
		next := w.global + w.x.w
		local[0] += next - global[0]
		global[0] = next
		w.Begin(next)
	}
	return nil
}

// Begin records the running gang.
func (w *worker) Begin(global uint64) {
	w.global = global
	if w.any {
		w.clearLost()
	}
}

// clearLost clears the set of stopped lanes.
func (w *worker) clearLost() {
	for k := range w.gangs {
		clear(w.gangs[k].lost)
	}
	w.any = false
}

// Poll reports whether the launch, and the current gang, may continue.
func (w *worker) Poll() bool {
	if w.any {
		if w.rounds--; w.rounds <= 0 {
			return false
		}
	}
	return !w.x.stop.Load()
}

// Watched returns a variable that is true if Poll must be called.
func (w *worker) Watched() *atomic.Bool {
	if w.any {
		return &always
	}
	return w.x.stop
}

// always is constantly true.
var always atomic.Bool

func init() { always.Store(true) }

// fault reports a violation of a lane, an access of v to size bytes at p. In strict launches it stops the
// work-item.
func (w *worker) fault(v *ssa.Value, size uint64, lane int, p uint64) {
	if w.stops(lane) {
		w.violation(v, size, p, w.item(lane))
	}
}

// stops records, in strict launches, that a work-item stops. It returns false if it had stopped before, so that
// nothing more is reported.
func (w *worker) stops(lane int) bool {
	if w.x.env.Faults == exec.Strict {
		if w.lost[lane] {
			return false
		}
		w.lost[lane], w.any, w.rounds = true, true, lostRounds
	}
	return true
}

// item returns the global id of a lane of the current gang.
func (w *worker) item(lane int) [3]uint64 {
	id := w.ctx.Global
	id[0] = w.global + uint64(lane)
	return id
}

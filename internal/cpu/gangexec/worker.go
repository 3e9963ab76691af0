package gangexec

import (
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
	full    Runner
	partial Runner
	local   []byte
	private []byte // of all lanes, one after the other
	log     exec.FindingLog[findingKey]
	err     error

	global uint64 // id in dimension 0 of lane 0 of the gang that runs
	lost   []bool // lanes that a violation has stopped
	rounds int    // that the gang may still take, where some are
	any    bool   // a lane is lost
}

// lostRounds is how many rounds of loops a gang may take after one of its work-items has stopped:
// that work-item goes on beside the others, without effects that count, and might never leave a
// loop.
const lostRounds = 1 << 16

// NewWorker makes a worker with its memory.
func (x *execution) NewWorker() exec.BatchWorker {
	w := &worker{x: x, local: make([]byte, x.local), private: make([]byte, x.private*x.w), lost: make([]bool, x.w)}
	w.full, w.err = x.c.full.NewRunner()
	if x.partial != nil && w.err == nil {
		w.partial, w.err = x.partial.NewRunner()
	}
	c := &w.ctx
	c.Host, c.Params, c.Flush = w, x.env.Params, x.c.f.Kernel.FlushSubnormals
	private := x.first
	for _, r := range x.c.fullFunc.Roots {
		n := 0
		switch r.Kind {
		case gang.RootParam:
			n = int(x.env.Params[r.Param][0] >> ssa.ObjectShift)
		case gang.RootGlobal:
			n = int(x.env.Globals[r.Var])
		case gang.RootPrivate:
			n = private
			private++
		}
		m := gang.Memory{Pointer: uint64(n) << ssa.ObjectShift}
		if n < len(x.objects) {
			o := &x.objects[n]
			m.Writable = !o.readOnly
			if m.Data = o.data; o.local {
				m.Data = w.local[o.at:][:o.size]
			}
		}
		c.Roots = append(c.Roots, m)
	}
	w.queries()
	return w
}

// queries sets the answers that hold for the whole launch.
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
		if w.x.c.groups {
			do = w.group
		}
		if err := do(b); err != nil {
			return err
		}
	}
	return nil
}

// chunk executes a part of a row of dimension 0.
func (w *worker) chunk(b uint64) error {
	x := w.x
	rg := &x.env.Range
	row, first := b/x.perRow, b%x.perRow*x.chunk
	id := [3]uint64{rg.Offset[0] + first, rg.Offset[1] + row%rg.Global[1], rg.Offset[2] + row/rg.Global[1]}
	return w.row(id, [3]uint64{}, min(x.chunk, rg.Global[0]-first))
}

// group executes a work-group.
func (w *worker) group(g uint64) error {
	x := w.x
	rg := &x.env.Range
	id := [3]uint64{g % x.groups[0], g / x.groups[0] % x.groups[1], g / x.groups[0] / x.groups[1]}
	var size, base [3]uint64
	for d := range 3 {
		size[d] = min(rg.Local[d], rg.Global[d]-id[d]*rg.Local[d])
		base[d] = rg.Offset[d] + id[d]*rg.Local[d]
		if d < rg.Dims {
			w.ctx.Queries[ssa.GroupID][d] = id[d]
			w.ctx.Queries[ssa.LocalSize][d] = size[d]
		}
	}
	clear(w.local)
	for z := range size[2] {
		for y := range size[1] {
			if err := w.row([3]uint64{base[0], base[1] + y, base[2] + z}, [3]uint64{0, y, z}, size[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// row executes n work-items side by side in dimension 0.
func (w *worker) row(global, local [3]uint64, n uint64) error {
	whole := n &^ (w.x.w - 1)
	if err := w.run(w.full, global, local, whole, int(w.x.w)); err != nil || whole == n {
		return err
	}
	global[0], local[0] = global[0]+whole, local[0]+whole
	return w.run(w.partial, global, local, n-whole, int(n-whole))
}

// run runs a function for n work-items. Where a gang was ended because a lost lane did not leave
// a loop, the next one begins anew.
func (w *worker) run(r Runner, global, local [3]uint64, n uint64, active int) error {
	c := &w.ctx
	end := global[0] + n
	for global[0] < end {
		c.Global, c.Local, c.Behind, c.Active = global, local, end, active
		if err := r.Run(c); err != nil {
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

// Begin notes which gang runs.
func (w *worker) Begin(global uint64) {
	w.global = global
	if w.any {
		clear(w.lost)
		w.any = false
	}
}

// Poll reports whether the launch goes on, and the gang.
func (w *worker) Poll() bool {
	if w.any {
		if w.rounds--; w.rounds <= 0 {
			return false
		}
	}
	return !w.x.stop.Load()
}

// Watched returns what is true where Poll has something to say.
func (w *worker) Watched() *atomic.Bool {
	if w.any {
		return &always
	}
	return w.x.stop
}

// always is true.
var always atomic.Bool

func init() { always.Store(true) }

// fault reports a violation of a lane and stops its work-item if violations do.
func (w *worker) fault(r *gang.Request, lane int, p uint64) {
	if w.x.env.Faults == exec.Strict {
		if w.lost[lane] {
			return
		}
		w.lost[lane], w.any, w.rounds = true, true, lostRounds
	}
	id := w.ctx.Global
	id[0] = w.global + uint64(lane)
	w.violation(r, p, id)
}

package gangexec

import (
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An object is a row of the launch's object table.
type object struct {
	name     string // for private objects
	data     []byte // for buffers and variables
	size     uint64
	at       uint64 // offset of a local object in the work-group's memory, of a private one in a lane's
	local    bool
	private  bool
	readOnly bool
}

// An execution is a launch: the state that all its workers share.
type execution struct {
	c       *Code
	env     *exec.Env
	stop    *atomic.Bool
	w       uint64 // lanes
	objects []object
	local   uint64 // bytes of local memory
	groups  [3]uint64
	nGroups uint64
	// Without work-groups a batch is a chunk of a row of work-items in dimension 0.
	chunk, perRow uint64
	batches       int64
	full, partial *unit
	coarse        *unit  // gangs of several rows, if any
	rows          uint64 // rows of a chunk
	printer       *exec.Printer
	printfs       exec.Calls[*exec.PrintfCall]
	images        exec.Calls[*exec.ImageCall]
}

// NewExecution prepares a launch.
func (c *Code) NewExecution(env *exec.Env, workers int) (exec.Execution, error) {
	x := &execution{c: c, env: env, stop: env.Stop, w: uint64(c.m.Lanes())}
	if x.stop == nil {
		x.stop = new(atomic.Bool)
	}
	reason, err := x.prepare(max(workers, 1))
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return c.leave(env, workers, reason)
	}
	return x, nil
}

// prepare divides the range into batches and builds the object table. If the launch must run on the reference
// executor, it returns the reason.
func (x *execution) prepare(workers int) (string, error) {
	c, env := x.c, x.env
	rg := &env.Range
	for d := range 3 {
		if rg.Offset[d]+rg.Global[d]+x.w >= 1<<31 {
			return reasonRange, nil
		}
	}
	if slices.ContainsFunc(env.Objects, func(o exec.Object) bool { return len(o.Data) >= maxObject }) {
		return reasonObject, nil
	}
	if env.Limits.PrivateBytes != 0 {
		return reasonLimit, nil
	}
	for i, p := range c.f.Params {
		if p.Type.K.IsPtr() && (len(env.Params[i]) != 1 || env.Params[i][0]&ssa.OffsetMask != 0) {
			return reasonPointer, nil
		}
	}
	if size := uint64(c.f.Kernel.SubGroupSize()); c.SubGroups && rg.Local[1]*rg.Local[2] > 1 && (rg.Local[0]%size != 0 || rg.Global[0]%size != 0) {
		return reasonSubGroups, nil
	}
	if c.Prints && env.Printf != nil {
		x.printer = exec.NewPrinter(env.Printf)
	}
	x.groups = rg.Groups()
	x.nGroups = x.groups[0] * x.groups[1] * x.groups[2]
	key := unitKey{large: slices.ContainsFunc(env.Objects, func(o exec.Object) bool { return len(o.Data) >= gang.MaxObject })}
	if _, ok := c.m.(Targeted); ok && c.Groups && rg.Local[0]%x.w == 0 && rg.Global[0]%rg.Local[0] == 0 && rg.Global[1]%rg.Local[1] == 0 && rg.Global[2]%rg.Local[2] == 0 {
		key.local = rg.Local
	}
	units := []**unit{&x.partial}
	if whole := c.Groups && rg.Local[0]%x.w == 0 && rg.Global[0]%rg.Local[0] == 0 || !c.Groups && rg.Global[0]%x.w == 0; whole {
		units = nil
	}
	for _, u := range append(units, &x.full) {
		key.full = u == &x.full
		if *u = c.unit(key); (*u).err != nil {
			return (*u).err.Error(), nil
		}
		if uint64(len((*u).privates)) > 0 && (*u).private*x.w*x.gangs()*uint64(workers) > 1<<30 {
			return reasonPrivate, nil // the reference executor checks the limit
		}
	}
	if _, ok := c.m.(Targeted); ok && !c.Groups && rg.Global[1] > 1 && !overlap(env.Objects) {
		key.full, key.rows = true, true
		if u := c.unit(key); u.err == nil && u.f.Rows > 1 {
			x.coarse = u
		}
	}
	x.cut(uint64(workers))
	return "", x.table()
}

// overlap reports whether the memory of two objects overlaps.
func overlap(objects []exec.Object) bool {
	at := func(d []byte) (from, to uintptr) {
		from = uintptr(unsafe.Pointer(unsafe.SliceData(d)))
		return from, from + uintptr(len(d))
	}
	for k := range objects {
		for _, o := range objects[:k] {
			a, b := at(o.Data)
			c, d := at(objects[k].Data)
			if a < d && c < b {
				return true
			}
		}
	}
	return false
}

// gangs returns the most gangs of a worker that are live at once.
func (x *execution) gangs() uint64 {
	if !x.c.Groups {
		return 1
	}
	local := &x.env.Range.Local
	return (local[0] + x.w - 1) / x.w * local[1] * local[2]
}

// cut sets the size of a batch: a work-group, or a chunk of a row.
func (x *execution) cut(workers uint64) {
	rg := &x.env.Range
	if x.c.Groups {
		x.batches = int64(x.nGroups)
		return
	}
	x.rows = 1
	if x.coarse != nil {
		x.rows = uint64(x.coarse.f.Rows)
	}
	rows := (rg.Global[1] + x.rows - 1) / x.rows * rg.Global[2]
	x.chunk = max(4096, rg.Global[0]*rows/(16*workers)) &^ (x.w - 1)
	x.perRow = (rg.Global[0] + x.chunk - 1) / x.chunk
	x.batches = int64(rows * x.perRow)
}

// table builds the object table.
func (x *execution) table() error {
	env := x.env
	limit := env.Limits.WithDefaults().LocalBytes
	for i := range env.Objects {
		o := &env.Objects[i]
		e := object{data: o.Data, size: uint64(len(o.Data)), readOnly: o.ReadOnly || o.Space == ssa.PtrConstant}
		if o.Space == ssa.PtrLocal {
			if e.local, e.size = true, 0; i > len(env.Globals) || x.uses(uint32(i)) {
				e.size, e.at = uint64(o.Size), (x.local+127)&^127
				if x.local = e.at + e.size; x.local > uint64(limit) {
					return &exec.LimitError{What: "local memory", Need: int64(x.local), Limit: limit}
				}
			}
		}
		x.objects = append(x.objects, e)
	}
	return nil
}

// uses reports whether the kernel uses the variable with that object number.
func (x *execution) uses(number uint32) bool {
	return slices.ContainsFunc(x.full.f.Roots, func(r gang.Root) bool {
		return r.Kind == gang.RootGlobal && x.env.Globals[r.Var] == number
	})
}

// Batches returns the number of batches.
func (x *execution) Batches() int64 { return x.batches }

// Most bounds the batches of one claim. It is 1 if batches print text.
func (x *execution) Most() int64 {
	if x.printer != nil {
		return 1
	}
	return 16
}

// Estimate returns 0: the time of a batch is not estimated.
func (x *execution) Estimate() time.Duration { return 0 }

// Took ignores measured times.
func (x *execution) Took(int64, time.Duration) {}

// This executor does not detect races.
func (x *execution) Raced() bool                         { return false }
func (x *execution) Watch(exec.RaceMode, exec.RaceMarks) {}
func (x *execution) Marks() exec.RaceMarks               { return nil }

// Unwatched is empty: this executor does not detect races.
func (x *execution) Unwatched() []string { return nil }

// End has nothing to release.
func (x *execution) End([]exec.BatchWorker) {}

package gangexec

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An object is a row of the launch's object table.
type object struct {
	data     []byte // of buffers and variables
	size     uint64
	at       uint64 // of local objects in the work-group's memory, of private ones in a lane's
	local    bool
	private  bool
	readOnly bool
}

// An execution is a launch: what all its workers share.
type execution struct {
	c       *Code
	env     *exec.Env
	stop    *atomic.Bool
	w       uint64 // lanes
	objects []object
	first   int    // number of the first private object
	local   uint64 // bytes of local memory
	private uint64 // bytes of private memory of a lane
	groups  [3]uint64
	nGroups uint64
	// Without work-groups a batch is a chunk of a row of dimension 0.
	chunk, perRow uint64
	batches       int64
	partial       Program
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

// prepare cuts the range and makes the object table. It returns why the launch must run on the
// reference executor, if it must.
func (x *execution) prepare(workers int) (string, error) {
	c, env := x.c, x.env
	rg := &env.Range
	for d := range 3 {
		if rg.Offset[d]+rg.Global[d]+x.w >= 1<<31 {
			return reasonRange, nil
		}
	}
	if env.Limits.PrivateBytes != 0 {
		return reasonLimit, nil
	}
	for i, p := range c.f.Params {
		if p.Type.K.IsPtr() && (len(env.Params[i]) != 1 || env.Params[i][0]&ssa.OffsetMask != 0) {
			return reasonPointer, nil
		}
	}
	x.groups = rg.Groups()
	x.nGroups = x.groups[0] * x.groups[1] * x.groups[2]
	x.cut(uint64(workers))
	if c.groups && rg.Local[0]%x.w == 0 && rg.Global[0]%rg.Local[0] == 0 || !c.groups && rg.Global[0]%x.w == 0 {
		return x.table(workers)
	}
	p, err := c.partialProgram()
	if err != nil {
		return err.Error(), nil
	}
	x.partial = p
	return x.table(workers)
}

// cut says what a batch is: a work-group, or a chunk of a row.
func (x *execution) cut(workers uint64) {
	rg := &x.env.Range
	if x.c.groups {
		x.batches = int64(x.nGroups)
		return
	}
	rows := rg.Global[1] * rg.Global[2]
	x.chunk = max(4096, rg.Global[0]*rows/(16*workers)) &^ (x.w - 1)
	x.perRow = (rg.Global[0] + x.chunk - 1) / x.chunk
	x.batches = int64(rows * x.perRow)
}

// table makes the object table.
func (x *execution) table(workers int) (string, error) {
	env := x.env
	limit := env.Limits.LocalBytes
	if limit == 0 {
		limit = 64 << 20
	}
	for i := range env.Objects {
		o := &env.Objects[i]
		e := object{data: o.Data, size: uint64(len(o.Data)), readOnly: o.ReadOnly || o.Space == ssa.PtrConstant}
		if o.Space == ssa.PtrLocal {
			if e.local, e.size = true, 0; i > len(env.Globals) || x.uses(uint32(i)) {
				e.size, e.at = uint64(o.Size), (x.local+127)&^127
				if x.local = e.at + e.size; x.local > uint64(limit) {
					return "", &exec.LimitError{What: "local memory", Need: int64(x.local), Limit: limit}
				}
			}
		}
		if e.size >= gang.MaxObject {
			return reasonLarge, nil
		}
		x.objects = append(x.objects, e)
	}
	x.first = len(x.objects)
	for _, a := range x.c.allocas {
		e := object{private: true, size: uint64(a.Size), at: (x.private + 15) &^ 15}
		x.private = e.at + e.size
		x.objects = append(x.objects, e)
	}
	if x.private*x.w*uint64(workers) > 1<<30 {
		return reasonPrivate, nil // the reference executor knows the limit
	}
	return "", nil
}

// uses reports whether the kernel has the variable with that object number.
func (x *execution) uses(number uint32) bool {
	return slices.ContainsFunc(x.c.fullFunc.Roots, func(r gang.Root) bool {
		return r.Kind == gang.RootGlobal && x.env.Globals[r.Var] == number
	})
}

// Batches returns the number of batches.
func (x *execution) Batches() int64 { return x.batches }

// Most bounds the batches that a worker takes at once.
func (x *execution) Most() int64 { return 16 }

// Estimate is not known.
func (x *execution) Estimate() time.Duration { return 0 }

// Took learns nothing.
func (x *execution) Took(int64, time.Duration) {}

// Races are not watched here.
func (x *execution) Raced() bool                         { return false }
func (x *execution) Watch(exec.RaceMode, exec.RaceMarks) {}
func (x *execution) Marks() exec.RaceMarks               { return nil }

// Unwatched is empty: races are not watched here.
func (x *execution) Unwatched() []string { return nil }

// End has nothing to let go of.
func (x *execution) End([]exec.BatchWorker) {}

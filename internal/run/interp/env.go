package interp

import (
	"fmt"
	"sync/atomic"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// maxGroup is the largest work-group: the race detector's states have 16 bits for lanes.
const maxGroup = 1<<16 - 2

// A Run is a program applied to an environment: batches that workers execute in any
// order. Its methods may be called by several workers at once.
type Run struct {
	p       *Program
	env     *exec.Env
	workers int
	groups  [3]uint64
	nGroups uint64
	perItem uint64 // work-items of a full group
	lanes   int    // most lanes of a batch
	chunks  uint64 // batches of each group, if groups differ in size
	uneven  bool
	batches int64

	objs       []object
	allocaBase uint32
	localSize  uint64
	privStride uint64
	watchRaces bool
	races      *raceMemory
	stop       *atomic.Bool
	raced      atomic.Bool // a race was found
	printer    *exec.Printer
}

// NewRun prepares a launch for that many workers.
func NewRun(p *Program, env *exec.Env, workers int) (*Run, error) {
	r := &Run{p: p, env: env, workers: workers, stop: env.Stop}
	if r.stop == nil {
		r.stop = new(atomic.Bool)
	}
	if len(env.Params) != len(p.params) {
		return nil, fmt.Errorf("kernel %s has %d parameters, %d given", p.Kernel.Name, len(p.params), len(env.Params))
	}
	r.groups = env.Range.Groups()
	r.nGroups = r.groups[0] * r.groups[1] * r.groups[2]
	r.perItem = env.Range.Local[0] * env.Range.Local[1] * env.Range.Local[2]
	if r.perItem == 0 || r.perItem > maxGroup {
		return nil, fmt.Errorf("a work-group of %d work-items; the executor runs up to %d", r.perItem, maxGroup)
	}
	r.uneven = !env.Range.Uniform()
	r.shape()
	if err := r.memory(); err != nil {
		return nil, err
	}
	if p.printf && env.Printf != nil {
		r.printer = exec.NewPrinter(env.Printf)
	}
	return r, nil
}

// defaultColumnBytes is the desired storage of a batch's columns: the first-level cache and a part of the second.
const defaultColumnBytes = 96 << 10

// shape divides the ND-range into batches.
func (r *Run) shape() {
	p := r.p
	if !p.Mixed {
		r.lanes = int(r.perItem)
		r.batches = int64(r.nGroups)
		return
	}
	want := r.env.Lanes
	if want <= 0 {
		want = int(defaultColumnBytes / max(p.ColumnBytes, 1))
		want = min(max(want, 64), 1024) &^ 7
		if p.PrivateSize > 0 {
			want = min(want, max(16, int(256<<10/p.PrivateSize)))
		}
	}
	total := r.nGroups * r.perItem
	if r.uneven {
		r.lanes = int(min(r.perItem, uint64(want)))
		r.chunks = (r.perItem + uint64(r.lanes) - 1) / uint64(r.lanes)
		r.batches = int64(r.nGroups * r.chunks)
		return
	}
	// Leave enough batches for all workers.
	if share := total / uint64(4*max(r.workers, 1)); r.env.Lanes <= 0 && uint64(want) > share {
		want = max(16, int(share))
	}
	r.lanes = int(min(total, uint64(want)))
	r.batches = int64((total + uint64(r.lanes) - 1) / uint64(r.lanes))
}

// memory builds the object table and checks the limits.
func (r *Run) memory() error {
	p, env := r.p, r.env
	limits := env.Limits.WithDefaults()
	shadow := p.Checks >= exec.ChecksMemory
	used := map[uint32]bool{}
	for _, g := range p.Globals {
		if g.Kind == ssa.PtrLocal {
			used[env.Globals[g]] = true
		}
	}
	r.objs = make([]object, 0, len(env.Objects)+len(p.allocas))
	for i := range env.Objects {
		o := &env.Objects[i]
		x := object{size: uint64(len(o.Data)), space: o.Space, readOnly: o.ReadOnly || o.Space == ssa.PtrConstant, desc: o}
		if len(o.Data) > 0 {
			x.bytes = o.Data
		}
		if o.Space == ssa.PtrLocal {
			x.size = 0
			if used[uint32(i)] || o.Data == nil && !isVariable(env, uint32(i)) {
				x.local, x.shadowed, x.size = true, shadow, uint64(o.Size)
				x.off = (r.localSize + 127) &^ 127
				r.localSize = x.off + x.size
				if r.localSize > uint64(limits.LocalBytes) {
					return &exec.LimitError{What: "local memory", Need: int64(r.localSize), Limit: limits.LocalBytes}
				}
			}
		}
		r.objs = append(r.objs, x)
	}
	r.allocaBase = uint32(len(r.objs))
	if len(r.objs)+len(p.allocas) >= 1<<24 {
		return fmt.Errorf("too many memory objects")
	}
	for _, a := range p.allocas {
		r.objs = append(r.objs, object{size: uint64(a.Size), space: ssa.PtrPrivate, private: true, shadowed: shadow, off: uint64(a.off),
			desc: &exec.Object{Name: a.Name, Space: ssa.PtrPrivate, Size: a.Size, WhereMsg: "variable"}})
	}
	for i := range r.objs {
		r.objs[i].number = uint32(i)
	}
	r.privStride = uint64(alignUp(p.PrivateSize, 16))
	perLane := int64(r.privStride) + p.ColumnBytes
	if shadow {
		perLane += int64(r.privStride)
	}
	if need := perLane * int64(r.lanes) * int64(max(r.workers, 1)); perLane > limits.PrivateBytes || need > limits.PrivateBytes {
		return &exec.LimitError{What: "private memory", Need: need, Limit: limits.PrivateBytes}
	}
	if p.Checks >= exec.ChecksAll && !p.stepped { // a Stepper runs one group after the other and cannot find races
		r.watchRaces = true
		r.races = newRaceMemory(r.objs, p.granShift, r.localSize, limits.ShadowBytes)
	}
	return nil
}

func isVariable(env *exec.Env, n uint32) bool {
	for _, k := range env.Globals {
		if k == n {
			return true
		}
	}
	return false
}

package interp

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// An Object is a memory object that pointers refer to by number.
type Object struct {
	Name     string
	Space    ssa.Kind     // PtrGlobal, PtrConstant, PtrLocal or PtrPrivate
	Data     []byte       // its bytes, used in place; not of local and private objects
	Size     int64        // len(Data), or the size of a local object
	ReadOnly bool         // kernels may not write to it
	WhereMsg string       // what it is, for reports: "argument 2", "variable"; may be empty
	Image    *image.Image // of an image: what lies in Data
}

// An NDRange is the index space of a launch. Unused dimensions have global and local
// size 1 and offset 0.
type NDRange struct {
	Dims   int
	Offset [3]uint64
	Global [3]uint64
	Local  [3]uint64 // of a full work-group; groups at the upper edges may be smaller
}

// Groups returns the number of work-groups in each dimension.
func (r *NDRange) Groups() (n [3]uint64) {
	for d := range n {
		n[d] = (r.Global[d] + r.Local[d] - 1) / r.Local[d]
	}
	return n
}

// Uniform reports whether all work-groups are full.
func (r *NDRange) Uniform() bool {
	for d := range r.Global {
		if r.Global[d]%r.Local[d] != 0 {
			return false
		}
	}
	return true
}

// An Env is a launch as the executor sees it. Object number 0 is the null object; the
// executor gives private objects the numbers behind those of Objects.
type Env struct {
	Range   NDRange
	Objects []Object
	Params  [][]uint64             // the bits of each element of each kernel parameter
	Globals map[*ssa.Global]uint32 // object numbers of the program's variables
	Stop    *atomic.Bool           // set to end the run early; may be nil
	Printf  io.Writer              // where printf writes; nil: nowhere
	Limits  Limits
	Faults  FaultMode
	Lanes   int // work-items of a batch where that is free to choose; 0: as the executor likes
}

// Limits bound what a launch may take.
type Limits struct {
	PrivateBytes int64 // private memory and registers of the work-items in flight, all workers; 0: 1 GiB
	LocalBytes   int64 // local memory of a work-group; 0: 64 MiB
	ShadowBytes  int64 // the race detector's memory; 0: 8 GiB
}

// WithDefaults returns the limits with the default of each that is 0.
func (l Limits) WithDefaults() Limits {
	if l.PrivateBytes == 0 {
		l.PrivateBytes = 1 << 30
	}
	if l.LocalBytes == 0 {
		l.LocalBytes = 64 << 20
	}
	if l.ShadowBytes == 0 {
		l.ShadowBytes = 8 << 30
	}
	return l
}

// maxGroup is the largest work-group: lanes have 16 bits in the race detector's states.
const maxGroup = 1<<16 - 2

// A Run is a program applied to an environment: batches that workers execute in any
// order. Its methods may be called by several workers at once.
type Run struct {
	p       *Program
	env     *Env
	workers int
	groups  [3]uint64
	nGroups uint64
	perItem uint64 // work-items of a full group
	lanes   int    // of a batch at most
	chunks  uint64 // batches a group is cut into, where groups are uneven
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
	printer    *Printer
}

// A LimitError says that a launch needs more than its limits allow.
type LimitError struct {
	What        string
	Need, Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d bytes needed, the limit is %d", e.What, e.Need, e.Limit)
}

// NewRun prepares a launch for so many workers.
func NewRun(p *Program, env *Env, workers int) (*Run, error) {
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
		r.printer = NewPrinter(env.Printf)
	}
	return r, nil
}

// defaultColumnBytes is how much storage the columns of a batch should take: the first
// level cache and a part of the second.
const defaultColumnBytes = 96 << 10

// shape cuts the ND-range into batches.
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

// memory makes the object table and checks the limits.
func (r *Run) memory() error {
	p, env := r.p, r.env
	limits := env.Limits.WithDefaults()
	shadow := p.Checks >= ChecksMemory
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
					return &LimitError{"local memory", int64(r.localSize), limits.LocalBytes}
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
			desc: &Object{Name: a.Name, Space: ssa.PtrPrivate, Size: a.Size, WhereMsg: "variable"}})
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
		return &LimitError{"private memory", need, limits.PrivateBytes}
	}
	if p.Checks >= ChecksAll {
		r.watchRaces = true
		r.races = newRaceMemory(r.objs, p.granShift, r.localSize, limits.ShadowBytes)
	}
	return nil
}

func isVariable(env *Env, n uint32) bool {
	for _, k := range env.Globals {
		if k == n {
			return true
		}
	}
	return false
}

// Batches returns the number of batches.
func (r *Run) Batches() int64 { return r.batches }

// Groups returns the number of work-groups.
func (r *Run) Groups() uint64 { return r.nGroups }

// Unwatched returns the names of the objects that are too large for the race observer.
func (r *Run) Unwatched() []string {
	if r.races == nil {
		return nil
	}
	return r.races.skipped
}

// Raced reports whether accesses were seen that may race: see [RaceMode].
func (r *Run) Raced() bool { return r.raced.Load() }

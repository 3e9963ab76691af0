package device

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// A kernel is a kernel's code on a machine. It has variants for launches with unaligned objects, for launches with
// partial work-groups, and for launches that satisfy its precondition. A kernel with images has a copy for each combination of
// formats, shapes and samplers.
type kernel struct {
	m    Machine
	f    *ssa.Func
	code [assume * (ptx.MaxPreconditions + 1)]*variant // by form

	prepared   sync.Once
	prep       *ptx.Prepared
	prepareErr error

	surveyed  sync.Once
	surveyErr error
	images    *imagecode.Kernel // nil if the kernel has no image functions
	source    *kernel           // of a copy for some formats: the kernel that it copies

	decided atomic.Pointer[decision] // of the last launch

	mu         sync.Mutex
	decisions  map[string]*decision // of earlier launches, by the bytes of their numbers; at most maxDecisions
	formats    map[string]*kernel
	times      timing.Times
	maxGroup   int // work-items of a group in all variants so far; 0: there is none
	maxAssumed int // the same of the variants for launches that satisfy the precondition
}

// Unchecked makes code without bounds checks while it is set, for bench/gpu to measure what they cost.
var Unchecked bool

type variant struct {
	generation int
	once       sync.Once
	k          *ptx.Kernel
	code       Code
	err        error
	closed     atomic.Bool // its program is closed
}

func newKernel(m Machine, f *ssa.Func) *kernel { return &kernel{m: m, f: f} }

// A form selects a variant of a kernel.
type form uint8

const (
	unaligned form = 1 << iota // objects are unaligned
	uneven                     // some groups are partial
	several                    // threads run several work-items
	row                        // of uneven: only groups of dimension 0 are partial
	assume                     // times ptx.Options.Assume; the last bits
)

// prepare analyses the kernel, once.
func (k *kernel) prepare() (*ptx.Prepared, error) {
	k.prepared.Do(func() {
		var clock timing.Clock
		clock.Begin(timing.Codegen)
		k.prep, k.prepareErr = ptx.Prepare(k.f)
		clock.Begin(timing.None)
		k.took(&clock.Times)
	})
	return k.prep, k.prepareErr
}

// get returns the variant of a form.
func (k *kernel) get(n form) (*variant, error) {
	prep, err := k.prepare()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	v := k.code[n]
	if generation := k.m.Generation(); v == nil || v.generation != generation {
		v = &variant{generation: generation}
		k.code[n] = v
	}
	o := ptx.Options{Target: k.m.Target(), Unaligned: n&unaligned != 0, Uneven: n&uneven != 0, Row: n&row != 0, Assume: int(n / assume), Unchecked: Unchecked}
	if n&several != 0 {
		o.Items = prep.Items
	}
	if o.Assume == 0 {
		o.Threads = k.maxAssumed
	}
	k.mu.Unlock()
	v.once.Do(func() {
		var clock timing.Clock
		clock.Begin(timing.Codegen)
		if v.k, v.err = prep.Compile(o); v.err == nil {
			clock.Begin(timing.Driver)
			v.code, v.err = k.m.Load(v.k.Text, ptx.Entry)
		}
		clock.Begin(timing.None)
		k.took(&clock.Times)
		if v.err == nil {
			k.limit(v.code.MaxThreads(), o.Assume != 0)
		}
	})
	return v, v.err
}

// limit records that a variant has groups of so many work-items. The program may have been told the number of variants
// for launches that satisfy the precondition: later variants of other launches must have it too.
func (k *kernel) limit(threads int, assumes bool) {
	least := func(n *int) {
		if *n == 0 || threads < *n {
			*n = threads
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	least(&k.maxGroup)
	if assumes {
		least(&k.maxAssumed)
	}
}

// maxThreads returns the number of work-items that a group can have in all variants that exist.
func (k *kernel) maxThreads() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.maxGroup
}

// formOf returns the form of the launch's variant.
func (c *call) formOf() (n form, err error) {
	for i := range c.objects {
		if c.objects[i].addr%16 != 0 {
			n |= unaligned
		}
	}
	if !c.rng.Uniform() {
		n |= uneven
		if c.rng.Global[1]%c.rng.Local[1] == 0 && c.rng.Global[2]%c.rng.Local[2] == 0 {
			n |= row
		}
	}
	prep, err := c.k.prepare()
	if err != nil {
		return 0, err
	}
	if n |= form(c.satisfied(prep)) * assume; n == assume && c.long(uint64(prep.Items)) {
		n |= several
	}
	return n, nil
}

// A decision is which precondition a launch satisfies, as in ptx.Options.Assume, and the numbers that it follows from.
type decision struct {
	from []uint64
	to   int
}

// maxDecisions is the number of decisions that a kernel keeps. Evaluating a precondition of many accesses takes as long as a
// short launch, and programs often have the same steps again and again.
const maxDecisions = 256

// satisfied returns which precondition the launch satisfies, as in ptx.Options.Assume.
func (c *call) satisfied(p *ptx.Prepared) int {
	if p.Preconditions == nil {
		return 0
	}
	var room [64]uint64
	from := append(room[:0], c.rng.Offset[:]...)
	from = append(append(from, c.rng.Global[:]...), c.rng.Local[:]...)
	for i, a := range c.k.f.Kernel.Args {
		switch a.Kind {
		case ssa.ArgValue:
			from = append(from, c.Scalar(i))
		case ssa.ArgImage, ssa.ArgSampler:
		default:
			from = append(from, uint64(c.Len(i, false)), uint64(c.Len(i, true)))
		}
	}
	d := c.k.decided.Load()
	if d == nil || !slices.Equal(d.from, from) {
		d = c.decide(p, from)
		c.k.decided.Store(d)
	}
	return d.to
}

// decide returns the decision that follows from these numbers of the launch.
func (c *call) decide(p *ptx.Prepared, from []uint64) *decision {
	k := c.k
	key := make([]byte, 0, 512)
	for _, x := range from {
		key = binary.LittleEndian.AppendUint64(key, x)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	d := k.decisions[string(key)]
	if d == nil {
		d = &decision{from: slices.Clone(from)}
		d.to = 1 + slices.IndexFunc(p.Preconditions, func(x *ptx.Precondition) bool { return x.Holds(c) })
		if k.decisions == nil || len(k.decisions) == maxDecisions {
			k.decisions = map[string]*decision{}
		}
		k.decisions[string(key)] = d
	}
	return d
}

// long reports whether a range is so long that threads should run several work-items: they still occupy half of what the
// processors hold.
func (c *call) long(items uint64) bool {
	r := &c.rng
	groups := r.Groups()
	threads := r.Global[0] / max(items, 1) * r.Global[1] * r.Global[2]
	return items > 1 && groups[0] <= maxGrid[0] && groups[0]%items == 0 && threads >= maxResident/2*uint64(max(c.k.m.Info().ComputeUnits, 1))
}

// Item returns the interval of a work-item query over the launch.
func (c *call) Item(q ssa.WorkItemQuery, d int) (lo, hi int64) {
	r := &c.rng
	switch q {
	case ssa.GlobalID:
		return int64(r.Offset[d]), int64(r.Offset[d] + r.Global[d] - 1)
	case ssa.LocalID:
		return 0, int64(r.Local[d]) - 1
	case ssa.GroupID:
		return 0, int64(r.Groups()[d]) - 1
	case ssa.GlobalSize:
		return int64(r.Global[d]), int64(r.Global[d])
	}
	return 0, int64(r.Local[d]) // LocalSize: groups may be partial
}

// Scalar returns the bits of a scalar argument.
func (c *call) Scalar(arg int) uint64 { return c.params[arg][0] }

// Len returns the bytes of the object of a pointer argument that may be read, or written if write is set.
func (c *call) Len(arg int, write bool) int64 {
	n := c.params[arg][0] >> ssa.ObjectShift
	if n == 0 {
		return 0
	}
	o := &c.objects[n]
	if write && (o.readOnly || o.kind == ssa.PtrConstant) {
		return 0
	}
	return int64(o.size)
}

// took adds t to the kernel's times.
func (k *kernel) took(t *timing.Times) {
	if k.source != nil {
		k = k.source
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.times.Add(t)
}

// launched records the duration of the kernel's first launch, without compile time spent since before.
func (k *kernel) launched(d time.Duration, before *timing.Times) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.times[timing.Launch] == 0 {
		k.times[timing.Launch] = max(1, d-(k.times.Total()-before.Total()))
	}
}

// fresh reports whether the kernel has not been launched yet.
func (k *kernel) fresh() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.times[timing.Launch] == 0
}

func (k *kernel) spent() timing.Times {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.times
}

// close releases the code. A later launch compiles it again.
func (k *kernel) close() {
	for i, v := range k.code {
		if v != nil && v.code != nil {
			v.code.Close()
		}
		if v != nil {
			v.closed.Store(true)
		}
		k.code[i] = nil
	}
	for _, x := range k.formats {
		x.close()
	}
}

// An object is a memory object of a launch.
type object struct {
	name, what string
	kind       ssa.Kind // ssa.Kind of its address space
	addr       uint64   // address in global memory
	size       uint64
	readOnly   bool
	local      bool         // it is local memory of this kernel
	image      *image.Image // of an image: its elements
}

// A call is the input of one launch.
type call struct {
	k       *kernel
	rng     exec.NDRange
	objects []object
	// params are the bits of each element of each kernel parameter. A pointer argument has the pointer to the
	// object's first byte.
	params  [][]uint64
	bits    []uint64               // memory for params
	numbers map[*ssa.Global]uint32 // object numbers of the program's variables
	faults  exec.FaultMode
	stdout  io.Writer
	local   uint64   // limit of local memory in bytes, without LocalReserve
	timed   bool     // times are wanted
	more    bool     // see Grid.More
	free    []uint64 // memory of this launch only
	blocks  []uint64 // the session's blocks that it uses
	written []writtenImage
	stop    *atomic.Bool  // becomes true to end the launch; may be nil
	ended   func(c *call) // called with the outcome; may be nil
	started
	outcome
}

// started is what session.begin makes of a call.
type started struct {
	ctx       context.Context
	v         *variant
	st        *launchState
	records   uint64 // address
	signals   []uint32
	signalsAt uint64 // their address on the device
	watch     *watcher
	times     [2]exec.Mark // around a timed launch
	grid      Grid         // the last of its grids
}

// An outcome is what a launch has led to.
type outcome struct {
	findings []*exec.Finding
	err      error
	took     time.Duration
}

// printRoom is the size of printf's buffer in bytes.
const printRoom = 4 << 20

// maxGrid is the greatest number of blocks in each dimension of a grid.
var maxGrid = [3]uint64{1<<31 - 1, 65535, 65535}

// check returns an error if the device cannot run a range.
func check(k *ptx.Kernel, code Code, r *exec.NDRange) error {
	items := r.Local[0] * r.Local[1] * r.Local[2]
	if most := uint64(code.MaxThreads()); items > most || !k.Linear && r.Local[2] > 64 {
		return fmt.Errorf("kernel %s: work-groups of %d work-items; on this device it can have %d at most, 64 in the third dimension", k.Func.Name, items, most)
	}
	for d := range 3 {
		if r.Global[d]+r.Offset[d] >= 1<<32 {
			return fmt.Errorf("kernel %s: global offset and size of dimension %d are %d, GPU devices have less than 2^32", k.Func.Name, d, r.Global[d]+r.Offset[d])
		}
	}
	return nil
}

// start lays out the launch and starts its grids.
func (q *session) start(c *call) error {
	k, r := c.v.k, &c.rng
	c.st.of = nil
	if err := check(k, c.v.code, r); err != nil {
		return err
	}
	shared := uint64(0)
	if k.UsesLocal || k.Compares {
		shared = ptx.SharedReserved
	}
	table, places := q.table[:0], q.places[:0]
	c.markLocals(k)
	for i := range c.objects {
		o := &c.objects[i]
		at := o.addr
		if o.local {
			shared = (shared + 127) &^ 127
			at = shared
			shared += o.size
		}
		table, places = o.entry(table, at), append(places, at)
	}
	if shared > c.local+LocalReserve {
		return fmt.Errorf("kernel %s: %w", k.Func.Name, &exec.LimitError{What: "local memory", Need: int64(shared), Limit: int64(c.local)})
	}
	shared = (shared + 15) &^ 15
	for _, a := range k.Allocas {
		table = entry(table, uint64(a.Offset), uint64(a.Size), uint64(a.Size), ptx.SpacePrivate, ssa.PtrPrivate)
	}
	q.table, q.places = table, places
	if err := q.writeTable(c.st, table); err != nil {
		return err
	}
	p := c.st.params
	clear(p)
	put64, put32 := binary.LittleEndian.PutUint64, binary.LittleEndian.PutUint32
	put64(p[ptx.HeadObjects:], c.st.table)
	put32(p[ptx.HeadNumObjects:], uint32(len(table)/ptx.ObjectEntry))
	if c.faults == exec.Strict {
		put32(p[ptx.HeadFlags:], ptx.FlagStrict)
	}
	put64(p[ptx.HeadRecords:], c.records)
	put64(p[ptx.HeadSignals:], c.signalsAt)
	put32(p[ptx.HeadZero:], uint32(shared))
	if len(k.Printfs) > 0 && c.stdout != nil {
		if err := q.printBuffer(); err != nil {
			return err
		}
		put64(p[ptx.HeadPrint:], q.print)
		put64(p[ptx.HeadPrintSize:], printRoom-ptx.PrintHead)
	}
	groups := r.Groups()
	put32(p[ptx.HeadDims:], uint32(r.Dims))
	for d := range 3 {
		put32(p[ptx.HeadOffset+4*d:], uint32(r.Offset[d]))
		put32(p[ptx.HeadGlobal+4*d:], uint32(r.Global[d]))
		put32(p[ptx.HeadLocal+4*d:], uint32(r.Local[d]))
		put32(p[ptx.HeadGroups+4*d:], uint32(groups[d]))
	}
	c.arguments(k, p, places)
	if !c.timed {
		return q.grids(c, int(shared), groups)
	}
	var err error
	if c.times[0], err = q.s.Mark(true); err != nil {
		return err
	}
	if err = q.grids(c, int(shared), groups); err != nil {
		return err
	}
	c.times[1], err = q.s.Mark(true)
	return err
}

// grids starts the grids that cover all work-groups.
func (q *session) grids(c *call, shared int, groups [3]uint64) error {
	v, p := c.v, c.st.params
	g := &c.grid
	*g = Grid{Shared: shared, Params: p, More: c.more}
	for d := range 3 {
		g.Threads[d] = uint32(c.rng.Local[d])
	}
	if v.k.Linear {
		g.Threads = [3]uint32{g.Threads[0] * g.Threads[1] * g.Threads[2], 1, 1}
	}
	groups[0] /= uint64(v.k.Items)
	for z := uint64(0); z < groups[2]; z += maxGrid[2] {
		for y := uint64(0); y < groups[1]; y += maxGrid[1] {
			for x := uint64(0); x < groups[0]; x += maxGrid[0] {
				for d, at := range [3]uint64{x, y, z} {
					binary.LittleEndian.PutUint32(p[ptx.HeadFirst+4*d:], uint32(at))
					g.Blocks[d] = uint32(min(maxGrid[d], groups[d]-at))
				}
				binary.LittleEndian.PutUint64(p[ptx.HeadBase:], (z*groups[1]+y)*groups[0]+x)
				if err := q.s.Launch(v.code, g); err != nil {
					return err
				}
			}
		}
	}
	if groups[0] <= maxGrid[0] && groups[1] <= maxGrid[1] && groups[2] <= maxGrid[2] {
		c.st.of = c // a repetition starts this grid again
	}
	return nil
}

// markLocals marks the objects that are local memory of the kernel.
func (c *call) markLocals(k *ptx.Kernel) {
	for i := range c.objects {
		c.objects[i].local = false
	}
	for _, g := range k.Globals {
		if g.Global.Kind == ssa.PtrLocal {
			c.objects[c.numbers[g.Global]].local = true
		}
	}
	for i, a := range k.Func.Kernel.Args {
		if a.Kind == ssa.ArgLocal {
			c.objects[c.params[i][0]>>ssa.ObjectShift].local = true
		}
	}
}

// entry appends the object's entry of the object table.
func (o *object) entry(table []byte, at uint64) []byte {
	size, space := o.size, uint32(ptx.SpaceGlobal)
	if o.kind == ssa.PtrLocal {
		space = ptx.SpaceLocal
		if !o.local { // it belongs to another kernel
			size = 0
		}
	}
	writes := size
	if o.readOnly || o.kind == ssa.PtrConstant {
		writes = 0
	}
	return entry(table, at, size, writes, space, o.kind)
}

func entry(table []byte, at, size, writes uint64, space uint32, kind ssa.Kind) []byte {
	table = binary.LittleEndian.AppendUint64(table, at)
	table = binary.LittleEndian.AppendUint64(table, size)
	table = binary.LittleEndian.AppendUint64(table, writes)
	table = binary.LittleEndian.AppendUint32(table, space)
	return binary.LittleEndian.AppendUint32(table, uint32(kind))
}

// arguments writes the roots and arguments into the parameter block.
func (c *call) arguments(k *ptx.Kernel, p []byte, places []uint64) {
	put := binary.LittleEndian.PutUint64
	root := func(off int, ptr uint64) {
		n := ptr >> ssa.ObjectShift
		if n == 0 {
			clear(p[off : off+ptx.RootSize])
			return
		}
		o := &c.objects[n]
		put(p[off+ptx.RootPtr:], ptr)
		put(p[off+ptx.RootBase:], places[n])
		put(p[off+ptx.RootLen:], o.size)
		put(p[off+ptx.RootWrites:], o.size)
		if o.readOnly || o.kind == ssa.PtrConstant {
			put(p[off+ptx.RootWrites:], 0)
		}
	}
	for i, a := range k.Func.Kernel.Args {
		off, bits := k.Args[i], c.params[i]
		switch a.Kind {
		case ssa.ArgValue:
			size := k.Func.Params[i].Type.K.Num().Size()
			for j, x := range bits[:k.Func.Params[i].Type.N] {
				for b := range size {
					p[off+j*size+b] = byte(x >> (8 * b))
				}
			}
		case ssa.ArgImage, ssa.ArgSampler:
			put(p[off:], bits[0])
		default:
			root(off, bits[0])
		}
	}
	for _, g := range k.Globals {
		root(g.Offset, uint64(c.numbers[g.Global])<<ssa.ObjectShift)
	}
	for i := range k.Limits {
		l := &k.Limits[i]
		field := ptx.RootLen
		if l.Write {
			field = ptx.RootWrites
		}
		x := l.Value(int64(binary.LittleEndian.Uint64(p[l.Root+field:])))
		if l.Wide {
			put(p[l.Offset:], x)
		} else {
			binary.LittleEndian.PutUint32(p[l.Offset:], uint32(x))
		}
	}
}

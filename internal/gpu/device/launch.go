package device

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
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

// A kernel is a kernel's code on a machine. It has variants for launches with unaligned objects and for launches
// with partial work-groups. A kernel with images has a copy for each combination of formats, shapes and samplers.
type kernel struct {
	m    Machine
	f    *ssa.Func
	code [4]*variant // index bit 0: objects are unaligned; bit 1: groups are partial

	surveyed  sync.Once
	surveyErr error
	images    *imagecode.Kernel // nil if the kernel has no image functions
	source    *kernel           // of a copy for some formats: the kernel that it copies

	mu      sync.Mutex
	formats map[string]*kernel
	times   timing.Times
}

type variant struct {
	generation int
	once       sync.Once
	k          *ptx.Kernel
	code       Code
	err        error
}

func newKernel(m Machine, f *ssa.Func) *kernel { return &kernel{m: m, f: f} }

// get returns the variant for objects that are unaligned or not, and groups that are partial or not.
func (k *kernel) get(unaligned, uneven bool) (*variant, error) {
	n := 0
	if unaligned {
		n |= 1
	}
	if uneven {
		n |= 2
	}
	k.mu.Lock()
	v := k.code[n]
	if generation := k.m.Generation(); v == nil || v.generation != generation {
		v = &variant{generation: generation}
		k.code[n] = v
	}
	k.mu.Unlock()
	v.once.Do(func() {
		var clock timing.Clock
		clock.Begin(timing.Codegen)
		if v.k, v.err = ptx.Compile(k.f, ptx.Options{Target: k.m.Target(), Unaligned: unaligned, Uneven: uneven}); v.err == nil {
			clock.Begin(timing.Driver)
			v.code, v.err = k.m.Load(v.k.Text, ptx.Entry)
		}
		clock.Begin(timing.None)
		k.took(&clock.Times)
	})
	return v, v.err
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

func (k *kernel) spent() timing.Times {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.times
}

// close releases the code, which is compiled again if needed.
func (k *kernel) close() {
	for i, v := range k.code {
		if v != nil && v.code != nil {
			v.code.Close()
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
	numbers map[*ssa.Global]uint32 // object numbers of the program's variables
	faults  exec.FaultMode
	stdout  io.Writer
	local   uint64 // limit of local memory in bytes
	timed   bool   // times are wanted
	took    time.Duration
	written []writtenImage
}

// A session is a stream with the data that it keeps for launches.
type session struct {
	m          Machine
	s          Stream
	generation int
	states     map[*variant]*launchState
	print      uint64 // address of printf's buffer, 0 if not yet allocated
}

// A launchState is the data that a stream keeps for launches of a kernel.
type launchState struct {
	table   uint64 // address of the object table
	room    int    // capacity of the table in bytes
	written []byte // the table's present contents
	records uint64
	params  []byte
}

func newSession(m Machine) (*session, error) {
	q := &session{m: m}
	return q, q.renew()
}

// renew replaces a stream of an older generation.
func (q *session) renew() error {
	generation := q.m.Generation()
	if q.s != nil && q.generation == generation {
		return nil
	}
	if q.s != nil {
		q.s.Close()
		q.s = nil
	}
	s, err := q.m.NewStream()
	if err != nil {
		return err
	}
	q.s, q.generation, q.print, q.states = s, generation, 0, map[*variant]*launchState{}
	return nil
}

// forget releases the launch state of a kernel.
func (q *session) forget(k *kernel) {
	for _, v := range k.code {
		if st := q.states[v]; st != nil {
			q.drop(st)
			delete(q.states, v)
		}
	}
	for _, x := range k.formats {
		q.forget(x)
	}
}

func (q *session) drop(st *launchState) {
	q.m.Free(st.table, q.generation)
	q.m.Free(st.records, q.generation)
}

func (q *session) close() {
	for _, st := range q.states {
		q.drop(st)
	}
	if q.print != 0 {
		q.m.Free(q.print, q.generation)
	}
	if q.s != nil {
		q.s.Close()
	}
}

// printRoom is the size of printf's buffer in bytes.
const printRoom = 4 << 20

// maxGrid is the greatest number of blocks in each dimension of a grid.
var maxGrid = [3]uint64{1<<31 - 1, 65535, 65535}

// run launches a kernel and waits for it.
func (q *session) run(ctx context.Context, c *call) ([]*exec.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.forImages(); err != nil {
		return nil, err
	}
	unaligned := false
	for i := range c.objects {
		o := &c.objects[i]
		unaligned = unaligned || o.addr%16 != 0
	}
	v, err := c.k.get(unaligned, !c.rng.Uniform())
	if err != nil {
		return nil, err
	}
	st, err := q.state(v, c)
	if err != nil {
		return nil, err
	}
	signals, _ := q.s.Signals()
	for i := range signals {
		atomic.StoreUint32(&signals[i], 0)
	}
	if err := q.start(v, st, c); err != nil {
		return nil, err
	}
	if err := q.s.Wait(ctx, func() { atomic.StoreUint32(&signals[ptx.SignalStop/4], 1) }); err != nil {
		return nil, err
	}
	if c.timed {
		if c.took, err = q.s.Elapsed(); err != nil {
			return nil, err
		}
	}
	if len(v.k.Printfs) > 0 && c.stdout != nil {
		if err := q.printed(v, c); err != nil {
			return nil, err
		}
	}
	var found []*exec.Finding
	if atomic.LoadUint32(&signals[ptx.SignalFound/4]) != 0 {
		if found, err = q.findings(v, st, c); err != nil {
			return nil, err
		}
	}
	if atomic.LoadUint32(&signals[ptx.SignalStopped/4]) != 0 {
		if err := ctx.Err(); err != nil {
			return found, err
		}
	}
	return found, nil
}

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
func (q *session) start(v *variant, st *launchState, c *call) error {
	k, r := v.k, &c.rng
	if err := check(k, v.code, r); err != nil {
		return err
	}
	shared := uint64(0)
	if k.UsesLocal || k.Compares {
		shared = ptx.SharedReserved
	}
	table := make([]byte, 0, (len(c.objects)+len(k.Allocas))*ptx.ObjectEntry)
	locals := c.locals(k)
	places := make([]uint64, len(c.objects))
	for i := range c.objects {
		o := &c.objects[i]
		if o.local = locals[i]; o.local {
			shared = (shared + 127) &^ 127
			places[i] = shared
			shared += o.size
		} else {
			places[i] = o.addr
		}
		table = o.entry(table, places[i])
	}
	if shared > c.local {
		return fmt.Errorf("kernel %s: %w", k.Func.Name, &exec.LimitError{What: "local memory", Need: int64(shared), Limit: int64(c.local)})
	}
	shared = (shared + 15) &^ 15
	for _, a := range k.Allocas {
		table = entry(table, uint64(a.Offset), uint64(a.Size), uint64(a.Size), ptx.SpacePrivate, ssa.PtrPrivate)
	}
	if err := q.writeTable(st, table); err != nil {
		return err
	}
	p := st.params
	clear(p)
	put64, put32 := binary.LittleEndian.PutUint64, binary.LittleEndian.PutUint32
	_, signals := q.s.Signals()
	put64(p[ptx.HeadObjects:], st.table)
	put32(p[ptx.HeadNumObjects:], uint32(len(table)/ptx.ObjectEntry))
	if c.faults == exec.Strict {
		put32(p[ptx.HeadFlags:], ptx.FlagStrict)
	}
	put64(p[ptx.HeadRecords:], st.records)
	put64(p[ptx.HeadSignals:], signals)
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
		return q.grids(v, c, int(shared), groups)
	}
	if err := q.s.Begin(); err != nil {
		return err
	}
	if err := q.grids(v, c, int(shared), groups); err != nil {
		return err
	}
	return q.s.End()
}

// grids starts the grids that cover all work-groups.
func (q *session) grids(v *variant, c *call, shared int, groups [3]uint64) error {
	p := q.states[v].params
	g := Grid{Shared: shared, Params: p}
	for d := range 3 {
		g.Threads[d] = uint32(c.rng.Local[d])
	}
	if v.k.Linear {
		g.Threads = [3]uint32{g.Threads[0] * g.Threads[1] * g.Threads[2], 1, 1}
	}
	for z := uint64(0); z < groups[2]; z += maxGrid[2] {
		for y := uint64(0); y < groups[1]; y += maxGrid[1] {
			for x := uint64(0); x < groups[0]; x += maxGrid[0] {
				for d, at := range [3]uint64{x, y, z} {
					binary.LittleEndian.PutUint32(p[ptx.HeadFirst+4*d:], uint32(at))
					g.Blocks[d] = uint32(min(maxGrid[d], groups[d]-at))
				}
				if err := q.s.Launch(v.code, &g); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// locals returns which objects are the kernel's local memory.
func (c *call) locals(k *ptx.Kernel) []bool {
	list := make([]bool, len(c.objects))
	for _, g := range k.Globals {
		if n := c.numbers[g.Global]; g.Global.Kind == ssa.PtrLocal {
			list[n] = true
		}
	}
	for i, a := range k.Func.Kernel.Args {
		if a.Kind == ssa.ArgLocal {
			list[c.params[i][0]>>ssa.ObjectShift] = true
		}
	}
	return list
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

// state returns the stream's launch state for a kernel.
func (q *session) state(v *variant, c *call) (*launchState, error) {
	if st := q.states[v]; st != nil {
		return st, nil
	}
	st := &launchState{params: make([]byte, (v.k.Block+15)&^15)}
	st.room = (len(c.objects) + len(v.k.Allocas) + 8) * ptx.ObjectEntry
	var err error
	if st.table, err = q.m.Alloc(st.room); err != nil {
		return nil, err
	}
	n := recordsSize(v.k)
	if st.records, err = q.m.Alloc(n); err == nil {
		err = q.s.Clear(st.records, n)
	}
	if err != nil {
		q.m.Free(st.table, q.generation)
		return nil, err
	}
	q.states[v] = st
	return st, nil
}

// writeTable copies the object table to the device if it has changed.
func (q *session) writeTable(st *launchState, table []byte) error {
	if bytes.Equal(table, st.written) {
		return nil
	}
	if len(table) > st.room {
		q.m.Free(st.table, q.generation)
		st.room = 2 * len(table)
		var err error
		if st.table, err = q.m.Alloc(st.room); err != nil {
			st.room, st.table = 0, 0
			return err
		}
	}
	st.written = table
	return q.s.Write(st.table, table)
}

func (q *session) printBuffer() error {
	if q.print == 0 {
		at, err := q.m.Alloc(printRoom)
		if err != nil {
			return err
		}
		q.print = at
	}
	return q.s.Clear(q.print, ptx.PrintHead)
}

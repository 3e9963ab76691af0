package ptxsim

import (
	"errors"
	"fmt"
	"sort"
	"sync"
)

// The windows of generic addresses.
const (
	sharedWindow = 1 << 60
	localWindow  = 2 << 60
	paramWindow  = 3 << 60
	windowMask   = 15 << 60
)

// sharedStart is the offset of a launch's dynamic shared memory in a block's shared memory. The system reserves the
// bytes before it.
const sharedStart = 1024

// A Machine is a GPU's memory. Several goroutines may call its methods at once, but only one at a time may launch.
type Machine struct {
	// NaNs are the NaNs that arithmetic returns; nil: those of package numeric.
	NaNs *NaNs

	mu      sync.Mutex
	next    uint64
	regions []region // by address
}

type region struct {
	addr uint64
	mem  []byte
}

// NaNs is the NaN of each type.
type NaNs struct {
	F16     uint16
	F32     uint32
	F64     uint64
	Widened bool // a conversion to double keeps the NaN's bits
}

// New returns a machine without allocated memory.
func New() *Machine { return &Machine{next: 0x700000000} }

// Alloc returns the address of n zero bytes, a multiple of 256. The memory around them is not allocated.
func (m *Machine) Alloc(n int) uint64 { return m.Map(make([]byte, n)) }

// Map makes mem memory of the machine and returns its address.
func (m *Machine) Map(mem []byte) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	addr := m.next
	m.next += (uint64(len(mem))+255)&^255 + 256
	m.regions = append(m.regions, region{addr, mem})
	return addr
}

// Free releases the memory at an address.
func (m *Machine) Free(addr uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.regions {
		if r.addr == addr {
			m.regions = append(m.regions[:i], m.regions[i+1:]...)
			return
		}
	}
}

// Bytes returns n bytes at an address, nil if they are not allocated memory.
func (m *Machine) Bytes(addr uint64, n int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].addr > addr }) - 1
	if i < 0 {
		return nil
	}
	r := &m.regions[i]
	off := addr - r.addr
	if off > uint64(len(r.mem)) || uint64(n) > uint64(len(r.mem))-off {
		return nil
	}
	return r.mem[off : off+uint64(n)]
}

// ErrFault is wrapped by the errors of launches that would trap on a GPU.
var ErrFault = errors.New("illegal address or instruction")

// A trap is the panic of an instruction that traps on a GPU.
type trap struct{ msg string }

func fail(format string, args ...any) { panic(trap{fmt.Sprintf(format, args...)}) }

// The states of a thread.
type state uint8

const (
	running state = iota
	atBarrier
	atWarp // waits for other threads of its warp
	exited
)

// A thread is a thread of the block that runs.
type thread struct {
	b     *block
	id    [3]uint32
	lane  int // index in its warp
	warp  int
	state state
	fn    *function
	pc    int
	regs  []uint64
	calls []frame
	local []byte
	mask  uint32 // member mask of the warp-wide instruction at which it waits
	arg   uint64 // the operand of that instruction
	arg2  uint64
}

type frame struct {
	fn   *function
	pc   int
	regs []uint64
	rets []int // the caller's registers of the results
}

// A block is a running block of threads.
type block struct {
	m       *Machine
	mod     *Module
	params  []byte
	shared  []byte
	ctaid   [3]uint32
	nctaid  [3]uint32
	ntid    [3]uint32
	threads []thread
	cache   region
	text    string // of the current instruction
}

// Launch runs the entry of that name to its end.
func (mod *Module) Launch(entry string, grid, dim [3]uint32, shared int, params []byte) (err error) {
	fn := mod.funcs[entry]
	if fn == nil {
		return fmt.Errorf("no entry %s", entry)
	}
	b := &block{m: mod.m, mod: mod, params: params, shared: make([]byte, shared), nctaid: grid, ntid: dim}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case trap:
			err = fmt.Errorf("%w: %s at %q", ErrFault, r.msg, b.text)
		default:
			panic(r)
		}
	}()
	n := int(dim[0] * dim[1] * dim[2])
	if n < 1 || n > 1024 {
		return fmt.Errorf("a block of %d threads", n)
	}
	b.threads = make([]thread, n)
	for b.ctaid[2] = 0; b.ctaid[2] < grid[2]; b.ctaid[2]++ {
		for b.ctaid[1] = 0; b.ctaid[1] < grid[1]; b.ctaid[1]++ {
			for b.ctaid[0] = 0; b.ctaid[0] < grid[0]; b.ctaid[0]++ {
				b.start(fn)
				b.run()
			}
		}
	}
	return nil
}

// start initialises the threads for a new block. Shared and local memory are filled with a pattern, since their
// initial contents are undefined.
func (b *block) start(fn *function) {
	for i := range b.shared {
		b.shared[i] = 0xa5
	}
	for i := range b.threads {
		t := &b.threads[i]
		regs, local := t.regs, t.local
		if len(regs) != fn.regs {
			regs = make([]uint64, fn.regs)
		}
		clear(regs)
		if len(local) != fn.local {
			local = make([]byte, fn.local)
		}
		for k := range local {
			local[k] = 0xa5
		}
		n := uint32(i)
		*t = thread{b: b, fn: fn, regs: regs, local: local, lane: i % 32, warp: i / 32}
		t.id = [3]uint32{n % b.ntid[0], n / b.ntid[0] % b.ntid[1], n / b.ntid[0] / b.ntid[1]}
	}
}

// slice is the number of instructions that a thread executes in one turn.
const slice = 20000

// run lets the threads take turns until all have ended.
func (b *block) run() {
	for {
		left, ran := 0, false
		for i := range b.threads {
			t := &b.threads[i]
			if t.state == running {
				ran = true
				t.turn()
			}
			if t.state != exited {
				left++
			}
		}
		if left == 0 {
			return
		}
		if !ran && !b.meet() {
			fail("deadlock: no thread can go on")
		}
	}
}

func (t *thread) turn() {
	for range slice {
		in := &t.fn.code[t.pc]
		t.pc++
		if in.pred >= 0 && (t.regs[in.pred] != 0) == in.not {
			continue
		}
		if in.run(t); t.state != running {
			return
		}
	}
}

// meet releases the threads that have met at a barrier or at a warp-wide instruction. It reports whether there were
// any.
func (b *block) meet() bool {
	met := false
	for w := 0; w*32 < len(b.threads); w++ {
		warp := b.threads[w*32 : min(w*32+32, len(b.threads))]
		for i := range warp {
			if warp[i].state == atWarp && ready(warp, i) {
				met = true
				in := &warp[i].fn.code[warp[i].pc-1]
				b.text = in.text
				in.meet(warp, warp[i].mask)
				mask := warp[i].mask
				for k := range warp {
					if mask>>k&1 != 0 && warp[k].state == atWarp {
						warp[k].state = running
					}
				}
			}
		}
	}
	if met {
		return true
	}
	for i := range b.threads {
		if s := b.threads[i].state; s != atBarrier && s != exited {
			return false
		}
	}
	return b.release()
}

// release releases the threads at a barrier, and reports whether there were any. A barrier with a reduction gives each thread whether
// one of them has a predicate that is true.
func (b *block) release() (met bool) {
	at := func(t *thread) *inst { return &t.fn.code[t.pc-1] }
	some, reductions, waiting := uint64(0), 0, 0
	for i := range b.threads {
		if t := &b.threads[i]; t.state == atBarrier {
			waiting++
			if at(t).set != nil {
				reductions++
				some |= t.arg
			}
		}
	}
	if reductions != 0 && reductions != waiting {
		fail("barriers with and without a reduction meet")
	}
	for i := range b.threads {
		if t := &b.threads[i]; t.state == atBarrier {
			t.state = running
			if reductions != 0 {
				at(t).set(t, some)
			}
		}
	}
	return waiting != 0
}

// ready reports whether all threads that thread i of a warp waits for have arrived.
func ready(warp []thread, i int) bool {
	t := &warp[i]
	if t.mask>>i&1 == 0 {
		fail("thread is not in its mask %#x", t.mask)
	}
	for k := range warp {
		o := &warp[k]
		if t.mask>>k&1 != 0 && o.state != exited && (o.state != atWarp || o.fn != t.fn || o.pc != t.pc || o.mask != t.mask) {
			return false
		}
	}
	return true
}

// bytes returns n bytes at an address of a space.
func (t *thread) bytes(s space, addr uint64, n int) []byte {
	if addr%uint64(n) != 0 {
		fail("address %#x is not a multiple of %d", addr, n)
	}
	if s == generic {
		switch addr & windowMask {
		case sharedWindow:
			s, addr = sharedSpace, addr&^windowMask
		case localWindow:
			s, addr = localSpace, addr&^windowMask
		case paramWindow:
			s, addr = paramSpace, addr&^windowMask
		}
	}
	var mem []byte
	switch s {
	case sharedSpace:
		if mem, addr = t.b.shared, uint64(uint32(addr))-sharedStart; int64(addr) < 0 {
			fail("%d bytes of the system's shared memory", n)
		}
	case localSpace:
		mem = t.local
	case paramSpace:
		mem = t.b.params
	default:
		c := &t.b.cache
		if off := addr - c.addr; addr < c.addr || off+uint64(n) > uint64(len(c.mem)) {
			t.b.find(addr, n)
		}
		mem, addr = c.mem, addr-c.addr
	}
	if addr+uint64(n) > uint64(len(mem)) || addr+uint64(n) < addr {
		fail("%d bytes at %#x of %d", n, addr, len(mem))
	}
	return mem[addr : addr+uint64(n)]
}

func (b *block) find(addr uint64, n int) {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	i := sort.Search(len(b.m.regions), func(i int) bool { return b.m.regions[i].addr > addr }) - 1
	if i < 0 {
		fail("%d bytes at %#x", n, addr)
	}
	if r := b.m.regions[i]; addr-r.addr+uint64(n) > uint64(len(r.mem)) {
		fail("%d bytes at %#x, behind the %d of an allocation", n, addr, len(r.mem))
	}
	b.cache = b.m.regions[i]
}

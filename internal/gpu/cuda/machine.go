package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
)

// Open returns the GPUs of this computer. An error says why there are none.
func Open() ([]exec.Device, error) {
	list, err := Machines()
	var devices []exec.Device
	for _, m := range list {
		devices = append(devices, device.New(m))
	}
	return devices, err
}

// Machines returns the GPUs of this computer as machines.
func Machines() ([]device.Machine, error) {
	d, err := load()
	if err != nil {
		return nil, err
	}
	return d.machines()
}

func (d *driver) machines() (list []device.Machine, err error) {
	if err := d.start(); err != nil {
		return nil, err
	}
	count := new(int32)
	if err := d.call(cuDeviceGetCount, uintptr(unsafe.Pointer(count))); err != nil {
		return nil, err
	}
	if *count == 0 {
		return nil, errors.New("the NVIDIA driver finds no GPU")
	}
	for i := range int(*count) {
		m, merr := d.machine(i)
		if merr != nil {
			err = errors.Join(err, fmt.Errorf("GPU %d: %w", i, merr))
			continue
		}
		list = append(list, m)
	}
	return list, err
}

// Attributes of devices and functions.
const (
	attrMaxThreads   = 1
	attrMaxBlockX    = 2
	attrConstant     = 9
	attrClockKHz     = 13
	attrProcessors   = 16
	attrECC          = 32
	attrBus          = 33
	attrBusDevice    = 34
	attrCache        = 38 // of the second level
	attrBusDomain    = 50
	attrMajor        = 75
	attrMinor        = 76
	attrSharedOptIn  = 97
	funcMaxThreads   = 0
	funcMaxDynamic   = 8
	hostPortable     = 1
	hostDeviceMapped = 2
	streamNonBlock   = 1
	eventNoTiming    = 2
)

// maxConstant is the size of constant memory that the device reports. It is global memory, and programs fill what
// is reported.
const maxConstant = 64 << 20

// A machine is a GPU with a context of its own, which is created at the first use, and again after an error that
// ended it.
type machine struct {
	d      *driver
	dev    int32
	info   exec.Info
	more   exec.Details
	target string
	shared int // most bytes of shared memory of a block

	// mu is held for reading by calls within the context, for writing while the context is replaced: no call uses a
	// handle of a destroyed context.
	mu         sync.RWMutex
	ctx        uintptr // 0: none yet
	generation int     // of ctx
	lost       atomic.Bool
	next       atomic.Int64 // see Generation

	// needsCurrent is set if functions for streams and events need a current context. Newer drivers take the
	// stream's.
	needsCurrent atomic.Bool
	// silent is set if the driver does not write numbers to memory (see teller).
	silent atomic.Bool
}

func (d *driver) machine(n int) (*machine, error) {
	dev := new(int32)
	if err := d.call(cuDeviceGet, uintptr(unsafe.Pointer(dev)), uintptr(n)); err != nil {
		return nil, err
	}
	m := &machine{d: d, dev: *dev}
	m.next.Store(1)
	m.silent.Store(!d.has(cuStreamWriteValue32, cuStreamWriteValue32))
	name := make([]byte, 256)
	if err := d.call(cuDeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(m.dev)); err != nil {
		return nil, err
	}
	memory := new(uint64)
	if err := d.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(memory)), uintptr(m.dev)); err != nil {
		return nil, err
	}
	var err error
	attr := func(n int) int {
		x := new(int32)
		if e := d.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(x)), uintptr(n), uintptr(m.dev)); e != nil && err == nil {
			err = e
		}
		return int(*x)
	}
	major, minor := attr(attrMajor), attr(attrMinor)
	m.shared = attr(attrSharedOptIn)
	m.info = exec.Info{Kind: "gpu", Name: gostring(name), Vendor: "NVIDIA", Driver: "CUDA " + versionText(d.version), ComputeUnits: attr(attrProcessors),
		ClockMHz: attr(attrClockKHz) / 1000, Memory: *memory, MaxAlloc: *memory / 4 * 3, LocalMemory: uint64(m.shared) - device.LocalReserve, Constant: min(*memory/4, maxConstant),
		MaxGroup: attr(attrMaxThreads), MaxSizes: [3]int{attr(attrMaxBlockX), attr(attrMaxBlockX + 1), attr(attrMaxBlockX + 2)}, Lanes: 32}
	m.more = exec.Details{Cache: uint64(attr(attrCache)), ErrorCorrection: attr(attrECC) != 0,
		Bus: &[4]uint32{uint32(attr(attrBusDomain)), uint32(attr(attrBus)), uint32(attr(attrBusDevice))}}
	if err == nil && major < 7 {
		err = fmt.Errorf("%s has compute capability %d.%d, 7.0 or later is needed", m.info.Name, major, minor)
	}
	m.target = "sm_70"
	if major >= 8 { // later toolkits do not support older targets
		m.target = "sm_80"
	}
	return m, err
}

func (m *machine) Info() *exec.Info { return &m.info }

func (m *machine) Details() *exec.Details { return &m.more }

func (m *machine) Target() string { return m.target }

// Generation returns the number of the context in which the next work runs.
func (m *machine) Generation() int { return int(m.next.Load()) }

// enter makes the context current on this thread until leave is called. generation is that of the caller's handles,
// 0 if it has none.
func (m *machine) enter(generation int) error {
	m.mu.RLock()
	if m.ctx == 0 || m.lost.Load() {
		m.mu.RUnlock()
		if generation != 0 {
			return m.stale()
		}
		if err := m.renew(); err != nil {
			return err
		}
		m.mu.RLock()
	}
	if generation != 0 && generation != m.generation {
		m.mu.RUnlock()
		return m.stale()
	}
	runtime.LockOSThread()
	if err := m.d.call(cuCtxSetCurrent, m.ctx); err != nil {
		m.seen(err)
		m.leave()
		return err
	}
	return nil
}

// stale returns the error of calls with handles of a destroyed context.
func (m *machine) stale() error {
	return fmt.Errorf("%s: memory, code or a stream is %w", m.info.Name, device.ErrLost)
}

func (m *machine) leave() {
	runtime.UnlockOSThread()
	m.mu.RUnlock()
}

// renew creates the context, or replaces one that an error has ended.
func (m *machine) renew() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx != 0 && !m.lost.Load() {
		return nil
	}
	if m.ctx != 0 {
		m.d.call(cuCtxDestroy, m.ctx) // it may return the same error again
		m.ctx = 0
	}
	ctx := new(uintptr)
	if err := m.d.call(cuCtxCreate, uintptr(unsafe.Pointer(ctx)), 0, uintptr(m.dev)); err != nil {
		var e *Error
		if errors.As(err, &e) && sticky(e.Code) {
			return fmt.Errorf("%s: the driver does not recover from an earlier error in this process; start the program again: %w", m.info.Name, err)
		}
		return err
	}
	m.ctx = *ctx
	m.generation++
	m.next.Store(int64(m.generation))
	m.lost.Store(false)
	return nil
}

// call calls a function within the current context.
//
//go:uintptrescapes
func (m *machine) call(f function, args ...uintptr) error { return m.callOf(0, f, args...) }

// callOf calls a function with handles of a generation.
//
//go:uintptrescapes
func (m *machine) callOf(generation int, f function, args ...uintptr) error {
	if err := m.enter(generation); err != nil {
		return err
	}
	code := m.d.invoke(f, args)
	var err error
	if code != 0 {
		err = m.seen(m.d.failed(f, code))
	}
	m.leave()
	return err
}

// callStream is callOf for functions that take the context from a stream or an event. They are most of a short
// launch's calls.
//
//go:uintptrescapes
func (m *machine) callStream(generation int, f function, args ...uintptr) error {
	if code, ok := m.tryStream(generation, f, args); ok {
		if code == 0 {
			return nil
		}
		return m.d.failed(f, code)
	}
	return m.callOf(generation, f, args...)
}

// tryStream calls a function without a current context. ok is false if it has not run.
func (m *machine) tryStream(generation int, f function, args []uintptr) (code int32, ok bool) {
	if m.needsCurrent.Load() {
		return 0, false
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.ctx == 0 || m.lost.Load() || generation != m.generation {
		return 0, false
	}
	code = m.d.invoke(f, args)
	if code == errorInvalidContext || code == errorInvalidHandle {
		m.needsCurrent.Store(true)
		return 0, false
	}
	m.sees(code)
	return code, true
}

// ask calls a function that reports whether work is done.
func (m *machine) ask(generation int, f function, handle uintptr) (bool, error) {
	code, ok := m.tryStream(generation, f, []uintptr{handle})
	if !ok {
		if err := m.enter(generation); err != nil {
			return false, err
		}
		code = m.d.invoke(f, []uintptr{handle})
		m.sees(code)
		m.leave()
	}
	switch code {
	case 0:
		return true, nil
	case errorNotReady:
		return false, nil
	default:
		return false, m.d.failed(f, code)
	}
}

// seen returns err, and marks the context as unusable after a sticky error.
func (m *machine) seen(err error) error {
	if e, ok := err.(*Error); ok {
		m.sees(e.Code)
	}
	return err
}

// sees marks the context as unusable after a sticky error. The caller holds m.mu for reading.
func (m *machine) sees(code int32) {
	if sticky(code) && !m.lost.Swap(true) {
		m.next.Add(1)
	}
}

func (m *machine) Alloc(n int) (uint64, error) {
	addr := new(uint64)
	err := m.call(cuMemAlloc, uintptr(unsafe.Pointer(addr)), uintptr(n))
	var e *Error
	if errors.As(err, &e) && e.Code == errorOutOfMemory {
		return 0, fmt.Errorf("%s has no %d bytes of memory left: %w", m.info.Name, n, err)
	}
	return *addr, err
}

// Free releases memory. The memory of a lost context is gone already.
func (m *machine) Free(addr uint64, generation int) {
	if addr != 0 {
		m.callOf(generation, cuMemFree, uintptr(addr))
	}
}

// code is an entry function of a loaded module.
type code struct {
	m          *machine
	generation int
	module     *module
	fn         uintptr
	threads    int
	closed     atomic.Bool
	mu         sync.Mutex
	shared     int // bytes of shared memory that launches may request
}

// A module is unloaded when all its entry functions are closed.
type module struct {
	handle uintptr
	open   atomic.Int32 // entry functions
}

// plainShared is the shared memory that a block may use without a request to the driver.
const plainShared = 48 << 10

func (m *machine) Load(text, entry string) (device.Code, error) {
	list, err := m.LoadAll(text, entry)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// LoadAll loads a module and returns its entry functions of the given names.
func (m *machine) LoadAll(text string, entries ...string) ([]device.Code, error) {
	image, err := m.image(text)
	if err != nil {
		return nil, err
	}
	generation, handle := m.Generation(), new(uintptr)
	if err := m.call(cuModuleLoadData, uintptr(unsafe.Pointer(handle)), uintptr(unsafe.Pointer(&image[0]))); err != nil {
		if _, lerr := m.link(text, false); lerr != nil {
			err = lerr
		}
		return nil, err
	}
	mod := &module{handle: *handle}
	mod.open.Store(int32(len(entries)))
	list := make([]device.Code, len(entries))
	for i, entry := range entries {
		c := &code{m: m, generation: generation, module: mod, shared: plainShared}
		list[i] = c
		if err == nil {
			err = c.find(entry)
		}
	}
	if err != nil {
		for _, c := range list {
			c.Close()
		}
		return nil, err
	}
	return list, nil
}

// find finds the function in the module.
func (c *code) find(entry string) error {
	fn, n := new(uintptr), new(int32)
	err := c.m.callOf(c.generation, cuModuleGetFunction, uintptr(unsafe.Pointer(fn)), c.module.handle, uintptr(unsafe.Pointer(cstring(entry))))
	if err != nil {
		return err
	}
	c.fn = *fn
	err = c.m.callOf(c.generation, cuFuncGetAttribute, uintptr(unsafe.Pointer(n)), funcMaxThreads, c.fn)
	c.threads = int(*n)
	return err
}

func (c *code) MaxThreads() int { return c.threads }

func (c *code) Close() {
	c.closed.Store(true)
	if c.module.open.Add(-1) == 0 {
		c.m.callOf(c.generation, cuModuleUnload, c.module.handle)
	}
}

// allow requests so much shared memory for launches.
func (c *code) allow(shared int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if shared <= c.shared {
		return nil
	}
	err := c.m.callOf(c.generation, cuFuncSetAttribute, c.fn, funcMaxDynamic, uintptr(shared))
	if err == nil {
		c.shared = shared
	}
	return err
}

// registered keeps the pages of Go's memory that the driver has registered for signals. They must not be reused
// until the driver has released them, even if their stream or machine is no longer referenced.
var registered sync.Map

// hostPage is the granularity in bytes of registered host memory.
const hostPage = 4096

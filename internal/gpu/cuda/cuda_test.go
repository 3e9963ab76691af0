package cuda

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/run/exec"
)

// A fakeLib replaces libcuda.
type fakeLib struct {
	version int32
	devices int32
	memory  uint64 // bytes that can be allocated
	next    uint64
	code    map[function]int32 // error codes that functions return
	stuck   bool               // launched kernels run until the host stops them
	endless bool               // such a kernel is running
	signals []uint32
	image   []byte
	loads   int // number of PTX compilations

	optionsFreed *atomic.Bool // whether the memory of the linker's options is free
	freedEarly   bool         // it was before cuLinkDestroy

	store []byte // of the device, nil: copies do nothing

	strict  bool // functions for streams need a current context: that the call before has set it
	before  function
	refused int // of these

	contexts, destroyed, freed, waits int

	slow    bool // work takes longer than the host looks for its end
	started []startedLaunch
	graphs  [][]startedLaunch // by handle - 1
	batches int               // launches of graphs
	sets    int               // kernels of graphs that were set
	killed  int               // graphs that were destroyed
}

// A startedLaunch is what a kernel was started with.
type startedLaunch struct {
	fn     uintptr
	blocks uint32
	n      uint64 // the first bytes of its parameter
}

var names = map[int32]string{2: "CUDA_ERROR_OUT_OF_MEMORY", 100: "CUDA_ERROR_NO_DEVICE", 218: "CUDA_ERROR_INVALID_PTX", 700: "CUDA_ERROR_ILLEGAL_ADDRESS"}

func newFake() *fakeLib {
	return &fakeLib{version: 12080, devices: 1, memory: 1 << 20, next: 1 << 33, code: map[function]int32{}, image: []byte("machine code")}
}

func at[T any](x uintptr) *T { return *(**T)(unsafe.Pointer(&x)) }

func (f *fakeLib) call(fn function, args []uintptr) int32 {
	if c := f.code[fn]; c != 0 {
		return c
	}
	before := f.before
	f.before = fn
	switch fn {
	case cuLaunchKernel, cuGraphLaunch, cuStreamWriteValue32, cuStreamSynchronize, cuStreamQuery, cuEventRecord, cuEventSynchronize, cuEventQuery:
		if f.strict && before != cuCtxSetCurrent {
			f.refused++
			return errorInvalidContext
		}
	}
	switch fn {
	case cuDriverGetVersion:
		*at[int32](args[0]) = f.version
	case cuDeviceGetCount:
		*at[int32](args[0]) = f.devices
	case cuDeviceGetName:
		copy(unsafe.Slice(at[byte](args[0]), args[1]), "Fake GPU\x00")
	case cuDeviceTotalMem:
		*at[uint64](args[0]) = f.memory
	case cuDeviceGetAttribute:
		*at[int32](args[0]) = map[uintptr]int32{attrMajor: 9, attrSharedOptIn: 232448, attrProcessors: 132, attrMaxThreads: 1024}[args[1]]
	case cuFuncGetAttribute:
		*at[int32](args[0]) = 1024
	case cuMemAlloc:
		if uint64(args[1]) > f.memory {
			return errorOutOfMemory
		}
		*at[uint64](args[0]) = f.next
		f.next += (uint64(args[1]) + 255) &^ 255
	case cuCtxCreate:
		f.contexts++
		*at[uintptr](args[0]) = uintptr(f.contexts)
	case cuCtxDestroy:
		f.destroyed++
	case cuMemFree:
		f.freed++
	case cuMemHostRegister:
		if args[1] == device.SignalsRoom+tellerRoom {
			f.signals = unsafe.Slice(at[uint32](args[0]), device.SignalsRoom/4)
		}
	case cuMemcpyHtoDAsync, cuMemcpyDtoHAsync:
		f.copyBytes(fn, args)
	case cuEventElapsedTime:
		*at[float32](args[0]) = 0.25
	case cuMemHostGetDevicePointer:
		*at[uint64](args[0]) = uint64(args[1])
	case cuStreamWriteValue32:
		if !f.endless && !f.slow && f.code[cuStreamSynchronize] == 0 { // else a kernel has failed
			atomic.StoreUint32(at[uint32](args[1]), uint32(args[2]))
		}
	case cuLaunchKernel:
		f.endless = f.stuck
		f.started = append(f.started, startedLaunch{args[0], uint32(args[1]), **at[*uint64](args[9])})
	case cuGraphCreate:
		f.graphs = append(f.graphs, nil)
		*at[uintptr](args[0]) = uintptr(len(f.graphs))
	case cuGraphAddKernelNode:
		g := &f.graphs[args[1]-1]
		if len(*g) > 0 && *at[uintptr](args[2]) != uintptr(len(*g)) || uintptr(min(len(*g), 1)) != args[3] {
			panic("a kernel does not follow the one before it")
		}
		*g = append(*g, startedLaunch{})
		*at[uintptr](args[0]) = uintptr(len(*g))
	case cuGraphInstantiate:
		*at[uintptr](args[0]) = args[1]
	case cuGraphExecKernelNodeSetParams:
		f.sets++
		p := at[nodeParams](args[2])
		f.graphs[args[0]-1][args[1]-1] = startedLaunch{p.fn, p.blocks[0], **(**uint64)(p.params)}
	case cuGraphExecDestroy:
		f.killed++
	case cuGraphLaunch:
		f.batches++
		f.started = append(f.started, f.graphs[args[0]-1]...)
	case cuLinkCreate: // the driver writes to the options' values until cuLinkDestroy
		f.optionsFreed = new(atomic.Bool)
		runtime.AddCleanup(at[[3]uintptr](args[2]), func(freed *atomic.Bool) { freed.Store(true) }, f.optionsFreed)
	case cuLinkDestroy:
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		f.freedEarly = f.freedEarly || f.optionsFreed.Load()
	case cuLinkAddData:
		f.loads++
	case cuLinkComplete:
		*at[unsafe.Pointer](args[1]) = unsafe.Pointer(&f.image[0])
		*at[uintptr](args[2]) = uintptr(len(f.image))
	case cuStreamSynchronize:
		f.waits++
		for f.endless && atomic.LoadUint32(&f.signals[ptx.SignalStop/4]) == 0 {
			time.Sleep(time.Millisecond)
		}
		if f.endless {
			atomic.StoreUint32(&f.signals[ptx.SignalStopped/4], 1)
		}
		f.endless = false
	case cuGetErrorName, cuGetErrorString:
		name := cstring(names[int32(args[0])])
		*at[*byte](args[1]) = name
	}
	return 0
}

func (f *fakeLib) open(t testing.TB) []device.Machine {
	t.Helper()
	list, err := (&driver{fake: f.call}).machines()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestAbsent opens GPUs without a driver, and with unusable ones.
func TestAbsent(t *testing.T) {
	if _, err := os.Stat("/dev/nvidiactl"); err != nil {
		if list, err := Open(); err == nil || len(list) > 0 || !strings.Contains(err.Error(), "driver") {
			t.Errorf("got %d devices, %v", len(list), err)
		}
	}
	for _, c := range []struct {
		spoil func(f *fakeLib)
		want  string
	}{
		{func(f *fakeLib) { f.version = 11040 }, "the NVIDIA driver is too old: it is for CUDA 11.4, 11.7 or later is needed"},
		{func(f *fakeLib) { f.code[cuInit] = errorNoDevice }, "the NVIDIA driver finds no GPU: cuInit: CUDA_ERROR_NO_DEVICE (100)"},
		{func(f *fakeLib) { f.devices = 0 }, "the NVIDIA driver finds no GPU"},
		{func(f *fakeLib) { f.code[cuDeviceTotalMem] = 999 }, "GPU 0: cuDeviceTotalMem_v2: "},
	} {
		f := newFake()
		c.spoil(f)
		if _, err := (&driver{fake: f.call}).machines(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestOutOfMemory(t *testing.T) {
	dev := device.New(newFake().open(t)[0])
	if m, err := dev.Allocate(1 << 10); err != nil || m.Size() != 1<<10 {
		t.Fatal(err)
	}
	_, err := dev.Allocate(1<<20 - 1)
	if err == nil || !strings.Contains(err.Error(), "more than the device allocates at once") {
		t.Errorf("got %v", err)
	}
	f := newFake()
	dev = device.New(f.open(t)[0])
	f.memory = 0
	_, err = dev.Allocate(100)
	var e *Error
	if !errors.As(err, &e) || e.Name != "CUDA_ERROR_OUT_OF_MEMORY" || !strings.Contains(err.Error(), "Fake GPU has no 100 bytes of memory left") {
		t.Errorf("got %v", err)
	}
}

// A fixture is a program on a fake GPU: a kernel, its argument and a queue.
type fixture struct {
	f   *fakeLib
	dev exec.Device
	k   exec.Kernel
	m   exec.Memory
	q   exec.Queue
}

func newFixture(t testing.TB, f *fakeLib) *fixture {
	t.Helper()
	t.Setenv("CUDA_CACHE_DISABLE", "1")
	x := &fixture{f: f, dev: device.New(f.open(t)[0])}
	res, err := compile.Compile(context.Background(), "k.cl", []byte("constant int v[2] = {3, 4}; kernel void k(global int *p) { while (p[0]) p[1] += v[p[0] & 1]; }"), nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := x.dev.Load(&exec.Module{Module: res.Module})
	if err == nil {
		t.Cleanup(func() { prog.Close() })
		x.k, err = prog.Kernel("k")
	}
	if err == nil {
		x.m, err = x.dev.Allocate(8)
	}
	if err == nil {
		x.q, err = x.dev.NewQueue()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.q.Close)
	return x
}

func (x *fixture) launch(ctx context.Context, t *testing.T) (*exec.Launch, error) {
	t.Helper()
	l := &exec.Launch{Kernel: x.k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: x.m}}}
	var err error
	if l.Range, err = x.k.Resolve(exec.Range{Global: []uint64{64}}); err != nil {
		t.Fatal(err)
	}
	err = x.q.Launch(ctx, l)
	if werr := x.q.Wait(ctx); err == nil {
		err = werr
	}
	return l, err
}

func TestLaunch(t *testing.T) {
	l, err := newFixture(t, newFake()).launch(context.Background(), t)
	if err != nil || len(l.Report.Findings) > 0 || l.Report.Executor != "ptx" {
		t.Errorf("%v %+v", err, l.Report)
	}
}

func TestCancelled(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(context.Background())
	defer time.AfterFunc(20*time.Millisecond, cancel).Stop()
	f.stuck = true
	if _, err := newFixture(t, f).launch(ctx, t); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestLostContext lets the driver report an error that ends the context: its memory is lost, and new work runs in a
// new context with the same kernel and queue.
func TestLostContext(t *testing.T) {
	f := newFake()
	x := newFixture(t, f)
	if _, err := x.launch(context.Background(), t); err != nil {
		t.Fatal(err)
	}
	first := f.contexts
	f.code[cuStreamSynchronize] = 700
	var e *Error
	if _, err := x.launch(context.Background(), t); !errors.As(err, &e) || e.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" {
		t.Errorf("got %v", err)
	}
	delete(f.code, cuStreamSynchronize)
	for range 2 {
		if _, err := x.launch(context.Background(), t); !errors.Is(err, device.ErrLost) || !strings.Contains(err.Error(), "argument 0 (p)") {
			t.Errorf("with a lost buffer: %v", err)
		}
	}
	if err := x.q.Write(x.m, make([]byte, 8)); !errors.Is(err, device.ErrLost) {
		t.Errorf("a write to a lost buffer: %v", err)
	}
	lost := x.m
	var err error
	if x.m, err = x.dev.Allocate(8); err != nil {
		t.Fatal(err)
	}
	if _, err := x.launch(context.Background(), t); err != nil {
		t.Errorf("in the new context: %v", err)
	}
	freed := f.freed
	lost.Free() // its address may belong to another allocation now
	if f.freed != freed {
		t.Error("memory of a lost context was freed")
	}
	if first != 1 || f.contexts != 2 || f.destroyed != 1 {
		t.Errorf("%d contexts, then %d, of which %d were destroyed", first, f.contexts, f.destroyed)
	}
	f.code[cuMemAlloc], f.code[cuCtxCreate] = 719, 719
	for range 2 { // the driver does not recover
		if _, err := x.dev.Allocate(8); !errors.As(err, &e) || e.Code != 719 {
			t.Errorf("got %v", err)
		}
	}
}

// TestCache checks that a module is compiled once for all programs of a user.
func TestCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CUDA_CACHE_DISABLE", "")
	f := newFake()
	for _, text := range []string{"a", "a", "b", "a"} {
		if _, err := f.open(t)[0].Load(text, "kernel"); err != nil {
			t.Fatal(err)
		}
	}
	if f.loads != 2 {
		t.Errorf("compiled %d times, want 2", f.loads)
	}
	if f.freedEarly {
		t.Error("the linker's options were freed before cuLinkDestroy, which may write to them")
	}
	f.version++ // another driver
	if _, err := f.open(t)[0].Load("a", "kernel"); err != nil || f.loads != 3 {
		t.Errorf("compiled %d times, %v", f.loads, err)
	}
	f.code[cuLinkAddData] = 218
	if _, err := f.open(t)[0].Load("c", "kernel"); err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_INVALID_PTX") {
		t.Errorf("got %v", err)
	}
}

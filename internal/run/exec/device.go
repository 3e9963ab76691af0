package exec

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// A Device runs kernels. Its methods may be called by several goroutines at once.
type Device interface {
	// Info describes the device.
	Info() *Info
	// Load prepares a program's code and variables.
	Load(m *Module) (Program, error)
	// Allocate returns memory of size zero bytes, size > 0.
	Allocate(size int) (Memory, error)
	// Wrap returns mem as memory of the device. The error wraps errors.ErrUnsupported if kernels cannot access the
	// host's memory.
	Wrap(mem []byte) (Memory, error)
	// NewQueue returns a queue for work.
	NewQueue() (Queue, error)
}

// Info describes a device. Sizes are in bytes.
type Info struct {
	Kind         string // "cpu" or "gpu", as for Find
	Name         string // product name
	Vendor       string
	Driver       string // its version
	ComputeUnits int
	ClockMHz     int
	Memory       uint64 // global memory
	MaxAlloc     uint64 // the largest memory object
	LocalMemory  uint64 // of a work-group
	Constant     uint64 // constant memory of a kernel
	MaxGroup     int    // work-items of a work-group
	MaxSizes     [3]int // work-items of a work-group in each dimension
	Lanes        int    // 32-bit values in a vector register: the work-items of a gang
	SharesMemory bool   // Wrap works
	Checks       bool   // launches may have checks beyond those of bounds
}

// A Described device has more properties than Info. The driver passes them on to programs.
type Described interface{ Details() *Details }

// Details are properties of a device that kernels do not depend on.
type Details struct {
	Cache           uint64 // bytes of the cache of global memory
	ErrorCorrection bool   // of the memory
	// Bus is where the device is on the PCI bus: domain, bus, device and function; nil if unknown.
	Bus *[4]uint32
}

// A Module is a compiled program.
type Module struct {
	*ssa.Module
	// Checked compiles the program again so that launches with checks see every access;
	// nil: Module has them all. It is called at most once.
	Checked func() (*ssa.Module, error)
	// NonUniform allows work-groups at the edges to be smaller.
	NonUniform bool
}

// A Program is a module on a device. Its variables keep their values from launch to launch.
type Program interface {
	// Kernel returns the kernel of the module with that name.
	Kernel(name string) (Kernel, error)
	// Close releases the program. A second call has no effect.
	Close() error
}

// A Kernel is code that can be launched.
type Kernel interface {
	// Resolve checks a range and chooses the local size if it is not given.
	Resolve(r Range) (NDRange, error)
	// Memory returns the local memory in bytes of a work-group and the private memory of a work-item, without
	// arguments.
	Memory() (local, private int64)
	// LocalVariables returns the bytes of local memory that the kernel's variables occupy. Arguments follow
	// them.
	LocalVariables() int64
	// Times returns the durations of the code's compilation and of the first launches.
	Times() timing.Times
}

// A Memory is a memory object of a device.
type Memory interface {
	// Size returns its bytes.
	Size() int
	// Bytes returns the memory itself, nil if the host cannot access it.
	Bytes() []byte
	// Part returns n bytes from off on, which share the memory. It needs no Free.
	Part(off, n int) Memory
	// Free releases memory that Allocate returned. A second call has no effect.
	Free()
}

// A Queue executes work in order. Only one goroutine at a time may use it. Its methods may return before the work
// is done; host memory passed to them must not change until Wait returns.
type Queue interface {
	Write(dst Memory, src []byte) error
	Read(dst []byte, src Memory) error
	Copy(dst, src Memory) error
	// Launch runs a kernel. The error concerns the launch as a whole; mistakes of the kernel are findings in
	// l.Report. ctx ends a running launch. l is the queue's until Wait returns.
	Launch(ctx context.Context, l *Launch) error
	// Wait waits until all work is done. It returns the first error that no other method has returned.
	Wait(ctx context.Context) error
	// Close releases the queue. Its work must be done.
	Close()
}

// An AsyncQueue is a queue whose work can be waited for in parts, while more work is added.
type AsyncQueue interface {
	Queue
	// Begun returns a number. The work so far is the work before it.
	Begun() uint64
	// Mark puts a mark behind the work so far. timed allows its method Since.
	Mark(timed bool) (Mark, error)
	// Tail returns a mark that stands behind the work so far whenever it is asked. It is for one use, at once.
	Tail() Mark
	// Flush starts the launches that have not started yet (Launch.More).
	Flush()
	// Settle ends the work before a number: it fills in the reports of launches and the memory of reads. The work
	// is done, or has failed with err.
	Settle(end uint64, err error)
}

// A Mark is a point in a queue's work. Several goroutines may use it at once, and while another uses the queue.
type Mark interface {
	// Done reports whether the work before the mark is done. Wait waits for it. Their error is the device's; it
	// concerns all work that is not settled.
	Done() (bool, error)
	Wait() error
	// Since returns the time that passed on the device since an earlier mark. Both must be timed and done.
	Since(earlier Mark) (time.Duration, error)
	// Release frees the mark.
	Release()
}

// A Launch is one execution of a kernel, and then its report.
type Launch struct {
	Kernel   Kernel
	Args     []Arg
	Range    NDRange // a result of Resolve
	Checks   Checks
	Faults   FaultMode
	Stdout   io.Writer // output of printf, in order of work-groups; nil: discarded
	Progress func(done, total int64)
	Trace    Trace        // records the steps; may be nil
	Workers  int          // most threads; 0: the device's choice
	Stop     *atomic.Bool // becomes true to end the launch; may be nil
	Timed    bool         // measure Report.Took
	More     bool         // the caller uses the queue again at once, and the launch may start with the next
	Report   Report
}

// A Trace is called at the end of each step with its actor ("queue", "worker 0"), its name, and its begin and
// end (timing.Now). Several goroutines call it at once.
type Trace func(who, what string, began, ended int64)

// A Report is the outcome of a launch.
type Report struct {
	Findings []*Finding // in order of work-groups
	Executor string     // the executor that ran it
	Fallback *Fallback  // why the reference executor ran it although another one was requested, or nil
	// Err is the launch's error if Wait returned it, or another error in its place.
	Err error
	// Took is the kernel's duration by the device's own clock, if the launch was timed and the device has a clock.
	Took time.Duration
}

// An ArgKind is the kind of an argument.
type ArgKind uint8

// The kinds.
const (
	NoArg      ArgKind = iota
	ValueArg           // Bytes: a scalar, vector or struct in its memory layout
	SliceArg           // Bytes: host memory used in place, on devices that share memory
	MemoryArg          // Memory; nil is the null pointer
	LocalArg           // Size bytes of local memory
	ImageArg           // Image, whose Data is the host's; also Memory if the device has its own copy
	SamplerArg         // Sampler
)

// An Arg is an argument of a launch.
type Arg struct {
	Kind     ArgKind
	Bytes    []byte
	Memory   Memory
	Size     int64
	Image    *image.Image
	Sampler  opencl.Sampler
	ReadOnly bool // of memory and images: kernels must not write to it
}

// A Range is the index space of a launch: 1 to 3 dimensions. Offset may be nil for zeros,
// Local nil to let the device choose.
type Range struct {
	Global []uint64
	Local  []uint64
	Offset []uint64
}

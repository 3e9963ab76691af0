package device

import (
	"errors"

	"github.com/purecl/purecl/internal/run/exec"
)

// ErrLost is the error of memory, code or a stream whose context an earlier error of the device has ended.
var ErrLost = errors.New("lost with an earlier error of the device")

// LocalReserve is the shared memory of a block beside what Info calls local memory. The kernels' runtime and the
// alignment of objects take it.
const LocalReserve = 1024

// A Machine is a GPU. Its methods may be called by several goroutines at once. Addresses are in its global memory.
type Machine interface {
	Info() *exec.Info
	Details() *exec.Details
	// Target is the ".target" of modules for the machine, such as "sm_70".
	Target() string
	// Generation numbers the machine's contexts, from 1 on. An error that ends a context takes its memory, modules
	// and streams with it; work continues in the next context. Calls with handles of an earlier generation return
	// an error that wraps ErrLost.
	Generation() int
	// Alloc returns the address of n > 0 bytes, a multiple of 256. Their contents are undefined.
	Alloc(n int) (uint64, error)
	// Free releases memory that Alloc returned in a generation.
	Free(addr uint64, generation int)
	// Load loads a module with one entry function.
	Load(text, entry string) (Code, error)
	NewStream() (Stream, error)
	// Assemble returns the machine code of a module, as an object file for the system's tools.
	Assemble(text string) ([]byte, error)
}

// Code is a loaded module.
type Code interface {
	// MaxThreads is the greatest number of threads in a block.
	MaxThreads() int
	Close()
}

// A Stream does work in order. One goroutine uses it at a time, except that others may call Sync and Idle.
type Stream interface {
	// Write has read src when it returns. Read waits for the work before it and has set dst, unless dst is memory of
	// Pinned.
	Write(dst uint64, src []byte) error
	Read(dst []byte, src uint64) error
	Copy(dst, src uint64, n int) error
	Clear(dst uint64, n int) error
	// Launch starts a grid of blocks. It copies g.Params, the entry's parameter. If the launch starts later and fails,
	// the next wait for the stream or for a mark returns the error.
	Launch(c Code, g *Grid) error
	// Flush starts the launches that have not started yet (Grid.More).
	Flush()
	// Wait waits until all work is done and returns its first error.
	Wait() error
	// Sync waits until the work so far is done. Idle reports whether it is.
	Sync() error
	Idle() (bool, error)
	// Signals returns memory of SignalsRoom bytes that host and kernels share, and its address on the device.
	Signals() ([]uint32, uint64)
	// Pinned returns n bytes of host memory, which the stream frees. It must not change while a Read to it has not been
	// waited for.
	Pinned(n int) ([]byte, error)
	// Mark puts a mark behind the work so far. timed allows its method Since.
	Mark(timed bool) (exec.Mark, error)
	Close()
}

// SignalsRoom is the size of a stream's signals in bytes: those of many launches.
const SignalsRoom = 4096

// A Grid describes a launch by Stream.Launch.
type Grid struct {
	Blocks, Threads [3]uint32
	Shared          int // shared memory of a block in bytes
	Params          []byte
	// More promises that the caller uses the stream again at once, so that the launch may start with the next.
	More bool
}

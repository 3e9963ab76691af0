package device

import (
	"context"
	"errors"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// ErrLost is the error of memory whose contents an earlier error of the device has taken.
var ErrLost = errors.New("lost with an earlier error of the device")

// A Machine is a GPU. Its methods may be called by several goroutines at once. Addresses are
// those of its global memory.
type Machine interface {
	Info() *exec.Info
	// Target is the ".target" that modules are made for, such as "sm_70".
	Target() string
	// Generation numbers the contexts of the machine, from 1 on. An error that ends one takes its
	// memory, modules and streams with it; work goes on in the next. Calls with what is of an earlier
	// one than the present return an error that wraps ErrLost.
	Generation() int
	// Alloc returns the address of n bytes, n > 0, a multiple of 256. Their contents are open.
	Alloc(n int) (uint64, error)
	// Free gives memory back that a generation allocated.
	Free(addr uint64, generation int)
	// Load makes a module ready that has one entry.
	Load(text, entry string) (Code, error)
	NewStream() (Stream, error)
	// Assemble returns the machine code of a module, as a file of the system's tools.
	Assemble(text string) ([]byte, error)
}

// Code is a module that is ready.
type Code interface {
	// MaxThreads is the greatest number of threads of a block.
	MaxThreads() int
	Close()
}

// A Stream does work in order. It is used by one goroutine at a time. Memory of the host must
// not change until Wait returns.
type Stream interface {
	Write(dst uint64, src []byte) error
	Read(dst []byte, src uint64) error
	Copy(dst, src uint64, n int) error
	Clear(dst uint64, n int) error
	// Launch starts a grid of blocks; params is the entry's parameter, which is copied.
	Launch(c Code, g *Grid) error
	// Wait waits until all work is done and returns its first error. Where ctx ends, it calls
	// stop once and goes on waiting.
	Wait(ctx context.Context, stop func()) error
	// Signals is memory of ptx.SignalsSize bytes that host and kernels see at once, and its
	// address.
	Signals() ([]uint32, uint64)
	// Begin and End mark times between work; Elapsed is the time from one to the other once Wait
	// has returned.
	Begin() error
	End() error
	Elapsed() (time.Duration, error)
	Close()
}

// A Grid is what Stream.Launch starts.
type Grid struct {
	Blocks, Threads [3]uint32
	Shared          int // bytes of a block
	Params          []byte
}

package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// BaseAlign is the alignment of allocated memory in bytes: the size of long16, the strictest alignment of OpenCL
// C's types.
const BaseAlign = 128

// AlignedBytes returns n zero bytes whose address is a multiple of [BaseAlign].
func AlignedBytes(n int) []byte {
	b := make([]byte, n+BaseAlign)
	off := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (BaseAlign - 1))
	return b[off : off+n : off+n]
}

// LargeFrom is the size in bytes from which on memory uses large pages.
const LargeFrom = 16 << 20

// An Allocator returns n zero bytes aligned to [BaseAlign], and a function that frees them. It returns nil if the
// system has no more memory.
type Allocator func(n int) ([]byte, func())

// A memory is memory of the process.
type memory struct {
	view  launch.Buffer // the object of kernels' accesses
	guard launch.Buffer // the same memory as a read-only object
	mu    sync.Mutex
	free  func() // nil if the memory was not allocated, and after it was freed
}

func newMemory(mem []byte, free func()) *memory {
	return &memory{view: launch.Buffer{Data: mem}, guard: launch.Buffer{Data: mem, ReadOnly: true}, free: free}
}

// Allocate returns memory from Go's heap.
func (d *Device) Allocate(size int) (exec.Memory, error) {
	return d.AllocateFrom(size, func(n int) ([]byte, func()) { return AlignedBytes(n), func() {} })
}

// AllocateFrom is [Device.Allocate] with memory from an allocator, for hosts in other languages that keep the
// address.
func (d *Device) AllocateFrom(size int, alloc Allocator) (exec.Memory, error) {
	if uint64(size) > d.info.MaxAlloc {
		return nil, fmt.Errorf("%d bytes are more than the device allocates at once (%d)", size, d.info.MaxAlloc)
	}
	if !allocated.take(size, d.info.Memory) {
		return nil, fmt.Errorf("%d bytes more than the device's memory holds (%d)", size, d.info.Memory)
	}
	mem, free := alloc(size)
	if mem == nil {
		allocated.give(size)
		return nil, fmt.Errorf("the system has no %d bytes", size)
	}
	if size >= LargeFrom {
		largePages(mem)
	}
	return newMemory(mem, func() { free(); allocated.give(size) }), nil
}

// Wrap returns mem as memory of the device.
func (d *Device) Wrap(mem []byte) (exec.Memory, error) { return newMemory(mem, nil), nil }

func (m *memory) Size() int { return len(m.view.Data) }

func (m *memory) Bytes() []byte { return m.view.Data }

func (m *memory) Part(off, n int) exec.Memory {
	return newMemory(m.view.Data[off:off+n:off+n], nil)
}

func (m *memory) Free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.free != nil {
		m.free()
		m.free = nil
	}
}

// seen returns the object that a launch uses.
func (m *memory) seen(readOnly bool) *launch.Buffer {
	if readOnly {
		return &m.guard
	}
	return &m.view
}

// Allocated returns the bytes of all allocated memory.
func Allocated() int64 { return allocated.Load() }

// allocated counts the bytes of all allocated memory.
var allocated memoryCount

type memoryCount struct{ atomic.Int64 }

// take reserves n bytes unless they would exceed the limit.
func (m *memoryCount) take(n int, limit uint64) bool {
	for try := range 3 {
		if try > 0 { // unused memory is counted until it is collected
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if total := m.Add(int64(n)); uint64(total) <= limit {
			return true
		}
		m.Add(-int64(n))
	}
	return false
}

func (m *memoryCount) give(n int) { m.Add(-int64(n)) }

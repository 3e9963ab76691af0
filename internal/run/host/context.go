package host

import (
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/cpu"
)

// A Context groups the objects that work together: memory objects, programs, queues and events (OpenCL API,
// "Contexts", 4.4).
type Context struct {
	devices []*Device
	notify  func(message string)
	notices func(*Notice) // replaces notify, or is nil
	dump    func(name, ssa string)
	profile *jit.Profile // nil: no profile is collected
	alloc   Allocator    // nil: memory of Go's heap
	remotes bool         // some devices have memory of their own
}

// An Allocator returns n zero bytes, aligned to 128, and a value that frees them once nothing refers to it any
// more. It returns nil where memory is exhausted.
type Allocator = cpu.Allocator

// NewContext returns a context of the devices. notify, which may be nil, is called for errors outside of any
// call, such as a fault in a kernel, from any goroutine.
func NewContext(notify func(message string), devices ...*Device) (*Context, error) {
	if len(devices) == 0 {
		return nil, failf(opencl.InvalidValue, "a context needs at least one device")
	}
	c := &Context{notify: notify}
	for _, d := range devices {
		if err := d.valid(); err != nil {
			return nil, err
		}
		if !c.has(d) {
			c.devices = append(c.devices, d)
			c.remotes = c.remotes || d.remote != nil
		}
	}
	return c, nil
}

// Devices returns the context's devices, each once.
func (c *Context) Devices() []*Device { c = or(c); return append([]*Device(nil), c.devices...) }

// SetDump makes each build call fn with the optimised intermediate code of the program. It must be called before
// the context is used.
func (c *Context) SetDump(fn func(name, ssa string)) { c = or(c); c.dump = fn }

// SetProfile makes p collect where the time of the context's kernels goes. It must be called before the context is
// used.
func (c *Context) SetProfile(p *jit.Profile) { c = or(c); c.profile = p }

// SetAllocator makes memory objects use memory from alloc, because hosts in other languages keep pointers to it
// that the garbage collector does not see. Call it before the context is used.
func (c *Context) SetAllocator(alloc Allocator) { c = or(c); c.alloc = alloc }

func (c *Context) has(d *Device) bool {
	for _, x := range c.devices {
		if x == d {
			return true
		}
	}
	return false
}

// DefaultContext is the context of the default device, which [Compile] uses.
var DefaultContext = sync.OnceValue(func() *Context { return &Context{devices: []*Device{DefaultDevice()}} })

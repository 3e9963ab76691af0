package purecl

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	_ "github.com/purecl/purecl/internal/run/cpu" // registers the processor
	"github.com/purecl/purecl/internal/run/exec"
)

// A Device runs kernels. Its methods may be called by several goroutines at once.
type Device struct {
	exec exec.Device
	id   string // such as "gpu:1"
	life
	queues sync.Pool // holds *idleQueue
}

// Info describes a device. Sizes are in bytes.
type Info struct {
	Kind         string // "cpu" or "gpu", as for [Open]
	Name         string // of the product
	Vendor       string
	Driver       string // its version
	ComputeUnits int
	ClockMHz     int
	Memory       uint64 // global memory
	MaxAlloc     uint64 // size of the largest buffer
	LocalMemory  uint64 // of a work-group
	Constant     uint64 // constant memory of a kernel
	MaxGroup     int    // the largest number of work-items of a work-group
	MaxSizes     [3]int // the same in each dimension
	Lanes        int    // number of work-items that run side by side on 32-bit values
	SharesMemory bool   // kernels use Go's memory in place
	Checks       bool   // kernels may run with checks ([Options])
}

// Open returns a device by name: "cpu", "gpu", or "gpu:1" for the second GPU. The empty name is the default device:
// the one that the environment variable PURECL_DEVICE names or, if it is not set, the processor. The command line
// and the driver read the variable in the same way. A device other than the processor needs a blank import of its
// package. The error wraps [ErrNoDevice] and names the devices that exist.
func Open(name string) (*Device, error) {
	d, err := exec.Find(name)
	if err != nil {
		return nil, fmt.Errorf("purecl: %w", err)
	}
	return newDevice(d), nil
}

// Devices returns all devices, the processor first.
func Devices() []*Device {
	var list []*Device
	for _, d := range exec.All() {
		list = append(list, newDevice(d))
	}
	return list
}

func newDevice(d exec.Named) *Device { return &Device{exec: d.Device, id: d.ID} }

// defaultDevice is the device of Compile.
var defaultDevice = sync.OnceValues(func() (*Device, error) { return Open("") })

// Info returns the device's properties.
func (d *Device) Info() Info {
	if d == nil || d.exec == nil {
		return Info{}
	}
	return Info(*d.exec.Info())
}

// String returns the device's name for [Open] and the product's name, such as "cpu:0 (AMD EPYC 9354P)".
func (d *Device) String() string {
	if d == nil || d.exec == nil {
		return "no device"
	}
	return d.id + " (" + d.exec.Info().Name + ")"
}

// Close waits for running work and releases the device. Objects made with the device cannot be used afterwards.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	d.close()
	return nil
}

// ok returns the reason why the device cannot be used, or nil.
func (d *Device) ok() error {
	switch {
	case d == nil || d.exec == nil:
		return errors.New("purecl: no device: Open gives one")
	case d.isClosed():
		return fmt.Errorf("purecl: device %s: %w", d.id, ErrClosed)
	}
	return nil
}

// An idleQueue is a queue of the device's pool. The garbage collector closes queues that the pool drops.
type idleQueue struct{ exec.Queue }

func (d *Device) queue() (*idleQueue, error) {
	if q, ok := d.queues.Get().(*idleQueue); ok {
		return q, nil
	}
	q, err := d.exec.NewQueue()
	if err != nil {
		return nil, fmt.Errorf("purecl: device %s: %w", d.id, err)
	}
	idle := &idleQueue{q}
	runtime.AddCleanup(idle, func(q exec.Queue) { q.Close() }, q)
	return idle, nil
}

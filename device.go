package purecl

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/host"
)

func init() {
	exec.Register("cpu", func() ([]exec.Device, error) { return []exec.Device{host.CPU()}, nil })
}

// A Device runs kernels. Its methods may be called by several goroutines at once.
type Device struct {
	exec exec.Device
	id   string // such as "gpu:1"
	life
	queues sync.Pool // of *idleQueue
}

// Info is what is known of a device. Sizes are in bytes.
type Info struct {
	Kind         string // "cpu" or "gpu": what [Open] takes
	Name         string // of the product
	Vendor       string
	Driver       string // its version
	ComputeUnits int
	ClockMHz     int
	Memory       uint64 // global memory
	MaxAlloc     uint64 // the largest buffer
	LocalMemory  uint64 // of a work-group
	Constant     uint64 // constant memory of a kernel
	MaxGroup     int    // work-items of a work-group
	MaxSizes     [3]int // work-items of a work-group in each dimension
	Lanes        int    // work-items on 32-bit values that run side by side
	SharesMemory bool   // kernels use Go's memory in place
}

// Open returns a device: "cpu", "gpu", or with a number such as "gpu:1" one of several.
// "" is the default device, which the environment variable PURECL_DEVICE names; without it
// it is the processor. Devices other than the processor come with the import of their
// package, for its effect.
func Open(name string) (*Device, error) {
	given := name
	if name == "" {
		if name = environment.Get("PURECL_DEVICE"); name == "" {
			name = "cpu"
		}
		given = "PURECL_DEVICE=" + name
	}
	kind, number, numbered := strings.Cut(name, ":")
	n := 0
	if numbered {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 0 {
			return nil, fmt.Errorf("purecl: device %q: %q is no number; devices are named as cpu, gpu or gpu:1", given, number)
		}
	}
	list, err := exec.Devices(kind)
	switch {
	case n < len(list):
		return newDevice(list[n], kind, n), nil
	case err != nil:
		return nil, fmt.Errorf("purecl: device %q: %w: %w", given, ErrNoDevice, err)
	case len(list) > 0:
		return nil, fmt.Errorf("purecl: device %q: %w: there are %d of kind %s, numbered from 0", given, ErrNoDevice, len(list), kind)
	}
	return nil, fmt.Errorf("purecl: device %q: %w; there are %s", given, ErrNoDevice, strings.Join(ids(), ", "))
}

// Devices returns all devices, the processor first.
func Devices() []*Device {
	var list []*Device
	for _, kind := range exec.Kinds() {
		ds, _ := exec.Devices(kind) // Open tells why one is missing
		for i, d := range ds {
			list = append(list, newDevice(d, kind, i))
		}
	}
	return list
}

func ids() (list []string) {
	for _, d := range Devices() {
		list = append(list, d.id)
	}
	return list
}

func newDevice(d exec.Device, kind string, n int) *Device {
	return &Device{exec: d, id: kind + ":" + strconv.Itoa(n)}
}

// defaultDevice is the device of Compile.
var defaultDevice = sync.OnceValues(func() (*Device, error) { return Open("") })

// Info describes the device.
func (d *Device) Info() Info {
	if d == nil || d.exec == nil {
		return Info{}
	}
	return Info(*d.exec.Info())
}

// String returns the device's name for [Open] and its product's, such as "cpu:0 (AMD EPYC
// 9354P)".
func (d *Device) String() string {
	if d == nil || d.exec == nil {
		return "no device"
	}
	return d.id + " (" + d.exec.Info().Name + ")"
}

// Close lets go of the device. What was made with it can be used no more; work that runs
// ends first.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	d.close()
	return nil
}

// ok reports why the device cannot be used.
func (d *Device) ok() error {
	switch {
	case d == nil || d.exec == nil:
		return errors.New("purecl: no device: Open gives one")
	case d.isClosed():
		return fmt.Errorf("purecl: device %s: %w", d.id, ErrClosed)
	}
	return nil
}

// An idleQueue is a queue of the device's pool. The collector closes queues that the pool
// drops.
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

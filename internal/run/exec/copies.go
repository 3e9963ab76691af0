package exec

import (
	"context"
	"unsafe"

	"github.com/purecl/purecl/internal/base/timing"
)

// Copies are the copies of host memory that a launch needs on a device whose kernels cannot
// reach it. The zero value has none, and is used by one goroutine at a time.
type Copies struct {
	list []hostCopy
}

// A hostCopy is host memory and its copy on the device.
type hostCopy struct {
	memory Memory
	host   []byte
	write  bool // the kernel may write to it
}

// Bind returns the argument for host memory: the memory itself if the device shares the host's, else a copy, which
// [Copies.Launch] keeps equal. writes is set if the kernel may write to it. Memory that is bound twice is one
// object.
func (c *Copies) Bind(d Device, mem []byte, writes bool) (Arg, error) {
	if d.Info().SharesMemory {
		return Arg{Kind: SliceArg, Bytes: mem}, nil
	}
	for n := range c.list {
		if x := &c.list[n]; len(mem) > 0 && len(x.host) == len(mem) && unsafe.SliceData(x.host) == unsafe.SliceData(mem) {
			x.write = x.write || writes
			return Arg{Kind: MemoryArg, Memory: x.memory}, nil
		}
	}
	m, err := d.Allocate(max(len(mem), 1))
	if err != nil {
		return Arg{}, err
	}
	c.list = append(c.list, hostCopy{m, mem, writes})
	a := Arg{Kind: MemoryArg, Memory: m}
	if len(mem) == 0 {
		a.Memory = m.Part(0, 0)
	}
	return a, nil
}

// Write copies the host's memory to the device. t, which may be nil, records the steps.
func (c *Copies) Write(q Queue, t Trace) error {
	for i := range c.list {
		if x := &c.list[i]; len(x.host) > 0 {
			if err := t.step("write to the device", func() error { return q.Write(x.memory, x.host) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// Launch launches a kernel whose arguments were bound and waits for its end: it copies to the
// device before and from it afterwards.
func (c *Copies) Launch(ctx context.Context, q Queue, l *Launch) error {
	err := c.Start(ctx, q, l)
	if werr := l.Trace.step("wait", func() error { return q.Wait(ctx) }); err == nil {
		err = werr
	}
	return err
}

// Start is Launch without the wait.
func (c *Copies) Start(ctx context.Context, q Queue, l *Launch) error {
	if err := c.Write(q, l.Trace); err != nil {
		return err
	}
	err := l.Trace.step("launch", func() error { return q.Launch(ctx, l) })
	for i := range c.list {
		if x := &c.list[i]; x.write && err == nil && len(x.host) > 0 {
			err = l.Trace.step("read from the device", func() error { return q.Read(x.host, x.memory) })
		}
	}
	return err
}

// step does a step of the queue.
func (t Trace) step(what string, do func() error) error {
	if t == nil {
		return do()
	}
	began := timing.Now()
	err := do()
	t("queue", what, began, timing.Now())
	return err
}

// Free releases the copies.
func (c *Copies) Free() {
	for i := range c.list {
		c.list[i].memory.Free()
	}
	clear(c.list)
	c.list = c.list[:0]
}

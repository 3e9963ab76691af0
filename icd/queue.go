//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"context"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A queueObject is a command queue.
type queueObject struct {
	*entry
	*host.Queue
	ctx      *contextObject
	dev      *deviceObject
	props    []uint64 // as given to clCreateCommandQueueWithProperties
	options  host.RunOptions
	asParent []*entry // the queue's entry, for its events
	// ownMemory is set if the device has memory of its own: it is a GPU.
	ownMemory bool
}

const hostQueueBits = C.CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | C.CL_QUEUE_PROFILING_ENABLE

func clCreateCommandQueue(context, device uintptr, bits uint64) (uintptr, error) {
	c, d, err := deviceOf(context, device)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: properties that this function does not define.
	if bits&^hostQueueBits != 0 {
		return 0, opencl.InvalidValue
	}
	return newQueue(c, d, bits, nil)
}

func clCreateCommandQueueWithProperties(context, device uintptr, props *uint64) (uintptr, error) {
	c, d, err := deviceOf(context, device)
	if err != nil {
		return 0, err
	}
	pairs, raw, err := properties(props, opencl.InvalidValue)
	if err != nil {
		return 0, err
	}
	bits, sized := uint64(0), false
	for _, p := range pairs {
		switch p[0] {
		case C.CL_QUEUE_PROPERTIES:
			bits = p[1]
		case C.CL_QUEUE_SIZE:
			sized = true
		default: // CL_INVALID_VALUE: values in properties are not valid.
			return 0, opencl.InvalidValue
		}
	}
	// CL_INVALID_VALUE: unknown properties, and properties of device queues without those that they require.
	const known = hostQueueBits | C.CL_QUEUE_ON_DEVICE | C.CL_QUEUE_ON_DEVICE_DEFAULT
	onDevice := bits&C.CL_QUEUE_ON_DEVICE != 0
	switch {
	case bits&^known != 0, !onDevice && (sized || bits&C.CL_QUEUE_ON_DEVICE_DEFAULT != 0), onDevice && bits&C.CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0:
		return 0, opencl.InvalidValue
	// CL_INVALID_QUEUE_PROPERTIES: valid properties that the device does not support.
	case onDevice:
		return 0, opencl.InvalidQueueProperties
	}
	return newQueue(c, d, bits, raw)
}

// deviceOf returns a context and one of its devices.
func deviceOf(context, device uintptr) (*contextObject, *deviceObject, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return nil, nil, err
	}
	d, err := c.deviceIn(device)
	return c, d, err
}

// clSetDefaultDeviceCommandQueue: device queues are not supported.
func clSetDefaultDeviceCommandQueue(context, device, _ uintptr) error {
	if _, _, err := deviceOf(context, device); err != nil {
		return err
	}
	return opencl.InvalidOperation
}

func newQueue(c *contextObject, d *deviceObject, bits uint64, raw []uint64) (uintptr, error) {
	var err error
	q := &queueObject{ctx: c, dev: d, props: raw, options: host.RunOptions{Checks: checks(), Stdout: c.out, Debug: debugger()}}
	q.Queue, err = c.NewQueue(d.Device, host.QueueProperties{
		OutOfOrder: bits&C.CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0, Profiling: bits&C.CL_QUEUE_PROFILING_ENABLE != 0})
	if err != nil {
		return 0, err
	}
	q.SetTimeout(timeout())
	q.ownMemory = d.Info().OwnMemory
	q.entry = &entry{kind: kindCommandQueue, self: q, parents: []*entry{c.entry, d.entry}}
	q.asParent = []*entry{q.entry}
	q.end = q.ended
	c.mu.Lock()
	c.queues[q] = struct{}{}
	c.mu.Unlock()
	allQueues.mu.Lock()
	allQueues.set[q] = struct{}{}
	allQueues.mu.Unlock()
	h, err := q.handleOf()
	if err != nil {
		q.forget()
	}
	return h, err
}

// forget removes a queue from its context and from the watch for interrupts.
func (q *queueObject) forget() {
	allQueues.mu.Lock()
	delete(allQueues.set, q)
	allQueues.mu.Unlock()
	q.ctx.mu.Lock()
	delete(q.ctx.queues, q)
	q.ctx.mu.Unlock()
}

// ended is called when the handle is destroyed. Commands may still run.
func (q *queueObject) ended() {
	if q.Idle() {
		q.Close()
		q.forget()
		return
	}
	go func() {
		q.Finish(context.Background()) // errors are in the commands' events
		q.Close()
		q.forget()
	}()
}

func clRetainCommandQueue(queue uintptr) error  { return retain(queue, kindCommandQueue) }
func clReleaseCommandQueue(queue uintptr) error { return release(queue, kindCommandQueue) }

// clSetCommandQueueProperty is deprecated since 1.1, and a device need not support it.
func clSetCommandQueueProperty(queue uintptr, _ uint64, _ uint32, _ *uint64) error {
	if _, err := find[queueObject](queue, kindCommandQueue); err != nil {
		return err
	}
	return opencl.InvalidOperation
}

func (q *queueObject) bits() (bits uint64) {
	p := q.Properties()
	if p.OutOfOrder {
		bits |= C.CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
	}
	if p.Profiling {
		bits |= C.CL_QUEUE_PROFILING_ENABLE
	}
	return bits
}

func clGetCommandQueueInfo(queue uintptr, name uint32, a answer) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_QUEUE_CONTEXT:
		return value(a, q.ctx.handle)
	case C.CL_QUEUE_DEVICE:
		return value(a, q.dev.handle)
	case C.CL_QUEUE_REFERENCE_COUNT:
		return value(a, uint32(q.refs.Load()))
	case C.CL_QUEUE_PROPERTIES:
		return value(a, q.bits())
	case C.CL_QUEUE_PROPERTIES_ARRAY:
		return values(a, q.props)
	case C.CL_QUEUE_SIZE: // CL_INVALID_COMMAND_QUEUE: not a device queue
		return opencl.InvalidCommandQueue
	case C.CL_QUEUE_DEVICE_DEFAULT:
		return value(a, uintptr(0))
	}
	return opencl.InvalidValue
}

func clFlush(queue uintptr) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	return q.Flush()
}

func clFinish(queue uintptr) error {
	q, err := find[queueObject](queue, kindCommandQueue)
	if err != nil {
		return err
	}
	return q.Finish(context.Background())
}

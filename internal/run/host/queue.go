package host

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
)

// QueueProperties are the properties of a command queue.
type QueueProperties struct {
	OutOfOrder bool // commands wait only for their wait lists, markers and barriers
	Profiling  bool // events have a [Profile]
}

// A Queue accepts commands for a device. In an in-order queue each command waits for the one before. Its methods
// may be called from many goroutines. (OpenCL API, "Command-Queues", 5.1.)
type Queue struct {
	ctx   *Context
	dev   *Device
	props QueueProperties

	timeout time.Duration         // see SetTimeout
	last    atomic.Pointer[Event] // in order: the newest command, or nil where all are complete
	mu      sync.Mutex            // held while a command is added
	barrier *Event                // out of order: the barrier that every later command waits for
	live    map[*Event]struct{}   // out of order: commands that are not complete
	faults  queueFaults
	device  *deviceQueue // in order, on a device with memory of its own: runs the commands
	lanes   lanes        // the same out of order

	ready       atomic.Pointer[Event] // the command that became ready last; it may run already, or be complete
	interrupted atomic.Pointer[Event] // in order: launches up to this command do not start (see Interrupt)
}

// NewQueue returns a command queue for a device of the context.
func (c *Context) NewQueue(d *Device, props QueueProperties) (*Queue, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	if d.valid() != nil || !c.has(d) {
		return nil, failf(opencl.InvalidDevice, "the device does not belong to the context")
	}
	q := &Queue{ctx: c, dev: d, props: props}
	if props.OutOfOrder {
		q.live = map[*Event]struct{}{}
	}
	if d.remote != nil {
		q.makeDeviceQueues()
	}
	return q, nil
}

// SetTimeout makes launches fail that run for longer than d; 0 is no limit. It must be called before the queue is
// used.
func (q *Queue) SetTimeout(d time.Duration) {
	q = or(q)
	if q.timeout = d; d > 0 {
		q.device, q.lanes = nil, nil // the host waits for each launch, so that each has its own time
	}
}

// Context returns the queue's context.
func (q *Queue) Context() *Context { q = or(q); return q.ctx }

// Device returns the queue's device.
func (q *Queue) Device() *Device { q = or(q); return q.dev }

// Properties returns the queue's properties.
func (q *Queue) Properties() QueueProperties { q = or(q); return q.props }

// checkWaitList checks a wait list as every enqueue call must.
func (q *Queue) checkWaitList(wait []*Event) error {
	if err := q.valid(); err != nil {
		return err
	}
	for i, e := range wait {
		if e.valid() != nil {
			return failf(opencl.InvalidEventWaitList, "event %d of the wait list is nil", i)
		}
		if e.ctx != q.ctx {
			return failf(opencl.InvalidContext, "event %d of the wait list belongs to another context", i)
		}
	}
	return nil
}

// order is the set of earlier commands that a command waits for besides its wait list.
type order uint8

const (
	inQueue     order = iota // as the queue's properties determine
	allBefore                // marker without a wait list: every earlier command
	fenceBefore              // barrier without a wait list: every earlier command, and later ones wait for it
	fence                    // barrier with a wait list: later ones wait for it
)

// enqueue adds a command that calls do, which works on the memory of the objects.
func (q *Queue) enqueue(typ CommandType, wait []*Event, ord order, do func(*Event) error, uses ...MemObject) (*Event, error) {
	return q.enqueueFunction(typ, wait, ord, &function{do: do}, uses...)
}

func (q *Queue) enqueueFunction(typ CommandType, wait []*Event, ord order, f *function, uses ...MemObject) (*Event, error) {
	if err := q.checkWaitList(wait); err != nil {
		return nil, err
	}
	f.uses = uses
	e := new(Event)
	q.add(e, typ, wait, ord, f)
	return e, nil
}

// add adds a command as the new event e. The caller has checked the wait list.
func (q *Queue) add(e *Event, typ CommandType, wait []*Event, ord order, work command) {
	// The status Queued is never visible: the command is submitted when the call returns.
	e.ctx, e.queue, e.typ, e.status, e.work = q.ctx, q, typ, Submitted, work
	e.profile.Queued = e.time()
	e.profile.Submit = e.profile.Queued
	e.waiting.Store(1)
	q.mu.Lock()
	if !q.props.OutOfOrder {
		e.dev.on = q.device
		if last := q.last.Load(); last != nil {
			e.waitFor(last, false)
		}
		q.last.Store(e)
	} else {
		q.lanes.assign(e, wait, q.barrier)
		if q.barrier != nil {
			e.waitFor(q.barrier, false)
		}
		if ord == allBefore || ord == fenceBefore {
			for x := range q.live {
				e.waitFor(x, false)
			}
		}
		if ord == fence || ord == fenceBefore {
			q.barrier = e
		}
		q.live[e] = struct{}{}
	}
	q.mu.Unlock()
	for _, w := range wait {
		e.waitFor(w, true)
	}
	if e.waiting.Add(-1) == 0 {
		e.start()
	}
}

// help runs a ready command that no goroutine has taken yet, and the commands that it makes ready, until e is
// complete. A goroutine that waits thus need not wait for another thread to wake.
func (q *Queue) help(e *Event) {
	r := q.ready.Load()
	// Out of order, e could be complete long before another command is.
	if r != nil && (r == e || !q.props.OutOfOrder) {
		r.drain(e)
	}
}

// finished removes a complete command from the queue.
func (q *Queue) finished(e *Event) {
	if !q.props.OutOfOrder {
		if q.last.Load() == e { // usually it is not the last
			q.last.CompareAndSwap(e, nil)
		}
		if q.interrupted.Load() == e {
			q.interrupted.CompareAndSwap(e, nil)
		}
		return
	}
	if e.dev.on != nil {
		e.dev.on.pending.Add(-1)
	}
	q.mu.Lock()
	if q.barrier == e {
		q.barrier = nil
	}
	if e.typ == CommandBarrier {
		q.faults.fence()
	}
	delete(q.live, e)
	q.mu.Unlock()
}

// Idle reports whether every command enqueued so far is complete.
func (q *Queue) Idle() bool {
	q = or(q)
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last.Load() == nil && len(q.live) == 0
}

// Close tells that the host enqueues no more commands. The queue releases what it has of a device as soon as its
// commands are complete.
func (q *Queue) Close() {
	q = or(q)
	if q.device != nil {
		q.device.close()
	}
	for _, d := range q.lanes {
		d.close()
	}
}

// Flush starts the commands that the device may start (clFlush). Others start as they are enqueued, or soon after.
func (q *Queue) Flush() error {
	if err := q.valid(); err != nil {
		return err
	}
	if q.device != nil {
		q.device.flush()
	}
	for _, d := range q.lanes {
		d.flush()
	}
	return nil
}

// Finish waits until every command enqueued so far is complete (clFinish). It returns the error of a kernel that
// failed, as [Queue.Await] does, or ctx's error; errors of other commands are in their events only.
func (q *Queue) Finish(ctx context.Context) error {
	if err := q.valid(); err != nil {
		return err
	}
	if !q.props.OutOfOrder {
		if last := q.last.Load(); last != nil {
			last.Wait(ctx) // the command's error is in its event
		}
	} else {
		q.mu.Lock()
		wait := slices.Collect(maps.Keys(q.live))
		q.mu.Unlock()
		for _, e := range wait {
			e.Wait(ctx)
			if ctx.Err() != nil {
				break
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return q.faults.tell(true)
}

// Await waits for one of the queue's commands, as blocking calls do. It returns the command's error or that of a
// kernel that the command waited for in the queue's order. In order, that is every earlier kernel; out of order,
// every kernel before the last barrier. Every call that waits returns such an error, until the host enqueues
// another kernel after the first of these calls: data that was read until then may be the failed kernel's.
func (q *Queue) Await(ctx context.Context, e *Event) error {
	if err := q.valid(); err != nil {
		return err
	}
	if err := e.Wait(ctx); err != nil {
		return err
	}
	return q.faults.tell(!q.props.OutOfOrder)
}

func nothing(*Event) error { return nil }

// noWork returns a command without work.
func noWork() *function {
	return &function{do: nothing, on: func(exec.AsyncQueue) error { return nil }}
}

// Marker enqueues a command that is complete once those of its wait list are complete, or without a wait list once
// all earlier commands are (clEnqueueMarkerWithWaitList).
func (q *Queue) Marker(wait ...*Event) (*Event, error) {
	if len(wait) == 0 {
		return q.enqueueFunction(CommandMarker, nil, allBefore, noWork())
	}
	return q.enqueueFunction(CommandMarker, wait, inQueue, noWork())
}

// Barrier is a [Queue.Marker] that later commands wait for (clEnqueueBarrierWithWaitList).
func (q *Queue) Barrier(wait ...*Event) (*Event, error) {
	if len(wait) == 0 {
		return q.enqueueFunction(CommandBarrier, nil, fenceBefore, noWork())
	}
	return q.enqueueFunction(CommandBarrier, wait, fence, noWork())
}

// Host enqueues a Go function as a command. A panic in fn becomes the command's error.
func (q *Queue) Host(fn func() error, wait ...*Event) (*Event, error) {
	return q.HostOn(nil, fn, wait...)
}

// HostOn is [Queue.Host] of a function that works on the memory of buffers
// (clEnqueueNativeKernel).
func (q *Queue) HostOn(buffers []*Buffer, fn func() error, wait ...*Event) (*Event, error) {
	if fn == nil {
		return nil, failf(opencl.InvalidValue, "no function to run")
	}
	var uses []hostUse
	for _, b := range buffers {
		uses = append(uses, b.whole(true)...)
	}
	return q.enqueue(CommandNativeKernel, wait, inQueue, inHostMemory(func(*Event) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = failf(opencl.OutOfResources, "the host function panicked: %v", p)
			}
		}()
		return fn()
	}, uses))
}

//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// An eventObject is an event.
type eventObject struct {
	*entry
	*host.Event
	ctx   *contextObject
	queue *queueObject // nil of a user event
	typ   uint32       // CL_EVENT_COMMAND_TYPE
}

// A waitList is num_events_in_wait_list, event_wait_list and event.
type waitList struct {
	n    uint32
	list *uintptr
	out  *uintptr
}

// events returns the events to wait for. It returns nil for a handle that is not an event, because package host
// refuses nil with CL_INVALID_EVENT_WAIT_LIST after earlier checks. A NULL list with a count, and a list without
// one, are refused in the same way.
func (w waitList) events() []*host.Event {
	if w.n == 0 && w.list == nil {
		return nil
	}
	if w.n == 0 || w.list == nil {
		return []*host.Event{nil}
	}
	out := make([]*host.Event, w.n)
	for i, h := range unsafe.Slice(w.list, w.n) {
		if e, err := find[eventObject](h, kindEvent); err == nil {
			out[i] = e.Event
		}
	}
	return out
}

// done stores the handle of an enqueued command's event, if the host wants it.
func (w waitList) done(q *queueObject, e *host.Event, err error) error {
	if err == nil && w.out != nil {
		e.Observe()
	}
	return w.handle(q, e, err)
}

// handle is done for commands whose status the host need not ask for before they are complete.
func (w waitList) handle(q *queueObject, e *host.Event, err error) error {
	if err != nil || w.out == nil {
		return err
	}
	o := &eventObject{Event: e, ctx: q.ctx, queue: q, typ: uint32(e.Type())}
	o.entry = &entry{kind: kindEvent, self: o, parents: q.asParent}
	*w.out, err = o.handleOf()
	return err
}

// finish is done for calls that may block: it also waits for the command.
func (w waitList) finish(q *queueObject, blocking uint32, e *host.Event, err error) error {
	if blocking == 0 {
		return w.done(q, e, err)
	}
	if err = w.handle(q, e, err); err != nil {
		return err
	}
	// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: the call is blocking and an event in
	// the list failed; or else the command itself did, or a kernel before it.
	return q.Await(context.Background(), e)
}

func clCreateUserEvent(context uintptr) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	e := &eventObject{Event: c.NewUserEvent(), ctx: c, typ: C.CL_COMMAND_USER}
	e.entry = &entry{kind: kindEvent, self: e, parents: []*entry{c.entry}}
	return e.handleOf()
}

func clSetUserEventStatus(event uintptr, s int32) error {
	e, err := find[eventObject](event, kindEvent)
	if err != nil {
		return err
	}
	return e.SetStatus(host.ExecStatus(s))
}

func clWaitForEvents(n uint32, events *uintptr) error {
	// CL_INVALID_VALUE: num_events is 0 or event_list is NULL.
	if n == 0 || events == nil {
		return opencl.InvalidValue
	}
	list, err := list[eventObject](n, events, kindEvent, opencl.InvalidValue)
	if err != nil {
		return err
	}
	var one [4]*host.Event
	inner := one[:0]
	for _, e := range list {
		inner = append(inner, e.Event)
	}
	return host.WaitAll(context.Background(), inner...)
}

func clRetainEvent(event uintptr) error  { return retain(event, kindEvent) }
func clReleaseEvent(event uintptr) error { return release(event, kindEvent) }

func clGetEventInfo(event uintptr, name uint32, a answer) error {
	e, err := find[eventObject](event, kindEvent)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_EVENT_COMMAND_QUEUE:
		if e.queue == nil {
			return value(a, uintptr(0))
		}
		return value(a, e.queue.handle)
	case C.CL_EVENT_CONTEXT:
		return value(a, e.ctx.handle)
	case C.CL_EVENT_COMMAND_TYPE:
		return value(a, e.typ)
	case C.CL_EVENT_COMMAND_EXECUTION_STATUS:
		s := e.Status()
		if s > host.Complete {
			// Threads that ask again and again take all of Go's processors: the scheduler prefers them to
			// goroutines, which run the commands.
			runtime.Gosched()
		}
		return value(a, int32(s))
	case C.CL_EVENT_REFERENCE_COUNT:
		return value(a, uint32(e.refs.Load()))
	}
	return opencl.InvalidValue
}

func clGetEventProfilingInfo(event uintptr, name uint32, a answer) error {
	e, err := find[eventObject](event, kindEvent)
	if err != nil {
		return err
	}
	p, err := e.Profile()
	if err != nil {
		return err
	}
	switch name {
	case C.CL_PROFILING_COMMAND_QUEUED:
		return value(a, p.Queued)
	case C.CL_PROFILING_COMMAND_SUBMIT:
		return value(a, p.Submit)
	case C.CL_PROFILING_COMMAND_START:
		return value(a, p.Start)
	case C.CL_PROFILING_COMMAND_END:
		return value(a, p.End)
	case C.CL_PROFILING_COMMAND_COMPLETE:
		return value(a, p.Complete)
	}
	return opencl.InvalidValue
}

func clSetEventCallback(event uintptr, at int32, fn, user unsafe.Pointer) error {
	e, err := find[eventObject](event, kindEvent)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: pfn_event_notify is NULL or the status is none of the three.
	if fn == nil {
		return opencl.InvalidValue
	}
	if !e.use() { // the handle must live until the callback
		return opencl.InvalidEvent
	}
	err = e.SetCallback(host.ExecStatus(at), func(_ *host.Event, s host.ExecStatus) {
		C.purecl_call_event(fn, C.uintptr_t(event), C.cl_int(s), user)
		e.drop()
	})
	if err != nil {
		e.drop()
	}
	return err
}

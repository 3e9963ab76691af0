package host

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/run/exec"
)

// An ExecStatus is the progress of a command. A negative one is the [Status] of a failed command. (OpenCL API,
// "Event Objects", 5.11.)
type ExecStatus int32

// The execution statuses, in the order in which a command goes through them.
const (
	Complete  ExecStatus = 0
	Running   ExecStatus = 1
	Submitted ExecStatus = 2
	Queued    ExecStatus = 3
)

// A CommandType is the kind of an event's command.
type CommandType uint32

// The command types, numbered as in OpenCL's headers.
const (
	CommandNDRangeKernel     CommandType = 0x11F0
	CommandTask              CommandType = 0x11F1
	CommandNativeKernel      CommandType = 0x11F2
	CommandReadBuffer        CommandType = 0x11F3
	CommandWriteBuffer       CommandType = 0x11F4
	CommandCopyBuffer        CommandType = 0x11F5
	CommandReadImage         CommandType = 0x11F6
	CommandWriteImage        CommandType = 0x11F7
	CommandCopyImage         CommandType = 0x11F8
	CommandCopyImageToBuffer CommandType = 0x11F9
	CommandCopyBufferToImage CommandType = 0x11FA
	CommandMapBuffer         CommandType = 0x11FB
	CommandMapImage          CommandType = 0x11FC
	CommandUnmapMemObject    CommandType = 0x11FD
	CommandMarker            CommandType = 0x11FE
	CommandReadBufferRect    CommandType = 0x1201
	CommandWriteBufferRect   CommandType = 0x1202
	CommandCopyBufferRect    CommandType = 0x1203
	CommandUser              CommandType = 0x1204
	CommandBarrier           CommandType = 0x1205
	CommandMigrateMemObjects CommandType = 0x1206
	CommandFillBuffer        CommandType = 0x1207
	CommandFillImage         CommandType = 0x1208
)

// Profile holds the times when a command changed its status, in nanoseconds of the device's clock ([Device.Timer]).
type Profile struct {
	Queued, Submit, Start, End, Complete int64
}

// An Event is the state of one command: a node of the graph in which commands wait
// for each other. A node costs no goroutine before its command can run.
type Event struct {
	ctx     *Context
	queue   *Queue
	typ     CommandType
	profile Profile
	ended   int64 // when the command's work ended, if known

	mu        sync.Mutex
	status    ExecStatus
	err       error
	next      []dependant   // commands that wait for this one
	nextRoom  [1]dependant  // room for one dependant, the usual number, so that a chain of commands allocates no list
	done      chan struct{} // made by the first waiter
	callbacks []callback

	waiting atomic.Int32 // dependencies not complete yet, plus one until all are known
	failed  atomic.Bool  // a dependency in the wait list failed
	claimed atomic.Bool  // a goroutine runs it
	inReady readyNode
	stopped atomic.Bool // [Queue.Interrupt] ended it, if it is a launch
	work    command
	dev     deviceEvent // see deviceQueue
}

// A command is the work of an event.
type command interface{ run(e *Event) error }

// A function as a command, with the objects whose memory it works on. They stay alive until it is complete.
type function struct {
	do   func(*Event) error
	uses []MemObject
	on   func(q exec.AsyncQueue) error // does the same on a device's queue; nil if it cannot
	// sets is the host's memory that has its contents when the command is complete. before, which may be nil, is called
	// before on: it waits for commands that set memory which on reads or sets at once.
	sets   []byte
	before func(d *deviceQueue)
}

func (f *function) run(e *Event) error { return f.do(e) }

func (f *function) async() bool { return f.on != nil }

func (f *function) prompt(*Queue) bool { return true }

func (f *function) prepare(e *Event) error {
	if f.before != nil {
		f.before(e.dev.on)
	}
	return nil
}

func (f *function) begin(_ *Event, q exec.AsyncQueue) error { return f.on(q) }

func (f *function) end(_ *Event, err error) error { return err }

type callback struct {
	at ExecStatus
	fn func(*Event, ExecStatus)
}

// now returns the time of the device's clock in nanoseconds; never 0.
func now() int64 { return timing.Now() + 1 }

// NewUserEvent returns an event that the application completes with
// [Event.SetStatus] (clCreateUserEvent).
func (c *Context) NewUserEvent() *Event {
	e := &Event{ctx: c, typ: CommandUser, status: Submitted}
	e.waiting.Store(1)
	return e
}

// Context returns the event's context.
func (e *Event) Context() *Context { e = or(e); return e.ctx }

// Queue returns the queue of the event's command, nil of a user event.
func (e *Event) Queue() *Queue { e = or(e); return e.queue }

// Type returns the kind of the event's command.
func (e *Event) Type() CommandType { e = or(e); return e.typ }

// Status returns the progress of the command; a negative value is the [Status] of a failed command.
func (e *Event) Status() ExecStatus {
	e = or(e)
	e.mu.Lock()
	s, begun := e.status, e.dev.begun
	e.mu.Unlock()
	if s > 0 && begun {
		e.dev.on.poll()
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.status
	}
	return s
}

// Err returns the error of a command that failed, or nil.
func (e *Event) Err() error {
	if err := e.valid(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// Profile returns the command's times. It is an error with [ProfilingInfoNotAvailable]
// where the queue does not profile, the command is not complete or failed, or the
// event is a user event.
func (e *Event) Profile() (Profile, error) {
	if err := e.valid(); err != nil {
		return Profile{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queue == nil || !e.queue.props.Profiling || e.status != Complete {
		return Profile{}, failf(opencl.ProfilingInfoNotAvailable, "no profile of this event: its queue must profile and its command must be complete")
	}
	return e.profile, nil
}

// SetStatus completes a user event: with [Complete], or with a negative status, which
// fails the commands that wait for it. It can be called once (clSetUserEventStatus).
func (e *Event) SetStatus(s ExecStatus) error {
	if err := e.valid(); err != nil {
		return err
	}
	if e.typ != CommandUser {
		return failf(opencl.InvalidEvent, "only a user event's status can be set")
	}
	if s > 0 {
		return failf(opencl.InvalidValue, "a user event's status is set to complete or to a negative error code, not to %d", s)
	}
	e.mu.Lock()
	if e.status <= 0 {
		e.mu.Unlock()
		return failf(opencl.InvalidOperation, "the user event's status was set already")
	}
	e.mu.Unlock()
	var err error
	if s < 0 {
		err = opencl.Status(s)
	}
	if first, rest := e.complete(err); first != nil {
		first.start()
		spread(rest)
	}
	return nil
}

// SetCallback makes fn be called once the command has reached the status at, or, for [Complete], has failed.
// Callbacks run on goroutines of their own (clSetEventCallback).
func (e *Event) SetCallback(at ExecStatus, fn func(*Event, ExecStatus)) error {
	if err := e.valid(); err != nil {
		return err
	}
	if fn == nil || at < Complete || at > Submitted {
		return failf(opencl.InvalidValue, "a callback needs a function and one of the statuses submitted, running, complete")
	}
	e.mu.Lock()
	s := e.status
	if s > at {
		e.callbacks = append(e.callbacks, callback{at, fn})
		e.want()
		e.mu.Unlock()
		return nil
	}
	e.mu.Unlock()
	if s > 0 {
		s = at
	}
	go fn(e, s)
	return nil
}

// Wait waits until the command is complete or ctx is done. It returns the command's error.
func (e *Event) Wait(ctx context.Context) error {
	if err := e.valid(); err != nil {
		return err
	}
	e.mu.Lock()
	if e.status <= 0 {
		defer e.mu.Unlock()
		return e.err
	}
	if q := e.queue; q != nil && ctx.Done() == nil {
		if !e.dev.begun {
			e.mu.Unlock()
			q.help(e)
			e.mu.Lock()
		}
		if e.dev.begun && e.status > 0 {
			e.mu.Unlock()
			e.dev.on.await(e)
			e.mu.Lock()
		}
		if e.status <= 0 {
			defer e.mu.Unlock()
			return e.err
		}
	}
	e.want()
	if e.done == nil {
		e.done = make(chan struct{})
	}
	done := e.done
	e.mu.Unlock()
	select {
	case <-done:
		return e.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitAll waits for all of the events (clWaitForEvents): the error has the status
// [ExecStatusErrorForEventsInWaitList] where one failed.
func WaitAll(ctx context.Context, events ...*Event) error {
	if len(events) == 0 {
		return failf(opencl.InvalidValue, "no events to wait for")
	}
	for _, e := range events {
		if err := e.valid(); err != nil {
			return err
		}
		if e.ctx != events[0].ctx {
			return failf(opencl.InvalidContext, "the events belong to different contexts")
		}
	}
	var first error
	for _, e := range events {
		if err := e.Wait(ctx); err != nil && first == nil {
			if ctx.Err() != nil {
				return err
			}
			first = &APIError{Status: opencl.ExecStatusErrorForEventsInWaitList, Message: "a command failed", Cause: err}
		}
	}
	return first
}

// advance moves the status forward and calls callbacks that waited for it.
func (e *Event) advance(s ExecStatus) {
	e.mu.Lock()
	e.status = s
	due := e.takeCallbacks(s)
	e.mu.Unlock()
	for _, cb := range due {
		go cb.fn(e, cb.at)
	}
}

// tell calls the callbacks one after another.
func (e *Event) tell(due []callback, s ExecStatus) {
	for _, cb := range due {
		cb.fn(e, s)
	}
}

// takeCallbacks removes and returns the callbacks due at status s. e.mu is held.
func (e *Event) takeCallbacks(s ExecStatus) []callback {
	if len(e.callbacks) == 0 {
		return nil
	}
	var due []callback
	keep := e.callbacks[:0]
	for _, cb := range e.callbacks {
		if s <= cb.at {
			due = append(due, cb)
		} else {
			keep = append(keep, cb)
		}
	}
	e.callbacks = keep
	return due
}

// A dependant waits for an event. explicit is set if the event is in its wait list, so that a failure is passed on.
// Otherwise only the order of a queue makes it wait. near is set if both are commands of one deviceQueue: e waits only
// until the event has begun, after which released is set.
type dependant struct {
	e              *Event
	explicit       bool
	near, released bool
}

// waitFor makes e, which is not submitted yet, wait for dep.
func (e *Event) waitFor(dep *Event, explicit bool) {
	dep.mu.Lock()
	defer dep.mu.Unlock()
	if dep.status > 0 {
		near := e.dev.on != nil && e.dev.on == dep.dev.on
		if near && dep.dev.begun && !explicit {
			return
		}
		if dep.next == nil {
			dep.next = dep.nextRoom[:0]
		}
		dep.next = append(dep.next, dependant{e, explicit, near, near && dep.dev.begun})
		if !near || !dep.dev.begun {
			e.waiting.Add(1)
		}
		if !near {
			dep.want()
		}
	} else if explicit && dep.err != nil {
		e.failed.Store(true)
	}
}

// start lets another goroutine run a ready command: one of the ready list, or one that begins to wait for the queue
// first (see [Queue.help]). A command that a device begins at once is begun in this goroutine.
func (e *Event) start() {
	for e.prompt() {
		if !e.claim() {
			return
		}
		if e = e.dev.on.begin(e); e == nil {
			return
		}
	}
	if e.queue != nil {
		e.queue.ready.Store(e)
	}
	readyCommands.add(e)
}

// claim reports whether this goroutine is the one that runs the command.
func (e *Event) claim() bool {
	if !e.claimed.CompareAndSwap(false, true) {
		return false
	}
	if e.inReady.listed.Load() {
		readyCommands.remove(e)
	}
	return true
}

// time returns now, or 0 where no caller can ask for the command's times.
func (e *Event) time() int64 {
	if e.queue == nil || !e.queue.props.Profiling {
		return 0
	}
	return now()
}

// drain runs a ready command and those that it makes ready, in this goroutine, so that a chain of commands costs no
// switches. Once the event until, if not nil, is complete, other goroutines run the rest.
func (e *Event) drain(until *Event) {
	for e != nil && e.claim() {
		var first *Event
		if e.asynchronous() != nil {
			first = e.dev.on.begin(e)
		} else {
			var rest []*Event
			first, rest = e.execute()
			spread(rest)
		}
		if first != nil && until != nil && until.begunOrComplete() {
			first.start()
			return
		}
		e = first
		if e != nil && e.queue != nil {
			e.queue.ready.Store(e)
		}
	}
}

// unfinished reports whether the command is not complete.
func (e *Event) unfinished() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.status > 0
}

// begunOrComplete reports whether the command is complete, or has begun on a device.
func (e *Event) begunOrComplete() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.status <= 0 || e.dev.begun
}

func spread(ready []*Event) {
	for _, e := range ready {
		e.start()
	}
}

// execute runs the command and returns the commands that are ready after it.
func (e *Event) execute() (first *Event, rest []*Event) {
	if e.dev.on != nil {
		e.dev.on.drain()
	}
	if e.failed.Load() {
		return e.complete(errDependency())
	}
	e.profile.Start = e.time()
	e.advance(Running)
	return e.complete(e.perform())
}

// errDependency is the error of a command with a failed command in its wait list.
func errDependency() error {
	return failf(opencl.ExecStatusErrorForEventsInWaitList, "a command in the wait list failed")
}

// perform runs the command's work. It turns a panic, which would end the process, into the command's error.
func (e *Event) perform() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
			if e.queue != nil {
				e.queue.ctx.tellError(nil, err)
			}
		}
	}()
	return e.work.run(e)
}

// complete ends the command and returns the commands that are now ready. A second call has no effect.
func (e *Event) complete(err error) (first *Event, rest []*Event) {
	s := Complete
	if err != nil {
		s = ExecStatus(StatusOf(err))
	}
	e.mu.Lock()
	if e.status <= 0 {
		e.mu.Unlock()
		return nil, nil
	}
	t := e.time()
	if e.profile.Start == 0 {
		e.profile.Start = t
	}
	e.profile.End, e.profile.Complete = t, t
	if e.ended != 0 {
		e.profile.End = e.ended
	}
	e.status, e.err = s, err
	next, due := e.next, e.takeCallbacks(s)
	e.next, e.work = nil, nil // nextRoom keeps its content: it is the memory of next
	if e.done != nil {
		close(e.done)
	}
	e.mu.Unlock()
	if e.queue != nil {
		e.queue.finished(e)
	}
	if len(due) > 0 {
		go e.tell(due, s)
	}
	for i := range next {
		d := next[i]
		next[i] = dependant{}
		if err != nil && d.explicit {
			d.e.failed.Store(true)
		}
		if !d.released && d.e.waiting.Add(-1) == 0 {
			if first == nil {
				first = d.e
			} else {
				rest = append(rest, d.e)
			}
		}
	}
	return first, rest
}

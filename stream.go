package purecl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Stream executes work on a device in order while the caller continues. Its methods add work and return at once.
// The caller must not access the memory of that work until Wait returns. Several goroutines may call them.
//
// Wait returns the errors, including those of misuse. An error does not stop the work after it.
type Stream struct {
	dev     *Device
	options *Options
	queue   *idleQueue

	mu      sync.Mutex
	work    []task
	head    int           // index in work: all before is done
	serving bool          // a goroutine does the work, or is about to
	working bool          // a goroutine executes work
	idle    chan struct{} // created by a waiting goroutine, closed when the work is done
	errs    []*streamError
	number  int // of the work that was added last, since Wait
	closed  bool

	news  atomic.Uint32 // changes with work, and when a goroutine begins to wait
	begun []task        // work that the queue has not been waited for; of who serves
	more  bool          // other work follows the present task; of who serves
}

// A task is a piece of work. do begins it; end, which may be nil, ends it when the queue has been waited for: it
// takes the error so far and returns the task's.
type task struct {
	number int
	name   string
	do     func(q exec.Queue) error
	end    func(err error) error
	err    error // of do
}

// maxBegun is how much work a stream begins before it waits for the queue.
const maxBegun = 4096

// linger is how long a stream with begun work looks for more before it waits for the queue.
const linger = 20 * time.Microsecond

// Stream returns a stream for the device. The options apply to launches of kernels without options of their
// own; the last options given replace all earlier ones.
func (d *Device) Stream(options ...Options) *Stream {
	s := &Stream{dev: d}
	for i := range options {
		s.options = &options[i]
	}
	return s
}

// Write copies src, a slice of the buffer's element type, to the buffer's first elements.
func (s *Stream) Write(dst Memory, src any) {
	s.transfer("Write", dst, src, func(q exec.Queue, m exec.Memory, host []byte) error { return q.Write(m, host) })
}

// Read copies the buffer's first elements to dst, a slice of their type.
func (s *Stream) Read(dst any, src Memory) {
	s.transfer("Read", src, dst, func(q exec.Queue, m exec.Memory, host []byte) error { return q.Read(host, m) })
}

func (s *Stream) transfer(name string, b Memory, slice any, do func(q exec.Queue, m exec.Memory, host []byte) error) {
	m, err := s.buffer(b)
	if err != nil {
		s.fail(name, err)
		return
	}
	v := reflect.ValueOf(slice)
	switch {
	case v.Kind() != reflect.Slice || v.Type().Elem() != m.elem:
		err = fmt.Errorf("got %s for a buffer of %s; give a slice of %s", describe(slice), typeName(m.elem), typeName(m.elem))
	case v.Len() > b.Len():
		err = fmt.Errorf("%d elements, the buffer has %d", v.Len(), b.Len())
	}
	if err != nil {
		m.done()
		s.fail(name, err)
		return
	}
	host := unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(m.elem.Size()))
	s.add(&task{name: name, do: func(q exec.Queue) error {
		if len(host) == 0 {
			return nil
		}
		return do(q, m.mem, host)
	}, end: func(err error) error {
		m.done()
		runtime.KeepAlive(b)
		return err
	}}, m.done)
}

// Copy copies the elements of src to the first of dst. Both have one element type.
func (s *Stream) Copy(dst, src Memory) {
	d, err := s.buffer(dst)
	if err != nil {
		s.fail("Copy", err)
		return
	}
	m, err := s.buffer(src)
	if err == nil && m.elem != d.elem {
		m.done()
		err = fmt.Errorf("from a buffer of %s to one of %s", typeName(m.elem), typeName(d.elem))
	}
	if err == nil && m.mem.Size() > d.mem.Size() {
		m.done()
		err = fmt.Errorf("%d elements to a buffer of %d", src.Len(), dst.Len())
	}
	if err != nil {
		d.done()
		s.fail("Copy", err)
		return
	}
	s.add(&task{name: "Copy", do: func(q exec.Queue) error { return q.Copy(d.mem, m.mem) }, end: func(err error) error {
		d.done()
		m.done()
		runtime.KeepAlive(dst)
		runtime.KeepAlive(src)
		return err
	}}, d.done, m.done)
}

// buffer returns the memory of a buffer of the stream's device and keeps it until done is called.
func (s *Stream) buffer(b Memory) (*memory, error) {
	var m *memory
	if b != nil {
		m = b.object()
	}
	switch {
	case m == nil:
		return nil, errors.New("got a nil buffer; NewBuffer gives one")
	case s == nil || s.dev == nil:
		return m, m.keep()
	case m.dev.exec != s.dev.exec:
		return nil, fmt.Errorf("the buffer is on device %v, the stream on %v", m.dev, s.dev)
	}
	return m, m.keep()
}

func (m *memory) keep() error {
	if !m.use() {
		return fmt.Errorf("the buffer is %w", ErrClosed)
	}
	return nil
}

// Run launches a kernel, like [Kernel.Run].
func (s *Stream) Run(k *Kernel, r NDRange, args ...any) {
	c, err := k.prepare(&r, args)
	if err == nil && s != nil && s.dev != nil && k.prog.dev.exec != s.dev.exec {
		k.release(c)
		err = fmt.Errorf("kernel %s is for device %v, the stream for %v", k.name, k.prog.dev, s.dev)
	}
	if err != nil {
		s.fail("Run", err)
		return
	}
	o := k.options
	s.add(&task{name: "Run", do: func(q exec.Queue) error {
		if o == nil {
			o = s.options
		}
		c.More = s.more
		return k.begin(context.Background(), q, c, o)
	}, end: func(err error) error {
		if err == nil {
			err = c.Report.Err
		}
		err = k.end(c, o, err)
		k.release(c)
		return err
	}}, func() { k.release(c) })
}

// Do calls a Go function. With it a stream can wait for another: s.Do(func() error { return other.Wait(ctx) }).
func (s *Stream) Do(f func() error) {
	if f == nil {
		s.fail("Do", errors.New("got a nil function"))
		return
	}
	s.add(&task{name: "Do", do: func(exec.Queue) (err error) {
		s.settle()
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the function panicked: %v", p)
			}
		}()
		return f()
	}})
}

// Wait waits until all work added so far is done. It returns the errors of the work since the previous Wait,
// joined. If ctx ends first, Wait returns its error and the work continues.
func (s *Stream) Wait(ctx context.Context) error {
	if err := s.ok(); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	for {
		s.mu.Lock()
		if s.head == len(s.work) && !s.working {
			errs := s.errs
			s.errs, s.number = nil, 0
			s.mu.Unlock()
			return joined(errs)
		}
		if s.idle == nil {
			s.idle = make(chan struct{})
			s.news.Add(1)
		}
		if !s.working && ctx.Done() == nil { // no other goroutine needs to wake
			s.serveLocked()
			continue
		}
		idle := s.idle
		s.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close waits for the stream's work and returns its errors. Work added later is an error.
func (s *Stream) Close() error {
	if s == nil || s.dev == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.Wait(context.Background())
}

func (s *Stream) ok() error {
	if s == nil || s.dev == nil {
		return errors.New("purecl: no stream: Device.Stream gives one")
	}
	return nil
}

// fail adds an error.
func (s *Stream) fail(name string, err error) {
	if s == nil || s.dev == nil {
		panic("purecl: " + name + " of no stream: Device.Stream gives one")
	}
	s.mu.Lock()
	s.number++
	s.errs = append(s.errs, &streamError{s.number, name, err})
	s.mu.Unlock()
}

// joined returns the errors, joined in the order of the work.
func joined(list []*streamError) error {
	slices.SortStableFunc(list, func(a, b *streamError) int { return a.number - b.number })
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// A streamError is the error of a piece of work.
type streamError struct {
	number int
	name   string
	err    error
}

func (e *streamError) Error() string {
	text := e.err.Error()
	if len(text) > 8 && text[:8] == "purecl: " {
		text = text[8:]
	}
	return fmt.Sprintf("purecl: work %d of the stream (%s): %s", e.number, e.name, text)
}

func (e *streamError) Unwrap() error { return e.err }

// add adds work; undo releases its resources if the work is never executed.
func (s *Stream) add(t *task, undo ...func()) {
	err := s.ok()
	if err == nil {
		err = s.dev.ok()
	}
	if err == nil && s.isClosed() {
		err = fmt.Errorf("the stream is %w", ErrClosed)
	}
	if err != nil {
		for _, f := range undo {
			f()
		}
		s.fail(t.name, err)
		return
	}
	s.mu.Lock()
	s.number++
	t.number = s.number
	s.work = append(s.work, *t)
	s.news.Add(1)
	if !s.serving && !s.working {
		s.serving = true
		go s.serve()
	}
	s.mu.Unlock()
}

func (s *Stream) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Stream) serve() {
	s.mu.Lock()
	s.serving = false
	if s.working {
		s.mu.Unlock()
		return
	}
	s.serveLocked()
}

// serveLocked executes all work of the stream. The caller holds the lock, which serveLocked releases.
func (s *Stream) serveLocked() {
	s.working = true
	for {
		for s.head < len(s.work) {
			t := s.work[s.head]
			s.work[s.head] = task{}
			s.head++
			s.more = s.head < len(s.work)
			s.mu.Unlock()
			s.perform(&t)
			s.mu.Lock()
		}
		s.work, s.head = s.work[:0], 0
		if len(s.begun) == 0 {
			break
		}
		if !s.lingerLocked() {
			s.mu.Unlock()
			s.settle()
			s.mu.Lock()
		}
	}
	s.working = false
	if s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
	s.mu.Unlock()
}

// lingerLocked looks for more work for a short time, unless a goroutine waits, and reports whether there is any.
func (s *Stream) lingerLocked() bool {
	if s.idle == nil {
		seen := s.news.Load()
		s.mu.Unlock()
		for start := timing.Now(); s.news.Load() == seen && time.Duration(timing.Now()-start) < linger; {
			runtime.Gosched()
		}
		s.mu.Lock()
	}
	return s.head < len(s.work)
}

// perform begins a piece of work. On a device whose queues do work at once it also ends it.
func (s *Stream) perform(t *task) {
	t.err = s.begin(t)
	if t.end == nil {
		s.failed(t, t.err)
		return
	}
	s.begun = append(s.begun, *t)
	if s.dev.exec.Info().SharesMemory || len(s.begun) >= maxBegun {
		s.settle()
	}
}

// begin calls t.do. It turns a panic, which is a bug of PureCL, into an error, so that it does not end the process.
func (s *Stream) begin(t *task) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = exec.NewInternalError(p)
		}
	}()
	if s.queue == nil {
		q, err := s.dev.queue()
		if err != nil {
			return err
		}
		s.queue = q
	}
	return t.do(s.queue.Queue)
}

// settle waits for the queue and ends the work that has begun. An error of the queue that is not one task's own is
// the last task's.
func (s *Stream) settle() {
	var err error
	if s.queue != nil {
		err = s.queue.Wait(context.Background())
	}
	list := s.begun
	s.begun = nil
	for i := range list {
		t := &list[i]
		if t.err == nil && i == len(list)-1 {
			t.err = err
		}
		if e := t.ended(); e != nil {
			s.failed(t, e)
			if err != nil && errors.Is(e, err) {
				err = nil // this task's own
			}
		}
		*t = task{}
	}
	s.begun = list[:0]
}

// ended calls t.end. A panic becomes its error.
func (t *task) ended() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = exec.NewInternalError(p)
		}
	}()
	return t.end(t.err)
}

// failed keeps the error of a piece of work for Wait.
func (s *Stream) failed(t *task, err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	s.errs = append(s.errs, &streamError{t.number, t.name, err})
	s.mu.Unlock()
}

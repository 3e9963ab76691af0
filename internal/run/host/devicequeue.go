package host

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// A deviceQueue runs commands on a device with memory of its own, one after another in the order in which they begin. A
// command begins as soon as the commands of the same deviceQueue that it waits for have begun, without waiting for
// their ends. Commands complete in the order in which they began.
//
// An in-order queue has one deviceQueue, which all its commands belong to. A command that needs the host (mappings,
// native kernels, large copies) runs when all before it are complete. An out-of-order queue has several (see lanes).
// Its commands that need the host belong to none.
//
// The goroutine that waits for a command completes it and all before it. For commands that no goroutine waits for,
// one looks from time to time.
type deviceQueue struct {
	r       *remote
	pending atomic.Int32 // commands that are not complete, of an out-of-order queue

	// completing is held while commands are completed, so that they complete in order. It is locked before mu.
	completing sync.Mutex
	ended      []*Event // memory for settle

	mu       sync.Mutex
	q        exec.AsyncQueue // nil until first used
	begun    []*Event        // commands that have begun and are not complete, in order
	room     []*Event        // memory of begun, from its start
	first    uint64          // number of the first of begun: the commands are numbered as they begin
	unmarked int             // commands since the last mark
	watched  bool            // a goroutine looks for commands that are done
	holding  bool            // launches may be held: a goroutine flushes the device's queue
	news     atomic.Uint32   // changes with each command that begins
	clock    deviceClock
}

const (
	// maxBegun is the number of commands that begin before a further one waits for the oldest. A device's queue
	// settles by itself at 256.
	maxBegun = 192
	// markEvery is the number of commands to a mark if no goroutine asks for a mark.
	markEvery = 32
	// lookEvery is how often a goroutine looks for commands that are done. After idleLooks looks without commands
	// it ends.
	lookEvery = time.Millisecond
	idleLooks = 100
	// holdAfter is the number of commands not complete from which on launches may be held, so that several start
	// together: the device has work meanwhile. They start once no command has begun for holdTime.
	holdAfter = 4
	holdTime  = 20 * time.Microsecond
)

// An asyncCommand is a command that a device runs while the host goes on.
type asyncCommand interface {
	command
	// async reports whether begin and end replace run. prompt reports whether begin returns at once.
	async() bool
	prompt(q *Queue) bool
	// prepare is called before begin, without locks.
	prepare(e *Event) error
	// begin adds the work to the device's queue. One goroutine at a time calls it.
	begin(e *Event, q exec.AsyncQueue) error
	// end completes the command, whose work has ended with err. It returns the command's error.
	end(e *Event, err error) error
}

// A deviceEvent is what a deviceQueue keeps of a command.
type deviceEvent struct {
	on     *deviceQueue // that the command belongs to, or nil; it is set before the command is submitted
	begun  bool         // protected by Event.mu: commands of the same deviceQueue need not wait for it
	wanted bool         // protected by Event.mu: another goroutine completes it as soon as it is done
	order  uint64       // the command's number
	number uint64       // of the device queue's work: the command's is before it
	mark   exec.Mark    // behind the command, or nil
	users  int          // goroutines that wait for the mark
	over   bool         // complete: the last user releases the mark
	marked bool         // the command shall have a mark of its own
	held   bool         // the command may start with the next
	start  exec.Mark    // before the command, if it is timed
	err    error        // of begin
	// skipped is set if the command does not begin, because one in its wait list has failed.
	skipped bool
}

// asynchronous returns the event's command if the device runs it asynchronously, else nil.
func (e *Event) asynchronous() asyncCommand {
	if e.dev.on == nil {
		return nil
	}
	if c, ok := e.work.(asyncCommand); ok && c.async() {
		return c
	}
	return nil
}

// prompt reports whether the event's command begins without a wait.
func (e *Event) prompt() bool {
	c := e.asynchronous()
	return c != nil && (e.failed.Load() || c.prompt(e.queue))
}

// begin begins a ready command. It returns a command that is ready then, or nil, and starts the others.
func (d *deviceQueue) begin(e *Event) (next *Event) {
	c := e.asynchronous()
	d.limit()
	var err error
	if e.failed.Load() {
		e.dev.skipped, err = true, errDependency()
	} else {
		err = guard(e, func() error { return c.prepare(e) })
	}
	d.mu.Lock()
	e.dev.err = err
	if err == nil {
		e.dev.err = guard(e, func() error { return d.add(e, c) })
	}
	if d.q != nil {
		e.dev.number = d.q.Begun()
	}
	if len(d.begun) == 0 && e.dev.err == nil {
		e.advance(Running)
	}
	if d.room == nil {
		d.room = make([]*Event, 0, 2*maxBegun)
		d.begun = d.room
	}
	if len(d.begun) == cap(d.begun) {
		d.begun = append(d.room, d.begun...)
	}
	e.dev.order = d.first + uint64(len(d.begun))
	d.begun = append(d.begun, e)
	if !d.watched {
		d.watched = true
		go d.watch()
	}
	d.mu.Unlock()
	next, rest, wanted := e.release()
	if wanted {
		go d.await(e)
	}
	spread(rest)
	return next
}

// close returns the device's queue, which has memory and a stream, for other uses. It has no effect while commands
// run.
func (d *deviceQueue) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.begun) == 0 {
		d.closeLocked()
	}
}

func (d *deviceQueue) closeLocked() {
	if d.clock.mark != nil {
		d.clock.mark.Release()
		d.clock.mark = nil
	}
	if d.q != nil {
		d.r.put(d.q)
		d.q = nil
	}
}

// guard calls do and turns a panic into an error.
func guard(e *Event, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
			e.queue.ctx.tellError(nil, err)
		}
	}()
	return do()
}

// add adds the work of a command to the device's queue, with the marks that it needs.
func (d *deviceQueue) add(e *Event, c asyncCommand) (err error) {
	if d.q == nil {
		if d.q, err = d.r.take(); err != nil {
			return err
		}
	}
	timed := e.queue.props.Profiling
	if timed {
		if err := d.clock.set(d.q, len(d.begun) == 0); err != nil {
			return err
		}
		if e.dev.start, err = d.q.Mark(true); err != nil {
			return err
		}
	}
	d.unmarked++
	needsMark := timed || e.dev.marked || d.unmarked >= markEvery
	d.news.Add(1)
	if e.dev.held = len(d.begun) >= holdAfter && !needsMark; e.dev.held && !d.holding {
		d.holding = true
		go d.linger()
	}
	if err := c.begin(e, d.q); err != nil {
		return err
	}
	if needsMark {
		e.dev.mark, err = d.q.Mark(timed)
		d.unmarked = 0
	}
	return err
}

// linger flushes the device's queue once no command has begun for a time.
func (d *deviceQueue) linger() {
	seen := d.news.Load()
	for start := now(); now()-start < int64(holdTime); runtime.Gosched() {
		if n := d.news.Load(); n != seen {
			seen, start = n, now()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holding = false
	if d.q != nil {
		d.q.Flush()
	}
}

// flush starts the launches that are held.
func (d *deviceQueue) flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.q != nil {
		d.q.Flush()
	}
}

// release makes commands of the same deviceQueue that wait for e ready, because e has begun. wanted reports whether a
// goroutine shall complete e.
func (e *Event) release() (next *Event, rest []*Event, wanted bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dev.begun = true
	if e.status <= 0 {
		return nil, nil, false
	}
	wanted = e.dev.wanted || e.done != nil || len(e.callbacks) > 0
	for i := range e.next {
		x := &e.next[i]
		switch {
		case !x.near:
			wanted = true
		case !x.released:
			x.released = true
			switch ready := x.e.waiting.Add(-1) == 0; {
			case ready && next == nil:
				next = x.e
			case ready:
				rest = append(rest, x.e)
			}
		}
	}
	e.dev.wanted = wanted
	return next, rest, wanted
}

// want makes a goroutine complete e as soon as it is done. The caller holds e.mu.
func (e *Event) want() {
	if e.dev.on == nil || e.dev.wanted || e.status <= 0 {
		return
	}
	e.dev.wanted = true
	if e.dev.begun {
		go e.dev.on.await(e)
	}
}

// Observe tells that the host may ask for the event's status: it is then exact even if the queue has later commands.
func (e *Event) Observe() {
	e = or(e)
	d := e.dev.on
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e.dev.marked = true
	if e.dev.mark == nil && e.dev.err == nil && !e.dev.over && d.index(e) >= 0 {
		if m, err := d.q.Mark(false); err == nil { // an error shows at the end
			e.dev.mark, d.unmarked = m, 0
		}
	}
}

// index returns the index of a command in begun, -1 if it is complete or has not begun. The caller holds d.mu.
func (d *deviceQueue) index(e *Event) int {
	if i := e.dev.order - d.first; i < uint64(len(d.begun)) && d.begun[i] == e {
		return int(i)
	}
	return -1
}

// limit waits while too many commands have begun.
func (d *deviceQueue) limit() {
	d.mu.Lock()
	var e *Event
	if len(d.begun) >= maxBegun {
		e = d.begun[len(d.begun)-maxBegun/2]
	}
	d.mu.Unlock()
	if e != nil {
		d.await(e)
	}
}

// await waits until a command that has begun is complete.
func (d *deviceQueue) await(e *Event) {
	d.mu.Lock()
	i := d.index(e)
	if i < 0 { // another goroutine completes it, or has
		d.mu.Unlock()
		d.completed()
		return
	}
	m, last, err := d.markAfter(i)
	d.mu.Unlock()
	if m != nil {
		err = m.Wait()
	}
	d.settle(last, err)
	d.mu.Lock()
	last.unuse()
	d.mu.Unlock()
}

// awaitSet waits for the commands that have begun and set some of the host's memory mem.
func (d *deviceQueue) awaitSet(mem []byte) {
	var last *Event
	d.mu.Lock()
	for _, e := range d.begun {
		if f, ok := e.work.(*function); ok && overlap(f.sets, mem) {
			last = e
		}
	}
	d.mu.Unlock()
	if last != nil {
		d.await(last)
	}
}

// markAfter returns a mark behind the i-th command that has begun, and the last command before the mark. A nil mark
// has been reached. The caller holds d.mu, and calls last.unuse.
func (d *deviceQueue) markAfter(i int) (m exec.Mark, last *Event, err error) {
	for _, last = range d.begun[i:] {
		if last.dev.mark != nil {
			last.dev.users++
			return last.dev.mark, last, nil
		}
	}
	last.dev.users++
	if d.q == nil {
		return nil, last, nil
	}
	return d.q.Tail(), last, nil
}

// unuse ends the use of the event's mark by a goroutine. The caller holds the device queue's lock.
func (e *Event) unuse() {
	e.dev.users--
	e.releaseMarks()
}

// releaseMarks releases the marks of a complete command once no goroutine uses them.
func (e *Event) releaseMarks() {
	if !e.dev.over || e.dev.users > 0 {
		return
	}
	for _, m := range [...]*exec.Mark{&e.dev.mark, &e.dev.start} {
		if *m != nil {
			(*m).Release()
			*m = nil
		}
	}
}

// settle completes the commands up to last, whose work is done. With an error, which concerns the device, it
// completes all.
func (d *deviceQueue) settle(last *Event, err error) {
	d.completing.Lock()
	d.mu.Lock()
	n := d.index(last) + 1
	if err != nil {
		n = len(d.begun)
	}
	if n == 0 {
		d.mu.Unlock()
		d.completing.Unlock()
		return
	}
	list := append(d.ended[:0], d.begun[:n]...)
	clear(d.begun[:n])
	d.first += uint64(n)
	if d.begun = d.begun[n:]; len(d.begun) == 0 {
		d.begun = d.room
	}
	if d.q != nil {
		d.q.Settle(list[n-1].dev.number, err)
	}
	for _, e := range list {
		if err == nil {
			d.clock.times(e)
		}
		e.dev.over = true
		e.releaseMarks()
	}
	if len(d.begun) > 0 {
		d.begun[0].advance(Running)
	}
	d.mu.Unlock()
	var ready []*Event
	for _, e := range list {
		first, rest := e.complete(e.end(err))
		if first != nil {
			ready = append(ready, first)
		}
		ready = append(ready, rest...)
	}
	clear(list)
	d.ended = list
	d.completing.Unlock()
	spread(ready)
}

// end ends the command of an event, whose work has ended with err.
func (e *Event) end(err error) error {
	if e.dev.skipped {
		return errDependency()
	}
	if e.dev.err != nil {
		err = e.dev.err
	}
	out := guard(e, func() error { return e.work.(asyncCommand).end(e, err) })
	if out == nil && e.failed.Load() {
		out = errDependency()
	}
	return out
}

// poll completes the commands that are done. It reports whether others are left.
func (d *deviceQueue) poll() (busy bool) {
	d.mu.Lock()
	n := len(d.begun)
	if n == 0 {
		d.mu.Unlock()
		return false
	}
	var last *Event
	m, _, err := d.markAfter(n - 1)
	d.begun[n-1].dev.users--
	done := m == nil
	if !done {
		done, err = m.Done()
	}
	if done || err != nil {
		last = d.begun[n-1]
	}
	for i := 0; last == nil || last != d.begun[n-1]; i++ {
		for i < n && d.begun[i].dev.mark == nil {
			i++
		}
		if i == n {
			break
		}
		if done, err = d.begun[i].dev.mark.Done(); !done && err == nil {
			break
		}
		last = d.begun[i]
	}
	left := last != d.begun[n-1]
	d.mu.Unlock()
	if last != nil {
		d.settle(last, err)
	}
	return left
}

// watch completes commands that no goroutine waits for.
func (d *deviceQueue) watch() {
	for idle := 0; ; idle++ {
		time.Sleep(lookEvery)
		if d.poll() {
			idle = 0
		}
		d.mu.Lock()
		if idle >= idleLooks && len(d.begun) == 0 {
			d.watched = false
			d.closeLocked()
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
	}
}

// drain waits until all commands that have begun are complete.
func (d *deviceQueue) drain() {
	d.mu.Lock()
	var last *Event
	if n := len(d.begun); n > 0 {
		last = d.begun[n-1]
	}
	d.mu.Unlock()
	if last != nil {
		d.await(last)
	}
	d.completed()
}

// completed waits until other goroutines have finished the completions that they have begun.
func (d *deviceQueue) completed() {
	d.completing.Lock()
	defer d.completing.Unlock()
}

// stop ends the launches that have begun.
func (d *deviceQueue) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.begun {
		e.stopped.Store(true)
	}
}

// A deviceClock converts times of the device to those of the host.
type deviceClock struct {
	mark exec.Mark // a time of the device, nil until first set
	at   int64     // the same of the host
}

// clockPeriod is how long a deviceClock keeps its mark while the queue is idle in between. The drivers' times between
// marks are less exact the longer they are.
const clockPeriod = int64(time.Second)

// clockTries is the number of marks from which a deviceClock takes the one that the device reached in the shortest time.
const clockTries = 4

// set takes the time if that is due and the queue is idle.
func (c *deviceClock) set(q exec.AsyncQueue, idle bool) error {
	if c.mark != nil && (!idle || now()-c.at < clockPeriod) {
		return nil
	}
	var shortest int64
	for try := range clockTries {
		before := now()
		m, err := q.Mark(true)
		if err == nil {
			if err = m.Wait(); err != nil {
				m.Release()
			}
		}
		if err != nil {
			return err
		}
		took := now() - before
		if try > 0 && took >= shortest {
			m.Release()
			continue
		}
		if c.mark != nil {
			c.mark.Release()
		}
		// The device reaches the mark some time after the request, and the host sees it some time after that.
		c.mark, c.at, shortest = m, before+took/2, took
	}
	return nil
}

// times sets the times of a command that is done.
func (c *deviceClock) times(e *Event) {
	if e.dev.start == nil || e.dev.mark == nil {
		return
	}
	since, err := e.dev.start.Since(c.mark)
	took, err2 := e.dev.mark.Since(e.dev.start)
	if err != nil || err2 != nil {
		return
	}
	latest := now()
	e.profile.Start = min(max(c.at+int64(since), e.profile.Submit), latest)
	e.ended = min(e.profile.Start+int64(took), latest)
}

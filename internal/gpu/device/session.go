package device

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/run/exec"
)

// A session is a stream with the data that it keeps for launches. Launches run asynchronously: begin starts one,
// settle waits for all and reads their outcomes.
type session struct {
	m          Machine
	s          Stream
	generation int
	states     map[*variant]*launchState
	print      uint64  // address of printf's buffer, 0 if not yet allocated
	running    []*call // launches that have begun; each has the signals of its index
	alone      bool    // one of them uses printf's buffer or the stream's marks
	err        error   // the first error that wait has not returned
	// Scratch of start.
	table  []byte
	places []uint64
}

// maxRunning is the number of launches between two waits for the stream.
const maxRunning = SignalsRoom / ptx.SignalsSize

// A launchState is the data that a stream keeps for launches of a kernel.
type launchState struct {
	table   uint64 // address of the object table
	room    int    // capacity of the table in bytes
	written []byte // the table's present contents
	params  []byte
	slabs   []uint64 // allocations of records
	records []uint64 // cleared records that no running launch uses
	made    int      // records in all slabs
}

func newSession(m Machine) (*session, error) {
	q := &session{m: m}
	return q, q.renew()
}

// renew replaces a stream of an older generation.
func (q *session) renew() error {
	generation := q.m.Generation()
	if q.s != nil && q.generation == generation {
		return nil
	}
	if q.s != nil {
		q.settle()
		q.s.Close()
		q.s = nil
	}
	s, err := q.m.NewStream()
	if err != nil {
		return err
	}
	q.s, q.generation, q.print, q.states = s, generation, 0, map[*variant]*launchState{}
	return nil
}

// forget releases the launch state of a kernel.
func (q *session) forget(k *kernel) {
	for _, v := range k.code {
		if st := q.states[v]; st != nil {
			q.drop(st)
			delete(q.states, v)
		}
	}
	for _, x := range k.formats {
		q.forget(x)
	}
}

func (q *session) drop(st *launchState) {
	q.m.Free(st.table, q.generation)
	for _, at := range st.slabs {
		q.m.Free(at, q.generation)
	}
}

func (q *session) close() {
	for _, st := range q.states {
		q.drop(st)
	}
	if q.print != 0 {
		q.m.Free(q.print, q.generation)
	}
	if q.s != nil {
		q.s.Close()
	}
}

// begin starts a launch. Its outcome is known after settle. ctx ends the launch.
func (q *session) begin(ctx context.Context, c *call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.forImages(); err != nil {
		return err
	}
	unaligned := false
	for i := range c.objects {
		o := &c.objects[i]
		unaligned = unaligned || o.addr%16 != 0
	}
	v, err := c.k.get(unaligned, !c.rng.Uniform())
	if err != nil {
		return err
	}
	alone := c.timed || len(v.k.Printfs) > 0 && c.stdout != nil
	if q.alone && alone || len(q.running) == maxRunning {
		q.settle()
	}
	st, err := q.state(v, c)
	if err != nil {
		return err
	}
	if c.records, err = q.record(v, st); err != nil {
		return err
	}
	words, at := q.s.Signals()
	c.ctx, c.v, c.st = ctx, v, st
	c.signals, c.signalsAt = words[len(q.running)*ptx.SignalsSize/4:][:ptx.SignalsSize/4], at+uint64(len(q.running))*ptx.SignalsSize
	for i := range c.signals {
		atomic.StoreUint32(&c.signals[i], 0)
	}
	if err := q.start(c); err != nil {
		st.records = append(st.records, c.records)
		return err
	}
	if ctx.Done() != nil {
		c.watch = watch(ctx, &c.signals[ptx.SignalStop/4])
	}
	q.running, q.alone = append(q.running, c), q.alone || alone
	return nil
}

// A watcher sets a word to 1 when a context ends, until it is closed.
type watcher struct {
	mu     sync.Mutex
	closed bool
	stop   func() bool
}

func watch(ctx context.Context, word *uint32) *watcher {
	w := &watcher{}
	w.stop = context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.closed {
			atomic.StoreUint32(word, 1)
		}
	})
	return w
}

func (w *watcher) close() {
	if w.stop() {
		return
	}
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
}

// settle waits for the stream's work and ends the running launches in order.
func (q *session) settle() {
	var err error
	if q.s != nil { // else there is no context any more
		err = q.s.Wait()
	}
	list := q.running
	q.running, q.alone = nil, false
	for i, c := range list {
		if c.watch != nil {
			c.watch.close()
		}
		if c.err = err; err == nil {
			c.err = q.read(c)
		}
		c.st.records = append(c.st.records, c.records)
		if c.ended != nil {
			c.ended(c)
		}
		if q.err == nil {
			q.err = c.err
		}
		list[i] = nil
	}
	if q.running == nil {
		q.running = list[:0]
	}
	if q.err == nil {
		q.err = err
	}
}

// wait settles and returns the first error that it has not returned yet.
func (q *session) wait() error {
	q.settle()
	err := q.err
	q.err = nil
	return err
}

// run launches a kernel and waits for its end.
func (q *session) run(ctx context.Context, c *call) ([]*exec.Finding, error) {
	if err := q.begin(ctx, c); err != nil {
		return nil, err
	}
	err := q.wait()
	return c.findings, err
}

// read reads what a launch has left behind.
func (q *session) read(c *call) (err error) {
	if c.timed {
		if c.took, err = q.s.Elapsed(); err != nil {
			return err
		}
	}
	if len(c.v.k.Printfs) > 0 && c.stdout != nil {
		if err := q.printed(c.v, c); err != nil {
			return err
		}
	}
	if atomic.LoadUint32(&c.signals[ptx.SignalFound/4]) != 0 {
		if c.findings, err = q.findings(c); err != nil {
			return err
		}
	}
	if atomic.LoadUint32(&c.signals[ptx.SignalStopped/4]) != 0 {
		return c.ctx.Err()
	}
	return nil
}

// state returns the stream's launch state for a kernel.
func (q *session) state(v *variant, c *call) (*launchState, error) {
	if st := q.states[v]; st != nil {
		return st, nil
	}
	st := &launchState{params: make([]byte, (v.k.Block+15)&^15)}
	st.room = (len(c.objects) + len(v.k.Allocas) + 8) * ptx.ObjectEntry
	var err error
	if st.table, err = q.m.Alloc(st.room); err != nil {
		return nil, err
	}
	q.states[v] = st
	return st, nil
}

// maxSlab is the size of the largest allocation of records in bytes, unless one launch needs more.
const maxSlab = 1 << 20

// record returns cleared records for a launch. Their number doubles when none are left.
func (q *session) record(v *variant, st *launchState) (uint64, error) {
	if len(st.records) == 0 {
		size := (recordsSize(v.k) + 15) &^ 15
		n := max(1, min(st.made, maxSlab/size))
		at, err := q.m.Alloc(n * size)
		if err != nil {
			return 0, err
		}
		st.slabs = append(st.slabs, at)
		if err := q.s.Clear(at, n*size); err != nil {
			return 0, err
		}
		st.made += n
		for i := range n {
			st.records = append(st.records, at+uint64(i*size))
		}
	}
	last := len(st.records) - 1
	at := st.records[last]
	st.records = st.records[:last]
	return at, nil
}

// writeTable copies the object table to the device if it has changed.
func (q *session) writeTable(st *launchState, table []byte) error {
	if bytes.Equal(table, st.written) {
		return nil
	}
	if len(table) > st.room {
		q.m.Free(st.table, q.generation)
		st.room = 2 * len(table)
		var err error
		if st.table, err = q.m.Alloc(st.room); err != nil {
			st.room, st.table = 0, 0
			return err
		}
	}
	st.written = bytes.Clone(table) // which must not change before the stream has been waited for
	return q.s.Write(st.table, st.written)
}

func (q *session) printBuffer() error {
	if q.print == 0 {
		at, err := q.m.Alloc(printRoom)
		if err != nil {
			return err
		}
		q.print = at
	}
	return q.s.Clear(q.print, ptx.PrintHead)
}

package device

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// A session is a stream with the data that it keeps for launches. Launches and small reads run asynchronously: begin
// starts a launch, settle ends those that are done and reads their outcomes.
type session struct {
	m          Machine
	s          Stream
	side       Stream // reads the outcomes of launches while others run; nil until first used
	generation int
	states     map[*variant]*launchState
	print      uint64 // address of printf's buffer, 0 if not yet allocated
	err        error  // the first error that wait has not returned
	// begun is the work that has begun and is not settled, in order. first is the number of the first piece;
	// numbers count the session's work.
	begun []piece // a part of room
	room  []piece
	first uint64
	// slot selects the signals of the next launch. It is 0 when no work is left: the same launch again then has the same
	// parameter, which is faster to start.
	slot   uint64
	halves []half // marks behind halves of the running work
	stops  stops
	blocks []uint64 // memory of blockSize bytes for arguments, unused
	slabs  []uint64 // allocations of blocks
	pinned []byte   // where small reads go to, behind each other; nil until first used
	filled int      // bytes of pinned in use
	// Scratch of start.
	table  []byte
	places []uint64
}

// A piece of work is a launch or a small read.
type piece struct {
	c        *call
	dst, src []byte // of a read: src is pinned
}

// maxRunning is the number of pieces of work between two waits for the stream: each launch has signals of its own.
const maxRunning = SignalsRoom / ptx.SignalsSize

// A half is a mark behind half of the work that may run.
type half struct {
	mark exec.Mark
	end  uint64 // the number of the next piece of work
}

// A small read has at most maxSmall bytes. All that have begun have pinnedRoom.
const (
	maxSmall   = 32 << 10
	pinnedRoom = 256 << 10
)

// A launchState is the data that a stream keeps for launches of a kernel.
type launchState struct {
	table   uint64 // address of the object table
	room    int    // capacity of the table in bytes
	written []byte // the table's present contents
	params  []byte
	of      *call    // the launch whose parameters params has; nil if they are not complete
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
		q.closeStreams()
	}
	s, err := q.m.NewStream()
	if err != nil {
		return err
	}
	q.s, q.generation, q.print, q.states = s, generation, 0, map[*variant]*launchState{}
	q.blocks, q.slabs = nil, nil
	registerSignals(s)
	return nil
}

func (q *session) closeStreams() {
	if q.s != nil {
		unregisterSignals(q.s)
		q.s.Close()
	}
	if q.side != nil {
		q.side.Close()
	}
	q.s, q.side, q.pinned, q.filled = nil, nil, nil, 0
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
	for _, at := range q.slabs {
		q.m.Free(at, q.generation)
	}
	q.closeStreams()
}

// begin starts a launch. Its outcome is known after settle. ctx ends the launch.
func (q *session) begin(ctx context.Context, c *call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.st == nil || c.st.of != c {
		if err := q.choose(c); err != nil {
			return err
		}
	}
	q.limit()
	var err error
	if c.records, err = q.record(c.v, c.st); err != nil {
		return err
	}
	words, at := q.s.Signals()
	if len(q.begun) == 0 {
		q.slot = 0
	}
	slot := q.slot % maxRunning
	c.ctx = ctx
	c.signals, c.signalsAt = words[slot*ptx.SignalsSize/4:][:ptx.SignalsSize/4], at+slot*ptx.SignalsSize
	for i := range c.signals {
		if atomic.LoadUint32(&c.signals[i]) != 0 { // a store takes longer
			atomic.StoreUint32(&c.signals[i], 0)
		}
	}
	if exiting.Load() {
		atomic.StoreUint32(&c.signals[ptx.SignalStop/4], 1)
	}
	if c.st.of == c {
		err = q.restart(c)
	} else {
		err = q.start(c)
	}
	if err != nil {
		c.st.records = append(c.st.records, c.records)
		c.releaseTimes()
		return err
	}
	word := &c.signals[ptx.SignalStop/4]
	if ctx.Done() != nil {
		c.watch = watch(ctx, word)
	}
	if c.stop != nil {
		q.stops.add(c.stop, word)
	}
	q.add(piece{c: c})
	q.slot++
	return nil
}

// choose chooses the variant of the kernel for a launch.
func (q *session) choose(c *call) error {
	if err := c.forImages(); err != nil {
		return err
	}
	n, err := c.formOf()
	if err != nil {
		return err
	}
	if c.v, err = c.k.get(n); err != nil {
		return err
	}
	if c.prints(c.v) && q.printing() {
		q.settle()
	}
	c.st, err = q.state(c.v, c)
	return err
}

// prints reports whether the launch uses printf's buffer.
func (c *call) prints(v *variant) bool { return len(v.k.Printfs) > 0 && c.stdout != nil }

// printing reports whether a launch that has begun uses printf's buffer.
func (q *session) printing() bool {
	return slices.ContainsFunc(q.begun, func(p piece) bool { return p.c != nil && p.c.prints(p.c.v) })
}

func (c *call) releaseTimes() {
	for i, m := range c.times {
		if m != nil {
			m.Release()
			c.times[i] = nil
		}
	}
}

// write copies host memory to the device, as small reads before it leave it.
func (q *session) write(dst uint64, src []byte) error {
	q.settleReads(src)
	return q.s.Write(dst, src)
}

// settleReads settles the work if small reads that have begun set some of mem.
func (q *session) settleReads(mem []byte) {
	if q.filled == 0 {
		return
	}
	if slices.ContainsFunc(q.begun, func(p piece) bool { return overlap(p.dst, mem) }) {
		q.settle()
	}
}

// read copies device memory to dst, which has the contents once the work is settled.
func (q *session) read(dst []byte, src uint64) error {
	if len(dst) > maxSmall || len(dst) == 0 {
		q.settleReads(dst) // which would set it later
		return q.s.Read(dst, src)
	}
	if q.pinned == nil {
		var err error
		if q.pinned, err = q.s.Pinned(pinnedRoom); err != nil {
			return err
		}
	}
	if q.filled+len(dst) > len(q.pinned) {
		q.settle()
	}
	q.limit()
	to := q.pinned[q.filled:][:len(dst)]
	if err := q.s.Read(to, src); err != nil {
		return err
	}
	q.filled += (len(dst) + 63) &^ 63
	q.add(piece{dst: dst, src: to})
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

// add adds a piece of work that has begun.
func (q *session) add(p piece) {
	if q.room == nil {
		q.room = make([]piece, 0, 2*maxRunning)
		q.begun = q.room
	}
	if len(q.begun) == cap(q.begun) { // move it to the beginning of its room
		q.begun = append(q.room[:0], q.begun...)
	}
	q.begun = append(q.begun, p)
}

// limit waits for the older half of the running work if no more may run, so that the device has the other half to do
// meanwhile.
func (q *session) limit() {
	unmarked := uint64(len(q.begun)) // since the last mark
	if n := len(q.halves); n > 0 {
		unmarked = q.number() - q.halves[n-1].end
	}
	if unmarked >= maxRunning/2 {
		if m, err := q.s.Mark(false); err == nil { // an error shows at the wait
			q.halves = append(q.halves, half{m, q.number()})
		}
	}
	if len(q.begun) < maxRunning {
		return
	}
	if len(q.halves) == 0 || q.halves[0].end == q.number() {
		q.settle()
		return
	}
	h := q.halves[0]
	err := h.mark.Wait()
	q.settleTo(h.end, err)
	if q.err == nil {
		q.err = err
	}
}

// number is the number of the next piece of work.
func (q *session) number() uint64 { return q.first + uint64(len(q.begun)) }

// settle waits for the stream's work and ends all of it.
func (q *session) settle() {
	var err error
	if q.s != nil { // else there is no context any more
		err = q.s.Wait()
	}
	q.settleTo(q.number(), err)
	if q.err == nil {
		q.err = err
	}
}

// settleTo ends the work before a number, in order. It is done, or has failed with err.
func (q *session) settleTo(end uint64, err error) {
	for q.first < end && len(q.begun) > 0 {
		p := q.begun[0]
		q.begun[0] = piece{}
		q.begun = q.begun[1:]
		q.first++
		switch {
		case p.c != nil:
			q.end(p.c, err)
		case err == nil:
			copy(p.dst, p.src)
		}
	}
	for len(q.halves) > 0 && q.halves[0].end <= q.first {
		q.halves[0].mark.Release()
		q.halves = append(q.halves[:0], q.halves[1:]...)
	}
	if len(q.begun) == 0 {
		q.filled = 0
		q.begun = q.room[:0]
	}
}

// end ends a launch.
func (q *session) end(c *call, err error) {
	if c.watch != nil {
		c.watch.close()
	}
	if c.stop != nil {
		q.stops.remove(&c.signals[ptx.SignalStop/4])
	}
	if c.err = err; err == nil {
		c.err = q.outcome(c)
	}
	c.releaseTimes()
	c.st.records = append(c.st.records, c.records)
	if c.ended != nil {
		c.ended(c)
	}
	if q.err == nil {
		q.err = c.err
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

// outcome reads what a launch has left behind.
func (q *session) outcome(c *call) (err error) {
	if c.timed {
		if c.took, err = c.times[1].Since(c.times[0]); err != nil {
			return err
		}
	}
	if c.prints(c.v) {
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
		return c.stopped()
	}
	return nil
}

// stopped returns the reason why the host has ended the launch.
func (c *call) stopped() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	return launch.ErrStopped
}

// fetch reads device memory while the stream's work continues, and waits for the result.
func (q *session) fetch(dst []byte, src uint64) error {
	return q.aside(func(s Stream) error { return s.Read(dst, src) })
}

// aside does work on a second stream and waits for it.
func (q *session) aside(do func(s Stream) error) error {
	if q.side == nil {
		s, err := q.m.NewStream()
		if err != nil {
			return err
		}
		q.side = s
	}
	err := do(q.side)
	if werr := q.side.Wait(); err == nil {
		err = werr
	}
	return err
}

// state returns the stream's launch state for a kernel.
func (q *session) state(v *variant, c *call) (*launchState, error) {
	if st := q.states[v]; st != nil {
		return st, nil
	}
	q.dropClosed()
	st := &launchState{params: make([]byte, (v.k.Block+15)&^15)}
	st.room = (len(c.objects) + len(v.k.Allocas) + 8) * ptx.ObjectEntry
	var err error
	if st.table, err = q.m.Alloc(st.room); err != nil {
		return nil, err
	}
	q.states[v] = st
	return st, nil
}

// dropClosed drops the launch states of kernels whose programs are closed.
func (q *session) dropClosed() {
	for v, st := range q.states {
		used := func(p piece) bool { return p.c != nil && p.c.st == st }
		if v.closed.Load() && !slices.ContainsFunc(q.begun, used) {
			q.drop(st)
			delete(q.states, v)
		}
	}
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

// A block is memory for an argument that is a struct. Its release does not wait for the device, as that of memory
// does.
const (
	blockSize  = 4096
	slabBlocks = 16
)

// block returns a block.
func (q *session) block() (uint64, error) {
	if len(q.blocks) == 0 {
		at, err := q.m.Alloc(blockSize * slabBlocks)
		if err != nil {
			return 0, err
		}
		q.slabs = append(q.slabs, at)
		for i := range slabBlocks {
			q.blocks = append(q.blocks, at+uint64(i*blockSize))
		}
	}
	last := len(q.blocks) - 1
	at := q.blocks[last]
	q.blocks = q.blocks[:last]
	return at, nil
}

// argument returns n bytes of memory for an argument of a launch.
func (q *session) argument(c *call, n int) (at uint64, err error) {
	if n > blockSize {
		if at, err = q.m.Alloc(n); err == nil {
			c.free = append(c.free, at)
		}
		return at, err
	}
	if at, err = q.block(); err == nil {
		c.blocks = append(c.blocks, at)
	}
	return at, err
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

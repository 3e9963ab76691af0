package host

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
)

// A remote is a device with memory of its own.
type remote struct {
	dev  exec.Device
	mu   sync.Mutex
	idle []exec.AsyncQueue
}

// take returns a queue of the device without work; put gives it back.
func (r *remote) take() (exec.AsyncQueue, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		defer r.mu.Unlock()
		q := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return q, nil
	}
	r.mu.Unlock()
	q, err := r.dev.NewQueue()
	if err != nil {
		return nil, err
	}
	return q.(exec.AsyncQueue), nil
}

func (r *remote) put(q exec.AsyncQueue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, q)
}

// do calls work with a queue of the device and waits for the queue to finish.
func (r *remote) do(work func(q exec.Queue) error) error {
	q, err := r.take()
	if err != nil {
		return err
	}
	err = work(q)
	if werr := q.Wait(context.Background()); err == nil {
		err = werr
	}
	if err != nil { // replace the failed queue for the next command
		q.Close()
		return err
	}
	r.put(q)
	return nil
}

// allocate returns memory of the device. It first frees memory that is no longer used.
func (r *remote) allocate(n int) (m exec.Memory, err error) {
	for try := range 3 {
		if try > 0 {
			runtime.GC()
		}
		if m, err = r.dev.Allocate(n); err == nil {
			return m, nil
		}
	}
	return nil, failf(opencl.MemObjectAllocationFailure, "%v", err)
}

// copies are the copies of a buffer's memory on devices with memory of their own. For each byte they record which
// memories hold the present contents. Commands ask for the ranges that they read, and report the ranges that they
// have written to.
type copies struct {
	host []byte // the buffer's memory of the host

	mu    sync.Mutex
	spans []span // of the whole buffer, in order
	on    []deviceCopy
}

// A span is a range of bytes: from the end of the previous span to its own. at is the set of memories with the
// present contents: bit 0 for the host, bit n+1 for on[n].
type span struct {
	end int
	at  uint64
}

const onHost = 1

// maxCopies is how many devices a buffer can have copies on.
const maxCopies = 63

// A deviceCopy is a copy of the whole buffer.
type deviceCopy struct {
	r      *remote
	memory exec.Memory
}

func newCopies(host []byte) *copies {
	return &copies{host: host, spans: []span{{len(host), onHost}}}
}

// shared returns the copies of b, or of the buffer that b is a part of, and the offset of b there. It returns nil
// where the context's devices use the host's memory.
func (b *Buffer) shared() (c *copies, base int) {
	if b.parent != nil {
		return b.parent.copies, b.origin
	}
	return b.copies, 0
}

// each calls f with the spans of a range and the memories that hold their present contents; f returns the
// memories that hold them afterwards. The caller holds c.mu.
func (c *copies) each(lo, hi int, f func(lo, hi int, at uint64) (uint64, error)) error {
	if lo >= hi {
		return nil
	}
	var out []span
	put := func(end int, at uint64) {
		if n := len(out); n > 0 && out[n-1].at == at {
			out[n-1].end = end
		} else {
			out = append(out, span{end, at})
		}
	}
	begin := 0
	var err error
	for _, s := range c.spans {
		from, to := max(begin, lo), min(s.end, hi)
		if from >= to || err != nil {
			put(s.end, s.at)
			begin = s.end
			continue
		}
		if begin < from {
			put(from, s.at)
		}
		at, ferr := f(from, to, s.at)
		if err = ferr; err != nil {
			at = s.at
		}
		put(to, at)
		if to < s.end {
			put(s.end, s.at)
		}
		begin = s.end
	}
	c.spans = out
	return err
}

// download copies a range from a device that holds it to dst. c.mu is held.
func (c *copies) download(dst []byte, lo int, at uint64) error {
	for i, d := range c.on {
		if at&(2<<i) != 0 {
			return d.r.do(func(q exec.Queue) error { return q.Read(dst, d.memory.Part(lo, len(dst))) })
		}
	}
	return failf(opencl.OutOfResources, "the buffer's contents are lost")
}

// fetch makes the host's memory hold a range.
func (c *copies) fetch(lo, hi int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.each(lo, hi, c.toHost)
}

func (c *copies) toHost(lo, hi int, at uint64) (uint64, error) {
	if at&onHost != 0 {
		return at, nil
	}
	return at | onHost, c.download(c.host[lo:hi], lo, at)
}

// read copies a range to dst, from whichever memory holds it.
func (c *copies) read(dst []byte, lo int, local func(dst, src []byte)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.each(lo, lo+len(dst), func(from, to int, at uint64) (uint64, error) {
		part := dst[from-lo : to-lo]
		if at&onHost == 0 {
			return at, c.download(part, from, at)
		}
		local(part, c.host[from:to])
		return at, nil
	})
}

// copyOn returns the number of the copy on a device. It creates the copy if there is none.
func (c *copies) copyOn(r *remote) (int, error) {
	if i := slices.IndexFunc(c.on, func(d deviceCopy) bool { return d.r == r }); i >= 0 {
		return i, nil
	}
	if len(c.on) == maxCopies {
		return 0, failf(opencl.OutOfResources, "the buffer is on %d devices already", maxCopies)
	}
	m, err := r.allocate(len(c.host))
	if err != nil {
		return 0, err
	}
	c.on = append(c.on, deviceCopy{r, m})
	return len(c.on) - 1, nil
}

// send makes the copy on a device hold a range, and returns that part of it.
func (c *copies) send(r *remote, lo, hi int) (exec.Memory, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.residentLocked(r, lo, hi); m != nil {
		return m, nil
	}
	i, err := c.copyOn(r)
	if err != nil {
		return nil, err
	}
	m, bit := c.on[i].memory, uint64(2<<i)
	err = c.each(lo, hi, func(from, to int, at uint64) (uint64, error) {
		if at&bit != 0 {
			return at, nil
		}
		at, err := c.toHost(from, to, at)
		if err == nil {
			err = r.do(func(q exec.Queue) error { return q.Write(m.Part(from, to-from), c.host[from:to]) })
		}
		return at | bit, err
	})
	return m.Part(lo, hi-lo), err
}

// resident returns a range of the copy on a device if the copy holds it, else nil.
func (c *copies) resident(r *remote, lo, hi int) exec.Memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.residentLocked(r, lo, hi)
}

func (c *copies) residentLocked(r *remote, lo, hi int) exec.Memory {
	for i, d := range c.on {
		if d.r == r && c.held(lo, hi, 2<<i) {
			if lo == 0 && hi == len(c.host) {
				return d.memory
			}
			return d.memory.Part(lo, hi-lo)
		}
	}
	return nil
}

// held reports whether one of a set of memories holds each part of a range.
func (c *copies) held(lo, hi int, set uint64) bool {
	begin := 0
	for _, s := range c.spans {
		if max(begin, lo) < min(s.end, hi) && s.at&set == 0 {
			return false
		}
		begin = s.end
	}
	return true
}

// readOn is read with a queue of a device, whose work it only begins.
func (c *copies) readOn(q exec.Queue, r *remote, dst []byte, lo int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.each(lo, lo+len(dst), func(from, to int, at uint64) (uint64, error) {
		part := dst[from-lo : to-lo]
		for i, d := range c.on {
			if d.r == r && at&(2<<i) != 0 {
				return at, q.Read(part, d.memory.Part(from, to-from))
			}
		}
		if at&onHost == 0 {
			return at, c.download(part, from, at)
		}
		copy(part, c.host[from:to])
		return at, nil
	})
}

// overwrite lets do write a range of the copy on a device. Afterwards only that copy holds the range.
func (c *copies) overwrite(r *remote, lo, hi int, do func(to exec.Memory) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.copyOn(r)
	if err != nil {
		return err
	}
	err = do(c.on[i].memory.Part(lo, hi-lo))
	if err == nil {
		c.setHolder(lo, hi, 2<<i)
	}
	return err
}

// wrote records that the device, or the host (nil), has written to a range.
func (c *copies) wrote(r *remote, lo, hi int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := uint64(onHost)
	if i := slices.IndexFunc(c.on, func(d deviceCopy) bool { return d.r == r }); i >= 0 {
		at = 2 << i
	}
	c.setHolder(lo, hi, at)
}

func (c *copies) setHolder(lo, hi int, at uint64) {
	if len(c.spans) == 1 && c.spans[0].at == at {
		return
	}
	c.each(lo, hi, func(int, int, uint64) (uint64, error) { return at, nil })
}

// A hostUse is a range of a buffer that a command uses in the host's memory.
type hostUse struct {
	b      *Buffer
	lo, hi int
	write  bool
}

// used returns the host's use of a range; it is empty if all devices use the host's memory.
func (b *Buffer) used(off, n int, write bool) []hostUse {
	if b == nil || !b.ctx.remotes {
		return nil
	}
	return []hostUse{{b, off, off + n, write}}
}

// whole is used for all of the buffer.
func (b *Buffer) whole(write bool) []hostUse {
	if b == nil {
		return nil
	}
	return b.used(0, len(b.mem), write)
}

// whole is used for all of the image.
func (m *Image) whole(write bool) []hostUse { return m.store.used(0, len(m.img.Data), write) }

// inHostMemory returns do as a command that works on the host's memory: it fetches the ranges before and marks
// written ranges after.
func inHostMemory(do func(*Event) error, lists ...[]hostUse) func(*Event) error {
	uses := slices.Concat(lists...)
	if len(uses) == 0 {
		return do
	}
	return func(e *Event) error {
		if err := fetchAll(uses); err != nil {
			return err
		}
		err := do(e)
		wroteAll(uses)
		return err
	}
}

// fetchAll copies the ranges that the host uses into its memory.
func fetchAll(uses []hostUse) error {
	for _, u := range uses {
		c, base := u.b.shared()
		if err := c.fetch(base+u.lo, base+u.hi); err != nil {
			return err
		}
	}
	return nil
}

// wroteAll records that the host has written to the ranges that it uses for writing.
func wroteAll(uses []hostUse) {
	for _, u := range uses {
		if u.write {
			c, base := u.b.shared()
			c.wrote(nil, base+u.lo, base+u.hi)
		}
	}
}

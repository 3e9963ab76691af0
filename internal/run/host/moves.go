package host

import (
	"github.com/purecl/purecl/internal/run/exec"
)

// These are commands that read, write, copy and fill. On a device with memory of its own they work
// on the copy there, asynchronously unless they are large.

const (
	asyncRead  = 32 << 10 // the largest read that a device's queue begins without a wait
	asyncWrite = 64 << 10 // the same of writes
)

func (q *Queue) reading(dst []byte, b *Buffer, off int, src []byte) *function {
	c, base := b.shared()
	if c == nil {
		return &function{do: func(*Event) error { q.dev.cpu.CopyBytes(dst, src); return nil }}
	}
	f := &function{do: func(*Event) error { return c.read(dst, base+off, q.dev.cpu.CopyBytes) }}
	if q.dev.remote != nil && len(dst) <= asyncRead {
		f.sets, f.on = dst, func(dq exec.AsyncQueue) error { return c.readOn(dq, q.dev.remote, dst, base+off) }
		f.before = func(d *deviceQueue) {
			if c.resident(q.dev.remote, base+off, base+off+len(dst)) == nil { // the host's contents are copied at once
				d.awaitSet(dst)
			}
		}
	}
	return f
}

func (q *Queue) writing(b *Buffer, off int, dst, src []byte) *function {
	c, base := b.shared()
	r := q.dev.remote
	lo, hi := base+off, base+off+len(src)
	if c == nil || r == nil {
		return &function{do: func(*Event) error {
			q.dev.cpu.CopyBytes(dst, src)
			if c != nil {
				c.wrote(nil, lo, hi)
			}
			return nil
		}}
	}
	write := func(dq exec.Queue) error {
		return c.overwrite(r, lo, hi, func(to exec.Memory) error { return dq.Write(to, src) })
	}
	f := &function{do: func(*Event) error { return r.do(write) }}
	if len(src) <= asyncWrite {
		f.on = func(dq exec.AsyncQueue) error { return write(dq) }
		f.before = func(d *deviceQueue) { d.awaitSet(src) }
	}
	return f
}

func (q *Queue) copying(dst *Buffer, dstOff int, d []byte, src *Buffer, srcOff int, s []byte) *function {
	r := q.dev.remote
	if r == nil || len(s) == 0 {
		return &function{do: inHostMemory(func(*Event) error { q.dev.cpu.CopyBytes(d, s); return nil }, src.used(srcOff, len(s), false), dst.used(dstOff, len(d), true))}
	}
	from, fromBase := src.shared()
	to, toBase := dst.shared()
	work := func(dq exec.Queue) error {
		m, err := from.send(r, fromBase+srcOff, fromBase+srcOff+len(s))
		if err != nil {
			return err
		}
		at := toBase + dstOff
		return to.overwrite(r, at, at+len(d), func(to exec.Memory) error { return dq.Copy(to, m) })
	}
	return &function{do: func(*Event) error { return r.do(work) }, on: func(dq exec.AsyncQueue) error { return work(dq) }}
}

// fillChunk is how many bytes of a fill the host writes; the device copies them to the rest.
const fillChunk = asyncWrite

func (q *Queue) filling(b *Buffer, off int, dst, pattern []byte) *function {
	r := q.dev.remote
	if r == nil || len(dst) == 0 {
		return &function{do: inHostMemory(func(*Event) error { q.dev.cpu.Fill(dst, pattern, !b.host); return nil }, b.used(off, len(dst), true))}
	}
	c, base := b.shared()
	fill := func(dq exec.Queue, to exec.Memory) error {
		first := make([]byte, min(fillChunk, len(dst)))
		q.dev.cpu.Fill(first, pattern, true)
		err := dq.Write(to.Part(0, len(first)), first)
		for n := len(first); n < len(dst) && err == nil; n *= 2 {
			more := min(n, len(dst)-n)
			err = dq.Copy(to.Part(n, more), to.Part(0, more))
		}
		return err
	}
	work := func(dq exec.Queue) error {
		at := base + off
		return c.overwrite(r, at, at+len(dst), func(to exec.Memory) error { return fill(dq, to) })
	}
	return &function{do: func(*Event) error { return r.do(work) }, on: func(dq exec.AsyncQueue) error { return work(dq) }}
}

package host

import (
	"github.com/purecl/purecl/internal/run/exec"
)

// These are commands that read, write, copy and fill. On a device with memory of its own they work
// on the copy there.

func (q *Queue) reading(dst []byte, b *Buffer, off int, src []byte) func(*Event) error {
	c, base := b.shared()
	return func(*Event) error {
		if c != nil {
			return c.read(dst, base+off, q.dev.cpu.CopyBytes)
		}
		q.dev.cpu.CopyBytes(dst, src)
		return nil
	}
}

func (q *Queue) writing(b *Buffer, off int, dst, src []byte) func(*Event) error {
	c, base := b.shared()
	return func(*Event) error {
		lo, hi := base+off, base+off+len(src)
		if c != nil && q.dev.remote != nil {
			return c.overwrite(q.dev.remote, lo, hi, func(dq exec.Queue, to exec.Memory) error { return dq.Write(to, src) })
		}
		q.dev.cpu.CopyBytes(dst, src)
		if c != nil {
			c.wrote(nil, lo, hi)
		}
		return nil
	}
}

func (q *Queue) copying(dst *Buffer, dstOff int, d []byte, src *Buffer, srcOff int, s []byte) func(*Event) error {
	r := q.dev.remote
	if r == nil || len(s) == 0 {
		return inHostMemory(func(*Event) error { q.dev.cpu.CopyBytes(d, s); return nil }, src.used(srcOff, len(s), false), dst.used(dstOff, len(d), true))
	}
	from, fromBase := src.shared()
	to, toBase := dst.shared()
	return func(*Event) error {
		m, err := from.send(r, fromBase+srcOff, fromBase+srcOff+len(s))
		if err != nil {
			return err
		}
		at := toBase + dstOff
		return to.overwrite(r, at, at+len(d), func(dq exec.Queue, to exec.Memory) error { return dq.Copy(to, m) })
	}
}

// fillChunk is how many bytes of a fill the host writes; the device copies them to the rest.
const fillChunk = 64 << 10

func (q *Queue) filling(b *Buffer, off int, dst, pattern []byte) func(*Event) error {
	if q.dev.remote == nil || len(dst) == 0 {
		return inHostMemory(func(*Event) error { q.dev.cpu.Fill(dst, pattern, !b.host); return nil }, b.used(off, len(dst), true))
	}
	c, base := b.shared()
	return func(*Event) error {
		at := base + off
		return c.overwrite(q.dev.remote, at, at+len(dst), func(dq exec.Queue, to exec.Memory) error {
			first := make([]byte, min(fillChunk, len(dst)))
			q.dev.cpu.Fill(first, pattern, true)
			err := dq.Write(to.Part(0, len(first)), first)
			for n := len(first); n < len(dst) && err == nil; n *= 2 {
				more := min(n, len(dst)-n)
				err = dq.Copy(to.Part(n, more), to.Part(0, more))
			}
			return err
		})
	}
}

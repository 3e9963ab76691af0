package device

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/run/exec"
)

// A given is an argument as the caller gave it.
type given struct {
	kind     exec.ArgKind
	readOnly bool
	addr     uint64 // of memory, 0 for none
	size     int64  // of memory or local memory
	sampler  opencl.Sampler
	value    []byte
}

// give keeps the arguments, so that a later launch can be compared with this one.
func (x *queued) give(args []exec.Arg) {
	x.values, x.given = x.values[:0], x.given[:0]
	for i := range args {
		a := &args[i]
		from := len(x.values)
		x.values = append(x.values, a.Bytes...)
		g := given{kind: a.Kind, readOnly: a.ReadOnly, size: a.Size, sampler: a.Sampler, value: x.values[from:]}
		if m, ok := a.Memory.(*memory); ok {
			g.addr, g.size = m.addr, int64(m.size)
		}
		x.given = append(x.given, g)
	}
}

// is reports whether the argument is the same. Images may have moved on the device.
func (g *given) is(a *exec.Arg) bool {
	addr, size := uint64(0), a.Size
	if m, ok := a.Memory.(*memory); ok {
		addr, size = m.addr, int64(m.size)
	}
	return g.kind == a.Kind && a.Image == nil && g.sampler == a.Sampler && g.readOnly == a.ReadOnly && g.addr == addr && g.size == size && bytes.Equal(g.value, a.Bytes)
}

// repeatable reports whether a later launch may take over what this one has bound and laid out: nothing in it is for this
// launch alone.
func (x *queued) repeatable() bool {
	c := &x.call
	return c.err == nil && c.st != nil && c.st.of == c && !c.timed && x.k.k.images == nil && len(c.v.k.Printfs) == 0 && len(c.free) == 0 && len(c.blocks) == 0
}

// repeated returns the last launch that has ended, if l is the same launch of the same kernel once more.
func (q *queue) repeated(k *deviceKernel, l *exec.Launch) *queued {
	x := q.last
	if x == nil || x.k != k || x.rng != l.Range || x.faults != l.Faults || l.Timed || len(x.given) != len(l.Args) {
		return nil
	}
	if x.generation != q.d.m.Generation() || x.st.of != &x.call || x.v.closed.Load() {
		return nil
	}
	for i := range x.given {
		if !x.given[i].is(&l.Args[i]) {
			return nil
		}
	}
	q.last = nil
	return x
}

// again starts a launch that repeated has returned.
func (q *queue) again(ctx context.Context, x *queued, l *exec.Launch) error {
	x.l, x.stdout, x.more, x.stop, x.first = l, l.Stdout, l.More, l.Stop, false
	err := q.q.begin(ctx, &x.call)
	if err != nil {
		x.release()
	}
	return err
}

// restart starts the grid of a launch that has been laid out before.
func (q *session) restart(c *call) error {
	p := c.st.params
	binary.LittleEndian.PutUint64(p[ptx.HeadRecords:], c.records)
	binary.LittleEndian.PutUint64(p[ptx.HeadSignals:], c.signalsAt)
	c.grid.More = c.more
	return q.s.Launch(c.v.code, &c.grid)
}

// keep keeps the launch for repeated instead of the one kept before, which it returns.
func (q *queue) keep(x *queued) *queued {
	x.l, x.ctx, x.watch, x.stop, x.stdout, x.findings = nil, nil, nil, nil, nil, nil
	old := q.last
	q.last = x
	return old
}

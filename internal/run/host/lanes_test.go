package host

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
)

// A tracked buffer is a buffer with the contents that it shall have, and the commands whose order matters.
type tracked struct {
	b       *Buffer
	mem     []byte
	written *Event
	read    []*Event // since then
}

// before returns the events for which a command that reads or writes the buffer must wait.
func (x *tracked) before(writes bool) (list []*Event) {
	if x.written != nil {
		list = append(list, x.written)
	}
	if writes {
		list = append(list, x.read...)
	}
	return list
}

func (x *tracked) after(e *Event, writes bool) {
	if writes {
		x.written, x.read = e, nil
	} else {
		x.read = append(x.read, e)
	}
}

// TestLanes enqueues random commands in an out-of-order queue. They wait for the commands whose order matters by events
// or barriers. The contents are those of the same commands one after another on plain memory.
func TestLanes(t *testing.T) {
	const size = 256
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		g := newGPUQueue(t, QueueProperties{OutOfOrder: true, Profiling: seed%2 == 1})
		var list [5]tracked
		for i := range list {
			list[i] = tracked{b: g.buffer(size), mem: make([]byte, size)}
		}
		type seen struct{ got, want []byte }
		var reads []seen
		var events []*Event
		for range 300 {
			i := r.IntN(len(list))
			x, y := &list[i], &list[(i+1+r.IntN(len(list)-1))%len(list)]
			lo := r.IntN(size)
			n := 1 + r.IntN(size-lo)
			var e *Event
			writes, two := true, false
			wait := x.before(true)
			switch r.IntN(10) {
			case 0:
				src := make([]byte, n)
				for j := range src {
					src[j] = byte(r.Uint32())
				}
				e = g.must(g.q.Write(x.b, lo, src, wait...))
				copy(x.mem[lo:], src)
			case 1, 2:
				writes = false
				dst := make([]byte, n)
				e = g.must(g.q.Read(dst, x.b, lo, x.before(false)...))
				reads = append(reads, seen{dst, bytes.Clone(x.mem[lo : lo+n])})
			case 3:
				two = true
				e = g.must(g.q.Copy(x.b, lo, y.b, lo, n, append(wait, y.before(false)...)...))
				copy(x.mem[lo:lo+n], y.mem[lo:lo+n])
			case 4:
				e = g.must(g.q.Fill(x.b, []byte{byte(n)}, lo, n, wait...))
				for j := range n {
					x.mem[lo+j] = byte(n)
				}
			case 5: // all so far is before all that follows
				e = g.must(g.q.Barrier())
				for k := range list {
					list[k].written, list[k].read = nil, nil
				}
				events = append(events, e)
				continue
			case 6: // the host's memory
				region, e, err := g.q.Map(x.b, true, true, lo, n, wait...)
				done(t, g.q)(e, err)
				region[0] ^= 0x55
				x.mem[lo] ^= 0x55
				x.after(g.must(g.q.Unmap(x.b, region, e)), true)
				continue
			default:
				two = true
				e = g.launch("add", n, []any{x.b, y.b, RawValue{byte(lo)}}, append(wait, y.before(false)...)...)
				for j := range n {
					x.mem[j] += y.mem[j] + byte(lo)
				}
			}
			x.after(e, writes)
			if two {
				y.after(e, false)
			}
			if r.IntN(3) == 0 {
				e.Observe()
			}
			events = append(events, e)
			switch r.IntN(20) {
			case 0:
				done(t, g.q)(e, nil)
			case 1:
				done(t, g.q)(events[r.IntN(len(events))], nil)
			case 2:
				for e.Status() > 0 { // a host that polls
					time.Sleep(10 * time.Microsecond)
				}
			}
		}
		if err := g.q.Finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range list {
			got := make([]byte, size)
			done(t, g.q)(g.q.Read(got, list[i].b, 0))
			reads = append(reads, seen{got, list[i].mem})
		}
		for i, s := range reads {
			if !bytes.Equal(s.got, s.want) {
				t.Fatalf("seed %d: read %d of %d differs", seed, i, len(reads))
			}
		}
		for i, e := range events {
			if s := e.Status(); s != Complete {
				t.Fatalf("seed %d: command %d has status %d", seed, i, s)
			}
			if seed%2 == 1 {
				p, err := e.Profile()
				if err != nil || p.Submit < p.Queued || p.Start < p.Submit || p.End < p.Start || p.Complete < p.End {
					t.Fatalf("seed %d: command %d: %+v, %v", seed, i, p, err)
				}
			}
		}
		if !g.q.Idle() {
			t.Errorf("seed %d: the queue is not idle", seed)
		}
		for i, d := range g.q.lanes {
			if n := d.pending.Load(); n != 0 {
				t.Errorf("seed %d: lane %d has %d commands left", seed, i, n)
			}
		}
	}
}

// TestLanesReturn enqueues commands behind an endless kernel and a user event: the calls return, other commands
// complete, and few goroutines wait.
func TestLanesReturn(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{OutOfOrder: true})
	a, b := g.buffer(64), g.buffer(64)
	done(t, g.q)(g.q.Fill(b, []byte{1}, 0, 64))
	user := g.ctx.NewUserEvent()
	last := g.must(g.q.Fill(a, []byte{0}, 0, 64, user))
	before := runtime.NumGoroutine()
	for range 300 {
		last = g.launch("add", 64, []any{a, b, RawValue{1}}, last)
	}
	dst := make([]byte, 64)
	read := g.must(g.q.Read(dst, a, 0, last))
	if n := runtime.NumGoroutine() - before; n > 20 {
		t.Errorf("%d goroutines for 301 commands that wait", n)
	}
	done(t, g.q)(g.q.Fill(b, []byte{1}, 0, 64)) // waits for none of them
	if s := read.Status(); s <= 0 {
		t.Fatalf("the read has status %d before the user event is complete", s)
	}
	if err := user.SetStatus(Complete); err != nil {
		t.Fatal(err)
	}
	done(t, g.q)(read, nil)
	if want := byte(600 & 255); !bytes.Equal(dst, bytes.Repeat([]byte{want}, 64)) {
		t.Errorf("read %v, want %d", dst, want)
	}

	done(t, g.q)(g.q.Fill(a, []byte{0}, 0, 64))
	endless := g.launch("endless", 1, []any{a})
	behind := g.must(g.q.Read(dst, a, 0, endless))
	time.Sleep(5 * time.Millisecond)
	if endless.Status() != Running || behind.Status() <= 0 {
		t.Errorf("status %d, %d", endless.Status(), behind.Status())
	}
	g.q.Interrupt(g.q.Unfinished())
	if err := g.q.Finish(context.Background()); !errors.Is(err, opencl.OutOfResources) {
		t.Errorf("the interrupted queue: %v", err)
	}
	if !errors.Is(endless.Err(), opencl.OutOfResources) || !errors.Is(behind.Err(), opencl.ExecStatusErrorForEventsInWaitList) {
		t.Errorf("an interrupted launch: %v, the command behind it: %v", endless.Err(), behind.Err())
	}
}

// TestLanesFault lets a kernel fail: commands that have it in their wait list fail, others do not, and a barrier tells.
func TestLanesFault(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{OutOfOrder: true})
	a, b := g.buffer(64), g.buffer(64)
	bad := g.launch("outside", 1, []any{a})
	explicit := g.must(g.q.Fill(a, []byte{1}, 0, 64, bad))
	next := g.must(g.q.Marker(explicit))
	other := g.must(g.q.Fill(b, []byte{2}, 0, 64))
	barrier := g.must(g.q.Barrier())
	behind := g.must(g.q.Fill(b, []byte{3}, 0, 64))
	var fault *FaultError
	if err := g.q.Await(context.Background(), barrier); !errors.As(err, &fault) {
		t.Errorf("the wait for the barrier: %v", err)
	}
	err := g.q.Finish(context.Background())
	if !errors.As(err, &fault) || !errors.As(bad.Err(), &fault) || fault.Findings[0].Object != "a" {
		t.Errorf("got %v, the event %v", err, bad.Err())
	}
	for _, e := range []*Event{explicit, next} {
		if !errors.Is(e.Err(), opencl.ExecStatusErrorForEventsInWaitList) {
			t.Errorf("a dependent command: %v", e.Err())
		}
	}
	for _, e := range []*Event{other, barrier, behind} {
		if e.Status() != Complete {
			t.Errorf("another command: %v", e.Err())
		}
	}
}

// TestLanesClose creates and closes many queues: they use the same queues of the device, one after another.
func TestLanesClose(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{OutOfOrder: true, Profiling: true})
	r := g.q.Device().remote
	list := []*Buffer{g.buffer(64), g.buffer(64), g.buffer(64)}
	for range 100 {
		for _, b := range list {
			g.must(g.q.Fill(b, []byte{1}, 0, 64))
		}
		if err := g.q.Finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		g.q.Close()
		r.mu.Lock()
		n := len(r.idle)
		r.mu.Unlock()
		if n < 1 || n > numLanes {
			t.Fatalf("the device has %d idle queues", n)
		}
		var err error
		if g.q, err = g.ctx.NewQueue(g.q.Device(), g.q.Properties()); err != nil {
			t.Fatal(err)
		}
	}
}

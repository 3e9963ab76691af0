package host

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/test/gputest"
)

// A gpuQueue is a queue of a simulated GPU, with kernels.
type gpuQueue struct {
	t    *testing.T
	ctx  *Context
	q    *Queue
	prog *Program
}

const gpuKernels = `
kernel void add(global uchar *a, global const uchar *b, uchar n) { size_t i = get_global_id(0); a[i] += b[i] + n; }
kernel void outside(global int *a) { a[get_global_id(0) + 1000] = 7; }
kernel void endless(global int *a) { while (a[0] == 0) a[1]++; }
`

func newGPUQueue(t *testing.T, props QueueProperties) *gpuQueue {
	g := &gpuQueue{t: t}
	d := NewRemote(device.New(gputest.Sim())).WithFaults(FaultStrict)
	var err error
	if g.ctx, err = NewContext(nil, DefaultDevice(), d); err == nil {
		g.q, err = g.ctx.NewQueue(d, props)
	}
	if err == nil {
		g.prog, err = g.ctx.Build(Source{Text: gpuKernels}, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *gpuQueue) buffer(size int) *Buffer {
	g.t.Helper()
	b, err := g.ctx.NewBuffer(0, size, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	return b
}

// launch enqueues a kernel.
func (g *gpuQueue) launch(name string, n int, args []any, wait ...*Event) *Event {
	g.t.Helper()
	k, err := g.prog.Kernel(name)
	for i := range args {
		if err == nil {
			err = k.Set(i, args[i])
		}
	}
	var e *Event
	if err == nil {
		e, err = g.q.NDRangeWith(RunOptions{Faults: FaultStrict}, k, Range(n), wait...)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return e
}

func (g *gpuQueue) must(e *Event, err error) *Event {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
	return e
}

// TestDeviceQueue enqueues random commands, waits for few of them, and compares the contents with those of the same
// commands on plain memory.
func TestDeviceQueue(t *testing.T) {
	const size = 256
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newGPUQueue(t, QueueProperties{Profiling: seed%2 == 1})
		var buffers [2]*Buffer
		var model [2][]byte
		for i := range buffers {
			buffers[i], model[i] = g.buffer(size), make([]byte, size)
		}
		type seen struct{ got, want []byte }
		var reads []seen
		var events []*Event
		for range 300 {
			i := r.IntN(2)
			b, mem := buffers[i], model[i]
			lo := r.IntN(size)
			n := 1 + r.IntN(size-lo)
			var wait []*Event
			if len(events) > 0 && r.IntN(4) == 0 {
				wait = append(wait, events[r.IntN(len(events))])
			}
			var e *Event
			switch r.IntN(9) {
			case 0:
				src := make([]byte, n)
				for j := range src {
					src[j] = byte(r.Uint32())
				}
				e = g.must(g.q.Write(b, lo, src, wait...))
				copy(mem[lo:], src)
			case 1, 2:
				dst := make([]byte, n)
				e = g.must(g.q.Read(dst, b, lo, wait...))
				reads = append(reads, seen{dst, bytes.Clone(mem[lo : lo+n])})
			case 3:
				e = g.must(g.q.Copy(buffers[1-i], lo, b, lo, n, wait...))
				copy(model[1-i][lo:lo+n], mem[lo:lo+n])
			case 4:
				e = g.must(g.q.Fill(b, []byte{byte(n)}, lo, n, wait...))
				for j := range n {
					mem[lo+j] = byte(n)
				}
			case 5:
				e = g.must(g.q.Marker(wait...))
			case 6: // the host's memory
				region, e, err := g.q.Map(b, true, true, lo, n)
				done(t, g.q)(e, err)
				region[0] ^= 0x55
				mem[lo] ^= 0x55
				g.must(g.q.Unmap(b, region))
			default:
				e = g.launch("add", n, []any{b, buffers[1-i], RawValue{byte(lo)}}, wait...)
				for j := range n {
					mem[j] += model[1-i][j] + byte(lo)
				}
			}
			if e == nil {
				continue
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
		for i, s := range reads {
			if !bytes.Equal(s.got, s.want) {
				t.Fatalf("seed %d: read %d differs", seed, i)
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
	}
}

// TestDeviceQueueReturns enqueues commands behind an endless kernel: the calls return, the events are not complete, and
// an interrupt ends the kernel and those behind it. The queue then works.
func TestDeviceQueueReturns(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a := g.buffer(64)
	dst := make([]byte, 64)
	before := g.must(g.q.Fill(a, []byte{0}, 0, 64))
	before.Observe()
	endless := g.launch("endless", 1, []any{a})
	after := g.launch("endless", 1, []any{a})
	read := g.must(g.q.Read(dst, a, 0))
	_, mapped, err := g.q.Map(a, true, false, 0, 64) // the host's
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	for _, e := range []*Event{endless, after, read, mapped} {
		if e.Status() <= 0 {
			t.Fatalf("command %#x is complete", e.Type())
		}
	}
	if s := endless.Status(); s != Running {
		t.Errorf("the endless kernel has status %d", s)
	}
	g.q.Interrupt(g.q.Unfinished())
	if err := g.q.Finish(context.Background()); !errors.Is(err, opencl.OutOfResources) {
		t.Errorf("the interrupted queue: %v", err)
	}
	for _, e := range []*Event{endless, after} {
		if !errors.Is(e.Err(), opencl.OutOfResources) {
			t.Errorf("an interrupted launch: %v", e.Err())
		}
	}
	if read.Status() != Complete || mapped.Status() != Complete {
		t.Errorf("status %d, %d", read.Status(), mapped.Status())
	}
	if err := g.must(g.q.Fill(a, []byte{1}, 0, 64)).Wait(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestDeviceQueueFault lets a kernel fail: its event has the finding, commands that have it in their wait list fail,
// others do not.
func TestDeviceQueueFault(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a := g.buffer(64)
	bad := g.launch("outside", 1, []any{a})
	explicit := g.must(g.q.Fill(a, []byte{1}, 0, 64, bad))
	next := g.must(g.q.Marker(explicit))
	other := g.must(g.q.Fill(a, []byte{2}, 0, 64))
	err := g.q.Finish(context.Background())
	var fault *FaultError
	if !errors.As(err, &fault) || !errors.As(bad.Err(), &fault) || fault.Findings[0].Object != "a" {
		t.Errorf("got %v, the event %v", err, bad.Err())
	}
	for _, e := range []*Event{explicit, next} {
		if !errors.Is(e.Err(), opencl.ExecStatusErrorForEventsInWaitList) {
			t.Errorf("a dependent command: %v", e.Err())
		}
	}
	if other.Status() != Complete {
		t.Errorf("another command: %v", other.Err())
	}
	late := g.must(g.q.Marker(bad))
	if err := late.Wait(context.Background()); !errors.Is(err, opencl.ExecStatusErrorForEventsInWaitList) {
		t.Errorf("a later dependent command: %v", err)
	}
}

// TestDeviceQueueOrder checks that commands wait for user events and for other queues, and that callbacks are called
// without a waiting host, in order.
func TestDeviceQueueOrder(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	second, err := g.ctx.NewQueue(g.q.Device(), QueueProperties{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := g.buffer(64), g.buffer(64)
	user := g.ctx.NewUserEvent()
	first := g.must(g.q.Fill(a, []byte{3}, 0, 64, user))
	add := g.launch("add", 64, []any{a, a, RawValue{1}})
	across := g.must(second.Copy(b, 0, a, 0, 64, add))
	dst := make([]byte, 64)
	read := g.must(second.Read(dst, b, 0))
	var mu sync.Mutex
	var order []*Event
	called := make(chan bool)
	for _, e := range []*Event{first, add, across, read} {
		if err := e.SetCallback(Complete, func(e *Event, _ ExecStatus) {
			mu.Lock()
			order = append(order, e)
			mu.Unlock()
			called <- true
		}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(2 * time.Millisecond)
	if first.Status() <= 0 || read.Status() <= 0 {
		t.Error("commands did not wait for the user event")
	}
	if err := user.SetStatus(Complete); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		select {
		case <-called:
		case <-time.After(10 * time.Second):
			t.Fatal("a callback was not called")
		}
	}
	if !bytes.Equal(dst, bytes.Repeat([]byte{7}, 64)) {
		t.Errorf("read %v", dst)
	}
}

// TestDeviceQueueThreads uses one queue from many goroutines.
func TestDeviceQueueThreads(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a := g.buffer(64)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 40 {
				e := g.must(g.q.Fill(a, []byte{byte(i)}, 8*i, 8))
				dst := make([]byte, 8)
				r := g.must(g.q.Read(dst, a, 8*i))
				switch j % 4 {
				case 0:
					e.Wait(context.Background())
				case 1:
					e.Observe()
				case 2:
					for r.Status() > 0 {
						time.Sleep(time.Microsecond)
					}
				}
				if err := r.Wait(context.Background()); err != nil || !bytes.Equal(dst, bytes.Repeat([]byte{byte(i)}, 8)) {
					t.Errorf("%v, %v", dst, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestDeviceQueueMany enqueues more launches than a device's queue takes at once, without waiting.
func TestDeviceQueueMany(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a, zero := g.buffer(64), g.buffer(64)
	for range 1000 {
		g.launch("add", 64, []any{a, zero, RawValue{1}})
	}
	dst := make([]byte, 64)
	done(t, g.q)(g.q.Read(dst, a, 0))
	if want := byte(1000 & 255); !bytes.Equal(dst, bytes.Repeat([]byte{want}, 64)) {
		t.Errorf("read %v, want %d", dst, want)
	}
}

// TestDeviceQueueClose creates and closes many queues: they use one queue of the device, one after another.
func TestDeviceQueueClose(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{Profiling: true})
	r := g.q.Device().remote
	a := g.buffer(64)
	for range 100 {
		done(t, g.q)(g.q.Fill(a, []byte{1}, 0, 64))
		g.q.Close()
		g.q.Close()
		r.mu.Lock()
		n := len(r.idle)
		r.mu.Unlock()
		if n != 1 {
			t.Fatalf("the device has %d idle queues", n)
		}
		var err error
		if g.q, err = g.ctx.NewQueue(g.q.Device(), g.q.Properties()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDeviceQueueHostMemory lets reads and writes of the same memory of the host follow each other: each sees what those
// before it leave. Behind an endless kernel they do not keep an interrupt from ending it.
func TestDeviceQueueHostMemory(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a, b, c, zero := g.buffer(64), g.buffer(64), g.buffer(64), g.buffer(64)
	done(t, g.q)(g.q.Fill(a, []byte{5}, 0, 64))
	host := make([]byte, 64)
	g.launch("add", 64, []any{a, zero, RawValue{1}})
	g.must(g.q.Read(host, a, 0))
	g.must(g.q.Write(b, 0, host[:32]))
	g.launch("add", 64, []any{b, zero, RawValue{1}})
	g.must(g.q.Read(host[16:48], b, 0))
	g.must(g.q.Copy(b, 32, a, 0, 32))
	g.must(g.q.Read(host[40:], c, 0)) // the contents are in the host's memory
	got := make([]byte, 64)
	done(t, g.q)(g.q.Read(got, b, 0))
	want := append(bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{6}, 32)...)
	if !bytes.Equal(got, want) {
		t.Errorf("the buffer has %v", got)
	}
	want = slices.Concat(bytes.Repeat([]byte{6}, 16), bytes.Repeat([]byte{7}, 24), make([]byte, 24))
	if !bytes.Equal(host, want) {
		t.Errorf("the host's memory has %v", host)
	}

	done(t, g.q)(g.q.Fill(a, []byte{0}, 0, 64))
	endless := g.launch("endless", 1, []any{a})
	g.must(g.q.Read(host, a, 0))
	written := make(chan struct{})
	go func() {
		g.must(g.q.Write(b, 0, host))
		close(written)
	}()
	time.Sleep(5 * time.Millisecond)
	g.q.Interrupt(g.q.Unfinished())
	<-written
	if err := g.q.Finish(context.Background()); !errors.Is(err, opencl.OutOfResources) || !errors.Is(endless.Err(), opencl.OutOfResources) {
		t.Errorf("the interrupted queue: %v", err)
	}
}

// TestDeviceQueueHeld enqueues launches that may be held, and does nothing more: they start and become complete. A
// flush starts them at once.
func TestDeviceQueueHeld(t *testing.T) {
	g := newGPUQueue(t, QueueProperties{})
	a, b := g.buffer(64), g.buffer(64)
	for round := range 3 {
		var last *Event
		held := 0
		for range 4 * holdAfter {
			last = g.launch("add", 64, []any{a, b, RawValue{1}})
			g.q.device.mu.Lock()
			if last.dev.held {
				held++
			}
			g.q.device.mu.Unlock()
		}
		if held == 0 {
			t.Log("no launch was held") // the device was faster
		}
		if round == 2 {
			if err := g.q.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		for began := time.Now(); ; time.Sleep(time.Millisecond) {
			last.mu.Lock()
			s := last.status
			last.mu.Unlock()
			if s == Complete {
				break
			}
			if time.Since(began) > 10*time.Second {
				t.Fatalf("round %d: the last launch has status %d", round, s)
			}
		}
	}
	got := make([]byte, 64)
	if err := g.q.Await(context.Background(), g.must(g.q.Read(got, a, 0))); err != nil || got[5] != 3*4*holdAfter {
		t.Errorf("%v, %d", err, got[5])
	}
}

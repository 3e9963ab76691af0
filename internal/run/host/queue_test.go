package host

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/launch"
)

func newQueue(t testing.TB, props QueueProperties) (*Context, *Queue) {
	t.Helper()
	c, err := NewContext(nil, DefaultDevice())
	if err != nil {
		t.Fatal(err)
	}
	q, err := c.NewQueue(DefaultDevice(), props)
	if err != nil {
		t.Fatal(err)
	}
	return c, q
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func wantStatus(t *testing.T, what string, err error, want opencl.Status) {
	t.Helper()
	if want == opencl.Success && err == nil {
		return
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// Commands of an in-order queue run one after another, also behind a user event.
func TestInOrder(t *testing.T) {
	c, q := newQueue(t, QueueProperties{Profiling: true})
	gate := c.NewUserEvent()
	var order []int
	for i := range 100 {
		var wait []*Event
		if i == 0 {
			wait = append(wait, gate)
		}
		must[*Event](t)(q.Host(func() error { order = append(order, i); return nil }, wait...))
	}
	last := must[*Event](t)(q.Marker())
	if s := last.Status(); s != Submitted {
		t.Errorf("status before the gate opens: %d", s)
	}
	if err := gate.SetStatus(Complete); err != nil {
		t.Fatal(err)
	}
	if err := q.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(order) || len(order) != 100 {
		t.Errorf("order %v", order)
	}
	p, err := last.Profile()
	if err != nil || p.Queued == 0 || p.Queued > p.Submit || p.Submit > p.Start || p.Start > p.End {
		t.Errorf("profile %+v, %v", p, err)
	}
	wantStatus(t, "second SetStatus", gate.SetStatus(Complete), opencl.InvalidOperation)
	_, err = gate.Profile()
	wantStatus(t, "profile of a user event", err, opencl.ProfilingInfoNotAvailable)
}

// Independent commands of an out-of-order queue overlap; a barrier holds back later ones.
func TestOutOfOrder(t *testing.T) {
	_, q := newQueue(t, QueueProperties{OutOfOrder: true})
	a, b := make(chan int), make(chan int)
	// Each of the two waits for the other: in order they would never end.
	must[*Event](t)(q.Host(func() error { a <- 1; <-b; return nil }))
	must[*Event](t)(q.Host(func() error { <-a; b <- 1; return nil }))
	var mu sync.Mutex
	var log []string
	say := func(s string) func() error {
		return func() error { mu.Lock(); log = append(log, s); mu.Unlock(); return nil }
	}
	must[*Event](t)(q.Host(func() error { time.Sleep(5 * time.Millisecond); return say("before")() }))
	must[*Event](t)(q.Barrier())
	must[*Event](t)(q.Host(say("after")))
	if err := q.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(log, []string{"before", "after"}) {
		t.Errorf("log %v", log)
	}
}

// A failed command fails exactly those that have it in their wait lists.
func TestFailurePropagates(t *testing.T) {
	c, q := newQueue(t, QueueProperties{OutOfOrder: true})
	boom := errors.New("boom")
	e1 := must[*Event](t)(q.Host(func() error { return boom }))
	e2 := must[*Event](t)(q.Marker(e1))
	e3 := must[*Event](t)(q.Host(func() error { t.Error("ran although its dependency failed"); return nil }, e2))
	e4 := must[*Event](t)(q.Host(func() error { return nil }))
	if err := e1.Wait(context.Background()); !errors.Is(err, boom) {
		t.Errorf("e1: %v", err)
	}
	wantStatus(t, "e2", e2.Wait(context.Background()), opencl.ExecStatusErrorForEventsInWaitList)
	wantStatus(t, "e3", e3.Wait(context.Background()), opencl.ExecStatusErrorForEventsInWaitList)
	if err := e4.Wait(context.Background()); err != nil {
		t.Errorf("e4: %v", err)
	}
	if s := e1.Status(); s != ExecStatus(opencl.OutOfResources) {
		t.Errorf("status of a failed command: %d", s)
	}
	wantStatus(t, "WaitAll", WaitAll(context.Background(), e4, e3), opencl.ExecStatusErrorForEventsInWaitList)
	wantStatus(t, "WaitAll of nothing", WaitAll(context.Background()), opencl.InvalidValue)
	u := c.NewUserEvent()
	after := must[*Event](t)(q.Marker(u))
	if err := u.SetStatus(-5); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, "behind a failed user event", after.Wait(context.Background()), opencl.ExecStatusErrorForEventsInWaitList)
	panics := must[*Event](t)(q.Host(func() error { panic("oops") }))
	wantStatus(t, "panic in a host function", panics.Wait(context.Background()), opencl.OutOfResources)
}

func TestCallbacks(t *testing.T) {
	c, q := newQueue(t, QueueProperties{})
	gate := c.NewUserEvent()
	e := must[*Event](t)(q.Marker(gate))
	got := make(chan ExecStatus, 4)
	for _, at := range []ExecStatus{Submitted, Running, Complete} {
		if err := e.SetCallback(at, func(_ *Event, s ExecStatus) { got <- s }); err != nil {
			t.Fatal(err)
		}
	}
	wantStatus(t, "callback at queued", e.SetCallback(Queued, func(*Event, ExecStatus) {}), opencl.InvalidValue)
	gate.SetStatus(Complete)
	sum := ExecStatus(0)
	for range 3 {
		sum += <-got
	}
	if sum != Submitted+Running+Complete {
		t.Errorf("sum of the callbacks' statuses %d", sum)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := must[*Event](t)(q.Marker(c.NewUserEvent())).Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}
}

func TestTransfers(t *testing.T) {
	ctx := context.Background()
	c, q := newQueue(t, QueueProperties{})
	host := []byte("0123456789abcdef")
	b := must[*Buffer](t)(c.NewBuffer(MemCopyHostPtr, 16, host))
	use := must[*Buffer](t)(c.NewBuffer(MemUseHostPtr, 16, host))
	must[*Event](t)(q.Write(b, 4, []byte("WXYZ")))
	must[*Event](t)(q.Copy(use, 0, b, 2, 6))
	must[*Event](t)(q.Fill(b, []byte("ab"), 8, 6))
	got := make([]byte, 16)
	must[*Event](t)(q.Read(got, b, 0))
	if err := q.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if string(got) != "0123WXYZabababef" || string(host) != "23WXYZ6789abcdef" {
		t.Errorf("got %q, host %q", got, host)
	}
	// A 2×2 box out of a 4×4 matrix of bytes, then into another place.
	must[*Event](t)(q.CopyRect(b, Rect{Origin: [3]int{2, 2, 0}, RowPitch: 4}, use, Rect{Origin: [3]int{0, 1, 0}, RowPitch: 4}, [3]int{2, 2, 1}))
	box := make([]byte, 4)
	e := must[*Event](t)(q.ReadRect(box, Rect{}, b, Rect{Origin: [3]int{2, 2, 0}, RowPitch: 4}, [3]int{2, 2, 1}))
	if err := e.Wait(ctx); err != nil || string(box) != "YZ89"[:0]+string([]byte{host[4], host[5], host[8], host[9]}) {
		t.Errorf("box %q, %v", box, err)
	}
	mem, e, err := q.Map(b, true, true, 4, 8)
	if err != nil || e.Wait(ctx) != nil {
		t.Fatal(err)
	}
	copy(mem, "mapped!!")
	if n := b.MapCount(); n != 1 {
		t.Errorf("map count %d", n)
	}
	if err := must[*Event](t)(q.Unmap(b, mem)).Wait(ctx); err != nil || !bytes.Contains(b.Bytes(), []byte("mapped!!")) || b.MapCount() != 0 {
		t.Errorf("after unmap: %q, %v", b.Bytes(), err)
	}
}

// Every misuse gets the status that the specification lists.
func TestTransferErrors(t *testing.T) {
	c, q := newQueue(t, QueueProperties{})
	other, _ := newQueue(t, QueueProperties{})
	b := must[*Buffer](t)(c.NewBuffer(0, 256, nil))
	readOnly := must[*Buffer](t)(c.NewBuffer(MemReadOnly|MemHostReadOnly, 256, nil))
	foreign := must[*Buffer](t)(other.NewBuffer(0, 16, nil))
	buf := make([]byte, 16)
	for _, c2 := range []struct {
		what string
		err  func() error
		want opencl.Status
	}{
		{"size 0", func() error { _, err := c.NewBuffer(0, 0, nil); return err }, opencl.InvalidBufferSize},
		{"two accesses", func() error { _, err := c.NewBuffer(MemReadOnly|MemWriteOnly, 1, nil); return err }, opencl.InvalidValue},
		{"unknown flag", func() error { _, err := c.NewBuffer(1<<40, 1, nil); return err }, opencl.InvalidValue},
		{"use and copy", func() error { _, err := c.NewBuffer(MemUseHostPtr|MemCopyHostPtr, 1, buf); return err }, opencl.InvalidValue},
		{"host memory missing", func() error { _, err := c.NewBuffer(MemCopyHostPtr, 1, nil); return err }, opencl.InvalidHostPtr},
		{"host memory unwanted", func() error { _, err := c.NewBuffer(0, 1, buf); return err }, opencl.InvalidHostPtr},
		{"sub-buffer outside", func() error { _, err := b.SubBuffer(0, 128, 256); return err }, opencl.InvalidValue},
		{"sub-buffer misaligned", func() error { _, err := b.SubBuffer(0, 4, 16); return err }, opencl.MisalignedSubBufferOffset},
		{"sub-buffer wider access", func() error { _, err := readOnly.SubBuffer(MemReadWrite, 0, 16); return err }, opencl.InvalidValue},
		{"read past the end", func() error { _, err := q.Read(buf, b, 250); return err }, opencl.InvalidValue},
		{"read nothing", func() error { _, err := q.Read(nil, b, 256); return err }, opencl.Success},
		{"map nothing", func() error { _, _, err := q.Map(b, true, false, 0, 0); return err }, opencl.InvalidValue},
		{"nil buffer", func() error { _, err := q.Read(buf, nil, 0); return err }, opencl.InvalidMemObject},
		{"foreign buffer", func() error { _, err := q.Read(buf, foreign, 0); return err }, opencl.InvalidContext},
		{"write host-read-only", func() error { _, err := q.Write(readOnly, 0, buf); return err }, opencl.InvalidOperation},
		{"overlapping copy", func() error { _, err := q.Copy(b, 0, b, 8, 16); return err }, opencl.MemCopyOverlap},
		{"fill pattern", func() error { _, err := q.Fill(b, buf[:3], 0, 12); return err }, opencl.InvalidValue},
		{"fill size", func() error { _, err := q.Fill(b, buf[:4], 2, 12); return err }, opencl.InvalidValue},
		{"nil event", func() error { _, err := q.Marker(nil); return err }, opencl.InvalidEventWaitList},
		{"foreign event", func() error { _, err := q.Marker(other.NewUserEvent()); return err }, opencl.InvalidContext},
		{"unmap what is not mapped", func() error { _, err := q.Unmap(b, b.Bytes()); return err }, opencl.InvalidValue},
		{"rect outside", func() error {
			_, err := q.ReadRect(buf, Rect{}, b, Rect{Origin: [3]int{250, 0, 0}}, [3]int{8, 1, 1})
			return err
		}, opencl.InvalidValue},
		{"rect pitch", func() error {
			_, err := q.ReadRect(buf, Rect{RowPitch: 2}, b, Rect{}, [3]int{8, 1, 1})
			return err
		}, opencl.InvalidValue},
		{"huge rect", func() error {
			_, err := q.ReadRect(buf, Rect{}, b, Rect{}, [3]int{1 << 40, 1 << 40, 1 << 40})
			return err
		}, opencl.InvalidValue},
		{"overlapping rects", func() error {
			_, err := q.CopyRect(b, Rect{RowPitch: 16}, b, Rect{Origin: [3]int{2, 1, 0}, RowPitch: 16}, [3]int{8, 4, 1})
			return err
		}, opencl.MemCopyOverlap},
		{"nil host function", func() error { _, err := q.Host(nil); return err }, opencl.InvalidValue},
		{"context without device", func() error { _, err := NewContext(nil); return err }, opencl.InvalidValue},
		{"queue of a foreign device", func() error { _, err := c.NewQueue(&Device{}, QueueProperties{}); return err }, opencl.InvalidDevice},
		{"partition", func() error { _, err := DefaultDevice().Partition(1 << 20); return err }, opencl.InvalidDevicePartitionCount},
	} {
		wantStatus(t, c2.what, c2.err(), c2.want)
	}
	// Side by side in the same rows is no overlap.
	if _, err := q.CopyRect(b, Rect{RowPitch: 16}, b, Rect{Origin: [3]int{8, 0, 0}, RowPitch: 16}, [3]int{8, 4, 1}); err != nil {
		t.Errorf("disjoint rects: %v", err)
	}
	q.Finish(context.Background())
}

// TestTransferOrder checks that a call with several errors returns the one that the specification lists first.
func TestTransferOrder(t *testing.T) {
	c, q := newQueue(t, QueueProperties{})
	other, _ := newQueue(t, QueueProperties{})
	closed := must[*Buffer](t)(c.NewBuffer(MemHostNoAccess, 64, nil))
	foreign := must[*Buffer](t)(other.NewBuffer(0, 64, nil))
	buf := make([]byte, 16)
	stranger := other.NewUserEvent()
	calls := map[string]func(b *Buffer, off int, wait ...*Event) error{
		"read":  func(b *Buffer, off int, wait ...*Event) error { _, err := q.Read(buf, b, off, wait...); return err },
		"write": func(b *Buffer, off int, wait ...*Event) error { _, err := q.Write(b, off, buf, wait...); return err },
		"read rect": func(b *Buffer, off int, wait ...*Event) error {
			_, err := q.ReadRect(buf, Rect{}, b, Rect{Origin: [3]int{off, 0, 0}}, [3]int{16, 1, 1}, wait...)
			return err
		},
		"write rect": func(b *Buffer, off int, wait ...*Event) error {
			_, err := q.WriteRect(b, Rect{Origin: [3]int{off, 0, 0}}, buf, Rect{}, [3]int{16, 1, 1}, wait...)
			return err
		},
		"map": func(b *Buffer, off int, wait ...*Event) error {
			_, _, err := q.Map(b, true, true, off, 16, wait...)
			return err
		},
	}
	for name, call := range calls {
		wantStatus(t, name+" of nil", call(nil, 60, stranger, nil), opencl.InvalidMemObject)
		wantStatus(t, name+" of a foreign buffer", call(foreign, 60, stranger, nil), opencl.InvalidContext)
		wantStatus(t, name+" with a foreign event", call(closed, 60, nil, stranger), opencl.InvalidContext)
		wantStatus(t, name+" outside", call(closed, 60, nil), opencl.InvalidValue)
		wantStatus(t, name+" with a nil event", call(closed, 0, nil), opencl.InvalidEventWaitList)
		wantStatus(t, name+" of a closed buffer", call(closed, 0), opencl.InvalidOperation)
	}
}

// TestMapOverlap checks that regions mapped for writing may not overlap.
func TestMapOverlap(t *testing.T) {
	c, q := newQueue(t, QueueProperties{})
	b := must[*Buffer](t)(c.NewBuffer(0, 512, nil))
	part := must[*Buffer](t)(b.SubBuffer(0, 256, 128))
	try := func(what string, b *Buffer, write bool, off, size int, want opencl.Status) []byte {
		t.Helper()
		mem, _, err := q.Map(b, true, write, off, size)
		wantStatus(t, what, err, want)
		return mem
	}
	first := try("write", b, true, 0, 64, opencl.Success)
	try("overlapping write", b, true, 63, 10, opencl.InvalidOperation)
	try("overlapping read", b, false, 0, 64, opencl.Success)
	try("write beside", b, true, 64, 192, opencl.Success)
	try("write to a part", part, true, 16, 16, opencl.Success)
	try("overlapping write to a part", b, true, 260, 20, opencl.InvalidOperation)
	if _, err := q.Unmap(b, first); err != nil {
		t.Fatal(err)
	}
	try("write again", b, true, 0, 64, opencl.Success)
	if n, m := b.MapCount(), part.MapCount(); n != 3 || m != 1 {
		t.Errorf("%d and %d regions are mapped, not 3 and 1", n, m)
	}
	m := must[*Image](t)(c.NewImage(0, ImageFormat{Order: opencl.OrderR, Type: opencl.UnsignedInt8}, ImageDesc{Type: opencl.Image2D, Width: 8, Height: 8}, nil))
	box := func(what string, x, y int, want opencl.Status) {
		t.Helper()
		_, _, _, _, err := q.MapImage(m, false, true, [3]int{x, y, 0}, [3]int{4, 4, 1})
		wantStatus(t, what, err, want)
	}
	box("box", 0, 0, opencl.Success)
	box("box beside, in the same rows", 4, 0, opencl.Success)
	box("overlapping box", 2, 3, opencl.InvalidOperation)
	box("box below", 0, 4, opencl.Success)
}

// TestInterruptLate launches a kernel while a call of Interrupt has not noticed yet that its command is complete.
func TestInterruptLate(t *testing.T) {
	c, q := newQueue(t, QueueProperties{})
	k := must[*Kernel](t)(must[*Program](t)(c.Build(Source{Text: "kernel void k() {}"}, "")).Kernel("k"))
	last := must[*Event](t)(q.Host(func() error { return nil }))
	if err := last.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	q.interrupted.Store(last)
	if err := must[*Event](t)(q.NDRange(k, Range(1))).Wait(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestGoroutines finishes many commands on one processor. There the goroutines that a queue starts do not begin before
// the test waits for something else. They must not gather.
func TestGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, props := range []QueueProperties{{}, {OutOfOrder: true}} {
		_, q := newQueue(t, props)
		before, most := runtime.NumGoroutine(), 0
		for range 1000 {
			e := must[*Event](t)(q.Host(func() error { return nil }))
			if err := e.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			most = max(most, runtime.NumGoroutine())
		}
		if most > before+10 {
			t.Errorf("%+v: %d goroutines, then up to %d", props, before, most)
		}
	}
}

// A panic in a command's work, on the queue's goroutine or on a helper's, fails the command,
// is reported with its stack, and leaves the queue usable.
func TestPanicInCommand(t *testing.T) {
	var mu sync.Mutex
	var told []string
	c, err := NewContext(func(s string) {
		mu.Lock()
		told = append(told, s)
		mu.Unlock()
	}, DefaultDevice())
	if err != nil {
		t.Fatal(err)
	}
	q := must[*Queue](t)(c.NewQueue(DefaultDevice(), QueueProperties{}))
	p := must[*Program](t)(c.Build(Source{Text: `kernel void k(global int *p) { printf("%d\n", (int)get_global_id(0)); }`}, ""))
	k := must[*Kernel](t)(p.Kernel("k"))
	if err := k.Set(0, must[*Buffer](t)(c.NewBuffer(0, 4, nil))); err != nil {
		t.Fatal(err)
	}
	commands := map[string]func() (*Event, error){
		"command": func() (*Event, error) {
			return q.enqueue(CommandMarker, nil, inQueue, func(*Event) error { panic("broken command") })
		},
		"copy": func() (*Event, error) {
			return q.enqueue(CommandMarker, nil, inQueue, func(*Event) error {
				launch.Share(4, 64, time.Millisecond, func(int64) { panic("broken piece") })
				return nil
			})
		},
		"printf": func() (*Event, error) {
			return q.NDRangeWith(RunOptions{Stdout: brokenWriter{}, Workers: 4}, k, NDRange{Global: []int{1 << 16}})
		},
	}
	for name, enqueue := range commands {
		told = nil
		e := must[*Event](t)(enqueue())
		wantStatus(t, name, e.Wait(context.Background()), opencl.OutOfResources)
		mu.Lock()
		if len(told) != 1 || !strings.Contains(told[0], "internal error") || !strings.Contains(told[0], "goroutine ") {
			t.Errorf("%s: reported %q", name, told)
		}
		mu.Unlock()
		ran := false
		e = must[*Event](t)(q.Host(func() error { ran = true; return nil }))
		if err := e.Wait(context.Background()); err != nil || !ran {
			t.Errorf("%s: the queue is not usable afterwards: %v", name, err)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("broken writer") }

package purecl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/vec"
)

// A farDevice has memory that Go cannot reach, and queues that do nothing before Wait.
type farDevice struct {
	exec.Device
	info exec.Info
	mu   sync.Mutex
	live int  // number of memory objects
	dead bool // it gives no queues
}

type farMemory struct {
	exec.Memory
	dev  *farDevice
	once sync.Once
}

type farQueue struct {
	exec.Queue
	work []func(ctx context.Context) error
}

var far = sync.OnceValue(func() *farDevice {
	d := &farDevice{Device: cpu.All(), info: *cpu.All().Info()}
	d.info.Kind, d.info.Name, d.info.SharesMemory = "far", "a device for tests", false
	exec.Register("far", func() ([]exec.Device, error) { return []exec.Device{d}, nil })
	return d
})

func (d *farDevice) Info() *exec.Info { return &d.info }

func (d *farDevice) Wrap([]byte) (exec.Memory, error) { return nil, errors.ErrUnsupported }

func (d *farDevice) Allocate(n int) (exec.Memory, error) {
	m, err := d.Device.Allocate(n)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.live++
	d.mu.Unlock()
	return &farMemory{Memory: m, dev: d}, nil
}

func (d *farDevice) alive() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.live
}

func (d *farDevice) NewQueue() (exec.Queue, error) {
	if d.dead {
		return nil, errors.New("the device is dead")
	}
	q, err := d.Device.NewQueue()
	return &farQueue{Queue: q}, err
}

func (m *farMemory) Bytes() []byte { return nil }

func (m *farMemory) Part(off, n int) exec.Memory { return &farMemory{Memory: m.Memory.Part(off, n)} }

func (m *farMemory) Free() {
	m.once.Do(func() {
		if m.dev != nil {
			m.dev.mu.Lock()
			m.dev.live--
			m.dev.mu.Unlock()
		}
		m.Memory.Free()
	})
}

func (q *farQueue) later(f func(ctx context.Context) error) error {
	q.work = append(q.work, f)
	return nil
}

func (q *farQueue) Write(dst exec.Memory, src []byte) error {
	return q.later(func(context.Context) error { return q.Queue.Write(dst.(*farMemory).Memory, src) })
}

func (q *farQueue) Read(dst []byte, src exec.Memory) error {
	return q.later(func(context.Context) error { return q.Queue.Read(dst, src.(*farMemory).Memory) })
}

func (q *farQueue) Copy(dst, src exec.Memory) error {
	return q.later(func(context.Context) error { return q.Queue.Copy(dst.(*farMemory).Memory, src.(*farMemory).Memory) })
}

func (q *farQueue) Launch(ctx context.Context, l *exec.Launch) error {
	return q.later(func(context.Context) error {
		near := *l
		near.Args = slices.Clone(l.Args)
		for i, a := range near.Args {
			if a.Kind == exec.SliceArg {
				return errors.New("Go's memory on a device that does not share it")
			}
			if m, ok := a.Memory.(*farMemory); ok {
				near.Args[i].Memory = m.Memory
			}
		}
		err := q.Queue.Launch(ctx, &near)
		l.Report = near.Report
		return err
	})
}

func (q *farQueue) Wait(ctx context.Context) error {
	var errs []error
	for _, f := range q.work {
		errs = append(errs, f(ctx))
	}
	q.work = nil
	return errors.Join(errs...)
}

// devices returns the processor and a device that differs from it in every property that devices may differ in.
func devices(t *testing.T) []*Device {
	t.Helper()
	far()
	var list []*Device
	for _, name := range []string{"cpu", "far"} {
		d, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

const streamSource = `
kernel void saxpy(global float *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }
kernel void bad(global int *p) { p[4] = 1; }
kernel void spin(global int *p) { while (p[0] == 0) p[1]++; }
kernel void say(int n) { printf("%d\n", n); }`

func get(t *testing.T, d *Device, name string) *Kernel {
	t.Helper()
	p, err := d.Compile(streamSource)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func must[T any](t *testing.T) func(x T, err error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// TestDevices checks that every part of the API works on each device, slices in Run included.
func TestDevices(t *testing.T) {
	ctx := context.Background()
	for _, d := range devices(t) {
		before := far().alive()
		k := get(t, d, "saxpy")
		x, y := []float32{1, 2, 3}, []float32{10, 20, 30}
		if err := k.Run(ctx, Range(3), y, x, 2); err != nil || !slices.Equal(y, []float32{12, 24, 36}) {
			t.Errorf("%v: %v, %v", d, y, err)
		}
		if err := k.Run(ctx, Range(3), y, y, 1); err != nil || !slices.Equal(y, []float32{24, 48, 72}) {
			t.Errorf("%v, one slice twice: %v, %v", d, y, err)
		}
		if err := k.Run(ctx, Range(3), y, y, "1"); err == nil {
			t.Errorf("%v: a string for a float", d)
		}
		b := must[*Buffer[float32]](t)
		bx, by := b(NewBuffer(d, x)), b(NewBuffer(d, y))
		tail := b(by.Part(1, 3))
		out := make([]float32, 3)
		s := d.Stream()
		s.Run(k, Range(2), tail, b(bx.Part(0, 2)), 1.0)
		s.Copy(bx, tail)
		s.Read(out, bx)
		if err := s.Wait(ctx); err != nil || !slices.Equal(out, []float32{49, 74, 3}) {
			t.Errorf("%v: %v, %v", d, out, err)
		}
		var said strings.Builder
		if err := get(t, d, "say").With(Options{Stdout: &said}).Run(ctx, Range(1), 42); err != nil || said.String() != "42\n" {
			t.Errorf("%v: %q, %v", d, said.String(), err)
		}
		var fault *FaultError
		if err := get(t, d, "bad").Run(ctx, Range(1), make([]int32, 4)); !errors.As(err, &fault) || fault.Findings[0].Kind != "out-of-bounds" {
			t.Errorf("%v: %v", d, err)
		}
		if err := get(t, d, "bad").With(Options{Mode: Robust}).Run(ctx, Range(1), make([]int32, 4)); err != nil {
			t.Errorf("%v: %v", d, err)
		}
		_, err := by.Slice()
		_, werr := WrapSlice(d, x)
		if shares := d.Info().SharesMemory; shares != (err == nil) || shares != (werr == nil) ||
			!shares && (!errors.Is(err, errors.ErrUnsupported) || !errors.Is(werr, errors.ErrUnsupported)) {
			t.Errorf("%v: %v, %v", d, err, werr)
		}
		bx.Close()
		by.Close()
		if n := far().alive(); n != before {
			t.Errorf("%v: %d memory objects stay", d, n-before)
		}
	}
}

// TestOtherDevice checks that a buffer of one device is an error on another, and that the message names both.
func TestOtherDevice(t *testing.T) {
	ds := devices(t)
	k := get(t, ds[0], "saxpy")
	b, err := NewBuffer(ds[1], make([]float32, 4))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s := ds[0].Stream()
	s.Write(b, make([]float32, 4))
	s.Run(get(t, ds[1], "saxpy"), Range(1), b, b, 1)
	for _, err := range append(strings.Split(fmt.Sprint(s.Wait(context.Background())), "\n"), fmt.Sprint(k.Run(context.Background(), Range(1), b, b, 1))) {
		if !strings.Contains(err, "far:0 (a device for tests)") || !strings.Contains(err, "cpu:0 (") {
			t.Error(err)
		}
	}
}

func TestStreamMisuse(t *testing.T) {
	d := devices(t)[0]
	b := must[*Buffer[float32]](t)(NewBuffer(d, make([]float32, 4)))
	v := must[*Buffer[vec.Float4]](t)(NewBuffer(d, make([]vec.Float4, 4)))
	closed := must[*Buffer[float32]](t)(NewBuffer(d, make([]float32, 4)))
	closed.Close()
	s := d.Stream()
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { s.Write(b, make([]float64, 4)) }, "(Write): got a slice of float64 for a buffer of float32; give a slice of float32"},
		{func() { s.Read(5, b) }, "(Read): got the int 5 for a buffer of float32"},
		{func() { s.Read(nil, b) }, "(Read): got nil for a buffer of float32"},
		{func() { s.Write(b, make([]float32, 5)) }, "(Write): 5 elements, the buffer has 4"},
		{func() { s.Write(nil, make([]float32, 5)) }, "(Write): got a nil buffer"},
		{func() { s.Write((*Buffer[int32])(nil), make([]int32, 5)) }, "(Write): got a nil buffer"},
		{func() { s.Write(closed, make([]float32, 1)) }, "(Write): the buffer is closed"},
		{func() { s.Copy(v, b) }, "(Copy): from a buffer of float32 to one of vec.Float4"},
		{func() { p, _ := b.Part(0, 2); s.Copy(p, b) }, "(Copy): 4 elements to a buffer of 2"},
		{func() { s.Run(nil, Range(1)) }, "(Run): no kernel"},
		{func() { s.Run(new(Kernel), Range(1)) }, "(Run): no kernel"},
		{func() { s.Do(nil) }, "(Do): got a nil function"},
		{func() { s.Do(func() error { panic("oh") }) }, "(Do): the function panicked: oh"},
	} {
		c.do()
		if err := s.Wait(context.Background()); err == nil || !strings.HasPrefix(err.Error(), "purecl: work 1 of the stream ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := s.Wait(context.Background()); err != nil {
		t.Errorf("errors stand once: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s.Do(func() error { return nil })
	if err := s.Wait(context.Background()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	var none *Stream
	if err := none.Wait(context.Background()); err == nil || none.Close() != nil {
		t.Error(err)
	}
}

// TestZeroValues checks that zero objects return errors and do not panic.
func TestZeroValues(t *testing.T) {
	ctx := context.Background()
	for _, d := range []*Device{nil, {}} {
		_, err := d.Compile("")
		_, ferr := NewBuffer(d, []int32{1})
		_, werr := WrapSlice(d, []int32{1})
		if err == nil || ferr == nil || werr == nil || d.String() != "no device" || d.Info() != (Info{}) || d.Close() != nil {
			t.Errorf("%v, %v, %v", err, ferr, werr)
		}
	}
	for _, p := range []*Program{nil, {}} {
		if _, err := p.Kernel("k"); err == nil || p.Kernels() != nil || p.Close() != nil {
			t.Error(err)
		}
	}
	for _, k := range []*Kernel{nil, {}} {
		if err := k.Run(ctx, Range(1)); err == nil || k.Info() != (KernelInfo{}) || k.Name() != "" || k.Args() != nil || k.Program() != nil {
			t.Error(err)
		}
	}
	for _, b := range []*Buffer[int32]{nil, {}} {
		_, serr := b.Slice()
		_, perr := b.Part(0, 1)
		if b.Read(ctx, nil) == nil || b.Write(ctx, nil) == nil || serr == nil || perr == nil || b.Len() != 0 || b.Device() != nil || b.Close() != nil {
			t.Errorf("%v, %v", serr, perr)
		}
	}
	if (*Program)(nil).Warnings() != nil || (*Program)(nil).Device() != nil {
		t.Error("a nil program")
	}
}

func TestBufferMisuse(t *testing.T) {
	d := devices(t)[0]
	ctx := context.Background()
	_, empty := NewBuffer(d, []int32{})
	_, str := NewBuffer(d, []string{"x"})
	_, wrap := WrapSlice(d, []*int{nil})
	b := must[*Buffer[int32]](t)(NewBuffer(d, make([]int32, 4)))
	_, part := b.Part(2, 2)
	_, beyond := b.Part(2, 5)
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	for want, err := range map[string]error{
		"a buffer of 0 elements of int32":    empty,
		"a buffer of string: elements":       str,
		"a buffer of *int: elements":         wrap,
		"part 2:2 of a buffer of 4 elements": part,
		"part 2:5 of a buffer of 4 elements": beyond,
		"write of 5 elements of a buffer":    b.Write(ctx, make([]int32, 5)),
		"read of 5 elements of a buffer":     b.Read(ctx, make([]int32, 5)),
		"context canceled":                   b.Read(canceled, make([]int32, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	tail, _ := b.Part(1, 2)
	b.Close()
	b.Close()
	for _, err := range []error{b.Write(ctx, nil), tail.Read(ctx, nil), get(t, d, "bad").Run(ctx, Range(1), tail)} {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Error(err)
		}
	}
}

// TestCollected checks that the garbage collector releases the memory of buffers that were not closed.
func TestCollected(t *testing.T) {
	d := devices(t)[1]
	before := far().alive()
	for range 8 {
		if _, err := NewBuffer(d, make([]int32, 100)); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 {
		if runtime.GC(); far().alive() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d buffers stay", far().alive()-before)
}

// TestStreamOrder checks that work of many goroutines on many streams is done in order and completely.
func TestStreamOrder(t *testing.T) {
	for _, d := range devices(t) {
		k := get(t, d, "saxpy")
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				s := d.Stream(Options{Workers: 1})
				x, y := must[*Buffer[float32]](t)(NewBuffer(d, []float32{1})), must[*Buffer[float32]](t)(NewBuffer(d, []float32{0}))
				got := make([]float32, 1)
				for i := range 50 {
					s.Run(k, Range(1), y, x, 1.0)
					s.Read(got, y)
					s.Do(func() error {
						if got[0] != float32(i+1) {
							return fmt.Errorf("launch %d gave %v", i, got[0])
						}
						return nil
					})
					if i%10 == 0 {
						ctx, cancel := context.WithCancel(context.Background())
						if err := s.Wait(ctx); err != nil {
							t.Error(err)
						}
						cancel()
					}
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// TestStreamWaitEnds checks that the context ends Wait but not the work.
func TestStreamWaitEnds(t *testing.T) {
	d := devices(t)[0]
	s := d.Stream()
	release := make(chan struct{})
	s.Do(func() error { <-release; return errors.New("the work's") })
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := s.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	close(release)
	if err := s.Wait(context.Background()); err == nil || !strings.Contains(err.Error(), "the work's") {
		t.Error(err)
	}
}

func TestOpen(t *testing.T) {
	far()
	for _, c := range []struct{ env, name, want string }{
		{"", "", ""}, {"cpu", "", ""}, {"CPU:0", "", ""}, {"far:0", "", ""}, {"tpu", "cpu:0", ""}, {"", "Cpu", ""},
		{"cpu:9", "", `purecl: PURECL_DEVICE=cpu:9: there is no such device; there are cpu:0 and far:0`},
		{"tpu", "", `purecl: PURECL_DEVICE=tpu: there is no such device; there are cpu:0 and far:0`},
		{"cpu:x", "", `PURECL_DEVICE=cpu:x: there is no such device: "x" is no number from 0; there are cpu:0 and far:0`},
		{"", "cpu:-1", `device "cpu:-1": there is no such device: "-1" is no number from 0`}, {"", "gpu", `device "gpu": there is no such device: this program has no GPU devices: it needs the import _ "github.com/purecl/purecl/gpu"`},
	} {
		t.Setenv("PURECL_DEVICE", c.env)
		d, err := Open(c.name)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("PURECL_DEVICE=%s, %q: %v, %v, want %q", c.env, c.name, d, err, c.want)
		}
	}
	exec.Register("broken", func() ([]exec.Device, error) { return nil, errors.New("no driver") })
	if _, err := Open("broken"); !errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), `device "broken": there is no such device: no driver; there are cpu:0`) {
		t.Error(err)
	}
}

// TestNoKernels checks the warning for a program without kernels.
func TestNoKernels(t *testing.T) {
	p, err := Compile("void f(global int *p) {}")
	if err != nil {
		t.Fatal(err)
	}
	w := p.Warnings()
	if len(w) != 1 || w[0].Severity != "warning" || !strings.Contains(w[0].String(), "<source>: warning: the program has no kernel") {
		t.Errorf("%v", w)
	}
	if _, err := p.Kernel("f"); err == nil || !strings.Contains(err.Error(), `no kernel "f": the program has no kernel`) {
		t.Error(err)
	}
	p, err = Compile("kernel void g() {}")
	if err != nil || len(p.Warnings()) != 0 {
		t.Error(err, p.Warnings())
	}
	if _, err := p.Kernel("f"); err == nil || !strings.Contains(err.Error(), `no kernel "f"; the program's kernels: g`) {
		t.Error(err)
	}
	k, err := p.Kernel("g")
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if err := k.Run(context.Background(), Range(1)); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := p.Kernel("g"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	for _, o := range []string{"-cl-std=CL9", "-DN=3 -nonsense-option"} {
		var b *BuildError
		if _, err := Compile("kernel void g() {}", o); !errors.As(err, &b) || !errors.Is(err, ErrBuild) {
			t.Errorf("%s: %v", o, err)
		}
	}
}

// TestStreamWithoutQueue: a device that gives no queue is an error of each piece of work, and all are ended.
func TestStreamWithoutQueue(t *testing.T) {
	f := &farDevice{Device: cpu.All(), info: far().info, dead: true}
	d := &Device{exec: f, id: "dead:0"}
	s := d.Stream()
	k := get(t, d, "bad")
	for range 3 {
		s.Run(k, Range(1), Memory(nil))
	}
	if err := s.Wait(context.Background()); err == nil || strings.Count(err.Error(), "the device is dead") != 3 {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

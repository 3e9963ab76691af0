package cuda

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
)

// A batchTest launches numbered kernels on a stream of a fake library.
type batchTest struct {
	f    *fakeLib
	m    *machine
	s    device.Stream
	code [3]*code
	want []startedLaunch
}

func newBatchTest(t *testing.T, f *fakeLib) *batchTest {
	t.Helper()
	x := &batchTest{f: f, m: f.open(t)[0].(*machine)}
	s, err := x.m.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	x.s = s
	t.Cleanup(s.Close)
	for i := range x.code {
		x.code[i] = x.kernel(uintptr(1 + i))
	}
	return x
}

func (x *batchTest) kernel(fn uintptr) *code {
	mod := &module{}
	mod.open.Store(1)
	return &code{m: x.m, generation: x.m.Generation(), module: mod, fn: fn, shared: plainShared}
}

// launch launches the next kernel.
func (x *batchTest) launch(t *testing.T, more bool) error {
	t.Helper()
	n := len(x.want)
	return x.start(x.code[n%3], uint32(n%7+1), 8+8*(n%5), uint64(n), more)
}

// start launches a kernel. Its parameter has size bytes and begins with the number n.
func (x *batchTest) start(c *code, blocks uint32, size int, n uint64, more bool) error {
	x.want = append(x.want, startedLaunch{c.fn, blocks, n})
	params := make([]byte, size)
	binary.LittleEndian.PutUint64(params, n)
	g := &device.Grid{Blocks: [3]uint32{blocks, 1, 1}, Threads: [3]uint32{32, 1, 1}, Params: params, More: more}
	err := x.s.Launch(c, g)
	clear(params)
	return err
}

func (x *batchTest) check(t *testing.T, name string) {
	t.Helper()
	if !slices.Equal(x.f.started, x.want) {
		t.Fatalf("%s: started %v, want %v", name, x.f.started, x.want)
	}
}

// TestBatches launches kernels that others follow: they start in order, at the latest with the first that nothing
// follows, and before other work.
func TestBatches(t *testing.T) {
	f := newFake()
	x := newBatchTest(t, f)
	if x.launch(t, false); len(f.started) != 1 {
		t.Fatal("a launch that nothing follows does not start at once")
	}
	buffer, err := x.m.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 40 {
		n := round*7%75 + 1
		for range n {
			if err := x.launch(t, true); err != nil {
				t.Fatal(err)
			}
		}
		err := error(nil)
		switch round % 7 {
		case 0:
			err = x.launch(t, false)
		case 1:
			err = x.s.Write(buffer, make([]byte, 8))
		case 2:
			err = x.s.Read(make([]byte, 8), buffer)
		case 3:
			err = x.s.Clear(buffer, 8)
		case 4:
			var m interface{ Release() }
			if m, err = x.s.Mark(false); err == nil {
				m.Release()
			}
		case 5:
			x.s.Flush()
		default:
			err = x.s.Wait()
		}
		if err != nil {
			t.Fatal(err)
		}
		x.check(t, "after a round")
	}
	if f.batches < 20 || len(f.graphs) != len(graphSizes)+len(x.code) {
		t.Errorf("%d batches of %d graphs", f.batches, len(f.graphs))
	}
}

// TestBatchErrors lets the driver fail at each function for graphs: the launches start one by one then.
func TestBatchErrors(t *testing.T) {
	for _, fn := range []function{cuGraphCreate, cuGraphAddKernelNode, cuGraphInstantiate, cuGraphExecKernelNodeSetParams, cuGraphLaunch} {
		f := newFake()
		x := newBatchTest(t, f)
		f.code[fn] = 1
		for range 5 {
			for range 40 {
				x.launch(t, true)
			}
			if err := x.s.Wait(); err != nil {
				t.Errorf("%s: %v", symbols[fn], err)
			}
			x.check(t, symbols[fn])
		}
		f.code[cuLaunchKernel] = 701
		x.launch(t, true)
		if err := x.launch(t, false); err != nil {
			t.Errorf("the second launch has the first's error: %v", err)
		}
		var e *Error
		if err := x.s.Wait(); !errors.As(err, &e) || e.Code != 701 {
			t.Errorf("%s: the error of a launch: %v", symbols[fn], err)
		}
		if err := x.s.Wait(); err != nil {
			t.Errorf("%s: the error comes twice: %v", symbols[fn], err)
		}
		x.launch(t, true)
		m, err := x.s.Mark(false)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Wait(); !errors.As(err, &e) || e.Code != 701 {
			t.Errorf("%s: the error of a launch, at a mark: %v", symbols[fn], err)
		}
		x.launch(t, true)
		x.s.Flush()
		if done, err := m.Done(); done || !errors.As(err, &e) || e.Code != 701 {
			t.Errorf("%s: the error of a launch, where a mark is asked: %v, %v", symbols[fn], done, err)
		}
		m.Release()
	}
}

// TestBatchLost loses the context in a batch.
func TestBatchLost(t *testing.T) {
	for _, fn := range []function{cuGraphExecKernelNodeSetParams, cuGraphLaunch} {
		f := newFake()
		x := newBatchTest(t, f)
		for round := range 6 {
			if round == 5 {
				f.code[fn] = 700
			}
			for range 8 {
				x.launch(t, true)
			}
			err := x.s.Wait()
			if round < 5 && err != nil || round == 5 && !errors.Is(err, device.ErrLost) {
				t.Errorf("%s, round %d: %v", symbols[fn], round, err)
			}
		}
	}
}

// TestTold waits for work that ends while the host looks for its end, for longer work, and with a driver that writes
// no numbers.
func TestTold(t *testing.T) {
	f := newFake()
	x := newBatchTest(t, f)
	wait := func(want int) {
		t.Helper()
		before := f.waits
		x.launch(t, false)
		if err := x.s.Wait(); err != nil {
			t.Error(err)
		}
		if got := f.waits - before; got != want {
			t.Errorf("the driver waited %d times, want %d", got, want)
		}
	}
	wait(0)
	f.slow = true
	wait(1)
	f.slow = false
	wait(0)
	f.code[cuStreamWriteValue32] = errorNotSupported
	wait(1)
	delete(f.code, cuStreamWriteValue32)
	wait(1)
}

package cuda

import (
	"errors"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
)

// launches launches a kernel n times, one by one. step is added to its parameter each time.
func (x *batchTest) launches(t *testing.T, c *code, n int, step uint64) {
	t.Helper()
	for i := range uint64(n) {
		if err := x.start(c, 1, 16, i*step, false); err != nil {
			t.Fatal(err)
		}
	}
	x.check(t, "launches of a kernel")
}

// TestSingles launches kernels one by one. From the singleAfter-th launch on a kernel starts with its graph, which is set
// again only where the launch differs from the one before.
func TestSingles(t *testing.T) {
	f := newFake()
	x := newBatchTest(t, f)
	counts := func(what string, batches, sets int) {
		t.Helper()
		if f.batches != batches || f.sets != sets {
			t.Errorf("%s: %d graphs were launched, %d set, want %d and %d", what, f.batches, f.sets, batches, sets)
		}
		f.batches, f.sets = 0, 0
	}
	x.launches(t, x.code[0], singleAfter-1, 0)
	counts("before the graph is made", 0, 0)
	x.launches(t, x.code[0], 20, 0)
	counts("the same launch again", 20, 1)
	x.launches(t, x.code[0], 20, 1)
	counts("with other parameters", 20, 19)
	x.launches(t, x.code[1], singleAfter-1+20, 0)
	x.launches(t, x.code[0], 1, 0)
	counts("another kernel", 21, 2)
	x.start(x.code[0], 2, 16, 0, false)
	counts("another size", 1, 1)
	x.start(x.code[0], 2, 24, 0, false)
	counts("a longer parameter", 1, 1)
	f.strict = true
	x.launches(t, x.code[0], 5, 0)
	if !x.m.needsCurrent.Load() || f.batches < 4 {
		t.Errorf("%d of 5 launches by graphs with a driver that needs a current context", f.batches)
	}
}

// TestManySingles launches more kernels than have graphs. The graphs of closed kernels make room.
func TestManySingles(t *testing.T) {
	f := newFake()
	x := newBatchTest(t, f)
	var list []*code
	for i := range maxSingles + 1 {
		list = append(list, x.kernel(uintptr(10+i)))
		x.launches(t, list[i], singleAfter, 0)
	}
	if f.batches != maxSingles {
		t.Errorf("%d kernels had graphs, want %d", f.batches, maxSingles)
	}
	list[0].Close()
	list[1].Close()
	x.launches(t, list[maxSingles], singleAfter, 0)
	if f.batches != maxSingles+1 || f.killed != 2 {
		t.Errorf("after two kernels have been closed %d had graphs, %d were destroyed", f.batches, f.killed)
	}
}

// TestSingleErrors lets the driver fail at each function for graphs: the kernel is launched without.
func TestSingleErrors(t *testing.T) {
	for _, fn := range []function{cuGraphCreate, cuGraphAddKernelNode, cuGraphInstantiate, cuGraphExecKernelNodeSetParams, cuGraphLaunch} {
		f := newFake()
		x := newBatchTest(t, f)
		f.code[fn] = 1
		x.launches(t, x.code[0], 3*singleAfter, 1)
		f.code[cuLaunchKernel] = 701
		var e *Error
		if err := x.launch(t, false); !errors.As(err, &e) || e.Code != 701 {
			t.Errorf("%s: the error of the launch: %v", symbols[fn], err)
		}
		x.want = x.want[:len(x.want)-1]
		delete(f.code, fn)
		delete(f.code, cuLaunchKernel)
		x.launches(t, x.code[0], 5, 0)
	}
	for _, fn := range []function{cuGraphExecKernelNodeSetParams, cuGraphLaunch} {
		f := newFake()
		x := newBatchTest(t, f)
		x.launches(t, x.code[0], 2*singleAfter, 0)
		f.code[fn] = 700
		if err := x.start(x.code[0], 2, 16, 0, false); !errors.Is(err, device.ErrLost) {
			t.Errorf("%s: %v", symbols[fn], err)
		}
	}
}

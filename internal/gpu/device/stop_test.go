package device_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/gputest"
)

// kernelOf compiles the source of a kernel k for a device.
func kernelOf(t *testing.T, dev exec.Device, source string) exec.Kernel {
	t.Helper()
	res, err := compile.Compile(context.Background(), "k.cl", []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestStop ends endless launches: by their flags, each its own, and all together as at the end of the process, when
// later ones end too.
func TestStop(t *testing.T) {
	defer device.Resume()
	dev := device.New(gputest.Sim())
	k := kernelOf(t, dev, "kernel void k(global int *p) { while (p[0] == 0) p[1]++; }")
	m, err := dev.Allocate(8)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(stop *atomic.Bool) (exec.AsyncQueue, *exec.Launch) {
		q, err := dev.NewQueue()
		if err != nil {
			t.Fatal(err)
		}
		l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: m}}, Stop: stop}
		if l.Range, err = k.Resolve(exec.Range{Global: []uint64{1}}); err == nil {
			err = q.Launch(context.Background(), l)
		}
		if err != nil {
			t.Fatal(err)
		}
		return q.(exec.AsyncQueue), l
	}
	var stop, other atomic.Bool
	q, l := begin(&stop)
	time.AfterFunc(time.Millisecond, func() { stop.Store(true) })
	if err := q.Wait(context.Background()); !errors.Is(err, launch.ErrStopped) || !errors.Is(l.Report.Err, launch.ErrStopped) {
		t.Errorf("got %v, report %v", err, l.Report.Err)
	}
	q, _ = begin(&other)
	time.Sleep(20 * time.Millisecond)
	if done, err := q.Tail().Done(); done || err != nil {
		t.Errorf("a launch whose flag is not set is done, %v", err)
	}
	device.StopAll()
	if err := q.Wait(context.Background()); !errors.Is(err, launch.ErrStopped) {
		t.Errorf("got %v", err)
	}
	q, _ = begin(nil)
	if err := q.Wait(context.Background()); !errors.Is(err, launch.ErrStopped) {
		t.Errorf("a later launch: %v", err)
	}
}

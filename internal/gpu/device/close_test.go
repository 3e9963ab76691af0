package device_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

// A counter is a machine that counts its allocations.
type counter struct {
	device.Machine
	n atomic.Int64
}

func (c *counter) Alloc(n int) (uint64, error) {
	c.n.Add(1)
	return c.Machine.Alloc(n)
}

func (c *counter) Free(addr uint64, generation int) {
	c.n.Add(-1)
	c.Machine.Free(addr, generation)
}

// TestClosedPrograms launches kernels of programs that are closed afterwards: a queue keeps no memory for them.
func TestClosedPrograms(t *testing.T) {
	c := &counter{Machine: gputest.Sim()}
	dev := device.New(c)
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	res, err := compile.Compile(context.Background(), "k.cl", []byte("kernel void k(int n) {}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	after := map[int]int64{}
	for i := range 20 {
		prog, err := dev.Load(&exec.Module{Module: res.Module})
		if err != nil {
			t.Fatal(err)
		}
		k, err := prog.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.ValueArg, Bytes: make([]byte, 4)}}}
		if l.Range, err = k.Resolve(exec.Range{Global: []uint64{1}}); err == nil {
			err = q.Launch(context.Background(), l)
		}
		if err == nil {
			err = q.Wait(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		prog.Close()
		after[i] = c.n.Load()
	}
	if after[19] > after[2] {
		t.Errorf("%d allocations after 3 programs, %d after 20", after[2], after[19])
	}
}

package device_test

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

// TestNumbers launches a kernel again and again: the numbers of a queue's work count on across waits, because callers keep them.
func TestNumbers(t *testing.T) {
	dev := device.New(gputest.Sim())
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, dev, "kernel void k(int n) {}")
	begun := q.(exec.AsyncQueue)
	launches := uint64(0)
	for round := range 5 {
		for range 1 + 100*round { // more than run at once, in the last rounds
			l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.ValueArg, Bytes: make([]byte, 4)}}}
			if l.Range, err = k.Resolve(exec.Range{Global: []uint64{1}}); err == nil {
				err = q.Launch(context.Background(), l)
			}
			if err != nil {
				t.Fatal(err)
			}
			if launches++; begun.Begun() != launches {
				t.Fatalf("round %d: number %d after %d launches", round, begun.Begun(), launches)
			}
		}
		if err := q.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		if begun.Begun() != launches {
			t.Fatalf("round %d: number %d after %d launches and a wait", round, begun.Begun(), launches)
		}
	}
}

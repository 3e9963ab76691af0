package gputest

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/run/exec"
)

// TestLost makes a GPU fault with hand-written PTX: the context ends and its buffers are lost. Where the driver gives the
// process a new context, that one works; else the error says what to do. The driver for CUDA 13 gives none, whatever is
// destroyed or reset before.
func TestLost(t *testing.T) {
	if !*useCUDA {
		t.Skip("package cuda tests a lost context with a fake driver")
	}
	m := machine(t)
	dev := device.New(m)
	before, err := dev.Allocate(256)
	if err != nil {
		t.Fatal(err)
	}
	code, err := m.Load(".version 7.7\n.target "+m.Target()+"\n.address_size 64\n.visible .entry "+ptx.Entry+"(.param .align 16 .b8 block[16])\n{\n.reg .b64 %d<2>;\nmov.b64 %d0, 64;\nst.global.u64 [%d0], %d0;\nexit;\n}\n", ptx.Entry)
	if err != nil {
		t.Fatal(err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Launch(code, &device.Grid{Blocks: [3]uint32{1, 1, 1}, Threads: [3]uint32{1, 1, 1}, Params: make([]byte, 16)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS") {
		t.Errorf("the fault: %v", err)
	}
	s.Close()
	if err := q.Write(before, make([]byte, 256)); !errors.Is(err, device.ErrLost) {
		t.Errorf("a buffer from before: %v", err)
	}
	before.Free()
	after, err := dev.Allocate(256)
	if err != nil {
		if text := err.Error(); !strings.Contains(text, "start the program again") {
			t.Errorf("no new context: %s", text)
		}
		return
	}
	l := &exec.Launch{Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: after}}}
	if err := launchOn(t, dev, "kernel void k(global int *a) { a[get_global_id(0)] = get_global_id(0) + 5; }", "k", l, exec.Range{Global: []uint64{64}}); err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 256)
	if err := q.Read(out, after); err != nil {
		t.Fatal(err)
	}
	if err := q.Wait(context.Background()); err != nil || binary.LittleEndian.Uint32(out[4*63:]) != 68 {
		t.Errorf("after: %v, % x", err, out)
	}
}

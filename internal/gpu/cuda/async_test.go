package cuda

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/run/exec"
)

// TestAsynchronous enqueues launches: the driver is waited for once for many.
func TestAsynchronous(t *testing.T) {
	f := newFake()
	x := newFixture(t, f)
	ctx := context.Background()
	before := f.waits
	const n = 1000
	for range n {
		l := &exec.Launch{Kernel: x.k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: x.m}}}
		var err error
		if l.Range, err = x.k.Resolve(exec.Range{Global: []uint64{64}}); err != nil {
			t.Fatal(err)
		}
		if err := x.q.Launch(ctx, l); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.q.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if got := f.waits - before; got > n/100 {
		t.Errorf("%d launches waited %d times", n, got)
	}
}

// TestNeedsCurrent launches with a driver that needs a current context for streams: the first call finds out.
func TestNeedsCurrent(t *testing.T) {
	f := newFake()
	f.strict = true
	x := newFixture(t, f)
	for range 3 {
		if _, err := x.launch(context.Background(), t); err != nil {
			t.Fatal(err)
		}
		m, err := x.q.(exec.AsyncQueue).Mark(false)
		if err != nil {
			t.Fatal(err)
		}
		if done, err := m.Done(); !done || err != nil {
			t.Error(done, err)
		}
		if err := m.Wait(); err != nil {
			t.Error(err)
		}
		m.Release()
	}
	if f.refused != 1 {
		t.Errorf("%d calls were refused, want 1", f.refused)
	}
}

// TestStaging copies more than pinned memory holds to the device and back, in pieces whose last is small, with work
// behind it in the queue.
func TestStaging(t *testing.T) {
	f := newFake()
	f.memory, f.store = 1<<26, make([]byte, 1<<26)
	x := newFixture(t, f)
	ctx := context.Background()
	r := rand.NewChaCha8([32]byte{1})
	for _, n := range []int{1, directCopy, directCopy + 1, pieceSize, stagingSize + 3*pieceSize/2 + 5} {
		m, err := x.dev.Allocate(n)
		if err != nil {
			t.Fatal(err)
		}
		src, dst := make([]byte, n), make([]byte, n)
		r.Read(src)
		want := bytes.Clone(src)
		if err := x.q.Write(m, src); err != nil {
			t.Fatal(err)
		}
		if err := x.q.Read(dst, m); err != nil {
			t.Fatal(err)
		}
		if _, err := x.launch(ctx, t); err != nil { // which waits
			t.Fatal(err)
		}
		if !bytes.Equal(dst, want) {
			t.Errorf("%d bytes differ", n)
		}
	}
}

// TestNoContext launches a kernel that needs no memory where the driver gives no context any more.
func TestNoContext(t *testing.T) {
	f := newFake()
	x := newFixture(t, f)
	res, err := compile.Compile(context.Background(), "k.cl", []byte("kernel void none(int n) {}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := x.dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	defer prog.Close()
	k, err := prog.Kernel("none")
	if err != nil {
		t.Fatal(err)
	}
	f.code[cuStreamSynchronize] = 700
	if _, err := x.launch(context.Background(), t); err == nil {
		t.Fatal("the driver's error is lost")
	}
	f.code[cuCtxCreate] = 700
	for range 2 {
		l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.ValueArg, Bytes: make([]byte, 4)}}}
		if l.Range, err = k.Resolve(exec.Range{Global: []uint64{64}}); err != nil {
			t.Fatal(err)
		}
		if err := x.q.Launch(context.Background(), l); err == nil || !strings.Contains(err.Error(), "start the program again") {
			t.Errorf("got %v", err)
		}
		if err := x.q.Wait(context.Background()); err != nil {
			t.Errorf("the wait: %v", err)
		}
	}
}

// copyBytes does a copy between the host and the fake's memory.
func (f *fakeLib) copyBytes(fn function, args []uintptr) {
	if f.store == nil {
		return
	}
	device := func(a uintptr) []byte { return f.store[a-1<<33:][:args[2]] }
	host := func(a uintptr) []byte { return unsafe.Slice(at[byte](a), args[2]) }
	if fn == cuMemcpyHtoDAsync {
		copy(device(args[0]), host(args[1]))
	} else {
		copy(host(args[0]), device(args[1]))
	}
}

// BenchmarkLaunch measures the host's part of a launch and its wait, without the driver's.
func BenchmarkLaunch(b *testing.B) {
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := newFixture(b, newFake())
			ctx := context.Background()
			l := &exec.Launch{Kernel: x.k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: x.m}}}
			var err error
			if l.Range, err = x.k.Resolve(exec.Range{Global: []uint64{64}}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := x.q.Launch(ctx, l); err != nil {
					b.Fatal(err)
				}
				if i%n == 0 {
					if err := x.q.Wait(ctx); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

package gputest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
)

// TestQueue enqueues many launches before it waits: each report has its own findings, texts of printf come in order,
// and a context ends its own launch only.
func TestQueue(t *testing.T) {
	dev := device.New(machine(t))
	const src = `
kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }
kernel void outside(global int *a, int n) { if (get_global_id(0) == 3) a[n] = 1; }
kernel void say(global int *a, int n) { if (get_global_id(0) == 0) printf("%d of %d\n", n, a[0]); }
kernel void wait(global int *a, int n) { while (a[4] == 0) a[5] += n; }`
	prog, q := programAndQueue(t, dev, src)
	m := allocated(t, dev, 64)
	var text bytes.Buffer
	begin := func(ctx context.Context, kernel string, n int) *exec.Launch {
		t.Helper()
		l := &exec.Launch{Stdout: &text, More: n%41 != 0, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: m}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}}}
		prepare(t, prog, kernel, l, exec.Range{Global: []uint64{4}})
		if err := q.Launch(ctx, l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	ctx := context.Background()
	ends, cancel := context.WithCancel(ctx)
	defer cancel()
	var faults []*exec.Launch
	var stopped *exec.Launch
	adds := 0
	for i := range 600 { // more than run before the queue waits by itself
		switch {
		case i == 100:
			stopped = begin(ends, "wait", 0)
			time.AfterFunc(20*time.Millisecond, cancel)
		case i%50 == 7:
			faults = append(faults, begin(ctx, "outside", 100+i))
		case i%200 == 3:
			begin(ctx, "say", i)
		default:
			begin(ctx, "add", 1)
			adds++
		}
	}
	if err := q.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait: %v", err)
	}
	if err := stopped.Report.Err; !errors.Is(err, context.Canceled) {
		t.Errorf("the launch whose context has ended: %v", err)
	}
	for i, l := range faults {
		if f := l.Report.Findings; l.Report.Err != nil || len(f) != 1 || f[0].Offset != uint64(4*(100+50*i+7)) {
			t.Errorf("launch %d: %v, %v", 50*i+7, l.Report.Err, f)
		}
	}
	if want := "3 of 3\n203 of 197\n403 of 392\n"; text.String() != want {
		t.Errorf("printed %q, want %q", text.String(), want)
	}
	out := make([]byte, 64)
	if err := q.Read(out, m); err != nil {
		t.Fatal(err)
	}
	if err := q.Wait(ctx); err != nil || int(binary.LittleEndian.Uint32(out)) != adds {
		t.Errorf("%v, %d, want %d", err, binary.LittleEndian.Uint32(out), adds)
	}
}

// TestRepeated launches a few kernels with a few arguments and ranges in random order, most of them after a wait, so that
// many are the same as the launch before.
func TestRepeated(t *testing.T) {
	dev := device.New(machine(t))
	const src = `
kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }
kernel void outside(global int *a, int n) { a[get_global_id(0) == 1 ? 100 : get_global_id(0)] += n; }`
	prog, q := programAndQueue(t, dev, src)
	memory := []exec.Memory{allocated(t, dev, 64), allocated(t, dev, 64), allocated(t, dev, 32)}
	want := [3][16]int32{}
	r := rand.New(rand.NewPCG(1, 2))
	ctx := context.Background()
	ended, end := context.WithCancel(ctx)
	end()
	kernel, at, n, items := "add", 0, 1, 4
	for range 600 {
		switch r.IntN(16) {
		case 0:
			kernel = []string{"add", "outside"}[r.IntN(2)]
		case 1:
			at = r.IntN(len(memory))
		case 2:
			n = r.IntN(5)
		case 3:
			items = 1 + r.IntN(8)
		case 4: // a launch that does not begin
			l := &exec.Launch{Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: memory[at]}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}}}
			prepare(t, prog, kernel, l, exec.Range{Global: []uint64{uint64(items)}})
			if err := q.Launch(ended, l); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		l := &exec.Launch{Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: memory[at]}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}}}
		prepare(t, prog, kernel, l, exec.Range{Global: []uint64{uint64(items)}})
		if err := q.Launch(ctx, l); err != nil {
			t.Fatal(err)
		}
		for i := range items {
			if kernel == "add" || i != 1 {
				want[at][i] += int32(n)
			}
		}
		if r.IntN(4) == 0 {
			continue
		}
		if err := q.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		if f := l.Report.Findings; len(f) > 0 != (kernel == "outside" && items > 1) || len(f) > 0 && (f[0].Offset != 400 || f[0].Global[0] != 1) {
			t.Fatalf("%s of %d work-items: findings %v", kernel, items, f)
		}
	}
	for i, m := range memory {
		out := make([]byte, m.Size())
		if err := q.Read(out, m); err != nil {
			t.Fatal(err)
		}
		if err := q.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		for j := range len(out) / 4 {
			if got := int32(binary.LittleEndian.Uint32(out[4*j:])); got != want[i][j] {
				t.Errorf("memory %d, element %d: %d, want %d", i, j, got, want[i][j])
			}
		}
	}
}

// TestBatches launches kernels whose order shows in the result, with work-groups of several sizes, in batches that a
// launch that nothing follows, a read or the wait ends.
func TestBatches(t *testing.T) {
	dev := device.New(machine(t))
	const src = `
kernel void times(global uint *a, uint n) { a[get_global_id(0)] *= n | 1; }
kernel void add(global uint *a, uint n, uint m) { size_t i = get_global_id(0); a[i] += n * m + i; }
kernel void rotate(global uint *a, local uint *l) {
	size_t i = get_global_id(0), k = get_local_id(0);
	l[k] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[i] = l[k ^ 1] + (l[k] << 3);
}`
	prog, q := programAndQueue(t, dev, src)
	const items = 64
	m, err := dev.Allocate(4 * items)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	value := func(n uint32) exec.Arg {
		return exec.Arg{Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, n)}
	}
	ctx := context.Background()
	var want [items]uint32
	launches := 700
	if testing.Short() || !*useCUDA {
		launches = 150
	}
	for i := range launches {
		n := uint32(i)
		name, args := "rotate", []exec.Arg{{Kind: exec.LocalArg, Size: 4 * items}}
		old := want
		switch i % 3 {
		case 0:
			name, args = "times", []exec.Arg{value(n)}
			for j := range want {
				want[j] *= n | 1
			}
		case 1:
			name, args = "add", []exec.Arg{value(n), value(3)}
			for j := range want {
				want[j] += n*3 + uint32(j)
			}
		default:
			for j := range want {
				want[j] = old[j^1] + old[j]<<3
			}
		}
		l := &exec.Launch{Args: append([]exec.Arg{{Kind: exec.MemoryArg, Memory: m}}, args...), More: i%53 != 0}
		prepare(t, prog, name, l, exec.Range{Global: []uint64{items}, Local: []uint64{2 << (i % 6)}})
		if err := q.Launch(ctx, l); err != nil {
			t.Fatal(err)
		}
		if i%97 != 0 && i != launches-1 {
			continue
		}
		out := make([]byte, 4*items)
		if err := q.Read(out, m); err != nil {
			t.Fatal(err)
		}
		if err := q.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		for j := range want {
			if got := binary.LittleEndian.Uint32(out[4*j:]); got != want[j] {
				t.Fatalf("after launch %d element %d is %d, want %d", i, j, got, want[j])
			}
		}
	}
}

// TestHostMemoryOrder lets copies from and to the host's memory follow each other without waits: each sees what those
// before it leave.
func TestHostMemoryOrder(t *testing.T) {
	dev := device.New(machine(t))
	prog, q := programAndQueue(t, dev, `kernel void add(global int *a) { a[get_global_id(0)] += 1; }`)
	ctx := context.Background()
	for _, size := range []int{64, 16 << 10, 40 << 10, 80 << 10} { // around the limits of small reads and of staging
		host := make([]byte, size)
		var rounds [3]exec.Copies
		for i := range rounds {
			a, err := rounds[i].Bind(dev, host, true)
			if err != nil {
				t.Fatal(err)
			}
			l := &exec.Launch{Args: []exec.Arg{a}}
			prepare(t, prog, "add", l, exec.Range{Global: []uint64{16}})
			if err := rounds[i].Start(ctx, q, l); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		for i := range rounds {
			rounds[i].Free()
		}
		if got := binary.LittleEndian.Uint32(host[60:]); got != 3 {
			t.Errorf("%d bytes: three launches add %d", size, got)
		}
	}

	// A small read, and then a large one to the same memory.
	small, large := allocated(t, dev, 64), allocated(t, dev, 80<<10)
	host := make([]byte, 80<<10)
	for i, b := range []struct {
		m    exec.Memory
		data []byte
	}{{small, bytes.Repeat([]byte{1}, 64)}, {large, bytes.Repeat([]byte{2}, 80<<10)}} {
		if err := q.Write(b.m, b.data); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := q.Read(host[100:164], small); err != nil {
		t.Fatal(err)
	}
	if err := q.Read(host, large); err != nil {
		t.Fatal(err)
	}
	if err := q.Wait(ctx); err != nil || !bytes.Equal(host, bytes.Repeat([]byte{2}, 80<<10)) {
		t.Errorf("%v, the later read is not the last: % x", err, host[96:168])
	}
}

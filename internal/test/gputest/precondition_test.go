package gputest

import (
	"context"
	"encoding/binary"
	"strings"
	"sync"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
)

// A reader is a machine that keeps the modules' text.
type reader struct {
	device.Machine
	mu    sync.Mutex
	texts []string
}

func (r *reader) Load(text, entry string) (device.Code, error) {
	r.mu.Lock()
	r.texts = append(r.texts, text)
	r.mu.Unlock()
	return r.Machine.Load(text, entry)
}

// TestPrecondition launches kernels with arguments and ranges that prove their accesses, and with others: the code has no
// checks then, or it has them and reports the accesses out of bounds.
func TestPrecondition(t *testing.T) {
	m := &reader{Machine: machine(t)}
	dev := device.New(m)
	const src = `
kernel void add(global int *a, global const int *b, int n) { int i = get_global_id(0); if (i < n) a[i] += b[i]; }
kernel void rows(global int *a, global const int *b, int n) { int x = get_global_id(0), y = get_global_id(1); a[y * n + x] = b[x]; }
kernel void tile(global int *a, global const int *b, int n) {
	local int t[8]; int i = get_local_id(0); t[i] = b[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[n - 1 - i];
}`
	prog, q := programAndQueue(t, dev, src)
	small, large := allocated(t, dev, 4*40), allocated(t, dev, 4*64)
	run := func(kernel string, a, b exec.Memory, n int, readOnly bool, r exec.Range) *exec.Launch {
		t.Helper()
		k, err := prog.Kernel(kernel)
		if err != nil {
			t.Fatal(err)
		}
		l := &exec.Launch{Kernel: k, Faults: exec.Robust, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: a, ReadOnly: readOnly}, {Kind: exec.MemoryArg, Memory: b}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}}}
		if l.Range, err = k.Resolve(r); err != nil {
			t.Fatal(err)
		}
		if err := q.Launch(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		if err := q.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		return l
	}
	one := exec.Range{Global: []uint64{64}, Local: []uint64{8}}
	two := exec.Range{Global: []uint64{8, 8}, Local: []uint64{8, 1}}
	for _, c := range []struct {
		name, kernel string
		a, b         exec.Memory
		n            int
		readOnly     bool
		r            exec.Range
		variants     int // modules so far
		checks       bool
		findings     int // work-items out of bounds, counted for each access
	}{
		{"all in bounds", "add", large, large, 64, false, one, 1, false, 0},
		{"guarded", "add", small, small, 40, false, one, 1, false, 0},
		{"a second object too small", "add", large, small, 41, false, one, 2, true, 1},
		{"both too small", "add", small, small, 64, false, one, 2, true, 72},
		{"in bounds again", "add", large, large, 3, false, one, 2, false, 0},
		{"read-only", "add", large, large, 4, true, one, 2, true, 4},
		{"offset", "add", large, large, 64, false, exec.Range{Global: []uint64{32}, Offset: []uint64{32}, Local: []uint64{8}}, 2, false, 0},
		{"offset too large", "add", large, large, 65, false, exec.Range{Global: []uint64{32}, Offset: []uint64{33}, Local: []uint64{8}}, 2, true, 3},
		{"rows", "rows", large, small, 8, false, two, 3, false, 0},
		{"rows too long", "rows", large, small, 9, false, two, 4, true, 7},
		{"local memory", "tile", large, large, 8, false, one, 5, false, 0},
		{"local memory too small", "tile", large, large, 9, false, one, 6, true, 8},
	} {
		before := len(m.texts)
		l := run(c.kernel, c.a, c.b, c.n, c.readOnly, c.r)
		n := 0
		for _, f := range l.Report.Findings {
			n += int(f.Count)
		}
		if n != c.findings {
			t.Errorf("%s: %d work-items with findings, want %d: %v", c.name, n, c.findings, l.Report.Findings)
		}
		if len(m.texts) != c.variants {
			t.Fatalf("%s: %d modules, want %d", c.name, len(m.texts), c.variants)
		}
		if len(m.texts) > before && strings.Contains(m.texts[before], "pcl_access") != c.checks {
			t.Errorf("%s: the new code has checks: %t", c.name, !c.checks)
		}
	}
}

package device_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

// processors is a simulated GPU of 132 processors.
type processors struct{ device.Machine }

func (p processors) Info() *exec.Info {
	info := *p.Machine.Info()
	info.ComputeUnits = 132
	return &info
}

// TestChosenLocal checks the local sizes that the device chooses, for kernels that can tell and others, with and without
// partial groups in the language.
func TestChosenLocal(t *testing.T) {
	res, err := compile.Compile(context.Background(), "k.cl", []byte(`
kernel void each(global int *p) { p[get_global_id(0)] = 1; }
int place() { return get_local_id(0); }
kernel void told(global int *p) { p[get_global_id(0)] = place(); }
kernel void waits(global int *p) { barrier(CLK_GLOBAL_MEM_FENCE); p[get_global_id(0)] = 1; }
kernel void takes(global int *p, local int *q) { p[get_global_id(0)] = 1; }
kernel void keeps(global int *p) { local int q; q = 1; p[get_global_id(0)] = q; }
kernel void prints(global int *p) { printf("%d\n", p[0]); }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(global int *p) { p[get_global_id(0)] = 1; }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	dev := device.New(processors{gputest.Sim()})
	for _, c := range []struct {
		kernel     string
		nonUniform bool
		global     []uint64
		local      [3]uint64
	}{
		{"each", false, []uint64{1 << 20}, [3]uint64{256, 1, 1}},
		{"each", false, []uint64{1<<20 + 1}, [3]uint64{256, 1, 1}},
		{"each", false, []uint64{65536}, [3]uint64{256, 1, 1}},
		{"each", false, []uint64{8192}, [3]uint64{64, 1, 1}},
		{"each", false, []uint64{144}, [3]uint64{32, 1, 1}},
		{"each", false, []uint64{20}, [3]uint64{20, 1, 1}},
		{"each", false, []uint64{4094, 1022}, [3]uint64{256, 1, 1}},
		{"each", false, []uint64{480, 481}, [3]uint64{32, 8, 1}},
		{"each", false, []uint64{2048, 1025}, [3]uint64{256, 1, 1}},
		{"each", false, []uint64{64, 64}, [3]uint64{32, 1, 1}},
		{"each", false, []uint64{7, 9, 300}, [3]uint64{7, 4, 1}},
		{"told", false, []uint64{8192}, [3]uint64{64, 1, 1}},
		{"told", false, []uint64{144}, [3]uint64{24, 1, 1}},
		{"told", false, []uint64{4094, 1022}, [3]uint64{178, 1, 1}},
		{"told", true, []uint64{4094, 1022}, [3]uint64{256, 1, 1}},
		{"told", false, []uint64{3 * 5 * 7 * 1024 * 131}, [3]uint64{256, 1, 1}},
		{"told", false, []uint64{37 * 1024 * 1025 / 4}, [3]uint64{256, 1, 1}},
		{"waits", false, []uint64{1000003}, [3]uint64{1, 1, 1}},
		{"takes", false, []uint64{1000003}, [3]uint64{1, 1, 1}},
		{"keeps", false, []uint64{1000003}, [3]uint64{1, 1, 1}},
		{"prints", false, []uint64{1000003}, [3]uint64{1, 1, 1}},
		{"prints", true, []uint64{1000003}, [3]uint64{256, 1, 1}},
		{"required", true, []uint64{8192}, [3]uint64{8, 1, 1}},
	} {
		prog, err := dev.Load(&exec.Module{Module: res.Module, NonUniform: c.nonUniform})
		if err != nil {
			t.Fatal(err)
		}
		k, err := prog.Kernel(c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := k.Resolve(exec.Range{Global: c.global}); err != nil || r.Local != c.local {
			t.Errorf("%s over %v, partial groups %v: got %v, %v, want %v", c.kernel, c.global, c.nonUniform, r.Local, err, c.local)
		}
	}
}

// TestPartialGroups runs a kernel that cannot tell groups on a range that groups do not divide.
func TestPartialGroups(t *testing.T) {
	res, err := compile.Compile(context.Background(), "k.cl", []byte(`
kernel void add(global int *p) {
	int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
	atomic_add(p + i, i + 1);
}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	dev := device.New(processors{gputest.Sim()})
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("add")
	if err != nil {
		t.Fatal(err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	for _, global := range [][]uint64{{35}, {35, 3}, {33, 5, 3}, {2, 67}, {1, 1, 77}} {
		items := 1
		for _, n := range global {
			items *= int(n)
		}
		m, err := dev.Allocate(4 * items)
		if err != nil {
			t.Fatal(err)
		}
		l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: m}}}
		if l.Range, err = k.Resolve(exec.Range{Global: global}); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 4*items)
		for _, err := range []error{q.Launch(context.Background(), l), q.Read(got, m), q.Wait(context.Background())} {
			if err != nil {
				t.Fatal(err)
			}
		}
		var want []byte
		for i := range items {
			want = binary.LittleEndian.AppendUint32(want, uint32(i+1))
		}
		if len(l.Report.Findings) > 0 || !bytes.Equal(got, want) {
			t.Errorf("range %v in groups of %v: got %x, findings %v", global, l.Range.Local, got, l.Report.Findings)
		}
	}
}

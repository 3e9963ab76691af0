package interp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

const callee = `
func @f(v0 i32, v1 v2i32) v2i32 {
b0:
  v2 = const i32 1
  v3 = and i32 v0, v2
  v4 = const i32 0
  v5 = alloca ptr.private size=4 align=4 name="t" type="int"
  store v5, v0 align=4
  v6 = eq bool v3, v4
  branch v6 b1 b2
b1:
  v7 = load i32 v5 align=4
  v8 = splat v2i32 v7
  v9 = call v2i32 @g v8, v1
  return v9
b2:
  return v1
}

func @g(v0 v2i32, v1 v2i32) v2i32 {
b0:
  v2 = mul v2i32 v0, v1
  return v2
}

` + head + `
  v20 = convert i32 v4
  v21 = const v2i32 (3 100)
  v22 = call v2i32 @f v20, v21
  v23 = call v2i32 @f v11, v22
  v24 = call v2i32 @g v23, v22
  v25 = extract i32 v22 lane=0
  v26 = extract i32 v22 lane=1
  v27 = add i32 v25, v26
  store v7, v27 align=4
  return
}
`

func TestCalls(t *testing.T) {
	p := load(t, callee)
	mem, out := make([]int32, 50), make([]int32, 50)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(mem), buf(out)}, Range: launch.Range{Global: u64(50)}, Checks: exec.ChecksAll})
	clean(t, r, err)
	for i, got := range out {
		want := int32(103)
		if i%2 == 0 {
			want *= int32(i)
		}
		if got != want {
			t.Errorf("%d: got %d, want %d", i, got, want)
		}
	}
}

func TestRecursion(t *testing.T) {
	p := load(t, `
func @f(v0 i32) i32 {
b0:
  v1 = call i32 @f v0
  return v1
}
`+head+`
  v20 = call i32 @f v11
  return
}
`)
	_, err := run(t, p, launch.Launch{Args: []launch.Arg{buf([]int32{1}), buf([]int32{1})}, Range: launch.Range{Global: u64(1)}})
	var ce *interp.CompileError
	if !errors.As(err, &ce) || !strings.Contains(err.Error(), "recursion") {
		t.Errorf("got %v", err)
	}
}

func TestPrintfOrder(t *testing.T) {
	p := load(t, `
global @f ptr.constant size=16 align=1 init=256420257320252e31660a00
global @s ptr.constant size=4 align=1 init=61626300
`+head+`
  v20 = global ptr.constant @f
  v21 = global ptr.constant @s
  v22 = convert i32 v4
  v23 = const i32 3
  v24 = and i32 v22, v23
  v25 = eq bool v24, v11
  v26 = convert f32 v4
  branch v25 b1 b2
b1:
  jump b2
b2:
  v27 = printf i32 v20, v22, v21, v26
  store v7, v27 align=4
  return
}
`)
	for _, checks := range []exec.Checks{exec.ChecksNone, exec.ChecksAll} {
		var text bytes.Buffer
		r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf([]int32{1}), buf(make([]int32, 1000))}, Range: launch.Range{Global: u64(1000), Local: u64(4)}, Checks: checks, Stdout: &text, Lanes: 24})
		clean(t, r, err)
		var want strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&want, "%d abc %.1f\n", i, float64(i))
		}
		if text.String() != want.String() {
			t.Errorf("got %.200q", text.String())
		}
	}
}

// atomicTests apply an op to p[0], whose initial value is start, in 1000 work-items.
var atomicTests = []struct {
	op    string
	start int32
	want  int32
}{
	{"atomicrmw.add i32 v0, v20", 5, 5 + 999*500},
	{"atomicrmw.sub i32 v0, v20", 5, 5 - 999*500},
	{"atomicrmw.max i32 v0, v20", 5, 999},
	{"atomicrmw.min i32 v0, v20", 5, 0},
	{"atomicrmw.or i32 v0, v20", 0, 1023},
	{"atomicrmw.and i32 v0, v20", -1, 0},
	{"atomicrmw.xor i32 v0, v20", 0, 0},
	{"atomiccas i32 v0, v12, v11", 0, 1},
}

func TestAtomics(t *testing.T) {
	for _, c := range atomicTests {
		p := load(t, head+"  v20 = convert i32 v4\n  v21 = "+c.op+" order=relaxed scope=device\n  return\n}\n")
		for _, checks := range []exec.Checks{exec.ChecksNone, exec.ChecksAll} {
			mem := []int32{c.start}
			r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(mem), buf(mem)}, Range: launch.Range{Global: u64(1000), Local: u64(10)}, Checks: checks, Lanes: 20})
			clean(t, r, err)
			if mem[0] != c.want {
				t.Errorf("%s: got %d, want %d", c.op, mem[0], c.want)
			}
		}
	}
}

// TestFloatAtomicOrder checks that atomic sums of floating-point numbers, which depend on the order, are in the
// order of the work-items.
func TestFloatAtomicOrder(t *testing.T) {
	p := load(t, head+`
  v20 = convert f32 v4
  v21 = const f32 1.1
  v22 = mul f32 v20, v21
  v23 = atomicrmw.add f32 v0, v22 order=relaxed scope=device
  return
}
`)
	want := float32(0)
	for i := range 5000 {
		want += float32(i) * 1.1
	}
	sum := make([]float32, 1)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(sum), buf(sum)}, Range: launch.Range{Global: u64(5000), Local: u64(10)}, Checks: exec.ChecksAll})
	clean(t, r, err)
	if sum[0] != want {
		t.Errorf("got %v, want %v", sum[0], want)
	}
}

func TestNonUniformGroups(t *testing.T) {
	text := strings.Replace(head, "  v11", "  v15 = workitem u64 v2 query=local_size\n  v16 = convert i32 v15\n  v17 = workitem u64 v2 query=group_id\n  v18 = convert i32 v17\n  v11", 1) + `
  v20 = const i32 100
  v21 = mul i32 v16, v20
  v22 = add i32 v21, v18
  store v7, v22 align=4
  return
}
`
	for _, prefix := range []string{"", "  barrier flags=1\n"} {
		p := load(t, strings.Replace(text, "  v20", prefix+"  v20", 1))
		out := make([]int32, 23)
		r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(out), buf(out)}, Range: launch.Range{Global: u64(23), Local: u64(5), NonUniform: true}, Checks: exec.ChecksAll})
		clean(t, r, err)
		for i, got := range out {
			want := int32(500 + i/5)
			if i >= 20 {
				want = 304
			}
			if got != want {
				t.Errorf("%d: got %d, want %d", i, got, want)
			}
		}
	}
}

// TestIDs checks all ids of a 3-dimensional range with offsets.
func TestIDs(t *testing.T) {
	queries := []string{"global_id", "local_id", "group_id", "global_size", "local_size", "num_groups", "global_offset", "enqueued_local_size"}
	var b strings.Builder
	b.WriteString(`kernel @k(v0 ptr.global) {
  arg kind=global name="p" typename="ulong*" size=8 align=8
b0:
  v2 = const u32 0
  v3 = const u32 1
  v4 = const u32 2
  v5 = workitem u64 v2 query=global_linear_id
  v6 = const u64 256
  v7 = mul u64 v5, v6
  v8 = bitcast i64 v7
  v9 = ptradd ptr.global v0, v8
`)
	n := 10
	for q, name := range queries {
		for d := range 4 {
			fmt.Fprintf(&b, "  v%d = const u32 %d\n  v%d = workitem u64 v%d query=%s\n  v%d = const i64 %d\n  v%d = ptradd ptr.global v9, v%d\n  store v%d, v%d align=8\n",
				n, d, n+1, n, name, n+2, 8*(q*4+d), n+3, n+2, n+3, n+1)
			n += 4
		}
	}
	p := load(t, b.String()+"  return\n}\n")
	size, local, offset := [3]uint64{4, 6, 2}, [3]uint64{2, 3, 1}, [3]uint64{10, 0, 7}
	out := make([]uint64, 48*32)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(out)}, Range: launch.Range{Global: size[:], Local: local[:], Offset: offset[:]}, Checks: exec.ChecksAll})
	clean(t, r, err)
	for lin := range uint64(48) {
		id := [3]uint64{lin % 4, lin / 4 % 6, lin / 24}
		for d := range 4 {
			want := []uint64{0, 0, 0, 1, 1, 1, 0, 1}
			if d < 3 {
				want = []uint64{offset[d] + id[d], id[d] % local[d], id[d] / local[d], size[d], local[d], size[d] / local[d], offset[d], local[d]}
			}
			for q := range queries {
				if got := out[lin*32+uint64(q*4+d)]; got != want[q] {
					t.Fatalf("%s(%d) of work-item %d: got %d, want %d", queries[q], d, lin, got, want[q])
				}
			}
		}
	}
}

func TestCancel(t *testing.T) {
	p := load(t, head+"  jump b1\nb1:\n  jump b1\n}\n")
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	task := launch.Start(ctx, &launch.Launch{Kernel: k, Args: []launch.Arg{buf([]int32{1}), buf([]int32{1})}, Range: launch.Range{Global: u64(1000)}})
	select {
	case <-task.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("does not stop")
	}
	if _, err := task.Wait(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestLimits(t *testing.T) {
	p := load(t, head+`
  v20 = alloca ptr.private size=1099511627000 align=4 name="a" type="int[]"
  v21 = load i32 v20 align=4
  store v7, v21 align=4
  return
}
`)
	_, err := run(t, p, launch.Launch{Args: []launch.Arg{buf([]int32{1}), buf([]int32{1})}, Range: launch.Range{Global: u64(1)}})
	var le *exec.LimitError
	if !errors.As(err, &le) {
		t.Errorf("got %v", err)
	}
}

// TestConcurrentLaunches runs one kernel in many launches at once.
func TestConcurrentLaunches(t *testing.T) {
	p := load(t, reduce)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			in, out := make([]int32, 512), make([]int32, 8)
			for j := range in {
				in[j] = int32(i)
			}
			r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(in), launch.Local(256), buf(out)}, Range: launch.Range{Global: u64(512), Local: u64(64)}, Checks: exec.Checks(i % 3)})
			if err != nil || len(r.Findings) > 0 {
				t.Error(err, findings(p, r))
			}
			for _, x := range out {
				if x != int32(64*i) {
					t.Errorf("got %d, want %d", x, 64*i)
				}
			}
		})
	}
	wg.Wait()
}

// TestReportsDoNotDependOnWorkers compares the reports of a kernel with many findings for several numbers of
// workers.
func TestReportsDoNotDependOnWorkers(t *testing.T) {
	for _, c := range observerTests {
		if strings.Contains(c.want, "race") && oneWorker {
			continue
		}
		p := load(t, c.globals+head+strings.TrimPrefix(c.body, "\n")+"\n}\n")
		var first string
		for _, workers := range []int{1, 2, 5} {
			mem, zero := make([]int32, 900), make([]int32, 900)
			r, _ := run(t, p, launch.Launch{Args: []launch.Arg{buf(mem), buf(zero)}, Range: launch.Range{Global: u64(960), Local: u64(8)}, Checks: exec.ChecksAll, Workers: workers, Lanes: 16 * workers})
			got := findings(p, r)
			if r.Stats.Repeated {
				continue // with other batch sizes, other accesses are the parties of a race
			}
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%s: with %d workers:\n%sinstead of\n%s", c.name, workers, got, first)
			}
		}
	}
}

// TestAddressOutsideLoop uses an address after a loop that lanes leave in different iterations. Its base is uniform
// inside of the loop.
func TestAddressOutsideLoop(t *testing.T) {
	p := load(t, head+`
  jump b1
b1:
  v20 = phi i32 b0:v12 b2:v25
  v21 = convert i64 v20
  v22 = mul i64 v21, v9
  v23 = lt bool v21, v5
  v24 = ptradd ptr.global v0, v22
  v28 = sub i64 v5, v5
  v26 = ptradd ptr.global v24, v28
  branch v23 b2 b3
b2:
  v25 = add i32 v20, v11
  jump b1
b3:
  v27 = load i32 v26 align=4
  store v7, v27 align=4
  return
}
`)
	in, out := make([]int32, 64), make([]int32, 64)
	for i := range in {
		in[i] = int32(100 + i)
	}
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(in), buf(out)}, Range: launch.Range{Global: u64(64), Local: u64(16)}, Checks: exec.ChecksAll})
	clean(t, r, err)
	for i, x := range out {
		if x != int32(100+i%16) {
			t.Fatalf("%d: got %d", i, x)
		}
	}
}

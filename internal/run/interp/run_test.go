package interp_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// load parses a module and verifies it.
func load(t testing.TB, text string) *launch.Program {
	t.Helper()
	m, err := ssa.ParseText("t.ssa", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatal(err)
	}
	p, err := launch.NewProgram(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// raw returns the bytes of a slice, in place.
func raw[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

func buf[T any](s []T) launch.Arg { return launch.Memory(&launch.Buffer{Data: raw(s)}) }

func val[T any](x T) launch.Arg { return launch.Value(raw([]T{x})) }

func u64(n ...uint64) []uint64 { return n }

// run launches kernel @k.
func run(t testing.TB, p *launch.Program, l launch.Launch) (*launch.Report, error) {
	t.Helper()
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	l.Kernel = k
	if strings.HasPrefix(t.Name(), "TestObservers/") && oneWorker {
		l.Workers = 1
	}
	return launch.Run(context.Background(), &l)
}

// clean fails the test if the launch has an error or a finding.
func clean(t testing.TB, r *launch.Report, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) > 0 {
		t.Fatalf("finding: %v", r.Findings[0])
	}
}

// findings formats a report's findings, one on each line: position, kind, count, work-item.
func findings(p *launch.Program, r *launch.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%d %s n=%d gid=%d group=%d", p.Location(f.Pos).Line, f.Kind, f.Count, f.Global[0], f.Group[0])
		if f.Object != "" {
			fmt.Fprintf(&b, " %s+%d:%d", f.Object, int64(f.Offset), f.Size)
		}
		if f.OtherAccess != "" {
			fmt.Fprintf(&b, " vs line %d %s gid=%d", p.Location(f.OtherPos).Line, f.OtherAccess, f.OtherGlobal[0])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const saxpy = `
kernel @k(v0 ptr.global, v1 ptr.global, v2 f32) {
  arg kind=global name="y" typename="float*" size=4 align=4
  arg kind=global name="x" typename="float*" size=4 align=4
  arg kind=value name="a" typename="float" type=f32 size=4 align=4
b0:
  v3 = const u32 0
  v4 = workitem u64 v3 query=global_id
  v5 = bitcast i64 v4
  v6 = const i64 4
  v7 = mul i64 v5, v6
  v8 = ptradd ptr.global v0, v7
  v9 = ptradd ptr.global v1, v7
  v10 = load f32 v9 align=4
  v11 = load f32 v8 align=4
  v12 = mul f32 v10, v2
  v13 = add f32 v12, v11
  store v8, v13 align=4
  return
}
`

func TestSaxpy(t *testing.T) {
	p := load(t, saxpy)
	for _, checks := range []exec.Checks{exec.ChecksNone, exec.ChecksMemory, exec.ChecksAll} {
		for _, n := range []uint64{1, 7, 64, 1000, 4096} {
			for _, local := range [][]uint64{nil, {1}, {n}} {
				x, y, want := make([]float32, n), make([]float32, n), make([]float32, n)
				for i := range x {
					x[i], y[i] = float32(i), float32(3*i)
					want[i] = 2*x[i] + y[i]
				}
				r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(y), buf(x), val(float32(2))}, Range: launch.Range{Global: u64(n), Local: local}, Checks: checks})
				clean(t, r, err)
				if !slices.Equal(y, want) {
					t.Fatalf("n=%d local=%v: wrong", n, local)
				}
			}
		}
	}
}

// collatz has a divergent loop with a value that leaves it and a uniform counter.
const collatz = `
kernel @k(v0 ptr.global) {
  arg kind=global name="out" typename="int*" size=4 align=4
b0:
  v3 = const u32 0
  v4 = workitem u64 v3 query=global_id
  v5 = convert i32 v4
  v6 = const i32 1
  v7 = add i32 v5, v6
  v8 = const i32 0
  jump b1
b1:
  v10 = phi i32 b0:v7 b4:v20
  v11 = phi i32 b0:v8 b4:v21
  v12 = eq bool v10, v6
  branch v12 b5 b2
b2:
  v13 = and i32 v10, v6
  v14 = eq bool v13, v8
  branch v14 b3 b6
b3:
  v15 = shr i32 v10, v6
  jump b4
b6:
  v16 = const i32 3
  v17 = mul i32 v10, v16
  v18 = add i32 v17, v6
  jump b4
b4:
  v20 = phi i32 b3:v15 b6:v18
  v21 = add i32 v11, v6
  jump b1
b5:
  v22 = const i64 4
  v23 = bitcast i64 v4
  v24 = mul i64 v23, v22
  v25 = ptradd ptr.global v0, v24
  store v25, v11 align=4
  return
}
`

func TestCollatz(t *testing.T) {
	p := load(t, collatz)
	out := make([]int32, 300)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(out)}, Range: launch.Range{Global: u64(300)}, Checks: exec.ChecksAll})
	clean(t, r, err)
	for i, got := range out {
		want := int32(0)
		for n := i + 1; n != 1; want++ {
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
		}
		if got != want {
			t.Fatalf("%d: got %d, want %d", i+1, got, want)
		}
	}
}

// sharedLatch has an inner loop whose lanes leave it at different times to the outer loop's header, whose counter
// is uniform.
const sharedLatch = `
kernel @k(v0 ptr.global) {
  arg kind=global name="out" typename="int*" size=4 align=4
b0:
  v1 = const u32 0
  v2 = workitem u64 v1 query=global_id
  v3 = convert i32 v2
  v4 = const i32 3
  v5 = and i32 v3, v4
  v6 = const i32 0
  v7 = const i32 1
  jump b1
b1:
  v8 = phi i32 b0:v6 b3:v11
  v9 = phi i32 b0:v6 b3:v15
  v10 = lt bool v8, v4
  branch v10 b2 b4
b2:
  v11 = add i32 v8, v7
  jump b3
b3:
  v12 = phi i32 b2:v6 b3:v14
  v13 = phi i32 b2:v9 b3:v15
  v14 = add i32 v12, v7
  v15 = add i32 v13, v11
  v16 = lt bool v14, v5
  branch v16 b3 b1
b4:
  v17 = const i64 4
  v18 = bitcast i64 v2
  v19 = mul i64 v18, v17
  v20 = ptradd ptr.global v0, v19
  store v20, v9 align=4
  return
}
`

func TestSharedLatch(t *testing.T) {
	p := load(t, sharedLatch)
	out := make([]int32, 10)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(out)}, Range: launch.Range{Global: u64(10)}})
	clean(t, r, err)
	for i, got := range out {
		if want := int32(1+2+3) * max(1, int32(i)&3); got != want {
			t.Errorf("%d: got %d, want %d", i, got, want)
		}
	}
}

// reduce sums a group in local memory with a barrier in a uniform loop.
const reduce = `
kernel @k(v0 ptr.global, v1 ptr.local, v2 ptr.global) {
  arg kind=global name="in" typename="int*" size=4 align=4
  arg kind=local name="tmp" typename="int*" size=4 align=4
  arg kind=global name="out" typename="int*" size=4 align=4
b0:
  v3 = const u32 0
  v4 = workitem u64 v3 query=global_id
  v5 = workitem u64 v3 query=local_id
  v6 = workitem u64 v3 query=group_id
  v7 = workitem u64 v3 query=local_size
  v8 = const i64 2
  v9 = bitcast i64 v4
  v10 = shl i64 v9, v8
  v11 = ptradd ptr.global v0, v10
  v12 = load i32 v11 align=4
  v13 = bitcast i64 v5
  v14 = shl i64 v13, v8
  v15 = ptradd ptr.local v1, v14
  store v15, v12 align=4
  barrier flags=1
  v16 = const u64 1
  v17 = shr u64 v7, v16
  v18 = const u64 0
  jump b1
b1:
  v20 = phi u64 b0:v17 b4:v30
  v21 = ne bool v20, v18
  branch v21 b2 b5
b2:
  v22 = lt bool v5, v20
  branch v22 b3 b4
b3:
  v23 = add u64 v5, v20
  v24 = bitcast i64 v23
  v25 = shl i64 v24, v8
  v26 = ptradd ptr.local v1, v25
  v27 = load i32 v26 align=4
  v28 = load i32 v15 align=4
  v29 = add i32 v27, v28
  store v15, v29 align=4
  jump b4
b4:
  barrier flags=1
  v30 = shr u64 v20, v16
  jump b1
b5:
  v31 = eq bool v5, v18
  branch v31 b6 b7
b6:
  v32 = load i32 v1 align=4
  v33 = bitcast i64 v6
  v34 = shl i64 v33, v8
  v35 = ptradd ptr.global v2, v34
  store v35, v32 align=4
  jump b7
b7:
  return
}
`

func TestReduce(t *testing.T) {
	p := load(t, reduce)
	for _, local := range []uint64{1, 2, 64, 256} {
		in, out := make([]int32, 1024), make([]int32, 1024/local)
		for i := range in {
			in[i] = int32(i * i)
		}
		r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(in), launch.Local(int64(4 * local)), buf(out)}, Range: launch.Range{Global: u64(1024), Local: u64(local)}, Checks: exec.ChecksAll})
		clean(t, r, err)
		for g, got := range out {
			want := int32(0)
			for _, x := range in[uint64(g)*local : uint64(g+1)*local] {
				want += x
			}
			if got != want {
				t.Fatalf("local %d, group %d: got %d, want %d", local, g, got, want)
			}
		}
	}
}

func TestReduceWithoutBarrier(t *testing.T) {
	p := load(t, strings.Replace(reduce, "  barrier flags=1\n  v30", "  v30", 1))
	in, out := make([]int32, 64), make([]int32, 1)
	r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(in), launch.Local(256), buf(out)}, Range: launch.Range{Global: u64(64), Local: u64(64)}, Checks: exec.ChecksAll})
	if err != nil {
		t.Fatal(err)
	}
	if got := findings(p, r); !strings.Contains(got, "race-in-group") || !r.Stats.Repeated {
		t.Errorf("got:\n%s", got)
	}
}

func TestOutOfBounds(t *testing.T) {
	p := load(t, saxpy)
	// Canaries surround the buffers, which are one item too short.
	mem := bytes.Repeat([]byte{0xAB}, 4096)
	x, y := mem[64:64+4*99], mem[2048:2048+4*99]
	clear(x)
	clear(y)
	l := launch.Launch{Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: y}), launch.Memory(&launch.Buffer{Data: x}), val(float32(2))}, Range: launch.Range{Global: u64(101)}}
	const first = "14 out-of-bounds n=2 gid=99 group=0 x+396:4\n"
	robust := l
	robust.Faults = exec.Robust
	r, err := run(t, p, robust)
	if err != nil {
		t.Fatal(err)
	}
	want := first + "15 out-of-bounds n=2 gid=99 group=0 y+396:4\n18 out-of-bounds n=2 gid=99 group=0 y+396:4\n"
	if got := findings(p, r); got != want {
		t.Errorf("robust: got:\n%swant:\n%s", got, want)
	}
	r, err = run(t, p, l)
	if err == nil {
		t.Fatal("no error")
	}
	if got := findings(p, r); got != first { // the work-items stop there
		t.Errorf("strict: got:\n%swant:\n%s", got, first)
	}
	const message = "kernel k: t.ssa:14:3: out of bounds: load of 4 bytes at offset 396, outside the 396 bytes of the global memory of x (argument 1) [work-item (99,0,0), local (99,0,0) in group (0,0,0)] (2 times)"
	if err.Error() != message {
		t.Errorf("got:  %s\nwant: %s", err, message)
	}
	for i, b := range mem {
		if in := i >= 64 && i < 64+396 || i >= 2048 && i < 2048+396; !in && b != 0xAB {
			t.Fatalf("canary %d was overwritten", i)
		}
	}
}

func renumber(s string, by int) string {
	n, err := strconv.Atoi(s)
	if err != nil {
		return s
	}
	return strconv.Itoa(n - by)
}

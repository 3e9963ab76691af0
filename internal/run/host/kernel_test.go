package host

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

func kernel(t testing.TB, source, name, options string) *Kernel {
	t.Helper()
	p, err := Compile(source, options)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Go values of every sort reach the kernel, and slices are used in place.
func TestArguments(t *testing.T) {
	k := kernel(t, `
		typedef struct { float4 v; int n; char c[4]; } S;
		kernel void k(global int *out, char a, ulong b, float f, float3 v, S s, global S *ps, local int *tmp, global int *none, global half *h, double d, constant float2 *c) {
			tmp[0] = 1;
			out[0] = a; out[1] = b == 0xFFFFFFFFFFFFFFFFUL; out[2] = f * 2; out[3] = v.x + v.y + v.z;
			out[4] = s.v.w + s.n + s.c[3]; out[5] = ps[1].n; ps[0].n = 77; out[6] = tmp[0]; out[7] = none == 0;
			out[8] = vload_half(0, h) * 4; out[9] = d * 8; out[10] = c[1].y;
		}`, "k", "")
	type S struct {
		V [4]float32
		N int32
		C [4]int8
		_ [8]byte
	}
	out := make([]int32, 11)
	ps := []S{{}, {N: 5}}
	s := S{V: [4]float32{0, 0, 0, 1}, N: 2, C: [4]int8{3: 3}}
	err := k.Run(context.Background(), Range(1), out, int8(-7), uint64(1<<64-1), 1.5, [4]float32{1, 2, 3}, s, ps, LocalMem(4), nil, []numeric.Half{numeric.HalfFromFloat64(1.5, numeric.RTE)}, 0.25, [][2]float32{{}, {0, 9}})
	if err != nil {
		t.Fatal(err)
	}
	want := []int32{-7, 1, 3, 6, 6, 5, 1, 1, 6, 2, 9}
	for i := range want {
		if out[i] != want[i] {
			t.Errorf("out[%d] = %d, want %d", i, out[i], want[i])
		}
	}
	if ps[0].N != 77 {
		t.Errorf("the struct slice was not written in place: %+v", ps[0])
	}
}

// Misuse is an error with a status that says what was expected.
func TestArgumentErrors(t *testing.T) {
	k := kernel(t, `kernel void k(global float4 *p, int n, local float *l, constant int *c) {}`, "k", "")
	ok := []any{make([][4]float32, 2), 3, LocalMem(8), []int32{1}}
	for _, c := range []struct {
		i    int
		v    any
		want opencl.Status
		text string
	}{
		{0, 5, opencl.InvalidArgValue, "expected a *Buffer for float4*, not int"},
		{0, []float32{1, 2, 3, 4}, opencl.InvalidArgValue, "expected a *Buffer"},
		{1, 5, opencl.InvalidArgValue, "expected the bytes of a int, not int"},
		{1, nil, opencl.InvalidArgValue, "expected the bytes of a int"},
		{1, RawValue{1, 2}, opencl.InvalidArgSize, "4 bytes"},
		{2, 8, opencl.InvalidArgValue, "LocalMem"},
		{2, LocalMem(0), opencl.InvalidArgSize, "positive"},
		{4, 1, opencl.InvalidArgIndex, "no number 4"},
		{-1, 1, opencl.InvalidArgIndex, "no number -1"},
	} {
		err := k.Set(c.i, c.v)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("Set(%d, %#v): %v; want %v and %q", c.i, c.v, err, c.want, c.text)
		}
	}
	for i, v := range ok {
		if err := k.SetGo(i, v); err != nil {
			t.Errorf("Set(%d, %#v): %v", i, v, err)
		}
	}
	for _, c := range []struct {
		r    NDRange
		want opencl.Status
	}{
		{Range(), opencl.InvalidWorkDimension},
		{Range(1, 1, 1, 1), opencl.InvalidWorkDimension},
		{Range(-1), opencl.InvalidGlobalWorkSize},
		{Range(8).WithLocal(3), opencl.InvalidWorkGroupSize},
		{Range(8).WithLocal(0), opencl.InvalidWorkGroupSize},
		{Range(8).WithLocal(2, 2), opencl.InvalidWorkGroupSize},
		{Range(1 << 20).WithLocal(1 << 20), opencl.InvalidWorkItemSize},
		{Range(8).WithOffset(-1), opencl.InvalidGlobalOffset},
		{Range(8).WithOffset(1<<63 - 4), opencl.InvalidGlobalOffset},
	} {
		if err := k.Run(context.Background(), c.r, ok...); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.r, err, c.want)
		}
	}
	if err := k.Run(context.Background(), Range(1), 1); !errors.Is(err, opencl.InvalidKernelArgs) {
		t.Errorf("too few arguments: %v", err)
	}
	if _, err := k.Program().Kernel("nope"); !errors.Is(err, opencl.InvalidKernelName) || !strings.Contains(err.Error(), `it has k`) {
		t.Errorf("unknown kernel: %v", err)
	}
}

// TestNoKernel checks that zero and nil kernels and contexts cause no panic.
func TestNoKernel(t *testing.T) {
	var none context.Context
	for _, k := range []*Kernel{nil, new(Kernel)} {
		if err := k.Run(none, Range(1)); !errors.Is(err, opencl.InvalidKernel) {
			t.Errorf("%v", err)
		}
	}
	prog, err := Compile("kernel void k(void) {}", "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Run(none, Range(1)); err != nil {
		t.Error(err)
	}
}

func TestBuildErrors(t *testing.T) {
	_, err := DefaultContext().Build(Source{Name: "a.cl", Text: "kernel void k() {\n  int x = y;\n}"}, "")
	var be *BuildError
	if !errors.As(err, &be) || !errors.Is(err, opencl.BuildProgramFailure) || len(be.Diagnostics) != 1 {
		t.Fatalf("%v", err)
	}
	if d := be.Diagnostics[0]; d.File != "a.cl" || d.Line != 2 || d.Column != 11 || d.Code == "" || !strings.Contains(be.Log, "a.cl:2:11: error: ") {
		t.Errorf("%+v\n%s", d, be.Log)
	}
	if _, err = Compile("", "-no-such-option"); !errors.Is(err, opencl.InvalidBuildOptions) {
		t.Errorf("%v", err)
	}
	src := Source{Text: "#include \"n.h\"\nkernel void k(global int *p) { *p = N; }", Headers: map[string]string{"n.h": "#define N 42\n"}}
	p, err := DefaultContext().Build(src, "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	x := []int32{0}
	if err := k.Run(context.Background(), Range(1), x); err != nil || x[0] != 42 {
		t.Errorf("x = %d, %v", x[0], err)
	}
}

// A fault is an error with its place; memory next to the buffer is untouched.
func TestFault(t *testing.T) {
	k := kernel(t, "kernel void k(global int *p, int n) {\n  p[get_global_id(0) + n] = 7;\n}", "k", "")
	mem := make([]int32, 30)
	for _, n := range []int{5, -25, 1 << 30, -1 << 30} {
		err := k.Run(context.Background(), Range(10), mem[10:20], n)
		var f *FaultError
		if !errors.As(err, &f) || !errors.Is(err, opencl.OutOfResources) {
			t.Fatalf("n = %d: %v", n, err)
		}
		if x := f.Findings[0]; x.Kind != "out-of-bounds" || x.Line != 2 || x.Object != "p" || x.Size != 4 || !x.Error {
			t.Errorf("n = %d: %+v", n, x)
		}
	}
	for i, v := range mem {
		if want := int32(0); v != want && !(i >= 15 && i < 20 && v == 7) {
			t.Errorf("mem[%d] = %d", i, v)
		}
	}
}

// Without checks kernels write to a MemReadOnly buffer, as real programs' do, but never to
// read-only memory of the application's.
func TestReadOnlyBuffer(t *testing.T) {
	k := kernel(t, "kernel void k(global int *p) { p[get_global_id(0)] = 7; }", "k", "")
	ctx := k.Program().Context()
	host := make([]byte, 16)
	own := must[*Buffer](t)(ctx.NewBuffer(MemReadOnly, 16, nil))
	for _, c := range []struct {
		what    string
		buf     *Buffer
		checks  Checks
		written bool
	}{
		{"own memory", own, CheckNone, true},
		{"own memory, checked", must[*Buffer](t)(ctx.NewBuffer(MemReadOnly, 16, nil)), CheckMemory, false},
		{"host memory", must[*Buffer](t)(ctx.NewBuffer(MemReadOnly|MemUseHostPtr, 16, host)), CheckNone, false},
		{"part of own memory", must[*Buffer](t)(own.SubBuffer(0, 0, 16)), CheckNone, true},
	} {
		clear(c.buf.Bytes())
		_, err := k.RunWith(context.Background(), RunOptions{Checks: c.checks}, Range(4), c.buf)
		if c.written != (err == nil) || c.written != (c.buf.Bytes()[12] == 7) {
			t.Errorf("%s: % x, %v", c.what, c.buf.Bytes(), err)
		}
	}
}

// Cancelling ends a kernel that would not end.
func TestCancel(t *testing.T) {
	k := kernel(t, "kernel void k(global volatile int *p) { while (p[0] == 0) ; }", "k", "")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := k.Run(ctx, Range(64), []int32{0}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// Launches of one kernel, through Run and through queues, may run side by side.
func TestConcurrent(t *testing.T) {
	p, err := Compile("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }", "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("add")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			x := make([]int32, 1000)
			for range 10 {
				if err := k.Run(context.Background(), Range(len(x)), x, g); err != nil {
					t.Error(err)
				}
			}
			if x[999] != int32(10*g) {
				t.Errorf("x = %d, want %d", x[999], 10*g)
			}
		})
	}
	wg.Wait()
}

func TestQueueLaunch(t *testing.T) {
	q, err := DefaultContext().NewQueue(DefaultDevice(), QueueProperties{})
	if err != nil {
		t.Fatal(err)
	}
	k := kernel(t, `kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }`, "twice", "")
	if _, err := q.NDRange(k, Range(4)); !errors.Is(err, opencl.InvalidKernelArgs) {
		t.Errorf("without arguments: %v", err)
	}
	b := must[*Buffer](t)(DefaultContext().NewBuffer(0, 16, nil))
	must[*Event](t)(q.Write(b, 0, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}))
	if err := k.Set(0, b); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		must[*Event](t)(q.NDRange(k, Range(4)))
	}
	clone := k.Clone()
	e := must[*Event](t)(q.NDRange(clone, Range(1)))
	if err := e.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := b.Bytes(); got[0] != 16 || got[4] != 16 || got[12] != 32 {
		t.Errorf("buffer %v", got)
	}
}

func TestPrintf(t *testing.T) {
	k := kernel(t, `kernel void hello(void) { printf("item %u %v2d %5.2f|%s\n", (uint)get_global_id(0), (int2)(1, -2), 3.14159, "x"); }`, "hello", "")
	var out bytes.Buffer
	if _, err := k.RunWith(context.Background(), RunOptions{Stdout: &out}, Range(2)); err != nil {
		t.Fatal(err)
	}
	if want := "item 0 1,-2  3.14|x\nitem 1 1,-2  3.14|x\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestChecks(t *testing.T) {
	k := kernel(t, `kernel void k(global int *p, local int *l) {
		int i = get_local_id(0);
		l[i] = i;
		p[i] = l[(i + 1) % get_local_size(0)];
	}`, "k", "")
	rep, err := k.RunWith(context.Background(), RunOptions{Checks: CheckAll}, Range(8).WithLocal(8), make([]int32, 8), LocalMem(32))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range rep.Findings {
		found = found || f.Kind == "race-in-group" && f.Object == "l"
	}
	if !found {
		t.Errorf("no race found: %+v", rep.Findings)
	}
}

// Launches with checks see loads whose values are not used. They share the program's variables, and pointers in
// them, with launches without checks.
func TestChecksSeeAll(t *testing.T) {
	const source = `
		global int count, table[8];
		global int *global at;
		constant int steps[2] = { 1, 10 };
		int peek(local int *l) { return l[get_local_id(0)]; }
		kernel void unused(local int *l) { peek(l); l[get_local_id(0) + 1] = 1; }
		kernel void next(int k) { if (!at) at = table; *at = ++count * steps[k]; at++; }
		kernel void get(global int *out) { for (int i = 0; i < 8; i++) out[i] = table[i]; }`
	p, err := Compile(source, "-cl-std=CL2.0")
	if err != nil {
		t.Fatal(err)
	}
	launch := func(name string, checks Checks, r NDRange, args ...any) []Finding {
		t.Helper()
		k, err := p.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := k.RunWith(context.Background(), RunOptions{Checks: checks}, r, args...)
		if err != nil {
			t.Fatal(err)
		}
		return rep.Findings
	}
	if f := launch("unused", CheckAll, Range(8).WithLocal(8), LocalMem(64)); len(f) != 1 || f[0].Kind != "race-in-group" {
		t.Errorf("a race with a load whose value is not used: %v", f)
	}
	for i, checks := range []Checks{CheckNone, CheckAll, CheckMemory, CheckNone, CheckAll, CheckNone} {
		if f := launch("next", checks, Range(1), i%2); len(f) > 0 {
			t.Errorf("launch %d: %v", i, f)
		}
	}
	got := make([]int32, 8)
	launch("get", CheckAll, Range(1), got)
	if want := []int32{1, 20, 3, 40, 5, 60, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("the variables hold %v, want %v", got, want)
	}
}

// Atomic operations of all work-groups on the same elements: none is lost, and a sum that overflows an element does
// not change the next element.
func TestAtomicRows(t *testing.T) {
	const groups, local, times = 64, 48, 200
	k := kernel(t, `kernel void k(global uint *c, global ulong *d) {
		size_t i = get_local_id(0) + get_group_id(0) % 4;
		for (int r = 0; r < 200; r++) { atomic_add(&c[i], 0x80000001u + (uint)i); atomic_sub(&c[i + 64], (uint)i); atom_add(&d[i], 3ul << 61 | i); }
	}`, "k", "")
	c, d := make([]uint32, 128), make([]uint64, 64)
	if err := k.Run(t.Context(), Range(groups*local).WithLocal(local), c, d); err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		n := uint64(0) // number of operations
		for g := range groups {
			if j := i - g%4; j >= 0 && j < local {
				n += times
			}
		}
		if want := uint32(n) * (0x80000001 + uint32(i)); c[i] != want {
			t.Errorf("element %d: %#x, want %#x", i, c[i], want)
		}
		if want := -uint32(n) * uint32(i); c[64+i] != want {
			t.Errorf("element %d: %#x, want %#x", 64+i, c[64+i], want)
		}
		if want := n * (3<<61 | uint64(i)); d[i] != want {
			t.Errorf("long element %d: %#x, want %#x", i, d[i], want)
		}
	}
}

// Launches that take all of the device's local memory run, and those that take more are refused when they are
// enqueued, for every executor.
func TestLocalMemoryLimit(t *testing.T) {
	limit := int(DefaultDevice().Info().LocalMemSize)
	c := must[*Context](t)(NewContext(nil, DefaultDevice()))
	q := must[*Queue](t)(c.NewQueue(DefaultDevice(), QueueProperties{}))
	for _, x := range []struct {
		source string
		args   []int
		ok     bool
	}{
		{"kernel void k() { local char v[1 << 20]; v[get_local_id(0)] = 1; }", nil, limit >= 1<<20},
		{"kernel void k() { local char v[1 << 20], w; v[get_local_id(0)] = 1; w = 1; }", nil, limit > 1<<20},
		{"kernel void k(local int *a) { local int unused[1 << 20]; a[0] = 1; }", []int{limit}, true},
		{"kernel void k(local char *a, local char *b) { a[0] = b[0] = 1; }", []int{1, limit - 128}, true},
		{"kernel void k(local char *a, local char *b) { a[0] = b[0] = 1; }", []int{1, limit - 127}, false},
		{"kernel void k(local char *a, local char *b) { a[0] = b[0] = 1; }", []int{limit, 1 << 62}, false},
		{"kernel void k(local char *a) { local char v; v = a[0] = 1; }", []int{limit - 128}, true},
		{"kernel void k(local char *a) { local char v; v = a[0] = 1; }", []int{limit - 127}, false},
	} {
		k := must[*Kernel](t)(must[*Program](t)(c.Build(Source{Text: x.source}, "")).Kernel("k"))
		for i, n := range x.args {
			if err := k.Set(i, LocalMem(n)); err != nil {
				t.Fatal(err)
			}
		}
		for _, checks := range []Checks{CheckNone, CheckMemory} {
			e, err := q.NDRangeWith(RunOptions{Checks: checks}, k, Range(1))
			if !x.ok {
				wantStatus(t, x.source, err, opencl.OutOfResources)
				continue
			}
			if err != nil {
				t.Errorf("%s: %v: %v", x.source, x.args, err)
			} else if err := e.Wait(t.Context()); err != nil {
				t.Errorf("%s: %v: %v", x.source, x.args, err)
			}
		}
	}
}

func BenchmarkLaunch(b *testing.B) {
	k := kernel(b, "kernel void empty(void) {}", "empty", "")
	ctx := context.Background()
	for b.Loop() {
		if err := k.Run(ctx, Range(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTimings checks that the timings list the expected phases, including the one that generated the code.
func TestTimings(t *testing.T) {
	k := kernel(t, "kernel void k(global int *a) { a[get_global_id(0)] = 1; }", "k", "")
	phases := func() map[string]time.Duration {
		m := map[string]time.Duration{}
		for _, x := range k.Timings() {
			m[x.Phase] = x.Took
		}
		return m
	}
	if m := phases(); m["parse"] <= 0 || m["opt"] <= 0 || m["first launch"] != 0 || m["codegen"] != 0 {
		t.Errorf("before a launch: %v", m)
	}
	buf := make([]int32, 16)
	rep, err := k.RunWith(t.Context(), RunOptions{Checks: CheckNone}, NDRange{Global: []int{16}}, buf)
	if err != nil {
		t.Fatal(err)
	}
	m := phases()
	made := m["spmd"] > 0 && m["codegen"] > 0 && m["memory"] > 0
	if rep.Executor == "reference" {
		made = m["reference"] > 0
	}
	if !made || m["first launch"] <= 0 {
		t.Errorf("after a launch on %s: %v", rep.Executor, m)
	}
	if _, err := k.RunWith(t.Context(), RunOptions{Checks: CheckNone}, NDRange{Global: []int{16}}, buf); err != nil {
		t.Fatal(err)
	}
	if n := phases(); n["first launch"] != m["first launch"] {
		t.Errorf("the first launch took %v, later %v", m["first launch"], n["first launch"])
	}
}

// TestDenormsAreZero checks -cl-denorms-are-zero on machine code and on the reference executor: subnormal operands
// and results are 0 with the option, and are kept by a later kernel without it.
func TestDenormsAreZero(t *testing.T) {
	const source = `kernel void k(global const float *a, global float *b, global double *d) {
		int i = get_global_id(0);
		b[2 * i] = a[0] * a[1];       // a subnormal result
		b[2 * i + 1] = a[2] * 0x1p40f; // a subnormal operand
		d[i] = (double)a[0] * 0x1p-930;
	}`
	const n = 16
	a := []float32{0x1p-126, 0.25, 0x1p-140}
	for _, options := range []string{"", "-cl-denorms-are-zero", "", "-cl-fast-relaxed-math"} {
		p, err := Compile(source, options)
		if err != nil {
			t.Fatal(err)
		}
		k := must[*Kernel](t)(p.Kernel("k"))
		want, wantDouble := [2]float32{0x1p-128, 0x1p-100}, 0x1p-1056
		if options != "" {
			want, wantDouble = [2]float32{}, 0
		}
		for _, checks := range []Checks{CheckNone, CheckMemory} {
			b, d := make([]float32, 2*n), make([]float64, n)
			if _, err := k.RunWith(context.Background(), RunOptions{Checks: checks}, Range(n), a, b, d); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if [2]float32(b[2*i:]) != want || d[i] != wantDouble {
					t.Fatalf("%q with checks %v: %g and %g, want %g and %g", options, checks, b[2*i:][:2], d[i], want, wantDouble)
				}
			}
		}
	}
}

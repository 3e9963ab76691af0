package ptx_test

import (
	"context"
	"math"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A fakeLaunch is a launch for preconditions.
type fakeLaunch struct {
	offset, global, local [3]int64
	args                  []int64 // scalars, or the sizes of objects; negative sizes: read-only objects
}

func (l *fakeLaunch) Item(q ssa.WorkItemQuery, d int) (lo, hi int64) {
	switch q {
	case ssa.GlobalID:
		return l.offset[d], l.offset[d] + l.global[d] - 1
	case ssa.LocalID:
		return 0, l.local[d] - 1
	case ssa.GroupID:
		return 0, (l.global[d]+l.local[d]-1)/l.local[d] - 1
	case ssa.GlobalSize:
		return l.global[d], l.global[d]
	}
	return 0, l.local[d]
}

func (l *fakeLaunch) Scalar(arg int) uint64 { return uint64(l.args[arg]) }

func (l *fakeLaunch) Len(arg int, write bool) int64 {
	if n := l.args[arg]; n >= 0 || !write {
		return max(n, -n)
	}
	return 0
}

// TestPrecondition decides preconditions just inside and outside of their limits. The work-items are 100×20×1 in groups
// of 10×4×1.
func TestPrecondition(t *testing.T) {
	const none = noPrecondition
	cases := []preconditionCase{
		{"id", `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`, []int64{400}, true},
		{"one byte less", `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`, []int64{399}, false},
		{"read-only", `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`, []int64{-400}, false},
		{"reads read-only", `kernel void k(global int *a, global int *b) { b[0] = a[get_global_id(0)]; }`, []int64{-400, 4}, true},
		{"null", `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`, []int64{0}, false},
		{"int id", `kernel void k(global int *a) { int i = get_global_id(0); a[i + 1] = a[i]; }`, []int64{404}, true},
		{"before", `kernel void k(global int *a) { int i = get_global_id(0); a[i - 1] = 1; }`, []int64{4000}, false},
		{"guard before", `kernel void k(global int *a) { int i = get_global_id(0); if (i > 0) a[i - 1] = 1; }`, []int64{396}, true},
		{"guard", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 1; }`, []int64{200, 50}, true},
		{"guard of a sum", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i + 3 < n) a[i] = 1; }`, []int64{200, 53}, true},
		{"guard of a sum, beyond", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i + 3 < n) a[i] = 1; }`, []int64{200, 54}, false},
		{"guard of a difference", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i - 3 >= n) a[i - 10] = 1; }`, []int64{360, 7}, true},
		{"guard of a difference, before", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i - 3 >= n) a[i - 10] = 1; }`, []int64{360, 6}, false},
		{"guard of a sum that wraps", `kernel void k(global char *a, int i, int n) { if (i + 3 < n) a[i] = 1; }`, []int64{100, math.MaxInt32, 50}, false},
		{"guard beyond", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 1; }`, []int64{200, 51}, false},
		{"row above", `kernel void k(global int *a, global const int *b, int w) { global const int *p = b + (get_global_id(1) + 1) * w; a[0] = p[-w]; }`, []int64{4, 7604, 100}, true},
		{"row above, one byte less", `kernel void k(global int *a, global const int *b, int w) { global const int *p = b + (get_global_id(1) + 1) * w; a[0] = p[-w]; }`, []int64{4, 7603, 100}, false},
		{"row above the first", `kernel void k(global int *a, global const int *b, int w) { global const int *p = b + get_global_id(1) * w; a[0] = p[-w]; }`, []int64{4, 8000, 100}, false},
		{"row above, least width", `kernel void k(global int *a, global const int *b, int w) { a[0] = b[-w]; }`, []int64{4, 1 << 40, math.MinInt32}, false},
		{"torus, left", `kernel void k(global int *a, global const int *b, int w) { int x = get_global_id(0); a[0] = b[x == 0 ? w - 1 : x - 1]; }`, []int64{4, 400, 100}, true},
		{"torus, left, one byte less", `kernel void k(global int *a, global const int *b, int w) { int x = get_global_id(0); a[0] = b[x == 0 ? w - 1 : x - 1]; }`, []int64{4, 399, 100}, false},
		{"torus, left, no width", `kernel void k(global int *a, global const int *b, int w) { int x = get_global_id(0); a[0] = b[x == 0 ? w - 1 : x - 1]; }`, []int64{4, 400, 0}, false},
		{"torus, right", `kernel void k(global int *a, global const int *b, int w) { int x = get_global_id(0); a[0] = b[x != w - 1 ? x + 1 : 0]; }`, []int64{4, 400, 100}, true},
		{"torus, right, other width", `kernel void k(global int *a, global const int *b, int w) { int x = get_global_id(0); a[0] = b[x != w - 1 ? x + 1 : 0]; }`, []int64{4, 400, 99}, false},
		{"a choice that never happens", `kernel void k(global int *a, global const int *b) { int z = get_global_id(2); a[0] = b[z == 0 ? 5 : z - 1]; }`, []int64{4, 24}, true},
		{"a choice that always happens", `kernel void k(global int *a, global const int *b) { int z = get_global_id(2); a[0] = b[z == 0 ? 5 : z - 1]; }`, []int64{4, 23}, false},
		{"another choice that always happens", `kernel void k(global int *a, global const int *b) { int z = get_global_id(2); a[0] = b[z != 0 ? z - 1 : 5]; }`, []int64{4, 23}, false},
		{"unsigned minus", `kernel void k(global int *a) { uint i = get_global_id(0); if (i >= 3) a[i - 3] = 1; }`, []int64{388}, true},
		{"unsigned minus, one byte less", `kernel void k(global int *a) { uint i = get_global_id(0); if (i >= 3) a[i - 3] = 1; }`, []int64{387}, false},
		{"unsigned minus too much", `kernel void k(global int *a) { uint i = get_global_id(0); if (i >= 2) a[i - 3] = 1; }`, []int64{4000}, false},
		{"unsigned plus", `kernel void k(global int *a) { uint i = get_global_id(0); a[i + 0x7fffffffu] = 1; }`, []int64{4000}, false},
		{"guard never", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 1; }`, []int64{0, -3}, true},
		{"return", `kernel void k(global int *a, uint n) { uint i = get_global_id(0); if (i >= n) return; a[i] = 1; }`, []int64{200, 50}, true},
		{"return beyond", `kernel void k(global int *a, uint n) { uint i = get_global_id(0); if (i > n) return; a[i] = 1; }`, []int64{200, 50}, false},
		{"return negative", `kernel void k(global int *a, uint n) { uint i = get_global_id(0); if (i >= n) return; a[i] = 1; }`, []int64{200, -1}, false},
		{"one item", `kernel void k(global int *a) { if (get_global_id(0) != 0) return; a[1] = a[0]; }`, []int64{8}, true},
		{"one item beyond", `kernel void k(global int *a) { if (get_global_id(0) != 0) return; a[2] = a[0]; }`, []int64{8}, false},
		{"equal", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i == n) a[i] = 1; }`, []int64{12, 2}, true},
		{"equal beyond", `kernel void k(global int *a, int n) { int i = get_global_id(0); if (i == n) a[i] = 1; }`, []int64{12, 3}, false},
		{"rows", `kernel void k(global int *a, int w) { a[get_global_id(1) * w + get_global_id(0)] = 1; }`, []int64{8000, 100}, true},
		{"rows beyond", `kernel void k(global int *a, int w) { a[get_global_id(1) * w + get_global_id(0)] = 1; }`, []int64{8000, 101}, false},
		{"int rows", `kernel void k(global int *a, int w) { int x = get_global_id(0), y = get_global_id(1); a[y * w + x] = 1; }`, []int64{8000, 100}, true},
		{"negative rows", `kernel void k(global int *a, int w) { int x = get_global_id(0), y = get_global_id(1); a[y * w + x] = 1; }`, []int64{1 << 40, -1}, false},
		{"rows wrap", `kernel void k(global char *a, int w) { int x = get_global_id(0), y = get_global_id(1); a[y * w + x] = 1; }`, []int64{1 << 39, 1 << 28}, false},
		{"wide rows do not wrap", `kernel void k(global char *a, int w) { a[get_global_id(1) * w + get_global_id(0)] = 1; }`, []int64{1 << 39, 1 << 28}, true},
		{"product wraps", `kernel void k(global char *a, ulong w) { a[get_global_id(1) * w] = 1; }`, []int64{1 << 39, 1 << 62}, false},
		{"large argument", `kernel void k(global char *a, ulong w) { a[w] = 1; }`, []int64{1 << 39, -1}, false},
		{"half of a large argument", `kernel void k(global char *a, ulong w) { a[w >> 24] = 1; }`, []int64{1 << 39, -1}, false},
		{"large as signed", `kernel void k(global char *a, ulong w) { long x = w; if (x < 4) a[x & 7] = 1; }`, []int64{8, -1}, true},
		{"quotient of a large argument", `kernel void k(global char *a, ulong w) { a[w / 65536] = 1; }`, []int64{1 << 48, -1}, false},
		{"extended guard", `kernel void k(global char *a, ulong n) { int i = (int)get_global_id(0) - 5; if ((ulong)(long)i < n) a[i] = 1; }`, []int64{7, 7}, true},
		{"extended guard below", `kernel void k(global char *a, ulong n) { int i = (int)get_global_id(0) - 5; if ((ulong)(long)i > n) a[i] = 1; }`, []int64{1000, 0}, false},
		{"extended guard by a large number", `kernel void k(global char *a, ulong n) { int i = (int)get_global_id(0) - 5; if ((ulong)(long)i < n && i < 7) a[i] = 1; }`, []int64{7, -1}, false},
		{"clamped", `kernel void k(global int *a, int i, int n) { a[clamp(i, 0, n - 1)] = 1; }`, []int64{40, 1 << 30, 10}, true},
		{"clamped beyond", `kernel void k(global int *a, int i, int n) { a[clamp(i, 0, n)] = 1; }`, []int64{40, 1 << 30, 10}, false},
		{"masked", `kernel void k(global int *a, global int *b) { a[b[get_local_id(1)] & 7] = 1; }`, []int64{32, 16}, true},
		{"masked beyond", `kernel void k(global int *a, global int *b) { a[b[get_local_id(1)] & 7] = 1; }`, []int64{28, 16}, false},
		{"guarded memory", `kernel void k(global int *a, global uint *b, uint n) { uint i = b[get_group_id(0)]; if (i < n) a[i] = 1; }`, []int64{20, 40, 5}, true},
		{"bytes", `kernel void k(global int *a, global uchar *b) { a[b[0]] = 1; }`, []int64{1024, 1}, true},
		{"memory alone", `kernel void k(local int *a, local int *b) { a[b[get_local_id(0) + 50]] = 1; }`, []int64{4, 239}, false},
		{"memory", `kernel void k(global int *a) { a[a[0]] = 1; }`, []int64{4}, true}, // of a[0] alone
		{"loop", `kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] += a[i + n]; }`, []int64{40, 5}, true},
		{"loop beyond", `kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] += a[i + n]; }`, []int64{39, 5}, false},
		{"groups", `kernel void k(global int *a) { a[get_group_id(0) * 10 + get_local_id(0)] = get_global_size(1); }`, []int64{400}, true},
		{"sizes", `kernel void k(global int *a) { a[get_global_size(0)] = 1; a[get_local_size(0)] = 2; }`, []int64{404}, true},
		{"sizes beyond", `kernel void k(global int *a) { a[get_global_size(0)] = 1; a[get_local_size(0)] = 2; }`, []int64{400}, false},
		{"select", `kernel void k(global int *a, int n) { int i = get_global_id(0); a[n > 3 ? i : 150] = 1; }`, []int64{604, 9}, true},
		{"select beyond", `kernel void k(global int *a, int n) { int i = get_global_id(0); a[n > 3 ? i : 150] = 1; }`, []int64{600, 9}, false},
		{"atomics", `kernel void k(global int *a, local int *b) { atomic_add(&b[get_local_id(0)], atomic_inc(&a[get_group_id(0)])); }`, []int64{40, 40}, true},
		{"atomics beyond", `kernel void k(global int *a, local int *b) { atomic_add(&b[get_local_id(0)], atomic_inc(&a[get_group_id(0)])); }`, []int64{36, 40}, false},
		{"atomic functions", `kernel void k(global atomic_int *a) { int x = 0; if (atomic_compare_exchange_strong(&a[1], &x, 2)) atomic_store(&a[2], atomic_load(&a[3])); }`, []int64{16}, true},
		{"atomic functions beyond", `kernel void k(global atomic_int *a) { int x = 0; if (atomic_compare_exchange_strong(&a[1], &x, 2)) atomic_store(&a[2], atomic_load(&a[3])); }`, []int64{15}, false},
		{"atomic loop", `kernel void k(global atomic_int *a, int n) { for (int i = 0; i < n; i++) atomic_store(&a[i], 1); }`, []int64{40, 10}, true},
		{"atomic loop beyond", `kernel void k(global atomic_int *a, int n) { for (int i = 0; i < n; i++) atomic_store(&a[i], 1); }`, []int64{40, 11}, false},
		{"atomic loop from a number", `kernel void k(global atomic_int *a, int n, int m) { for (int i = m; i < n; i++) atomic_store(&a[i], 1); }`, []int64{40, 10, -1}, false},
		{"atomic loop of a group", `kernel void k(global atomic_int *a, int n) { for (int i = get_local_id(0); i < n; i++) atomic_fetch_add(&a[i * 2 + 1], i); }`, []int64{80, 10}, true},
		{"atomic loop never", `kernel void k(global atomic_int *a, int n) { for (int i = 5; i < n; i++) atomic_store(&a[i], 1); }`, []int64{0, 5}, true},
		{"downwards", `kernel void k(global atomic_int *a, int n) { a = a + 1; for (int i = n; i > 0; i--) atomic_store(&a[i - 1], 1); }`, []int64{none}, false},
		{"clamped float", `kernel void k(global int *a, float f, int n) { a[(int)fmin((float)(n - 1), fmax(0, f))] = 1; }`, []int64{40, 0, 10}, true},
		{"clamped float beyond", `kernel void k(global int *a, float f, int n) { a[(int)fmin((float)n, fmax(0, f))] = 1; }`, []int64{40, 0, 10}, false},
		{"rounded float", `kernel void k(global int *a, float f, int n) { a[(int)fmin((float)n, fmax(0, f)) - 2] = 1; }`, []int64{1 << 30, 0, 1<<24 + 1}, false},
		{"float not below", `kernel void k(global int *a, float f, int n) { a[(int)fmin((float)n, f)] = 1; }`, []int64{none}, false},
		{"repeated float", `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmax(0, (x - floor(x)) * (float)n)] = 1; }`, []int64{44, 4, 10}, true},
		{"repeated float beyond", `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmax(0, (x - floor(x)) * (float)n)] = 1; }`, []int64{40, 4, 10}, false},
		{"repeated float, limited", `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmin((x - floor(x)) * (float)n, 5) + 1] = 1; }`, []int64{28, 4, 10}, true},
		{"repeated float, a NaN beyond", `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmin((x - floor(x)) * (float)n, 5)] = 1; }`, []int64{20, 4, 3}, false},
		{"repeated float of another", `kernel void k(global int *a, float x, float y, int n) { a[(int)fmax(0, (x - floor(y)) * (float)n)] = 1; }`, []int64{none}, false},
		{"repeated halves", "#pragma OPENCL FP_CONTRACT OFF\n" + `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmax(-1, floor((x - floor(x)) * (float)n - 0.5f)) + 1] = 1; }`, []int64{44, 4, 10}, true},
		{"repeated halves beyond", "#pragma OPENCL FP_CONTRACT OFF\n" + `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmax(-1, floor((x - floor(x)) * (float)n - 0.5f)) + 1] = 1; }`, []int64{40, 4, 10}, false},
		{"repeated halves, rounded", "#pragma OPENCL FP_CONTRACT OFF\n" + `kernel void k(global int *a, global float *f, int n) { float x = f[0]; a[(int)fmax(-1, floor((x - floor(x)) * (float)n - 0.5f)) + 1] = 1; }`, []int64{1 << 30, 4, 1<<23 + 1}, false},
		{"bits", `kernel void k(global int *a, global int *b, int n) { int i = b[0]; if ((uint)i < (uint)n) a[i] = 1; }`, []int64{40, 4, 10}, true},
		{"bits beyond", `kernel void k(global int *a, global int *b, int n) { int i = b[0]; if ((uint)i < (uint)n) a[i] = 1; }`, []int64{36, 4, 10}, false},
		{"bits of a negative number", `kernel void k(global int *a, global int *b, int n) { int i = b[0]; if ((uint)i < (uint)n) a[i] = 1; }`, []int64{1 << 36, 4, -1}, false},
		{"bits of none", `kernel void k(global int *a, global int *b, int n) { int i = b[0]; if ((uint)i < (uint)n) a[i] = 1; }`, []int64{0, 4, 0}, true},
		{"vectors", `kernel void k(global float4 *a) { a[get_global_id(0)] = vload4(0, (global float *)a + 3); }`, []int64{1600}, true},
		{"table", `constant int t[4] = {1, 2, 3, 4}; kernel void k(global int *a) { a[0] = t[get_local_id(1)]; }`, []int64{4}, true},
		{"table beyond", `constant int t[4] = {1, 2, 3, 4}; kernel void k(global int *a) { a[0] = t[get_local_id(0)]; }`, []int64{4}, false},
	}
	decide(t, cases, func(p *ptx.Prepared) *ptx.Precondition {
		if n := len(p.Preconditions); n > 0 {
			return p.Preconditions[n-1]
		}
		return nil
	})
}

// TestLoopPrecondition is TestPrecondition for the precondition that includes accesses in loops.
func TestLoopPrecondition(t *testing.T) {
	// The maximum keeps addresses from changing by equal steps: copies of loops prove such accesses.
	loop := func(head, access string) string {
		return "kernel void k(global int *a, int n, int m) { " + head + " a[max(" + access + ", -100)] += 2; }"
	}
	up, two := "for (int i = 0; i < n; i++)", "for (int i = 1; i < n; i += 4)"
	decide(t, []preconditionCase{
		{"counter", loop(up, "i"), []int64{40, 10, 0}, true},
		{"counter beyond", loop(up, "i"), []int64{39, 10, 0}, false},
		{"steps", loop(two, "i * 2 - 1"), []int64{4 * 18, 10, 0}, true}, // 2·9 - 1
		{"steps beyond", loop(two, "i * 2"), []int64{4*19 - 1, 10, 0}, false},
		{"steps that end before the bound", loop(two, "i"), []int64{4 * 10, 12, 0}, true}, // 9
		{"steps that end before the bound, beyond", loop(two, "i"), []int64{4*10 - 1, 12, 0}, false},
		{"steps that may wrap", loop(two, "i"), []int64{1 << 39, math.MaxInt32, 0}, false},
		{"steps that do not wrap", loop(two, "i"), []int64{1 << 39, math.MaxInt32 - 4, 0}, true},
		{"after steps", "kernel void k(global int *a, int n, int m) { int i = 0; for (; i < n; i += 4) a[i & 1] = 1; for (; i < m; i++) a[i ^ 1] = 2; }", []int64{4 * 32, 8, 17}, true},
		{"masked", loop("for (int i = m, k = 3; i != n; i = i * 3 + 1, k = (k + n) & 7)", "k"), []int64{32, 10, 0}, true},
		{"masked beyond", loop("for (int i = m, k = 3; i != n; i = i * 3 + 1, k = (k + n) & 7)", "k"), []int64{31, 10, 0}, false},
		{"first number beyond", loop("for (int i = m, k = 8; i != n; i = i * 3 + 1, k = (k + n) & 7)", "k"), []int64{35, 10, 0}, false},
		{"fact of another iteration", "kernel void k(global int *a, int n, int m) { int k = 0, w = n; while (k != m) { if (w < 5 && w >= 0) a[k] = 1; k = w; w = w * 5 + 1; } }", []int64{noPrecondition}, false},
		{"low bits cleared", loop(up, "(int)get_local_id(0) - ((int)get_local_id(0) & 15) + (i & 3)"), []int64{16, 9, 0}, true},
		{"low bits cleared, beyond", loop(up, "(int)get_local_id(0) - ((int)get_local_id(0) & 7) + (i & 3)"), []int64{44, 9, 0}, false},
		{"low bits of another", loop(up, "(int)get_local_id(0) - ((int)get_local_id(1) & 15) + (i & 3)"), []int64{1 << 30, 9, 0}, false},
	}, func(p *ptx.Prepared) *ptx.Precondition {
		if len(p.Preconditions) > 0 {
			return p.Preconditions[0]
		}
		return nil
	})
}

// A preconditionCase is a kernel with the arguments of a launch, and whether the launch satisfies its precondition.
type preconditionCase struct {
	name, src string
	args      []int64
	holds     bool
}

const noPrecondition = -1 << 62 // in the place of args: there is no precondition

// decide decides a precondition of the kernels.
func decide(t *testing.T, cases []preconditionCase, of func(p *ptx.Prepared) *ptx.Precondition) {
	t.Helper()
	opts, err := compile.ParseOptions("-cl-std=CL3.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		res, err := compile.Compile(context.Background(), "k.cl", []byte(c.src), opts)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, f := range res.Module.Funcs {
			if f.Kernel == nil {
				continue
			}
			p, err := ptx.Prepare(f)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			condition := of(p)
			if none := c.args[0] == noPrecondition; none || condition == nil {
				if condition != nil || !none {
					t.Errorf("%s: precondition %v", c.name, condition)
				}
				continue
			}
			l := &fakeLaunch{global: [3]int64{100, 20, 1}, local: [3]int64{10, 4, 1}, args: c.args}
			if got := condition.Holds(l); got != c.holds {
				t.Errorf("%s: the precondition holds: %t", c.name, got)
			}
		}
	}
}

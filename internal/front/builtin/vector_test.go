package builtin_test

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"
)

// halfOf rounds x to half by the definition of each mode (6.4.3.2), applied to the two neighbours among the finite
// halfs. The result is infinity only in modes that round away from zero.
func halfOf(x float64, mode string) uint16 {
	if x != x {
		return 0x7e00
	}
	neg := math.Signbit(x)
	a := math.Abs(x)
	// The bits of non-negative halfs are ordered by value: lo <= a < lo+1.
	lo := uint16(sort.Search(0x7c00, func(i int) bool { return halfValue(uint16(i)) > a }) - 1)
	low, high := halfValue(lo), halfValue(lo+1)
	if lo+1 == 0x7c00 {
		high = 65536
	}
	up := false
	switch mode {
	case "_rtp":
		up = !neg
	case "_rtn":
		up = neg
	case "", "_rte":
		mid := (low + high) / 2
		up = a > mid || a == mid && lo&1 == 1
	}
	if math.IsInf(a, 0) {
		lo, up = 0x7c00, false
	} else if a == low {
		up = false
	}
	if up {
		lo++
	}
	if neg {
		lo |= 0x8000
	}
	return lo
}

var halfCases = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, -0.1, 2049, 2051, -2049, 65504, 65519, 65520, 65535, 65536, -65519, -65520, 1e30, -1e30, 0x1p-24, 0x1p-25, 0x1.8p-25, -0x1p-25, 0x1.8p-24, 0x1p-14, 0x1.ffcp-15,
	0x1p-100, -0x1p-100, math.Inf(1), math.Inf(-1), math.Pi, -math.E, 1 + 0x1p-11, 1 + 0x1.8p-10}

// TestHalfMemory tests vstore_half and vstorea_half with every rounding, from float and double, and vload_half and
// vloada_half, for every number of components.
func TestHalfMemory(t *testing.T) {
	for _, typ := range []string{"float", "double"} {
		for _, lanes := range []string{"", "2", "3", "4", "8", "16"} {
			for _, aligned := range []string{"", "a"} {
				n, stride := 1, 1
				if lanes != "" {
					fmt.Sscan(lanes, &n)
					stride = n
				}
				if n == 3 && aligned != "" {
					stride = 4
				}
				count := (len(halfCases) + n - 1) / n
				in, back := make([]float64, count*n), make([]float64, count*n)
				copy(in, halfCases)
				for _, mode := range []string{"", "_rte", "_rtz", "_rtp", "_rtn"} {
					mem := make([]uint16, count*stride)
					elem := "in[i]"
					if lanes != "" {
						elem = "vload" + lanes + "(i, in)"
					}
					store := "back[i] = v;"
					if lanes != "" {
						store = "vstore" + lanes + "(convert_double" + lanes + "(v), i, back);"
					}
					build(t, fmt.Sprintf("kernel void k(global const double *in, global half *mem, global double *back) { size_t i = get_global_id(0); vstore%[1]s_half%[2]s%[3]s(convert_%[4]s%[2]s(%[5]s), i, mem); float%[2]s v = vload%[1]s_half%[2]s(i, mem); %[6]s }",
						aligned, lanes, mode, typ, elem, store)).run(t, count, 0, raw(in), raw(mem), raw(back))
					for i, x := range in {
						if typ == "float" {
							x = float64(float32(x))
						}
						want := halfOf(x, mode)
						got := mem[i/n*stride+i%n]
						if got != want || back[i] != halfValue(got) {
							t.Errorf("vstore%s_half%s%s(%s %g): %#x, want %#x; loaded %g", aligned, lanes, mode, typ, x, got, want, back[i])
						}
					}
				}
			}
		}
	}
}

// A memoryCase is a kernel on ints with its expected output; in is 0, 1, 2, ….
type memoryCase struct{ name, body, want string }

// Expectations were computed by hand from 6.15.6, 6.15.7, 6.15.11 to 6.15.13.
var memoryCases = []memoryCase{
	{"vload", "vstore3(vload3(1, in), 0, out); vstore2(vload2(2, in), 2, out); out[3] = vload4(1, in).w; vstore8(vload8(0, in), 1, out);", "3 4 5 7 4 5 0 0 0 1 2 3 4 5 6 7"},
	{"vload16 private", "int p[20]; for (int i = 0; i < 20; i++) p[i] = 10 * i; vstore16(vload16(0, p + 2), 0, out);", "20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170"},
	{"vload uchar", "global const uchar *b = (global const uchar *)in; uchar4 c = vload4(1, b); vstore4(convert_int4(c), 0, out); vstore4(convert_int4(vload4(0, b + 7)), 1, out);", "1 0 0 0 0 2 0 0"},
	{"shuffle", "int4 v = vload4(0, in); vstore4(shuffle(v, (uint4)(3, 2, 5, 4)), 0, out); vstore2(shuffle(v, (uint2)(in[1], in[7])), 2, out); vstore8(shuffle(v, (uint8)(0, 1, 2, 3, 3, 2, 1, 0)), 1, out);", "3 2 1 0 1 3 0 0 0 1 2 3 3 2 1 0"},
	{"shuffle2", "int4 a = vload4(0, in), b = vload4(1, in); vstore4(shuffle2(a, b, (uint4)(7, 0, 4, 3)), 0, out); vstore4(shuffle2(a, b, convert_uint4(b)), 1, out); int16 x = vload16(0, in), y = vload16(1, in); vstore2(shuffle2(x, y, (uint2)(in[31], in[1])), 4, out);", "7 0 4 3 4 5 6 7 31 1"},
	{"shuffle of bytes", "uchar8 a = convert_uchar8(vload8(0, in)); uchar16 r = shuffle(a, (uchar16)(7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 14, 255)); vstore16(convert_int16(r), 0, out);", "7 6 5 4 3 2 1 0 0 1 2 3 4 5 6 7"},
	{"select scalar", "out[0] = select(10, 20, in[0]); out[1] = select(10, 20, in[1]); out[2] = select(10, 20, in[2]); out[3] = select((char)1, (char)2, (uchar)in[64]); out[4] = (int)select(1.0f, 2.0f, in[0] - 1);", "10 20 20 2 2"},
	{"select vector", "int4 c = (int4)(in[0], -in[1], in[5], (int)0x80000000 + in[0]); vstore4(select((int4)(1), (int4)(2), c), 0, out); vstore4(convert_int4(select((float4)(1), (float4)(2), as_uint4(c))), 1, out); vstore4(convert_int4(select((short4)(3), (short4)(4), convert_ushort4(vload4(0, in) * 32767))), 2, out);", "1 2 1 2 1 2 1 2 3 3 4 3"},
	{"any all", "int4 m = (int4)(0, -in[1], 0, in[1]); out[0] = any(m); out[1] = all(m); out[2] = any(in[1]); out[3] = any(-in[1]); out[4] = all((char2)(-1, -128)); out[5] = any((long3)(1, 2, 3)); out[6] = all((short8)(-in[1])); out[7] = any((int4)(in[0]));", "1 0 0 1 1 0 1 0"},
	{"relational vectors", "float4 f = convert_float4(vload4(0, in)); vstore4(isless(f, (float4)(2)), 0, out); vstore4(isgreaterequal(f, (float4)(2)), 1, out); vstore2(convert_int2(isequal((double2)(1, 2), (double2)(1, in[3]))), 4, out); out[10] = isnan(nan(0u)); out[11] = isequal(f.x, 0.0f);", "-1 -1 0 0 0 0 -1 -1 -1 0 1 1"},
	{"bitselect float", "out[0] = as_int(bitselect(as_float(0x3f800000), as_float(0x40490fdb), as_float(0x0000ffff))) - 0x3f800000; vstore2(as_int2(bitselect(0x123456789abcdefL, 0x7edcba9876543210L, (long)0xffffffff)), 1, out);", "4059 0 1985229328 19088743"},
	{"geometric", "float4 a = convert_float4(vload4(0, in)), b = convert_float4(vload4(1, in)); out[0] = dot(a, b); vstore4(convert_int4(cross(a, b)), 1, out); out[1] = length((float2)(in[3], in[4])); out[2] = distance((float3)(in[3], 0, 0), (float3)(0, in[4], 0)); out[3] = length(-in[7] * 1.0f); vstore2(convert_int2(normalize((float2)(0, in[9])) * 100), 4, out); vstore3(convert_int3(cross(a.xyz, b.xyz)), 3, out); out[12] = fast_length((float4)(in[2])); out[13] = dot(2.0f, 3.0f) + length((double4)(in[2]));", "38 5 5 7 -4 8 -4 0 0 -4 8 -4 4 10"},
	{"atomics", "out[0] = 5; int r = atomic_add(out, 3); out[1] = r; out[2] = atomic_sub(out, 1); out[3] = atomic_xchg(out, 12); out[4] = atomic_inc(out); out[5] = atomic_dec(out); out[6] = atomic_cmpxchg(out, 12, 99); out[7] = atomic_cmpxchg(out, 12, 1); out[8] = atomic_min(out, 50); out[9] = atomic_max(out, 60); out[10] = atomic_and(out, 0x3c); out[11] = atomic_or(out, 3); out[12] = atomic_xor(out, 1);", "62 5 8 7 12 13 12 99 99 50 60 60 63"},
	{"atomics of 3.0", "atomic_int a; atomic_init(&a, 7); out[0] = atomic_load(&a); atomic_store(&a, 9); out[1] = atomic_fetch_add(&a, 4); out[2] = atomic_exchange_explicit(&a, 1, memory_order_relaxed); int e = 5; out[3] = atomic_compare_exchange_strong(&a, &e, 6); out[4] = e; out[5] = atomic_compare_exchange_weak(&a, &e, 6); out[6] = atomic_fetch_max_explicit(&a, 8, memory_order_acq_rel, memory_scope_device); out[7] = atomic_load_explicit(&a, memory_order_acquire, memory_scope_work_group); atomic_flag f; atomic_flag_clear(&f); out[8] = atomic_flag_test_and_set(&f); out[9] = atomic_flag_test_and_set(&f); atomic_flag_clear(&f); out[10] = atomic_flag_test_and_set(&f);", "7 9 13 0 1 1 6 8 0 1 0"},
	{"atomics of floats", "atomic_float f; atomic_init(&f, 1.5f); out[0] = atomic_fetch_add(&f, 2) * 2; out[1] = atomic_fetch_sub_explicit(&f, 1, memory_order_relaxed) * 2; out[2] = atomic_fetch_min(&f, -4) * 2; out[3] = atomic_fetch_max_explicit(&f, 3, memory_order_acq_rel, memory_scope_device); local atomic_double d; atomic_init(&d, 8); out[4] = atomic_fetch_add(&d, 0.5); out[5] = atomic_fetch_max(&d, 16) * 2; out[6] = atomic_load(&d); out[7] = atomic_load(&f);", "3 7 5 -4 8 17 16 3"},
	{"atomics of long", "global long *p = (global long *)(out + 2); *p = 1L << 40; out[0] = atom_add(p, 2L) >> 40; out[1] = atom_max(p, -1L) & 3; atom_inc(p); atom_xchg((global int *)out + 5, 4);", "1 2 3 256 0 4"},
	{"address spaces", "int x = 4; int *g = &x; out[0] = to_private(g) == g; out[1] = to_global(g) == 0; g = out; out[2] = to_global(g) == out; out[3] = to_local(g) == 0; out[4] = get_fence(g); *to_global(g + 5) = 8;", "1 1 1 1 2 8"},
	{"dot products", "out[0] = dot((uchar4)(255), (uchar4)(255)); out[1] = dot((char4)(-128), (uchar4)(255)); out[2] = dot_acc_sat((char4)(127), (char4)(127), 0x7fffffff); out[3] = dot_4x8packed_ss_int(0x80ff0102, 0x7f020304); out[4] = dot_4x8packed_us_int(0xff000000, 0xff000000); out[5] = dot_acc_sat_4x8packed_uu_uint(0x01010101, 0x02020202, 0xfffffff9u) == 0xffffffffu;", "260100 -130560 2147483647 -16247 -255 1"},
	{"lossless", "out[0] = popcount((uchar)0xff); out[1] = clz((ushort)1); out[2] = upsample((short)-1, (ushort)5); out[3] = convert_int(mul_hi(1L << 40, 1L << 40) >> 16); prefetch(in, 4);", "8 15 -65531 1"},
}

func TestMemory(t *testing.T) {
	for _, c := range memoryCases {
		in, out := make([]int32, 256), make([]int32, 16)
		for i := range in {
			in[i] = int32(i)
		}
		in[64] = 128
		build(t, "#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable\nkernel void k(global const int *in, global int *out) { "+c.body+" }").run(t, 1, 1, raw(in), raw(out))
		want := strings.Fields(c.want)
		got := strings.Fields(strings.Trim(fmt.Sprint(out[:len(want)]), "[]"))
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s:\n got %v\nwant %v", c.name, got, want)
		}
	}
}

// TestAsync copies through local memory with every element type, including 3 components, whose padding is copied
// too.
func TestAsync(t *testing.T) {
	for _, typ := range []string{"int", "char3", "float3", "double2", "short16"} {
		k := build(t, fmt.Sprintf(`kernel void k(global const %[1]s *in, global %[1]s *out) {
			local %[1]s tile[64], other[64];
			event_t e = async_work_group_copy(tile, in, 64, 0);
			e = async_work_group_strided_copy(other, in + 1, 20, 3, e);
			wait_group_events(1, &e);
			e = async_work_group_copy(out, tile, 64, 0);
			event_t f = async_work_group_strided_copy(out + 64, other, 20, 2, 0);
			wait_group_events(1, &e);
			wait_group_events(1, &f);
		}`, typ))
		size := map[string]int{"int": 4, "char3": 4, "float3": 16, "double2": 16, "short16": 32}[typ]
		in, out, want := make([]byte, 64*size), make([]byte, 128*size), make([]byte, 128*size)
		for i := range in {
			in[i] = byte(i*7 + i>>8)
		}
		copy(want, in)
		for i := range 20 {
			copy(want[(64+2*i)*size:], in[(1+3*i)*size:(2+3*i)*size])
		}
		k.run(t, 16, 16, in, out)
		if string(out) != string(want) {
			t.Errorf("%s: wrong bytes", typ)
		}
	}
}

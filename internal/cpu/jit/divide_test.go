//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSharedDivisors compares quotients and remainders by numbers that all work-items share: where quotients change, and at
// the ends of the types.
func TestSharedDivisors(t *testing.T) {
	m := build(t, `
kernel void ints(global const int *a, global int *o, int d) { int i = get_global_id(0); o[2 * i] = a[i] / d; o[2 * i + 1] = a[i] % d; }
kernel void uints(global const uint *a, global uint *o, uint d) { int i = get_global_id(0); o[2 * i] = a[i] / d; o[2 * i + 1] = a[i] % d; }
kernel void steps(global const uint *a, global uint *o, uint d) { int i = get_global_id(0); uint s = 0; for (uint k = d; k > 0; k >>= 3) s = s * 31 + a[i] / k + a[i] % (k + 7) + (a[i] >> 3) % a[k & 7]; o[i] = s; }
`)
	r := rand.New(rand.NewPCG(7, 7))
	for _, d := range []uint32{0, 1, 2, 3, 5, 7, 10, 255, 641, 1000, 46341, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1<<32 - 3, 1<<32 - 1000, r.Uint32(), r.Uint32() >> 7, r.Uint32() >> 15} {
		var a buf
		add := func(x uint32) { a = append(a, i32(int(int32(x)))...) }
		for _, x := range []uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
			add(x)
		}
		for len(a) < 4*200 {
			x := r.Uint32() >> (r.IntN(4) * 8)
			q := x / max(d, 1)
			for _, y := range []uint32{x, q*d - 1, q * d, q*d + 1, -q * d, -q*d - 1} {
				add(y)
			}
		}
		n := uint64(len(a) / 4)
		for _, kernel := range []string{"ints", "uints", "steps"} {
			alike(t, m, kernel, []shape{line(n), line(n - 5)}, a, make(buf, 2*len(a)), i32(int(int32(d))))
		}
	}
}

// TestLongWraps compares 64-bit indices and the rows and columns of ids that are divided by a number that all work-items
// share: larger than a gang and smaller, negative and 0.
func TestLongWraps(t *testing.T) {
	m := build(t, `
kernel void ulongs(global const int *a, global int *o, ulong n, ulong by) { size_t i = get_global_id(0); o[i] = a[((i + by) % n) & 255] * 3 + a[((i + 1) / n) & 255]; }
kernel void longs(global const int *a, global int *o, long n, long by) { long i = get_global_id(0); o[i] = a[((i - by) % n) & 255] + (int)((i + by) / n); }
`)
	long := func(x int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(x)) }
	a := filled(4*256, func(i int) byte { return byte(i * 7 >> 2) })
	for _, n := range []int64{1, 2, 3, 7, 16, 31, 63, 64, 65, 100, 127, 200, 255, 256, -1, -100, 1 << 40, -1 << 63, 0} {
		for _, by := range []int64{1, n - 1, 90, 1<<63 - 20} {
			for _, kernel := range []string{"ulongs", "longs"} {
				alike(t, m, kernel, []shape{line(200), line(131)}, a, make(buf, 4*200), long(n), long(by))
			}
		}
	}
}

// TestAffineDividends compares quotients, remainders and indices brought into [0, n) where the dividends of a gang grow or fall
// from work-item to work-item: around multiples of the divisor, 0, and the ends of the types.
func TestAffineDividends(t *testing.T) {
	src := ""
	for _, k := range []string{"int", "uint", "long", "ulong"} {
		src += strings.ReplaceAll(`
kernel void up_T(global int *o, T s, T n) { T i = s + (T)get_global_id(0); o[get_global_id(0)] = (int)(i / n * 3 + i % n); }
kernel void down_T(global int *o, T s, T n) { T i = s - (T)get_global_id(0); o[get_global_id(0)] = (int)(i / n * 3 + i % n); }
kernel void ring_T(global int *o, T s, T n) { T i = s + (T)get_global_id(0); o[get_global_id(0)] = (int)((i % n + n) % n); }
kernel void back_T(global int *o, T s, T n) { T i = s - (T)get_global_id(0); o[get_global_id(0)] = (int)((n + i % n) % n + i / n); }
`, "T", k)
	}
	m := build(t, src)
	for f := range kernelsOf(m) {
		bits, number := 32, func(x int64) []byte { return i32(int(int32(x))) }
		if strings.HasSuffix(f.Name, "long") {
			bits, number = 64, func(x int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(x)) }
		}
		top := int64(1) << (bits - 1) // as a signed integer, the least one
		for k, n := range []int64{0, 1, 3, 64, 100, 1000, top>>1 - 5, top >> 1, -(top>>1 - 7), top - 1, top, top + 9, -1, -5, -100, -10} {
			for j, s := range []int64{0, 5, -1, -5, -70, n, n - 1, n - 30, -n + 3, 2*n - 5, 3*n + 5, top - 40, top + 40, top + 90, -n - 20} {
				if (3*k+j)%8 != 0 {
					continue // the other divisors have it
				}
				alike(t, m, f.Name, []shape{line(150)}, make(buf, 4*150), number(s), number(n))
			}
		}
	}
}

// TestNegativeFactors compares accesses whose lanes go backwards by a product: inside their buffers, partly or wholly outside, and
// where the product or the sum wraps.
func TestNegativeFactors(t *testing.T) {
	src := ""
	for _, k := range []string{"int", "uint", "long"} {
		src += strings.ReplaceAll(`
kernel void read_T(global const int *a, global int *o, int s, int n) { T i = get_global_id(0); o[i] = a[i * (T)-1 + (T)s] + a[i * (T)-3 + (T)n]; }
kernel void write_T(global const int *a, global int *o, int s, int n) { T i = get_global_id(0); o[(T)s + i * (T)-1] = a[i] * n; }
kernel void below_T(global const int *a, global int *o, int s, int n) { T i = get_global_id(0); if (i * (T)-5 + (T)s > (T)n) o[i] = a[(i + (T)s) * (T)-2]; }
`, "T", k)
	}
	m := build(t, src)
	for f := range kernelsOf(m) {
		for _, s := range []int{149, 170, 100, 449, 0, -3, math.MinInt32 + 5, math.MaxInt32, 1 << 30} {
			alike(t, m, f.Name, []shape{line(150)}, buf(ints(450, func(i int) int { return i*i - 7 })), make(buf, 4*450), i32(s), i32(s/2+300))
		}
	}
}

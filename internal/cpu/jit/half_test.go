//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math/rand/v2"
	"testing"
)

// TestHalfFMA compares the fused operations on halfs: on random bits, and on sums next to the midpoint of two
// halfs, where a second rounding would be visible.
func TestHalfFMA(t *testing.T) {
	m := build(t, `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const half* a, global const half* b, global const half* c, global half* out) {
  int i = get_global_id(0), n = get_global_size(0);
  out[i] = fma(a[i], b[i], c[i]); out[i+n] = fma(a[i], b[i], -c[i]); out[i+2*n] = fma(-a[i], b[i], c[i]); out[i+3*n] = c[i] - a[i]*b[i];
}
`)
	const n = 1 << 15
	rnd := rand.New(rand.NewPCG(3, 3))
	var a, b, c buf
	add := func(d *buf, h uint32) { *d = append(*d, byte(h), byte(h>>8)) }
	for i := range n {
		x, y, z := rnd.Uint32(), rnd.Uint32(), rnd.Uint32()
		if i%2 == 0 {
			// z = ±2^p·1.m, and x·y is near half a unit in its last place.
			p := rnd.Uint32N(30) + 1
			z = z&0x83ff | p<<10
			near := min(p, p-min(p, 11)+rnd.Uint32N(3))
			x, y = x&0x8003|near<<10, y&0x8003|15<<10
		}
		add(&a, x)
		add(&b, y)
		add(&c, z)
	}
	same(t, m, "k", []uint64{n}, nil, true, a, b, c, make(buf, 8*n))
}

// TestHalfArithmetic runs every unary operation on all halfs, and every binary one on all halfs paired with
// special and random values, on both sides.
func TestHalfArithmetic(t *testing.T) {
	m := build(t, `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void one(global const half* a, global half* r) {
  int i = get_global_id(0), n = get_global_size(0);
  half x = a[i];
  r[i] = sqrt(x); r[i+n] = floor(x); r[i+2*n] = ceil(x); r[i+3*n] = trunc(x); r[i+4*n] = rint(x); r[i+5*n] = -x; r[i+6*n] = fabs(x);
}
kernel void two(global const half* a, global const half* b, global half* r, global uchar* c) {
  int i = get_global_id(0), n = get_global_size(0);
  half x = a[i], y = b[i];
  r[i] = x + y; r[i+n] = x - y; r[i+2*n] = x * y; r[i+3*n] = x / y; r[i+4*n] = fmin(x, y); r[i+5*n] = fmax(x, y); r[i+6*n] = copysign(x, y); r[i+7*n] = x < y ? x : (half)1;
  c[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | (x >= y) << 5 | isunordered(x, y) << 6;
}
`)
	const n = 1 << 16
	halfs := func(f func(i int) uint16) (b buf) {
		for i := range n {
			h := f(i)
			b = append(b, byte(h), byte(h>>8))
		}
		return b
	}
	all := halfs(func(i int) uint16 { return uint16(i) })
	same(t, m, "one", []uint64{n}, nil, true, all, make(buf, 7*2*n))
	rnd := rand.New(rand.NewPCG(7, 7))
	others := []func(i int) uint16{func(int) uint16 { return uint16(rnd.Uint32()) }, func(i int) uint16 { return uint16(i) }, func(i int) uint16 { return uint16(i) ^ 0x8000 }}
	for _, h := range []uint16{0, 1, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x7c01, 0x7e05} {
		others = append(others, func(int) uint16 { return h }, func(int) uint16 { return h | 0x8000 })
	}
	for _, f := range others {
		b := halfs(f)
		same(t, m, "two", []uint64{n}, nil, true, all, b, make(buf, 8*2*n), make(buf, n))
		same(t, m, "two", []uint64{n}, nil, true, b, all, make(buf, 8*2*n), make(buf, n))
	}
}

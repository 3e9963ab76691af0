//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math/rand/v2"
	"testing"
)

// TestHalfFMA compares the fused operations on halfs: on random bits, and on sums that lie
// beside the middle between two halfs, where a second rounding would be seen.
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
			// z = ±2^p·1.m, and x·y near half of its last bit.
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

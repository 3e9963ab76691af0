//go:build linux

package main

import (
	"context"
	"fmt"

	"github.com/purecl/purecl"
)

// rooflineSource has a kernel that computes at the device's peak rate, and a product of matrices by tiles in local
// memory. Each work-item computes 8×8 numbers of the product.
const rooflineSource = `
kernel void peak(global float *y, float a, float b) {
	float8 x = (float8)(0, 1, 2, 3, 4, 5, 6, 7) + get_global_id(0);
	for (int i = 0; i < 512; i++) {
		x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);
		x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b); x = fma(x, a, b);
	}
	y[get_global_id(0)] = x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7;
}

kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void product(global float4 *c, global const float4 *a, global const float4 *b, int n) {
	local float x[16][128];
	local float4 y[16][32];
	int u = get_local_id(0), v = get_local_id(1), l = v * 16 + u;
	int row = get_group_id(1) * 128, column = get_group_id(0) * 32, m = n / 4;
	float8 s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
	int i = l / 4, j = l % 4;
	a += (row + i) * m + j;
	b += l / 32 * m + column + l % 32;
	float4 p0 = a[0], p1 = a[64 * m], q0 = b[0], q1 = b[8 * m];
	for (int k = 0; k < n; k += 16) {
		x[4 * j][i] = p0.x;
		x[4 * j + 1][i] = p0.y;
		x[4 * j + 2][i] = p0.z;
		x[4 * j + 3][i] = p0.w;
		x[4 * j][64 + i] = p1.x;
		x[4 * j + 1][64 + i] = p1.y;
		x[4 * j + 2][64 + i] = p1.z;
		x[4 * j + 3][64 + i] = p1.w;
		y[l / 32][l % 32] = q0;
		y[l / 32 + 8][l % 32] = q1;
		if (k + 16 < n) { // the loads of the next step overlap this one's arithmetic
			a += 4;
			b += 16 * m;
			p0 = a[0];
			p1 = a[64 * m];
			q0 = b[0];
			q1 = b[8 * m];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int d = 0; d < 16; d++) {
			float8 q = (float8)(y[d][u], y[d][16 + u]);
			local const float4 *z = (local const float4 *)x[d] + v;
			float4 p = z[0], r = z[16];
			s0 = fma((float8)(p.x), q, s0);
			s1 = fma((float8)(p.y), q, s1);
			s2 = fma((float8)(p.z), q, s2);
			s3 = fma((float8)(p.w), q, s3);
			s4 = fma((float8)(r.x), q, s4);
			s5 = fma((float8)(r.y), q, s5);
			s6 = fma((float8)(r.z), q, s6);
			s7 = fma((float8)(r.w), q, s7);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	global float4 *out = c + (row + 4 * v) * m + column + u;
	out[0] = s0.lo;
	out[16] = s0.hi;
	out[m] = s1.lo;
	out[m + 16] = s1.hi;
	out[2 * m] = s2.lo;
	out[2 * m + 16] = s2.hi;
	out[3 * m] = s3.lo;
	out[3 * m + 16] = s3.hi;
	out += 64 * m;
	out[0] = s4.lo;
	out[16] = s4.hi;
	out[m] = s5.lo;
	out[m + 16] = s5.hi;
	out[2 * m] = s6.lo;
	out[2 * m + 16] = s6.hi;
	out[3 * m] = s7.lo;
	out[3 * m + 16] = s7.hi;
}`

// measureRoofline prints the device's measured peak rate of float operations, and a product of matrices as a part of it.
// The reduction's roof is the copy of measureLaunches.
func measureRoofline(dev *purecl.Device) error {
	ctx := context.Background()
	prog, err := dev.Compile(rooflineSource)
	if err != nil {
		return err
	}
	defer prog.Close()
	const items = 1 << 21
	y, err := purecl.NewBuffer(dev, make([]float32, items))
	if err != nil {
		return err
	}
	defer y.Close()
	k, err := prog.Kernel("peak")
	if err != nil {
		return err
	}
	took, _, err := best(10, func() error { return k.Run(ctx, purecl.Range(items).Local(256), y, float32(0.5), float32(1)) })
	if err != nil {
		return err
	}
	peak := 2 * 8 * 8 * 512 * float64(items) / took.Seconds()
	fmt.Printf("fused multiply-adds: %.1f TFLOPS\n", peak/1e12)

	const n = 4096
	host := [2][]float32{make([]float32, n*n), make([]float32, n*n)}
	for i := range n * n {
		host[0][i], host[1][i] = float32((i/n+3*i)%7), float32((5*(i/n)+i)%11)
	}
	var list [3]*purecl.Buffer[float32]
	for i := range list {
		if list[i], err = purecl.NewBuffer(dev, host[i%2]); err != nil {
			return err
		}
		defer list[i].Close()
	}
	if k, err = prog.Kernel("product"); err != nil {
		return err
	}
	rng := purecl.Range(n/8, n/8).Local(16, 16)
	took, _, err = best(10, func() error { return k.Run(ctx, rng, list[2], list[0], list[1], n) })
	if err != nil {
		return err
	}
	rate := 2 * float64(n) * n * n / took.Seconds()
	fmt.Printf("product of %d×%d matrices by tiles: %.1f TFLOPS, %.0f %% of that\n", n, n, rate/1e12, 100*rate/peak)
	out := make([]float32, n*n)
	if err := list[2].Read(ctx, out); err != nil {
		return err
	}
	for _, at := range []int{0, 129*n + 77, n*n - 1, 2000*n + 2047, 67*n + 3000} {
		want := float32(0) // of whole numbers below 2^24: exact
		for k := range n {
			want += host[0][at/n*n+k] * host[1][k*n+at%n]
		}
		if out[at] != want {
			return fmt.Errorf("the product's element %d is %v, not %v", at, out[at], want)
		}
	}
	return nil
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// TestRecords compares accesses to arrays of structures: fields of one to four elements of 4 and 8 bytes, in
// structures of two to seventeen elements, up to a buffer's end and beyond.
func TestRecords(t *testing.T) {
	var src strings.Builder
	for _, e := range []string{"int", "float", "long"} {
		for size := 2; size <= 17; size++ {
			for _, n := range []int{1, 2, 3, 4} {
				if n >= size {
					continue
				}
				at := (size - n) * (size + n) % (size - n + 1)
				name := fmt.Sprintf("%s_%d_%d", e, size, n)
				if n == 1 {
					fmt.Fprintf(&src, "kernel void %s(global const int *a, global %s *x, global %s *y) { size_t i = get_global_id(0); y[i * %d + %d] = x[i * %d + %d] + x[i * %d + %d] * 3; }\n", name, e, e, size, at, size, at, size, size-1)
					continue
				}
				fmt.Fprintf(&src, "kernel void %s(global const int *a, global %s *x, global %s *y) { size_t i = get_global_id(0); vstore%d(vload%d(0, x + i * %d + %d) * (%s%d)(%s), 0, y + i * %d + %d); }\n",
					name, e, e, n, n, size, at, e, n, strings.Join([]string{"3", "5", "7", "2"}[:n], ", "), size, at)
			}
		}
	}
	src.WriteString(`typedef struct { float x, y, z, m; float vx, vy, vz, w; } P;
typedef struct { float3 p; float3 v; float m; } Q;
typedef struct { char t; float a; short b; double d; } R;
kernel void whole(global const int *a, global P *x, global P *y) { size_t i = get_global_id(0); P q = x[i]; q.x += q.vx; q.m = a[i & 63]; y[i] = q; }
kernel void inPlace(global const int *a, global P *x, global P *y) { size_t i = get_global_id(0); P q = x[i]; q.x += q.vx; q.m = a[i & 63]; x[i] = q; }
kernel void vectors(global const int *a, global Q *x, global Q *y) { size_t i = get_global_id(0); Q q = x[i]; q.p += q.v; y[i] = q; if (a[i & 63] & 1) x[i] = q; }
kernel void mixed(global const int *a, global R *x, global R *y) { size_t i = get_global_id(0); R q = x[i]; q.b += a[i & 63]; q.t++; y[i] = q; x[i].a = 1; }
kernel void moved(global const int *a, global R *x, global R *y) { size_t i = get_global_id(0); y[i] = x[i ^ 1]; }
kernel void outside(global const int *a, global P *x, global P *y) { size_t i = get_global_id(0); P q = x[i * 3]; q.z += 1; y[i + (a[i & 63] & 1) * 40] = q; }
`)
	m := build(t, src.String())
	a := scrambled(64)
	bytes := func(n int) buf {
		return filled(n, func(i int) byte { return byte(i*37>>3) & 0x3f }) // no NaN
	}
	for _, f := range m.Funcs {
		// The kernels of 8-byte elements exceed the buffer, those of 4-byte elements fill it exactly.
		alike(t, m, f.Name, []shape{line(1), line(64), {[]uint64{200}, []uint64{100}}}, a, bytes(128*17*4), bytes(128*17*4+8))
	}
	lv := Level()
	if lv == nil || lv.Target().Records == 0 {
		return
	}
	for _, name := range []string{"int_8_1", "float_12_3", "long_6_2", "inPlace", "vectors"} {
		c, err := Compile(m.Func(name), lv)
		if err != nil || c.base.Shapes&(1<<explain.Strided) == 0 || c.base.Shapes&(1<<explain.LaneByLane) != 0 {
			t.Errorf("%s: accesses %b, %v; want strided ones, and none lane by lane", name, c.base.Shapes, err)
		}
	}
}

// TestLargeCopies: copies that the launch does, in code for gangs that agree on a branch and in that for others.
func TestLargeCopies(t *testing.T) {
	m := build(t, `
typedef struct { int a[40]; } large;
kernel void copies(global large *o, global const large *in, int n) {
	int i = get_global_id(0);
	if (i < n) {
		o[i] = in[i];
		large none = {{0}};
		o[i + 64] = none;
	}
}`)
	for _, n := range []byte{64, 37} {
		in := filled(160*64, func(i int) byte { return byte(i * 7) })
		alike(t, m, "copies", []shape{{[]uint64{64}, []uint64{32}}}, in[:160*64], in, []byte{n, 0, 0, 0})
		out := append(append(buf(nil), in...), in...)
		alike(t, m, "copies", []shape{{[]uint64{64}, []uint64{32}}}, out, in, []byte{n, 0, 0, 0})
	}
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// fillSource has kernels in which every work-item fills a local array alike. The work-items divide the iterations in the first ones.
const fillSource = `
#define IDS int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * get_local_size(0), y0 = get_group_id(1) * get_local_size(1), sx = get_local_size(0), sy = get_local_size(1), w = get_global_size(0)
#define N (sx + 2)
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define OUT(v) a[y * w + x] = v
kernel void f0(global int *a, int n) { IDS; local int t[14 * 14]; for (int j = y0 - 3, k = 0; j < y0 + sy + 3; j++, k++) for (int i = x0 - 3, l = 0; i < x0 + sx + 3; i++, l++) t[k * 14 + l] = i * 3 + j * n; B; OUT(t[(ly + 2) * 14 + lx + 5] + t[ly * 14 + lx]); }
kernel void f1(global int *a, int n) { IDS; if (x > n) { OUT(-1); return; } local int t[40]; for (int i = 0; i < N; i++) t[i * 2 + 3] = i * x0 + n; B; OUT(t[(lx + ly) % N * 2 + 3] + t[2] + t[39]); }
kernel void f2(global int *a, int n) { IDS; local short t[5][18]; local uchar u[90]; for (uint k = 0; k < 5; k++) for (uint l = 0; l < N; l++) { t[k][l] = k * 9 + l * y0; u[l * 5 + k] = k + l; } B; OUT(t[lx % 5][ly % N] + u[(lx * 3 + ly) % (5 * N)]); }
kernel void f3(global int *a, int n) { IDS; local long t[10 * 18]; for (uint k = 2; k < sy + 2; k++) for (uint l = 0; l < N; l++) t[(k - 2) * N + l] = (long)k << l * n; B; if (y > n + 3) return; B; OUT(t[(lx + ly * 7) % (sy * N)]); }
kernel void f4(global int *a, int n) { IDS; local int t[40], u[20]; u[lx] = n; for (int k = 0; k < sx + 1; k++) t[k * 2] = k + n; B; OUT(t[lx * 2] + t[lx * 2 + 2] + u[lx]); }
kernel void overwrites(global int *a, int n) { IDS; local int t[8 * 18]; for (int k = 0; k < sy; k++) for (int l = 0; l < N; l++) t[k * 4 + l] = k * 100 + l; B; OUT(t[(lx * 4 + ly) % (4 * sy)]); }
kernel void early(global int *a, int n) { IDS; local int t[64]; t[63] = 0; for (int k = 0; k < N; k++) t[k] = k + n; int v = t[n & 3]; B; OUT(v + t[lx % N]); }
kernel void twice(global int *a, int n) { IDS; local int t[18]; int v = 0; for (int r = 0; r < n; r++) { for (int k = 0; k < N; k++) t[k] = k * r + n; B; v += t[(lx + r) % N]; B; } OUT(v); }
kernel void some(global int *a, int n) { IDS; local int t[18]; if (x0 > n) for (int k = 0; k < N; k++) t[k] = k + n; B; OUT(t[lx % N]); }
kernel void outside(global int *a, int n) { IDS; local int t[6]; for (int k = 0; k < N + 2; k++) t[k] = k + n; B; OUT(t[lx % 6]); }
kernel void own(global int *a, int n) { IDS; local int t[18]; for (int k = 0; k < N; k++) t[k] = k + (lx + n) / 64; B; OUT(t[lx % N]); }
kernel void after(global int *a, int n) { IDS; local int t[18], u[18]; for (int k = 0; k < N; k++) t[k] = k + n; u[lx] = lx; B; for (int k = 0; k < N; k++) t[k] = k * n + 1; B; OUT(t[lx % N] + u[lx]); }
kernel void edge(global int *a, int n) { IDS; local int t[18]; t[lx] = 0; B; for (int k = n; k < n + N; k++) t[k - n] = k; B; OUT(t[lx % N]); }
kernel void wraps(global int *a, int n) { IDS; local int t[18]; for (int k = n + 2147483640, l = 0; k < n + 2147483640 + N; k++, l++) t[l] = k; B; OUT(t[lx % N]); }
`

var fillShapes = []shape{{[]uint64{24, 16}, []uint64{8, 8}}, {[]uint64{24, 10}, []uint64{12, 5}}, {[]uint64{32, 4}, []uint64{16, 2}}, {[]uint64{16, 8}, []uint64{4, 4}}, {[]uint64{20, 9}, []uint64{8, 8}}, {[]uint64{6, 2}, []uint64{3, 1}}, {[]uint64{24, 4}, []uint64{8, 1}}}

// TestFills compares the results with those of the reference executor.
func TestFills(t *testing.T) {
	m := build(t, fillSource)
	execs := executorsOf(Options{}, Options{Collapse: true}, Options{Unfold: true}, Options{Collapse: true, Unfold: true})
	for f := range kernelsOf(m) {
		for i, s := range fillShapes {
			if f.Name == "f0" && s.local[0]+s.local[1] > 16 {
				continue // the tile is too small
			}
			alikeOn(t, execs, m, f.Name, []shape{s}, make(buf, 4*24*16), i32([]int{0, 5, -2, 20}[i%4]))
		}
	}
}

// TestDividedRows: work-groups whose rows fill gangs have code for their size if the work-items divide a loop.
func TestDividedRows(t *testing.T) {
	m := build(t, fillSource)
	divided := []string{"f0", "f1", "f2", "f3", "f4", "after", "wraps"}
	for _, lv := range levels() {
		n := uint64(lv.Lanes)
		for f := range kernelsOf(m) {
			c := compiled(t, f, Options{Level: lv})
			// The tile of f0 is too small for longer rows.
			form, ok := c.groupForm(&exec.NDRange{Dims: 2, Global: [3]uint64{4 * n, 8, 1}, Local: [3]uint64{n, 2, 1}})
			if want := slices.Contains(divided, f.Name) && (f.Name != "f0" || n == 8); ok != want || ok && (form.collapsed || form.items != 2*n) {
				t.Errorf("%s %s: %v %+v, want %v", lv.Name, f.Name, ok, form, want)
			}
		}
	}
}

// TestFillsOfPixels fills arrays from images, inside of them, across their edges and outside.
func TestFillsOfPixels(t *testing.T) {
	m := build(t, `constant sampler_t edges = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t in, int dx, int dy, global float *out) {
  int x0 = get_group_id(0) * get_local_size(0) + dx, y0 = get_group_id(1) * get_local_size(1) + dy, lx = get_local_id(0), ly = get_local_id(1);
  if (get_global_id(0) >= 37) return;
  local float t[12 * 12];
  for (int y = y0 - 2, i = 0; y < y0 + (int)get_local_size(1) + 2; y++, i++)
    for (int x = x0 - 2, j = 0; x < x0 + (int)get_local_size(0) + 2; x++, j++)
      t[i * 12 + j] = read_imagef(in, edges, (int2)(x, y)).x;
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) s += t[(ly + i) * 12 + lx + j] * (i + 1) - j;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s; }`)
	for _, format := range []image.Format{{Order: opencl.OrderR, Type: opencl.UnormInt8}, {Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, {Order: opencl.OrderR, Type: opencl.FloatChannel}} {
		n := format.ElementSize()
		data := filled(45*20*n, func(i int) byte { return byte(i*59>>1 ^ i>>6) })
		run := func(e exec.Executor, dx, dy int, local []uint64) []byte {
			in, err := image.New(format, opencl.Image2D, [3]int{43, 20, 1}, 45*n, 0, bytes.Clone(data))
			if err != nil {
				t.Fatal(err)
			}
			out := make([]byte, 40*24*4)
			args := []launch.Arg{launch.Picture(&launch.Image{Image: in}), launch.Value(i32(dx)), launch.Value(i32(dy)), launch.Memory(&launch.Buffer{Data: out})}
			if _, err := RunRobust(&launch.Launch{Kernel: kernelOf(t, m, e, "blur"), Args: args, Range: launch.Range{Global: []uint64{40, 24}, Local: local}, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			return out
		}
		for _, e := range executorsOf(Options{}, Options{Collapse: true}, Options{Unfold: true}, Options{Collapse: true, Unfold: true}) {
			for _, local := range [][]uint64{{8, 8}, {8, 4}, {4, 8}, {5, 3}} {
				for _, d := range [][2]int{{0, 0}, {3, -7}, {-60, 100}, {1 << 30, -1 << 30}} {
					if want, got := run(interp.Reference, d[0], d[1], local), run(e, d[0], d[1], local); !bytes.Equal(want, got) {
						t.Errorf("%v %s %v %v: results differ from the reference executor", format, e.Name(), local, d)
					}
				}
			}
		}
	}
}

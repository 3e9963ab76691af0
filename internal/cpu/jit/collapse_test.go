//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
)

// collapseSource has kernels whose work-groups have several short rows; W is the width of a matrix.
const collapseSource = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define IDS int x = get_global_id(0), y = get_global_id(2) * get_global_size(1) + get_global_id(1), lx = get_local_id(0), ly = get_local_id(1), sx = get_local_size(0), sy = get_local_size(1), l = (get_local_id(2) * sy + ly) * sx + lx, n = sx * sy * get_local_size(2)
kernel void tile(global const int *a, global int *o, local int *t, int w) { IDS; t[l] = a[y * w + x]; B; o[y * w + x] = t[(l ^ 1) % n] * 3 + t[l]; }
kernel void linear(global const int *a, global int *o, local int *t, int w) { size_t l = get_local_linear_id(), g = get_global_linear_id(), n = get_local_size(0) * get_local_size(1); t[l] = a[g]; B; o[g] = t[n - 1 - l] + (int)get_group_id(1) * 100 + (int)get_num_groups(0) + (int)get_global_size(1) + get_work_dim(); }
kernel void turned(global const int *a, global int *o, local int *t, int w) { IDS; t[lx * sy + ly] = a[y * w + x]; B; o[(get_group_id(1) * sy + l / sx) * w + get_group_id(0) * sx + l % sx] = t[l] ^ t[(lx + 1) % sx * sy + ly]; }
kernel void sums(global const int *a, global int *o, local int *t, int w) { IDS; t[l] = a[y * w + x]; for (int s = n / 2; s > 0; s >>= 1) { B; if (l < s) t[l] += t[l + s]; } B; o[y * w + x] = t[0] + a[y * w + x]; }
kernel void shorts(global const short *a, global char *o, local short *t, int w) { IDS; t[l] = a[y * w + x]; B; o[y * w + x] = t[(l + 5) % n] + lx; }
kernel void longs(global const long *a, global long *o, local long *t, int w) { IDS; t[l] = a[(y * w + x) % 1400]; B; if (lx != 1) o[(y * w + x) % 1400] = t[n - 1 - l]; }
kernel void pairs(global const float2 *a, global float2 *o, local float2 *t, int w) { IDS; t[l] = a[(y * w + x) % 1400]; B; o[(y * w + x) % 1400] = t[(l + 1) % n].yx; }
kernel void fours(global const float4 *a, global float4 *o, local float4 *t, int w) { IDS; t[l] = a[(y * w + x) % 700]; B; o[(y * w + x) % 700] = t[(l + 1) % n].wxyz; }
kernel void some(global const int *a, global int *o, local int *t, int w) { IDS; t[l] = 0; if ((lx + ly) % 3) t[l] = a[y * w + x]; B; if (lx > 0 && a[l] % 5 != 2) o[y * w + x] = t[l - 1]; }
kernel void outside(global const int *a, global int *o, local int *t, int w) { IDS; t[l] = a[y * w + x - 40]; B; o[(y + 9) * w + x + (x == 5 ? 100000 : 0)] = t[l + (ly == 2 ? 3 : 0)]; if (x % 7 == 2) o[-50 * x - l - 3] = l; }
kernel void wraps(global const int *a, global int *o, local int *t, int w) { IDS; t[l] = a[(uint)(lx - 1) + 1u + (uint)ly * sx]; B; o[(size_t)(uint)(lx - 3) + 3 + (size_t)ly * sx] = t[(uint)(lx - 2) + (ulong)(2 + ly * sx)]; }
kernel void bits(global const int *a, global int *o, local int *t, int w) { uint l = get_local_linear_id(), c = l & 3, r = l >> 2; size_t g = get_group_id(1) * get_num_groups(0) + get_group_id(0); t[l] = a[r * w + c]; B; o[g * 256 + (l % 8) + 16 * (l / 8)] = t[l ^ 2] + a[((r & 3) << 2 | c) + 7] * 100; }
kernel void counted(global const int *a, global int *o, local int *t, int w) { IDS; if (l == 0) t[0] = 0; B; o[y * w + x] = a[y * w + x] + atomic_inc(t); }
`

// TestCollapse compares the results of launches of work-groups with short rows, and their violations in order.
func TestCollapse(t *testing.T) {
	m := build(t, collapseSource)
	a := scrambled(3000)
	shapes := []shape{
		{[]uint64{16, 16}, []uint64{8, 8}}, {[]uint64{8, 16}, []uint64{4, 16}}, {[]uint64{4, 16}, []uint64{2, 8}}, {[]uint64{3, 16}, []uint64{1, 16}},
		{[]uint64{16, 12}, []uint64{8, 6}}, {[]uint64{12, 6}, []uint64{4, 2}}, {[]uint64{8, 4, 4}, []uint64{4, 2, 4}}, {[]uint64{10, 10}, []uint64{4, 4}},
	}
	padded := []shape{{[]uint64{24, 10}, []uint64{12, 5}}, {[]uint64{20, 8}, []uint64{20, 4}}, {[]uint64{6, 6, 3}, []uint64{3, 3, 3}}, {[]uint64{35}, []uint64{35}}}
	execs := executorsOf(Options{Collapse: true}, Options{Collapse: true, Unfold: true})
	first := executorsOf(Options{Unfold: true}) // with the forms that launches choose
	for _, f := range m.Funcs {
		for _, s := range shapes {
			if f.Name == "turned" && (len(s.global) > 2 || s.global[0]%s.local[0] != 0) {
				continue // work-groups write elements of others, in any order
			}
			alikeOn(t, execs, m, f.Name, []shape{s}, a, make(buf, 4*3000), 16*256, i32(37))
		}
		for _, s := range padded {
			if f.Name != "turned" || len(s.global) == 2 {
				alikeOn(t, append(slices.Clone(execs), first...), m, f.Name, []shape{s}, a, make(buf, 4*3000), 16*256, i32(37))
			}
		}
	}
}

// TestGroupShapes: work-groups of any shape have gangs with few idle lanes. Their code has no gathers, except for rows of
// less than 4 work-items, and no more instructions than a limit for each shape. Limits are a few percent above what the code
// has. The test counts instructions; package bench measures times.
func TestGroupShapes(t *testing.T) {
	const body = `void k(global float *o, global const float *a, int w) { local float t[256]; int x = get_global_id(0), y = get_global_id(2) * get_global_size(1) + get_global_id(1),
 l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
 t[l] = a[y * w + x]; barrier(CLK_LOCAL_MEM_FENCE); o[y * w + x] = t[l] + t[n - 1 - l]; }`
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		for _, x := range []struct {
			size         [3]int
			avx2, avx512 float64 // most instructions a work-item
		}{
			{[3]int{256, 1, 1}, 0.8, 0.43}, {[3]int{64, 4, 1}, 0.85, 0.48}, {[3]int{32, 8, 1}, 1, 0.59}, {[3]int{16, 16, 1}, 1.3, 0.9}, {[3]int{8, 32, 1}, 1.9, 1.25},
			{[3]int{4, 64, 1}, 2.8, 2.04}, {[3]int{8, 8, 4}, 1.95, 1.33}, {[3]int{250, 1, 1}, 1.35, 0.6}, {[3]int{48, 5, 1}, 0.9, 0.52},
			{[3]int{24, 10, 1}, 1.15, 2.2}, {[3]int{12, 20, 1}, 5.4, 2.35}, {[3]int{20, 12, 1}, 3.7, 2.62}, {[3]int{6, 40, 1}, 5.3, 3.53},
		} {
			src := fmt.Sprintf("kernel __attribute__((reqd_work_group_size(%d, %d, %d))) %s", x.size[0], x.size[1], x.size[2], body)
			c := listed(t, build(t, src).Func("k"), lv, WholeGangs)
			if list, _ := c.Listing.Gathers(); len(list) > 0 {
				t.Errorf("%s, %v: %d accesses gather", lv.Name, x.size, len(list))
			}
			insts := 0
			for _, n := range c.Listing.Insts {
				if n.Body && !n.Cold && !n.Once {
					insts++
				}
			}
			each := float64(insts) / float64(x.size[0]*x.size[1]*x.size[2])
			most := x.avx512
			if lv == x86.AVX2 {
				most = x.avx2
			}
			if each > most {
				t.Errorf("%s, %v: %.2f instructions a work-item, at most %.2f are expected", lv.Name, x.size, each, most)
			}
		}
	}
}

// TestGroupForms: the form of gangs depends on the rows of work-groups.
func TestGroupForms(t *testing.T) {
	for _, x := range []struct{ size, padded [3]uint64 }{
		{[3]uint64{250, 1, 1}, [3]uint64{256, 1, 1}}, {[3]uint64{12, 20, 1}, [3]uint64{16, 20, 1}}, {[3]uint64{40, 6, 1}, [3]uint64{48, 6, 1}},
		{[3]uint64{6, 40, 1}, [3]uint64{8, 40, 1}}, {[3]uint64{3, 3, 27}, [3]uint64{4, 4, 27}}, {[3]uint64{8, 32, 1}, [3]uint64{8, 32, 1}}, {[3]uint64{5, 5, 10}, [3]uint64{5, 5, 10}},
	} {
		f := formForSize(x.size, 16, false)
		if want := x.padded[0] < 16; f.padded != x.padded || f.collapsed != want {
			t.Errorf("%v: padded to %v, want %v; collapsed: %v, want %v", x.size, f.padded, x.padded, f.collapsed, want)
		}
	}
}

// TestCollapsedIDs: all ways to compute a linear local id become that id.
func TestCollapsedIDs(t *testing.T) {
	for _, sum := range []string{
		"(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)", "get_local_id(2) * (get_local_size(0) * get_local_size(1)) + ((uint)get_local_id(1) * 8 + get_local_id(0))",
		"get_local_linear_id()", "get_local_id(1) * get_local_size(0) + get_local_id(0)", "get_local_id(0) + 8 * get_local_id(1)", "(int)get_local_id(1) * 8 + (int)get_local_id(0)",
		"((uint)get_local_id(1) << 3) + (uint)get_local_id(0)", "((uint)get_local_id(1) << 3) | (uint)get_local_id(0)", "mad24((int)get_local_id(1), (int)get_local_size(0), (int)get_local_id(0))",
	} {
		src := fmt.Sprintf("kernel __attribute__((reqd_work_group_size(8, 32, 1))) void k(global float *o, global const float *a) { local float t[256]; t[%[1]s] = a[%[1]s]; barrier(CLK_LOCAL_MEM_FENCE); o[%[1]s] = t[255 - (%[1]s)]; }", sum)
		c := listed(t, build(t, src).Func("k"), x86.AVX512, WholeGangs)
		var shapes []string
		for _, a := range c.Listing.Accesses {
			if a.Shape != explain.Contiguous && a.Shape != explain.Strided {
				shapes = append(shapes, a.Shape.String())
			}
		}
		if len(shapes) > 0 {
			t.Errorf("%s: %s", sum, strings.Join(shapes, ", "))
		}
	}
}

// TestPaddedRows compares the results and violations of work-groups whose last gang is not full. Memory has exactly the elements of the
// work-items: what the idle lanes would access is out of bounds, and so is, in some kernels, one more element than that.
func TestPaddedRows(t *testing.T) {
	const source = `
#define B barrier(CLK_LOCAL_MEM_FENCE)
#define K(name, T, ...) kernel void name(global const T *a, global T *o, local T *t) { int x = get_global_id(0), l = get_local_id(0), n = get_local_size(0); __VA_ARGS__ }
K(tile, int, t[l] = a[x]; B; o[x] = t[l] * 3 + t[0];)
K(longs, long, t[l] = a[x]; B; o[x] = t[l] * 3 + t[0];)
K(shorts, short, t[l] = a[x]; B; o[x] = t[l] * 3 + t[0];)
K(chars, char, t[l] = a[x]; B; o[x] = t[l] * 3 + t[0];)
K(pairs, int2, t[l] = a[x]; B; o[x] = t[l].yx;)
K(turned, int, t[l] = a[x]; B; o[x] = t[n - 1 - l] - t[l];)
K(updated, int, t[l] = a[x]; B; o[x] += t[l]; B; t[l] ^= 5; B; o[x] ^= t[n - 1 - l];)
K(tree, int, t[l] = a[x]; for (int s = 64; s > 0; s >>= 1) { B; if (l < s && l + s < n) t[l] += t[l + s]; } B; o[x] = t[0] + a[x];)
K(steps, int, t[l] = a[x]; B; if (l < n - 2) t[l] += a[x + 2]; B; if (l < 7) o[x] = t[l]; else o[x] = -t[l];)
K(early, int, if (x == n) return; t[l] = a[x]; B; if (l == 3) return; o[x] = t[l]; B; o[x] += t[l] * 5;)
K(loops, int, int s = 0; for (int k = 0; k < 3; k++) { t[l] = a[x] + k; B; s += t[n - 1 - l] + t[l]; B; } o[x] = s;)
K(beyond, int, t[l] = a[x + 1]; B; o[x] = t[l + 1]; B; if (l < n - 1 || x > 2 * n) o[x + 1] = l;)
K(before, int, t[l] = a[x - 1]; B; o[x] = t[l - 1];)
`
	m := build(t, source)
	execs := append(executorsOf(Options{Collapse: true, Unfold: true}), executorsOf(Options{Unfold: true})...)
	for _, f := range m.Funcs {
		size := 4
		if n, ok := map[string]int{"longs": 8, "shorts": 2, "chars": 1, "pairs": 8}[f.Name]; ok {
			size = n
		}
		for _, n := range []int{12, 31, 60, 63, 65, 66, 72, 127} {
			alikeOn(t, execs, m, f.Name, []shape{{[]uint64{uint64(3 * n)}, []uint64{uint64(n)}}}, scrambled(6 * n)[:3*n*size], make(buf, 3*n*size), n*size)
		}
	}
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/spmd"
)

// A tileKernel is a random kernel that loads rows of a buffer into local memory and adds elements around each. Offsets have
// constants, multiples of a pitch, and a pitch that is rounded up in different ways.
func tileKernel(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	t := pick("float", "float", "int", "uint", "short", "float2", "long")
	rows, far := 1+r.IntN(6), 1+r.IntN(2)
	var s strings.Builder
	fmt.Fprintf(&s, "kernel void k(global %[1]s *out, global const %[1]s *in, int n) {\n", t)
	fmt.Fprintf(&s, "  local %s t[%d][64 + 2 * %d];\n", t, rows+2, far)
	fmt.Fprintf(&s, "  %s l = get_local_id(0), w = get_local_size(0), row = get_group_id(1) * %d, wide = get_num_groups(0) * w + 2 * %d;\n", pick("int", "uint", "size_t", "long"), rows, far)
	fmt.Fprintf(&s, "  int pitch = wide + %s, column = get_group_id(0) * w + l;\n", pick("0", "n % 3", "(wide % n == 0 ? 0 : n - wide % n)", "(n - 1 & ~3)", "(n < 5 ? 1 : 4)", "min(n, 7)", "(n >> 1)"))
	fmt.Fprintf(&s, "  for (int i = 0; i < %d; i++) t[i][l + %d] = in[(row + i) * pitch + column + %d];\n", rows+2, far, far)
	if r.IntN(4) > 0 {
		fmt.Fprintf(&s, "  if (l < %[1]d) for (int i = 0; i < %[2]d; i++) t[i][l] = in[(row + i) * pitch + column];\n", far, rows+2)
		fmt.Fprintf(&s, "  if (l >= w - %[1]d) for (int i = 0; i < %[2]d; i++) t[i][l + 2 * %[1]d] = in[(row + i) * pitch + column + 2 * %[1]d];\n", far, rows+2)
	}
	s.WriteString("  barrier(CLK_LOCAL_MEM_FENCE);\n")
	fmt.Fprintf(&s, "  for (int i = 0; i < %d; i++) {\n    %s v = t[i + 1][l + %d];\n", rows, t, far)
	for range 1 + r.IntN(6) {
		fmt.Fprintf(&s, "    v %s= t[i + %d][l + %d];\n", pick("+", "-", "*"), r.IntN(3), r.IntN(2*far+1))
	}
	fmt.Fprintf(&s, "    out[(row + i%s) * pitch + column%s] = v;\n  }\n}\n", pick("", " + 1"), pick("", " + 1", " + 3", " - 1"))
	return s.String()
}

// TestRandomTiles compares kernels of tiles on all executors.
func TestRandomTiles(t *testing.T) {
	seeds := uint64(12)
	reached := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 7))
		m := build(t, tileKernel(r))
		in := buf(floats(9000, func(i int) float32 { return float32(i*i%97) / 16 }))
		n := []byte{byte(1 + r.IntN(18)), 0, 0, 0}
		shapes := []shape{{[]uint64{128, 2}, []uint64{64, 1}}, {[]uint64{48, 3}, []uint64{16, 1}}}
		for _, size := range []int{4 * 9000, 4 * 900} {
			alikeOn(t, executorsOf(Options{Unfold: true}), m, "k", shapes, make(buf, size), in, n)
		}
		for _, lv := range levels() {
			c, err := newCode(m.Func("k"), Options{Panics: true, Level: lv})
			if err != nil {
				t.Fatal(err)
			}
			if v := c.variant(variantKey{level: lv, local: [3]uint64{64, 1, 1}}, nil); v.err == nil && v.extents != nil && v.Forms&spmd.Evaluated != 0 {
				reached++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, tileKernel(rand.New(rand.NewPCG(seed, 7))))
		}
	}
	if reached < int(seeds) {
		t.Errorf("the launch tests the bounds of %d kernels", reached)
	}
}

// borderKernel returns a random kernel whose work-groups load tiles that overlap. In some kernels only work-items inside of the
// buffer's bounds load, in others all do, at indices that are clamped to these bounds.
func borderKernel(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	ids, t := pick("int", "int", "uint"), pick("float", "int", "uchar", "float2")
	rows, inner := 1+r.IntN(3), 64-r.IntN(8)
	var s strings.Builder
	fmt.Fprintf(&s, "kernel void k(global %[1]s *out, global const %[1]s *in, %[2]s n, %[2]s edge) {\n", t, ids)
	fmt.Fprintf(&s, "  local %s t[%d][64];\n  %s l = get_local_id(0);\n", t, rows, ids)
	fmt.Fprintf(&s, "  %[1]s left = (%[1]s)get_group_id(0) * %[2]d %[3]s, x = left + l %[4]s;\n", ids, inner, pick("- edge", "- 2", "+ edge", "", "- edge * 2"), pick("", "", "+ 1", "- 1"))
	inside := func() string {
		return pick("x >= 0 && x < n", "x >= 0 && x <= n - 1", "!(x < 0 || x >= n)", "x < n && x > 0", "n > x && 1 <= x", "x < n", "x >= 1 && x + 1 < n", "left + l >= 0 && x < n")
	}
	fmt.Fprintf(&s, "  for (int i = 0; i < %d; i++) if (%s) t[i][l] = in[i * n + x];\n", rows, inside())
	s.WriteString("  barrier(CLK_LOCAL_MEM_FENCE);\n")
	fmt.Fprintf(&s, "  %s low = %s, high = %s;\n", ids, pick("max(-left, 0)", "left < 0 ? -left : 0", "max(-x + l, 0)"), pick("min(63, n - 1 - left)", "left + 63 > n - 1 ? 63 - (left + 63 - n + 1) : 63", "63"))
	fmt.Fprintf(&s, "  if (l >= low && l <= high && l >= 2 && l < %d && x >= 0 && %s) for (int i = 0; i < %d; i++)\n", inner-r.IntN(2), inside(), rows)
	fmt.Fprintf(&s, "    out[i * n + x] = t[i][max(l - 1, low)] + t[i][l] %s;\n}\n", pick("- t[i][min(l + 1, high)]", ""))
	return strings.NewReplacer("max(-left, 0)", "max(("+ids+")-left, ("+ids+")0)", "max(-x + l, 0)", "max(("+ids+")(-x + l), ("+ids+")0)", "min(63, n", "min(("+ids+")63, n").Replace(s.String())
}

// TestRandomBorders compares kernels of overlapping tiles on all executors.
func TestRandomBorders(t *testing.T) {
	seeds := uint64(10)
	reached := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 8))
		m := build(t, borderKernel(r))
		in := buf(floats(900, func(i int) float32 { return float32(i*i%97) / 16 }))
		for range 4 {
			n, edge := 150+r.IntN(110), r.IntN(5)
			switch r.IntN(6) {
			case 0:
				n = r.IntN(64)
			case 1:
				edge = r.IntN(300) - 150
			case 2:
				n, edge = int(int32(r.Uint32())), int(int32(r.Uint32()))
			}
			alikeOn(t, executorsOf(Options{Unfold: true}), m, "k", []shape{{[]uint64{256}, []uint64{64}}}, make(buf, 4*900), in, i32(n), i32(edge))
		}
		for _, lv := range levels() {
			c, err := newCode(m.Func("k"), Options{Panics: true, Level: lv})
			if err != nil {
				t.Fatal(err)
			}
			if v := c.variant(variantKey{level: lv, local: [3]uint64{64, 1, 1}}, nil); v.err == nil && v.Forms&spmd.Interior != 0 {
				reached++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, borderKernel(rand.New(rand.NewPCG(seed, 8))))
		}
	}
	if reached < int(seeds) {
		t.Errorf("%d kernels have code for the interior", reached)
	}
}

// A skewedKernel is a random kernel that writes and reads elements of local memory in different orders, such as the diagonals of a matrix.
func skewedKernel(r *rand.Rand) string {
	one := func(form string, list ...any) string { return fmt.Sprintf(form, list...) }
	order := func() string {
		switch r.IntN(4) {
		case 0:
			return one("(l * %d + %d & 63)", 2*r.IntN(32)+1, r.IntN(64))
		case 1:
			return one("(l ^ %d)", r.IntN(64))
		}
		width := 2 << r.IntN(5) // rows of this width, each rotated by another number of rows or columns
		if r.IntN(2) == 0 {
			return one("((l & %d) + ((l / %d - l + %d) * %d & 63))", width-1, width, r.IntN(64), width)
		}
		return one("((l & -%d) + ((l + l / %d + %d) & %d))", width, width, r.IntN(64), width-1)
	}
	var s strings.Builder
	s.WriteString("kernel void k(global int *out, global const int *in) {\n  local int t[128];\n  int l = get_local_id(0), i = get_global_id(0), x = in[i];\n")
	fmt.Fprintf(&s, "  t[l] = x * 3;\n  t[l + 64] = x * 5;\n  barrier(CLK_LOCAL_MEM_FENCE);\n")
	for range 2 + r.IntN(4) {
		fmt.Fprintf(&s, "  x += t[%s + %d];\n  x ^= t[%s + %d];\n  barrier(CLK_LOCAL_MEM_FENCE);\n", order(), r.IntN(65), order(), 64*r.IntN(2))
		if k := r.IntN(70); r.IntN(2) == 0 {
			fmt.Fprintf(&s, "  if (l %s %d) ", []string{"<", ">="}[r.IntN(2)], k)
		}
		fmt.Fprintf(&s, "  t[%s + %d] = x;\n  barrier(CLK_LOCAL_MEM_FENCE);\n", order(), r.IntN(65))
	}
	fmt.Fprintf(&s, "  out[i] = x + t[%s];\n}\n", order())
	return s.String()
}

// TestRandomSkewed compares kernels whose work-items exchange elements in many orders on all executors.
func TestRandomSkewed(t *testing.T) {
	in := ints(256, func(i int) int { return i*i*7919 + i })
	for seed := range uint64(12) {
		m := build(t, skewedKernel(rand.New(rand.NewPCG(seed, 9))))
		alikeOn(t, executorsOf(Options{Unfold: true}), m, "k", []shape{{[]uint64{256}, []uint64{64}}}, make(buf, 4*256), buf(in))
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, skewedKernel(rand.New(rand.NewPCG(seed, 9))))
		}
	}
}

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

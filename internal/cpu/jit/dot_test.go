//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
)

// TestDot compares dot products in every form of OpenCL C with 64-bit sums.
func TestDot(t *testing.T) {
	type side struct {
		signed bool
		bits   int
	}
	types := map[side]string{{true, 8}: "char", {false, 8}: "uchar", {true, 16}: "short"}
	for a, ta := range types {
		for b, tb := range types {
			if a.bits != b.bits {
				continue
			}
			n := 32 / a.bits
			ta, tb := fmt.Sprint(ta, n), fmt.Sprint(tb, n)
			letters := "us"
			suffix := func(s side) string { return letters[map[bool]int{false: 0, true: 1}[s.signed]:][:1] }
			sum := "int"
			if !a.signed && !b.signed {
				sum = "uint"
			}
			terms := func(form string) string {
				var list []string
				for i := range n {
					list = append(list, strings.ReplaceAll(form, "#", fmt.Sprint(i)))
				}
				return strings.Join(list, " + ")
			}
			exprs := []string{
				terms("("+sum+")x.s# * ("+sum+")y.s#") + " + z",
				fmt.Sprintf("z + (%s)", terms("p.s#")),
				"chain",
			}
			if a.bits == 8 {
				packed := fmt.Sprintf("4x8packed_%s%s_%s(as_uint(x), as_uint(y)", suffix(a), suffix(b), sum)
				exprs = append(exprs, "dot(x, y) + z", "dot_"+packed+") + z", "dot_acc_sat(x, y, z)", "dot_acc_sat_"+packed+", z)")
			}
			for _, e := range exprs {
				if e == "chain" {
					e = "z"
					for i := n - 1; i >= 0; i-- {
						e = fmt.Sprintf("mad24((int)x.s%d, (int)y.s%d, (int)(%s))", i, i, e)
					}
				}
				for _, uniform := range []bool{false, true} {
					index := "i"
					if uniform {
						index = "0"
					}
					src := fmt.Sprintf(`kernel void k(global %[3]s *out, global const %[1]s *a, global const %[2]s *b) {
	size_t i = get_global_id(0);
	%[1]s x = a[i];
	%[2]s y = b[%[6]s];
	%[3]s z = out[i];
	%[3]s%[4]d p = convert_%[3]s%[4]d(x) * convert_%[3]s%[4]d(y);
	out[i] = %[5]s;
}`, ta, tb, sum, n, e, index)
					m := build(t, src)
					if !strings.Contains(m.String(), "= dot ") {
						t.Errorf("no dot product recognised in\n%s", src)
					}
					checkDot(t, m, src, a.bits, a.signed, b.signed, uniform, strings.Contains(e, "sat"))
				}
			}
		}
	}
}

// checkDot runs a kernel of TestDot on every level, with extreme values among the inputs.
func checkDot(t *testing.T, m *ssa.Module, src string, bits int, signedA, signedB, uniform, sat bool) {
	const items = 333
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func(extreme uint32) uint32 {
		switch rnd.IntN(4) {
		case 0:
			return extreme
		case 1:
			return 0xffffffff
		}
		return rnd.Uint32()
	}
	low := uint32(0x80808080)
	if bits == 16 {
		low = 0x80008000
	}
	a, b, z := make(buf, 4*items), make(buf, 4*items), make(buf, 4*items)
	for i := range items {
		binary.LittleEndian.PutUint32(a[4*i:], random(low))
		binary.LittleEndian.PutUint32(b[4*i:], random(low))
		binary.LittleEndian.PutUint32(z[4*i:], random(0x7fffffff))
	}
	part := func(p []byte, k int, signed bool) int64 {
		if bits == 16 {
			return int64(int16(binary.LittleEndian.Uint16(p[2*k:])))
		}
		if signed {
			return int64(int8(p[k]))
		}
		return int64(p[k])
	}
	execs := Executors(Options{Panics: true})
	for _, exec := range append(execs, interp.Reference) {
		got, msg := run(t, m, "k", exec, []uint64{items}, []uint64{items}, []any{z, a, b})
		if msg != "" {
			t.Fatalf("%s: %s\n%s", exec.Name(), msg, src)
		}
		for i := range items {
			x, y := a[4*i:], b[4*i:]
			if uniform {
				y = b
			}
			old := binary.LittleEndian.Uint32(z[4*i:])
			sum, least, most := int64(int32(old)), int64(math.MinInt32), int64(math.MaxInt32)
			if !signedA && !signedB {
				sum, least, most = int64(old), 0, math.MaxUint32
			}
			for k := range 32 / bits {
				sum += part(x, k, signedA) * part(y, k, signedB)
			}
			if sat {
				sum = min(max(sum, least), most)
			}
			if g := binary.LittleEndian.Uint32(got[0][4*i:]); g != uint32(sum) {
				t.Fatalf("%s: item %d: %#x, want %#x\n%s", exec.Name(), i, g, uint32(sum), src)
			}
		}
	}
}

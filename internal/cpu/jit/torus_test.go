//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/explain"
)

// torusForms are ways to write the index of a neighbour of x in rows of w whose ends are neighbours. All are permutations.
var torusForms = []string{
	"(x + 1) % w", "(x + w - 1) % w", "(x + 1) & (w - 1)", "(x - 1) & (w - 1)", "(x + 63) % 64", "(x + 1) & 63",
	"(x + w - 3) % w", "(x + 2) % w", "x == w - 1 ? 0 : x + 1", "x < 2 ? x + w - 2 : x - 2",
}

// torusKernels returns kernels whose work-items exchange an element with a neighbour in a volume of rows, unless data say
// otherwise. The parts of an offset have different widths.
func torusKernels() string {
	var b strings.Builder
	for n, form := range torusForms {
		for k, t := range []string{"float", "short", "double", "uchar"} {
			u, wide := []string{"int", "uint", "size_t"}[(n+k)%3], []string{"ulong", "long", "uint"}[(n+k/2)%3]
			fmt.Fprintf(&b, "kernel void torus_%d_%d(global %s *y, global const %s *f, global const uchar *solid, uint w, uint h, uint from, %s far) {\n", n, k, t, t, wide)
			fmt.Fprintf(&b, "%s n = get_global_id(0), layer = w * h;\nif (solid[n] == 1) return;\n", u)
			row := "w"
			if strings.Contains(form, "6") {
				row = "64"
			}
			fmt.Fprintf(&b, "%s t = n %% layer, x = t %% %s, r = t / w, z = n / layer;\n", u, row)
			fmt.Fprintf(&b, "%s at = (%s) + (r + 1) %% h * w + z * layer + from;\n", u, form)
			b.WriteString("y[far + at] += f[far + at] + f[n]; }\n")
		}
	}
	return b.String()
}

// TestTorus compares accesses to neighbours in a volume whose sides are neighbours. In some launches 32-bit parts of offsets wrap.
func TestTorus(t *testing.T) {
	m := build(t, torusKernels())
	const cells = 64 * 3 * 2
	solid := filled(cells, func(i int) byte { return byte(i * 41 >> 4 & 7) })
	type offsets struct {
		from uint32
		far  int64
	}
	for n := range torusForms {
		for k := range 4 {
			for i, o := range []offsets{{400, 0}, {8, 5}, {0, -3}, {0xfffffff0, 1<<32 - 0x20}, {0xfffffff9, 0}, {0xffffff80, -0xffffff00}} {
				if (i+n+k)%2 > 0 {
					continue
				}
				w, h := uint32(64), uint32(3)
				if i/2%2 > 0 && !strings.Contains(torusForms[n], "&") && !strings.Contains(torusForms[n], "6") {
					w, h = 96, 2
				}
				size := []int{4, 2, 8, 1}[k]
				data := filled(size*(2*cells+64), func(i int) byte { return byte(i*37>>2 + i>>8) })
				far := any(binary.LittleEndian.AppendUint64(nil, uint64(o.far)))
				if (n+k/2)%3 == 2 {
					far = i32(int(int32(o.far)))
				}
				s := []shape{{[]uint64{cells}, []uint64{64}}, {[]uint64{cells - 13}, []uint64{32}}}[n%2]
				alike(t, m, fmt.Sprintf("torus_%d_%d", n, k), []shape{s}, data, filled(len(data), func(i int) byte { return byte(i * 29 >> 1) }), solid, i32(int(int32(w))), i32(int(int32(h))), i32(int(int32(o.from))), far)
			}
		}
	}
}

// TestTorusShapes: neighbours in rows of a volume need no gather, also where data have parted the lanes.
func TestTorusShapes(t *testing.T) {
	m := build(t, torusKernels())
	for n := range torusForms {
		for _, lv := range levels() {
			name := fmt.Sprintf("torus_%d_0", n)
			c := compiled(t, m.Func(name), Options{Level: lv})
			if c.base.Shapes>>explain.Joined&1 == 0 {
				t.Errorf("%s on %s: the shapes are %b", name, lv.Name, c.base.Shapes)
			}
		}
	}
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// largeKernels are generators of kernels k(src, result) with about n statements, for 64 work-items. src has 64
// integers, result has room for n integers or 1,024 int4.
var largeKernels = []struct {
	name string
	body func(w *strings.Builder, n int)
}{
	// Straight line: the same few values, combined and stored again and again.
	{"vectors", func(w *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(w, "r[%d] = (int4)(s[%d], vload2(0, s + %d), s[%d]);\n", i, i%16, i%13, i%7)
		}
	}},
	// The same with constants.
	{"literals", func(w *strings.Builder, n int) {
		for i := range n {
			fmt.Fprintf(w, "r[%d] = (int4)(%d, %d, x, %d);\n", i, i, i*i%65521, -i)
		}
	}},
	// A long chain that keeps sixteen values live, as hash functions do.
	{"rounds", func(w *strings.Builder, n int) {
		w.WriteString("uint a0")
		for i := 1; i < 16; i++ {
			fmt.Fprintf(w, ", a%d", i)
		}
		w.WriteString(";\n")
		for i := range 16 {
			fmt.Fprintf(w, "a%d = s[%d] + x;\n", i, i)
		}
		for i := range n {
			fmt.Fprintf(w, "a%d += rotate(a%d ^ a%d, %du) + 0x%xu;\n", i%16, (i+3)%16, (i+7)%16, 1+i%31, uint32(i)*2654435761)
		}
		for i := range 4 {
			fmt.Fprintf(w, "r[%d + x] = (int4)(a%d, a%d, a%d, a%d);\n", 64*i, 4*i, 4*i+1, 4*i+2, 4*i+3)
		}
	}},
	// Many values that are live from the beginning to the end.
	{"alive", func(w *strings.Builder, n int) {
		for i := range n / 2 {
			fmt.Fprintf(w, "int a%d = s[%d] * (x + %d);\n", i, i%64, i)
		}
		for i := range n / 2 {
			fmt.Fprintf(w, "r[%d + x].x += a%d;\n", 64*(i%16), n/2-1-i)
		}
	}},
	// A divergent branch every few statements.
	{"branches", func(w *strings.Builder, n int) {
		w.WriteString("int a = x, b = s[x];\n")
		for i := range n / 3 {
			fmt.Fprintf(w, "if (a > b + %d) { a ^= b * %d; r[x].y = a; }\nelse b += a;\n", i, i)
		}
		w.WriteString("r[x].x = a + b;\n")
	}},
	// Uniform branches.
	{"uniform", func(w *strings.Builder, n int) {
		w.WriteString("int a = x, b = s[x];\n")
		for i := range n / 3 {
			fmt.Fprintf(w, "if (s[%d] > %d) { a ^= b * %d; r[x].y = a; }\nelse b += a;\n", i%64, i, i)
		}
		w.WriteString("r[x].x = a + b;\n")
	}},
	// Loops, one after the other.
	{"loops", func(w *strings.Builder, n int) {
		w.WriteString("int a = x, b = s[x];\n")
		for i := range n / 3 {
			fmt.Fprintf(w, "for (int i = 0; i < s[%d]; i++) { a ^= b * %d; b += a ^ %d; }\n", i%64, i, i)
		}
		w.WriteString("r[x].x = a + b;\n")
	}},
	// Writes to a private array at constant and variable indices.
	{"private", func(w *strings.Builder, n int) {
		w.WriteString("int a[32];\nfor (int i = 0; i < 32; i++) a[i] = s[i];\n")
		for i := range n {
			fmt.Fprintf(w, "a[%d] += a[(x + %d) & 31] * %d;\n", i%32, i, i)
		}
		w.WriteString("r[x].x = a[x & 31];\n")
	}},
	// Calls of a function with a loop and a library function.
	{"calls", func(w *strings.Builder, n int) {
		w.WriteString("int a = x;\n")
		for i := range n / 12 {
			fmt.Fprintf(w, "a = helper(a, %d, s);\n", i)
		}
		w.WriteString("r[x].x = a;\n")
	}},
}

const largeHelper = `
int helper(int a, int b, global const int *s) {
	for (int i = 0; i < (b & 3); i++) a = mad24(a, b, s[i]);
	if (a < 0) return hadd(a, b);
	return a ^ b;
}
`

func largeSource(body func(*strings.Builder, int), n int) string {
	var w strings.Builder
	w.WriteString(largeHelper + "kernel void k(global const int *s, global int4 *r) {\nint x = get_global_id(0);\n")
	body(&w, n)
	w.WriteString("}\n")
	return w.String()
}

// TestLarge: large kernels have machine code on every level, with the reference executor's results.
func TestLarge(t *testing.T) {
	const n, items = 120, 64
	src := make([]byte, 4*64)
	for i := range 64 {
		src[4*i] = byte(rand.IntN(200)) // small, because they are iteration counts too
	}
	for _, lk := range largeKernels {
		m := build(t, largeSource(lk.body, n))
		run := func(e exec.Executor) []byte {
			k := kernelOf(t, m, e, "k")
			out := make([]byte, 16*1024)
			if _, err := RunRobust(&launch.Launch{Kernel: k, Args: []launch.Arg{mem(src), mem(out)}, Range: launch.Range{Global: []uint64{items}}, Workers: 1}); err != nil {
				t.Fatalf("%s on %s: %v", lk.name, e.Name(), err)
			}
			return out
		}
		want := run(interp.Reference)
		for _, lv := range levels() {
			for factor := 1; factor <= 4; factor *= 2 {
				if _, err := compileKernel(m.Func("k"), Options{Panics: true, Level: lv, Lanes: factor * lv.Lanes}, nil); err != nil {
					t.Errorf("%s on %s x%d: no machine code: %v", lk.name, lv.Name, factor, err)
				}
				if got := run(New(Options{Panics: true, Level: lv, Lanes: factor * lv.Lanes})); !bytes.Equal(got, want) {
					t.Errorf("%s on %s x%d: differs from the reference executor", lk.name, lv.Name, factor)
				}
			}
		}
	}
}

// BenchmarkLarge measures the compilation of large kernels from source to machine code.
func BenchmarkLarge(b *testing.B) {
	for _, lk := range largeKernels {
		for _, n := range []int{1000, 4000, 16000} {
			src := []byte(largeSource(lk.body, n))
			for _, width := range []struct {
				name  string
				lanes int
			}{{"", 0}, {"x64", 4 * Level().Lanes}} {
				b.Run(fmt.Sprintf("%s/%d%s", lk.name, n, width.name), func(b *testing.B) {
					var times timing.Times
					var code *Code
					var f *ssa.Func
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					for b.Loop() {
						res, err := compile.Compile(context.Background(), "t.cl", src, &compile.Options{Source: option.Source{Std: opencl.CL30}})
						if err != nil {
							b.Fatal(err)
						}
						times.Add(&res.Took)
						f = res.Module.Func("k")
						if code, err = compileKernel(f, Options{Panics: true, Level: Level(), Lanes: width.lanes}, nil); err != nil {
							b.Fatal(err)
						}
						t := code.Times()
						times.Add(&t)
					}
					runtime.ReadMemStats(&after)
					b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/(1<<20), "MB")
					b.ReportMetric(float64(f.CountValues()), "values")
					b.ReportMetric(float64(len(code.Bytes())), "codebytes")
					for p := timing.Check; p <= timing.Encode; p++ {
						b.ReportMetric(times[p].Seconds()*1000/float64(b.N), strings.ReplaceAll(p.String(), " ", "")+"-ms")
					}
				})
			}
		}
	}
}

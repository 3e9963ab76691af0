//go:build linux && amd64

package bench

import (
	"context"
	"runtime"
	"testing"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// optimised returns the optimised kernels of all rows, one for each source and options. Kernels with images are left out:
// their code depends on formats.
func optimised(tb testing.TB) (list []*ssa.Func) {
	seen := map[[3]string]bool{}
	for _, r := range Rows() {
		if key := [3]string{r.File, r.Kernel, r.Options}; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		src, err := r.source()
		if err != nil {
			tb.Fatal(err)
		}
		o, err := option.Parse(r.Options)
		if err != nil {
			tb.Fatal(err)
		}
		res, err := compile.Compile(context.Background(), r.File, []byte(src), &compile.Options{Source: o.Source})
		if err != nil {
			tb.Fatal(r.Name, err)
		}
		f := res.Module.Func(r.Kernel)
		if imagecode.New(f) != nil {
			continue
		}
		// The first code of a kernel is for any work-groups.
		k, g := *f.Kernel, *f
		k.ReqdGroupSize, g.Kernel = [3]int64{}, &k
		list = append(list, &g)
	}
	return list
}

// BenchmarkCodegen makes machine code of all rows' kernels. It reports the milliseconds of each stage: the sum of the
// kernels' least times, which other programs distort little. cpu-ms includes the garbage collector, if GOMAXPROCS is 1.
func BenchmarkCodegen(b *testing.B) {
	stages := []timing.Phase{timing.SPMD, timing.Gang, timing.Codegen, timing.Alloc, timing.Encode}
	kernels := optimised(b)
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
		b.Run(lv.Name, func(b *testing.B) {
			least, insts := make([]timing.Times, len(kernels)), 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := timing.Processor()
			rounds := 0
			for b.Loop() {
				insts = 0
				for i, f := range kernels {
					c, t, err := jit.Measure(f, lv)
					if err != nil {
						b.Fatal(f.Name, err)
					}
					insts += c.Size.Insts
					for _, p := range stages {
						if rounds == 0 || t[p] < least[i][p] {
							least[i][p] = t[p]
						}
					}
				}
				rounds++
			}
			n := float64(rounds)
			b.ReportMetric(float64((timing.Processor()-began).Microseconds())/1e3/n, "cpu-ms")
			runtime.ReadMemStats(&after)
			var sum timing.Times
			for i := range least {
				sum.Add(&least[i])
			}
			for _, p := range stages {
				b.ReportMetric(float64(sum[p].Microseconds())/1e3, p.String()+"-ms")
			}
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/n, "allocs")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/n/1e6, "MB")
			b.ReportMetric(float64(insts), "insts")
		})
	}
}

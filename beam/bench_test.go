package beam_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/purecl/purecl"
	"github.com/purecl/purecl/beam"
)

// A Pair is an element of 8 bytes, whose result has 4.
type Pair struct{ X, Y float32 }

const sumSource = "kernel void sum(global const float *x, global const float *y, global float *out, float a) { size_t i = get_global_id(0); out[i] = a * x[i] + y[i]; }"

var sum = beam.NewMap[int, Pair, float32, Factor](beam.Kernel{Name: "sum", Source: sumSource})

// Factor is the constant of sum.
type Factor struct{ A float32 }

// guarded is sum over a table of one entry, in which elements with a negative x are bad.
var guarded = beam.NewMap[int, Pair, float32, Factor](beam.Kernel{Name: "guarded",
	Source: `kernel void guarded(global const float *x, global const float *y, global float *out, float a) {
		size_t i = get_global_id(0); out[x[i] < 0 ? (size_t)-1 : i] = a * x[i] + y[i]; }`})

// busy computes for some microseconds per element, with one thread per launch.
var busy = beam.NewMap[int, Pair, float32, Factor](beam.Kernel{Name: "busy", Threads: 1,
	Source: `kernel void busy(global const float *x, global const float *y, global float *out, float a) {
		size_t i = get_global_id(0); float v = x[i]; for (int k = 0; k < 20000; k++) v = fma(v, a, y[i]); out[i] = v; }`})

func init() {
	register.Function3x0(generate)
	register.Function2x0(drop)
	register.Function2x0(dropPair)
	register.Function4x1(combine)
	register.Emitter2[int, float32]()
	register.Emitter2[int, Pair]()
}

// generate emits elements from number first on; every every-th one is bad for guarded.
func generate(first int, plan generated, emit func(int, Pair)) {
	for i := range plan.N {
		p := Pair{float32(i), 1}
		if plan.Every > 0 && i%plan.Every == plan.Every/2 {
			p.X = -1
		}
		emit(first+i, p)
	}
}

type generated struct{ N, Every int }

func drop(int, float32)  {}
func dropPair(int, Pair) {}

// combine is sum in Go.
func combine(k int, p Pair, f Factor, emit func(int, float32)) error {
	emit(k, f.A*p.X+p.Y)
	return nil
}

type order struct {
	First int
	Plan  generated
}

func init() { register.Function1x2(unorder) }

func unorder(o order) (int, generated) { return o.First, o.Plan }

// pipeline runs n elements through m, in a number of branches, and returns the duration and the number of launches.
// If m is nil, it only moves the elements, or computes them in Go.
func pipeline(b *testing.B, m *beam.Mapping[int, Pair, float32, Factor], inGo bool, n, every, branches int, o beam.Options) (time.Duration, int64) {
	b.Helper()
	p, s := sdk.NewPipelineWithRoot()
	for i := range branches {
		in := sdk.ParDo(s, generate, sdk.ParDo(s, unorder, sdk.Create(s, order{i * (n / branches), generated{n / branches, every}})))
		switch {
		case inGo:
			sdk.ParDo0(s, drop, sdk.ParDo(s, combine, in, sdk.SideInput{Input: sdk.Create(s, Factor{0.999})}))
			continue
		case m == nil:
			sdk.ParDo0(s, dropPair, in)
			continue
		}
		out, _, err := m.Apply(s, in, sdk.Create(s, Factor{0.999}), o)
		if err != nil {
			b.Fatal(err)
		}
		sdk.ParDo0(s, drop, out)
	}
	begin := time.Now()
	res, err := prism.Execute(context.Background(), p)
	if err != nil {
		b.Fatal(err)
	}
	took, launches := time.Since(begin), int64(0)
	for _, c := range res.Metrics().Query(func(r metrics.SingleResult) bool { return r.Name() == "launches" }).Counters() {
		launches += c.Result()
	}
	return took, launches
}

// BenchmarkBatches compares Map, in batches of several sizes, with a plain loop of launches over the same batches,
// with Beam alone, and with a DoFn that computes the same in Go.
func BenchmarkBatches(b *testing.B) {
	prog, err := purecl.Compile(sumSource)
	if err != nil {
		b.Fatal(err)
	}
	k, _ := prog.Kernel("sum")
	for _, mib := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("%dMiB", mib), func(b *testing.B) {
			const bytes = 12
			batch := mib << 20 / bytes
			n := max(batch, 4<<20)
			var alone, inGo, mapped, loop time.Duration
			for range b.N {
				t, _ := pipeline(b, nil, false, n, 0, 1, beam.Options{})
				alone += t
				t, _ = pipeline(b, nil, true, n, 0, 1, beam.Options{})
				inGo += t
				t, _ = pipeline(b, sum, false, n, 0, 1, beam.Options{BatchBytes: mib << 20})
				mapped += t
				x, y, z := make([]float32, batch), make([]float32, batch), make([]float32, batch)
				begin := time.Now()
				for done := 0; done < n; done += batch {
					for i := range min(batch, n-done) {
						x[i], y[i] = float32(done+i), 1
					}
					if err := k.Run(context.Background(), purecl.Range(min(batch, n-done)), x, y, z, float32(0.999)); err != nil {
						b.Fatal(err)
					}
				}
				loop += time.Since(begin)
			}
			each := float64(b.N) * float64(n)
			b.ReportMetric(float64(alone)/each, "beam-ns/elem")
			b.ReportMetric(float64(inGo)/each, "dofn-ns/elem")
			b.ReportMetric(float64(mapped)/each, "map-ns/elem")
			b.ReportMetric(float64(loop)/each, "loop-ns/elem")
		})
	}
}

// BenchmarkBad compares runs with no bad elements and with one in a hundred.
func BenchmarkBad(b *testing.B) {
	const n = 1 << 20
	for _, every := range []int{0, 100_000, 100} {
		b.Run(fmt.Sprintf("one-of-%d", every), func(b *testing.B) {
			var launches int64
			var took time.Duration
			for range b.N {
				t, l := pipeline(b, guarded, false, n, every, 1, beam.Options{})
				took, launches = took+t, launches+l
			}
			b.ReportMetric(float64(took)/float64(b.N)/n, "ns/elem")
			b.ReportMetric(float64(launches)/float64(b.N), "launches")
		})
	}
}

// BenchmarkBranches compares the speed of branches that Prism runs concurrently with that of one.
func BenchmarkBranches(b *testing.B) {
	var one float64
	for _, branches := range []int{1, 2, 4, 8, 16} {
		b.Run(fmt.Sprint(branches), func(b *testing.B) {
			var took time.Duration
			for range b.N {
				t, _ := pipeline(b, busy, false, branches*50_000, 0, branches, beam.Options{})
				took += t
			}
			each := float64(took) / float64(b.N) / float64(branches)
			if branches == 1 {
				one = each
			}
			b.ReportMetric(one/each, "times-one")
		})
	}
}

package beam_test

import (
	"context"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/purecl/purecl"
	"github.com/purecl/purecl/beam"
	"github.com/purecl/purecl/vec"
)

func TestMain(m *testing.M) {
	sdk.Init()
	os.Exit(m.Run())
}

type Point struct {
	X, Y float32
	Tint vec.Uchar4
}

type Polar struct {
	R, Phi float32
	Tint   vec.Uchar4
}

type Scale struct {
	Factor float32
	Table  []float32
}

var polar = beam.NewMap[int, Point, Polar, Scale](beam.Kernel{
	Name: "polar",
	Source: `kernel void polar(global const float *x, global const float *y, global uchar4 *tint, global float *r, global float *phi,
		float factor, constant float *table, uint n)
	{
		size_t i = get_global_id(0);
		r[i] = hypot(x[i], y[i]) * factor + table[i % 2];
		phi[i] = atan2(y[i], x[i]);
		tint[i] = tint[i].wzyx;
	}`,
})

// pick reads a table at the element: elements outside of the table are bad.
var pick = beam.NewMap[string, int32, float32, Scale](beam.Kernel{
	Name:   "pick",
	Source: "kernel void pick(global const int *in, global float *out, global const float *table) { size_t i = get_global_id(0); out[i] = table[in[i]]; }",
})

func init() {
	register.Function2x1(formatPolar)
	register.Function2x1(formatFloat)
	register.Function1x1(formatBad)
}

// run runs a pipeline on Prism.
func run(t *testing.T, p *sdk.Pipeline) sdk.PipelineResult {
	t.Helper()
	res, err := prism.Execute(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

type numbered struct {
	N int
	P Point
}

func init() { register.Function1x2(number) }

func number(n numbered) (int, Point) { return n.N, n.P }

type row struct {
	Key int
	P   Polar
}

func formatPolar(k int, p Polar) row { return row{k, p} }

func point(i int) Point {
	return Point{float32(i) - 50, float32(i*i%71) / 7, vec.Uchar4{uint8(i), 2, 3, 4}}
}

// TestMap compares with the same kernel on slices, for batches of several sizes.
func TestMap(t *testing.T) {
	const n = 1000
	table := []float32{0.5, -3}
	var want []any
	prog, err := purecl.Compile(`kernel void k(global const float *x, global const float *y, global float *r, global float *phi) {
		size_t i = get_global_id(0); r[i] = hypot(x[i], y[i]) * 2; phi[i] = atan2(y[i], x[i]); }`)
	if err != nil {
		t.Fatal(err)
	}
	k, _ := prog.Kernel("k")
	x, y, r, phi := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = point(i).X, point(i).Y
	}
	if err := k.Run(context.Background(), purecl.Range(n), x, y, r, phi); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		want = append(want, row{i, Polar{r[i] + 0.5, phi[i], vec.Uchar4{4, 3, 2, uint8(i)}}})
	}
	for _, bytes := range []int{0, 1000, 1} {
		p, s := sdk.NewPipelineWithRoot()
		var in []any
		for i := range n {
			in = append(in, numbered{i, point(i)})
		}
		elements := sdk.ParDo(s, number, sdk.Create(s, in...))
		same := table
		if bytes != 1 {
			same = []float32{0.5, 0.5} // the index in the batch selects the entry
		}
		out, bad, err := polar.Apply(s, elements, sdk.Create(s, Scale{2, same}), beam.Options{BatchBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		passert.Equals(s, sdk.ParDo(s, formatPolar, out), want...)
		passert.Empty(s, bad)
		run(t, p)
	}
}

func formatFloat(k string, v float32) string { return k + "=" + string(rune('0'+int(v))) }

func formatBad(b beam.Bad[string, int32]) string {
	return b.Key + ": " + b.Finding.Kind
}

type word struct {
	Key string
	I   int32
}

func init() { register.Function1x2(split) }

func split(w word) (string, int32) { return w.Key, w.I }

// TestBad checks that only the elements on which the kernel faults are in the second output, and that the others
// have their results.
func TestBad(t *testing.T) {
	p, s := sdk.NewPipelineWithRoot()
	var in []any
	var good, bads []any
	for i := range 200 {
		w := word{strings.Repeat("k", i%3) + string(rune('a'+i%26)), int32(i % 4)}
		if i%50 == 7 {
			w.I = math.MaxInt32 - int32(i)
			bads = append(bads, w.Key+": out-of-bounds")
		} else {
			good = append(good, formatFloat(w.Key, float32(w.I+1)))
		}
		in = append(in, w)
	}
	elements := sdk.ParDo(s, split, sdk.Create(s, in...))
	out, bad, err := pick.Apply(s, elements, sdk.Create(s, Scale{Table: []float32{1, 2, 3, 4}}), beam.Options{})
	if err != nil {
		t.Fatal(err)
	}
	passert.Equals(s, sdk.ParDo(s, formatFloat, out), good...)
	passert.Equals(s, sdk.ParDo(s, formatBad, bad), bads...)
	res := run(t, p)
	counts := map[string]int64{}
	for _, c := range res.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == beam.Namespace }).Counters() {
		counts[c.Name()] += c.Result()
	}
	if counts["faults"] != int64(len(bads)) || counts["launches"] < int64(len(bads)) || counts["bytes"] == 0 {
		t.Errorf("metrics %v, want %d faults", counts, len(bads))
	}
}

// fussy faults at several positions: for elements below 0, above 9, and after an element 7, which none does alone.
var fussy = beam.NewMap[string, int32, float32, beam.None](beam.Kernel{
	Name: "fussy",
	Source: `kernel void fussy(global const int *in, global float *out) {
		size_t i = get_global_id(0);
		if (in[i] < 0) out[-1] = 0;
		if (in[i] > 9) out[i] = *(global float *)0;
		if (i > 0 && in[i-1] == 7) out[-2] = 0;
		out[i] = in[i];
	}`,
})

// TestManyBad checks that elements that fault alone are bad and all others good, for any share of them, at several
// positions, and if elements fault only beside others.
func TestManyBad(t *testing.T) {
	for name, value := range map[string]func(i int) int32{
		"all":     func(int) int32 { return -1 },
		"half":    func(i int) int32 { return int32(i%2) * 10 },
		"first":   func(i int) int32 { return int32(min(i, 1)) - 1 },
		"last":    func(i int) int32 { return int32(i / 299 * 10) },
		"places":  func(i int) int32 { return int32(i*7919%13) - 2 },
		"beside":  func(i int) int32 { return int32(i % 8) },
		"nothing": func(int) int32 { return 1 },
	} {
		for _, bytes := range []int{0, 80} {
			var in, good, bads []any
			for i := range 300 {
				w := word{strconv.Itoa(i), value(i)}
				in = append(in, w)
				if w.I < 0 || w.I > 9 {
					bads = append(bads, w.Key+": "+map[bool]string{true: "out-of-bounds", false: "null-pointer"}[w.I < 0])
				} else {
					good = append(good, formatFloat(w.Key, float32(w.I)))
				}
			}
			p, s := sdk.NewPipelineWithRoot()
			out, bad, err := fussy.Apply(s, sdk.ParDo(s, split, sdk.Create(s, in...)), sdk.PCollection{}, beam.Options{BatchBytes: bytes})
			if err != nil {
				t.Fatal(err)
			}
			equal(s, sdk.ParDo(s, formatFloat, out), good)
			equal(s, sdk.ParDo(s, formatBad, bad), bads)
			t.Run(name, func(t *testing.T) { run(t, p) })
		}
	}
}

// equal is passert.Equals, which does not accept an empty list.
func equal(s sdk.Scope, c sdk.PCollection, want []any) {
	if len(want) == 0 {
		passert.Empty(s, c)
		return
	}
	passert.Equals(s, c, want...)
}

// TestFail checks that with FailOnFault the pipeline fails with the key and the finding.
func TestFail(t *testing.T) {
	p, s := sdk.NewPipelineWithRoot()
	elements := sdk.ParDo(s, split, sdk.Create(s, word{"first", 1}, word{"second", -1}))
	if _, _, err := pick.Apply(s, elements, sdk.Create(s, Scale{Table: []float32{1, 2}}), beam.Options{FailOnFault: true}); err != nil {
		t.Fatal(err)
	}
	_, err := prism.Execute(context.Background(), p)
	if err == nil || !strings.Contains(err.Error(), "second") || !strings.Contains(err.Error(), "table") {
		t.Errorf("error %v, want one that names the key and the buffer", err)
	}
}

// TestApplyErrors checks that mistakes are errors before the pipeline starts.
func TestApplyErrors(t *testing.T) {
	for _, c := range misfits {
		_, s := sdk.NewPipelineWithRoot()
		elements := sdk.ParDo(s, split, sdk.Create(s, word{"a", 1}))
		_, _, err := c.m.Apply(s, elements, sdk.PCollection{}, beam.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	_, s := sdk.NewPipelineWithRoot()
	elements := sdk.ParDo(s, split, sdk.Create(s, word{"a", 1}))
	if _, _, err := pick.Apply(s, elements, sdk.PCollection{}, beam.Options{}); err == nil || !strings.Contains(err.Error(), "constants") {
		t.Errorf("no constants: error %v", err)
	}
	var build *purecl.BuildError
	if _, _, err := misfits[0].m.Apply(s, elements, sdk.PCollection{}, beam.Options{}); !errors.As(err, &build) {
		t.Errorf("error %v is no BuildError", err)
	}
}

func misfit(source string) *beam.Mapping[string, int32, float32, beam.None] {
	return beam.NewMap[string, int32, float32, beam.None](beam.Kernel{Name: "k", Source: source})
}

var misfits = []struct {
	name, want string
	m          *beam.Mapping[string, int32, float32, beam.None]
}{
	{"no OpenCL C", "expected", misfit("kernel void k(global int *in {}")},
	{"no kernel of that name", `"k"`, misfit("kernel void other(global int *in) {}")},
	{"a parameter without partner", `parameter "extra" (float) has no partner`, misfit("kernel void k(global int *in, global float *out, float extra) {}")},
	{"an output without parameter", `output column "out" has no parameter`, misfit("kernel void k(global int *in) {}")},
	{"another type", "in, float*", misfit("kernel void k(global float *in, global float *out) {}")},
}

package builtin_test

import (
	"bytes"
	"flag"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/front/builtin"
)

// update makes the accuracy tests write their measurements to testdata/accuracy.txt, from which docs/builtins.md is
// generated.
var update = flag.Bool("update", false, "accuracy tests: write testdata/accuracy.txt")

// A measurement is a form of a call with an oracle for its result.
type measurement struct {
	row  *builtin.Row
	base string // name of the oracle
	text string // statement that sets r; T is the type, N the int type, x and y the arguments
	args int
}

// forms are the calls other than r = name(x) and r = name(x, y).
var forms = map[string][]measurement{
	"sincos":   {{base: "sin", text: "T c; r = sincos(x, &c);", args: 1}, {base: "cos", text: "T c; sincos(x, &c); r = c;", args: 1}},
	"lgamma_r": {{base: "lgamma", text: "N s; r = lgamma_r(x, &s);", args: 1}},
	"pown":     {{base: "pown", text: "r = pown(x, NUM(y));", args: 2}},
	"rootn":    {{base: "rootn", text: "r = rootn(x, NUM(y));", args: 2}},
}

// measurements yields the calls of functions with args arguments.
func measurements(args ...int) iter.Seq[measurement] {
	return func(yield func(measurement) bool) {
		for r := range builtin.Rows() {
			list, ok := forms[r.Name]
			if !ok {
				base := strings.TrimPrefix(strings.TrimPrefix(r.Name, "half_"), "native_")
				m := measurement{base: base, text: "r = " + r.Name + "(x);", args: 1 + strings.Count(r.Sigs[0], ",")}
				if m.args == 2 {
					m.text = "r = " + r.Name + "(x, y);"
				}
				list = []measurement{m}
			}
			for _, m := range list {
				m.row = r
				if slices.Contains(args, m.args) && !yield(m) {
					return
				}
			}
		}
	}
}

// A rough function has an implementation-defined accuracy. Where it has any, the error is in units in the last
// place of at least floor (for lgamma: of arguments below 0, where it has zeros). Elsewhere, results of finite
// arguments are numbers of a magnitude up to beyond, if that is not 0.
type rough struct{ low, high, floor, beyond float64 }

var roughs = map[string]rough{
	// The Khronos suite's bounds: 1 and 8192 times half an epsilon; any number.
	"half_sin": {-0x1p16, 0x1p16, 0, 1 + 0x1p-11}, "half_cos": {-0x1p16, 0x1p16, 0, 1 + 0x1p-11}, "half_tan": {-0x1p16, 0x1p16, 0, math.Inf(1)},
	"native_sin": {-0x1p16, 0x1p16, 1, 0}, "native_cos": {-0x1p16, 0x1p16, 1, 0}, "native_tan": {-0x1p16, 0x1p16, 0, 0},
	"lgamma": {math.Inf(-1), math.Inf(1), 1, 0}, "lgamma_r": {math.Inf(-1), math.Inf(1), 1, 0},
	"native_exp": {-86.6, math.Inf(1), 0, 0}, "native_exp2": {-125, math.Inf(1), 0, 0}, "native_exp10": {-37.6, math.Inf(1), 0, 0},
	"native_log": {0x1p-126, math.Inf(1), 1, 0}, "native_log2": {0x1p-126, math.Inf(1), 1, 0}, "native_log10": {0x1p-126, math.Inf(1), 1, 0},
}

// err returns a function that measures the error of a float result in ulp, or returns 0 if the function promises
// nothing.
func (m *measurement) err(f func(float64) float64) func(x, got float32) float64 {
	r, ok := roughs[m.row.Name]
	if !ok {
		return func(x, got float32) float64 { return ulpError(got, f(float64(x))) }
	}
	return func(x, got float32) float64 {
		if !(float64(x) >= r.low && float64(x) <= r.high) {
			if finite := x-x == 0; finite && r.beyond != 0 && !(math.Abs(float64(got)) <= r.beyond) {
				return math.Inf(1)
			}
			return 0
		}
		want := f(float64(x))
		e := ulpError(got, want)
		if math.Abs(want) < r.floor && !(m.base == "lgamma" && x > 0) {
			e = math.Abs(float64(got)-want) / (r.floor * 0x1p-23)
		}
		return e
	}
}

// floatOnly reports whether the function has no double and half versions.
func (m *measurement) floatOnly() bool { return strings.Contains(m.row.Sigs[0], "f32") }

// widths are the numbers of components of OpenCL C's types; each divides widthsMultiple.
var widths = [...]int{1, 2, 3, 4, 8, 16}

const widthsMultiple = 48

// kernel returns the source of a kernel with the call on n components.
func (m *measurement) kernel(typ string, n int) string {
	lanes, x, y, store := "", "gx[i]", "gy[i]", "out[i] = r;"
	if n > 1 {
		lanes = strconv.Itoa(n)
		x, y, store = "vload"+lanes+"(i, gx)", "vload"+lanes+"(i, gy)", "vstore"+lanes+"(r, i, out);"
	}
	return fmt.Sprintf(`#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T %[1]s%[2]s
#define N int%[2]s
#define NUM convert_int%[2]s
kernel void k(global const %[1]s *gx, global const %[1]s *gy, global %[1]s *out) {
	size_t i = get_global_id(0);
	T x = %[3]s, y = %[4]s, r;
	%[5]s
	%[6]s
}`, typ, lanes, x, y, m.text, store)
}

// A widthKernels is one call compiled for scalars and for vectors of every number of components, in the order of
// widths.
type widthKernels[T uint16 | float32 | float64] [len(widths)]kernel

// buildWidths compiles the call for elements of type typ; T is the Go type with its bits.
func buildWidths[T uint16 | float32 | float64](t testing.TB, m *measurement, typ string, workers int) *widthKernels[T] {
	ks := new(widthKernels[T])
	for i, n := range widths {
		ks[i] = build(t, m.kernel(typ, n))
		ks[i].workers = workers
	}
	return ks
}

// run puts the results for x and y into out, computed as scalars, and reports an error if a width gives other bits.
// The number of elements is a multiple of widthsMultiple.
func (ks *widthKernels[T]) run(t testing.TB, x, y, out []T) {
	ks[0].run(t, len(x), 0, raw(x), raw(y), raw(out))
	vector := make([]T, len(x))
	for i := 1; i < len(widths); i++ {
		ks[i].run(t, len(x)/widths[i], 0, raw(x), raw(y), raw(vector))
		if a, b := raw(out), raw(vector); !bytes.Equal(a, b) {
			at := 0
			for a[at] == b[at] {
				at++
			}
			at /= int(unsafe.Sizeof(x[0]))
			t.Errorf("of (%x, %x) scalar %x, with %d components %x", x[at], y[at], out[at], widths[i], vector[at])
		}
	}
}

// wholeWidths is n rounded up to a multiple of widthsMultiple.
func wholeWidths(n int) int { return (n + widthsMultiple - 1) / widthsMultiple * widthsMultiple }

const accuracyFile = "testdata/accuracy.txt"

const accuracyHead = `# Measured errors of math functions: function, type, number of arguments tried, worst error
# in ulp, arguments at which. Written by the accuracy tests: go test -run Accuracy -update.
`

// recorded returns the lines of the file by function and type.
func recorded(t testing.TB) map[string][]string {
	text, err := os.ReadFile(accuracyFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 4 && f[0] != "#" {
			lines[f[0]+" "+f[1]] = f
		}
	}
	return lines
}

// recordedArgs returns the arguments with a function's worst error in the file.
func recordedArgs(t testing.TB, r *builtin.Row, typ string) (args []float32) {
	line := recorded(t)[r.Name+" "+typ]
	for _, s := range line[min(4, len(line)):] {
		x, err := strconv.ParseFloat(s, 32)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, float32(x))
	}
	return args
}

// limitOf returns the permitted error, or this project's limit for functions without one. Half an ulp of correct
// rounding counts as 0.
func limitOf(r *builtin.Row, typ string) float64 {
	limit, open := r.Ulp.Float, 16.0
	if _, ok := roughs[r.Name]; ok {
		open = 128
	}
	switch typ {
	case "double":
		limit = r.Ulp.Double
	case "half":
		limit, open = r.Ulp.Half, 4
	}
	if limit < 0 {
		limit = open
	}
	return max(limit, 0.501)
}

// accuracyLine returns a line of the file as words.
func accuracyLine(r *builtin.Row, typ, coverage string, worst float64, at ...float64) []string {
	line := []string{r.Name, typ, coverage, fmt.Sprintf("%.4f", worst)}
	for _, x := range at {
		line = append(line, strconv.FormatFloat(x, 'x', -1, 64))
	}
	return line
}

// record compares a measured error with the limit and with the recorded one, or records it.
func record(t *testing.T, r *builtin.Row, typ, coverage string, worst float64, at ...float64) {
	t.Helper()
	if limit := limitOf(r, typ); !(worst <= limit) {
		t.Errorf("%s of %s: error %.4g ulp at %x, permitted %v", r.Name, typ, worst, at, limit)
		return
	}
	lines := recorded(t)
	key := r.Name + " " + typ
	old := lines[key]
	seen := -1.0
	if old != nil {
		seen, _ = strconv.ParseFloat(old[3], 64)
	}
	if !*update {
		if worst > seen+0.001 {
			t.Errorf("%s: error %.4f ulp at %x, %s says %.4f: run with -update", key, worst, at, accuracyFile, seen)
		}
		return
	}
	if worst <= seen+0.00005 && (updated[key] || old[2] == "all" && coverage != "all") {
		return // another form, or a smaller run
	}
	updated[key] = true
	lines[key] = accuracyLine(r, typ, coverage, worst, at...)
	keys := make([]string, 0, len(lines))
	for k := range lines {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := []byte(accuracyHead)
	for _, k := range keys {
		out = append(out, strings.Join(lines[k], " ")+"\n"...)
	}
	if err := os.WriteFile(accuracyFile, out, 0o666); err != nil {
		t.Fatal(err)
	}
}

var updated = map[string]bool{}

// TestAccuracyTable checks that every math function with a bound is measured, in every type that it has, and is
// within the bound.
func TestAccuracyTable(t *testing.T) {
	lines := recorded(t)
	for r := range builtin.Rows() {
		if !strings.HasPrefix(r.Spec, "Math Functions") && !strings.HasPrefix(r.Spec, "Geometric Functions") || strings.HasPrefix(r.Name, "half_") || strings.HasPrefix(r.Name, "native_") {
			continue
		}
		for typ, ulp := range map[string]float64{"float": r.Ulp.Float, "double": r.Ulp.Double, "half": r.Ulp.Half} {
			if typ != "float" && strings.Contains(r.Sigs[0], "f32") || typ == "half" && math.IsNaN(ulp) {
				continue
			}
			line := lines[r.Name+" "+typ]
			if line == nil {
				if ulp > 0 {
					t.Errorf("%s of %s is not measured", r.Name, typ)
				}
				continue
			}
			if worst, err := strconv.ParseFloat(line[3], 64); err != nil || worst > limitOf(r, typ) || math.IsNaN(worst) {
				t.Errorf("%s of %s: %s ulp", r.Name, typ, line[3])
			}
		}
	}
}

package filetest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Finding is an error that a run reported, such as a failed build or an access out of bounds.
type Finding struct {
	Code string
	Text string
	Line int // in the source, 0 if unknown
}

// A Result is the result of a run: the buffers by argument name, and the findings.
type Result struct {
	Buffers  map[string][]byte
	Findings []Finding
}

// An Executor runs a case. Its error is a failure of the test itself.
type Executor struct {
	Name string
	Run  func(c *Case) (*Result, error)
}

// Runs runs the .cl and .ssa files below dir that begin with a "run:" header on every executor. With -update the
// first executor's results become the expectations.
func Runs(t *testing.T, dir string, executors ...Executor) {
	t.Helper()
	files(t, dir, []string{".cl", ".ssa"}, func(t *testing.T, path string, src []byte) []byte {
		cases, err := ParseRuns(path, src)
		if err != nil {
			t.Fatal(err)
		}
		if len(cases) == 0 {
			t.Fatalf("%s: no run header", path)
		}
		edits := map[int]string{} // by line number
		for _, c := range cases {
			for i, x := range executors {
				t.Run(fmt.Sprintf("%d/%s", c.Line, x.Name), func(t *testing.T) {
					res, err := x.Run(c)
					if err != nil {
						t.Fatalf("%s:%d: %v", c.Path, c.Line, err)
					}
					if problems := c.Check(res); len(problems) > 0 {
						if *update && i == 0 {
							c.rewrite(res, edits)
							return
						}
						t.Error(strings.Join(problems, "\n"))
					}
				})
			}
		}
		return applyEdits(src, edits)
	})
}

// Check compares a result with the header's expectations and returns the differences.
func (c *Case) Check(res *Result) (problems []string) {
	report := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s:%d: ", c.Path, line)+fmt.Sprintf(format, args...))
	}
	for _, w := range c.errors {
		w.found = false
	}
	for _, f := range res.Findings {
		i := slices.IndexFunc(c.errors, func(w *expectation) bool { return !w.found && w.fits(&f) })
		if i < 0 {
			report(max(f.Line, c.Line), "not expected: %s %q", f.Code, f.Text)
			continue
		}
		c.errors[i].found = true
	}
	for _, w := range c.errors {
		if !w.found {
			report(w.Line, "%s %q expected, not reported", w.Code, w.parts)
		}
	}
	for _, w := range c.wants {
		a := c.Arg(w.arg)
		b := res.Buffers[w.arg]
		if len(b) < len(a.Data) {
			report(w.lines[0], "%s: the run returned %d bytes of %d", w.arg, len(b), len(a.Data))
			continue
		}
		w.compare(a, b, func(format string, args ...any) { report(w.lines[0], format, args...) })
	}
	return problems
}

// fits reports whether f matches the expectation.
func (w *expectation) fits(f *Finding) bool {
	return w.Code == f.Code && contains(f.Text, w.parts) && (!w.atLine || w.Line == f.Line)
}

// compare reports at most eight elements that differ.
func (w *want) compare(a *Arg, b []byte, report func(format string, args ...any)) {
	t := a.Type
	bad := 0
	for i, e := range w.elems {
		got := get(b, t, i)
		if w.equal(t.Kind, got, e) {
			continue
		}
		if bad++; bad > 8 {
			continue
		}
		at := fmt.Sprintf("%s[%d]", w.arg, i/t.Lanes)
		if t.Lanes > 1 {
			at += fmt.Sprintf(".s%x", i%t.Lanes)
		}
		digits := 2 * t.Kind.Size()
		report("%s: got %s (0x%0*x), want %s (0x%0*x)", at, format(t.Kind, got), digits, got, format(t.Kind, e.bits), digits, e.bits)
	}
	if bad > 8 {
		report("%s: %d of %d elements differ", w.arg, bad, len(w.elems))
	}
}

// equal reports whether got matches e, within the tolerance.
func (w *want) equal(k numeric.Kind, got uint64, e element) bool {
	if e.class == anyBit || got == e.bits {
		return true
	}
	if !k.IsFloat() {
		return false
	}
	g, x := floatValue(k, got), floatValue(k, e.bits)
	if e.class == anyNaN {
		return math.IsNaN(g)
	}
	if math.IsNaN(g) || math.IsNaN(x) || math.IsInf(x, 0) {
		return false
	}
	diff := math.Abs(g - x)
	return w.ulp > 0 && float64(distance(ordered(k, got), ordered(k, e.bits))) <= w.ulp ||
		w.tol > 0 && diff <= w.tol || w.rel > 0 && diff <= w.rel*math.Abs(x)
}

func floatValue(k numeric.Kind, bits uint64) float64 {
	return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
}

// ordered maps the bits of a float to integers in the order of values, -0 and 0 to 0, so that adjacent floats
// differ by 1.
func ordered(k numeric.Kind, bits uint64) int64 {
	sign := uint64(1) << (k.Bits() - 1)
	if bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

func distance(a, b int64) uint64 { return uint64(max(a, b)) - uint64(min(a, b)) }

// rewrite adds the edits after which the header expects res; a superfluous line becomes "\x00".
func (c *Case) rewrite(res *Result, edits map[int]string) {
	mark := "//"
	if strings.HasSuffix(c.Path, ".ssa") {
		mark = ";"
	}
	added := ""
	for _, w := range c.wants {
		a := c.Arg(w.arg)
		b := res.Buffers[w.arg]
		if len(b) < len(a.Data) {
			continue
		}
		ok := true
		w.compare(a, b, func(string, ...any) { ok = false })
		if ok {
			continue
		}
		n := len(w.elems) / a.Type.Lanes
		if n == 0 {
			n = a.Count
		}
		for i, line := range w.lines {
			if edits[line] = "\x00"; i == 0 {
				edits[line] = fmt.Sprintf("%s want: %s %s%s", mark, w.arg, w.words, formatAll(a.Type, b, n))
			}
		}
	}
	for _, w := range c.errors {
		if !w.found && !w.atLine {
			edits[w.Line] = "\x00"
		}
	}
	for _, f := range res.Findings {
		if !slices.ContainsFunc(c.errors, func(w *expectation) bool { return w.found && w.fits(&f) }) {
			added += fmt.Sprintf("\n%s want-error: %s %q", mark, f.Code, f.Text)
		}
	}
	if added != "" {
		edits[-c.last] = added
	}
}

// applyEdits replaces lines; the text of a negative number is inserted after that line.
func applyEdits(src []byte, edits map[int]string) []byte {
	if len(edits) == 0 {
		return nil
	}
	var out []string
	for i, line := range strings.Split(string(src), "\n") {
		if e, ok := edits[i+1]; ok {
			line = e
		}
		line += edits[-(i + 1)]
		if line == "\x00" {
			continue
		}
		out = append(out, strings.TrimPrefix(line, "\x00\n"))
	}
	return []byte(strings.Join(out, "\n"))
}

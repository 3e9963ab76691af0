package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// An expectation is the expected contents of a buffer after the run.
type expectation struct {
	arg  *arg
	want *data
}

// A comparison is the result of comparing a buffer with its expectation.
type comparison struct {
	Name     string  `json:"name"`
	Elements int     `json:"elements"`
	Differ   int     `json:"differ"`            // number of elements beyond the tolerance
	Largest  float64 `json:"largestDifference"` // over all components
	Problem  string  `json:"problem,omitempty"` // "" if all elements are within the tolerance
}

// readExpected reads the values of --expect, before the kernel runs.
func (c *runCmd) readExpected(args []*arg) ([]expectation, error) {
	var list []expectation
	for _, text := range c.Expect {
		name, spec, ok := strings.Cut(text, "=")
		if !ok || spec == "" {
			return nil, usagef("--expect %s: expected NAME=VALUE, the name of a buffer and a file or a list, such as --expect %s=golden.npy", text, someBuffer(args))
		}
		a, err := buffer(args, "--expect "+text, name)
		if err != nil {
			return nil, err
		}
		want, err := parseData(spec, a.Data.Elem)
		if _, missing := os.Stat(spec); err != nil && missing != nil && !strings.ContainsAny(spec, "([") {
			return nil, usagef("--expect %s: there is no file %s; to make it of this run's result: -o %s", text, spec, text)
		}
		if err != nil {
			return nil, usagef("--expect %s: %v", text, err)
		}
		if want.Count() != a.Data.Count() {
			return nil, usagef("--expect %s: that is %s, and the buffer has %d", text, argument.CountOf(want.Count(), "element"), a.Data.Count())
		}
		list = append(list, expectation{a, want})
	}
	return list, nil
}

// compare compares all components: got and want may differ by tolerance*max(1, |want|). A NaN
// is equal to a NaN.
func (e *expectation) compare(tolerance float64) comparison {
	el, got, want := e.arg.Data.Elem, e.arg.Data.Bytes, e.want.Bytes
	c := comparison{Name: e.arg.Info.Name, Elements: e.want.Count()}
	first := -1
	for i := range c.Elements {
		differs := false
		for l := range el.Lanes {
			at := i*el.Size + l*el.Kind.Size()
			far, diff := farApart(el.Kind, argument.Bits(got[at:], el.Kind), argument.Bits(want[at:], el.Kind), tolerance)
			differs = differs || far
			if diff > c.Largest || diff != diff {
				c.Largest = diff
			}
		}
		if differs {
			if c.Differ++; first < 0 {
				first = i
			}
		}
	}
	if math.IsInf(c.Largest, 0) || c.Largest != c.Largest {
		c.Largest = math.MaxFloat64 // JSON has no infinity
	}
	if first < 0 {
		return c
	}
	c.Problem = fmt.Sprintf("%s[%s] is %s, expected %s", c.Name, e.index(first), argument.FormatElem(el, got[first*el.Size:]), argument.FormatElem(el, want[first*el.Size:]))
	if tolerance > 0 {
		c.Problem += fmt.Sprintf(" within %v", tolerance)
	}
	c.Problem += fmt.Sprintf("; %d of %d elements differ", c.Differ, c.Elements)
	if el.Kind.IsFloat() && c.Largest < math.MaxFloat64 {
		c.Problem += ", by " + strconv.FormatFloat(c.Largest, 'g', 3, 64) + " at most"
	}
	return c
}

// index formats an element's index: a number, or row and column of a two-dimensional buffer.
func (e *expectation) index(i int) string {
	if s := e.arg.Data.Shape; len(s) == 2 && s[1] > 0 {
		return fmt.Sprintf("%d][%d", i/s[1], i%s[1])
	}
	return strconv.Itoa(i)
}

// farApart reports whether two components differ by more than the tolerance, and their difference. The difference
// is infinite if only one is a NaN or an infinity.
func farApart(k numeric.Kind, got, want uint64, tolerance float64) (far bool, diff float64) {
	if got == want {
		return false, 0
	}
	g, w := argument.Float(k, got), argument.Float(k, want)
	switch {
	case g != g && w != w, g == w && k.IsFloat():
		return false, 0
	case g != g || w != w || math.IsInf(g, 0) || math.IsInf(w, 0):
		return true, math.Inf(1)
	}
	diff = math.Abs(g - w)
	return diff > tolerance*max(1, math.Abs(w)) || tolerance == 0, diff
}

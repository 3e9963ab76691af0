package builtin

import (
	"math"
	"strconv"
	"strings"
)

// Needs formats the requirements of the function, such as "OpenCL C 2.0, cl_khr_fp64"; "" if every program sees it.
func (r *Row) Needs() string {
	words := strings.Fields(r.Requires)
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			w = "OpenCL C " + w
		}
		words[i] = strings.ReplaceAll(w, "|", " or ")
	}
	return strings.Join(words, ", ")
}

// Accuracy formats the permitted error in ulp for float, double and half, such as "4 / 4 / 2", or for float alone;
// "–" means unbounded. It is "" for a function with exact or non-numeric results.
func (r *Row) Accuracy() string {
	if r.Ulp == (Ulp{}) && !strings.HasPrefix(r.Spec, "Math Functions") {
		return ""
	}
	spell := func(x float64) string {
		if x < 0 || math.IsInf(x, 0) {
			return "–"
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if strings.Contains(r.Sigs[0], "f32") {
		return spell(r.Ulp.Float)
	}
	return spell(r.Ulp.Float) + " / " + spell(r.Ulp.Double) + " / " + spell(r.Ulp.Half)
}

// Functions returns the rows of a name, for all programs.
func Functions(name string) []*Row {
	g := lookupGroup(name)
	if g == nil {
		return nil
	}
	var rows []*Row
	for _, r := range g.rows {
		if r.Flags&Internal == 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

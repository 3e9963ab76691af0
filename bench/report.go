//go:build linux

package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Report writes the results as tables: the rows, worst ratio first, then the classes with
// their bars.
func Report(w io.Writer, results []Result) error {
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b Result) int {
		switch {
		case a.Error != "" && b.Error == "" || a.Ratio > b.Ratio:
			return -1
		case b.Error != "" && a.Error == "" || a.Ratio < b.Ratio:
			return 1
		}
		return 0
	})
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "row\tclass\tPureCL µs\tC µs\tratio\tof medians\tof CPU\tscaling\tbounds\tfirst ms\texecutor\t")
	for i := range results {
		writeRow(t, &results[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "class\trows\tgeomean\tbar\tworst\tbar\tCPU geomean\tscaling\tbounds\tfirst ms\t")
	for _, c := range Classes {
		writeClass(t, c.Name, c, of(results, func(r *Result) bool { return r.Class == c.Name }))
	}
	rest := map[string]bool{}
	var bars *Class
	for _, c := range Classes {
		if c.Rest {
			rest[c.Name], bars = true, c
		}
	}
	writeClass(t, "the rest", bars, of(results, func(r *Result) bool { return rest[r.Class] }))
	writeClass(t, "all", nil, of(results, func(*Result) bool { return true }))
	return t.Flush()
}

func micros(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e3) }

// optional writes a number that may not have been measured.
func optional(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

func millis(d time.Duration) string { return optional(float64(d) / 1e6) }

func writeRow(w io.Writer, r *Result) {
	if r.Error != "" {
		fmt.Fprintf(w, "%s\t%s\t\t\t\t\t\t\t\t\t%s\t\n", r.Row, r.Class, r.Error)
		return
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%s\t%s\t%s\t%s\t\n", r.Row, r.Class, micros(r.PureCL), micros(r.Reference), r.Ratio, r.RatioMedian, r.RatioCPU,
		optional(r.Scaling()), optional(r.Bounds()), millis(r.First), r.Executor)
}

// of returns the results without errors for which f holds.
func of(results []Result, f func(*Result) bool) []Result {
	var list []Result
	for i := range results {
		if r := &results[i]; r.Error == "" && f(r) {
			list = append(list, *r)
		}
	}
	return list
}

func writeClass(w io.Writer, name string, bars *Class, results []Result) {
	if len(results) == 0 {
		return
	}
	var ratios, cpu, scaling, bounds []float64
	var first []time.Duration
	for i := range results {
		r := &results[i]
		ratios = append(ratios, r.Ratio)
		cpu = append(cpu, r.RatioCPU)
		if x := r.Scaling(); x > 0 {
			scaling = append(scaling, x)
		}
		if x := r.Bounds(); x > 0 {
			bounds = append(bounds, x)
		}
		first = append(first, r.First)
	}
	slices.Sort(first)
	geomean, worst := "", ""
	if bars != nil {
		geomean, worst = fmt.Sprint("≤ ", bars.Geomean), fmt.Sprint("≤ ", bars.Worst)
	}
	fmt.Fprintf(w, "%s\t%d\t%.2f\t%s\t%.2f\t%s\t%.2f\t%s\t%s\t%s\t\n", name, len(results), Geomean(ratios), geomean, slices.Max(ratios), worst, Geomean(cpu),
		optional(Geomean(scaling)), optional(Geomean(bounds)), millis(first[len(first)/2]))
}

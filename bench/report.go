//go:build linux

package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report writes the results as tables: the rows, worst ratio first, then the classes with
// their bars, then the machine's limits.
func Report(w io.Writer, results []Result, limits *Limits) error {
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
	fmt.Fprintln(t, "row\tclass\tPureCL µs\tC µs\tratio\tof medians\tof CPU\trate\tof limit\tscaling\tC scaling\tbounds\tfirst ms\tother µs\tPureCL/other\tother's first ms\texecutor\t")
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
	all := of(results, func(*Result) bool { return true })
	writeClass(t, "all", nil, all)
	if err := t.Flush(); err != nil {
		return err
	}
	writeFirst(w, all)
	writeOther(w, results)
	writeLimits(w, limits)
	writeGeomean(w, "bounds checks cost", "≤ 1.10", all, func(r *Result) float64 { return r.Bounds })
	writeGeomean(w, "of streams", "≤ 1.02", of(all, inClasses(ConvertStream)), func(r *Result) float64 { return r.Bounds })
	for _, x := range []struct {
		what string
		rows []Result
	}{{"what computes", of(all, inClasses(ConvertCompute, Divergent, Physics, Math, Hash))}, {"long launches", of(all, inClasses(Long))}} {
		writeGeomean(w, "scaling of "+x.what, "≥ 0.95 of 2 threads, 14 of 16", x.rows, (*Result).Scaling)
		writeGeomean(w, "the same of C", "what the machine gives", x.rows, (*Result).ReferenceScaling)
	}
	return nil
}

// inClasses returns a predicate for the results of classes.
func inClasses(classes ...*Class) func(*Result) bool {
	return func(r *Result) bool {
		return slices.ContainsFunc(classes, func(c *Class) bool { return c.Name == r.Class })
	}
}

// writeFirst writes the times from source to first result with their bars.
func writeFirst(w io.Writer, results []Result) {
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.First == 0 })
	if len(results) == 0 {
		return
	}
	slices.SortFunc(results, func(a, b Result) int { return cmp.Compare(a.First, b.First) })
	last := results[len(results)-1]
	fmt.Fprintf(w, "\nsource to first result: median %s ms (≤ 5), worst %s ms of %s (≤ 30)", millis(results[len(results)/2].First), millis(last.First), last.Row)
	if i := slices.IndexFunc(results, func(r Result) bool { return r.Row == "saxpy" }); i >= 0 {
		fmt.Fprintf(w, ", saxpy %s ms (≤ 1)", millis(results[i].First))
	}
	fmt.Fprintln(w)
}

// writeOther writes how PureCL stands to the other library, if that was measured: as a whole, the rows on which
// the other is ahead, and the rows that it does not run.
func writeOther(w io.Writer, results []Result) {
	var ratios []float64
	var ahead, failed []string
	for i := range results {
		r := &results[i]
		if x := r.OtherRatio(); x > 0 {
			ratios = append(ratios, x)
			if x > 1 {
				ahead = append(ahead, fmt.Sprintf("%s %.2f", r.Row, x))
			}
		}
		if r.OtherError != "" {
			failed = append(failed, r.Row+": "+r.OtherError)
		}
	}
	if len(ratios) > 0 {
		fmt.Fprintf(w, "\nPureCL's time divided by the other library's: geomean %.3f of %d rows; ahead of PureCL on %d: %s\n", Geomean(ratios), len(ratios), len(ahead), strings.Join(ahead, ", "))
	}
	for _, f := range failed {
		fmt.Fprintln(w, "the other library on", f)
	}
}

// writeLimits writes the machine's limits.
func writeLimits(w io.Writer, l *Limits) {
	if l == nil {
		return
	}
	fmt.Fprintf(w, "\nthe machine's limits, in C: multiply-adds of floats %.0f, halves %.0f, doubles %.0f GFLOP/s; copies:", l.Float, l.Half, l.Double)
	for _, c := range l.Copy {
		fmt.Fprintf(w, " %d KiB %.0f GB/s", c.Bytes>>10, c.Rate)
	}
	fmt.Fprintln(w)
}

// writeGeomean writes the geometric mean of f over the results that measured it.
func writeGeomean(w io.Writer, what, bar string, results []Result, f func(*Result) float64) {
	var list []float64
	for i := range results {
		if x := f(&results[i]); x > 0 {
			list = append(list, x)
		}
	}
	if len(list) > 0 {
		fmt.Fprintf(w, "%s: geomean %.3f of %d rows (%s)\n", what, Geomean(list), len(list), bar)
	}
}

func micros(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e3) }

// optional formats a number, "" for 0, which means not measured.
func optional(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// percent writes a rate as a part of its limit.
func percent(rate, limit float64) string {
	if limit == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*rate/limit)
}

func millis(d time.Duration) string { return optional(float64(d) / 1e6) }

func writeRow(w io.Writer, r *Result) {
	if r.Error != "" {
		fmt.Fprintf(w, "%s\t%s\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t%s\t\n", r.Row, r.Class, r.Error)
		return
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%.1f %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Row, r.Class, micros(r.PureCL), micros(r.Reference), r.Ratio, r.RatioMedian, r.RatioCPU, r.Rate, r.Unit,
		percent(r.Rate, r.Limit), optional(r.Scaling()), optional(r.ReferenceScaling()), optional(r.Bounds), millis(r.First),
		optional(float64(r.Other)/1e3), optional(r.OtherRatio()), millis(r.OtherFirst), r.Executor)
}

// of returns the results without errors for which f is true.
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
		if x := r.Bounds; x > 0 {
			bounds = append(bounds, x)
		}
		first = append(first, r.First)
	}
	slices.Sort(first)
	geomean, worst := "", ""
	if bars != nil {
		geomean, worst = bar(Geomean(ratios), bars.Geomean), bar(slices.Max(ratios), bars.Worst)
	}
	fmt.Fprintf(w, "%s\t%d\t%.2f\t%s\t%.2f\t%s\t%.2f\t%s\t%s\t%s\t\n", name, len(results), Geomean(ratios), geomean, slices.Max(ratios), worst, Geomean(cpu),
		optional(Geomean(scaling)), optional(Geomean(bounds)), millis(first[len(first)/2]))
}

// bar formats a bar, and whether it was missed.
func bar(x, most float64) string {
	if x > most {
		return fmt.Sprint("missed ≤ ", most)
	}
	return fmt.Sprint("≤ ", most)
}

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
)

// timingFlag is the flag of commands that compile.
type timingFlag struct {
	Timings bool `help:"Print the duration of each phase."`
}

// printTimes prints the phases with a duration greater than 0.
func printTimes(w io.Writer, t *timing.Times) {
	sum := time.Duration(0)
	for p := timing.None + 1; p < timing.NumPhases; p++ {
		if t[p] != 0 {
			fmt.Fprintf(w, "%-12s %12s\n", p, microseconds(t[p]))
			sum += t[p]
		}
	}
	fmt.Fprintf(w, "%-12s %12s\n", "total", microseconds(sum))
}

// microseconds formats a duration, always in the same unit, so that columns are comparable.
func microseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000)
}

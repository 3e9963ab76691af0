package main

import (
	"fmt"
	"io"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/run/host"
)

// timingFlag is the flag of commands that compile.
type timingFlag struct {
	Timings bool `help:"Say how long each phase took."`
}

// printTimes prints the phases that took any time.
func printTimes(w io.Writer, t *timing.Times) {
	var list []host.PhaseTime
	for p := timing.None + 1; p < timing.NumPhases; p++ {
		if t[p] != 0 {
			list = append(list, host.PhaseTime{Phase: p.String(), Took: t[p]})
		}
	}
	printTimings(w, list)
}

func printTimings(w io.Writer, list []host.PhaseTime) {
	sum := time.Duration(0)
	for _, p := range list {
		fmt.Fprintf(w, "%-12s %12s\n", p.Phase, microseconds(p.Took))
		sum += p.Took
	}
	fmt.Fprintf(w, "%-12s %12s\n", "total", microseconds(sum))
}

// microseconds writes a time in one unit, so that columns compare.
func microseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000)
}

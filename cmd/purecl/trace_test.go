package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
)

// TestTimeline checks that bars have the times of their steps, and that each worker has one track.
func TestTimeline(t *testing.T) {
	var phases timing.Times
	phases[timing.Parse], phases[timing.Opt] = 3*time.Microsecond, 5*time.Microsecond
	x := newTimeline(&phases)
	base := x.start + 8000 // the end of the phases
	x.add("worker 1", "b", base+4000, base+6000)
	x.add("worker 0", "a", base+1000, base+3000)
	x.add("worker 1", "c", base+7000, base+7500)
	file := filepath.Join(t.TempDir(), "t.json")
	if err := x.write(file, "k", "cpu:0"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	type bar struct {
		track     string
		at, takes float64
	}
	names, bars := map[int]string{}, map[string]bar{}
	for _, e := range got.TraceEvents {
		if e.Name == "thread_name" {
			names[e.Track] = e.Args["name"]
		}
	}
	for _, e := range got.TraceEvents {
		if e.Phase == "X" {
			bars[e.Name] = bar{names[e.Track], e.Time, e.Duration}
		}
	}
	for name, want := range map[string]bar{"parse": {"compiler", 0, 3}, "opt": {"compiler", 3, 5}, "a": {"worker 0", 9, 2}, "b": {"worker 1", 12, 2}, "c": {"worker 1", 15, 0.5}} {
		if bars[name] != want {
			t.Errorf("%s: %v, want %v", name, bars[name], want)
		}
	}
}

package main

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
)

// A timeline collects timed steps for Perfetto and Chrome's viewer (Trace Event Format, JSON).
type timeline struct {
	mu    sync.Mutex
	list  []step
	start int64
}

// A step is a bar of the timeline. Times are of package timing's clock.
type step struct {
	who, what    string
	began, ended int64
}

// newTimeline returns a timeline with the compiler's phases, which must have just ended, one after the other.
func newTimeline(phases *timing.Times) *timeline {
	now := timing.Now()
	t := &timeline{start: now - int64(phases.Total())}
	at := t.start
	for p := timing.None + 1; p < timing.NumPhases; p++ {
		if d := int64(phases[p]); d > 0 {
			t.add("compiler", p.String(), at, at+d)
			at += d
		}
	}
	return t
}

// add adds a step.
func (t *timeline) add(who, what string, began, ended int64) {
	t.mu.Lock()
	t.list = append(t.list, step{who, what, began, ended})
	t.mu.Unlock()
}

// A traceEvent is an event of the format. Times are in microseconds.
type traceEvent struct {
	Name     string            `json:"name"`
	Phase    string            `json:"ph"` // X: a bar, M: a name of a process or track
	Time     float64           `json:"ts"`
	Duration float64           `json:"dur,omitempty"`
	Process  int               `json:"pid"`
	Track    int               `json:"tid"`
	Args     map[string]string `json:"args,omitempty"`
}

// write writes the timeline of a kernel's launch on a device to a file.
func (t *timeline) write(file, kernel, device string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	tracks := map[string]int{}
	events := []traceEvent{{Name: "process_name", Phase: "M", Process: 1, Args: map[string]string{"name": "purecl: " + kernel + " on " + device}}}
	track := func(who string) int {
		n, ok := tracks[who]
		if !ok {
			n = len(tracks) + 1
			tracks[who] = n
			events = append(events, traceEvent{Name: "thread_name", Phase: "M", Process: 1, Track: n, Args: map[string]string{"name": who}})
		}
		return n
	}
	slices.SortStableFunc(t.list, func(a, b step) int { return cmp.Or(cmp.Compare(a.began, b.began), cmp.Compare(b.ended, a.ended)) })
	micro := func(d int64) float64 { return float64(d) / float64(time.Microsecond) }
	for _, s := range t.list {
		events = append(events, traceEvent{Name: s.what, Phase: "X", Time: micro(s.began - t.start), Duration: micro(s.ended - s.began), Process: 1, Track: track(s.who)})
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	err = json.NewEncoder(f).Encode(map[string]any{"displayTimeUnit": "ns", "traceEvents": events})
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}

package beam

import (
	"fmt"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
)

// A windowing is the division of a collection into windows. Batches end with bundles, at which the Go SDK emits
// into the global window only. Elements in fixed windows therefore leave their windows before a batch, and enter
// them again after it by their timestamps.
type windowing struct{ strategy *window.WindowingStrategy }

// windowsOf returns the windows of a collection. It returns an error for sliding windows and sessions, which
// timestamps do not determine.
func windowsOf(p beam.PCollection) (windowing, error) {
	w := windowing{p.WindowingStrategy()}
	switch w.strategy.Fn.Kind {
	case window.GlobalWindows, window.FixedWindows:
		return w, nil
	}
	return w, fmt.Errorf("the elements are in windows %v: give them fixed windows or the global one with beam.WindowInto, because timestamps do not tell other windows", w.strategy.Fn)
}

// period returns the length of a fixed window in milliseconds, 0 for the global window.
func (w windowing) period() int64 {
	if w.strategy.Fn.Kind == window.FixedWindows {
		return w.strategy.Fn.Size.Milliseconds()
	}
	return 0
}

// leave moves elements to the global window.
func (w windowing) leave(s beam.Scope, p beam.PCollection) beam.PCollection {
	if w.period() == 0 {
		return p
	}
	return beam.WindowInto(s, window.NewGlobalWindows(), p)
}

// enter moves elements back to their windows.
func (w windowing) enter(s beam.Scope, p beam.PCollection) beam.PCollection {
	if w.period() == 0 {
		return p
	}
	options := []beam.WindowIntoOption{beam.Trigger(w.strategy.Trigger), beam.AllowedLateness(time.Duration(w.strategy.AllowedLateness) * time.Millisecond), beam.PanesDiscard()}
	if w.strategy.AccumulationMode == window.Accumulating {
		options[2] = beam.PanesAccumulate()
	}
	return beam.WindowInto(s, w.strategy.Fn, p, options...)
}

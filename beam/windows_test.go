package beam_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/purecl/purecl/beam"
)

func init() {
	register.Function2x0(atTimes)
	register.Function2x0(samplesAtTimes)
	register.Function4x1(formatWindowed)
	register.Function3x1(formatBadWindowed)
	register.Function3x1(formatStats)
	register.Emitter3[sdk.EventTime, string, int32]()
	register.Emitter2[sdk.EventTime, Sample]()
}

// timeOf returns the time of element i in milliseconds. Consecutive elements are in different windows.
func timeOf(i int) int64 { return int64(i%7)*1000 + int64(i) }

// atTimes emits n elements for pick. Every tenth is bad.
func atTimes(n int, emit func(sdk.EventTime, string, int32)) {
	for i := range n {
		v := int32(i % 4)
		if i%10 == 3 {
			v = -5
		}
		emit(mtime.FromMilliseconds(timeOf(i)), fmt.Sprint(i), v)
	}
}

func samplesAtTimes(n int, emit func(sdk.EventTime, Sample)) {
	for i := range n {
		emit(mtime.FromMilliseconds(timeOf(i)), Sample{int32(i), 1})
	}
}

func formatWindowed(w sdk.Window, at sdk.EventTime, k string, v float32) string {
	return fmt.Sprintf("%v %d %s=%v", w, at.Milliseconds(), k, v)
}

func formatBadWindowed(w sdk.Window, at sdk.EventTime, b beam.Bad[string, int32]) string {
	return fmt.Sprintf("%v %d %s bad", w, at.Milliseconds(), b.Key)
}

func formatStats(w sdk.Window, _ sdk.EventTime, s Stats) string { return fmt.Sprintf("%v %+v", w, s) }

// windowOf returns the fixed window of two seconds that contains a time.
func windowOf(ms int64) window.IntervalWindow {
	start := ms / 2000 * 2000
	return window.IntervalWindow{Start: mtime.FromMilliseconds(start), End: mtime.FromMilliseconds(start + 2000)}
}

// TestFixedWindows checks that elements, bad ones too, keep window and timestamp in batches of several windows, and
// that a reduction has a result for each window.
func TestFixedWindows(t *testing.T) {
	const n = 100
	var good, bad, folded []any
	stat := map[window.IntervalWindow]Stats{}
	for i := range n {
		w := windowOf(timeOf(i))
		prefix := fmt.Sprintf("%v %d %d", w, timeOf(i), i)
		if i%10 == 3 {
			bad = append(bad, prefix+" bad")
		} else {
			good = append(good, fmt.Sprintf("%s=%d", prefix, i%4+1))
		}
		s, ok := stat[w]
		if !ok {
			s = Stats{Max: -1 << 31, Min: 1<<31 - 1}
		}
		stat[w] = Stats{s.Sum + int64(i), max(s.Max, int32(i)), min(s.Min, int32(i))}
	}
	for w, s := range stat {
		folded = append(folded, fmt.Sprintf("%v %+v", w, s))
	}
	for _, bytes := range []int{0, 100, 1} {
		p, s := sdk.NewPipelineWithRoot()
		fixed := window.NewFixedWindows(2 * time.Second)
		out, faulty, err := pick.Apply(s, sdk.WindowInto(s, fixed, sdk.ParDo(s, atTimes, sdk.Create(s, n))), sdk.Create(s, Scale{Table: []float32{1, 2, 3, 4}}), beam.Options{BatchBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		sums, _, err := stats.Apply(s, sdk.WindowInto(s, fixed, sdk.ParDo(s, samplesAtTimes, sdk.Create(s, n))), sdk.Create(s, Limits{Largest: 1 << 30, Trap: []int32{0}}), beam.Options{BatchBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		global := func(c sdk.PCollection) sdk.PCollection { return sdk.WindowInto(s, window.NewGlobalWindows(), c) }
		passert.Equals(s, global(sdk.ParDo(s, formatWindowed, out)), good...)
		passert.Equals(s, global(sdk.ParDo(s, formatBadWindowed, faulty)), bad...)
		passert.Equals(s, global(sdk.ParDo(s, formatStats, sums)), folded...)
		run(t, p)
	}
}

// TestOtherWindows checks that windows that timestamps do not determine are an error before the pipeline starts.
func TestOtherWindows(t *testing.T) {
	for _, fn := range []*window.Fn{window.NewSlidingWindows(time.Second, 2*time.Second), window.NewSessions(time.Second)} {
		_, s := sdk.NewPipelineWithRoot()
		elements := sdk.WindowInto(s, fn, sdk.ParDo(s, atTimes, sdk.Create(s, 1)))
		_, _, err := pick.Apply(s, elements, sdk.Create(s, Scale{}), beam.Options{})
		if err == nil || !strings.Contains(err.Error(), "beam.WindowInto") {
			t.Errorf("%v: error %v", fn, err)
		}
		samples := sdk.WindowInto(s, fn, sdk.ParDo(s, samplesAtTimes, sdk.Create(s, 1)))
		_, _, err = stats.Apply(s, samples, sdk.Create(s, Limits{}), beam.Options{})
		if err == nil || !strings.Contains(err.Error(), "beam.WindowInto") {
			t.Errorf("%v: error %v", fn, err)
		}
	}
}

package beam

import (
	"context"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Namespace is the metrics' namespace: the counters launches, bytes and faults, and the distribution kernel_us,
// the microseconds of launches.
const Namespace = "purecl"

var (
	launches = beam.NewCounter(Namespace, "launches")
	moved    = beam.NewCounter(Namespace, "bytes")
	faults   = beam.NewCounter(Namespace, "faults")
	spent    = beam.NewDistribution(Namespace, "kernel_us")
)

// countLaunch counts a launch that began at begin, over columns of bytes bytes.
func countLaunch(ctx context.Context, begin time.Time, bytes int) {
	launches.Inc(ctx, 1)
	moved.Inc(ctx, int64(bytes))
	spent.Update(ctx, time.Since(begin).Microseconds())
}

// countFault counts a bad element, tile or batch.
func countFault(ctx context.Context) { faults.Inc(ctx, 1) }

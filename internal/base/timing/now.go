//go:build !windows

package timing

import "time"

var start = time.Now()

// Now returns the nanoseconds since the program began, by a monotonic clock with a resolution below a microsecond.
func Now() int64 { return int64(time.Since(start)) }

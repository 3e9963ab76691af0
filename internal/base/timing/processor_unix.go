//go:build unix

package timing

import (
	"syscall"
	"time"
)

// Processor returns the program's processor time, on all its threads, 0 if unknown. Benchmarks use it because other
// programs distort it less.
func Processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

//go:build unix

package timing

import (
	"syscall"
	"time"
)

// Processor returns the time that processors have spent for the program, on all its
// threads; 0 where that is not known. Benchmarks count it, as other programs distort it less.
func Processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

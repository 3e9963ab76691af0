package timing

import (
	"syscall"
	"time"
)

// Processor returns the program's processor time, on all its threads, 0 if unknown. Benchmarks use it because other
// programs distort it less.
func Processor() time.Duration {
	p, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var began, ended, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(p, &began, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) time.Duration { // of 100 ns
		return time.Duration(int64(t.HighDateTime)<<32 | int64(t.LowDateTime))
	}
	return 100 * (ticks(kernel) + ticks(user))
}

package purecl

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/klauspost/cpuid/v2"
)

// physicalMemory returns the memory in bytes that the machine, or the process's control
// group, has.
func physicalMemory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return defaultMemory
	}
	n := uint64(info.Totalram) * uint64(info.Unit)
	for _, name := range [...]string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if b, err := os.ReadFile(name); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64); err == nil && limit < n {
				n = limit
			}
		}
	}
	return n
}

// clockMHz returns the processors' clock rate, 0 if it is not known.
func clockMHz() int {
	if hz := cpuid.CPU.Hz; hz > 0 {
		return int(hz / 1e6)
	}
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return 0
	}
	_, line, ok := strings.Cut(string(b), "cpu MHz")
	if !ok {
		return 0
	}
	line, _, _ = strings.Cut(line, "\n")
	f, _ := strconv.ParseFloat(strings.Trim(line, "\t :"), 64) // 0 where it cannot be read
	return int(f)
}

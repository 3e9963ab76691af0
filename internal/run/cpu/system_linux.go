package cpu

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"

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

const largePage = 2 << 20 // of every amd64, and of most other machines

// wholePages returns the part of mem that is whole large pages.
func wholePages(mem []byte) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	from := int(-at & (largePage - 1))
	if from > len(mem) {
		return nil
	}
	return mem[from : from+(len(mem)-from)&^(largePage-1)]
}

// zeroLate reports whether the system gives large pages to those who ask and makes one that
// is read before it is written to as cheap as others (since Linux 6.13; before, it became
// small pages).
var zeroLate = sync.OnceValue(func() bool {
	b, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || strings.Contains(string(b), "[never]") {
		return false
	}
	b, _ = os.ReadFile("/proc/sys/kernel/osrelease")
	var major, minor int
	fmt.Sscanf(string(b), "%d.%d", &major, &minor)
	return major > 6 || major == 6 && minor >= 13
})

// largePages asks the system for large pages for memory of this process: there are fewer
// faults when they are used first, and less to look up later.
func largePages(mem []byte) {
	if pages := wholePages(mem); len(pages) > 0 {
		syscall.Madvise(pages, syscall.MADV_HUGEPAGE) // where it is refused, pages are small
	}
}

// zeroPages returns to the system those large pages of [largePages] memory that are wholly inside the bytes
// given; the system zeroes a page at its next use. It returns the remaining bytes before and behind, for the
// caller to zero: all bytes if the system does not support this.
func zeroPages(mem []byte) (before, behind []byte) {
	pages := wholePages(mem)
	if len(pages) == 0 || !zeroLate() || syscall.Madvise(pages, syscall.MADV_DONTNEED) != nil {
		return mem, nil
	}
	from := int(uintptr(unsafe.Pointer(unsafe.SliceData(pages))) - uintptr(unsafe.Pointer(unsafe.SliceData(mem))))
	return mem[:from], mem[from+len(pages):]
}

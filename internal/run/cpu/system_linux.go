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

// physicalMemory returns the memory in bytes of the machine, or of the process's control group if that is less.
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

// clockMHz returns the processor's clock rate, 0 if unknown.
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
	f, _ := strconv.ParseFloat(strings.Trim(line, "\t :"), 64) // 0 if it cannot be parsed
	return int(f)
}

const largePage = 2 << 20 // on amd64, and on most other machines

// wholePages returns the large pages that are completely inside of mem.
func wholePages(mem []byte) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	from := int(-at & (largePage - 1))
	if from > len(mem) {
		return nil
	}
	return mem[from : from+(len(mem)-from)&^(largePage-1)]
}

// zeroLate reports whether large pages are available on request and stay large if they are read before they are
// written, which Linux 6.13 and later do.
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

// largePages requests large pages for memory of this process, which need fewer page faults and TLB entries.
func largePages(mem []byte) {
	if pages := wholePages(mem); len(pages) > 0 {
		syscall.Madvise(pages, syscall.MADV_HUGEPAGE) // if it fails, pages are small
	}
}

// zeroPages releases the large pages of [largePages] memory that are completely inside of mem; the system returns
// zero pages at their next use. It returns the remaining bytes before and after them, which the caller must zero:
// all bytes if the system does not support this.
func zeroPages(mem []byte) (before, after []byte) {
	pages := wholePages(mem)
	if len(pages) == 0 || !zeroLate() || syscall.Madvise(pages, syscall.MADV_DONTNEED) != nil {
		return mem, nil
	}
	from := int(uintptr(unsafe.Pointer(unsafe.SliceData(pages))) - uintptr(unsafe.Pointer(unsafe.SliceData(mem))))
	return mem[:from], mem[from+len(pages):]
}

package jit

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A toolSet lists the profilers and debuggers to inform about machine code. Environment variables enable them,
// because that takes many times longer than making the code:
//
// PURECL_PERF=map    a line for each kernel in /tmp/perf-PID.map, which perf reads
// PURECL_PERF=lines  a line for each run of instructions of one source line
// PURECL_GDB=1       an ELF image with a line table for each kernel, through GDB's JIT interface
type toolSet struct{ perfMap, perfLines, gdb bool }

var tools = sync.OnceValue(func() toolSet {
	perf := strings.Split(environment.Get("PURECL_PERF"), ",")
	return toolSet{
		perfMap:   slices.Contains(perf, "map"),
		perfLines: slices.Contains(perf, "lines"),
		gdb:       environment.Get("PURECL_GDB") == "1",
	}
})

// wanted reports whether code must have a listing for the tools.
func (t toolSet) wanted() bool { return t.perfMap || t.perfLines || t.gdb }

// announce registers code at its address with the tools, for the lifetime of u.
func (t toolSet) announce(f *ssa.Func, lv *x86.Level, u *unit, full bool) {
	if t.perfMap || t.perfLines {
		perfMap.add(f, lv, u, full, t.perfLines)
	}
	if t.gdb {
		if remove := gdbRegister(debugImage(f, u.Code, uint64(address(u.mem)))); remove != nil {
			runtime.AddCleanup(u, func(remove func()) { remove() }, remove)
		}
	}
}

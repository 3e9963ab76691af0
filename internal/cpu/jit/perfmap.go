package jit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A perfFile is the file in which perf looks up the names of a process's generated code (Linux kernel,
// tools/perf/Documentation/jit-interface.txt). It has a line for each symbol: address and size in hexadecimal,
// and the name. For an address with several lines perf takes the last, so that lines of freed code can stay.
type perfFile struct {
	mu   sync.Mutex
	file *os.File
	err  error
	said bool
}

var perfMap perfFile

// add appends the kernel's symbols. It reports an error once, on standard error, so that the kernel can still
// run.
func (p *perfFile) add(f *ssa.Func, lv *x86.Level, u *unit, full, lines bool) {
	text := perfText(f, lv, u.Code, uint64(address(u.mem)), full, lines)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil && p.err == nil {
		name := filepath.Join("/tmp", fmt.Sprintf("perf-%d.map", os.Getpid()))
		p.file, p.err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	}
	if p.err == nil {
		_, p.err = p.file.WriteString(text)
	}
	if p.err != nil && !p.said {
		p.said = true
		fmt.Fprintf(os.Stderr, "purecl: PURECL_PERF: %v\n", p.err)
	}
}

// perfText returns the symbols of code at address addr: one symbol, or with lines one for each run of
// instructions of a source line.
func perfText(f *ssa.Func, lv *x86.Level, code *x86.Code, addr uint64, full, lines bool) string {
	var s strings.Builder
	name := f.Name + "[" + lv.Name
	if !full {
		name += ",partial"
	}
	name += "]"
	symbol := func(from, to uint64, name string) {
		if to > from {
			fmt.Fprintf(&s, "%x %x %s\n", from, to-from, strings.ReplaceAll(name, "\n", " "))
		}
	}
	at, end := addr, addr+uint64(len(code.Bytes))
	for _, p := range code.Listing.Parts {
		if p.Name == "constants" {
			end = addr + uint64(p.Offset)
		}
	}
	if !lines {
		symbol(at, end, name)
		return s.String()
	}
	body := addr + uint64(code.Start)
	stubs := end
	for k, p := range code.Listing.Parts {
		if p.Name == "kernel" {
			stubs = addr + uint64(code.Listing.Parts[k+1].Offset)
		}
	}
	symbol(at, body, name+" entry")
	what := name
	at = body
	for _, l := range debugLines(f, code, addr) {
		symbol(at, l.addr, what)
		at, what = l.addr, fmt.Sprintf("%s %s:%d", name, l.file, l.line)
	}
	symbol(at, stubs, what)
	symbol(stubs, end, name+" checks")
	return s.String()
}

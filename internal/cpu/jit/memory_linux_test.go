//go:build amd64

package jit

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/launch"
)

// mapping returns the line of /proc/self/maps for the pages at an address, "" if none.
func mapping(t *testing.T, addr uintptr) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(text)) {
		var from, to uintptr
		if _, err := fmt.Sscanf(l, "%x-%x", &from, &to); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		if from <= addr && addr < to {
			return l
		}
	}
	return ""
}

// TestMemoryReleased: code is readable and executable and never writable. Code and the workers' memory are
// unmapped after the garbage collector frees their owners.
func TestMemoryReleased(t *testing.T) {
	if len(levels()) == 0 {
		return // no machine code on this processor
	}
	// launched runs a launch and returns the addresses of its code and of its workers' memory.
	launched := func() (code, data []uintptr) {
		m := build(t, "kernel void k(global int *a) { a[get_global_id(0)] = 1; }")
		p := programOf(t, m, Executor())
		k, err := p.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, 4*1001) // the last gang is a partial one
		_, err = launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: out})}, Range: launch.Range{Global: []uint64{1001}}})
		if err != nil {
			t.Fatal(err)
		}
		l, err := k.Prepare(0)
		if err != nil {
			t.Fatal(err)
		}
		c := l.(*Code)
		for _, u := range []*unit{c.base.unit, c.base.partial.Load().unit} {
			code = append(code, address(u.mem))
		}
		workers := slices.Clone(c.base.free)
		for _, x := range c.base.ended {
			workers = append(workers, slices.DeleteFunc(slices.Clone(x.kept), func(w *worker) bool { return w == nil })...)
		}
		for _, w := range workers {
			data = append(data, address(w.arena.mem))
		}
		for _, a := range code {
			if s := mapping(t, a); !strings.Contains(s, " r-xp ") {
				t.Errorf("code is mapped so: %q", s)
			}
		}
		for i, a := range data {
			copy(workers[i].arena.mem, fmt.Sprintf("%64x", i+0x5EED)) // a mark that identifies the memory
			if s := mapping(t, a); !strings.Contains(s, " rw-p ") {
				t.Errorf("a worker's memory is mapped so: %q", s)
			}
		}
		runtime.KeepAlive(p)
		return code, data
	}
	code, data := launched()
	if len(code) != 2 || len(data) == 0 {
		t.Fatalf("%d pieces of code, %d workers", len(code), len(data))
	}
	// Another mapping with other contents may take its place.
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	contents := func(addr uintptr) string {
		var b [64]byte
		if _, err := memory.ReadAt(b[:], int64(addr)); err != nil {
			return ""
		}
		return string(b[:])
	}
	places := append(code, data...)
	before := map[uintptr]string{}
	for _, a := range places {
		before[a] = contents(a)
	}
	gone := func() bool {
		for _, a := range places {
			if c := contents(a); c != "" && c == before[a] {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(10 * time.Second); !gone(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still mapped: %q, %q", mapping(t, code[0]), mapping(t, data[0]))
		}
		runtime.GC()
	}
}

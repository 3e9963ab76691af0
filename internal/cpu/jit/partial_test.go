//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"testing"

	"github.com/purecl/purecl/internal/cpu/gangexec"

	"github.com/purecl/purecl/internal/run/exec"
)

// TestNeedsPartial compares needsPartial with a count over the sizes of the rows of work-items.
func TestNeedsPartial(t *testing.T) {
	for _, lanes := range []int{8, 16, 64} {
		for global := uint64(1); global < 200; global += 3 {
			for _, local := range []uint64{1, 7, 8, 16, 33, 64, 128} {
				r := exec.NDRange{Dims: 1, Global: [3]uint64{global, 1, 1}, Local: [3]uint64{local, 1, 1}}
				rows := []uint64{global}
				for _, groups := range []bool{false, true} {
					if groups {
						rows = nil
						for at := uint64(0); at < global; at += local {
							rows = append(rows, min(local, global-at))
						}
					}
					want := false
					for _, n := range rows {
						want = want || n%uint64(lanes) != 0
					}
					v := &variant{c: &Code{Facts: gangexec.Facts{Groups: groups}}}
					if got := v.needsPartial(&r, lanes); got != want {
						t.Fatalf("%d lanes, global %d, local %d, groups %v: %v", lanes, global, local, groups, got)
					}
				}
			}
		}
	}
}

// TestBothForms: a first launch that needs whole and partial gangs makes both forms of the code, and their
// accesses have different numbers.
func TestBothForms(t *testing.T) {
	for _, lv := range levels() {
		m := build(t, "kernel void k(global int *a, global const int *b) { int i = get_global_id(0); a[i] = b[i] + b[i + 1]; }")
		r := exec.NDRange{Dims: 1, Global: [3]uint64{1001, 1, 1}, Local: [3]uint64{1, 1, 1}}
		c, err := compileKernel(m.Func("k"), Options{Panics: true, Level: lv}, &r)
		if err != nil {
			t.Fatal(err)
		}
		u := c.base.forPartial()
		if u.err != nil {
			t.Fatal(u.err)
		}
		if len(u.Accesses) != 3 || len(c.base.Accesses) != 3 {
			t.Errorf("%s: %d and %d accesses", lv.Name, len(c.base.Accesses), len(u.Accesses))
		}
		// b has no element 1001: the last work-item's load, in a partial gang, is the one finding. Without the
		// last 20 elements of a, stores of a whole gang are findings too.
		for _, short := range []int{0, 20} {
			same(t, m, "k", []uint64{1001}, nil, true, buf(make([]byte, 4*(1001-short))), buf(make([]byte, 4*1001)))
		}
	}
}

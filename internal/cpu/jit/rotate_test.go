//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
)

// TestLoopsTestLast: loops that test first in the source test last in the code. Each ends in one conditional
// backward jump, and no other jump goes back.
func TestLoopsTestLast(t *testing.T) {
	m := build(t, `
kernel void counted(global float *out, global const float *in, int n) {
	int i = get_global_id(0);
	float s = 0;
	for (int k = 0; k < n; k++)
		s += in[k * 64 + i];
	out[i] = s;
}
kernel void nested(global float *out, global const float *in, int n, int m) {
	int i = get_global_id(0);
	float s = 0;
	for (int k = 0; k < n; k++) {
		for (int j = k; j < m; j++)
			s = s * in[k] + in[j];
		s += 1;
	}
	out[i] = s;
}
kernel void parted(global int *out, int n) {
	int i = get_global_id(0), x = i, k = 0;
	while (k < n && x != 1) {
		x = x & 1 ? 3 * x + 1 : x >> 1;
		k++;
	}
	out[i] = k;
}`)
	loops := map[string]int{"counted": 2, "nested": 3, "parted": 2} // including the loop over gangs
	for name, want := range loops {
		for _, lv := range x86.Levels {
			for _, gangs := range []Gangs{WholeGangs, PartialGangs} {
				code := listed(t, m.Func(name), lv, gangs)
				at := map[string]int{}
				for _, n := range code.Listing.Names {
					at[n.Name] = n.Offset
				}
				back := 0
				for _, i := range code.Listing.Insts {
					op, to, _ := strings.Cut(i.Text, " ")
					if !i.Body || i.Cold || !strings.HasPrefix(op, "j") || !strings.HasPrefix(to, "b") || at[to] > i.Offset {
						continue
					}
					if back++; op == "jmp" {
						t.Errorf("%s %s gangs %v: %s goes back at %#x", name, lv.Name, gangs, i.Text, i.Offset)
					}
				}
				if back != want {
					t.Errorf("%s %s gangs %v: %d jumps back, want %d", name, lv.Name, gangs, back, want)
				}
			}
		}
	}
}

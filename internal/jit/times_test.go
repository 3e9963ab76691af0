//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"strings"
	"testing"
)

// TestTimes compares products with constants.
func TestTimes(t *testing.T) {
	var src strings.Builder
	constants := []string{"3", "5", "7", "9", "15", "17", "-1", "-3", "-7", "31", "33", "65537", "65535", "0x7fffffff", "0x80000001", "-5", "6", "12", "24", "28", "-6", "-8", "-24", "11", "0x60", "0x7ffffffe"}
	long := append(constants, "0x100000001L", "0xffffffffL", "0x7fffffffffffffffL", "-0x100000000L", "0x300000000L", "-0x300000000L", "0xf00000000L", "0x8000000000000000UL", "0x8000000000000001UL", "0x4000000000000003L")
	for _, k := range []struct {
		t    string
		with []string
	}{{"int", constants}, {"uint", constants}, {"short", constants}, {"long", long}, {"ulong", long}} {
		for _, lanes := range []string{"", "2"} {
			v := k.t + lanes
			fmt.Fprintf(&src, "kernel void %s_%s(global const %s* s, global %s* d) { int i = get_global_id(0); %s x = s[i];\n", k.t, lanes, v, v, v)
			for i, c := range k.with {
				fmt.Fprintf(&src, "  d[i * %d + %d] = x * (%s)(%s);\n", len(k.with), i, v, c)
			}
			src.WriteString("}\n")
		}
	}
	m := build(t, src.String())
	s := make(buf, 16*70)
	for i := range s {
		s[i] = byte(i * i >> 2 * 13)
	}
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{line(70)}, s, make(buf, 70*16*len(long)))
	}
}

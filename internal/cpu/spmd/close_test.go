package spmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestClosed: a loop's value that is used far after the loop gets a phi at each exit and one where the exits
// join, but none where other paths join in between.
func TestClosed(t *testing.T) {
	const tests = 40
	body := func(left, second string) string {
		var b strings.Builder
		fmt.Fprintf(&b, `  jump b1
b1:
  v10 = phi i32 b0:v3 b2:v12
  v11 = lt bool v10, v5
  branch v11 b2 %s
b2:
  v12 = add i32 v10, v3
  %s
b3:
  jump b4
`, left, second)
		id, block := 20, 4
		for range tests {
			fmt.Fprintf(&b, `b%d:
  v%d = load i32 v7 align=4
  v%d = lt bool v%d, v1
  branch v%[3]d b%[5]d b%[6]d
b%[5]d:
  store v7, v%[2]d align=4
  jump b%[6]d
`, block, id, id+1, id, block+1, block+2)
			id, block = id+2, block+2
		}
		fmt.Fprintf(&b, "b%d:\n  store v7, v10 align=4\n  return\n", block)
		return b.String()
	}
	for _, c := range []struct {
		name         string
		left, second string // the target of the header's exit, and the end of the second block
		phis         int    // not counting the counter's
	}{
		{"one exit", "b4", "jump b1", 1},
		{"two exits", "b3", "v13 = lt bool v12, v1\n  branch v13 b1 b3", 3},
	} {
		p := prepare(t, body(c.left, c.second), false)
		phis := 0
		for _, b := range p.F.Blocks {
			for _, v := range b.Phis() {
				if v.Type == ssa.TI32 {
					phis++
				}
			}
		}
		if phis != c.phis+1 {
			t.Errorf("%s: %d phis beside the counter, not %d\n%s", c.name, phis-1, c.phis, p.F)
		}
	}
}

package opt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestLargeIfConvert: with many calls, or in a large function, decisions become selects that are branches
// elsewhere.
func TestLargeIfConvert(t *testing.T) {
	// A decision: shifts of four values by one of two distances.
	const pick = `
func @pick(v0 v4u32, v1 v4u32, v2 bool) v4u32 {
b0:
  v3 = const v4u32 8
  v4 = const v4u32 24
  branch v2 b1 b2
b1:
  v5 = shl v4u32 v0, v3
  v6 = shr v4u32 v1, v4
  v7 = or v4u32 v5, v6
  jump b3
b2:
  v8 = shl v4u32 v1, v3
  v9 = shr v4u32 v0, v4
  v10 = xor v4u32 v8, v9
  jump b3
b3:
  v11 = phi v4u32 b1:v7 b2:v10
  return v11
}
kernel @k(v0 ptr.global, v1 bool) {
  arg kind=global name="out"
  arg kind=value name="n" type=bool
b0:
  v2 = load v4u32 v0 align=16
`
	branches := func(calls, more int) int {
		var b strings.Builder
		b.WriteString(pick)
		last := 2
		for i := 3; i < 3+calls; i++ {
			fmt.Fprintf(&b, "  v%d = call v4u32 @pick v2, v%d, v1\n", i, last)
			last = i
		}
		for range more {
			fmt.Fprintf(&b, "  v%d = mul v4u32 v%d, v2\n", last+1, last)
			last++
		}
		fmt.Fprintf(&b, "  store v0, v%d align=16\n  return\n}\n", last)
		m, err := ssa.ParseText("pick", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(m, Config{Verify: true}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, b := range m.Func("k").Blocks {
			if b.Term().Op == ssa.OpBranch {
				n++
			}
		}
		return n
	}
	if n := branches(5, 0); n == 0 {
		t.Error("a few decisions should stay branches")
	}
	if n := branches(manyCalls, 0); n != 0 {
		t.Errorf("many calls leave %d branches", n)
	}
	if n := branches(5, largeFunction); n != 0 {
		t.Errorf("a large function has %d branches", n)
	}
}

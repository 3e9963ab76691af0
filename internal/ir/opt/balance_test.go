package opt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestBalanceExact: balance changes no bit of random sums, in a loop and after it.
func TestBalanceExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	changed := 0
	for range 2000 {
		text := randomSums(r)
		args := [][]uint64{{r.Uint64() >> 32}, {r.Uint64() >> 32}, {r.Uint64() >> 32}}
		m, err := ssa.ParseText("t", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want := new(machine).call(m.Funcs[0], args)[0]
		before := m.Funcs[0].String()
		if err := RunPasses(m, []string{"balance", "dce"}, Config{Verify: true}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		after := m.Funcs[0].String()
		if got := new(machine).call(m.Funcs[0], args)[0]; got != want {
			t.Fatalf("%v is %x, not %x\n%s\n%s", args, got, want, before, after)
		}
		if _, tail, _ := strings.Cut(after, "v20 ="); !strings.Contains(before, tail) {
			changed++
		}
	}
	if changed < 500 {
		t.Errorf("only %d functions changed", changed)
	}
}

// randomSums returns a function with sums in a loop of two iterations, which other operations use.
func randomSums(r *rand.Rand) string {
	values := []string{"v0", "v1", "v2", "v6", "v10"}
	var b strings.Builder
	b.WriteString("func @f(v0 u32, v1 u32, v2 u32) u32 {\nb0:\n v3 = const u32 0\n v4 = const u32 1\n v5 = const u32 2\n jump b1\n" +
		"b1:\n v6 = phi u32 b0:v3 b2:v7\n v10 = phi u32 b0:v0 b2:v49\n v8 = lt bool v6, v5\n branch v8 b2 b3\nb2:\n")
	last := "v10"
	for i := 20; i < 50; i++ {
		op, x := "add", last
		if r.IntN(5) == 0 {
			op = []string{"rotl", "xor", "mul", "sub"}[r.IntN(4)]
		}
		y := values[r.IntN(len(values))]
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		last = fmt.Sprintf("v%d", i)
		fmt.Fprintf(&b, " %s = %s u32 %s, %s\n", last, op, x, y)
		if r.IntN(4) == 0 {
			values = append(values, last)
		}
	}
	b.WriteString(" v7 = add u32 v6, v4\n jump b1\nb3:\n return v10\n}\n")
	return b.String()
}

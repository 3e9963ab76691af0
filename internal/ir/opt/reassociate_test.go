package opt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestReassociateExact: in random chains of numbers so small that every order is exact, reassociate changes no bit.
func TestReassociateExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 3000 {
		product := r.IntN(2) == 0
		text := randomChain(r, product)
		args := [][]uint64{nil, nil, nil}
		for i := range args {
			x := float32(r.IntN(9) - 4)
			if product {
				x = []float32{1, -1, 2, 0.5}[r.IntN(4)]
			}
			args[i] = []uint64{uint64(math.Float32bits(x))}
		}
		m, err := ssa.ParseText("t", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want := new(machine).call(m.Funcs[0], args)[0]
		before := m.Funcs[0].String()
		if err := RunPasses(m, []string{"gvn", "reassociate", "simplify", "gvn", "licm", "dce"}, Config{Verify: true}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		after := m.Funcs[0].String()
		if got := new(machine).call(m.Funcs[0], args)[0]; got != want && got<<1|want<<1 != 0 { // -0 is 0
			t.Fatalf("%v is %x, not %x\n%s\n%s", args, got, want, before, after)
		}
		if strings.Count(after, ".reassoc") < strings.Count(before, ".reassoc") {
			changed++
		}
	}
	if changed < 500 {
		t.Errorf("only %d chains became shorter", changed)
	}
}

// randomChain returns a function with a chain in a loop of two iterations.
func randomChain(r *rand.Rand, product bool) string {
	ops, values := []string{"add", "sub", "add"}, []string{"v0", "v1", "v2", "v10", "v11"}
	if product {
		ops = []string{"mul"}
	}
	var b strings.Builder
	b.WriteString("func @f(v0 f32, v1 f32, v2 f32) f32 {\nb0:\n v3 = const i32 0\n v4 = const i32 1\n v5 = const i32 2\n v11 = const f32 2\n jump b1\n" +
		"b1:\n v6 = phi i32 b0:v3 b2:v7\n v10 = phi f32 b0:v0 b2:v29\n v8 = lt bool v6, v5\n branch v8 b2 b3\nb2:\n")
	last := "v10"
	for i := 20; i < 30; i++ {
		x, y := last, values[r.IntN(len(values))]
		if r.IntN(4) == 0 {
			x, y = y, x
		}
		if r.IntN(6) == 0 && i > 21 { // a tree
			y = fmt.Sprint("v", 20+r.IntN(i-20))
			if product || r.IntN(2) == 0 {
				y = values[r.IntN(3)]
			}
		}
		flag := ".reassoc"
		if r.IntN(12) == 0 {
			flag = ""
		}
		fmt.Fprintf(&b, " v%d = %s%s f32 %s, %s\n", i, ops[r.IntN(len(ops))], flag, x, y)
		last = fmt.Sprint("v", i)
	}
	b.WriteString(" v7 = add i32 v6, v4\n jump b1\nb3:\n return v10\n}\n")
	return b.String()
}

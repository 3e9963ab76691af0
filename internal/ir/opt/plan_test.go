package opt

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// callGraph returns the text of a module of n functions. Each calls up to three earlier ones and is large
// enough that some calls are not inlined.
func callGraph(r *rand.Rand, n int) string {
	ops := []string{"add", "xor", "mul", "sub"}
	var b strings.Builder
	for i := range n {
		attrs := ""
		if r.IntN(6) == 0 {
			attrs = " noinline"
		}
		fmt.Fprintf(&b, "func @f%d(v0 i32) i32%s {\nb0:\n  v1 = const i32 %d\n  v2 = mul i32 v0, v1\n", i, attrs, 3+r.IntN(50))
		last := 2
		for range r.IntN(4) {
			if i > 0 {
				fmt.Fprintf(&b, "  v%d = call i32 @f%d v%d\n", last+1, r.IntN(i), last)
				last++
			}
		}
		for range r.IntN(20) {
			fmt.Fprintf(&b, "  v%d = %s i32 v%d, v%d\n", last+1, ops[r.IntN(len(ops))], last, r.IntN(last+1))
			last++
		}
		fmt.Fprintf(&b, "  return v%d\n}\n", last)
	}
	return b.String()
}

// TestSideBySide: optimisation on one thread and on several gives the same text.
func TestSideBySide(t *testing.T) {
	left := 0
	for seed := range uint64(8) {
		text := callGraph(rand.New(rand.NewPCG(seed, 1)), 120)
		var want string
		for threads := range 6 {
			m, err := ssa.ParseText("calls", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p := newPlan(&Config{Verify: true, InlineBudget: 100}, m.Funcs)
			p.raw = p.calledOnce(m.Funcs[len(m.Funcs)-20:])
			passes, raw := find(Pipeline), find([]string{"inline"})
			if threads == 0 {
				err = p.inTurn(passes, raw)
			} else {
				err = p.sideBySide(threads, passes, raw)
			}
			if err != nil {
				t.Fatal(err)
			}
			if threads == 0 {
				want = m.String()
				left += strings.Count(want, " call ")
			} else if got := m.String(); got != want {
				t.Fatalf("seed %d: %d threads give another module", seed, threads)
			}
		}
	}
	if left == 0 {
		t.Error("every call was inlined")
	}
}

// TestFailures: if a pass fails on several functions, Run always reports the first of them, whichever thread
// fails first.
func TestFailures(t *testing.T) {
	text := callGraph(rand.New(rand.NewPCG(7, 1)), 60)
	fail := func(wrong func(f *ssa.Func)) *Pass {
		return &Pass{Name: "broken", run: func(s *state) {
			if s.at == 11 || s.at%10 == 5 && s.at > 11 {
				wrong(s.f)
			}
		}}
	}
	panics := fail(func(f *ssa.Func) { panic("no " + f.Name) })
	breaks := fail(func(f *ssa.Func) { f.Blocks[0].Values = f.Blocks[0].Values[:1] })
	for threads := range 6 {
		run := func(pass *Pass) (first string, cause any, err error) {
			m, perr := ssa.ParseText("calls", []byte(text))
			if perr != nil {
				t.Fatal(perr)
			}
			p := newPlan(&Config{Verify: true}, m.Funcs)
			defer func() { cause = recover() }()
			first = p.order[11].Name
			if threads == 0 {
				return first, nil, p.inTurn([]*Pass{pass}, nil)
			}
			return first, nil, p.sideBySide(threads, []*Pass{pass}, nil)
		}
		first, cause, _ := run(panics)
		if x, ok := cause.(*Panic); !ok || x.Cause != "no "+first || x.Where != "pass broken on "+first || len(x.Stack) == 0 {
			t.Errorf("%d threads panic with %v", threads, cause)
		}
		first, cause, err := run(breaks)
		if err == nil || !strings.HasPrefix(err.Error(), "after pass broken on @"+first+":") || cause != nil || errors.Unwrap(err) == nil {
			t.Errorf("%d threads fail with %v, %v", threads, err, cause)
		}
	}
}

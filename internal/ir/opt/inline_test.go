package opt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A chain of functions that are called once, a function that is called twice, and two mutually recursive
// functions.
const calls = `
func @leaf(v0 i32) i32 {
b0:
  v1 = alloca ptr.private size=4 align=4
  store v1, v0 align=4
  v2 = load i32 v1 align=4
  v3 = mul i32 v2, v2
  return v3
}
func @middle(v0 i32) i32 {
b0:
  v1 = call i32 @leaf v0
  v2 = call i32 @twice v1
  v3 = call i32 @twice v2
  return v3
}
func @twice(v0 i32) i32 {
b0:
  v1 = add i32 v0, v0
  return v1
}
func @even(v0 i32) i32 {
b0:
  v1 = const i32 0
  v2 = eq bool v0, v1
  branch v2 b1 b2
b1:
  return v1
b2:
  v3 = call i32 @odd v0
  return v3
}
func @odd(v0 i32) i32 {
b0:
  v1 = const i32 1
  v2 = sub i32 v0, v1
  v3 = call i32 @even v2
  return v3
}
kernel @k(v0 ptr.global, v1 i32) {
  arg kind=global name="out"
  arg kind=value name="n" type=i32
b0:
  v2 = call i32 @middle v1
  v3 = call i32 @even v2
  store v0, v3 align=4
  return
}
`

// TestCalledOnce checks which functions are optimised by themselves: not those with a single call, which become
// part of their caller first.
func TestCalledOnce(t *testing.T) {
	for _, c := range []struct {
		name      string
		cfg       Config
		optimised string
		left      string
	}{
		{"all", Config{}, "even k twice", "even k"},
		{"no inlining", Config{Disable: map[string]bool{"inline": true}}, "even k leaf middle odd twice", "even k leaf middle odd twice"},
		{"no room", Config{InlineBudget: 1}, "even k leaf middle odd twice", "even k leaf middle odd twice"},
	} {
		m, err := ssa.ParseText("calls", []byte(calls))
		if err != nil {
			t.Fatal(err)
		}
		optimised := map[string]int{}
		c.cfg.Verify = true
		c.cfg.Dump = func(pass string, f *ssa.Func) {
			if pass == "layout" {
				optimised[f.Name]++
			}
		}
		if err := Run(m, c.cfg); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := ssa.VerifyModule(m); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, m)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(optimised)), " "); got != c.optimised {
			t.Errorf("%s: optimised %s, want %s", c.name, got, c.optimised)
		}
		for f, n := range optimised {
			if n != 1 {
				t.Errorf("%s: %s optimised %d times", c.name, f, n)
			}
		}
		var left []string
		for _, f := range m.Funcs {
			left = append(left, f.Name)
		}
		slices.Sort(left)
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%s: %s left, want %s\n%s", c.name, got, c.left, m)
		}
	}
}

// TestRoots: exactly the functions in Config.Roots stay.
func TestRoots(t *testing.T) {
	m, err := ssa.ParseText("calls", []byte(calls))
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(m, Config{Verify: true, Roots: []*ssa.Func{m.Func("leaf"), m.Func("middle")}}); err != nil {
		t.Fatal(err)
	}
	if len(m.Funcs) != 2 || m.Func("leaf") == nil || m.Func("middle") == nil {
		t.Errorf("want leaf and middle:\n%s", m)
	}
}

// TestRawDepth: chains of functions that are inlined before they are optimised stay short, because each carries
// all earlier ones with it.
func TestRawDepth(t *testing.T) {
	const n = 100
	var b strings.Builder
	b.WriteString("func @f0(v0 i32) i32 {\nb0:\n  v1 = add i32 v0, v0\n  return v1\n}\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "func @f%d(v0 i32) i32 {\nb0:\n  v1 = call i32 @f%d v0\n  return v1\n}\n", i, i-1)
	}
	m, err := ssa.ParseText("chain", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	roots := []*ssa.Func{m.Func(fmt.Sprintf("f%d", n-1))}
	once := newPlan(&Config{}, roots).calledOnce(roots)
	if len(once) < n/2 {
		t.Errorf("only %d of %d are inlined unoptimised", len(once), n)
	}
	for i, run := 0, 0; i < n; i++ {
		if _, raw := once[m.Func(fmt.Sprintf("f%d", i))]; !raw {
			run = 0
		} else if run++; run > maxRawDepth {
			t.Fatalf("f%d is number %d in a chain", i, run)
		}
	}
	if err := Run(m, Config{Verify: true, Roots: roots}); err != nil {
		t.Fatal(err)
	}
	if len(m.Funcs) != 1 || m.Funcs[0].CountValues() > 5 {
		t.Errorf("left is\n%s", m)
	}
}

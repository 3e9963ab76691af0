package compile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// doubling returns the source of n functions. Each function calls the previous one twice.
func doubling(n int, first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "int f0(int x, local int *q) { %s return x * q[1]; }\n", first)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "int f%d(int x, local int *q) { return f%d(x ^ %d, q) * f%d(x * %d, q); }\n", i, i-1, i, i-1, i+3)
	}
	fmt.Fprintf(&b, "kernel void k(global int *p, local int *q) { p[0] = f%d(p[1], q); }\n", n-1)
	return b.String()
}

// TestTooLarge: the inliner keeps calls that would double a program repeatedly. If they must be inlined, because
// the callee has a barrier, they give an error at the call.
func TestTooLarge(t *testing.T) {
	const n = 40
	opts := func() *Options {
		return &Options{Verify: true, Opt: opt.Config{InlineBudget: 400, ModuleBudget: 3000}}
	}
	res, err := Compile(context.Background(), "a.cl", []byte(doubling(n, "")), opts())
	if err != nil {
		t.Fatal(err)
	}
	calls, values := 0, 0
	for _, f := range res.Module.Funcs {
		values += f.CountValues()
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if v.Op == ssa.OpCall {
					calls++
				}
			}
		}
	}
	if calls == 0 || values > 5000 {
		t.Errorf("%d calls, %d values", calls, values)
	}

	src := []byte(doubling(n, "barrier(CLK_LOCAL_MEM_FENCE);"))
	_, err = Compile(context.Background(), "a.cl", src, opts())
	_, linkErr := Units(context.Background(), []Unit{{Name: "a.cl", Text: src, Options: opts()}, {Name: "b.cl", Options: opts()}}, opts())
	for _, err := range []error{err, linkErr} {
		var list *diag.List
		if !errors.As(err, &list) || len(list.Diags) != 1 || list.Diags[0].Code != diag.FunctionTooLarge {
			t.Errorf("the error is %v", err)
			continue
		}
		at := list.Source.Location(list.Diags[0].Span.Pos)
		if line := strings.Split(string(src), "\n")[at.Line-1]; !strings.HasPrefix(line[at.Column-1:], "f") {
			t.Errorf("the error is at %d:%d, %q", at.Line, at.Column, line)
		}
	}
}

package compile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

const ov = "__attribute__((overloadable)) "

// linkCases are programs of one or several units, with the expected reports as "unit:line:column code text".
var linkCases = []struct {
	name  string
	units []string
	want  []string
}{
	{name: "one overload defined, another called",
		units: []string{"int " + ov + "g(global int *p) { return 1; }\nint " + ov + "g(global float *p);\nkernel void k(global int *r, global float *p) { r[0] = g(p); }"},
		want:  []string{"0:3:56 undefined-symbol undefined function 'g'"}},
	{name: "overloads of scalar types",
		units: []string{"int " + ov + "g(int x) { return 1; }\nint " + ov + "g(float x);\nkernel void k(global int *r) { r[0] = g(1.0f); }"},
		want:  []string{"0:3:39 undefined-symbol undefined function 'g'"}},
	{name: "another unit defines the other overload",
		units: []string{"int " + ov + "g(global int *p);\nint " + ov + "g(global float *p);\nkernel void k(global int *r, global float *p) { r[0] = g(p); }",
			"int " + ov + "g(global int *p) { return 1; }"},
		want: []string{"0:3:56 undefined-symbol undefined function 'g'"}},
	{name: "overloads in units",
		units: []string{"int " + ov + "g(global int *p);\nint " + ov + "g(global float *p);\nkernel void k(global int *r, global float *p) { r[0] = g(p) + g(r); }",
			"int " + ov + "g(global int *p) { return 1; }", "int " + ov + "g(global float *p) { return 2; }"}},
	{name: "undefined function", units: []string{"int g(int);\nkernel void k(global int *r) { r[0] = g(1); }"},
		want: []string{"0:2:39 undefined-symbol undefined function 'g'"}},
	{name: "not called", units: []string{"int g(int);\nkernel void k(global int *r) { r[0] = sizeof(g(1)); }"}},
	{name: "declared in a block", units: []string{"kernel void k(global int *r) { int g(int); r[0] = g(1); }\nint g(int x) { return x; }"}},
	{name: "a name with a parenthesis is no builtin", units: []string{"int " + ov + "sin(global int *);\nkernel void k(global int *r) { r[0] = sin(r); }"},
		want: []string{"0:2:39 undefined-symbol undefined function 'sin'"}},
	{name: "types differ", units: []string{"int g(global float *);\nkernel void k(global float *r) { r[0] = g(r); }", "int g(global int *x) { return x[0]; }"},
		want: []string{"0:1:5 conflicting-types function 'g' is declared with type 'int (__global float *)' and defined with type 'int (__global int *)'"}},
	{name: "results differ", units: []string{"float g(void);\nkernel void k(global float *r) { r[0] = g(); }", "int g(void) { return 1; }"},
		want: []string{"0:1:7 conflicting-types function 'g' is declared with type 'float (void)' and defined with type 'int (void)'"}},
	{name: "structs differ", units: []string{"struct s { int a; float b; };\nint g(struct s x);\nkernel void k(global int *r) { struct s x = { 1, 2 }; r[0] = g(x); }",
		"struct s { float a; int b; };\nint g(struct s x) { return x.b; }"},
		want: []string{"0:2:5 conflicting-types function 'g' is declared with type 'int (struct s)' and defined with type 'int (struct s)'"}},
	{name: "equal structs", units: []string{"struct s { int a; struct s global *n; };\nint g(struct s x);\nkernel void k(global int *r) { struct s x = { 1, 0 }; r[0] = g(x); }",
		"struct s { int a; struct s global *n; };\nint g(struct s x) { return x.a; }"}},
	{name: "static does not define", units: []string{"int g(int);\nkernel void k(global int *r) { r[0] = g(1); }", "static int g(int x) { return x; }\nkernel void l(global int *r) { r[0] = g(1); }"},
		want: []string{"0:2:39 undefined-symbol undefined function 'g'"}},
	{name: "static functions and variables of one name", units: []string{"static int g(int x) { return x; }\nstatic constant int c = 1;\nkernel void k(global int *r) { r[0] = g(c); }",
		"static int g(int x) { return x + 1; }\nstatic constant int c = 2;\nkernel void l(global int *r) { r[0] = g(c); }", "int g(int x) { return 7; }\nconstant int c = 9;"}},
	{name: "two definitions", units: []string{"int g(int x) { return x; }", "int g(int x) { return x; }\nconstant int c = 1;", "constant int c = 2;"},
		want: []string{"1:1:5 multiple-definition a second definition of function 'g'", "2:1:14 multiple-definition a second definition of variable 'c'"}},
	{name: "inline in two units", units: []string{"inline int g(int x) { return x; }\nkernel void k(global int *r) { r[0] = g(1); }", "inline int g(int x) { return x; }\nkernel void l(global int *r) { r[0] = g(1); }"}},
	{name: "variables", units: []string{"extern constant int c;\nextern constant float d;\nextern constant int unused;\nkernel void k(global int *r) { r[0] = c + d; }", "constant int c = 1;\nconstant int d = 1;"},
		want: []string{"0:2:23 conflicting-types variable 'd' is declared with type '__constant float' and defined with type '__constant int'"}},
	{name: "undefined variable", units: []string{"extern constant int c;\nkernel void k(global int *r) { r[0] = c; }"},
		want: []string{"0:2:39 undefined-symbol undefined variable 'c'"}},
	{name: "variable declared in a block", units: []string{"kernel void k(global int *r) { extern constant int c; r[0] = c; }\nconstant int c = 3;"}},
	{name: "kernel of another unit", units: []string{"typedef struct { int a; float b; } s;\nkernel void k(global int *r, s x);\nkernel void l(global int *r) { s x = { 1, 2 }; k(r, x); }",
		"typedef struct { int a; float b; } s;\nkernel void k(global int *r, s x) { r[0] = x.a; }"}},
}

// link links units and returns the reports.
func link(t *testing.T, units []string, options compile.Options) (*compile.Result, []string) {
	t.Helper()
	options.Source.Std, options.Verify = opencl.CL12, true
	var list []compile.Unit
	for i, u := range units {
		o := options
		list = append(list, compile.Unit{Name: fmt.Sprint(i), Text: []byte(u), Options: &o})
	}
	res, err := compile.Units(context.Background(), list, &options)
	var got []string
	for _, d := range res.Diags {
		if d.Severity >= diag.Error {
			loc := res.Source.Location(d.Span.Pos)
			got = append(got, fmt.Sprintf("%s:%d:%d %s %s", loc.File, loc.Line, loc.Column, d.Code.Name, d.Message))
		}
	}
	if _, isList := err.(*diag.List); err != nil && !isList || (err != nil) != (len(got) > 0) {
		t.Errorf("the error is %v", err)
	}
	return res, got
}

// TestLink: calls reach the function of their types, or are errors.
func TestLink(t *testing.T) {
	for _, c := range linkCases {
		t.Run(c.name, func(t *testing.T) {
			res, got := link(t, c.units, compile.Options{})
			if g, w := strings.Join(got, "\n"), strings.Join(c.want, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
			if len(got) > 0 {
				return
			}
			for _, f := range res.Module.Funcs {
				for _, b := range f.Blocks {
					for _, v := range b.Values {
						if v.Op == ssa.OpExtern {
							t.Errorf("%s still calls %v", f.Name, v.Sym)
						}
					}
				}
			}
		})
	}
}

// TestLinkPartial: a library may have undefined functions; its symbols must match nevertheless.
func TestLinkPartial(t *testing.T) {
	for _, c := range linkCases {
		_, got := link(t, c.units, compile.Options{Partial: true, NoOpt: true})
		var want []string
		for _, w := range c.want {
			if !strings.Contains(w, "undefined-symbol") {
				want = append(want, w)
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, g, w)
		}
	}
}

// TestLinkValues: calls of overloads and static functions reach the right function.
func TestLinkValues(t *testing.T) {
	units := []string{
		"int " + ov + "g(int x);\nint " + ov + "g(float x);\nstatic int s(void) { return 10; }\nkernel void k(global int *r) { r[0] = g(1) + s(); r[1] = g(1.0f); }",
		"int " + ov + "g(int x) { return 1; }\nstatic int s(void) { return 20; }\nkernel void l(global int *r) { r[0] = s(); }",
		"int " + ov + "g(float x) { return 2; }\nint s(void) { return 30; }",
	}
	for i := range units { // in each order
		res, got := link(t, append(units[i:len(units):len(units)], units[:i]...), compile.Options{})
		if len(got) > 0 {
			t.Fatal(got)
		}
		for name, want := range map[string][]uint64{"k": {11, 2}, "l": {20}} {
			var stored []uint64
			for _, b := range res.Module.Func(name).Blocks {
				for _, v := range b.Values {
					if v.Op == ssa.OpStore {
						stored = append(stored, v.Args[1].Bits...)
					}
				}
			}
			if fmt.Sprint(stored) != fmt.Sprint(want) {
				t.Errorf("%s stores %v, want %v", name, stored, want)
			}
		}
	}
}

// TestLinkExamples runs the examples of diagnostics that only the linker reports.
func TestLinkExamples(t *testing.T) {
	for _, c := range diag.Codes {
		if !c.Link || c.Bad == "" {
			continue
		}
		if _, got := link(t, []string{c.Bad}, compile.Options{}); len(got) != 1 || !strings.Contains(got[0], " "+c.Name+" ") {
			t.Errorf("%s: the bad example gives %v", c.Name, got)
		}
		if _, got := link(t, []string{c.Good}, compile.Options{}); len(got) != 0 {
			t.Errorf("%s: the good example gives %v", c.Name, got)
		}
	}
}

package check

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
)

// TestHostile checks that hostile input gives errors in bounded time and memory.
func TestHostile(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct{ name, src, code string }{
		{"sum", "int f(int x) { return x" + rep(" + x", 100000) + "; }", "nesting-too-deep"},
		{"sum that fits", "int f(int x) { return x" + rep(" + x", 5000) + "; }", ""},
		{"members", "struct s { int x; }; int f(struct s s) { return s" + rep(".x", 50000) + "; }", "nesting-too-deep"},
		{"subscripts", "int f(private int *p) { return p" + rep("[0]", 50000) + "; }", "nesting-too-deep"},
		{"commas", "int f(int x) { return (x" + rep(", x", 100000) + "); }", "nesting-too-deep"},
		{"else if", "void f(int x) { " + rep("if (x) x = 1; else ", 100000) + "x = 2; }", "nesting-too-deep"},
		{"labels", "void f(int x) { " + rep("if (x) ", 100000) + "x = 2; }", "nesting-too-deep"},
		{"cases", "void f(int x) { switch (x) { case 1: " + rep("default: ", 30) + ";} }", "duplicate-case"},
		{"stars", "void f(int " + rep("*", 100000) + "p);", "nesting-too-deep"},
		{"array dimensions", "void f(void) { int a" + rep("[2]", 60) + "; }", "object-too-large"},
		{"huge array", "void f(void) { float16 a[1099511627776]; }", "object-too-large"},
		{"huge size", "int f(void) { return sizeof(float16[1099511627776][1099511627776]); }", "object-too-large"},
		{"huge struct", "struct s { float16 a[17179869183]; float16 b[17179869183]; };", "object-too-large"},
		{"huge designator", "constant int a[] = { [2147483647] = 1 };", "object-too-large"},
		{"huge nested designator", "constant char16 a[] = { [1000000000] = 1 };", "object-too-large"},
		{"sparse", "constant int a[1 << 28] = { [1 << 27] = 1 };", ""},
		{"case range", "int f(int x) { switch (x) { case -2147483647 ... 2147483647: return 1; } return 0; }", ""},
		{"components", "float f(float4 v) { return v." + rep("x", 100000) + "; }", "vector-component"},
		{"number", "int f(void) { return 1" + rep("0", 100000) + "; }", "invalid-number"},
		{"exponent", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nint f(void) { return 1e999999999h > 0; }", "literal-range"},
		{"many parameters", "void f(int a" + rep(", int", 100000) + ");", ""},
		{"many members", "struct s { int a0; " + manyMembers(20000) + "};", ""},
		{"anonymous", "struct s {" + rep("struct {", 100) + "int x;" + rep("};", 100) + "}; int f(struct s s) { return s.x; }", ""},
		{"self", "struct s { struct s a[2]; }; struct t { struct t *p; }; int f(struct t x) { return sizeof(x.p->p->p); }", "incomplete-type"},
		{"initializer of itself", "constant int a[] = { sizeof(a) };", "invalid-sizeof"},
		{"const of itself", "void f(void) { const int n = n; int a[n]; }", "variable-length-array"},
		{"enum of itself", "enum e { A = A };", "undeclared-identifier"},
		{"typeof itself", "void f(void) { typeof(x) x; }", "undeclared-identifier"},
		{"cyclic calls", "void a(void); void b(void) { a(); } void a(void) { b(); }", "recursion"},
		{"a long cycle", manyCalls(5000), "recursion"},
		{"doubling records", doublingRecords(28) + "void f(void) { private struct s28 *p, *q; *p = *q; }", ""},
		{"string", "constant char s[] = " + rep("\"0123456789abcdef\" ", 1<<20+1) + ";", "object-too-large"},
		{"braces", "constant int a = " + rep("{", 200) + "1" + rep("}", 200) + ";", ""},
	} {
		start := timing.Processor()
		prog, r := compile(t, c.name, []byte(c.src), "-w")
		if d := timing.Processor() - start; d > 10*time.Second { // processor time: other programs on the machine change it little
			t.Errorf("%s: took %v", c.name, d)
		}
		if c.code == "literal-range" {
			continue // a warning: only the time is checked
		}
		if c.code == "" {
			if prog == nil {
				t.Errorf("%s: %s", c.name, r.Diags[0].Message)
			}
			continue
		}
		found := false
		for _, d := range r.Diags {
			found = found || d.Code.Name == c.code
		}
		if !found {
			t.Errorf("%s: want %s, got %v", c.name, c.code, r.Diags)
		}
	}
}

// manyCalls returns n functions that call each other in a cycle.
func manyCalls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "void f%d(void);\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "void f%d(void) { f%d(); }\n", i, (i+1)%n)
	}
	return b.String()
}

// doublingRecords returns records that each contain the previous one twice.
func doublingRecords(n int) string {
	var b strings.Builder
	b.WriteString("struct s0 { int x; };\n")
	for i := range n {
		fmt.Fprintf(&b, "struct s%d { struct s%d a, b; };\n", i+1, i)
	}
	return b.String()
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("int m")
		for ; i > 0; i /= 26 {
			b.WriteByte(byte('a' + i%26))
		}
		b.WriteString("_; ")
	}
	return b.String()
}

// FuzzCheck checks that no input makes the checker panic, that there is a tree exactly if there are no errors, that
// every tree satisfies its invariants, and that reused memory gives the same findings as fresh memory.
func FuzzCheck(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.cl")
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src), uint8(0))
		f.Add(string(src), uint8(1))
		for _, part := range strings.Split(string(src), "\n") {
			f.Add(part, uint8(0))
			f.Add("kernel void k(global int *p, float4 f, int i) { "+part+" }", uint8(0))
		}
	}
	for _, c := range diag.Codes {
		f.Add(c.Bad, uint8(0))
		f.Add(c.Good, uint8(0))
	}
	f.Add(benchSource(1), uint8(0))
	f.Fuzz(func(t *testing.T, src string, std uint8) {
		if len(src) > 1<<16 {
			return
		}
		opts := &option.Source{Std: [...]opencl.Version{opencl.CL12, opencl.CL20, opencl.CL30}[std%3], MaxTokens: 1 << 16}
		source := diag.NewSource()
		file, _ := source.AddFile("fuzz.cl", []byte(src), 0)
		rep := diag.NewReporter(source, diag.Config{MaxErrors: 100, Enable: map[string]bool{"everything": true}})
		var tokens preprocess.Memory
		var nodes syntax.Memory
		var tree Memory
		ast := nodes.Parse(source, tokens.Run(source, file, opts, rep), opts, rep)
		prog := tree.Check(ast, source, opts, rep)
		if (prog == nil) != rep.Failed() {
			t.Fatalf("tree: %t, errors: %d", prog != nil, rep.Errors)
		}
		if prog != nil {
			if bad := verify(prog); len(bad) > 0 {
				t.Fatal(bad[0])
			}
		}

		nodes.Reset()
		tree.Reset()
		source = diag.NewSource()
		file, _ = source.AddFile("fuzz.cl", []byte(src), 0)
		again := diag.NewReporter(source, rep.Config)
		ast = nodes.Parse(source, tokens.Run(source, file, opts, again), opts, again)
		tree.Check(ast, source, opts, again)
		if !reflect.DeepEqual(rep.Diags, again.Diags) {
			for i := range min(len(rep.Diags), len(again.Diags)) {
				if !reflect.DeepEqual(rep.Diags[i], again.Diags[i]) {
					t.Errorf("%+v; with memory used before: %+v", rep.Diags[i], again.Diags[i])
				}
			}
			t.Fatalf("%d findings, %d with memory used before", len(rep.Diags), len(again.Diags))
		}
	})
}

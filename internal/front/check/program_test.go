package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/diag"
)

func mustCompile(t *testing.T, src, options string) *Program {
	t.Helper()
	prog, rep := compile(t, "test.cl", []byte(src), options)
	if prog == nil {
		t.Fatalf("%s: %s", src, rep.Diags[0].Message)
	}
	for _, b := range verify(prog) {
		t.Error(b)
	}
	return prog
}

// TestLoopHints checks Loop.Unroll (OpenCL C 6.13.5).
func TestLoopHints(t *testing.T) {
	for hint, want := range map[string]int{
		"": 0, "#pragma unroll\n": -1, "#pragma unroll 4\n": 4, "#pragma nounroll\n": 1, "#pragma unroll 1\n": 1,
		"__attribute__((opencl_unroll_hint)) ": -1, "__attribute__((opencl_unroll_hint(8))) ": 8,
		"#define N 2\n#pragma unroll N\n": 2,
	} {
		prog := mustCompile(t, "void f(int n) {\n"+hint+"for (int i = 0; i < n; i++) { } }", "")
		l := prog.Funcs[0].Body.List[0].(*Loop)
		if l.Unroll != want {
			t.Errorf("%q: %d, want %d", hint, l.Unroll, want)
		}
	}
}

// TestContract checks that FP_CONTRACT holds to the end of its block (6.12.16).
func TestContract(t *testing.T) {
	prog := mustCompile(t, `
float a(float x) { return x * x; }
#pragma OPENCL FP_CONTRACT OFF
float b(float x) { return x * x; }
float c(float x) {
#pragma OPENCL FP_CONTRACT ON
  return x * x;
}
#pragma OPENCL FP_CONTRACT DEFAULT
float d(float x) { {
#pragma OPENCL FP_CONTRACT OFF
  x = x * x; } return x * x; }
int e(int x) { return x * x; }
#pragma STDC FP_CONTRACT OFF
float f(float x) { return x * x; }
#pragma OPENCL FP_CONTRACT ON
float g(float x) { return x * x; }
`, "")
	got := ""
	for _, f := range prog.Funcs {
		r := f.Body.List[len(f.Body.List)-1].(*Return)
		got += fmt.Sprintf("%s:%t ", f.Name, r.X.(*Binary).Contract)
	}
	if want := "a:true b:false c:true d:true e:false f:false g:true "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestKernelAttrs checks the attributes that the host may query (OpenCL API, "Kernel Object Queries", 5.9.4).
func TestKernelAttrs(t *testing.T) {
	prog := mustCompile(t, `typedef struct { int a; } rec;
__attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(float4)))
kernel void f(global const float4 *restrict a, local uint *b, unsigned int c, read_only image2d_t d, sampler_t e, constant rec *f, rec g, global uchar h[]) { }
__attribute__((work_group_size_hint(16, 1, 1))) kernel void g(void) { }
`, "")
	k := prog.Funcs[0].Kernel
	if k.ReqdWorkGroupSize != [3]int64{8, 4, 2} || k.VecTypeHint != "float4" || k.Text != "reqd_work_group_size(8,4,2) vec_type_hint(float4)" {
		t.Errorf("%+v", k)
	}
	if got, want := strings.Join(k.ParamTypes, " "), "float4* uint* uint image2d_t sampler_t rec* rec uchar*"; got != want {
		t.Errorf("types %q, want %q", got, want)
	}
	if k := prog.Funcs[1].Kernel; k.WorkGroupSizeHint != [3]int64{16, 1, 1} || k.ReqdWorkGroupSize != [3]int64{} {
		t.Errorf("%+v", k)
	}
}

// TestProgram checks variables, functions and calls of a program.
func TestProgram(t *testing.T) {
	prog := mustCompile(t, `
constant int table[2] = { 1, 2 };
int declared_only(int x);
int unused_declaration(int x);
static int helper(int x) { return declared_only(x) + declared_only(2); }
kernel void k(global int *p) { local int scratch[4]; constant int c = 3; int a = helper(1), b = helper(2); p[0] = a + b + c + table[0] + scratch[0]; }
`, "")
	var names []string
	for _, v := range prog.Globals {
		names = append(names, fmt.Sprint(v.Name, ":", v.Kind, ":", v.Type))
	}
	if got, want := strings.Join(names, " "), "table:2:__constant int[2] scratch:3:__local int[4] c:2:__constant int"; got != want {
		t.Errorf("globals %q, want %q", got, want)
	}
	names = nil
	for _, f := range prog.Funcs {
		s := f.Name + "("
		for _, c := range f.Calls {
			s += c.Name
		}
		names = append(names, s+")")
	}
	if got, want := strings.Join(names, " "), "declared_only() helper(declared_only) k(helper)"; got != want {
		t.Errorf("functions %q, want %q", got, want)
	}
}

// TestSuggestions checks notes and fixes.
func TestSuggestions(t *testing.T) {
	for _, c := range []struct{ src, fix string }{
		{"void f(float4 f) { ushort4 c = convert_uchar4_sat_rte(f); }", "convert_ushort4_sat_rte"},
		{"void f(float4 f) { int4 c = convert_uchar4(f); }", "convert_int4"},
		{"void f(int4 i) { float4 c = convert_float4_sat_rtz(i); }", "convert_float4_rtz"},
		{"void f(float2 v) { int2 c = convert_int4_sat(v); }", "convert_int2_sat"},
		{"void f(float2 v) { int2 c = convert_int2_rte_sat(v); }", "convert_int2_sat_rte"},
		{"void f(float2 v) { int2 c = convert_itn2(v); }", "convert_int2"},
		{"void f(float x) { size_t y = convert_size_t_sat(x); }", "convert_ulong_sat"},
		{"void f(int x) { int y = as_fluat(x); }", "as_float"},
		{"void f(int width) { int y = widht; }", "width"},
		{"kernel void f(global int *p) { p[0] = get_globalid(0); }", "get_global_id"},
		{"struct s { int width; }; int f(struct s x) { return x.wdth; }", "width"},
		{"struct s { int width; }; int f(struct s *x) { return x.width; }", "->"},
		{"struct s { int width; }; int f(struct s x) { return x->width; }", "."},
		{"int helper(int x) { return x; } int f(int x) { return helpr(x); }", "helper"},
	} {
		_, rep := compile(t, "fix.cl", []byte(c.src), "")
		var fix *diag.Fix
		for _, d := range rep.Diags {
			if fix == nil {
				fix = d.Fix
			}
		}
		if fix == nil || fix.Text != c.fix {
			t.Errorf("%s: fix %+v, want %s", c.src, fix, c.fix)
			continue
		}
		// The repaired program has no error at that position.
		at := rep.Source.FileSpan(fix.Span)
		_, from := rep.Source.File(at.Pos)
		repaired := c.src[:from] + fix.Text + c.src[from+int(at.End-at.Pos):]
		if _, rep := compile(t, "fixed.cl", []byte(repaired), ""); rep.Failed() {
			t.Errorf("%s: %s", repaired, rep.Diags[0].Message)
		}
	}
}

// TestLegalTrees verifies the trees of all test sources that have no errors.
func TestLegalTrees(t *testing.T) {
	files, _ := filepath.Glob("testdata/*/*.cl")
	n := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "options:") {
			continue
		}
		if prog, _ := compile(t, name, src, "-w"); prog != nil {
			n++
			for _, b := range verify(prog) {
				t.Errorf("%s: %s", name, b)
			}
		}
	}
	prog := mustCompile(t, benchSource(1), "")
	if n < 3 || len(prog.Funcs) != 3 {
		t.Errorf("%d legal files", n)
	}
}

package syntax

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
)

// parseText preprocesses and parses text, and returns the tree and the reports.
func parseText(text string, std opencl.Version) (*File, *diag.Reporter) {
	src := diag.NewSource()
	f, _ := src.AddFile("a.cl", []byte(text), 0)
	opts := &option.Source{Std: std, MaxTokens: 1 << 20}
	rep := diag.NewReporter(src, diag.Config{MaxErrors: -1})
	m := new(Memory)
	return m.Parse(src, preprocess.Run(src, f, opts, rep), opts, rep), rep
}

// findings lists the reports as "line:column code: message".
func findings(rep *diag.Reporter) (out []string) {
	for _, d := range rep.Diags {
		loc := rep.Source.Location(d.Span.Pos)
		out = append(out, fmt.Sprintf("%d:%d %s: %s", loc.Line, loc.Column, d.Code.Name, d.Message))
	}
	return out
}

// sexpr writes the shape of an expression.
func sexpr(x Expr) string {
	list := func(head string, xs ...Expr) string {
		for _, x := range xs {
			head += " " + sexpr(x)
		}
		return "(" + head + ")"
	}
	switch x := x.(type) {
	case nil:
		return "nil"
	case *Paren:
		return list("paren", x.X)
	case *Unary:
		return list(x.Op.String(), x.X)
	case *Postfix:
		return list("post"+x.Op.String(), x.X)
	case *Binary:
		return list(x.Op.String(), x.X, x.Y)
	case *AssignExpr:
		return list(x.Op.String(), x.X, x.Y)
	case *Cond:
		return list("?:", x.C, x.X, x.Y)
	case *Call:
		return list("call", append([]Expr{x.Fun}, x.Args...)...)
	case *Index:
		return list("index", x.X, x.I)
	case *Member:
		if x.Arrow {
			return list("->"+x.Name, x.X)
		}
		return list("."+x.Name, x.X)
	case *Cast:
		if x.VectorLit {
			return list("literal "+PrintType(x.Type), x.X)
		}
		return list("cast "+PrintType(x.Type), x.X)
	case *CompoundLit:
		return list("compound "+PrintType(x.Type), x.Init)
	case *InitList:
		s := "{"
		for i, it := range x.Items {
			if i > 0 {
				s += " "
			}
			for _, d := range it.Desig {
				switch {
				case d.Hi != nil:
					s += "[" + sexpr(d.Index) + ".." + sexpr(d.Hi) + "]"
				case d.Index != nil:
					s += "[" + sexpr(d.Index) + "]"
				default:
					s += "." + d.Name
				}
			}
			s += sexpr(it.Value)
		}
		return s + "}"
	case *TypeOp:
		if x.Type != nil {
			return "(" + x.Op + " type " + PrintType(x.Type) + ")"
		}
		return list(x.Op, x.X)
	case *BuiltinAsType:
		return list("astype "+PrintType(x.Type), x.X)
	case *Offsetof:
		return list("offsetof "+PrintType(x.Type), x.Path)
	}
	return PrintExpr(x)
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// precedence and associativity (C99 6.5.1 to 6.5.17)
		{"a + b * c - d", "(- (+ a (* b c)) d)"},
		{"a << 1 < b == c & d ^ e | f && g || h", "(|| (&& (| (^ (& (== (< (<< a 1) b) c) d) e) f) g) h)"},
		{"a || b && c | d ^ e & f == g < h << 1", "(|| a (&& b (| c (^ d (& e (== f (< g (<< h 1))))))))"},
		{"a - b - c", "(- (- a b) c)"},
		{"a = b += c", "(= a (+= b c))"},
		{"a ? b : c ? d : e", "(?: a b (?: c d e))"},
		{"a ? b ? c : d : e", "(?: a (?: b c d) e)"},
		{"a ? b, c : d", "(?: a (, b c) d)"},
		{"a ?: b", "(?: a nil b)"},
		{"a ? b : c = d", "(= (?: a b c) d)"},
		{"a = b ? c : d", "(= a (?: b c d))"},
		{"a, b = 1, c", "(, (, a (= b 1)) c)"},
		{"-a++ * ~!b", "(* (- (post++ a)) (~ (! b)))"},
		{"- -a + + +b", "(+ (- (- a)) (+ (+ b)))"},
		{"&*p->q.r[1](2, 3)", "(& (* (call (index (.r (->q p)) 1) 2 3)))"},
		{"a % b / c * d", "(* (/ (% a b) c) d)"},
		{"f()()", "(call (call f))"},
		{"\"a\" \"b\"", "\"a\" \"b\""},
		{"(a)", "(paren a)"},
		{"__extension__ 'a'", "'a'"},
		// casts and vector literals; component selection as in clang 19
		{"(float)a.x", "(cast float (.x a))"},
		{"(float)(a).x", "(cast float (.x (paren a)))"},
		{"(float4)a.x", "(cast float4 (.x a))"},
		{"(float4)(1, 2).x", "(.x (literal float4 (paren (, 1 2))))"},
		{"-(float4)(a)[1]", "(- (index (literal float4 (paren a)) 1))"},
		{"(const float4)(a).lo", "(.lo (literal const float4 (paren a)))"},
		{"(vec)(a).x", "(.x (literal vec (paren a)))"},
		{"(u32)(a).x", "(cast u32 (.x (paren a)))"},
		{"(float4 *)(a)[1]", "(cast float4 * (index (paren a) 1))"},
		{"(float4)((float2)(a, b), (float2)(c))", "(literal float4 (paren (, (literal float2 (paren (, a b))) (literal float2 (paren c)))))"},
		{"(float4)(float2)(a, b)", "(cast float4 (literal float2 (paren (, a b))))"},
		{"(float4){1, 2}.x", "(.x (compound float4 {1 2}))"},
		{"(int)(a) + 1", "(+ (cast int (paren a)) 1)"},
		{"(unsigned long int)-1", "(cast unsigned long int (- 1))"},
		{"(global int (*)[3])p", "(cast __global int (*)[3] p)"},
		{"*(int *)p++", "(* (cast int * (post++ p)))"},
		{"(struct s){.a = 1, [2].b = {3}, [0 ... 3] = 4, x: 5, [1] 6}", "(compound struct s {.a1 [2].b{3} [0..3]4 .x5 [1]6})"},
		// sizeof and friends
		{"sizeof(int) * 2", "(* (sizeof type int) 2)"},
		{"sizeof a++ * 2", "(* (sizeof (post++ a)) 2)"},
		{"sizeof (a).b", "(sizeof (.b (paren a)))"},
		{"sizeof(int[]){1}[0]", "(sizeof (index (compound int [] {1}) 0))"},
		{"vec_step(a) + _Alignof(float3) + __alignof__ a", "(+ (+ (vec_step (paren a)) (alignof type float3)) (alignof a))"},
		{"sizeof sizeof(int)", "(sizeof (sizeof type int))"},
		{"__builtin_astype(a, float4)", "(astype float4 a)"},
		{"__builtin_offsetof(struct s, a.b[1])", "(offsetof struct s (index (.b a) 1))"},
		{"convert_uchar4_sat_rte(v)", "(call convert_uchar4_sat_rte v)"},
		{"uchar(a)", "(call uchar a)"}, // hidden by a variable
		{"v.s0123.lo", "(.lo (.s0123 v))"},
	} {
		f, rep := parseText("typedef float4 vec; typedef uint u32; void f(int uchar) { "+c.in+"; }", opencl.CL12)
		if len(rep.Diags) > 0 {
			t.Errorf("%s: %v", c.in, findings(rep))
			continue
		}
		x := f.Decls[2].(*FuncDecl).Body.List[0].(*ExprStmt).X
		if got := sexpr(x); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// typeText describes a declarator's type.
func typeText(t TypeExpr) string {
	switch t := t.(type) {
	case *PointerType:
		s := ""
		for _, q := range t.Quals.At {
			s += qualText(q.Qual) + " "
		}
		return s + "pointer to " + typeText(t.Elem)
	case *ArrayType:
		switch {
		case t.Star:
			return "array * of " + typeText(t.Elem)
		case t.Len == nil:
			return "array of " + typeText(t.Elem)
		}
		return "array " + PrintExpr(t.Len) + " of " + typeText(t.Elem)
	case *FuncType:
		s := "function("
		for i, a := range t.Params {
			if i > 0 {
				s += ", "
			}
			if a.Decl.Name != "" {
				s += a.Decl.Name + ": "
			}
			s += typeText(a.Decl.Type)
		}
		if t.NoProto {
			s += "?"
		}
		if t.Variadic {
			s += ", ..."
		}
		return s + ") returning " + typeText(t.Result)
	case *DeclSpec:
		var p printer
		p.spec(t)
		return p.b.String()
	}
	return "?"
}

func TestDeclarators(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"int x", "x: int"},
		{"int *const p", "p: const pointer to int"},
		{"global float4 *restrict p", "p: restrict pointer to __global float4"},
		{"local int *global *p", "p: pointer to __global pointer to __local int"},
		{"int *a[3]", "a: array 3 of pointer to int"},
		{"int (*a)[3]", "a: pointer to array 3 of int"},
		{"int a[2][n + 1]", "a: array 2 of array n + 1 of int"},
		{"int (*(*f)(int, float4 v))[4]", "f: pointer to function(int, v: float4) returning pointer to array 4 of int"},
		{"int f()", "f: function(?) returning int"},
		{"int f(void)", "f: function() returning int"},
		{"int f(void *)", "f: function(pointer to void) returning int"},
		{"int printf(constant char *, ...)", "printf: function(pointer to __constant char, ...) returning int"},
		{"void f(int (x), int (*)(int), int (int), int (uint), float[], int [*])",
			"f: function(x: int, pointer to function(int) returning int, function(int) returning int, function(uint) returning int, array of float, array * of int) returning void"},
		{"void f(read_only image2d_t im, sampler_t s)", "f: function(im: __read_only image2d_t, s: sampler_t) returning void"},
		{"unsigned long int signed_ ", "signed_: unsigned long int"},
		{"long unsigned int const x", "x: const long unsigned int"},
		{"__signed__ char c", "c: signed char"},
		{"_Bool b", "b: bool"},
		{"struct s { int a : 3, : 4; union { float f; }; float g[]; } x", "x: struct s {\n\tint a : 3,  : 4;\n\tunion {\n\t\tfloat f;\n\t};\n\tfloat g[];\n}"},
		{"struct __attribute__((packed)) s { char c; } __attribute__((aligned(8))) x",
			"x: struct __attribute__((packed)) __attribute__((aligned(8))) s {\n\tchar c;\n}"},
		{"enum e { A, B = A + 2, } x", "x: enum e { A, B = A + 2, }"},
		{"typeof(int *) x", "x: typeof(int *)"},
		{"__typeof__(1 + 2) x", "x: typeof(1 + 2)"},
		{"_Alignas(8) int x", "x: __attribute__((aligned(8))) int"},
		{"__attribute__((__aligned__(4), unused)) int x", "x: __attribute__((aligned(4))) __attribute__((unused)) int"},
		{"uint uint", "uint: uint"},
		{"__kernel __attribute__((vec_type_hint(float4))) void k(void)", "k: function() returning __attribute__((vec_type_hint(float4))) kernel void"},
		{"void __attribute__((reqd_work_group_size(8, 8, 1))) kernel k(void)", "k: function() returning __attribute__((reqd_work_group_size(8, 8, 1))) kernel void"},
		{"static inline float4 f(float4)", "f: function(float4) returning static inline float4"},
	} {
		f, rep := parseText(c.in+";", opencl.CL12)
		if len(rep.Diags) > 0 || len(f.Decls) != 1 {
			t.Errorf("%s: %v", c.in, findings(rep))
			continue
		}
		d := f.Decls[0].(*VarDecl).Items[0].Decl
		if got := d.Name + ": " + typeText(d.Type); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestRoundTrip checks that Print reproduces the source except for white space.
func TestRoundTrip(t *testing.T) {
	for _, in := range []string{
		"typedef struct s s; struct s { s *next; }; s *f(s *s) { return s->next; }",
		"typedef int T; void f(void) { T T; T = 1; { int x = T * T; } } T g;",
		"typedef int T; void f(void) { T: ; goto T; for (T T = 0; T < 3; T++) ; T x; }",
		"enum { uchar, }; int x[uchar];",
		"void f(int n) { if (n) ; else if (n > 1) { } else ; while (n) n--; do n++; while (n < 3); }",
		"void f(int n) { switch (n) { case 1: case 2 ... 4: n = 1; break; default: ; } }",
		"void f(void) { for (;;) { continue; } for (int i = 0, j; i < 3; i++, j--) break; l: goto l; return; }",
		"void f(int n) { switch (n) case 1: if (n) default: n = ({ int m = n; m + 1; }); }",
		"kernel void f(__global int *p) { __attribute__((opencl_unroll_hint(4))) for (;;) ; }",
		"void f(int *p) { float4 v = (float4)(1, 2, 3, 4), w = {1}; v.xy = (float2)(v.x); p[0] = 1.f; }",
		"void f(void) { l: int x; case 1: typedef int y; y z; }",
		"_Static_assert(sizeof(int) == 4, \"int\"); void f(void) { _Static_assert(1); }",
		"__attribute__((overloadable)) int f(int) __attribute__((const));",
		"int f(void) { int g(int), x = g(1); return x; }",
		"__constant int a[] = {1, [3] = 2, [4 ... 6] = {3, 4}}, *p = a;",
	} {
		f, rep := parseText(in, opencl.CL12)
		if len(rep.Diags) > 0 {
			t.Errorf("%s: %v", in, findings(rep))
			continue
		}
		out := Print(f)
		if a, b := squeeze(in), squeeze(out); a != b {
			t.Errorf("%s\nprints as %s", a, b)
		}
	}
}

// squeeze removes white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestPragmas(t *testing.T) {
	f, rep := parseText(`#define N 4
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
void f(int n) {
#pragma OPENCL FP_CONTRACT OFF
#pragma unroll
  for (;;) ;
#pragma unroll N
  while (n) ;
#pragma unroll(8)
  do ; while (n);
#pragma nounroll
  __attribute__((opencl_unroll_hint)) for (;;) ;
}`, opencl.CL12)
	if len(rep.Diags) > 0 {
		t.Fatal(findings(rep))
	}
	want := `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
void f(int n)
{
	
#pragma OPENCL FP_CONTRACT OFF
	
#pragma unroll
	for (;;)
		;
	
#pragma unroll 4
	while (n)
		;
	
#pragma unroll 8
	do
		;
	while (n);
	
#pragma nounroll
	__attribute__((opencl_unroll_hint)) for (;;)
		;
}
`
	if got := Print(f); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got %s", got)
	}
}

// TestSpans checks the source text of nodes.
func TestSpans(t *testing.T) {
	text := "void f(int a) { a = -b[1] + (c ? (int)d : e.x); if (a) { f(2); } else return 1; }"
	f, _ := parseText(text, opencl.CL12)
	span := func(n Node) string { s := n.Span(); return text[s.Pos-1 : s.End-1] }
	fn := f.Decls[0].(*FuncDecl)
	set := fn.Body.List[0].(*ExprStmt)
	assign := set.X.(*AssignExpr)
	sum := assign.Y.(*Binary)
	cond := sum.Y.(*Paren).X.(*Cond)
	branch := fn.Body.List[1].(*If)
	call := branch.Then.(*Block).List[0].(*ExprStmt).X.(*Call)
	for _, c := range []struct {
		n    Node
		want string
	}{
		{fn, text}, {fn.Decl, "f(int a)"}, {fn.Spec, "void"}, {fn.Decl.Type.(*FuncType).Params[0], "int a"},
		{set, "a = -b[1] + (c ? (int)d : e.x);"}, {assign, "a = -b[1] + (c ? (int)d : e.x)"}, {sum, "-b[1] + (c ? (int)d : e.x)"},
		{sum.X, "-b[1]"}, {sum.X.(*Unary).X, "b[1]"}, {sum.Y, "(c ? (int)d : e.x)"}, {cond, "c ? (int)d : e.x"},
		{cond.X, "(int)d"}, {cond.X.(*Cast).Type, "int"}, {cond.Y, "e.x"}, {branch, "if (a) { f(2); } else return 1;"},
		{branch.Then, "{ f(2); }"}, {branch.Else, "return 1;"}, {call, "f(2)"},
	} {
		if got := span(c.n); got != c.want {
			t.Errorf("%T: got %q, want %q", c.n, got, c.want)
		}
	}
	if s := (&node{sum.OpSpan}); span(s) != "+" {
		t.Errorf("operator: %q", span(s))
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		std opencl.Version
		in  string
		ok  bool
	}{
		{opencl.CL12, "int generic, pipe, atomic_int, queue_t;", true},
		{opencl.CL20, "int generic = 1;", false},
		{opencl.CL20, "generic int *p; atomic_int a; memory_order m; queue_t q;", true},
		{opencl.CL30, "void f(__generic int *p);", true},
		{opencl.CL12, "void f(__generic int *p);", false},
		{opencl.CL12, "static int f(int); extern int g(int);", true},
		{opencl.CL11, "static int f(int);", false},
		{opencl.CL12, "void f(atomic_int a);", false},
	} {
		if _, rep := parseText(c.in, c.std); rep.Failed() == c.ok {
			t.Errorf("%d %s: %v", c.std, c.in, findings(rep))
		}
	}
}

// TestPragmaNames parses pragmas whose arguments are names that the preprocessor has not numbered. A table indexed
// by their hashes would not fit in memory.
func TestPragmaNames(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, rep := parseText("enum { FACTOR = 4 };\nvoid f() {\n#pragma unroll FACTOR\nfor (;;);\n}\n#pragma OPENCL EXTENSION cl_khr_unheard_of : enable\n", opencl.CL12)
	runtime.ReadMemStats(&after)
	if rep.Failed() {
		t.Fatal(rep.Diags[0].Message)
	}
	loop := f.Decls[1].(*FuncDecl).Body.List[0].(*For)
	if n, ok := loop.Attrs[0].Args[0].X.(*Name); !ok || n.Name != "FACTOR" || n.Sym != f.Decls[0].(*VarDecl).Spec.Base.(*EnumType).Items[0].Sym {
		t.Errorf("the pragma's argument is %#v", loop.Attrs[0].Args[0].X)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
)

// TestSyntaxErrors compares findings with those of clang 19, except for rejected constructs. Each case expects
// exactly the listed "line:column code" findings, in order, whose messages contain the text after them.
func TestSyntaxErrors(t *testing.T) {
	body := func(s string) string { return "void f(int a) {\n" + s + "\n}\n" }
	for _, c := range []struct {
		in   string
		want []string
	}{
		// missing semicolons: right after the previous token, and no other error
		{body("a = 1"), []string{"2:6 expected-semicolon expected ';' after expression"}},
		{body("int b = 3\nint c;"), []string{"2:10 expected-semicolon expected ';' at end of declaration"}},
		{body("f(1)\nf(2);"), []string{"2:5 expected-semicolon"}},
		{body("return 1 2;"), []string{"2:9 expected-semicolon expected ';' after return statement"}},
		{body("a a2;"), []string{"2:2 expected-semicolon"}},
		{body("do a = 1; while (a)\na = 2;"), []string{"2:20 expected-semicolon"}},
		{"union X { int a; }\nvoid f(void) { }", []string{"1:19 expected-semicolon expected ';' after union"}},
		{"enum X { A }\nvoid f(void) { }", []string{"1:13 expected-semicolon expected ';' after enum"}},
		{"int e(void)\nvoid last() { }", []string{"1:12 expected-semicolon expected ';' after top level declarator"}},
		{"int a b;\nint c = ;", []string{"1:6 expected-semicolon", "2:9 expected-expression"}},
		{"struct S { int a };", []string{"1:17 missing-field-semicolon"}},
		{"#define M 1\nvoid f(int a) {\n  a = M\n}", []string{"3:8 expected-semicolon"}},
		// brackets
		{body("a = (1 + 2;\na = 3"), []string{"2:11 expected-token expected ')'", "3:6 expected-semicolon"}},
		{body("while (1;\na = 2;"), []string{"2:9 expected-token expected ')'"}},
		{body("int q[3;\na = 2"), []string{"2:8 expected-token expected ']'", "3:6 expected-semicolon"}},
		{body("int c[] = {1, 2;"), []string{"2:16 expected-token expected '}'"}},
		{body("a = 1);\na = 2];"), []string{"2:6 extraneous-bracket", "3:6 extraneous-bracket"}},
		{"void f(int a) {\n  a = 1;\n}}\nint b c;", []string{"3:2 extraneous-brace", "4:6 expected-semicolon"}},
		{"void f(int a) {\n  a = 1;\n", []string{"2:9 expected-token expected '}'"}},
		{"kernel void f(int a {\n  a = 1\n}", []string{"1:21 expected-token expected ')'", "2:8 expected-semicolon"}},
		{"void f(int a) {\n  if (a) {\n}\nkernel void g(void) {\n}\n",
			[]string{"4:21 nested-function", "5:2 expected-token expected '}'"}},
		// expressions
		{body("a = 1 + ;\na = * ;"), []string{"2:9 expected-expression", "3:7 expected-expression"}},
		{body("a.;\na->3;"), []string{"2:3 expected-token expected identifier", "3:4 expected-token"}},
		{body("int x = (1;\nint y = f(1,;"), []string{"2:11 expected-token", "3:13 expected-expression"}},
		{body("a = b[;\na = 2;"), []string{"2:7 expected-expression"}},
		{body("a = float(3);\na = uint;\nf(int);"), []string{"2:5 expected-expression 'convert_float(…)'",
			"3:5 expected-expression unexpected type name 'uint'", "4:3 expected-expression"}},
		{body("float4 v = float4(1, 2, 3, 4);"), []string{"2:12 expected-expression a vector is written '(float4)(…)'"}},
		{body("int v[3] = [1,2];\nint b[ = 3;"), []string{"2:12 expected-expression", "3:8 expected-expression"}},
		{body("a ? 1;"), []string{"2:6 expected-token expected ':'"}},
		{body("a = {1};"), []string{"2:5 expected-expression"}},
		{body("a = a @ 1;\na = # 2;"), []string{"2:7 stray-token stray '@'", "3:5 stray-token stray '#'"}},
		// statements
		{body("if a { }\nfor a; { }"), []string{"2:4 expected-token expected '(' after 'if'", "3:5 expected-token expected '(' after 'for'"}},
		{body("for (int i = 0; i < 3) { }\nfor (int i = 0, j < 3; i++) { }"),
			[]string{"2:22 expected-token expected ';' in 'for' statement specifier", "3:19 expected-token expected ';' in 'for'"}},
		{body("goto;\nbreak 1;"), []string{"2:5 expected-token expected identifier", "3:6 expected-semicolon"}},
		{body("switch (a) { case : ; default }"), []string{"2:19 expected-expression", "2:30 expected-token expected ':' after 'default'"}},
		{body("else a = 1;"), []string{"2:1 expected-expression 'else' without"}},
		{body("do { } a = 1;"), []string{"2:8 expected-token expected 'while'"}},
		{body("retrun 1;\nwhlie (a) { }\nretrun a;\na = 1"), []string{"2:1 expected-semicolon did you mean 'return'?",
			"3:1 expected-semicolon did you mean 'while'?", "4:1 expected-semicolon did you mean 'return'?", "5:6 expected-semicolon"}},
		{body("if (1) int y;"), []string{"2:8 expected-expression"}},
		{body("void g() { }"), []string{"2:10 nested-function"}},
		{body("l: "), []string{"2:3 label-at-end"}},
		{body("#pragma unroll\na = 1;\n__attribute__((opencl_unroll_hint(2))) a = 2;"),
			[]string{"2:9 unroll-without-loop", "4:16 unroll-without-loop"}},
		// types and declarations
		{body("flaot4 x;\nfoo y;\nfoo *z = 0;\na = (uitn)a;"), []string{
			"2:1 unknown-type unknown type name 'flaot4'; did you mean 'float4'?", "3:1 unknown-type unknown type name 'foo'",
			"4:1 unknown-type", "5:6 unknown-type did you mean 'uint'?"}},
		{"typedef int my_type;\nvoid f(mytype a, foo b);\nfoo x(void);", []string{
			"2:8 unknown-type did you mean 'my_type'?", "2:18 unknown-type 'foo'", "3:1 unknown-type"}},
		{"struct S { foo b; int c:; };", []string{"1:12 unknown-type", "1:25 expected-expression"}},
		{"x;\nstatic y = 3;\nh() { return 0; }\nkernel f2() { }", []string{"1:1 missing-type", "2:8 missing-type", "3:1 missing-type", "4:8 missing-type"}},
		{"unsigned float q;\nlong long long r;\nint int s;\nfloat double t;\nconst const int u;\nstatic extern int v;\nlong char w;\nlong double x; double long y;\nsigned signed z;\nunsigned signed z;\nlong double long d;", []string{
			"1:10 bad-type-combination 'float' cannot be signed or unsigned", "2:11 bad-type-combination 'long long'",
			"3:5 bad-type-combination 'int'", "4:7 bad-type-combination 'float'", "5:7 duplicate-decl-specifier",
			"6:8 bad-type-combination 'static'", "7:6 bad-type-combination 'long char' is invalid",
			"9:8 duplicate-decl-specifier", "10:10 bad-type-combination 'unsigned'", "11:13 bad-type-combination 'long double' is invalid"}},
		{"enum { A B };\nenum F { };\nenum;\nstruct;", []string{"1:9 expected-token missing ',' between enumerators",
			"2:10 empty-enum", "3:5 expected-token", "4:7 expected-token anonymous struct"}},
		{"int (*p(int;\nint a;", []string{"1:12 expected-token expected ')'"}},
		{"int *;\nint a[3;\nint d = {1, 2;\nint e;", []string{"1:6 expected-token expected identifier or '('", "2:8 expected-token", "3:14 expected-token"}},
		{"void g(a, b) int a; int b; { }\nvoid h(c);\nint x y;", []string{"1:8 old-style-function", "2:8 old-style-function", "3:6 expected-semicolon"}},
		{"auto int a;\nvoid f(register int x, static int y);", []string{"1:1 unsupported-storage-class 'auto'",
			"2:8 unsupported-storage-class", "2:24 misplaced-storage-class"}},
		{"_Static_assert 1;\n_Static_assert(1, 2);", []string{"1:16 expected-token", "2:19 expected-token expected string literal"}},
		{"__attribute__((foo) int h;\nint x y;", []string{"1:20 expected-token expected ')'", "2:6 expected-semicolon"}},
		{"void __attribute__((reqd_work_group_size(1, 1 1))) f(void);\n__attribute__((aligned(1,))) int a;\n__attribute__(packed) int b;",
			[]string{"1:46 expected-token expected ')'", "2:26 expected-expression", "3:15 expected-token expected '(' after '('"}},
		{"void f(int a)\n  a = 1;\n  a = 2\n}\nint e(void) 3;", []string{"2:3 expected-token expected function body after function declarator",
			"3:8 expected-semicolon", "5:13 expected-token expected function body"}},
		{"void f(global *x);", []string{"1:16 missing-type"}},
		// rejected constructs: one finding each
		{"template <int T> void w() { int a; }\nclass C { int a; };\nusing namespace x;\nint y::z;\nvoid f(int &r);", []string{
			"1:1 unsupported-cplusplus", "2:1 unsupported-cplusplus", "3:1 unsupported-cplusplus", "4:6 unsupported-cplusplus", "5:12 unsupported-cplusplus"}},
		{body("asm(\"nop\");\n__asm__ volatile (\"x\" : : );"), []string{"2:1 unsupported-asm", "3:1 unsupported-asm"}},
		{body("int (^b)(int);\nf(^(int a) { return a; });"), []string{"2:6 unsupported-blocks", "3:3 unsupported-blocks"}},
		{body("goto *a;\na = _Generic(a, int: 1);\nfloat _Complex c;"), []string{"2:6 unsupported-label-address",
			"3:5 unsupported-generic-selection", "4:7 unsupported-complex"}},
	} {
		_, rep := parseText(c.in, opencl.CL12)
		got := findings(rep)
		ok := len(got) == len(c.want)
		for i := 0; ok && i < len(got); i++ {
			at, rest, _ := strings.Cut(c.want[i], " ")
			code, text, _ := strings.Cut(rest, " ")
			ok = strings.HasPrefix(got[i], at+" "+code+":") && strings.Contains(got[i], text)
		}
		if !ok {
			t.Errorf("%s\n got %s\nwant %s", c.in, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// TestNotesAndFixes checks notes about opening brackets, and the insertions of fixes.
func TestNotesAndFixes(t *testing.T) {
	_, rep := parseText("void f(int a) {\n  a = (1 + 2;\n  a = 1\n  flaot x;\n}", opencl.CL12)
	if len(rep.Diags) != 3 {
		t.Fatal(findings(rep))
	}
	note := rep.Diags[0].Notes[0]
	if loc := rep.Source.Location(note.Span.Pos); loc.Line != 2 || loc.Column != 7 || note.Text != "to match this '('" {
		t.Errorf("note %v %q", loc, note.Text)
	}
	for i, want := range []string{"", ";", "float"} {
		if f := rep.Diags[i].Fix; want != "" && (f == nil || f.Text != want) {
			t.Errorf("fix %d: %v", i, f)
		}
	}
}

// TestLimits checks that excessive nesting gives one error, that long chains are legal, and that both are fast.
func TestLimits(t *testing.T) {
	rep := strings.Repeat
	const n = 100000
	chain := func(before, unit, after string) string {
		return "void f(int a) { " + before + rep(unit, n) + after + " }"
	}
	for _, c := range []struct {
		name, in string
		ok       bool
	}{
		{"256 parentheses", "int x = " + rep("(", 256) + "1" + rep(")", 256) + ";", true},
		{"257 parentheses", "int x = " + rep("(", 257) + "1" + rep(")", 257) + ";", false},
		{"open parentheses", chain("a = ", "(", ";"), false},
		{"blocks", chain("", "{", rep("}", n)), false},
		{"open blocks", rep("void f(void) {", n), false},
		{"brackets", chain("a", "[a", ";"), false},
		{"calls", chain("", "a(", ";"), false},
		{"casts to arrays", chain("", "(int[", ";"), false},
		{"declarators", rep("int (*", n) + "x", false},
		{"parameters", rep("int f(", n), false},
		{"initializers", "int x = " + rep("{", n), false},
		{"structs", rep("struct { ", n), false},
		{"statement expressions", chain("", "({ ", ";"), false},
		{"ifs", chain("", "if (a) ", ";"), false},
		{"whiles", chain("", "while (a) ", ";"), false},
		{"dos", chain("", "do ", ";"), false},
		{"fors", chain("", "for (;;) ", ";"), false},
		{"middle operands", chain("a", "? a ", ";"), false},
		{"typeofs", rep("typeof(", n), false},
		{"attributes", "int x __attribute__((a(" + rep("f(", n), false},
		{"offsetofs", chain("a = ", "__builtin_offsetof(int[", ";"), false},
		{"astypes", chain("a = ", "__builtin_astype(", ";"), false},

		{"sum", chain("a = a", " + a * a", ";"), true},
		{"comma", chain("a", ", a", ";"), true},
		{"right-leaning precedence", chain("a", " + a * a << a & a", ";"), true},
		{"conditionals", chain("a = ", "a ? a : ", "a;"), true},
		{"assignments", chain("", "a = ", "a;"), true},
		{"unary", chain("a = ", "- ", "a;"), true},
		{"casts", chain("a = ", "(int)", "a;"), true},
		{"sizeofs", chain("a = ", "sizeof ", "a;"), true},
		{"members", chain("a", ".a", ";"), true},
		{"else-ifs", chain("", "if (a) ; else ", ";"), true},
		{"cases", chain("switch (a) { ", "case 1: ", "; }"), true},
		{"labels", chain("", "l: ", ";"), true},
		{"pointers", "void f(int " + rep("*", n) + "p);", true},
		{"arrays", "void f(int p" + rep("[1]", n) + ");", true},
		{"designators", "struct s x = {" + rep("[0]", n) + " = 1};", true},
		{"qualifiers", rep("const volatile ", n) + "int x;", true},
		{"strings", "void f(void) { g(" + rep("\"\" ", n) + "); }", true},
		{"statements", chain("", "a; ", ""), true},
		{"semicolons", rep(";", n), true},
		{"enumerators", "enum {" + rep("A, ", n) + "};", true},
		{"200,000 operators", "int x = 1" + rep("+1", 200000) + ";", false},
		{"chains in chains", "int x = " + rep("("+rep("- ", 1000), 256) + "1" + rep(")", 256) + ";", false},
		{"chains in statements", "void f(int a) {" + rep("{"+rep("if (a) ; else ", 1000), 200), false},
		{"errors", chain("", "a b ", ""), false},
		{"unmatched closers", rep(") ] }", n), false},
		{"stray characters", rep("@ ` # \\ ", n), false},
	} {
		f, rep := parseText(c.in, opencl.CL12)
		errors := 0
		for _, d := range rep.Diags {
			if d.Severity >= 2 {
				errors++
			}
		}
		if c.ok != (errors == 0) {
			t.Errorf("%s: %d errors, first %.3v", c.name, errors, findings(rep))
		}
		if f == nil {
			t.Fatalf("%s: no tree", c.name)
		}
		Print(f)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"kernel void f(global float4 *p) { p[0] = (float4)(1, 2, 3, 4).wzyx * -p[1].x++; }",
		"typedef struct { int a : 3; union { float f; } u; } s; s x = {.a = 1, [2 ... 3] = {4}};",
		"void f(int n) { for (int i = 0; i < n; i++) { if (n) continue; else break; } switch (n) { case 1: default: ; } }",
		"#pragma OPENCL EXTENSION all : enable\n#define M(x) x##1\nint M(a) = sizeof(int (*)[3]) + sizeof (a);",
		"void f(void) {\n#pragma unroll 4\n__attribute__((opencl_unroll_hint)) do l: goto l; while (({ int x; x; })); }",
		"enum e { A, B = 2 } __attribute__((packed)) *const (*fp)(int, ...); typeof(fp) g; _Static_assert(1, \"\" \"a\");",
		"int x = a ? b ?: c : (uint)-~!&*d->e, y = (int[]){1}[0]; flaot z) } ] 'c' \"s\" 1.5e+3f @",
	} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, new bool) {
		std := opencl.CL12
		if new {
			std = opencl.CL30
		}
		tree, rep := parseText(text, std)
		if rep.Failed() {
			return
		}
		once := Print(tree)
		again, rep2 := parseText(once, std)
		if rep2.Failed() {
			t.Fatalf("prints as\n%s\n%v", once, findings(rep2))
		}
		if twice := Print(again); twice != once {
			t.Fatalf("prints as\n%s\nand then as\n%s", once, twice)
		}
	})
}

// BenchmarkParse parses a typical kernel 1,000 times.
func BenchmarkParse(b *testing.B) {
	const text = `
// one step of a tiled matrix multiplication
kernel void mul%d(global const float *restrict a, global const float *restrict b, global float *c, int n, local float4 *tile)
{
	const int row = get_global_id(0), col = get_global_id(1), lid = get_local_id(0);
	float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
	for (int k = 0; k < n; k += 4) {
		tile[lid] = vload4(0, a + row * n + k);
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = 0; i < 16; ++i) {
			float4 v = tile[i] * (float4)(b[(k + 0) * n + col], b[(k + 1) * n + col], b[(k + 2) * n + col], 1.0f);
			sum = mad(v, tile[(lid + i) & 15], sum);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (row < n && col < n)
		c[row * n + col] = sum.x + sum.y + sum.z + sum.w;
	else
		c[0] = (uchar)(sum.x > 0 ? row << 2 : ~col);
}
`
	var s strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&s, text, i)
	}
	src, m, opts := diag.NewSource(), new(Memory), &option.Source{Std: opencl.CL12}
	f, _ := src.AddFile("a.cl", []byte(s.String()), 0)
	rep := diag.NewReporter(src, diag.Config{})
	unit := preprocess.Run(src, f, opts, rep)
	b.ReportAllocs()
	for b.Loop() {
		m.Parse(src, unit, opts, rep)
	}
	lines := float64(strings.Count(s.String(), "\n") * b.N)
	b.ReportMetric(lines/b.Elapsed().Seconds(), "lines/s")
	b.ReportMetric(float64(len(unit.Tokens)*b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// TestParserCodes runs the examples of the parser's codes.
func TestParserCodes(t *testing.T) {
	for _, c := range []*diag.Code{diag.ExpectedSemi, diag.FieldSemi, diag.ExpectedToken, diag.ExpectedExpr, diag.StrayToken,
		diag.ExtraneousParen, diag.ExtraneousBrace, diag.UnknownType, diag.MissingType, diag.BadTypeCombination,
		diag.DuplicateSpecifier, diag.UnsupportedStorageClass, diag.MisplacedStorageClass, diag.UnsupportedGeneric,
		diag.OldStyleFunction, diag.NestedFunction, diag.EmptyEnum, diag.LabelAtEnd, diag.UnrollWithoutLoop,
		diag.UnsupportedBlocks, diag.UnsupportedPipes, diag.UnsupportedCPlusPlus, diag.UnsupportedAsm,
		diag.UnsupportedComplex, diag.UnsupportedAtomic, diag.UnsupportedSelection, diag.UnsupportedLabelAddress} {
		std := opencl.CL12
		if c.Options == "-cl-std=CL2.0" {
			std = opencl.CL20
		}
		if _, rep := parseText(c.Bad, std); len(rep.Diags) == 0 || rep.Diags[0].Code != c {
			t.Errorf("%s: the bad example gives %v", c.Name, findings(rep))
		}
		if _, rep := parseText(c.Good, std); len(rep.Diags) != 0 {
			t.Errorf("%s: the good example gives %v", c.Name, findings(rep))
		}
	}
}

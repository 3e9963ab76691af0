package preprocess

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/token"
)

// preprocessed preprocesses src and returns its tokens, separated by one space where the
// source has white space and by a newline where a line starts, and its findings as
// "line:column: severity: message [code]" lines.
func preprocessed(t testing.TB, src string, opts option.Source) (text, findings string) {
	t.Helper()
	toks, source, rep := tokensOf(src, opts)
	var b strings.Builder
	for i := range toks[:len(toks)-1] {
		tok := &toks[i]
		switch {
		case i == 0:
		case tok.Flags&token.LineStart != 0:
			b.WriteByte('\n')
		case tok.Flags&token.SpaceBefore != 0:
			b.WriteByte(' ')
		}
		if tok.Kind == token.Pragma {
			b.WriteString("#pragma ")
		}
		b.WriteString(tok.Text)
	}
	if last := toks[len(toks)-1]; last.Kind != token.EOF {
		t.Errorf("last token is %v", last.Kind)
	}
	return b.String(), findingsOf(source, rep.Diags)
}

func tokensOf(src string, opts option.Source) ([]token.Token, *diag.Source, *diag.Reporter) {
	source := diag.NewSource()
	file, _ := source.AddFile("main.cl", []byte(src), 0)
	rep := diag.NewReporter(source, diag.Config{MaxErrors: -1})
	return Run(source, file, &opts, rep).Tokens, source, rep
}

func findingsOf(source *diag.Source, diags []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range diags {
		loc := source.Location(d.Span.Pos)
		if loc.File != "main.cl" {
			fmt.Fprintf(&b, "%s:", loc.File)
		}
		fmt.Fprintf(&b, "%d:%d: %s: %s [%s]\n", loc.Line, loc.Column, d.Severity, d.Message, d.Code.Name)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "  note: %s\n", n.Text)
		}
	}
	return b.String()
}

// TestStandardExamples runs the examples of C99 6.10.3.4 and 6.10.3.5; the results are the standard's.
func TestStandardExamples(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"6.10.3.4 rescanning", `#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`,
			`f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };`},
		{"6.10.3.5 example 4", `#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
== 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)`,
			`printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
"vers2.h"
"hello";
"hello" ", world"`},
		{"6.10.3.5 example 5", `#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
t(10,,), t(,11,), t(,,12), t(,,) };`,
			"int j[] = { 123, 45, 67, 89,\n10, 11, 12, };"},
		{"6.10.3.3 example", `#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);`, `char p[] = "x ## y";`},
		{"6.10.3.5 example 7", `#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\
printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);`,
			`fprintf(stderr, "Flag");
fprintf(stderr, "X = %d\n", x);
puts("The first, second, and third items.");
((x>y)?puts("x>y"):printf("x is %d but y is %d", x, y));`},
	} {
		got, findings := preprocessed(t, c.src, option.Source{})
		if got != c.want || findings != "" {
			t.Errorf("%s:\n got %s\nwant %s\n%s", c.name, got, c.want, findings)
		}
	}
}

// TestExpansion tests edge cases of expansion. The expected results are those of clang 19 and gcc 12 with -E, which
// agree, except where a comment says otherwise.
func TestExpansion(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		// recursion and disabled names
		{"#define foo foo\nfoo", "foo"},
		{"#define foo bar\n#define bar foo\nfoo bar", "foo bar"},
		{"#define f(x) x f\nf(1)(2)", "1 f(2)"},
		{"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"},
		{"#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"},
		{"#define AA BB\n#define BB AA\n#define ID(x) x\nID(AA) ID(ID)(1)", "AA ID(1)"},
		{"#define f(x) g(x)\n#define g(x) f(x)\nf(f(1))", "f(f(1))"},
		{"#define obj() obj\nobj()()", "obj()"},
		{"#define E(x) x\n#define F E(F)(1)\nF", "F(1)"},
		{"#define EMPTY\n#define LPAREN (\n#define f(x) [x]\nf EMPTY (1) f LPAREN 2)", "f (1) f ( 2)"},
		{"#define f(x) x+\nf\n\n(3)", "3+"},
		{"#define a a a\na", "a a"},
		// operators
		{"#define s(x) #x\ns( a  b\n c ) s(\"\\n\" '\"') s() s(/* */ x /* */)", `"a b c" "\"\\n\" '\"'" "" "x"`},
		{"#define s(...) #__VA_ARGS__\ns(a,b , c) s() s( , )", `"a,b , c" "" ","`},
		{"#define c(a,b) a##b\nc(,) c(x,) c(,y) c(x,y) c(1,e) c(<,<=) c(-,>) c(L,'a') c(.,1)", "x y xy 1e <<= -> L'a' .1"},
		{"#define c(a,b) a ## b\n#define A 1\n#define AB 2\nc(A,B) c(A,) c(c,)(A,B)", "2 1 c(1,B)"},
		{"#define x(a) a##1##2\nx(b) x()", "b12 12"},
		{"#define h(x) #x\n#define g(x) h(x)\n#define EMPTY\ng(a EMPTY b) g(EMPTY a) g([EMPTY])", `"a b" "a" "[]"`},
		{"#define p(x,y) x y\np(, b) p(a,)|", "b a|"},
		{"#define OBJ x ## y # z\nOBJ", "xy # z"},
		{"#define f(x) x ## x\nf(a b)", "a ba b"},
		// variable arguments
		{"#define f(x, ...) g(x, ## __VA_ARGS__)\nf(1) f(1,2) f(1,2,3) f(,)", "g(1) g(1,2) g(1,2,3) g(,)"},
		{"#define f(x, a...) g(x, ##a)\nf(1) f(1,2,3)", "g(1) g(1,2,3)"},
		{"#define f(...) g(9, ##__VA_ARGS__)\nf() f(1)", "g(9,) g(9,1)"},    // as in C99 mode: with a comma
		{"#define f(x, ...) g(x, ##__VA_ARGS__)\nf(1, f(2))", "g(1, f(2))"}, // the operand of ## is not expanded
		{"#define f(...) (__VA_ARGS__)\nf() f(,) f((a,b),c)", "() (,) ((a,b),c)"},
		{"#define e(...) __VA_ARGS__\n#define two(a,b) b a\n#define call(m,...) m(__VA_ARGS__)\ncall(two,1,2) two(e(1,2),3)", "2 1 3 1,2"},
		// phases 1 to 3
		{"a\\\nb c\\  \nd \\\n e", "ab cd e"},
		{"#def\\\nine A\\\nB 1\\\n2\nAB", "12"},
		{"\"a\\\nb\" 'x\\\n' 1.5\\\ne\\\n+3", `"ab" 'x' 1.5e+3`},
		{"/\\\n* c *\\\n/ x /\\\n/ y\\\nz\nw", "x\nw"},
		{"x ??= ??( ??) ??< ??> ??' ??! ??- ??/n ?? \"??/\"\"", "x # [ ] { } ^ | ~ \\n ?? \"\\\"\""},
		{"<: :> <% %> %: %:%: %:% :: <::", "<: :> <% %> %: %:%: %:% :: <::"},
		{"a+++++b x->*y ...... .. <<=>>=&&=||= !== ^=%=", "a+++++b x->*y ...... .. <<=>>=&&=||= !== ^=%="},
		{"0x1.8p-3f .5e+7 1..2 1e+e-x 0xe+1 12ab_$", "0x1.8p-3f .5e+7 1..2 1e+e-x 0xe+1 12ab_$"},
		{"L\"w\" L'c' L \"x\" u8\"y\" é_x\u0301 名", "L\"w\" L'c' L \"x\" u8\"y\" é_x\u0301 名"},
		{"a//x\rb\r\nc/*\n*/d", "a\nb\nc d"},
		{"\ufeff#define A 1\nA", "1"},
		// directives inside arguments
		{"#define ID(x) [x]\nID(a\n#ifdef B\nb\n#else\nc\n#endif\n#define D 4\n D) D", "[a c 4] 4"},
		{"#define ID(x) [x]\n#define EMPTY\nEMPTY # define ID 3\nID(1)", "# define ID 3\n[1]"},
		{"#if 0\n'\n#define A \" /*\n/*\n#else */\n#if 1\n#else\n#endif\nx\n#elif 1\n y\n#else\nz\n#endif\nw", "y\nw"},
		{"#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif", "a"},
		{"#ifdef A\n#elifndef A\nx\n#elifdef B\ny\n#endif", "x"},
		// computed
		{"__LINE__ __FILE__ __INCLUDE_LEVEL__ __COUNTER__ __COUNTER__\n__LINE__", "1 \"main.cl\" 0 0 1\n2"},
		{"#define L(x) __LINE__ x\nL(\n__LINE__)\n#line 100 \"a\\\\b.cl\"\n__LINE__ __FILE__\n# 7 \"x.h\" 1\n__LINE__ __FILE__", "3 3\n100 \"a\\\\b.cl\"\n7 \"x.h\""},
		{"__DATE__ __TIME__", `"Feb  3 2024" "04:05:06"`},
		{"#define STR(x) #x\n#define XSTR(x) STR(x)\nXSTR(__LINE__) XSTR(INT_MIN)", `"3" "(-2147483647-1)"`},
		{"#if __has_include(\"h.h\") && !__has_include(<none.h>) && __has_attribute(__packed__) && !__has_attribute(nothing) && !__has_feature(cxx) && __has_builtin(__builtin_astype)\nok\n#endif", "ok"},
		// includes
		{"#include \"h.h\"\n#include <h.h>\n#define H \"h.h\"\n#include H\n#define B(x) <x.h>\n#include B(h)", "in_h \"h.h\" 1\nin_h \"h.h\" 1\nin_h \"h.h\" 1\nin_h \"h.h\" 1"},
		{"#include \"d/a.h\"\n#include \"once.h\"\n#include \"once.h\"", "beside\nonce"},
		{"#include \"e.h\"\nx", "e\nx"},
		// pragmas
		{"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nx\n#define N 4\n#pragma unroll N\n#pragma unroll\n_Pragma(\"unroll 2\") y\n#define P _Pragma(\"OPENCL FP_CONTRACT OFF\") z\nP",
			"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nx\n#pragma unroll 4\n#pragma unroll\n#pragma unroll 2 y\n#pragma OPENCL FP_CONTRACT OFF z"},
		{"#define X 1\n#pragma push_macro(\"X\")\n#undef X\n#define X 2\nX\n#pragma pop_macro(\"X\")\nX", "2\n1"},
		{"#pragma STDC FP_CONTRACT /* c */ ON // d\n#pragma OPENCL \\\n FP_CONTRACT OFF", "#pragma STDC FP_CONTRACT ON\n#pragma OPENCL FP_CONTRACT OFF"},
	} {
		got, findings := preprocessed(t, c.src, option.Source{Headers: map[string][]byte{
			"h.h": []byte("in_h __FILE__ __INCLUDE_LEVEL__\n"), "d/a.h": []byte("#include \"b.h\"\n"), "d/b.h": []byte("beside\n"),
			"once.h": []byte("#pragma once\nonce"), "e.h": []byte("e"), "b.h": []byte("wrong\n"),
		}, Now: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)})
		if strings.HasPrefix(c.src, "x ??") {
			findings = ""
		}
		if got != c.want || findings != "" {
			t.Errorf("%q:\n got %s\nwant %s\n%s", c.src, got, c.want, findings)
		}
	}
}

// TestConditions tests #if expressions, whose values were computed by hand from C99 6.10.1 and checked with clang.
func TestConditions(t *testing.T) {
	for _, expr := range []string{
		"1", "!0", "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "10 - 3 - 2 == 5", "1 << 2 + 1 == 8", "7 / 2 == 3", "-7 / 2 == -3", "-7 % 3 == -1",
		"1 ? 2 : 0", "0 ? 0 : 3", "1 ? 2 : 1 / 0", "1 || 1 / 0", "!(0 && 1 / 0)", "(0 ? 1 : 0 ? 0 : 5) == 5",
		"-1 > 0u", "-1 < 0", "(-1 ? -1 : 0u) > 0", "(0 || -1) == 1", "~0u == 18446744073709551615u", "-1 == ~0", "0x10 == 16 && 010 == 8 && 0b101 == 5",
		"9223372036854775807 > 0", "0xffffffffffffffff > 0", "1u - 2 > 0", "1 - 2 < 0", "-1 >> 1 == -1", "-1u >> 63 == 1", "1 << 63 < 0",
		"'a' == 97", `'\n' == 10`, `'\x41' == 65`, `'\101' == 'A'`, `'\377' < 0`, "L'é' == 0xe9", `'\0' == 0`,
		"defined A", "defined(A)", "!defined B", "!defined(B)", "defined A && !defined B", "B == 0", "F(3) == 9", "IS(A)", "NOTHING 1",
		"(2 | 1) == 3", "(6 & 3) == 2", "(6 ^ 3) == 5", "2 | 1 == 1", "1 <= 1 && 1 >= 1 && 1 != 2", "+ - + 1 == -1", "!!2 == 1", "- -1 == 1",
		"1LL == 1ull && 1uL == 1Lu", "__OPENCL_C_VERSION__ >= CL_VERSION_1_2", "__OPENCL_VERSION__ == 300", "1 /* c */ == /* d */ 1 // e",
		"-9223372036854775807 - 1 < 0", "0 * 1 == 0", "(1,1) || 1 ? 1 : 0",
	} {
		src := "#define A 1\n#define F(x) ((x) * (x))\n#define IS(x) defined(A)\n#define NOTHING\n#if " + expr + "\nyes\n#else\nno\n#endif"
		got, findings := preprocessed(t, src, option.Source{})
		want := "yes"
		if strings.Contains(expr, "(1,1)") {
			if !strings.Contains(findings, "token is not a valid binary operator") {
				t.Errorf("%s: %s", expr, findings)
			}
			continue
		}
		findings = withoutCodes(findings, "condition-sign", "condition-overflow")
		if got != want || findings != "" {
			t.Errorf("#if %s: %s %s", expr, got, findings)
		}
	}
}

func withoutCodes(findings string, codes ...string) string {
	var keep []string
	for _, l := range strings.SplitAfter(findings, "\n") {
		drop := false
		for _, c := range codes {
			drop = drop || strings.Contains(l, "["+c+"]")
		}
		if !drop {
			keep = append(keep, l)
		}
	}
	return strings.Join(keep, "")
}

// TestPreprocessFindings compares findings with the messages and columns of clang 19.
func TestPreprocessFindings(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"#define E(a,b) a+b\nE(1)\nE(1,2,3)\nE(1", "2:4: error: too few arguments provided to function-like macro invocation\n3:7: error: too many arguments provided to function-like macro invocation\n4:1: error: unterminated function-like macro invocation"},
		{"#pragma foo bar\n#pragma message(\"hi\")", "1:9: warning: unknown pragma ignored\n2:17: warning: hi"},
		{"#if 1 +\n#endif", "1:8: error: expected value in expression"},
		{"#if\n#endif", "1:4: error: expected value in expression"},
		{"#if FOO(1)\n#endif", "1:5: error: function-like macro 'FOO' is not defined"},
		{"#iff 1\n#endif", "1:2: error: invalid preprocessing directive, did you mean '#if'?\n2:2: error: #endif without #if"},
		{"#if 1/0\n#endif\n#if 1%0\n#endif", "1:6: error: division by zero in preprocessor expression\n3:6: error: remainder by zero in preprocessor expression"},
		{"#if -1 < 0u\n#endif", "1:8: warning: left side of operator converted from negative value to unsigned: -1 to 18446744073709551615"},
		{"#if 1.0\n#elif 08\n#elif 1x\n#elif 0xg\n#endif", "1:5: error: floating point literal in preprocessor expression\n2:8: error: invalid digit '8' in octal constant\n3:8: error: invalid suffix 'x' on integer constant\n4:8: error: invalid suffix 'xg' on integer constant"},
		{"#if (1\n#elif 1 2\n#elif \"a\"\n#elif ,\n#elif 1,2\n#endif", "1:7: error: expected ')' in preprocessor expression\n2:9: error: token is not a valid binary operator in a preprocessor subexpression\n3:7: error: invalid token at start of a preprocessor expression\n4:7: error: invalid token at start of a preprocessor expression\n5:8: error: expected end of line in preprocessor expression"},
		{"#ifdef\n#endif\n#ifdef 3\n#endif", "1:7: error: macro name missing\n3:8: error: macro name must be an identifier"},
		{"#define defined\n#define Y(a a\n#define Z(a,a) 1\n#define 3", "1:9: error: 'defined' cannot be used as a macro name\n2:13: error: expected comma in macro parameter list\n3:13: error: duplicate macro parameter name 'a'\n4:9: error: macro name must be an identifier"},
		{"#define Q(a) #b\n#define W ## 1\n#define V 1 ##\n#define a.b 1", "1:14: error: '#' is not followed by a macro parameter\n2:11: error: '##' cannot appear at start of macro expansion\n3:13: error: '##' cannot appear at end of macro expansion\n4:10: warning: ISO C99 requires whitespace after the macro name"},
		{"#define X 2\n#define X 3\n#define X 3\n#define X  3 /* */\n#define __LINE__ 3\n#undef __FILE__", "2:9: warning: 'X' macro redefined\n5:9: warning: redefining builtin macro\n6:8: warning: undefining builtin macro"},
		{"#define X(a) a + 1\n#define X(b) b + 1\n#undef X\n#define X 1", "2:9: warning: 'X' macro redefined"},
		{"#line abc\n#line 2147483648\n#line 0x1", "1:7: error: #line directive requires a positive integer argument\n2:7: error: #line directive requires a positive integer argument\n3:7: error: #line directive requires a simple digit sequence"},
		{"#error hello   world \"x\n#warning foo", "1:2: error: hello   world \"x\n2:2: warning: foo"},
		{"#include\n#include <>\n#include foo\n#include \"\"", "1:9: error: expected \"FILENAME\" or <FILENAME>\n2:10: error: empty filename\n3:10: error: expected \"FILENAME\" or <FILENAME>\n4:10: error: empty filename"},
		{"#include \"nofile.h\"\n#error not reached", "1:10: fatal error: 'nofile.h' file not found"},
		{"#else\n#endif\n#elif 1", "1:2: error: #else without #if\n2:2: error: #endif without #if\n3:2: error: #elif without #if"},
		{"#if 1\n#else\n#else\n#elif 1\n#endif", "3:2: error: #else after #else\n4:2: error: #elif after #else"},
		{"#if 0\n#else\n#else\n#endif\n#if 1 //\n", "3:2: error: #else after #else\n5:2: error: unterminated conditional directive"},
		{"\"abc\n'abc\n''", "1:1: warning: missing terminating \" character\n2:1: warning: missing terminating ' character\n3:1: warning: empty character constant"},
		{"#if 1\n#else foo\n#endif bar", "2:7: warning: extra tokens at end of #else directive\n3:8: warning: extra tokens at end of #endif directive"},
		{"#define P(a,b) a##b\nP(+,/) P(.,x)", "2:5: error: pasting formed '+/', an invalid preprocessing token\n2:12: error: pasting formed '.x', an invalid preprocessing token"},
		{"#define S(x) #x\nS(\\)", "2:3: warning: invalid string literal, ignoring final '\\'"},
		{"__has_include(\"x\")", "1:1: error: '__has_include' must be used within a preprocessing directive"},
		{"#if defined(X\n#elif defined 3\n#elif 1 ? 2\n#elif 'ab'\n#endif", "1:14: error: missing ')' after 'defined'\n2:15: error: macro name must be an identifier\n3:12: error: expected ':'\n4:7: warning: multi-character character constant"},
		{"/* x", "1:1: error: unterminated /* comment"},
		{"a\x00b \u00a0 c \u2212 \xff", "1:2: warning: null character ignored\n1:5: warning: treating Unicode character <U+00A0> as whitespace\n1:10: error: unexpected character <U+2212>\n1:14: error: source text is not valid UTF-8"},
		{"??=", "1:1: warning: trigraph converted to '#' character"},
		{"#if '\\q' + '\\x' + '\\400'\n#endif", "1:6: warning: unknown escape sequence '\\q'\n1:13: error: \\x used with no following hex digits\n1:20: error: octal escape sequence out of range"},
		{"#pragma once\n#pragma GCC poison bad\nbad", "1:9: warning: #pragma once in main file\n3:1: error: attempt to use a poisoned identifier"},
		{"#define F(x) x\nF(\n#include \"h\"\n1)", "3:2: error: embedding a #include directive within macro arguments is not supported"},
		{"#if 18446744073709551616\n#elif 9223372036854775808\n#endif", "1:5: error: integer literal is too large to be represented in any integer type\n2:7: warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned"},
		{"#if 0x7fffffffffffffff + 1\n#endif\n#if 0 && 0x7fffffffffffffff * 2\n#endif", "1:24: warning: integer overflow in preprocessor expression"},
		{"_Pragma(1)", "1:9: error: _Pragma takes a parenthesized string literal"},
		{"#define A(x) __VA_ARGS__\n#define B __VA_ARGS__", "1:14: warning: __VA_ARGS__ can only appear in the expansion of a C99 variadic macro\n2:11: warning: __VA_ARGS__ can only appear in the expansion of a C99 variadic macro"},
	} {
		_, findings := preprocessed(t, c.src, option.Source{})
		var got []string
		for _, l := range strings.Split(strings.TrimSuffix(findings, "\n"), "\n") {
			if !strings.HasPrefix(l, "  note") {
				got = append(got, l[:strings.LastIndex(l+" [", " [")])
			}
		}
		for i := range got {
			if k := strings.LastIndex(got[i], " ["); k > 0 && strings.HasSuffix(got[i], "]") {
				got[i] = got[i][:k]
			}
		}
		if g := strings.Join(got, "\n"); g != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.src, g, c.want)
		}
	}
}

// TestCodeExamples runs the examples of every code of the preprocessor: the bad one must report the code, the good
// one nothing.
func TestCodeExamples(t *testing.T) {
	first, last := slices.Index(diag.Codes, diag.NullCharacter), slices.Index(diag.Codes, diag.PragmaOnceMain)
	for _, c := range diag.Codes[first : last+1] {
		if c.Bad == "" {
			continue
		}
		run := func(src string) string {
			source := diag.NewSource()
			f, _ := source.AddFile("main.cl", []byte(src), 0)
			rep := diag.NewReporter(source, diag.Config{Enable: map[string]bool{c.Name: true}})
			Run(source, f, &option.Source{}, rep)
			return findingsOf(source, rep.Diags)
		}
		if got := run(c.Bad); !strings.Contains(got, "["+c.Name+"]") {
			t.Errorf("%s: bad example gives %q", c.Name, got)
		}
		if got := run(c.Good); got != "" {
			t.Errorf("%s: good example gives %q", c.Name, got)
		}
	}
}

func TestPositions(t *testing.T) {
	toks, source, _ := tokensOf("#define A(x) (x + B)\n#define B one two\n\n  A(arg);\n", option.Source{})
	type row struct{ text, loc, spelled, chain string }
	want := []row{
		{"(", "4:3", "1:14", "A"}, {"arg", "4:5", "4:5", "A"}, {"+", "4:3", "1:17", "A"},
		{"one", "4:3", "2:11", "B A"}, {"two", "4:3", "2:15", "B A"}, {")", "4:3", "1:20", "A"}, {";", "4:9", "4:9", ""},
	}
	at := func(p diag.Pos) string { l := source.Location(p); return fmt.Sprintf("%d:%d", l.Line, l.Column) }
	for i, w := range want {
		tok := toks[i]
		var chain []string
		for p := tok.Pos; ; {
			x, _ := source.Expansion(p)
			if x == nil {
				break
			}
			chain = append(chain, x.Macro)
			p = x.Call.Pos
		}
		got := row{tok.Text, at(tok.Pos), at(source.Spelling(tok.Pos)), strings.Join(chain, " ")}
		if got != w {
			t.Errorf("got %v, want %v", got, w)
		}
	}
	if s := source.FileSpan(toks[3].Span()); at(s.Pos) != "4:3" || s.End-s.Pos != 6 {
		t.Errorf("FileSpan of %q is %v +%d", toks[3].Text, at(s.Pos), s.End-s.Pos)
	}
}

func TestHostileInput(t *testing.T) {
	double := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#define A%d A%d A%d\n", i, i+1, i+1)
		}
		return b.String() + "A0\n"
	}
	fn := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#define F%d(x) F%d(x x)\n", i, i+1)
		}
		return b.String() + "F0(1)\n"
	}
	for _, c := range []struct{ name, src, code string }{
		{"exponential objects", double(64), "expansion-too-large"},
		{"exponential arguments", fn(64), "expansion-too-large"},
		{"nested invocations", "#define f(x) x\n" + strings.Repeat("f(", 100000) + strings.Repeat(")", 100000), "expansion-too"},
		{"nested invocations of nothing", "#define e(x)\n" + strings.Repeat("e(", 3000) + "1" + strings.Repeat(")", 3000), ""},
		{"long chain", func() string {
			var b strings.Builder
			for i := range 50000 {
				fmt.Fprintf(&b, "#define C%d C%d\n", i, i+1)
			}
			return b.String() + "C0\n"
		}(), ""},
		{"nested parentheses in #if", "#if " + strings.Repeat("(", 100000) + "1\n#endif\n", "bad-condition"},
		{"nested ?: in #if", "#if " + strings.Repeat("1?1:", 100000) + "1\n#endif\n", "bad-condition"},
		{"unary operators in #if", "#if " + strings.Repeat("- ", 100000) + "1\n#endif\n", ""},
		{"include loop", "#include \"loop.h\"\n", "include-too-deep"},
		{"include tree", "#include \"t0.h\"\n", "include-too-deep"},
		{"nested #if", strings.Repeat("#if 1\n", 100000) + strings.Repeat("#endif\n", 100000), ""},
		{"long line", strings.Repeat("x+", 1<<18) + "1", ""},
		{"long token", strings.Repeat("x", 4<<20), ""},
		{"long spliced token", strings.Repeat("x\\\n", 1<<20), ""},
		{"carriage returns", strings.Repeat("//\r", 1<<20), ""},
		{"stringize doubling", func() string {
			var b strings.Builder
			b.WriteString("#define S(x) #x\n")
			for i := range 40 {
				fmt.Fprintf(&b, "#define T%d(x) S(x) T%d(S(x) S(x))\n", i, i+1)
			}
			return b.String() + "T0(\"\\\\\")\n"
		}(), "expansion-too-large"},
		{"paste doubling", func() string {
			var b strings.Builder
			b.WriteString("#define P(x,y) x##y\n#define D(x) P(x,x)\n")
			b.WriteString(strings.Repeat("D(", 60) + "a" + strings.Repeat(")", 60))
			return b.String()
		}(), "expansion-too-large"},
	} {
		headers := map[string][]byte{"loop.h": []byte("#include \"loop.h\"\n")}
		for i := range 40 {
			inc := fmt.Sprintf("#include \"t%d.h\"\n", i+1)
			headers[fmt.Sprintf("t%d.h", i)] = []byte(inc + inc)
		}
		headers["t40.h"] = nil
		_, _, rep := tokensOf(c.src, option.Source{Headers: headers, MaxTokens: 1 << 20})
		var codes []string
		for _, d := range rep.Diags {
			codes = append(codes, d.Code.Name)
		}
		if got := strings.Join(codes, " "); !strings.HasPrefix(got, c.code) || c.code == "" && got != "" || len(codes) > 1 {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestPredefined(t *testing.T) {
	for _, c := range []struct {
		opts      option.Source
		src, want string
	}{
		{option.Source{}, "__OPENCL_C_VERSION__ __OPENCL_VERSION__ CL_VERSION_1_1 NULL M_PI_F CHAR_MAX", "120 300 110 ((void*)0) 3.14159265358979323846264338327950288f 127"},
		{option.Source{Std: opencl.CL30}, "__OPENCL_C_VERSION__ __opencl_c_fp64 __opencl_c_pipes CLK_ABGR ATOMIC_VAR_INIT(3)", "300 1 __opencl_c_pipes 0x10C3 (3)"},
		{option.Source{Std: opencl.CL12}, "__opencl_c_fp64 CLK_ABGR ATOMIC_VAR_INIT(3) __FAST_RELAXED_MATH__", "__opencl_c_fp64 CLK_ABGR ATOMIC_VAR_INIT(3) __FAST_RELAXED_MATH__"},
		{option.Source{FastMath: true}, "__FAST_RELAXED_MATH__", "1"},
		{option.Source{}, "kernel_exec(8, float4) void f()", "__kernel __attribute__((work_group_size_hint(8, 1, 1))) __attribute__((vec_type_hint(float4))) void f()"},
		{option.Source{Defines: []option.Define{{Name: "A", Value: "1"}, {Name: "F(x)", Value: "x+A\nz"}, {Name: "B", Value: "2"}, {Name: "B", Undef: true}, {Name: "NULL", Undef: true}}}, "A F(2) B NULL", "1 2+1 B NULL"},
		{option.Source{}, "#ifdef cl_khr_fp64\n#undef M_PI\n#define M_PI 3\nM_PI\n#endif", "3"},
	} {
		got, findings := preprocessed(t, c.src, c.opts)
		if got != c.want || findings != "" {
			t.Errorf("%s:\n got %s\nwant %s\n%s", c.src, got, c.want, findings)
		}
	}
}

// TestPredefinedTable checks that every predefined macro expands without a finding, in every version.
func TestPredefinedTable(t *testing.T) {
	for _, std := range opencl.Versions {
		var b strings.Builder
		for _, row := range predefined() {
			fmt.Fprintln(&b, row.name)
		}
		if _, findings := preprocessed(t, b.String(), option.Source{Std: std}); findings != "" {
			t.Errorf("%d: %s", std, findings)
		}
	}
}

func TestReadFile(t *testing.T) {
	files := map[string]string{"inc/a.h": "a\n#include \"b.h\"\n", "inc/b.h": "b\n", "src/b.h": "near\n"}
	read := func(name string) ([]byte, error) {
		if s, ok := files[name]; ok {
			return []byte(s), nil
		}
		if name == "inc/denied.h" {
			return nil, fs.ErrPermission
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	source := diag.NewSource()
	f, _ := source.AddFile("src/main.cl", []byte("#include <a.h>\n#include \"b.h\"\n#include \"denied.h\"\n"), 0)
	rep := diag.NewReporter(source, diag.Config{})
	toks := Run(source, f, &option.Source{ReadFile: read, IncludeDirs: []string{"none", "inc"}}, rep).Tokens
	var got []string
	for _, tok := range toks {
		got = append(got, tok.Text)
	}
	if s := strings.Join(got, " "); s != "a b near " {
		t.Errorf("got %q", s)
	}
	if s := findingsOf(source, rep.Diags); !strings.Contains(s, "src/main.cl:3:10: fatal error: cannot read file 'denied.h': permission denied") {
		t.Errorf("got %s", s)
	}
}

// TestOptionsDefine checks that macros of the options string are defined in the program.
func TestOptionsDefine(t *testing.T) {
	o, err := option.Parse(`-DN=4 -D "SUM(a, b)=((a) + (b))" -DNAME=\"x\" -cl-std=CL3.0`)
	if err != nil {
		t.Fatal(err)
	}
	got, findings := preprocessed(t, "SUM(N, 1) NAME __OPENCL_C_VERSION__", o.Source)
	if want := `((4) + (1)) "x" 300`; got != want || findings != "" {
		t.Error(got, findings)
	}
	o, _ = option.Parse("-D9=1")
	_, findings = preprocessed(t, "", o.Source)
	if want := "<command line>:1:9: error: macro name must be an identifier [macro-name]\n"; findings != want {
		t.Error(findings)
	}
}

func TestPragmaWords(t *testing.T) {
	toks, source, _ := tokensOf("  #pragma OPENCL EXTENSION all : disable\n", option.Source{})
	var got []string
	PragmaWords(&toks[0], func(w *token.Token) {
		got = append(got, fmt.Sprintf("%s@%d", w.Text, source.Location(w.Pos).Column))
	})
	if s := strings.Join(got, " "); s != "OPENCL@11 EXTENSION@18 all@28 :@32 disable@34" {
		t.Error(s)
	}
}

func FuzzPreprocess(f *testing.F) {
	for _, s := range []string{
		"#define f(a,...) #a a##a __VA_ARGS__ f\nf(1,2)(3,f(4))", "#if 1 ? 2 : defined(x)\n#elif '\\x1'\n#else\n#endif", "a\\\nb/\\\n*x*\\\n/\"\\\n\"",
		"??=define A ??/\nA", "#include \"a.h\"\n#include <b.h>\n#line 3 \"x\"\n__LINE__", "_Pragma(\"unroll 3\") #pragma once\n#pragma push_macro(\"A\")",
		"#define E\n#define O(x) x E O\nO(O)(O(1)E)(", "#define p(x,y) x##y\np(/,/)p(.,.)p(p,p)(1,2)", "#if __has_include(<a.h>)\n#endif\n%:%: <::> \xff\u00a0é",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		source := diag.NewSource()
		file, _ := source.AddFile("main.cl", []byte(src), 0)
		rep := diag.NewReporter(source, diag.Config{MaxErrors: 100})
		opts := option.Source{MaxTokens: 1 << 16, Headers: map[string][]byte{"a.h": []byte(src), "b.h": []byte("#pragma once\nb")}}
		toks := Run(source, file, &opts, rep).Tokens
		if len(toks) == 0 || toks[len(toks)-1].Kind != token.EOF {
			t.Fatal("no EOF")
		}
		for i := range toks[:len(toks)-1] {
			tok := &toks[i]
			if tok.Kind == token.EOF || tok.Text == "" && tok.Kind != token.Pragma {
				t.Fatalf("token %d is %v %q", i, tok.Kind, tok.Text)
			}
			if tok.Kind == token.Ident && (tok.Sym == 0) {
				t.Fatalf("identifier %q without number", tok.Text)
			}
			if f, _ := source.File(source.Outermost(tok.Pos)); f == nil {
				t.Fatalf("token %q without place", tok.Text)
			}
			source.FileSpan(tok.Span())
		}
		for _, d := range rep.Diags {
			source.Location(d.Span.Pos)
		}
	})
}

// kernelText is plain kernel code of about the given number of lines.
func kernelText(lines int) string {
	const body = `// Filters one row of the image: the weights lie in constant memory.
__kernel void filter_%d(__global const float4 *src, __global float4 *dst, const int width, const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = -2; i <= 2; ++i) {
        int xx = clamp(x + i, 0, width - 1); /* stay inside */
        sum += src[y * width + xx] * weights[i + 2];
    }
    dst[y * width + x] = sum * 0.2f + (float4)(1.5e-3f);
    barrier(CLK_LOCAL_MEM_FENCE);
}

`
	var b strings.Builder
	for i := 0; i < lines/16; i++ {
		fmt.Fprintf(&b, body, i)
	}
	return b.String()
}

func BenchmarkPreprocess(b *testing.B) {
	macros := "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define IDX(x, y) ((y) * width + (x))\n#define W 16\n" +
		strings.Repeat("    dst[IDX(x, y)] = MAX(src[IDX(x + 1, y)], src[IDX(x, y + W)]) * W;\n", 2000)
	for _, c := range []struct{ name, src string }{
		{"plain", kernelText(20000)}, {"macros", macros}, {"skipped", "#if 0\n" + kernelText(20000) + "#endif\n"}, {"tiny", "kernel void f() {}\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			src := []byte(c.src)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				source := diag.NewSource()
				f, _ := source.AddFile("main.cl", src, 0)
				rep := diag.NewReporter(source, diag.Config{})
				if Run(source, f, &option.Source{}, rep); rep.Failed() {
					b.Fatal(rep.Diags[0].Message)
				}
			}
			b.ReportMetric(float64(b.N)*float64(strings.Count(c.src, "\n"))/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

package ide_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ide"
)

// markers removes the markers $1$ to $9$ from a test's source, and returns their offsets.
func markers(source string) (text string, at map[byte]int) {
	at = map[byte]int{}
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		if source[i] == '$' && i+2 < len(source) && source[i+2] == '$' {
			at[source[i+1]] = b.Len()
			i += 2
			continue
		}
		b.WriteByte(source[i])
	}
	return b.String(), at
}

// open returns a snapshot of a source with markers, and headers beside it.
func open(t *testing.T, source string, headers map[string]string, options ...string) (*ide.Snapshot, map[byte]int) {
	t.Helper()
	text, at := markers(source)
	read := func(name string) ([]byte, error) {
		if h, ok := headers[name]; ok {
			return []byte(h), nil
		}
		return nil, fs.ErrNotExist
	}
	list := func(dir string) (names []string) {
		for n := range headers {
			if rest, ok := strings.CutPrefix(n, dir+"/"); ok && !strings.Contains(rest, "/") {
				names = append(names, rest)
			} else if ok {
				names = append(names, rest[:strings.IndexByte(rest, '/')+1])
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	s, err := ide.New(context.Background(), "/w/k.cl", []byte(text), ide.Options{Build: []ide.Build{{Options: strings.Join(options, " "), Dir: "/w"}}, ReadFile: read, ListDir: list})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.InternalError(); err != nil {
		t.Fatal(err)
	}
	return s, at
}

func TestHover(t *testing.T) {
	s, at := open(t, `#define $8$TILE (4 * 4)
typedef struct { float4 a; int n; char c; } item;
constant int size = $1$TILE + 1;
enum mode { fast, $2$slow = 7 };
kernel void k(global float *out, global const $3$item *in, local int *scratch) {
  const int rows = 3 * TILE;
  $4$float3 v = (float3)(1, 2, 3);
  float4 w = in[get_global_id(0)].$5$a;
  out[0] = $6$fmax(w.x, $7$size) + v.$9$yx.x + rows + slow;
}
`, nil)
	for _, c := range []struct {
		at   byte
		want []string
	}{
		{'1', []string{"#define TILE (4 * 4)", "value 16 of type `int`"}},
		{'2', []string{"slow = 7", "value 7"}},
		{'3', []string{"typedef", "size 32 bytes, alignment 16 bytes", "| 16 | 4 | `int n` |", "| 20 | 1 | `char c` |", "| 21 | 11 | padding |"}},
		{'4', []string{"float3", "size 16 bytes, alignment 16 bytes"}},
		{'5', []string{"float4 a", "at offset 0", "4 components of `float`"}},
		{'6', []string{"float fmax(float, float)", "gentypef fmax(gentypef, gentypef)", "0 / 0 / 0", "Math Functions (6.15.2)", "overloads"}},
		{'7', []string{"__constant int size", "constant memory", "value 17"}},
		{'8', []string{"#define TILE (4 * 4)"}},
		{'9', []string{"float2", "components 1, 0 of `float3`"}},
	} {
		h := s.Hover("/w/k.cl", at[c.at])
		if h == nil {
			t.Errorf("%c: no hover", c.at)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(h.Text, w) {
				t.Errorf("%c: hover lacks %q:\n%s", c.at, w, h.Text)
			}
		}
	}
}

func TestHoverNeeds(t *testing.T) {
	s, at := open(t, "kernel void k(global int *p) { p[0] = $1$sub_group_reduce_add(p[1]); p[2] = convert_$2$int_sat_rte(2.5f); }", nil, "-cl-std=CL3.0")
	if h := s.Hover("/w/k.cl", at['1']); h == nil || !strings.Contains(h.Text, "Needs: ") {
		t.Errorf("got %+v", h)
	}
	if h := s.Hover("/w/k.cl", at['2']); h == nil || !strings.Contains(h.Text, "nearest of the range") || !strings.Contains(h.Text, "ties to even") {
		t.Errorf("got %+v", h)
	}
}

// labels returns the labels of the completions at an offset.
func labels(s *ide.Snapshot, off int) (list []string) {
	for _, c := range s.Complete("/w/k.cl", off) {
		list = append(list, c.Label)
	}
	return list
}

// TestComplete completes in code that is invalid as it is while a user types.
func TestComplete(t *testing.T) {
	const head = `#include "lib/vec.h"
#define LIMIT 10
#define AT(x, y) ((x) + (y))
typedef struct { int count; float4 sum; struct { int inner; }; } item;
float helper(float4 a, int n);
constant float table[2] = {1, 2};
`
	headers := map[string]string{"/w/lib/vec.h": "typedef struct { int q; } quat;\nfloat norm(quat v);\n", "/w/lib/other.clh": "", "/w/lib/readme.txt": "", "/w/top.h": ""}
	for _, c := range []struct {
		name, code string
		want, not  []string
	}{
		{"members", "kernel void k(item *p) { item v; v.$1$\n}", []string{"count", "sum", "inner"}, []string{"LIMIT", "fmax"}},
		{"members before a statement", "kernel void k() { item v;\n  v.$1$\n  int y = 3;\n  y = 4; }", []string{"count", "sum"}, nil},
		{"members of an argument", "kernel void k() { item v; helper(v.$1$", []string{"count", "sum"}, nil},
		{"members in a call", "kernel void k() { item v; int i = 2 * (v.co$1$) + 1; }", []string{"count"}, nil},
		{"members of a declaration's initializer", "kernel void k() { item v; float4 w = v.$1$\n w.x = 1; }", []string{"sum"}, nil},
		{"members through a pointer", "kernel void k(global item *p) { p->$1$ }", []string{"count", "sum"}, nil},
		{"dot of a pointer", "kernel void k(global item *p) { p.$1$ }", []string{"count"}, nil},
		{"members of an element", "kernel void k(global item *p) { if (p[1].$1$ > 2) { } }", []string{"count"}, nil},
		{"header's members", "kernel void k() { quat a; a.$1$ }", []string{"q"}, nil},
		{"components", "kernel void k(float3 v) { v.$1$ }", []string{"x", "z", "xyz", "lo", "odd", "s2"}, []string{"w", "s3"}},
		{"swizzle", "kernel void k(float4 v) { v.xy$1$ }", []string{"xyz", "xyw"}, nil},
		{"components of an expression", "kernel void k(float4 v) { float f = (v + 1).$1$; }", []string{"x", "w"}, nil},
		{"components of a call", "kernel void k(float4 v) { float f = fmax(v, v).$1$ }", []string{"x", "w"}, nil},
		{"names", "kernel void k(global float *out, int n) { int inside; { int hidden; } $1$ }", []string{"inside", "out", "n", "helper", "table", "LIMIT", "AT", "fmax", "float4", "item", "for", "M_PI_F", "norm"}, []string{"hidden", "count"}},
		{"names in an expression", "kernel void k(global float *out, int n) { out[$1$", []string{"n", "get_global_id"}, nil},
		{"names of a loop", "kernel void k(int n) { for (int i = 0; i < $1$", []string{"i", "n"}, nil},
		{"declared later", "kernel void k() { $1$ int later; }", nil, []string{"later"}},
		{"conversions", "kernel void k(float f) { int i = convert_int$1$", []string{"convert_int", "convert_int4", "convert_int_sat_rtz"}, []string{"convert_float_sat"}},
		{"tags", "struct pair { int a; }; kernel void k() { struct $1$", []string{"pair"}, []string{"item"}},
		{"directives", "#$1$\n", []string{"include", "ifdef", "pragma"}, nil},
		{"macros of a condition", "#ifdef $1$\n#endif\n", []string{"LIMIT", "__OPENCL_VERSION__", "cl_khr_fp64"}, []string{"fmax"}},
		{"extensions", "#pragma OPENCL EXTENSION cl_$1$\n", []string{"cl_khr_fp16"}, nil},
		{"state of an extension", "#pragma OPENCL EXTENSION cl_khr_fp16 : $1$\n", []string{"enable", "disable"}, nil},
		{"headers", "#include \"lib/$1$\n", []string{"vec.h", "other.clh"}, []string{"readme.txt"}},
		{"folders", "#include \"$1$\n", []string{"lib/", "top.h"}, nil},
		{"attributes", "kernel __attribute__(($1$ void k() {}", []string{"reqd_work_group_size", "vec_type_hint"}, []string{"fmax"}},
		{"options", "// purecl-options: -cl-$1$\n", []string{"-cl-fast-relaxed-math", "-cl-std=CL3.0"}, nil},
		{"comment", "// some fm$1$\n", nil, []string{"fmax"}},
		{"string", "kernel void k() { printf(\"%d fm$1$", nil, []string{"fmax"}},
		{"number", "kernel void k() { float f = 1.$1$", nil, []string{"x", "fmax"}},
	} {
		s, at := open(t, head+c.code, headers)
		got := labels(s, at['1'])
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q is not proposed; %d others are: %q", c.name, w, len(got), got[:min(len(got), 10)])
			}
		}
		for _, w := range c.not {
			if slices.Contains(got, w) {
				t.Errorf("%s: %q is proposed", c.name, w)
			}
		}
	}
}

func TestCompleteArrow(t *testing.T) {
	s, at := open(t, "typedef struct { int n; } item; kernel void k(global item *p) { p.$1$ }", nil)
	list := s.Complete("/w/k.cl", at['1'])
	if len(list) != 1 || list[0].Before == nil || list[0].Before.Text != "->" || string(s.Text[list[0].Before.Start:list[0].Before.End]) != "." {
		t.Errorf("got %+v", list)
	}
}

func TestSignatures(t *testing.T) {
	for _, c := range []struct {
		code, want, param string
		active            int
	}{
		{"float f(float4 v, int n); kernel void k() { f(1, $1$", "float f(float4 v, int n)", "int n", 1},
		{"kernel void k(float4 v) { fmax($1$", "float fmax(float, float)", "float", 0},
		{"kernel void k(float4 v) { v = fmax(v, $1$); }", "float4 fmax(float4, float4)", "float4", 1},
		{"kernel void k(float4 v) { v = clamp(v, 0.0f, (1 + 2)$1$; }", "float4 clamp(float4, float, float)", "float", 2},
		{"#define AT(x, y) ((x) + (y))\nkernel void k() { int i = AT(1, $1$", "AT(x, y)", "y", 1},
		{"kernel void k(global int *p) { p[0] = max(p[min(1, 2)], $1$", "int max(int, int)", "int", 1},
		{"kernel void k(global int *p) { /* f( */ p[0] = abs($1$1); }", "uint abs(int)", "int", 0},
	} {
		s, at := open(t, c.code, nil)
		h := s.Signatures("/w/k.cl", at['1'])
		if h == nil || len(h.List) == 0 {
			t.Errorf("%s: no signatures", c.code)
			continue
		}
		got := h.List[0]
		param := ""
		if h.Active < len(got.Params) {
			param = got.Text[got.Params[h.Active][0]:got.Params[h.Active][1]]
		}
		if got.Text != c.want || h.Active != c.active || param != c.param {
			t.Errorf("%s: got %q, parameter %d %q; want %q, %d %q", c.code, got.Text, h.Active, param, c.want, c.active, c.param)
		}
	}
	for _, code := range []string{"kernel void k() { if ($1$", "kernel void k() { $1$ }", "kernel void k() { max(1, 2); $1$", "// f($1$"} {
		s, at := open(t, code, nil)
		if h := s.Signatures("/w/k.cl", at['1']); h != nil {
			t.Errorf("%s: got %+v", code, h)
		}
	}
}

// texts returns the texts of ranges.
func texts(s *ide.Snapshot, list []ide.Range) (out []string) {
	for _, r := range list {
		out = append(out, string(s.FileText(r.File)[r.Start:r.End]))
	}
	return out
}

func TestReferences(t *testing.T) {
	headers := map[string]string{"/w/a.h": "#define TWICE(x) ((x) + total)\nint shared(int a);\n"}
	s, at := open(t, `#include "$1$a.h"
typedef struct $8$pair { int $2$left, right; } pair;
int shared(int a) { return a; }
constant int total = 3;
kernel void k(global int *out, struct pair p) {
  int $3$n = $7$TWICE(p.left);
  pair *q = &p;
  { int n = 5; out[1] = n; }
  out[$4$n] = $5$shared(q->left) + TWICE(n);
  $9$again: if (out[0]) goto again;
}
$6$`, headers)
	if d := s.Definition("/w/k.cl", at['1']); len(d) != 1 || d[0].File != "/w/a.h" {
		t.Errorf("definition of a header: %v", d)
	}
	for _, c := range []struct {
		at   byte
		want int // number of references
	}{{'2', 3}, {'3', 3}, {'4', 3}, {'5', 3}, {'7', 3}, {'8', 2}, {'9', 2}} {
		refs := s.References("/w/k.cl", at[c.at])
		if len(refs) != c.want {
			t.Errorf("%c: %d references, want %d: %v", c.at, len(refs), c.want, refs)
		}
		if d := s.Definition("/w/k.cl", at[c.at]); len(d) != 1 {
			t.Errorf("%c: definitions %v", c.at, d)
		}
	}
	if d := texts(s, s.Definition("/w/k.cl", at['4'])); !slices.Equal(d, []string{"n"}) {
		t.Errorf("definition of n: %q", d)
	}
	// A name in a macro's body refers to the object that it has at the use.
	total := strings.Index(string(s.Text), "total")
	if refs := s.References("/w/k.cl", total); len(refs) != 2 || refs[0].File == refs[1].File {
		t.Errorf("references of total: %v", refs)
	}
	if d := s.TypeDefinition("/w/k.cl", strings.Index(string(s.Text), "q->")); len(d) != 1 || string(s.Text[d[0].Start:d[0].End]) != "pair" {
		t.Errorf("type of q: %v", d)
	}
}

func TestRename(t *testing.T) {
	s, at := open(t, `#define JOIN(a, b) a##b
int $1$f(int $2$x) { int y = x; { int z = x; y += z; } return y; }
kernel void k(global int *p) { int other = $5$get_global_id(0); int $3$ab = 1; JOIN(a, b) = 2; p[0] = f(other) + ab; }
`, nil)
	for _, c := range []struct {
		at       byte
		name     string
		edits    int
		problems string
	}{
		{'1', "g", 2, ""},
		{'2', "w", 3, ""},
		{'2', "y", 0, "declared already"},
		{'2', "z", 0, "declared already"},
		{'2', "k", 3, ""}, // the function uses nothing that it would hide
		{'2', "int", 0, "a word of the language"},
		{'2', "1x", 0, "no identifier"},
		{'2', "a b", 0, "no identifier"},
		{'1', "JOIN", 0, "a macro"},
		{'1', "other", 0, "declared already"},
		{'3', "c", 0, "##"},
		{'5', "c", 0, "the language"},
	} {
		edits, err := s.Rename("/w/k.cl", at[c.at], c.name)
		switch {
		case c.problems == "" && (err != nil || len(edits) != c.edits):
			t.Errorf("%c to %s: %d edits, %v; want %d", c.at, c.name, len(edits), err, c.edits)
		case c.problems != "" && (err == nil || !strings.Contains(err.Error(), c.problems)):
			t.Errorf("%c to %s: got %v; want an error with %q", c.at, c.name, err, c.problems)
		}
	}
}

func TestSymbols(t *testing.T) {
	s, _ := open(t, `#define N 3
typedef struct { int a; float b; } item;
enum { first, second };
constant int c = 1;
int helper(item x) { return x.a; }
kernel void k(global int *p) { p[0] = N }
`, nil)
	var got []string
	for _, x := range s.Symbols("/w/k.cl") {
		line := x.Name
		for _, y := range x.Children {
			line += " " + y.Name
		}
		got = append(got, line)
	}
	want := []string{"N", "item a b", "item", "(anonymous) first second", "c", "helper", "k"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if k := s.Kernels("/w/k.cl"); len(k) != 1 || k[0].Name != "k" {
		t.Errorf("kernels %v", k)
	}
}

func TestTokens(t *testing.T) {
	s, _ := open(t, `#define N 3
#if N == 4
int gone;
#endif
typedef struct { int a; } item;
kernel void k(global int *p, constant item *q) { int i = q->a; float2 v; p[i] = N + v.y + max(1, i); }
`, nil)
	var got []string
	text := string(s.Text)
	for _, x := range s.Tokens(ide.Range{File: "/w/k.cl", Start: 0, End: len(text)}) {
		word := ide.TokenKinds[x.Kind] + ":" + strings.TrimSpace(text[x.Start:x.End])
		for i, n := range ide.TokenFlagNames {
			if x.Flags>>i&1 != 0 {
				word += "+" + n
			}
		}
		got = append(got, word)
	}
	want := []string{"macro:N", "macro:N", "comment:int gone;", "property:a+declaration", "type:item+declaration", "function:k+declaration+kernel", "parameter:p+declaration+global",
		"type:item", "parameter:q+declaration+constant", "variable:i+declaration", "parameter:q+constant", "property:a", "type:float2+defaultLibrary", "variable:v+declaration",
		"parameter:p+global", "variable:i", "macro:N", "variable:v", "property:y", "function:max+defaultLibrary", "variable:i"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestConversions(t *testing.T) {
	s, _ := open(t, `kernel void k(global float *f, global int *p, float4 v, uint u) {
  int i = get_global_id(0);
  f[i] = p[i] + 1;
  p[i] = f[i] * 2;
  v = v * f[i];
  long l = i;
  u = i;
  if (i) p[0] = 1;
}
`, nil)
	text := string(s.Text)
	var got []string
	for _, h := range s.Conversions(ide.Range{File: "/w/k.cl", Start: 0, End: len(text)}) {
		rest, _, _ := strings.Cut(text[h.At.Start:], ";")
		got = append(got, h.Text+rest)
	}
	want := []string{"(int)get_global_id(0)", "(float)p[i] + 1", "(int)f[i] * 2", "(float4)f[i]", "(uint)i"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDiagnostics(t *testing.T) {
	s, _ := open(t, `#define BAD (undeclared_name)
void f(int a);
kernel void k(global int *p) {
  int unused_thing;
  p[0] = vlaue + BAD;
  int value = 1;
  p[1] = value
  f(1, 2);
}
`, nil, "-Wall")
	byCode := map[string]ide.Diagnostic{}
	for _, d := range s.Diagnostics() {
		byCode[d.Code+" "+string(s.Text[d.Start:d.End])] = d
	}
	if d := byCode["expected-semicolon "]; d.Fix == nil || d.Fix.Text != ";" {
		t.Errorf("no fix that inserts a semicolon: %+v", byCode)
	}
	if d, ok := byCode["undeclared-identifier BAD"]; !ok || len(d.Related) != 1 || !strings.Contains(d.Related[0].Message, "macro 'BAD'") {
		t.Errorf("the macro is not related: %+v", byCode)
	}
}

func TestBadOptions(t *testing.T) {
	s, _ := open(t, "kernel void k() {}", nil, "-cl-std=CL9.9")
	if d := s.Diagnostics(); len(d) != 1 || d[0].Code != "build-options" || !strings.Contains(d[0].Message, "CL9.9") {
		t.Errorf("got %+v", d)
	}
}

func TestExplain(t *testing.T) {
	if e := ide.Explain("undeclared-identifier"); !strings.Contains(e, "Wrong:") || !strings.Contains(e, "C99 6.5.1") {
		t.Errorf("got %q", e)
	}
	if e := ide.Explain("nothing"); e != "" {
		t.Errorf("got %q", e)
	}
}

func TestCommentOptions(t *testing.T) {
	for text, want := range map[string]string{
		"// purecl-options: -DN=1\nint x;":                                       "-DN=1",
		"/* A kernel.\n * purecl-options: -DN=1 -w */\n// purecl-options: -DM\n": "-DN=1 -w -DM",
		"int x;\n// purecl-options: -DN=1\n":                                     "",
	} {
		if got := ide.CommentOptions([]byte(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

var (
	testError   = &Code{Name: "test-error", Severity: Error, Doc: "A test."}
	testWarning = &Code{Name: "test-warning", Severity: Warning, Doc: "A test."}
)

// at returns the span of the n-th occurrence (from 0) of text in f.
func at(f *File, text string, n int) Span {
	off := 0
	for ; n >= 0; n-- {
		i := bytes.Index(f.Src[off:], []byte(text))
		off += i + 1
	}
	return Span{f.Pos(off - 1), f.Pos(off - 1 + len(text))}
}

func render(t *testing.T, st Style, s *Source, diags ...*Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := st.Write(&b, s, diags); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func newFile(t *testing.T, name, src string) (*Source, *File) {
	t.Helper()
	s := NewSource()
	f, ok := s.AddFile(name, []byte(src), 0)
	if !ok {
		t.Fatal("no room")
	}
	return s, f
}

func TestRenderPlain(t *testing.T) {
	s, f := newFile(t, "k.cl", "kernel void f() {\n  float x = y + yy;\n}\n")
	r := NewReporter(s, Config{})
	r.Report(testError, at(f, "yy", 0), "use of undeclared identifier '%s'", "yy").
		Replace(at(f, "yy", 0), "y").Note(at(f, "x", 0), "'x' declared here")
	r.Report(testWarning, at(f, "f()", 0), "no prototype")
	check(t, BuildLog(s, r.Diags), `k.cl:2:17: error: use of undeclared identifier 'yy'
    2 |   float x = y + yy;
      |                 ^~
      |                 y
k.cl:2:9: note: 'x' declared here
    2 |   float x = y + yy;
      |         ^
k.cl:1:13: warning: no prototype [-Wtest-warning]
    1 | kernel void f() {
      |             ^~~
1 warning and 1 error generated.
`)
	check(t, render(t, Style{Codes: true, NoSource: true}, s, r.Diags[0]), `k.cl:2:17: error: use of undeclared identifier 'yy' [test-error]
k.cl:2:9: note: 'x' declared here
1 error generated.
`)
}

func TestRenderLabels(t *testing.T) {
	s, f := newFile(t, "k.cl", "int g;\nint4 r = a * b;\n")
	d := (&Diagnostic{Severity: Error, Code: testError, Message: "invalid operands", Span: at(f, "*", 0)}).
		Label(at(f, "a", 0), "float4").Label(at(f, "b", 0), "int4").Label(at(f, "g", 0), "another place")
	check(t, render(t, Style{}, s, d), `k.cl:2:12: error: invalid operands
    2 | int4 r = a * b;
      |          ~ ^ ~ int4
      |          float4
k.cl:1:5: note: another place
    1 | int g;
      |     ^
1 error generated.
`)
	d = (&Diagnostic{Severity: Error, Code: testError, Message: "m", Span: at(f, "int4 r", 0)}).
		Label(at(f, "r", 0), "one").Label(at(f, "a", 0), "two").Label(at(f, "int4", 0), "three").Label(at(f, "b", 0), "four")
	check(t, render(t, Style{}, s, d), `k.cl:2:1: error: m
    2 | int4 r = a * b;
      | ^~~~~~   ~   ~ four
      | |    |   two
      | |    one
      | three
1 error generated.
`)
}

// expand adds an expansion of one-token-per-word bodies.
func expand(s *Source, macro string, def Span, call Span, words ...Span) []Span {
	b := &Body{Macro: macro, Def: def}
	size := uint32(0)
	for _, w := range words {
		b.Starts = append(b.Starts, size)
		b.Spell = append(b.Spell, w.Pos)
		size += uint32(w.End-w.Pos) + 1
	}
	base, _ := s.AddExpansion(b, call, size)
	var out []Span
	for i, w := range words {
		p := base + Pos(b.Starts[i])
		out = append(out, Span{p, p + (w.End - w.Pos)})
	}
	return out
}

func TestRenderMacroChain(t *testing.T) {
	s, f := newFile(t, "k.cl", "#define A(x) x + bad\n#define B(y) A(y)\nint v = B(arg);\n")
	b := expand(s, "B", at(f, "B(y) A(y)", 0), at(f, "B(arg)", 0), at(f, "A", 1), at(f, "arg", 0), at(f, ")", 2))
	a := expand(s, "A", at(f, "A(x) x + bad", 0), Span{b[0].Pos, b[2].End}, b[1], at(f, "+", 0), at(f, "bad", 0))
	d := &Diagnostic{Severity: Error, Code: testError, Message: "undeclared 'bad'", Span: a[2]}
	check(t, render(t, Style{}, s, d), `k.cl:3:9: error: undeclared 'bad'
    3 | int v = B(arg);
      |         ^~~~~~
k.cl:2:14: note: expanded from macro 'B'
    2 | #define B(y) A(y)
      |              ^
k.cl:1:18: note: expanded from macro 'A'
    1 | #define A(x) x + bad
      |                  ^~~
1 error generated.
`)
	// The position of an argument is where it was written.
	d = &Diagnostic{Severity: Error, Code: testError, Message: "undeclared 'arg'", Span: a[0]}
	check(t, render(t, Style{}, s, d), `k.cl:3:11: error: undeclared 'arg'
    3 | int v = B(arg);
      |           ^~~
1 error generated.
`)
	// A range from an argument into the macro ends where the invocation ends.
	d = &Diagnostic{Severity: Error, Code: testError, Message: "sum", Span: Span{a[0].Pos, a[2].End}}
	check(t, render(t, Style{}, s, d), `k.cl:3:11: error: sum
    3 | int v = B(arg);
      |           ^~~~
1 error generated.
`)
}

func TestRenderLongChain(t *testing.T) {
	src := "#define M0 bad\n"
	s, f := newFile(t, "k.cl", src+"M0;\n")
	call, p := at(f, "M0;", 0), Pos(0)
	call.End--
	for i := range 20 {
		w := expand(s, "M"+string(rune('a'+i)), at(f, "M0 bad", 0), call, at(f, "bad", 0))
		call, p = w[0], w[0].Pos
	}
	got := render(t, Style{NoSource: true, Macros: 4}, s, &Diagnostic{Severity: Error, Code: testError, Message: "m", Span: Span{p, p + 3}})
	check(t, got, `k.cl:2:1: error: m
k.cl:1:12: note: expanded from macro 'Ma'
k.cl:1:12: note: expanded from macro 'Mb'
note: (skipping 16 expansions in the chain of macros)
k.cl:1:12: note: expanded from macro 'Ms'
k.cl:1:12: note: expanded from macro 'Mt'
1 error generated.
`)
}

func TestRenderIncludes(t *testing.T) {
	s, f := newFile(t, "k.cl", "\n#include \"a.h\"\n")
	a, _ := s.AddFile("a.h", []byte("#include \"b.h\"\nx\n"), at(f, "include", 0).Pos)
	b, _ := s.AddFile("b.h", []byte("oops oops\n"), at(a, "include", 0).Pos)
	d := func(f *File, text string, n int) *Diagnostic {
		return &Diagnostic{Severity: Warning, Code: testWarning, Message: "m", Span: at(f, text, n)}
	}
	check(t, render(t, Style{NoSource: true}, s, d(b, "oops", 0), d(b, "oops", 1), d(a, "x", 0), d(f, "a", 0)), `In file included from a.h:1:
In file included from k.cl:2:
b.h:1:1: warning: m [-Wtest-warning]
b.h:1:6: warning: m [-Wtest-warning]
In file included from k.cl:2:
a.h:2:1: warning: m [-Wtest-warning]
k.cl:2:11: warning: m [-Wtest-warning]
4 warnings generated.
`)
}

func TestRenderColumns(t *testing.T) {
	for _, c := range []struct{ line, mark, want string }{
		{"\tx = y;", "y", "    1 |         x = y;\n      |             ^\n"},
		{"a\tbb", "bb", "    1 | a       bb\n      |         ^~\n"},
		{"/* 漢字 é */ z", "z", "    1 | /* 漢字 é */ z\n      |              ^\n"},
		{"e\u0301 z", "z", "    1 | e\u0301 z\n      |   ^\n"},
		{"\x01\xff z", "z", "    1 | <U+0001><FF> z\n      |              ^\n"},
		{"漢字", "字", "    1 | 漢字\n      |   ^~\n"},
		{strings.Repeat("ab", 50) + "X" + strings.Repeat("cd", 5_000_000), "X", "    1 | ...abababababababX" + strings.Repeat("cd", 13) + "c...\n      |                  ^\n"},
		{strings.Repeat("x", 1000) + "Y", "Y", "    1 | ..." + strings.Repeat("x", 41) + "Y\n      | " + strings.Repeat(" ", 44) + "^\n"},
	} {
		s, f := newFile(t, "k.cl", c.line+"\n")
		got := render(t, Style{Width: 42}, s, &Diagnostic{Severity: Error, Code: testError, Message: "m", Span: at(f, c.mark, 0)})
		got = strings.TrimSuffix(got[strings.IndexByte(got, '\n')+1:], "1 error generated.\n")
		check(t, got, c.want)
	}
}

func TestRenderColor(t *testing.T) {
	s, f := newFile(t, "k.cl", "x\n")
	got := render(t, Style{Color: true, Codes: true}, s, &Diagnostic{Severity: Error, Code: testError, Message: "m", Span: at(f, "x", 0)})
	check(t, got, "\x1b[1mk.cl:1:1:\x1b[0m \x1b[1;31merror:\x1b[0m \x1b[1mm [test-error]\x1b[0m\n    1 | x\n      | \x1b[1;32m^\x1b[0m\n1 error generated.\n")
}

func TestRenderWithoutPlace(t *testing.T) {
	check(t, render(t, Style{}, NewSource(), &Diagnostic{Severity: Error, Code: testError, Message: "no kernel"}), "error: no kernel\n1 error generated.\n")
	s, f := newFile(t, "k.cl", "ab")
	check(t, render(t, Style{}, s, &Diagnostic{Severity: Error, Code: testError, Message: "end of file", Span: Span{f.Pos(2), f.Pos(2)}}),
		"k.cl:1:3: error: end of file\n    1 | ab\n      |   ^\n1 error generated.\n")
}

func TestLineDirectives(t *testing.T) {
	s, f := newFile(t, "k.cl", "a\n#line 10 \"x.h\"\nb\nc\n#line 5\nd\n")
	f.SetLine(16, 10, "x.h") // the end of the line
	f.SetLine(28, 5, "")
	for text, want := range map[string]Location{"a": {"k.cl", 1, 1}, "#line 10": {"k.cl", 2, 1}, "b": {"x.h", 10, 1}, "c": {"x.h", 11, 1}, "#line 5": {"x.h", 12, 1}, "d": {"x.h", 5, 1}} {
		if got := s.Location(at(f, text, 0).Pos); got != want {
			t.Errorf("%s is at %v, want %v", text, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	s, f := newFile(t, "dir/k é.cl", "é = y;\n")
	d := (&Diagnostic{Severity: Error, Code: testError, Message: "m", Span: at(f, "y", 0)}).Note(at(f, "=", 0), "n").Note(Span{}, "no place").Replace(at(f, "y", 0), "z")
	var b bytes.Buffer
	if err := WriteJSON(&b, s, []*Diagnostic{d}); err != nil {
		t.Fatal(err)
	}
	var got []JSONDiagnostic
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if g := got[0]; g.Place == nil || *g.Place != (JSONPlace{"dir/k é.cl", 1, 6, 1, 7}) || len(g.Notes) != 2 || g.Notes[1].Place != nil || g.Fix == nil || g.Code != "test-error" {
		t.Errorf("%s", b.Bytes())
	}
	b.Reset()
	if err := WriteSARIF(&b, "1", []Finding{{s, d}, {s, d}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"version": "2.1.0"`, `"uri": "dir/k%20%C3%A9.cl"`, `"startColumn": 5`, `"ruleId": "test-error"`, `"level": "error"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"get_global_id", "get_local_id", "float4", "int", "barrier", "convert_uchar4_sat_rte", "x"}
	for name, want := range map[string]string{
		"get_gobal_id": "get_global_id", "get_globla_id": "get_global_id", "GET_LOCAL_ID": "get_local_id", "flaot4": "float4", "Int": "int",
		"barier": "barrier", "convert_uchar4_rte": "convert_uchar4_sat_rte", "zebra": "", "y": "", "": "", "float16": "float4",
	} {
		if got, _ := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestReporter(t *testing.T) {
	s, f := newFile(t, "k.cl", "abcdefghijklmnopqrstuvwxyz")
	off := &Code{Name: "quiet", Severity: Warning, Off: true, Group: "extra"}
	for _, c := range []struct {
		cfg  Config
		code *Code
		want string
	}{
		{Config{}, testWarning, "warning"}, {Config{NoWarnings: true}, testWarning, ""}, {Config{Werror: true}, testWarning, "error"},
		{Config{Enable: map[string]bool{"test-warning": false}}, testWarning, ""}, {Config{}, off, ""},
		{Config{Enable: map[string]bool{"quiet": true}}, off, "warning"}, {Config{Enable: map[string]bool{"extra": true}}, off, "warning"},
		{Config{Enable: map[string]bool{"everything": true}}, off, "warning"}, {Config{Enable: map[string]bool{"extra": true, "quiet": false}}, off, ""},
		{Config{ErrorOf: map[string]bool{"test-warning": true}}, testWarning, "error"},
		{Config{Werror: true, ErrorOf: map[string]bool{"test-warning": false}}, testWarning, "warning"},
		{Config{NoWarnings: true}, testError, "error"},
	} {
		r := NewReporter(s, c.cfg)
		got := ""
		if d := r.Report(c.code, Span{f.Pos(0), f.Pos(1)}, "m"); d != nil {
			got = d.Severity.String()
		}
		if got != c.want {
			t.Errorf("%+v %s: %q, want %q", c.cfg, c.code.Name, got, c.want)
		}
	}
	r := NewReporter(s, Config{MaxErrors: 3})
	for i := range 10 {
		r.Report(testError, Span{f.Pos(i), f.Pos(i + 1)}, "m").Note(Span{}, "n")
	}
	if !r.Full() || len(r.Diags) != 4 || r.Diags[3].Code != TooManyErrors {
		t.Errorf("%d diagnostics", len(r.Diags))
	}
	if got := (&List{s, r.Diags}).Error(); !strings.HasPrefix(got, "k.cl:1:1: error: m\n") {
		t.Error(got)
	}
}

// TestRegistry checks that every code of the registry is documented with its meaning and remedy.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Codes {
		if c.Name == "" || seen[c.Name] || strings.ToLower(c.Name) != c.Name && !strings.Contains(c.Name, "-") || strings.ContainsAny(c.Name, " _") {
			t.Errorf("code %q: missing, double or badly spelled name", c.Name)
		}
		seen[c.Name] = true
		if c.Doc == "" || !strings.HasSuffix(strings.TrimSpace(c.Doc), ".") {
			t.Errorf("code %s: no documentation", c.Name)
		}
		if (c.Bad == "") != (c.Good == "") {
			t.Errorf("code %s: one example without the other", c.Name)
		}
		if Lookup(c.Name) != c || Lookup("-W"+c.Name) != c {
			t.Errorf("code %s: not found by name", c.Name)
		}
	}
	if Lookup("no-such-code") != nil {
		t.Error("found a code that does not exist")
	}
}

package ssa

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func parse(t testing.TB, src string) *Module {
	t.Helper()
	m, err := ParseText("t.ssa", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTextForm: a file that uses every feature prints as it is written.
func TestTextForm(t *testing.T) {
	src, err := os.ReadFile("testdata/all.ssa")
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, string(src))
	if err := VerifyModule(m); err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(m.String(), "\n"), strings.Split(string(src), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d:\ngot  %q\nwant %q", i+1, got[i], want[i])
		}
	}
	for op := OpConst + 1; op < NumOps; op++ {
		if op.String() == "" {
			t.Errorf("op %d has no row in the table", op)
		}
	}
}

// TestTextErrors: errors have the position of the mistake.
func TestTextErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x", `t.ssa:1:1: expected "global"`},
		{"func @f() {\nb0:\n  v1 = nop i32\n}", "t.ssa:3:8: unknown op"},
		{"func @f() {\nb0:\n  v1 = add i32 v2, v3\n return\n}", "t.ssa:3:16: no v2"},
		{"func @f() {\nb0:\n  jump b1\n}", "t.ssa:3:8: no b1"},
		{"func @f() {\nb0:\n  v1 = const i8 300\n}", "t.ssa:3:17: \"300\" is not a valid i8"},
		{"func @f() {\nb0:\n  v1 = const f16 0.1\n}", "t.ssa:3:18: \"0.1\" is not exactly representable as half"},
		{"func @f() {\nb0:\n  v1 = const f32 nan(0x7f800000)\n}", "t.ssa:3:22: not the bits of a NaN"},
		{"func @f() {\nb0:\n  v1 = const i32 1\n  v1 = const i32 1\n}", "t.ssa:4:3: duplicate v1"},
		{"func @f() {\nb0:\n  v999999999 = const i32 1\n}", "t.ssa:3:3: numbers too large"},
		{"func @f() {\nb0:\n  v1 = global ptr.constant @g\n}", "t.ssa:3:28: no @g"},
		{"func @f() {\nb0:\n  jump b1\nb1:\n  v1 = phi i32\n return\n}", "t.ssa:5:3: 0 arguments for 1 predecessors"},
		{"func @f() {\nb0:\n", "expected \"}\""},
		{"func @f(v0 i33) {}", "t.ssa:1:12: expected a type"},
		{"global @g ptr.constant size=4 align=4 type=\"x", "t.ssa:1:44: unterminated string"},
	} {
		_, err := ParseText("t.ssa", []byte(c.src))
		var te *TextError
		if !errors.As(err, &te) || !strings.HasPrefix(err.Error(), "t.ssa:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.src, err, c.want)
		}
	}
}

// FuzzSSAText: no text makes the parser panic, and valid modules are unchanged by printing and parsing.
func FuzzSSAText(f *testing.F) {
	src, err := os.ReadFile("testdata/all.ssa")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	for part := range strings.SplitSeq(string(src), "\n\n") {
		f.Add([]byte(part))
	}
	f.Add([]byte("func @f(v0 i32) i32 {\nb0:\n jump b900\nb900:\n v7000 = phi i32 b0:v0\n return v7000\n}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := ParseText("fuzz", src)
		if err != nil {
			return
		}
		for _, fn := range m.Funcs {
			_ = fn.String()
		}
		if VerifyModule(m) != nil {
			return
		}
		once := m.String()
		m2, err := ParseText("again", []byte(once))
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if err := VerifyModule(m2); err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := m2.String(); twice != once {
			t.Fatalf("not a fixed point:\n%s\n---\n%s", once, twice)
		}
	})
}

package filetest

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

func TestSSA(t *testing.T) {
	SSA(t, "testdata/ssa", map[string]Command{"names": func(args []string, m *ssa.Module) (string, error) {
		return fmt.Sprintln(args, m.Funcs[0].Name), nil
	}})
}

func TestSSACases(t *testing.T) {
	for src, want := range map[string]string{"": "1: no case", "func": `1: expected "; test:" first`} {
		if _, err := ssaCases(src, ";"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// TestDiagnostics tests the position that an expectation's diagnostic must have, and that other diagnostics fail.
func TestDiagnostics(t *testing.T) {
	const src = "// options: -cl-std=CL3.0\n" +
		"int x = yy /* ERROR undeclared \"yy\" */ ;\n" +
		"#include <a/b.h> // ERROR include \"b.h\"\n" +
		"float f = 1.5e+3f /* WARNING w \"a\" \"b\" */ /* ERROR e \"c\" */ >>= \"/* ERROR no */\";\n" +
		"/* ERROR@2:1 at \"x\" */ /* ERROR@eof end \"x\" */\n"
	good := []Diag{
		{2, 9, "error", "undeclared", "use of yy"},
		{3, 10, "error", "include", "a/b.h not found"},
		{4, 11, "warning", "w", "b a"},
		{4, 11, "error", "e", "c"},
		{2, 1, "error", "at", "x"},
		{6, 1, "error", "end", "x"},
	}
	try := func(got []Diag) (missing, unexpected int) {
		wants, _, err := expectations([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		unexpected = len(match(wants, got))
		for _, w := range wants {
			if !w.found {
				missing++
			}
		}
		return missing, unexpected
	}
	if m, u := try(good); m != 0 || u != 0 {
		t.Errorf("good: %d missing, %d unexpected", m, u)
	}
	for i := range good {
		for name, spoil := range map[string]func(d *Diag){
			"line": func(d *Diag) { d.Line++ }, "column": func(d *Diag) { d.Col++ }, "severity": func(d *Diag) { d.Severity += "x" },
			"code": func(d *Diag) { d.Code = "other" }, "message": func(d *Diag) { d.Message = "" },
		} {
			bad := append([]Diag{}, good...)
			spoil(&bad[i])
			if m, u := try(bad); m != 1 || u != 1 {
				t.Errorf("%s of %v: %d missing, %d unexpected", name, good[i], m, u)
			}
		}
		if m, u := try(append(good[:len(good):len(good)], good[i])); m != 0 || u != 1 {
			t.Errorf("%v twice: %d missing, %d unexpected", good[i], m, u)
		}
	}
	if got := optionsOf([]byte(src)); got != "-cl-std=CL3.0" {
		t.Errorf("options %q", got)
	}
	for _, bad := range []string{"/* ERROR */ x", "x /* ERROR code */", "x /* ERROR code text */", "/* ERROR c \"t\" */", "x /* ERROR@a c \"t\" */"} {
		if _, _, err := expectations([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// TestRewriteDiagnostics tests that rewritten expectations are met.
func TestRewriteDiagnostics(t *testing.T) {
	src := []byte("int x = yy; // ERROR wrong \"z\"\nint y /* ERROR keep \"k\" */ = zz;\n")
	diags := []Diag{{1, 9, "error", "undeclared", `no "yy"`}, {2, 5, "error", "keep", "kk"}, {2, 30, "warning", "w", "zz"}, {3, 1, "error", "end", "e"}}
	wants, toks, _ := expectations(src)
	out := rewriteDiagnostics(src, toks, wants, match(wants, diags))
	want := "int x = yy /* ERROR undeclared \"no \\\"yy\\\"\" */;\nint y /* ERROR keep \"k\" */ = zz /* WARNING w \"zz\" */;\n/* ERROR@eof end \"e\" */\n"
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestValues(t *testing.T) {
	f32 := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct {
		typ, text string
		want      []uint64
	}{
		{"int", "1 -1 0x10, 7", []uint64{1, 0xffffffff, 16, 7}},
		{"uchar2", "(1,2) 3 2*(4, 5)", []uint64{1, 2, 3, 3, 4, 5, 4, 5}},
		{"float", "1 -0 1.5f 0x1.8p1 inf -inf nan bits(0xffc00001) 3*2", []uint64{f32(1), 1 << 31, f32(1.5), f32(3), 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, f32(2), f32(2), f32(2)}},
		{"v2f64", "(1e300,5e-324)", []uint64{math.Float64bits(1e300), 1}},
		{"half", "1 65504 1e9 0x1p-24", []uint64{0x3c00, 0x7bff, 0x7c00, 1}},
		{"ulong", "18446744073709551615 5UL", []uint64{math.MaxUint64, 5}},
		{"bool", "true false 1", []uint64{1, 0, 1}},
		{"char16", "(-128)", []uint64{128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128}},
	} {
		typ, ok := ParseType(c.typ)
		elems, err := elements(typ, c.text, 100)
		var got []uint64
		for _, e := range elems {
			got = append(got, e.bits)
		}
		if !ok || err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %v %v, %x, want %x", c.typ, c.text, ok, err, got, c.want)
		}
	}
	for _, c := range [][2]string{{"int", "2147483648"}, {"uint", "-1"}, {"int", "1.5"}, {"float", "x"}, {"int4", "(1,2)"}, {"int4", "(1,2,3,4,5)"}, {"int", "1000*1"},
		{"float", "nano"}, {"half", "bits(0x10000)"}, {"int2", "(1,2"}, {"float", "1_0"}} {
		typ, _ := ParseType(c[0])
		if _, err := elements(typ, c[1], 100); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
	for _, s := range []string{"int5", "v1f32", "float32", "", "v", "foo", "v4", "invalid"} {
		if _, ok := ParseType(s); ok {
			t.Errorf("type %q parsed", s)
		}
	}
}

const runSource = `// run: kernel=k global=4,2 local=2,1 -cl-std=CL3.0
// arg: out float3[3] = fill(2)
// arg: in ushort[6] = range(1, 3)
// arg: n 7
// arg: x 1.5
// arg: l local 64
// want: out ulp=1 (1,2,nan) _
// want: out (3,-0,5)
// want-error: oob "of 12" "line"
kernel void k() {}
// run: global=1
`

func TestParseRuns(t *testing.T) {
	cases, err := ParseRuns("x.cl", []byte(runSource))
	if err != nil || len(cases) != 1 {
		t.Fatal(err, len(cases))
	}
	c := cases[0]
	if c.Kernel != "k" || !reflect.DeepEqual(c.Global, []int{4, 2}) || !reflect.DeepEqual(c.Local, []int{2, 1}) || c.Options != "-cl-std=CL3.0" || len(c.Args) != 5 {
		t.Errorf("%+v", c)
	}
	if in := c.Arg("in").Data; get(in, c.Arg("in").Type, 5) != 16 || len(c.Arg("out").Data) != 48 || c.Arg("l").Local != 64 {
		t.Error("wrong data")
	}
	if x := c.Arg("x"); x.Type != (Type{11, 1}) || c.Arg("n").Type != (Type{6, 1}) {
		t.Error("wrong types", x.Type)
	}
	out := append([]byte{}, c.Arg("out").Data...)
	for i, f := range []float64{1, 2, math.NaN(), 9, 9, 9, math.Nextafter(3, 4), math.Copysign(0, -1), 5} {
		bits := uint64(math.Float32bits(float32(f)))
		if i == 6 {
			bits = uint64(math.Float32bits(3)) + 1
		}
		put(out, c.Arg("out").Type, i, bits)
	}
	res := &Result{Buffers: map[string][]byte{"out": out}, Findings: []Finding{{Code: "oob", Text: "store of 12 bytes at line 3"}}}
	if p := c.Check(res); len(p) > 0 {
		t.Error(p)
	}
	put(out, c.Arg("out").Type, 7, 0) // +0
	put(out, c.Arg("out").Type, 8, uint64(math.Float32bits(5))+2)
	res.Findings = nil
	got := strings.Join(c.Check(res), "\n")
	want := "x.cl:9: oob [\"of 12\" \"line\"] expected, not reported\n" +
		"x.cl:7: out[2].s2: got 5.000001 (0x40a00002), want 5 (0x40a00000)"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	edits := map[int]string{}
	c.rewrite(res, edits)
	again := string(applyEdits([]byte(runSource), edits))
	if !strings.Contains(again, "// want: out ulp=1 (1,2,nan) (9,9,9) (3.0000002,0,5.000001)\nkernel") {
		t.Error(again)
	}
	for _, bad := range []string{"// run: global=x", "// arg: n 7", "// run: global=1 local=1,1", "// run: global=1\n// arg: o int[2] = 1 2 3", "// run: global=1\n// arg: o foo[2]",
		"// run: global=1\n// want: o 1", "// run: global=1\n// arg: a int 1\n// arg: a int 1", "// run: global=1\n// arg: l local x", "// run: global=1\n// arg: a int[99999999999]"} {
		if _, err := ParseRuns("x", []byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestRunsOnExecutor runs a file through an executor that fills the buffer.
func TestRunsOnExecutor(t *testing.T) {
	dir := t.TempDir()
	src := "; run: global=2\n; arg: out i32[2] = 5 6\n; want: out 5 6\n"
	if err := os.WriteFile(dir+"/a.ssa", []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	ran := 0
	same := func(c *Case) (*Result, error) {
		ran++
		return &Result{Buffers: map[string][]byte{"out": c.Arg("out").Data}}, nil
	}
	Runs(t, dir, Executor{"one", same}, Executor{"two", same})
	if ran != 2 {
		t.Errorf("ran %d times", ran)
	}
}

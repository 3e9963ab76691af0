package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/npy"
)

// call calls a method and decodes its reply.
func call[T any](t *testing.T, p *Playground, method string, params any, files map[string][]byte) (value T, bytes [][]byte) {
	t.Helper()
	in, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	out, bytes, err := p.Call(method, in, files)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatalf("%s: %v\n%s", method, err, out)
	}
	return value, bytes
}

// fails calls a method that must fail, and returns its error.
func fails(t *testing.T, p *Playground, method string, params any) string {
	t.Helper()
	in, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = p.Call(method, in, nil)
	if err == nil {
		t.Fatalf("%s: no error", method)
	}
	return err.Error()
}

const saxpy = `kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i]; // ü 𝛼
}
`

// TestSource checks that diagnostics, hover and completion have offsets in UTF-16 code units.
func TestSource(t *testing.T) {
	var p Playground
	src := Source{Text: "// ü 𝛼\n" + strings.Replace(saxpy, "a * x", "b * x", 1)}
	d, _ := call[[]Diagnostic](t, &p, "diagnose", src, nil)
	wide := utf16Index(src.Text, "b * x")
	if len(d) != 1 || d[0].From != wide || d[0].To != wide+1 || d[0].Code != "undeclared-identifier" {
		t.Errorf("diagnostics %+v, want one at %d", d, wide)
	}
	tokens, _ := call[[]Token](t, &p, "tokens", src, nil)
	if i := utf16Index(src.Text, "get_global_id"); !slices.Contains(tokens, Token{Place{i, i + len("get_global_id")}, "function"}) {
		t.Errorf("tokens %v", tokens)
	}
	h, _ := call[Hover](t, &p, "hover", Position{src, utf16Index(src.Text, "get_global_id") + 3}, nil)
	if h.From != utf16Index(src.Text, "get_global_id") || !strings.Contains(h.Text, "size_t get_global_id(uint") {
		t.Errorf("hover %+v", h)
	}
	list, _ := call[[]Completion](t, &p, "complete", Position{src, utf16Index(src.Text, "get_global_id") + 8}, nil)
	if !strings.Contains(fmt.Sprint(list), "get_global_offset") {
		t.Errorf("completions %v", list)
	}
	if got := fails(t, &p, "kernels", src); got != "the source has errors" {
		t.Errorf("kernels: %s", got)
	}
}

func utf16Index(text, what string) int {
	n := 0
	for _, r := range text[:strings.Index(text, what)] {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

func TestKernels(t *testing.T) {
	var p Playground
	list, _ := call[[]Kernel](t, &p, "kernels", Source{Text: saxpy + `
int f(volatile global int *p) { return atomic_inc(p); }
kernel void count(global int *n, local float *tmp) { f(n); }
kernel void print(float4 v) { printf("%v4f", v); }
kernel void wait(volatile global int *flag) { }
global int total;
kernel void sum(read_only image2d_t i, sampler_t s) { total = 1; }
kernel void groups(local int *n) { atomic_inc(n); }`, Options: "-cl-std=CL2.0"}, nil)
	got := map[string]string{}
	for _, k := range list {
		got[k.Name] = k.Alone
	}
	want := map[string]string{
		"saxpy": "", "groups": "",
		"count": "it has atomic operations on global memory",
		"print": "it prints, and the lines are shown in the order of the work-groups",
		"wait":  "its argument flag is volatile, so that work-groups may exchange values",
		"sum":   "it uses the program's variable total",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if a := list[0].Args; len(a) != 3 || a[0] != (Param{"y", "float*", "buffer", "float", 1, true, "zeros(1024)"}) || a[2] != (Param{"a", "float", "value", "float", 1, false, "1"}) {
		t.Errorf("arguments %+v", a)
	}
}

func TestRun(t *testing.T) {
	var p Playground
	l := Launch{Source: Source{Text: saxpy}, Kernel: "saxpy", Args: []string{"y=[1, 1, 1, 1]", "x=x.npy", "a=2"}, Checks: "all"}
	x := npy.Array{Type: "f4", Shape: []int{4}, Data: []byte("\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40")}
	var file bytes.Buffer
	if err := x.Write(&file); err != nil {
		t.Fatal(err)
	}
	prep, _ := call[Prepared](t, &p, "prepare", l, map[string][]byte{"x.npy": file.Bytes()})
	if prep.Items != 4 || prep.Alone == "" {
		t.Errorf("prepared %+v", prep)
	}
	ran, _ := call[Ran](t, &p, "run", Part{}, nil)
	if len(ran.Findings) > 0 || ran.Failed {
		t.Errorf("ran %+v", ran)
	}
	v, _ := call[View](t, &p, "view", ViewRequest{}, nil)
	if v.As != "array" || !reflect.DeepEqual(v.Rows, []Row{{0, []string{"1.0", "3.0", "5.0", "7.0"}}}) {
		t.Errorf("view %+v", v)
	}
	_, b := call[any](t, &p, "save", SaveRequest{"y", "y.raw"}, nil)
	if len(b) != 1 || len(b[0]) != 16 {
		t.Errorf("saved %v", b)
	}
}

// TestFindings checks the position and the work-item of a finding.
func TestFindings(t *testing.T) {
	var p Playground
	l := Launch{Source: Source{Text: saxpy}, Kernel: "saxpy", Args: []string{"y=zeros(8)", "x=zeros(7)", "a=2"}, Checks: "all"}
	call[Prepared](t, &p, "prepare", l, nil)
	ran, _ := call[Ran](t, &p, "run", Part{}, nil)
	if len(ran.Findings) != 1 || !ran.Failed {
		t.Fatalf("ran %+v", ran)
	}
	f := ran.Findings[0]
	if f.Code != "out-of-bounds" || f.Line != 3 || f.Item != [3]uint64{7, 0, 0} || f.From < strings.Index(saxpy, "y[i]") || f.To > strings.Index(saxpy, "//") || f.Object != "x" {
		t.Errorf("finding %+v", f)
	}
}

// TestParts checks that merged parts of several instances equal one run.
func TestParts(t *testing.T) {
	text, err := os.ReadFile("../../examples/mandelbrot/mandelbrot.cl")
	if err != nil {
		t.Fatal(err)
	}
	l := Launch{Source: Source{Text: string(text)}, Kernel: "mandelbrot", Args: []string{"image=zeros(96x64)", "centre=(-0.6,0)", "scale=2.4", "limit=50"}, Checks: "memory"}
	var whole Playground
	call[Prepared](t, &whole, "prepare", l, nil)
	call[Ran](t, &whole, "run", Part{}, nil)
	_, want := call[View](t, &whole, "view", ViewRequest{As: "picture"}, nil)
	l.Parts = true
	const workers, parts = 3, 7
	var ps [workers]Playground
	for i := range ps {
		prep, _ := call[Prepared](t, &ps[i], "prepare", l, nil)
		if prep.Alone != "" {
			t.Fatal(prep.Alone)
		}
	}
	for i := range parts {
		call[Ran](t, &ps[i%workers], "run", Part{i, parts}, nil)
	}
	for i := 1; i < workers; i++ {
		_, b := call[any](t, &ps[i], "changes", struct{}{}, nil)
		call[any](t, &ps[0], "merge", struct{}{}, map[string][]byte{"0": b[0]})
	}
	v, got := call[View](t, &ps[0], "view", ViewRequest{As: "picture"}, nil)
	if v.Width != 96 || v.Height != 64 || !reflect.DeepEqual(got, want) {
		t.Errorf("the merged picture of %dx%d is not that of one run", v.Width, v.Height)
	}
}

// TestEval checks that an expression may call functions of the source, and that its errors have positions.
func TestEval(t *testing.T) {
	var p Playground
	r := EvalRequest{Source: Source{Text: "float twice(float x) { return 2 * x; }"}, Use: true, Expr: "twice(1.5f)"}
	if got, _ := call[string](t, &p, "eval", r, nil); got != "float 3.0\n  bits 0x40400000\n" {
		t.Errorf("got %q", got)
	}
	r.Expr = "convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))"
	if got, _ := call[string](t, &p, "eval", r, nil); !strings.HasPrefix(got, "uchar4 (0, 254, 255, 255)") {
		t.Errorf("got %q", got)
	}
	for expr, want := range map[string]string{
		"twice(":            "<expression>:1:6: error: '(' is not closed",
		"thrice(1)":         "<expression>:1:1: error: use of undeclared identifier 'thrice'",
		"":                  "the expression is empty",
		"*(private int *)0": "null",
	} {
		r.Expr = expr
		if got := fails(t, &p, "eval", r); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

// TestMistakes checks that mistakes of the page's user give errors with the values.
func TestMistakes(t *testing.T) {
	good := Launch{Source: Source{Text: saxpy}, Kernel: "saxpy", Args: []string{"y=zeros(8)", "x=zeros(8)", "a=2"}, Checks: "all"}
	for _, c := range []struct {
		change func(l *Launch)
		want   string
	}{
		{func(l *Launch) { l.Kernel = "sax" }, `there is no kernel "sax"`},
		{func(l *Launch) { l.Args = l.Args[:2] }, "argument a (float): not given"},
		{func(l *Launch) { l.Args[0] = "y=zeros(99999999999)" }, "argument y: a list of 99999999999 elements, each of 4 bytes, is more than the limit of 256 MiB"},
		{func(l *Launch) { l.Args[0] = "y=photo.png" }, `argument y: "photo.png" is neither a file nor zeros(N), range(N), rand(N), fill(N,VALUE) or a list [...]`},
		{func(l *Launch) { l.Global = "8y" }, `work-items: "8y" is no size; expected numbers such as 1024, 640x480 or 8x8x8`},
		{func(l *Launch) { l.Local = "3" }, "local size: 3 does not divide the global size 8 of dimension 0: give one that does, or none"},
		{func(l *Launch) { l.Global = "1x1x1x1" }, "dimensions: 1 to 3 expected, got 4"},
		{func(l *Launch) { l.Text = "kernel void f(" }, "kernel.cl:1:15: error: expected parameter declarator"},
		{func(l *Launch) { l.Options = "-cl-st=CL1.2" }, "build option '-cl-st=CL1.2': unknown option; did you mean '-cl-std=CL1.2'?"},
		{func(l *Launch) { l.Text = strings.Repeat(" ", maxSource+1) }, "the source has 4194305 bytes; the playground takes 4 MiB at most"},
		{func(l *Launch) { l.Checks = "some" }, `there are no checks "some"; there are none, memory, all and pedantic`},
	} {
		l := good
		l.Args = append([]string{}, good.Args...)
		c.change(&l)
		in, _ := json.Marshal(l)
		var p Playground
		_, _, err := p.Call("prepare", in, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	var p Playground
	if got := fails(t, &p, "run", Part{}); got != "nothing has been run yet" {
		t.Error(got)
	}
	if got := fails(t, &p, "fly", nil); got != `there is no method "fly"` {
		t.Error(got)
	}
	if got := fails(t, &p, "explain", Code{"nothing"}); !strings.HasPrefix(got, `there is no code "nothing"`) {
		t.Error(got)
	}
}

// TestPanic checks that a panic becomes an error.
func TestPanic(t *testing.T) {
	methods["panic"] = method(func(*Playground, *struct{}, map[string][]byte) (Reply, error) { panic("oh") })
	defer delete(methods, "panic")
	if got := fails(t, &Playground{}, "panic", struct{}{}); got != "internal error in panic: oh" {
		t.Error(got)
	}
}

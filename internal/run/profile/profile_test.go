package profile_test

import (
	"bytes"
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/launch"
	kernels "github.com/purecl/purecl/internal/run/profile"
)

const source = `#define MORE(x) \
    (x = sqrt(x + 1))
void twice(float *x) {
    MORE(*x);
    MORE(*x);
}







kernel void k(global float *o, int n) {
    float x = o[get_global_id(0)];
    for (int i = 0; i < n; i++)
        twice(&x);
    o[get_global_id(0)] = x;
}
`

// times runs the kernel.
func times(t *testing.T) []jit.KernelTime {
	t.Helper()
	if jit.Level() == nil {
		t.Skip("profiles are of machine code for amd64")
	}
	res, err := compile.Compile(context.Background(), "dir/k.cl", []byte(source), &compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &jit.Profile{}
	prog, err := launch.NewProgram(res.Module, jit.New(jit.Options{Profile: p}))
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l := launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: make([]byte, 4*4096)}), launch.Value([]byte{100, 0, 0, 0})}, Range: launch.Range{Global: []uint64{4096}}}
		if _, err := launch.Run(context.Background(), &l); err != nil {
			t.Fatal(err)
		}
	}
	return p.Kernels()
}

// TestText checks that each line with time has a percentage, also in called functions and at uses of macros, and
// that lines without time are omitted.
func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := kernels.WriteText(&out, times(t)); err != nil {
		t.Fatal(err)
	}
	want := `^kernel k: \S+ of all threads in machine code for \w+, \d+ work-items in a gang
dir/k\.cl
 +\d+\.\d % +4      MORE\(\*x\);
 +\d+\.\d % +5      MORE\(\*x\);
 +\.\.\.
( +\d\.\d %)? +14  kernel void k\(global float \*o, int n\) \{
`
	if !regexp.MustCompile(want).Match(out.Bytes()) {
		t.Errorf("want %s, got\n%s", want, out.Bytes())
	}
}

// TestPProf checks that pprof's own reader finds the lines and their times.
func TestPProf(t *testing.T) {
	list := times(t)
	var out bytes.Buffer
	when := time.Unix(1_000_000, 0)
	if err := kernels.WritePProf(&out, list, when, time.Second); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	if p.TimeNanos != when.UnixNano() || p.DurationNanos != int64(time.Second) || p.DefaultSampleType != "time" {
		t.Errorf("time %d, duration %d, default %q", p.TimeNanos, p.DurationNanos, p.DefaultSampleType)
	}
	sum, lines := int64(0), map[int64]bool{}
	for _, s := range p.Sample {
		l := s.Location[0].Line[0]
		if l.Function.Name != "k" || l.Function.Filename != "dir/k.cl" || l.Function.StartLine != 14 {
			t.Errorf("function %+v", l.Function)
		}
		lines[l.Line] = true
		sum += s.Value[1]
	}
	if !lines[4] || !lines[5] || lines[1] || lines[2] {
		t.Errorf("lines %v: want 4 and 5, where the macro is used", lines)
	}
	if diff := int64(list[0].Total) - sum; diff < -1000 || diff > 1000 {
		t.Errorf("samples take %d ns, the kernel %v", sum, list[0].Total)
	}
}

// TestNothing checks that a profile without kernels is a valid file.
func TestNothing(t *testing.T) {
	var out bytes.Buffer
	if err := kernels.WritePProf(&out, nil, time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	if p, err := profile.Parse(&out); err != nil || len(p.Sample) != 0 {
		t.Errorf("%v, %v", p, err)
	}
}

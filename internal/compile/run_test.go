package compile_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
)

// TestRun runs the kernels of testdata/run on all executors of this machine. The expected results are from gcc for
// C, and from the specification by hand for the rest.
func TestRun(t *testing.T) { filetest.Runs(t, "testdata/run", difftest.Executors()...) }

// compileFile compiles a file of testdata.
func compileFile(t *testing.T, name string) *compile.Result {
	t.Helper()
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	res, err := compile.Compile(context.Background(), name, src, &compile.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestPrintf(t *testing.T) {
	p, err := launch.NewProgram(compileFile(t, "print.cl").Module, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []launch.Arg{launch.Value([]byte{42, 0, 0, 0}), launch.Value([]byte{0, 0, 0xc0, 0x3f})}
	if _, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{1}}, Checks: exec.ChecksAll, Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	const want = "hello\n42    42|42   |00042 4000000000 ff A %\n0\n1.500000 1.50 1.500000e+00 1.5 str\n1,2,3,4 1.500000,2.000000 250,251,252,253\n1099511627776 -3 7\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// TestErrors: errors of a program are a *diag.List in every phase.
func TestErrors(t *testing.T) {
	for _, src := range []string{"#error x\n", "kernel void k( {", "kernel void k(global int *p) { *p = q; }", "#include \"none.h\"\n", "\x00\xff", "kernel void k() { \""} {
		res, err := compile.Compile(context.Background(), "x.cl", []byte(src), nil)
		var list *diag.List
		if !errors.As(err, &list) || len(list.Diags) == 0 || res == nil || res.Source == nil || res.Module != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := compile.Compile(ctx, "x.cl", []byte("kernel void k() {}"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

package compile_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/diag"
	"github.com/purecl/purecl/internal/filetest"
	"github.com/purecl/purecl/internal/image"
	"github.com/purecl/purecl/internal/interp"
	"github.com/purecl/purecl/internal/launch"
)

// TestRun runs the kernels of testdata/run with every check, not optimised and
// optimised, the SSA verified after each pass. Expectations: gcc for what is C, by hand
// from the specification for the rest.
func TestRun(t *testing.T) {
	filetest.Runs(t, "testdata/run", executor("plain", true, interp.ChecksAll), executor("optimised", false, interp.ChecksAll), executor("unchecked", false, interp.ChecksNone))
}

func executor(name string, noOpt bool, checks interp.Checks) filetest.Executor {
	return filetest.Executor{Name: name, Run: func(c *filetest.Case) (*filetest.Result, error) {
		opts, err := compile.ParseOptions(c.Options)
		if err != nil {
			return nil, err
		}
		opts.NoOpt, opts.Verify = noOpt, true
		opts.Opt.KeepAccesses = checks != interp.ChecksNone
		res, err := compile.Compile(context.Background(), c.Path, c.Source, opts)
		if err != nil {
			return nil, err
		}
		return execute(res, c, checks)
	}}
}

// execute launches a case.
func execute(res *compile.Result, c *filetest.Case, checks interp.Checks) (*filetest.Result, error) {
	p, err := launch.NewProgram(res.Module, nil)
	if err != nil {
		return nil, err
	}
	name := c.Kernel
	for _, f := range res.Module.Funcs {
		if name == "" && f.Kernel != nil {
			name = f.Name
		}
	}
	k, err := p.Kernel(name)
	if err != nil {
		return nil, err
	}
	l := &launch.Launch{Kernel: k, Range: launch.Range{Global: sizes(c.Global), Local: sizes(c.Local), Offset: sizes(c.Offset)}, Checks: checks, Ordered: true}
	out := &filetest.Result{Buffers: map[string][]byte{}}
	for i := range c.Args {
		a := &c.Args[i]
		data := bytes.Clone(a.Data)
		switch {
		case a.Sampler != nil:
			l.Args = append(l.Args, launch.Sampler(*a.Sampler))
		case a.Image != nil:
			row, slice := a.Image.Size[0]*a.Image.Format.Size(), 0
			if slice = row * a.Image.Size[1]; a.Image.Shape == image.Shape1DArray {
				slice = row
			}
			m, err := image.New(a.Image.Format, a.Image.Shape, a.Image.Size, row, slice, data)
			if err != nil {
				return nil, err
			}
			out.Buffers[a.Name] = data
			l.Args = append(l.Args, launch.Picture(&launch.Image{Image: m}))
		case a.Local > 0:
			l.Args = append(l.Args, launch.Local(int64(a.Local)))
		case a.Buffer:
			out.Buffers[a.Name] = data
			l.Args = append(l.Args, launch.Memory(&launch.Buffer{Data: data}))
		default:
			l.Args = append(l.Args, launch.Value(data))
		}
	}
	report, err := launch.Run(context.Background(), l)
	var fault *launch.Fault
	if err != nil && !errors.As(err, &fault) {
		return nil, err
	}
	for _, f := range report.Findings {
		out.Findings = append(out.Findings, filetest.Finding{Code: f.Kind.String(), Text: f.String()})
	}
	return out, nil
}

func sizes(s []int) (out []uint64) {
	for _, n := range s {
		out = append(out, uint64(n))
	}
	return out
}

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
	if _, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{1}}, Checks: interp.ChecksAll, Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	const want = "hello\n42    42|42   |00042 4000000000 ff A %\n0\n1.500000 1.50 1.500000e+00 1.5 str\n1,2,3,4 1.500000,2.000000 250,251,252,253\n1099511627776 -3 7\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// TestErrors: what is wrong with a program is a *diag.List, whatever phase finds it.
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

package builtin_test

import (
	"context"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// A kernel is a compiled kernel of a test; launches use workers threads, 0: all.
type kernel struct {
	k       *launch.Kernel
	workers int
}

// build compiles the kernel k of a source as OpenCL C 3.0.
func build(t testing.TB, source string) kernel {
	t.Helper()
	res, err := compile.Compile(context.Background(), t.Name()+".cl", []byte(source), &compile.Options{Source: option.Source{Std: opencl.CL30}})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	p, err := launch.NewProgram(res.Module, jit.Executor())
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	return kernel{k: k}
}

// run runs n work-items in work-groups of local (0: any) on buffers. Small runs use the reference executor with
// checks: the library must cause no finding, whatever its arguments. Large runs use machine code, if there is any.
func (k kernel) run(t testing.TB, n, local int, buffers ...[]byte) {
	t.Helper()
	l := &launch.Launch{Kernel: k.k, Range: launch.Range{Global: []uint64{uint64(n)}}, Checks: exec.ChecksNone, Workers: k.workers}
	if local > 0 {
		l.Range.Local = []uint64{uint64(local)}
	}
	for _, b := range buffers {
		l.Args = append(l.Args, launch.Memory(&launch.Buffer{Data: b}))
	}
	if n <= 1<<10 {
		l.Checks = exec.ChecksAll
	}
	report, err := launch.Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("finding: %v", f)
	}
}

// raw returns the memory of a slice.
func raw[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// levels returns the levels of this processor.
func levels() []*x86.Level { return Levels() }

// build compiles OpenCL C.
func build(t testing.TB, src string) *ssa.Module {
	t.Helper()
	res, err := compile.Compile(context.Background(), "t.cl", []byte(src), &compile.Options{Source: option.Source{Std: opencl.CL30}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Module
}

// floats returns n numbers of 32 bits in memory.
func floats(n int, f func(i int) float32) []byte {
	b := make([]byte, 4*n)
	for i := range n {
		u := math.Float32bits(f(i))
		b[4*i], b[4*i+1], b[4*i+2], b[4*i+3] = byte(u), byte(u>>8), byte(u>>16), byte(u>>24)
	}
	return b
}

// ints returns n integers of 32 bits in memory.
func ints(n int, f func(i int) int) []byte {
	var b []byte
	for i := range n {
		b = append(b, i32(f(i))...)
	}
	return b
}

// i32 and f32 return one number in memory.
func i32(x int) []byte     { return []byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)} }
func f32(x float32) []byte { return floats(1, func(int) float32 { return x }) }

// arguments converts a test's arguments: a []byte is passed by value, an int is the size of local memory, nil is a null
// pointer. A buf or shifted is copied to a buffer, and again shares one of these. bufs are the buffers.
func arguments(list []any) (args []launch.Arg, bufs [][]byte) {
	for _, a := range list {
		switch a := a.(type) {
		case []byte:
			args = append(args, launch.Value(a))
		case buf:
			b := bytes.Clone(a)
			bufs = append(bufs, b)
			args = append(args, launch.Memory(&launch.Buffer{Data: b}))
		case shifted:
			b := append(make([]byte, a.by), a.buf...)[a.by:]
			bufs = append(bufs, b)
			args = append(args, launch.Memory(&launch.Buffer{Data: b}))
		case again:
			args = append(args, launch.Memory(&launch.Buffer{Data: bufs[a.buffer][a.from:]}))
		case int:
			args = append(args, launch.Local(int64(a)))
		case nil:
			args = append(args, launch.Memory(nil))
		}
	}
	return args, bufs
}

type buf []byte

// shifted is a buffer that begins by bytes after an aligned address.
type shifted struct {
	buf
	by int
}

// again is a buffer that shares the memory of an earlier one, from a byte on.
type again struct{ buffer, from int }

// scrambled returns n ints below 1000 in an order without a pattern.
func scrambled(n int) buf { return ints(n, func(i int) int { return i * 7919 % 1000 }) }

// filled returns n bytes.
func filled(n int, f func(i int) byte) buf {
	b := make(buf, n)
	for i := range b {
		b[i] = f(i)
	}
	return b
}

// kernelsOf iterates over the kernels of a module.
func kernelsOf(m *ssa.Module) iter.Seq[*ssa.Func] {
	return func(yield func(*ssa.Func) bool) {
		for _, f := range m.Funcs {
			if f.Kernel != nil && !yield(f) {
				return
			}
		}
	}
}

// compiled returns a kernel's code with the given options.
func compiled(t testing.TB, f *ssa.Func, o Options) *Code {
	t.Helper()
	o.Panics = true
	c, err := compileKernel(f, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listed returns the listing of a kernel's code.
func listed(t testing.TB, f *ssa.Func, lv *x86.Level, gangs Gangs) *Listed {
	t.Helper()
	code, _, err := List(f, lv, gangs)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// executorsOf returns executors for each level of this processor, with each of the options.
func executorsOf(list ...Options) (execs []exec.Executor) {
	for _, lv := range levels() {
		for _, o := range list {
			o.Panics, o.Level = true, lv
			execs = append(execs, New(o))
		}
	}
	return execs
}

// widths returns an executor for each level of this processor and each number of vectors in a gang. For the number 0
// the executor chooses the length of gangs.
func widths(vectors ...int) (execs []exec.Executor) {
	for _, lv := range levels() {
		for _, n := range vectors {
			execs = append(execs, New(Options{Panics: true, Level: lv, Lanes: n * lv.Lanes}))
		}
	}
	return execs
}

// programOf prepares a module for an executor.
func programOf(t testing.TB, m *ssa.Module, e exec.Executor) *launch.Program {
	t.Helper()
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kernelOf prepares a kernel for an executor.
func kernelOf(t testing.TB, m *ssa.Module, e exec.Executor, name string) *launch.Kernel {
	t.Helper()
	k, err := programOf(t, m, e).Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// run executes a kernel and returns its buffers and error.
func run(t testing.TB, m *ssa.Module, kernel string, exec exec.Executor, global, local []uint64, list []any) ([][]byte, string) {
	t.Helper()
	k := kernelOf(t, m, exec, kernel)
	args, bufs := arguments(list)
	_, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: global, Local: local, NonUniform: true}, Workers: 2})
	if err != nil {
		return bufs, err.Error()
	}
	return bufs, ""
}

// same runs a kernel on the reference executor and on each level, and compares. If jitted is set, the kernel
// must have machine code.
func same(t *testing.T, m *ssa.Module, kernel string, global, local []uint64, jitted bool, list ...any) {
	t.Helper()
	want, werr := run(t, m, kernel, interp.Reference, global, local, list)
	for _, lv := range levels() {
		if _, err := compileKernel(m.Func(kernel), Options{Panics: true, Level: lv}, nil); err != nil && jitted {
			t.Errorf("%s %s: no machine code: %v", kernel, lv.Name, err)
			continue
		}
		got, gerr := run(t, m, kernel, New(Options{Panics: true, Level: lv}), global, local, list)
		if werr != gerr {
			t.Errorf("%s %s %v %v: error %q, want %q", kernel, lv.Name, global, local, gerr, werr)
		}
		for i := range want {
			if n := differ(want[i], got[i]); n >= 0 {
				k := n &^ 3
				e := min(k+32, len(want[i]))
				t.Errorf("%s %s %v %v: buffer %d differs at byte %d: got % x, want % x", kernel, lv.Name, global, local, i, n, got[i][k:e], want[i][k:e])
				break
			}
		}
	}
}

// A shape is the size of a launch: global and local.
type shape struct{ global, local []uint64 }

// line returns a shape of one dimension with one work-group.
func line(n uint64) shape { return shape{[]uint64{n}, []uint64{n}} }

// alike runs a kernel on the reference executor and as machine code on each level, with gangs of each width,
// and compares buffers and findings.
func alike(t *testing.T, m *ssa.Module, kernel string, shapes []shape, list ...any) {
	t.Helper()
	alikeOn(t, widths(1, 2, 4), m, kernel, shapes, list...)
}

// alikeOn is alike for the given executors.
func alikeOn(t *testing.T, execs []exec.Executor, m *ssa.Module, kernel string, shapes []shape, list ...any) {
	t.Helper()
	type outcome struct {
		bufs  [][]byte
		err   string
		found []string
	}
	all := func(exec exec.Executor) (out []outcome) {
		k := kernelOf(t, m, exec, kernel)
		for _, s := range shapes {
			args, bufs := arguments(list)
			rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: s.global, Local: s.local, NonUniform: true}, Workers: 2})
			o := outcome{bufs: bufs}
			if err != nil {
				o.err = err.Error()
			}
			if rep != nil {
				for _, f := range rep.Findings {
					o.found = append(o.found, k.Locate(f)+": "+f.String())
				}
			}
			if rep == nil || exec != interp.Reference && rep.Stats.Executor == interp.Reference.Name() {
				t.Errorf("%s %v is not run by %s", kernel, s, exec.Name())
			}
			out = append(out, o)
		}
		return out
	}
	want := all(interp.Reference)
	for _, exec := range execs {
		got := all(exec)
		for k, w := range want {
			who := fmt.Sprintf("%s %s %v", kernel, exec.Name(), shapes[k])
			g := got[k]
			if w.err != g.err {
				t.Errorf("%s: error %q, want %q", who, g.err, w.err)
			}
			if !slices.Equal(w.found, g.found) {
				t.Errorf("%s: found\n%s\nwant\n%s", who, strings.Join(g.found, "\n"), strings.Join(w.found, "\n"))
			}
			for i := range w.bufs {
				if n := differ(w.bufs[i], g.bufs[i]); n >= 0 {
					e := min(n&^3+32, len(w.bufs[i]))
					t.Fatalf("%s: buffer %d differs at byte %d: got % x, want % x", who, i, n, g.bufs[i][n&^3:e], w.bufs[i][n&^3:e])
				}
			}
		}
	}
}

// differ returns the index of the first difference of two buffers, or -1.
func differ(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	n := 0
	for a[n] == b[n] {
		n++
	}
	return n
}

package difftest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/filetest"
)

// adversaries compiles a file of malicious kernels in testdata/adversary.
func adversaries(t *testing.T, dir, name string) (*ssa.Module, []byte) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := compileCase(&filetest.Case{Path: name, Source: src, Options: "-cl-std=CL2.0"}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, src
}

// guard is the number of canary bytes before and after each buffer.
const guard = 4096

// A victim is the result of a kernel of testdata/adversary/memory.cl: the error and all memory, canaries included.
// raced is set if work-items disagreed on a value that they wrote.
type victim struct {
	err   string
	mem   []byte
	raced bool
}

// attack runs a kernel on buffers of 64 ints between canaries, and an int n.
func attack(t *testing.T, p *launch.Program, name string, n int, r launch.Range, checks exec.Checks) (v victim) {
	k := kernelOf(t, p, name)
	l := &launch.Launch{Kernel: k, Workers: 1, Range: r, Ordered: true, Checks: checks, Faults: exec.Robust}
	for i, a := range k.Func.Kernel.Args {
		switch a.Kind {
		case ssa.ArgValue:
			l.Args = append(l.Args, launch.Value(binary.LittleEndian.AppendUint32(nil, uint32(n))))
		case ssa.ArgLocal:
			l.Args = append(l.Args, launch.Local(64))
		default:
			v.mem = append(v.mem, bytes.Repeat([]byte{0xA5 + byte(i)}, guard)...)
			for j := range 64 {
				v.mem = binary.LittleEndian.AppendUint32(v.mem, uint32(j*(i+1)))
			}
			v.mem = append(v.mem, bytes.Repeat([]byte{0x5A + byte(i)}, guard)...)
			l.Args = append(l.Args, launch.Arg{})
		}
	}
	at := guard
	for i, a := range k.Func.Kernel.Args { // the memory must not move
		if a.Kind == ssa.ArgGlobal {
			l.Args[i] = launch.Memory(&launch.Buffer{Data: v.mem[at : at+256 : at+256]})
			at += 256 + 2*guard
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	report, err := launch.Run(ctx, l)
	if err != nil {
		v.err = err.Error()
	}
	if report != nil {
		for _, f := range report.Findings {
			if v.err == "" && f.Kind.IsError() {
				v.err = (&launch.Fault{Kernel: k, Finding: f, Location: k.Locate(f)}).Error()
			}
			v.raced = v.raced || f.Kind == exec.RaceInGroup || f.Kind == exec.RaceBetweenGroups
		}
	}
	return v
}

// canaries reports whether the bytes around the buffers are unchanged.
func (v *victim) canaries() bool {
	for at, i := 0, 0; at < len(v.mem); at, i = at+256+2*guard, i+1 {
		before, after := v.mem[at:at+guard], v.mem[at+guard+256:at+2*guard+256]
		if bytes.Count(before, before[:1]) != guard || bytes.Count(after, after[:1]) != guard {
			return false
		}
	}
	return true
}

// programOf prepares a module for an executor; nil is the reference executor.
func programOf(t *testing.T, m *ssa.Module, e exec.Executor) *launch.Program {
	t.Helper()
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kernelOf returns a kernel of a program.
func kernelOf(t *testing.T, p *launch.Program, name string) *launch.Kernel {
	t.Helper()
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Adversary runs kernels that access memory out of bounds, in folder dir, on executors that may depend on the
// launch's number. Each must report the reference executor's error, which names the kernel's line, or give its
// results, unless work-items race. No byte outside of the buffers may change. Unless all is set, it skips half of
// the launches.
func Adversary(t *testing.T, dir string, executors func(seed int) []exec.Executor, all bool) {
	m, src := adversaries(t, dir, "memory.cl")
	programs := map[string]*launch.Program{}
	program := func(e exec.Executor) *launch.Program {
		if programs[e.Name()] == nil {
			programs[e.Name()] = programOf(t, m, e)
		}
		return programs[e.Name()]
	}
	ranges := []launch.Range{
		{Global: []uint64{16}, Local: []uint64{16}},
		{Global: []uint64{64}},
		{Global: []uint64{21}, Local: []uint64{21}},
		{Global: []uint64{13, 3}, Local: []uint64{5, 3}, Offset: []uint64{2, 0}, NonUniform: true},
	}
	failing := 0
	for i, f := range m.Funcs {
		if f.Kernel == nil {
			continue
		}
		line := 1 + bytes.Count(src[:bytes.Index(src, []byte("kernel void "+f.Name+"("))], []byte("\n"))
		for _, n := range []int{0, 1, 3, 50, 63, 1 << 20, -1 << 31} {
			for j, r := range ranges {
				if (i+j+n>>1)%2 != 0 && !all {
					continue
				}
				want := attack(t, program(interp.Reference), f.Name, n, r, exec.ChecksNone)
				if want.err != "" {
					failing++
					if !strings.Contains(want.err, fmt.Sprintf("memory.cl:%d:", line)) && !strings.Contains(want.err, "local memory") {
						t.Errorf("%s(%d): the error names no place in line %d: %s", f.Name, n, line, want.err)
					}
				}
				if !want.canaries() {
					t.Errorf("%s(%d) on the reference executor wrote to other memory", f.Name, n)
				}
				for _, e := range executors(i + j) {
					got := attack(t, program(e), f.Name, n, r, exec.ChecksNone)
					switch {
					case got.err != want.err:
						t.Errorf("%s(%d) of %v on %s: error\n %s, want\n %s", f.Name, n, r.Global, e.Name(), got.err, want.err)
					case !got.canaries():
						t.Errorf("%s(%d) of %v on %s wrote to other memory", f.Name, n, r.Global, e.Name())
					case !bytes.Equal(got.mem, want.mem) && !attack(t, program(interp.Reference), f.Name, n, r, exec.ChecksAll).raced:
						t.Errorf("%s(%d) of %v on %s: other results", f.Name, n, r.Global, e.Name())
					}
				}
			}
		}
	}
	t.Logf("%d launches with an error", failing)
}

// Endless checks that kernels with endless loops, in folder dir, can be cancelled while the garbage collector runs.
func Endless(t *testing.T, dir string, executors func(seed int) []exec.Executor) {
	m, _ := adversaries(t, dir, "endless.cl")
	for i, f := range m.Funcs {
		if f.Kernel == nil {
			continue
		}
		for _, e := range executors(i) {
			for _, items := range []uint64{64, 5} {
				k := kernelOf(t, programOf(t, m, e), f.Name)
				ctx, cancel := context.WithTimeout(context.Background(), 15*time.Millisecond)
				mem := make([]byte, 256)
				task := launch.Start(ctx, &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: mem})}, Range: launch.Range{Global: []uint64{items}, Local: []uint64{items}}})
				runtime.GC()
				if _, err := task.Wait(); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s on %s: %v", f.Name, e.Name(), err)
				}
				cancel()
			}
		}
	}
}

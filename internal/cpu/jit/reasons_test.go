//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// TestReasonsAreDocumented: docs/reference-executor.md contains every reason for a fallback, as worded in the
// sources.
func TestReasonsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/reference-executor.md")
	if err != nil {
		t.Fatal(err)
	}
	forms := []*regexp.Regexp{
		regexp.MustCompile(`Refuse\("([^"]+)"`),             // gang, x86, arm64
		regexp.MustCompile(`Unsupported{What: "([^"]+)"`),   // x86, arm64
		regexp.MustCompile(`= errors\.New\("([^"]+)"`),      // spmd, x86: package-level errors
		regexp.MustCompile(`return errors\.New\("([^"]+)"`), // spmd
		regexp.MustCompile(`reason\w+ += "([^"]+)"`),        // jit
	}
	n := 0
	for _, dir := range []string{".", "../x86", "../spmd", "../gang", "../gangexec", "../arm64"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "other.go" || name == "../gang/interp.go" { // the interpreter serves tests
				continue
			}
			for _, form := range forms {
				for _, m := range form.FindAllStringSubmatch(string(text), -1) {
					n++
					if !strings.Contains(string(doc), "`"+m[1]+"`") {
						t.Errorf("%s: no row for `%s` in docs/reference-executor.md", name, m[1])
					}
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d reasons found", n)
	}
}

// fallback runs a kernel with one pointer argument and returns the reason why it ran on the reference executor.
func fallback(t *testing.T, o Options, text string, checks exec.Checks) *exec.Fallback {
	t.Helper()
	m, err := ssa.ParseText("t.ssa", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, m, New(o), "k")
	out := make([]byte, 64)
	rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: out})}, Range: launch.Range{Global: []uint64{1}}, Checks: checks})
	if err != nil {
		t.Fatal(err)
	}
	if out[0] != 7 {
		t.Errorf("the kernel did not run: %v", out[0])
	}
	if want := rep.Stats.Fallback != nil; want != (rep.Stats.Executor == "reference") {
		t.Errorf("executor %s, fallback %v", rep.Stats.Executor, rep.Stats.Fallback)
	}
	return rep.Stats.Fallback
}

const storesSeven = `
kernel @k(v0 ptr.global) {
  arg kind=global name="out" typename="int*" size=4 align=4
b0:
  v1 = const i32 7
  store v0, v1 align=4
  return
}
`

// TestFallbackReason: a launch's report gives the reason why it used no machine code.
func TestFallbackReason(t *testing.T) {
	if Level() == nil {
		t.Skip("no machine code here")
	}
	if f := fallback(t, Options{}, storesSeven, exec.ChecksNone); f != nil {
		t.Errorf("no machine code: %v", f)
	}
	if f := fallback(t, Options{}, storesSeven, exec.ChecksAll); f == nil || f.Reason != reasonChecks {
		t.Errorf("with checks: %v", f)
	}
}

// TestCodegenPanic: after a panic of the code generator the kernel still runs, and the report describes the bug
// with its stack.
func TestCodegenPanic(t *testing.T) {
	if Level() == nil {
		t.Skip("no machine code here")
	}
	f := fallback(t, Options{Made: func(*Generated) { panic("broken generator") }}, storesSeven, exec.ChecksNone)
	if f == nil || f.Bug == nil {
		t.Fatalf("no bug: %v", f)
	}
	report := f.Bug.Report()
	for _, want := range []string{"internal error", "code of kernel k", "broken generator", "bug in PureCL", "report", "goroutine "} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in %s", want, report)
		}
	}
}

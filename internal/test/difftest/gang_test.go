package difftest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// interpreters returns executors that run gang functions on package gang's interpreter, also those with the native
// accesses of x86.
func interpreters() []exec.Executor {
	return []exec.Executor{gangexec.For(gangexec.Interpreter(16)), gangexec.For(gangexec.Interpreter(4)), gangexec.For(gangexec.Interpreter(32)), gangexec.For(gangexec.LargeInterpreter(8)),
		gangexec.For(gangexec.TargetInterpreter(16, "avx512", x86.AVX512.Target())), gangexec.For(gangexec.TargetInterpreter(8, "avx2", x86.AVX2.Target())), gangexec.For(gangexec.TargetInterpreter(64, "fp16", x86.FP16.Target())),
		gangexec.For(gangexec.TargetInterpreter(1, "scalar", x86.AVX512.Target()))}
}

// TestGangRandom runs random kernels on gang's interpreter. Kernels with constructs that gang does not support run
// on the reference executor; most kernels must not.
func TestGangRandom(t *testing.T) {
	execs := interpreters()
	ran := 0
	for i := range *count {
		seed := *first + uint64(i)
		k := kerneltest.Random(seed, 8)
		o := Options{Executors: execs[i%len(execs):][:1], Disable: SomePasses(rand.New(rand.NewPCG(seed, 5))), Checked: true, Wild: k.Wild, Timeout: 5 * time.Second}
		r := sameKernel(t, k, o)
		if r.Err != nil {
			t.Fatalf("seed %d: %v", seed, r.Err)
		}
		ran += r.Machine
	}
	t.Logf("%d of %d kernels ran as gang functions", ran, *count)
	if ran < *count/4 {
		t.Errorf("only %d of %d kernels ran as gang functions", ran, *count)
	}
}

// FuzzGang compares random kernels on gang's interpreter with the reference executor.
func FuzzGang(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, seed%2 == 0)
	}
	execs := interpreters()
	f.Fuzz(func(t *testing.T, seed uint64, wild bool) {
		k := kerneltest.Random(seed, 6)
		if wild {
			k = kerneltest.RandomWild(seed, 6)
		}
		o := Options{Executors: execs[seed%uint64(len(execs)):][:1], Disable: SomePasses(rand.New(rand.NewPCG(seed, 5))), Checked: true, Wild: k.Wild, Timeout: 5 * time.Second}
		if r := sameKernel(t, k, o); r.Err != nil {
			t.Skip(r.Err)
		}
	})
}

// TestGangExamples runs the kernels of the examples.
func TestGangExamples(t *testing.T) {
	for _, c := range exampleCases(t) {
		r := sameCase(t, c.Kernel, c, Options{Executors: interpreters()})
		if m, err := compiled(c); err == nil {
			_, err := gangexec.Compile(m.Func(c.Kernel), gangexec.Interpreter(16))
			t.Logf("%s: ran as gang function %d times: %v", c.Kernel, r.Machine, err)
		}
	}
}

// TestGangRuns runs the textual run tests.
func TestGangRuns(t *testing.T) {
	var list []filetest.Executor
	for _, e := range interpreters() {
		list = append(list, On(e.Name(), e))
	}
	for _, dir := range []string{"testdata/found", "../../compile/testdata/run"} {
		filetest.Runs(t, dir, list...)
	}
}

// compiled returns a case's optimised module.
func compiled(c *filetest.Case) (*ssa.Module, error) {
	m, err := compileCase(c, compile.Options{})
	if err != nil {
		return nil, err
	}
	return m, opt.Run(m, opt.Config{})
}

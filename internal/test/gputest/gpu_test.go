package gputest

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	first = flag.Uint64("first", 1, "seed of the first random kernel")
	count = flag.Int("kernels", 40, "random kernels")
)

// left counts kernels that the GPU has no code for, by reason.
type left map[string]int

func executor(m device.Machine) (*device.Executor, left) {
	why := left{}
	e := device.NewExecutor(m)
	e.Left = func(_ *ssa.Func, err error) { why[err.Error()]++ }
	return e, why
}

// TestRuns runs the run tests of the repository.
func TestRuns(t *testing.T) {
	e, why := executor(Sim())
	for _, dir := range []string{"../../compile/testdata/run", "../difftest/testdata/found"} {
		filetest.Runs(t, dir, difftest.On("gpu", e))
	}
	t.Log(why)
}

// TestRandom runs random kernels.
func TestRandom(t *testing.T) {
	e, why := executor(Sim())
	for i := range *count {
		seed := *first + uint64(i)
		k := kerneltest.Random(seed, 8)
		o := difftest.Options{Executors: []exec.Executor{e}, Disable: difftest.SomePasses(rand.New(rand.NewPCG(seed, 5))), Checked: true, Wild: k.Wild}
		r := difftest.Check(k.Case(), o)
		if r.Err != nil {
			t.Fatalf("seed %d: %v", seed, r.Err)
		}
		for _, p := range r.Problems {
			t.Errorf("seed %d: %s: %s", seed, p.Executor, p.Text)
		}
	}
	n := 0
	for _, k := range why {
		n += k
	}
	t.Logf("%d of %d kernels left: %v", n, *count, why)
}

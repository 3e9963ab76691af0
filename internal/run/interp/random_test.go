package interp_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// checkRandom compares the executor with the oracle on one random function.
func checkRandom(t *testing.T, seed uint64, structured bool) {
	m := kerneltest.RandomFlow(seed, structured)
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	const items, local = 48, 16
	want := make([]byte, items*kerneltest.FlowBytes)
	for i := range uint64(items) {
		if err := kerneltest.EvaluateFlow(m.Func("k"), want, i, i%local); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	p, err := launch.NewProgram(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for lanes, checks := range map[int]exec.Checks{0: exec.ChecksAll, 7: exec.ChecksNone, 48: exec.ChecksMemory} {
		got := make([]byte, len(want))
		r, err := run(t, p, launch.Launch{Args: []launch.Arg{buf(got), buf(kerneltest.FlowTable()), val(int32(kerneltest.FlowN))}, Range: launch.Range{Global: u64(items), Local: u64(local)}, Checks: checks, Lanes: lanes})
		if err != nil || len(r.Findings) > 0 {
			t.Fatalf("seed %d: %v %v", seed, err, findings(p, r))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("seed %d structured %v lanes %d: work-item %d, byte %d: got %#x, want %#x", seed, structured, lanes, i/kerneltest.FlowBytes, i%kerneltest.FlowBytes, got[i], want[i])
			}
		}
	}
}

func TestRandomStructured(t *testing.T) {
	for seed := range uint64(randomSeeds()) {
		checkRandom(t, seed, true)
	}
}

func TestRandomGraph(t *testing.T) {
	for seed := range uint64(randomSeeds()) {
		checkRandom(t, seed, false)
	}
}

// randomSeeds returns the number of functions of each kind in a normal test run.
func randomSeeds() int {
	if n, err := strconv.Atoi(os.Getenv("PURECL_SEEDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 50
	}
	return 400
}

func FuzzControlFlow(f *testing.F) {
	f.Add(uint64(1), true)
	f.Fuzz(func(t *testing.T, seed uint64, structured bool) { checkRandom(t, seed, structured) })
}

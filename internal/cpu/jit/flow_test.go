//go:build amd64 && (linux || darwin || windows)

package jit_test

import (
	"flag"
	"testing"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	flows     = flag.Int("flows", 60, "random functions of each kind")
	firstFlow = flag.Uint64("first-flow", 0, "seed of the first")
)

// checkFlow compares a plan, and machine code, with the oracle on one random function.
func checkFlow(t *testing.T, seed uint64, structured bool) (made int) {
	m := kerneltest.RandomFlow(seed, structured)
	f := m.Func("k")
	if err := ssa.Verify(f); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	const items, local = 48, 16
	evaluate := func(f *ssa.Func) string {
		mem := make([]byte, items*kerneltest.FlowBytes)
		for i := range uint64(items) {
			if err := kerneltest.EvaluateFlow(f, mem, i, i%local); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		return string(mem)
	}
	want := evaluate(f)
	if p, err := spmd.Prepare(f, spmd.Options{RowUniform: true, GroupUniform: true, Versions: true}); err == nil {
		if err := ssa.VerifyPlan(p.F); err != nil {
			t.Fatalf("seed %d: plan: %v\n%s\n%s", seed, err, f, p.F)
		}
		if evaluate(p.F) != want {
			t.Fatalf("seed %d structured %v: the plan computes something else\n%s\n%s", seed, structured, f, p.F)
		}
	}
	for _, e := range executors(seed) {
		k := kernelOf(t, m, e)
		if c, err := k.Prepare(exec.ChecksNone); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		} else if c.Executor() == interp.Reference.Name() {
			continue
		}
		made++
		got := make([]byte, len(want))
		args := []launch.Arg{launch.Memory(&launch.Buffer{Data: got}), launch.Memory(&launch.Buffer{Data: kerneltest.FlowTable()}), launch.Value([]byte{kerneltest.FlowN, 0, 0, 0})}
		if _, err := jit.RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{items}, Local: []uint64{local}}}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("seed %d structured %v %s: work-item %d, byte %d: got %#x, want %#x\n%s", seed, structured, e.Name(), i/kerneltest.FlowBytes, i%kerneltest.FlowBytes, got[i], want[i], f)
			}
		}
	}
	return made
}

// TestRandomFlow compares random control flow with an evaluation of the function in order.
func TestRandomFlow(t *testing.T) {
	made := 0
	for i := range uint64(*flows) {
		made += checkFlow(t, *firstFlow+i, true)
		made += checkFlow(t, *firstFlow+i, false)
	}
	t.Logf("%d functions, %d times machine code", 2**flows, made)
}

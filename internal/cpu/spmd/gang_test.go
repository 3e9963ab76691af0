package spmd_test

import (
	"flag"
	"testing"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	plans     = flag.Int("plans", 150, "random functions of each kind")
	firstPlan = flag.Uint64("first-plan", 0, "seed of the first")
)

// TestRandomPlan executes plans of random control flow as a gang does, and compares with an evaluation of the
// function for each work-item.
func TestRandomPlan(t *testing.T) {
	made := 0
	for i := range uint64(*plans) {
		for _, structured := range []bool{false, true} {
			made += checkPlan(t, *firstPlan+i, structured)
		}
	}
	t.Logf("%d functions, %d plans", 2**plans, made)
}

// TestFoundPlan has regressions that TestRandomPlan found.
func TestFoundPlan(t *testing.T) {
	for _, c := range []struct {
		seed       uint64
		structured bool
		about      string
	}{
		{1234, true, "what a block with a test skips to is not certain of lanes because of the blocks that dominate the test"},
	} {
		if checkPlan(t, c.seed, c.structured) == 0 {
			t.Errorf("seed %d has no plan: %s", c.seed, c.about)
		}
	}
}

func checkPlan(t *testing.T, seed uint64, structured bool) (made int) {
	const items, local = 48, 16
	m := kerneltest.RandomFlow(seed, structured)
	f := m.Func("k")
	want := make([]byte, items*kerneltest.FlowBytes)
	for i := range uint64(items) {
		if err := kerneltest.EvaluateFlow(f, want, i, i%local); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if seed%4 != 0 {
		without := map[string]bool{}
		for i, p := range opt.Passes {
			without[p.Name] = seed>>(2+i%16)&1 != 0 && p.Name != "mem2reg" // variables must be in registers
		}
		if err := opt.Run(m, opt.Config{Disable: without}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for _, versions := range []bool{false, true} {
		o := spmd.Options{RowUniform: true, GroupUniform: true, Versions: versions}
		o.Config.Verify, o.Config.Disable = true, map[string]bool{}
		for i, p := range spmd.Passes { // disable a pass or two in some plans
			o.Config.Disable[p.Name] = seed%3 == 0 && int(seed/3%16) == i || seed%7 == 0 && int(seed/7%16) == i
		}
		p, err := spmd.Prepare(f, o)
		if err != nil {
			continue
		}
		made++
		fresh := lanes.Analyse(p.Facts.Input)
		for v := range p.Facts.Values() {
			got, want := *p.Facts.Of(v), *fresh.Of(v)
			if !got.Order.Same(want.Order) {
				t.Fatalf("seed %d: v%d has another order than in a new analysis", seed, v.ID)
			}
			if got.Order = want.Order; got != want {
				t.Fatalf("seed %d: the fact of v%d is %+v, in a new analysis %+v", seed, v.ID, got, want)
			}
		}
		if err := ssa.VerifyPlan(p.F); err != nil {
			t.Fatalf("seed %d: plan: %v\n%s\n%s", seed, err, f, p.F)
		}
		for _, lanes := range []int{4, 16} {
			got := make([]byte, len(want))
			for i := 0; i < items; i += lanes {
				if err := kerneltest.RunPlan(p, got, uint64(i), local, lanes, nil); err != nil {
					t.Fatalf("seed %d structured %v versions %v, from work-item %d on: %v\n%s", seed, structured, versions, i, err, p.Dump())
				}
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("seed %d structured %v versions %v: work-item %d, byte %d: got %#x, want %#x\n%s", seed, structured, versions, i/kerneltest.FlowBytes, i%kerneltest.FlowBytes, got[i], want[i], p.Dump())
				}
			}
		}
	}
	return made
}

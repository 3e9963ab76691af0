package jit_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/gangtest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	modules     = flag.Int("modules", 60, "random modules")
	firstModule = flag.Uint64("first-module", 0, "seed of the first")
	every       = flag.Bool("every", false, "run each random kernel on all executors instead of two")
	moduleSize  = flag.Int("module-size", 60, "statements of each, about")
)

// executors returns two of this machine's executors, chosen by the seed, or all of them.
func executors(seed uint64) (list []exec.Executor) {
	all := jit.Executors(jit.Options{Panics: true})
	if *every || len(all) < 2 {
		return all
	}
	i := int(seed % uint64(len(all)))
	return []exec.Executor{all[i], all[(i+len(all)/2)%len(all)]}
}

// checkModule compares a random kernel on all levels with the reference executor. It returns the number of runs
// as machine code.
func checkModule(t *testing.T, seed uint64, size int) (made int) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("seed %d: panic %v\n%s", seed, r, debug.Stack())
		}
	}()
	m := kerneltest.RandomModule(seed, size, seed%3 == 0)
	rng := rand.New(rand.NewPCG(seed, 9))
	if seed%3 == 0 {
		if err := opt.Run(m, opt.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	n := []int{1, 5, 16, 37}[rng.IntN(4)]
	buffers := [][]byte{gangtest.Bytes(rng, n*kerneltest.ModuleBytes), gangtest.Bytes(rng, n*kerneltest.ModuleBytes), gangtest.Bytes(rng, kerneltest.ModuleBytes)}
	var values []launch.Arg
	for _, size := range []int{4, 4, 16, 8, 8, 1} {
		values = append(values, launch.Value(gangtest.Bytes(rng, size)))
	}
	run := func(e exec.Executor) (out []byte, executor string) {
		args, mem := copied(buffers...)
		r, err := jit.RunRobust(&launch.Launch{Kernel: kernelOf(t, m, e), Args: append(args, values...), Range: launch.Range{Global: []uint64{uint64(n)}}, Workers: 2})
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, e.Name(), err)
		}
		return bytes.Join(mem, nil), r.Stats.Executor
	}
	want, _ := run(interp.Reference)
	for _, e := range executors(seed) {
		got, executor := run(e)
		if executor != interp.Reference.Name() {
			made++
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d size %d: results differ on %s\n%s", seed, size, e.Name(), m)
		}
	}
	return made
}

// TestRandomModule runs random SSA; a third of it is optimised first.
func TestRandomModule(t *testing.T) {
	made := 0
	for i := range uint64(*modules) {
		made += checkModule(t, *firstModule+i, *moduleSize)
	}
	t.Logf("%d kernels, %d times machine code", *modules, made)
}

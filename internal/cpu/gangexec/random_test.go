package gangexec_test

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/gangtest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	count = flag.Uint64("kernels", 60, "random kernels of each kind")
	first = flag.Uint64("first", 0, "seed of the first")
)

// machines are interpreters of gang functions with gangs of several lengths, also of one work-item, and with the native accesses of x86.
var machines = []gangexec.Machine{gangexec.Interpreter(16), gangexec.TargetInterpreter(16, "avx512", x86.AVX512.Target()), gangexec.Interpreter(8),
	gangexec.TargetInterpreter(32, "fp16", x86.FP16.Target()), gangexec.Interpreter(2), gangexec.TargetInterpreter(1, "scalar", x86.AVX2.Target()), gangexec.TargetInterpreter(8, "avx2", x86.AVX2.Target())}

// run launches kernel k of a module on copies of the buffers. It returns the copies one after the other, and
// the executor's name.
func run(t *testing.T, m *ssa.Module, e exec.Executor, buffers [][]byte, values []launch.Arg, r launch.Range) ([]byte, string) {
	t.Helper()
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	var args []launch.Arg
	var mem [][]byte
	for _, b := range buffers {
		b = bytes.Clone(b)
		mem = append(mem, b)
		args = append(args, launch.Memory(&launch.Buffer{Data: b}))
	}
	rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: append(args, values...), Range: r, Workers: 2, Faults: exec.Robust})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(mem, nil), rep.Stats.Executor
}

// TestRandomModule compares random SSA that uses every op with the reference executor.
func TestRandomModule(t *testing.T) {
	made := 0
	for seed := *first; seed < *first+*count; seed++ {
		m := kerneltest.RandomModule(seed, 60, seed%3 == 0)
		if seed%3 == 0 {
			if err := opt.Run(m, opt.Config{}); err != nil {
				t.Fatal(err)
			}
		}
		rng := rand.New(rand.NewPCG(seed, 9))
		n := []int{1, 5, 16, 37}[rng.IntN(4)]
		buffers := [][]byte{gangtest.Bytes(rng, n*kerneltest.ModuleBytes), gangtest.Bytes(rng, n*kerneltest.ModuleBytes), gangtest.Bytes(rng, kerneltest.ModuleBytes)}
		var values []launch.Arg
		for _, size := range []int{4, 4, 16, 8, 8, 1} {
			values = append(values, launch.Value(gangtest.Bytes(rng, size)))
		}
		r := launch.Range{Global: []uint64{uint64(n)}}
		want, _ := run(t, m, interp.Reference, buffers, values, r)
		machine := machines[seed%uint64(len(machines))]
		got, on := run(t, m, gangexec.For(machine), buffers, values, r)
		if on == machine.Name() {
			made++
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d on %s: results differ from the reference executor\n%s", seed, on, m)
		}
	}
	if made < int(*count)/2 {
		t.Errorf("%d of %d kernels ran as gang functions", made, *count)
	}
}

// TestRandomFlow compares random control flow with the reference executor.
func TestRandomFlow(t *testing.T) {
	made := 0
	for seed := *first; seed < *first+*count; seed++ {
		m := kerneltest.RandomFlow(seed, seed%2 == 0)
		if seed%3 == 0 {
			m = kerneltest.RandomLanes(seed)
		}
		if seed%4 != 0 {
			if err := opt.Run(m, opt.Config{}); err != nil {
				t.Fatal(err)
			}
		}
		const items = 54 // not a multiple of a gang's length
		buffers := [][]byte{make([]byte, items*kerneltest.FlowBytes), kerneltest.FlowTable()}
		values := []launch.Arg{launch.Value([]byte{kerneltest.FlowN, 0, 0, 0})}
		r := launch.Range{Global: []uint64{items}, Local: []uint64{18}}
		want, _ := run(t, m, interp.Reference, buffers, values, r)
		machine := machines[seed%uint64(len(machines))]
		got, on := run(t, m, gangexec.For(machine), buffers, values, r)
		if on == machine.Name() {
			made++
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d on %s: results differ from the reference executor\n%s", seed, on, m)
		}
	}
	t.Logf("%d of %d kernels ran as gang functions", made, *count)
	if made < int(*count)/8 {
		t.Errorf("%d of %d kernels ran as gang functions", made, *count)
	}
}

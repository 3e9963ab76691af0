package difftest

import (
	"flag"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	first = flag.Uint64("first", 1, "seed of the first random kernel")
	count = flag.Int("kernels", 60, "random kernels")
)

// TestRandom runs random kernels with all checks on the oracle; internal/tool/difffuzz is the unlimited version.
// Each kernel runs on two of the executors in turn.
func TestRandom(t *testing.T) {
	all := MachineExecutors()
	for i := range *count {
		seed := *first + uint64(i)
		k := kerneltest.Random(seed, 8)
		var execs []exec.Executor
		for j := range min(2, len(all)) {
			execs = append(execs, all[(i+j*len(all)/2)%len(all)])
		}
		o := Options{Executors: execs, Disable: SomePasses(rand.New(rand.NewPCG(seed, 5))), Checked: true, Wild: k.Wild}
		if r := sameKernel(t, k, o); r.Err != nil {
			t.Fatalf("seed %d: %v", seed, r.Err)
		}
	}
}

// BenchmarkRandom generates a kernel and compares it on one executor, as difffuzz does.
func BenchmarkRandom(b *testing.B) {
	all := MachineExecutors()
	for i := range b.N {
		k := kerneltest.Random(uint64(i), 6)
		Check(k.Case(), Options{Executors: all[i%len(all) : i%len(all)+1], Wild: k.Wild})
	}
}

// TestRuns runs kernels that once showed a mistake, on all executors without checks, which would report
// implementation-defined behaviour.
func TestRuns(t *testing.T) { filetest.Runs(t, "testdata/found", Executors()[2:]...) }

// TestWithout runs kernels that once showed a mistake with passes skipped: a line of each file names the passes.
func TestWithout(t *testing.T) {
	files, _ := filepath.Glob("testdata/without/*.cl")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, name := range files {
		list, src := casesOf(t, name, "")
		_, passes, ok := strings.Cut(string(src), "// without: ")
		if !ok || len(list) == 0 {
			t.Fatalf("%s: no passes or no kernels", name)
		}
		passes, _, _ = strings.Cut(passes, "\n")
		disable := map[string]bool{}
		for p := range strings.SplitSeq(passes, ",") {
			disable[p] = true
		}
		for _, c := range list {
			sameCase(t, name, c, Options{Executors: MachineExecutors(), Disable: disable})
		}
	}
}

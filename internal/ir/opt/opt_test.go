package opt

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/growth"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var seeds = flag.Int("seeds", 150, "random modules for each test")
var firstSeed = flag.Uint64("first-seed", 0, "seed of the first")

// copyOf returns a copy of the module through the text form.
func copyOf(t testing.TB, m *ssa.Module) *ssa.Module {
	t.Helper()
	c, err := ssa.ParseText("random", []byte(m.String()))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPassesKeepResults runs random functions before and after each single pass with its requirements, and the
// whole pipeline.
func TestPassesKeepResults(t *testing.T) {
	for i := range uint64(*seeds) {
		checkSeed(t, *firstSeed+i)
	}
}

func checkSeed(t *testing.T, seed uint64) {
	t.Helper()
	m := kerneltest.RandomModule(seed, 20+int(seed%80), true)
	if err := ssa.VerifyModule(m); err != nil {
		t.Fatalf("seed %d: generator: %v\n%s", seed, err, m)
	}
	want := run(m)
	check := func(names []string) {
		c := copyOf(t, m)
		before := ""
		var err error
		if names == nil {
			err = Run(c, Config{Verify: true})
		} else {
			err = RunPasses(c, names, Config{Verify: true})
		}
		if err == nil {
			err = ssa.VerifyModule(c)
		}
		if err != nil {
			t.Fatalf("seed %d, %v: %v\n%s", seed, names, err, before)
		}
		if got := run(c); got != want {
			t.Fatalf("seed %d, %v:\ngot  %s\nwant %s\nbefore:\n%s\nafter:\n%s", seed, names, got, want, m, c)
		}
	}
	for _, p := range Passes {
		check([]string{p.Name})
		if i := slices.Index(Pipeline, p.Name); i > 0 {
			check(Pipeline[:i+1])
		}
	}
	check(nil)
	for _, p := range Passes {
		c := copyOf(t, m)
		if err := Run(c, Config{Verify: true, Disable: map[string]bool{p.Name: true}}); err != nil {
			t.Fatalf("seed %d without %s: %v", seed, p.Name, err)
		}
		if got := run(c); got != want {
			t.Fatalf("seed %d without %s:\ngot  %s\nwant %s", seed, p.Name, got, want)
		}
	}
}

// TestKeepAccesses: with Config.KeepAccesses, every pass alone and the pipeline keep the number of accesses of
// each byte of a buffer. At least one access must be one that the pipeline would otherwise remove.
func TestKeepAccesses(t *testing.T) {
	dropped := 0
	for i := range uint64(*seeds) {
		seed := *firstSeed + i
		m := kerneltest.RandomModule(seed, 20+int(seed%80), true)
		want := map[accessed]int{}
		runTraced(m, want)
		traced := func(cfg Config) (*ssa.Module, map[accessed]int) {
			c, got := copyOf(t, m), map[accessed]int{}
			if err := Run(c, cfg); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			runTraced(c, got)
			return c, got
		}
		if c, got := traced(Config{KeepAccesses: true}); !maps.Equal(got, want) {
			t.Fatalf("seed %d: accesses differ\nbefore:\n%s\nafter:\n%s", seed, m, c)
		}
		if _, got := traced(Config{}); !maps.Equal(got, want) {
			dropped++
		}
	}
	if dropped == 0 {
		t.Error("no tested access is one that the pipeline would remove")
	}
}

// TestPipelineOrder checks the constraints in the table of passes.
func TestPipelineOrder(t *testing.T) {
	for i, name := range Pipeline {
		p := Find(name)
		if p == nil {
			t.Fatalf("no pass %q", name)
		}
		for _, r := range p.Requires {
			if !slices.Contains(Pipeline[:i], r) {
				t.Errorf("%s at %d requires %s before it", name, i, r)
			}
		}
		for _, r := range p.Breaks {
			if !slices.Contains(Pipeline[i+1:], r) {
				t.Errorf("%s at %d breaks %s, which does not run again", name, i, r)
			}
		}
	}
}

// BenchmarkOpt measures the pipeline per value of its input. The functions have no calls, so that inlining does
// not multiply the values.
func BenchmarkOpt(b *testing.B) {
	var m *ssa.Module
	for seed := uint64(0); ; seed++ {
		m = kerneltest.RandomModule(seed, 4000, true)
		if len(m.Funcs) == 1 && m.Funcs[0].CountValues() > 1500 {
			break
		}
	}
	n := 0
	for _, f := range m.Funcs {
		n += f.CountValues()
	}
	var total time.Duration
	took := map[string]time.Duration{}
	for range b.N {
		b.StopTimer()
		c := copyOf(b, m)
		b.StartTimer()
		start := time.Now()
		if err := Run(c, Config{Time: func(pass string, f *ssa.Func, d time.Duration) { took[pass] += d }}); err != nil {
			b.Fatal(err)
		}
		total += time.Since(start)
	}
	b.ReportMetric(float64(n)*float64(b.N)/total.Seconds(), "values/s")
	for p, d := range took {
		b.ReportMetric(float64(d.Nanoseconds())/float64(b.N)/float64(n), p+"-ns/value")
	}
}

// TestFiles runs the cases of testdata. The command "opt" runs the whole pipeline and "opt PASS…" only these passes. The command
// "loads" runs HoistLoads, and "divergent" runs SelectDivergent.
func TestFiles(t *testing.T) {
	filetest.SSA(t, "testdata", map[string]filetest.Command{"opt": func(names []string, m *ssa.Module) (string, error) {
		if err := ssa.VerifyModule(m); err != nil {
			return "", err
		}
		var err error
		if len(names) == 0 {
			err = Run(m, Config{Verify: true})
		} else {
			err = RunPasses(m, names, Config{Verify: true})
		}
		return m.String(), err
	}, "loads": copies(func(f *ssa.Func) *ssa.Func {
		g, _ := HoistLoads(f)
		return g
	}), "divergent": copies(SelectDivergent)})
	for _, p := range Passes {
		if _, err := os.Stat("testdata/" + p.Name); err != nil {
			t.Errorf("pass %s has no test", p.Name)
		}
	}
}

// copies tests a function that returns an optimised copy, or nil.
func copies(copy func(f *ssa.Func) *ssa.Func) filetest.Command {
	return func(_ []string, m *ssa.Module) (string, error) {
		var s strings.Builder
		for _, f := range m.Funcs {
			g := copy(f)
			if g == nil {
				s.WriteString("@" + f.Name + ": none\n")
				continue
			}
			if err := ssa.Verify(g); err != nil {
				return "", err
			}
			s.WriteString(g.String() + "\n")
		}
		return s.String(), nil
	}
}

// TestLargeFunction: the pipeline is near-linear on a function with a long ladder of early exits and variables
// that are live through all of it.
func TestLargeFunction(t *testing.T) {
	growth.Linear(t, 2000, ladder, func(m *ssa.Module) {
		if err := Run(m, Config{}); err != nil {
			t.Fatal(err)
		}
		if err := ssa.VerifyModule(m); err != nil {
			t.Error(err)
		}
	})
}

// ladder makes a module with a function of n early exits, with some ten values each.
func ladder(n int) *ssa.Module {
	m := &ssa.Module{}
	f := m.NewFunc("f", ssa.TI32)
	b := ssa.Builder{F: f, B: f.NewBlock("")}
	p := b.Aux(ssa.OpParam, ssa.TI32, 0)
	f.Params = []*ssa.Value{p}
	var vars []*ssa.Value
	for range 20 {
		v := b.Sym(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), &ssa.Alloca{Size: 4, Align: 4})
		b.Store(v, p, 4)
		vars = append(vars, v)
	}
	exit := f.NewBlock("")
	for i := range n {
		x := b.Load(ssa.TI32, vars[i%20], 4)
		y := b.Value(ssa.OpAdd, ssa.TI32, x, b.Load(ssa.TI32, vars[(i+7)%20], 4))
		c := b.Const(ssa.TI32, uint64(i))
		y = b.Value(ssa.OpXor, ssa.TI32, y, c)
		b.Store(vars[i%20], y, 4)
		next := f.NewBlock("")
		b.Branch(b.Value(ssa.OpLt, ssa.TBool, y, c), exit, next)
		b.B = next
	}
	b.Jump(exit)
	b.B = exit
	b.Return(b.Load(ssa.TI32, vars[3], 4))
	return m
}

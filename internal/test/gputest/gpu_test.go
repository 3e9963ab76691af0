package gputest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/gpu/cuda"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var (
	first   = flag.Uint64("first", 1, "seed of the first random kernel")
	count   = flag.Int("kernels", 2000, "random kernels")
	size    = flag.Int("size", 3, "statements of a random kernel")
	useCUDA = flag.Bool("cuda", false, "run on the computer's GPU instead of the simulator")
	limit   = flag.Duration("for", time.Hour, "begin no more random kernels after this time")
	keep    = flag.String("keep", "", "folder for the PTX of every kernel")
	passes  = flag.Bool("all-passes", false, "optimise random kernels with all passes, as programs are; otherwise some are left out")
	module  = flag.Int("module", 0, "random kernels of a module; 0: each has its own, and waits for no other")
)

// machine returns the GPU, or the simulator.
func machine(t testing.TB) device.Machine {
	m := Sim()
	if *useCUDA {
		list, err := cuda.Machines()
		if err != nil {
			t.Fatal(err)
		}
		m = list[0]
	}
	if *keep != "" {
		return &keeper{Machine: m}
	}
	return m
}

// A keeper is a machine that writes modules to files.
type keeper struct {
	device.Machine
	n atomic.Int64
}

func (k *keeper) Load(text, entry string) (device.Code, error) {
	name := filepath.Join(*keep, fmt.Sprintf("%05d.ptx", k.n.Add(1)))
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return nil, err
	}
	c, err := k.Machine.Load(text, entry)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return c, err
}

// left counts kernels without GPU code, by reason.
type left struct {
	mu  sync.Mutex
	why map[string]int
}

func (l *left) add(_ *ssa.Func, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, why, _ := strings.Cut(err.Error(), "this GPU device: ")
	if strings.Contains(why, "no code for its format") {
		why = "formats of images"
	}
	l.why[why]++
}

func executor(m device.Machine, l *left) *device.Executor {
	e := device.NewExecutor(m)
	e.Left, e.Limit = l.add, 10*time.Second
	return e
}

// TestRuns runs the repository's run tests.
func TestRuns(t *testing.T) {
	l := &left{why: map[string]int{}}
	e := executor(machine(t), l)
	for _, dir := range []string{"../../compile/testdata/run", "../difftest/testdata/found"} {
		filetest.Runs(t, dir, difftest.On("gpu", e))
	}
	t.Log("kernels that the reference executor ran:", l.why)
}

// TestRandom runs random kernels. Kernels that differ on a GPU are counted, not reported, if they depend on the
// bits of NaNs: then the simulator with other NaNs differs from the reference executor too.
func TestRandom(t *testing.T) {
	m := machine(t)
	l := &left{why: map[string]int{}}
	workers, timeout := 1, longest
	if *useCUDA {
		workers = max(1, runtime.GOMAXPROCS(0)-2)
	}
	at, err := m.Alloc(1) // makes the context, which takes longer than a kernel may
	if err != nil {
		t.Fatal(err)
	}
	generation := m.Generation()
	m.Free(at, generation)
	var together *collector
	if *module > 0 {
		workers, timeout = *module+*module/4, longest*time.Duration(*module)
		together = collect(m, *module)
		m = together
	}
	var next, nans, ran atomic.Int64
	var now running
	var lost atomic.Bool
	var wg sync.WaitGroup
	start := time.Now()
	for range workers {
		if together != nil {
			together.begin()
		}
		wg.Go(func() {
			if together != nil {
				defer together.end()
			}
			e := executor(m, l)
			e.Limit = timeout
			for i := next.Add(1) - 1; i < int64(*count) && time.Since(start) < *limit && !lost.Load(); i = next.Add(1) - 1 {
				ran.Add(1)
				seed := *first + uint64(i)
				began := time.Now()
				now.begin(seed)
				text, nan := random(seed, timeout, e)
				if took := time.Since(began); took > timeout/2 {
					t.Logf("seed %d took %v", seed, took)
				}
				switch {
				case nan:
					nans.Add(1)
				case m.Generation() != generation: // other kernels' errors follow from this
					if !lost.Swap(true) {
						t.Errorf("an error has ended the device's context; running: seeds %v; one of them says: %s", now.list(), text)
					}
				case text != "":
					t.Errorf("seed %d: %s", seed, text)
				}
				now.end(seed)
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		wg.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(*limit + lastKernels):
		stacks := make([]byte, 1<<20)
		t.Fatalf("%v after the last kernel began, some still run: seeds %v\n%s", lastKernels, now.list(), stacks[:runtime.Stack(stacks, true)])
	}
	t.Logf("%d kernels, %d differ by the bits of NaNs only; those that the reference executor ran: %v", ran.Load(), nans.Load(), l.why)
	if together != nil {
		t.Log(together)
	}
}

// longest is the longest duration of a launch on the GPU. Where kernels wait to be loaded together, that counts too.
const longest = 10 * time.Second

// lastKernels is how long the kernels may take that begin last: a difference runs on three simulators too.
const lastKernels = time.Minute

// simulated is the longest duration of a launch on the simulator.
const simulated = 5 * time.Second

// running is the set of seeds whose kernels run.
type running struct {
	mu    sync.Mutex
	seeds []uint64
}

func (r *running) begin(seed uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seeds = append(r.seeds, seed)
}

func (r *running) end(seed uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seeds = slices.DeleteFunc(r.seeds, func(s uint64) bool { return s == seed })
}

func (r *running) list() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seeds)
}

// random runs the kernel of a seed. It describes the difference, and reports whether the kernel depends on the bits
// of NaNs.
func random(seed uint64, timeout time.Duration, e exec.Executor) (text string, nan bool) {
	check := checkSeed(seed, *size, timeout)
	text = check(e)
	if text == "" || !*useCUDA || strings.Contains(text, "CUDA_ERROR") {
		return text, false
	}
	return text, showsNaNs(check)
}

// checkSeed returns a function that compares an executor with the reference executor on the kernel of a seed and a
// size, and describes the difference. A launch on a GPU takes no longer than timeout.
func checkSeed(seed uint64, size int, timeout time.Duration) func(e exec.Executor) string {
	k := kerneltest.Random(seed, size)
	return func(e exec.Executor) string {
		o := difftest.Options{Executors: []exec.Executor{e}, Checked: true, Wild: k.Wild}
		if !*passes {
			o.Disable = difftest.SomePasses(rand.New(rand.NewPCG(seed, 5)))
		}
		if *useCUDA {
			o.Timeout = timeout
		}
		c := k.Case()
		if *useCUDA {
			c.Source = []byte(exactly.Replace(string(c.Source)))
		}
		return failure(c, o)
	}
}

// exactly replaces the functions that a GPU approximates in another way than the reference executor.
var exactly = strings.NewReplacer("native_recip", "native_exp", "native_rsqrt", "native_sin")

// failure returns how a case's results on an executor differ from the reference executor's, or "".
func failure(c *filetest.Case, o difftest.Options) string {
	r := difftest.Check(c, o)
	if r.Err != nil {
		return r.Err.Error()
	}
	for _, p := range r.Problems {
		return p.Executor + ": " + p.Text
	}
	return ""
}

// showsNaNs reports whether the result of check depends on the bits of NaNs.
func showsNaNs(check func(e exec.Executor) string) bool {
	for i := range otherNaNs {
		e := device.NewExecutor(simWith(&otherNaNs[i]))
		e.Limit = simulated
		text := check(e)
		if strings.Contains(text, context.DeadlineExceeded.Error()) {
			return false // unknown
		}
		if text != "" {
			return true
		}
	}
	return false
}

// TestNaNs runs random kernels that differed on a GPU because they show the bits of NaNs.
func TestNaNs(t *testing.T) {
	files, err := filepath.Glob("testdata/nans/*.cl")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := filetest.ParseRuns(path, src)
		if err != nil || len(cases) != 1 {
			t.Fatalf("%s: %d cases, %v", path, len(cases), err)
		}
		check := func(e exec.Executor) string {
			return failure(cases[0], difftest.Options{Executors: []exec.Executor{e}, Checked: true})
		}
		if text := check(device.NewExecutor(Sim())); text != "" {
			t.Errorf("%s: %s", path, text)
		}
		if !showsNaNs(check) {
			t.Errorf("%s does not show the bits of NaNs", path)
		}
	}
}

package gputest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/difftest"
	"github.com/purecl/purecl/internal/test/filetest"
)

var divergent = flag.Int("divergent", 60, "random kernels of TestDivergentSubGroups")

// A flowWriter writes random control flow with sub-group functions, which operate on the work-items that execute them
// together.
type flowWriter struct {
	*rand.Rand
	s     strings.Builder
	vars  int
	loops int // around the statement
}

func (w *flowWriter) line(depth int, format string, args ...any) {
	w.s.WriteString(strings.Repeat("\t", depth))
	fmt.Fprintf(&w.s, format+"\n", args...)
}

// cond is a condition that differs between work-items, or is equal for a sub-group.
func (w *flowWriter) cond() string {
	x := []string{"l", "r", "x[l]", "l / 8", "l / 32", "n"}[w.IntN(6)]
	return fmt.Sprintf("(%s >> %d) %% %du < %du", x, w.IntN(3), 2+w.IntN(5), 1+w.IntN(3))
}

func (w *flowWriter) op() string {
	switch w.IntN(5) {
	case 0:
		return "sub_group_ballot(r & 1).x"
	case 1:
		return fmt.Sprintf("sub_group_non_uniform_broadcast(r, %d)", w.IntN(40))
	case 2:
		return "sub_group_non_uniform_reduce_add(r & 255)"
	case 3:
		return fmt.Sprintf("sub_group_shuffle_xor(r, %d)", 1+w.IntN(9))
	}
	return "sub_group_non_uniform_all(r & 3) * 7"
}

func (w *flowWriter) block(depth, budget int) {
	for range 1 + w.IntN(3) {
		switch k := w.IntN(9); {
		case k < 3 || budget == 0:
			w.line(depth, "r = r * 31 + %s;", w.op())
		case k < 6:
			w.line(depth, "if (%s) {", w.cond())
			w.block(depth+1, budget-1)
			if w.IntN(2) == 0 {
				w.line(depth, "} else {")
				w.block(depth+1, budget-1)
			}
			w.line(depth, "}")
		case k < 8:
			w.vars++
			w.line(depth, "for (uint i%d = 0; i%[1]d < (%s) %% %d; i%[1]d++) {", w.vars, []string{"l", "r", "x[l]", "n"}[w.IntN(4)], 2+w.IntN(4))
			w.loops++
			w.block(depth+1, budget-1)
			w.loops--
			w.line(depth, "}")
		case w.loops > 0:
			w.line(depth, "if (%s) %s;", w.cond(), []string{"break", "continue"}[w.IntN(2)])
		case w.IntN(3) == 0:
			w.line(depth, "if (%s) { out[g] = r; return; }", w.cond())
		}
	}
}

// divergentKernel returns a random kernel.
func divergentKernel(seed uint64) string {
	w := &flowWriter{Rand: rand.New(rand.NewPCG(seed, 7))}
	size := ""
	if seed%3 != 0 {
		size = fmt.Sprintf("__attribute__((intel_reqd_sub_group_size(%d))) ", 8<<(seed%3))
	}
	w.line(0, "%skernel void k(global uint *out, global const uint *x, uint n) {", size)
	w.line(1, "uint l = get_local_id(0), g = get_global_id(0), r = l;")
	w.block(1, 3)
	w.line(1, "out[g] = r * 31 + %s;", w.op())
	w.line(0, "}")
	return w.s.String()
}

// TestDivergentSubGroups runs random kernels with sub-group functions in divergent control flow.
func TestDivergentSubGroups(t *testing.T) {
	l := &left{why: map[string]int{}}
	e := executor(machine(t), l)
	for seed := range uint64(*divergent) {
		r := rand.New(rand.NewPCG(seed, 8))
		local := []int{64, 40, 33, 8}[r.IntN(4)]
		src := divergentKernel(seed)
		var x []string
		for range local {
			x = append(x, fmt.Sprint(r.IntN(50)))
		}
		text := fmt.Sprintf("// run: kernel=k global=%d local=%[1]d -cl-std=CL3.0\n// arg: out uint[%[1]d] = zeros\n// arg: x uint[%[1]d] = %s\n// arg: n uint = %d\n%s", local, strings.Join(x, " "), r.IntN(20), src)
		cases, err := filetest.ParseRuns("k.cl", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		rep := difftest.Check(cases[0], difftest.Options{Executors: []exec.Executor{e}, Checked: true})
		if rep.Err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, rep.Err, text)
		}
		for _, p := range rep.Problems {
			t.Errorf("seed %d: %s: %s\n%s", seed, p.Executor, p.Text, text)
		}
		if t.Failed() {
			return
		}
	}
	left := 0
	for why, n := range l.why {
		left += n
		if !strings.Contains(why, "paths of divergent work-items meet inside") {
			t.Errorf("%d kernels have no code: %s", n, why)
		}
	}
	if t.Logf("%d kernels have no code", left); left > *divergent/2 {
		t.Errorf("%d of %d kernels have no code", left, *divergent)
	}
}

// TestSubGroupBarriers compares the findings of barriers in divergent control flow with the reference executor's.
func TestSubGroupBarriers(t *testing.T) {
	for _, c := range []struct {
		name, body string
		finding    bool
	}{
		{"part of a sub-group", "if (l < 5) sub_group_barrier(CLK_LOCAL_MEM_FENCE); out[l] = 1;", true},
		{"a whole sub-group", "if (l < 32) sub_group_barrier(CLK_LOCAL_MEM_FENCE);", false},
		{"others have returned", "if (l < 5) return; sub_group_barrier(CLK_LOCAL_MEM_FENCE);", false},
		{"others have returned late", "if (l & 1) { if (l < 9) { out[l] = sub_group_ballot(1).x; return; } out[l] = 3; } sub_group_barrier(CLK_LOCAL_MEM_FENCE); out[l] += sub_group_ballot(1).x;", false},
		{"a loop that work-items leave", "for (uint i = 0; i < l; i++) out[l] = sub_group_reduce_add(i);", true},
		{"both sides", "if (l & 1) sub_group_barrier(CLK_LOCAL_MEM_FENCE); else out[l] = sub_group_broadcast(l, 3); out[l] += 1;", true},
	} {
		src := "kernel void k(global uint *out) {\n\tuint l = get_local_id(0);\n\t" + c.body + "\n}"
		var seen [2][]string
		for i, dev := range []exec.Device{device.New(machine(t)), cpu.All()} {
			seen[i] = findings(t, dev, src)
		}
		if !slices.Equal(seen[0], seen[1]) || (len(seen[0]) > 0) != c.finding {
			t.Errorf("%s: got %q, want %q", c.name, seen[0], seen[1])
		}
	}
}

// findings runs a kernel and describes the findings, each once.
func findings(t *testing.T, dev exec.Device, src string) (list []string) {
	t.Helper()
	l := &exec.Launch{Faults: exec.Robust, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: allocated(t, dev, 4*64)}}}
	if err := launchOn(t, dev, src, "k", l, exec.Range{Global: []uint64{64}, Local: []uint64{64}}); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	for _, f := range l.Report.Findings {
		text := fmt.Sprint(f.Kind, f.What, f.Note, f.Pos)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

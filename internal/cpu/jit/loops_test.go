//go:build amd64 && (linux || darwin || windows)

package jit_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/difftest"
)

var (
	loops     = flag.Int("loops", 60, "random loops")
	firstLoop = flag.Uint64("first-loop", 0, "seed of the first")
)

// A loopKernel is a random kernel with a counted loop over memory.
type loopKernel struct {
	text  string
	elem  int // bytes of an element of a
	items int
	step  int64
	ends  func(from, to int64) bool // whether the loop ends within a reasonable time
}

// newLoopKernel makes a kernel. Its parameters are a, which the loop reads; b, for the results; d, as large as
// a, which the loop may write; the first and the last value of the counter; and three numbers for indices.
func newLoopKernel(rng *rand.Rand) loopKernel {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	k := loopKernel{items: []int{1, 7, 16, 33, 64, 130, 256}[rng.IntN(7)]}
	types := []struct {
		name string
		size int
	}{{"char", 1}, {"uchar", 1}, {"short", 2}, {"int", 4}, {"uint", 4}, {"float", 4}, {"long", 8}, {"double", 8}, {"int2", 8}, {"float4", 16}}
	e := types[rng.IntN(len(types))]
	k.elem = e.size
	counter := pick("int", "int", "uint", "long", "ulong", "short")
	steps := []int64{1, 1, 1, 2, 4, 8, 3}
	k.step = steps[rng.IntN(len(steps))]
	id := pick("int", "uint", "size_t")
	index := func() string {
		terms := []string{pick("i", "i", "2 * i", "-i", "m * i", "0", "i / 2"), pick("j", "j", "2 * j", "-j", "m * j", "64 * j", "(j - from)", "(uint)j", "(long)j")}
		if rng.IntN(2) == 0 {
			terms = append(terms, pick("o", "c", "1", "-1", "3", "o * 2"))
		}
		return strings.Join(terms, " + ")
	}
	var body []string
	for range 1 + rng.IntN(3) {
		body = append(body, pick("s += a[%s];", "s += a[%s];", "s = s * (T)3 - a[%s];", "s += a[%s] * (T)j;", "if (j & 1) s += a[%s]; else s -= (T)1;",
			"if (j == (C)from + 5) break; s += a[%s];", "T x = a[%s]; s += x + x;"))
		body[len(body)-1] = "{ " + fmt.Sprintf(body[len(body)-1], index()) + " }"
	}
	if strings.Contains(strings.Join(body, ""), "break") {
		body = []string{strings.NewReplacer("{ if", "if", "; }", ";").Replace(body[0])}
		if !strings.Contains(body[0], "break") {
			body = []string{"s += a[i + j];"}
		}
	}
	if rng.IntN(3) == 0 { // each work-item has its own elements
		body = append(body, fmt.Sprintf("d[(j - from) * %d + i + o] = s;", k.items))
	}
	bound := pick("j < (C)to", "j < (C)to", "j < (C)to", "j <= (C)to", "j != (C)to")
	if strings.Contains(bound, "!=") && k.step != 1 {
		bound = "j < (C)to"
	}
	less := strings.TrimSuffix(strings.TrimPrefix(bound, "j "), " (C)to")
	k.ends = func(from, to int64) bool {
		wrap := map[string]func(int64) int64{
			"short": func(x int64) int64 { return int64(int16(x)) }, "int": func(x int64) int64 { return int64(int32(x)) },
			"uint": func(x int64) int64 { return int64(uint32(x)) }, "long": func(x int64) int64 { return x }, "ulong": func(x int64) int64 { return x },
		}[counter]
		j, end := wrap(from), wrap(to)
		for range 100 {
			c := cmp.Compare(j, end)
			if counter == "ulong" {
				c = cmp.Compare(uint64(j), uint64(end))
			}
			if more := map[string]bool{"<": c < 0, "<=": c <= 0, "!=": c != 0}[less]; !more {
				return true
			}
			j = wrap(j + k.step)
		}
		return false
	}
	inner := fmt.Sprintf("for (C j = (C)from; %s; j += %d) { %s }", bound, k.step, strings.Join(body, " "))
	switch rng.IntN(5) {
	case 0:
		inner = "for (int r = 0; r < 2; r++) " + inner
	case 1:
		inner = "if (i < (ID)(c + 20)) " + inner
	}
	k.text = fmt.Sprintf("typedef %s T; typedef %s C; typedef %s ID;\nkernel void k(global const T *a, global T *b, global T *d, long from, long to, int m, int o, int c) { ID i = get_global_id(0); T s = 0; %s b[get_global_id(0)] = s; }\n",
		e.name, counter, id, inner)
	return k
}

// TestRandomLoops runs loops whose accesses often leave their buffer, many by just one element. Machine code
// must report the reference executor's findings, leave the same contents in the buffers, and touch no other
// memory.
func TestRandomLoops(t *testing.T) {
	executors := jit.Executors(jit.Options{Panics: true})
	bad, inside := 0, 0
	for seed := *firstLoop; seed < *firstLoop+uint64(*loops); seed++ {
		rng := rand.New(rand.NewPCG(seed, 77))
		k := newLoopKernel(rng)
		res, err := compile.Compile(context.Background(), "t.cl", []byte(k.text), &compile.Options{Source: option.Source{Std: opencl.CL30}})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k.text)
		}
		reference, machine := kernelOf(t, res.Module, interp.Reference), []*launch.Kernel{}
		for i, e := range executors {
			if *every || (uint64(i)+seed)%3 == 0 {
				machine = append(machine, kernelOf(t, res.Module, e))
			}
		}
		for range 12 {
			rounds := int64(rng.IntN(24))
			from := []int64{0, 0, 0, 1, 5, -3, 1<<31 - 20, -1 << 31, 1<<32 - 10, 1<<15 - 9, 1<<63 - 30, -1 << 63}[rng.IntN(12)]
			to := from + rounds*k.step
			if !k.ends(from, to) {
				continue
			}
			size := max(1, []int{rng.IntN(400), int(to-from) + k.items - 1 + rng.IntN(3), 64*int(rounds) + k.items + rng.IntN(2), k.items * (int(rounds) + 1)}[rng.IntN(4)])
			if size > 1<<16 {
				size = 100
			}
			a := make([]byte, k.elem*size)
			for i := range a {
				a[i] = byte(rng.Uint32()) & 0x3f // floats stay small
			}
			number := func(x int64, n int) launch.Arg {
				return launch.Value(binary.LittleEndian.AppendUint64(nil, uint64(x))[:n])
			}
			m, o, c := int64(rng.IntN(5)-1), int64(rng.IntN(7)-2), int64(rng.IntN(50)-5)
			if rng.IntN(8) == 0 {
				o = []int64{1<<31 - 1, -1 << 31, 1 << 20}[rng.IntN(3)]
			}
			attempt := func(k *launch.Kernel, elem, items int) (mem [3][]byte, failures []string) {
				var intact [3]func() bool
				for i, data := range [][]byte{a, make([]byte, elem*items), make([]byte, len(a))} {
					mem[i], intact[i] = difftest.Fence(data)
				}
				args := []launch.Arg{launch.Memory(&launch.Buffer{Data: mem[0]}), launch.Memory(&launch.Buffer{Data: mem[1]}), launch.Memory(&launch.Buffer{Data: mem[2]}),
					number(from, 8), number(to, 8), number(m, 4), number(o, 4), number(c, 4)}
				rep, err := jit.RunRobust(&launch.Launch{Kernel: k, Args: args, Checks: exec.ChecksNone, Workers: 1,
					Range: launch.Range{Global: []uint64{uint64(items)}, Local: []uint64{uint64(items)}}})
				if rep == nil {
					t.Fatal(err)
				}
				for _, f := range rep.Findings {
					failures = append(failures, k.Locate(f)+": "+f.String())
				}
				for i, is := range intact {
					if !is() {
						t.Errorf("seed %d: memory beside buffer %d was written to", seed, i)
					}
				}
				return mem, failures
			}
			want, wantErr := attempt(reference, k.elem, k.items)
			if wantErr != nil {
				bad++
			}
			for i, kern := range machine {
				got, gotErr := attempt(kern, k.elem, k.items)
				if !slices.Equal(gotErr, wantErr) || !slices.EqualFunc(got[:], want[:], bytes.Equal) {
					t.Errorf("seed %d, executor %d, from %d to %d, m %d, o %d, c %d, %d elements, %d work-items: found %q, want %q\n%s", seed, i, from, to, m, o, c, size, k.items, gotErr, wantErr, k.text)
					break
				}
			}
		}
		if code, _, err := jit.List(res.Module.Func("k"), jit.Levels()[0], jit.WholeGangs); err == nil && strings.Contains(code.Listing.Plan.F.String(), " inside ") {
			inside++
		}
	}
	t.Logf("%d loops, %d with checks before them; %d launches with an error", *loops, inside, bad)
	if *loops >= 60 && (inside < *loops/12 || bad < *loops) {
		t.Errorf("%d loops with checks before them, %d launches with an error", inside, bad)
	}
}

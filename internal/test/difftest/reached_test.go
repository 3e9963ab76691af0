package difftest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// TestReached checks that some random kernels together show every form of code, every way to access memory, and
// accesses out of bounds.
func TestReached(t *testing.T) {
	const kernels = 2500
	var execs []exec.Executor // of wide gangs, of known work-group sizes and of scalar code
	for _, e := range MachineExecutors() {
		if name := e.Name(); strings.HasSuffix(name, "-first") || strings.HasSuffix(name, "-coarse") || strings.HasSuffix(name, "-ahead") || strings.HasSuffix(name, "x128") || strings.HasSuffix(name, "x1") || name == "avx2x64" {
			execs = append(execs, e)
		}
	}
	if len(execs) == 0 {
		return // this machine has no code generator
	}
	execs = execs[len(execs)-6:] // of the highest level
	wanted := AllReached
	for _, s := range []explain.Shape{explain.InRegisters, explain.Again} { // they do not occur on every processor, and in one kernel of thousands
		wanted &^= 1 << (spmd.NumForms + int(s))
	}
	wanted &^= Reached(spmd.Once | spmd.RowByRow) // in two kernels of a thousand and fewer; package jit has tests of its own
	reached := Reached(0)
	for seed := range uint64(kernels) {
		k := kerneltest.Random(seed, 5)
		r := Check(k.Case(), Options{Executors: execs, Wild: k.Wild, Disable: SomePasses(rand.New(rand.NewPCG(seed, 5)))})
		if r.Err != nil || len(r.Problems) > 0 {
			t.Fatalf("seed %d: %v %v", seed, r.Err, r.Problems)
		}
		if reached |= r.Reached; reached&wanted == wanted {
			t.Logf("%d kernels", seed+1)
			return
		}
	}
	t.Errorf("%d kernels did not reach: %s", kernels, strings.Join((wanted&^reached).Names(), ", "))
}

// TestUnlike tests that errors may differ in their positions but not in their kinds.
func TestUnlike(t *testing.T) {
	a, b, c := "k.cl:1:2: out of bounds: load of 4", "k.cl:2:2: out of bounds: store of 4", "k.cl:2:2: misaligned: load of 4"
	for i, x := range []struct {
		got, expected []string
		alike         bool
	}{
		{nil, []string{a}, true},
		{[]string{b}, []string{a}, true},
		{[]string{a, c}, []string{a}, false},
		{[]string{a}, nil, false},
	} {
		if text := unlike(x.got, x.expected); (text == "") != x.alike {
			t.Errorf("%d: %q", i, text)
		}
	}
}

// TestAlike tests which parts of errors must be equal.
func TestAlike(t *testing.T) {
	a, b, c := "k.cl:1:2: out of bounds", "k.cl:2:2: out of bounds", "k.cl:3:2: out of bounds"
	load, again, other, store, stored := a+": load of 4 at 8", b+": load of 4 at 8", b+": load of 4 at 12", a+": store of 4 at 8", b+": store of 4 at 8"
	early, late := a+": load of 4 bytes at offset 8", a+": load of 4 bytes at offset 48" // copies of an unrolled load
	for i, x := range []struct {
		got, want, perhaps []string
		alike              bool
	}{
		{nil, nil, nil, true},
		{nil, []string{a}, []string{a}, false},
		{[]string{a}, nil, nil, false},
		{[]string{a}, nil, []string{a}, true},
		{[]string{a, b}, []string{a, b}, nil, true},
		{[]string{b, a}, []string{a, b}, nil, false},
		{[]string{a}, []string{a, b}, nil, false},
		{[]string{a, b}, []string{a}, []string{c}, false},
		{[]string{a, c, b}, []string{a, b}, []string{a, b, c}, true},
		{[]string{load}, []string{load, again}, nil, true},
		{[]string{load, again}, []string{load}, nil, false},
		{[]string{load}, []string{load, other}, nil, false},
		{nil, []string{load}, nil, false},
		{[]string{store}, []string{store, stored}, nil, false},
		{[]string{store}, []string{store, again}, nil, true},
		{[]string{store}, []string{store, other}, nil, false},
		{[]string{load}, []string{load, stored}, nil, false},
		{[]string{early + " (5 times)", b}, []string{b, late}, []string{early + " (6 times)", b}, true},
		{[]string{early + " (6 times)", b}, []string{b, late}, []string{early + " (6 times)", b}, true},
		{[]string{early + " (7 times)", b}, []string{b, late}, []string{early + " (6 times)", b}, false},
		{[]string{early, b}, []string{b, late + " (2 times)"}, []string{early + " (6 times)", b}, false},
		{[]string{b}, []string{b, late}, []string{early + " (6 times)", b}, false},
	} {
		if got := Alike(x.got, x.want, x.perhaps); got != x.alike {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestFence checks that a changed byte is noticed beside a buffer but not in it.
func TestFence(t *testing.T) {
	mem, intact := Fence([]byte("abc"))
	mem[0], mem[2] = 'x', 'y'
	if !intact() || string(mem) != "xby" || cap(mem) != 3 {
		t.Errorf("%q, %d", mem, cap(mem))
	}
	for _, at := range []int{-1, 3, -canary, 3 + canary - 1} {
		mem, intact := Fence([]byte("abc"))
		*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(mem)), at))++
		if intact() {
			t.Errorf("byte %d was changed", at)
		}
	}
}

package difftest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

const adversaryDir = "testdata/adversary"

// chosen returns the executors that choose the width of gangs, and one with a fixed width.
func chosen(seed int) (list []exec.Executor) {
	var forced []exec.Executor
	all := MachineExecutors()
	if *every {
		return all
	}
	for _, e := range all {
		isForced := false
		for _, f := range all {
			isForced = isForced || strings.HasPrefix(e.Name(), f.Name()+"x")
		}
		if isForced {
			forced = append(forced, e)
		} else {
			list = append(list, e)
		}
	}
	if len(forced) > 0 {
		list = append(list, forced[seed%len(forced)])
	}
	return list
}

func TestAdversary(t *testing.T) { Adversary(t, adversaryDir, chosen, *every) }

func TestEndless(t *testing.T) {
	Endless(t, adversaryDir, func(seed int) []exec.Executor { return append(chosen(seed), interp.Reference) })
}

// TestLimits checks that kernels that need too much memory give the reference executor's error or its results.
func TestLimits(t *testing.T) {
	m, _ := adversaries(t, adversaryDir, "limits.cl")
	failing := 0
	for i, f := range m.Funcs {
		r := launch.Range{Global: []uint64{16}, Local: []uint64{16}}
		run := func(e exec.Executor) victim {
			return attack(t, programOf(t, m, e), f.Name, 1000, r, exec.ChecksNone)
		}
		want := run(interp.Reference)
		if want.err != "" {
			failing++
		}
		for _, e := range chosen(i) {
			if got := run(e); got.err != want.err || !bytes.Equal(got.mem, want.mem) {
				t.Errorf("%s on %s: error %q, want %q, or other results", f.Name, e.Name(), got.err, want.err)
			}
		}
	}
	if failing == 0 || failing == len(m.Funcs) {
		t.Errorf("%d of %d kernels ask for too much", failing, len(m.Funcs))
	}
}

package gputest

import (
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/difftest"
)

// guarded returns an executor that checks the device's memory around each object.
func guarded(t *testing.T) *device.Executor {
	l := &left{why: map[string]int{}}
	e := executor(machine(t), l)
	e.Guard = 4096
	t.Cleanup(func() {
		if len(l.why) > 0 {
			t.Log("the reference executor ran:", l.why)
		}
	})
	return e
}

const adversaryDir = "../difftest/testdata/adversary"

// These are difftest's tests of malicious kernels. Each launch follows one with a fault, which shows that the
// device is usable afterwards.

func TestFaults(t *testing.T) {
	e := guarded(t)
	difftest.Faults(t, []exec.Executor{e})
}

func TestStops(t *testing.T) {
	e := guarded(t)
	difftest.Stops(t, []exec.Executor{e})
}

func TestAdversary(t *testing.T) {
	e := guarded(t)
	difftest.Adversary(t, adversaryDir, func(int) []exec.Executor { return []exec.Executor{e} }, *useCUDA)
}

func TestEndless(t *testing.T) {
	e := guarded(t)
	difftest.Endless(t, adversaryDir, func(seed int) []exec.Executor {
		if !*useCUDA && seed%4 != 0 { // the simulator is slow
			return nil
		}
		return []exec.Executor{e}
	})
}

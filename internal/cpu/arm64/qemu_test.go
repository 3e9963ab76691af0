package arm64_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestQEMU runs the tests of arm64 machine code under QEMU's user-mode emulation: kernels and conversions in
// package jit, the repository's examples in package difftest.
func TestQEMU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("qemu-aarch64 is not installed: sh setup.sh")
	}
	for _, c := range []struct{ pkg, run string }{{"jit", "TestARM64|TestFallback"}, {"../test/difftest", "TestExamples|TestFaults$"}} {
		cmd := exec.Command("go", "test", "-exec", qemu, "../"+c.pkg, "-run", c.run, "-v")
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", cmd.Args, err, out)
		}
		if !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v ran no tests:\n%s", cmd.Args, out)
		}
	}
}

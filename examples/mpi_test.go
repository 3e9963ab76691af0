package examples

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "build the driver and run C programs on it")

// TestStencil runs mpi/stencil.c, OpenCL over MPI on libpurecl.so, on one to five ranks. Rank 0 compares with C bit for bit.
func TestStencil(t *testing.T) {
	if !*long {
		t.Skip("builds the driver: run with -long")
	}
	for _, tool := range []string{"mpicc", "mpirun"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("no %s: install Debian's openmpi-bin and libopenmpi-dev (sh setup.sh release)", tool)
		}
	}
	dir := t.TempDir()
	run(t, nil, "make", "-C", "..", "driver")
	run(t, nil, "mpicc", "-O2", "-ffp-contract=off", filepath.Join("mpi", "stencil.c"), "-o", filepath.Join(dir, "stencil"), "-lOpenCL")
	lib, err := filepath.Abs("../bin/libpurecl.so")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "purecl.icd"), []byte(lib+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// Open MPI refuses to run as root without these variables.
	env := []string{"OCL_ICD_VENDORS=" + dir, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}
	for _, c := range [][]string{{"1", "64", "33", "20"}, {"2", "301", "203", "40"}, {"3", "301", "203", "40"}, {"5", "17", "40", "101"}} {
		args := append([]string{"--oversubscribe", "-np", c[0], filepath.Join(dir, "stencil")}, c[1:]...)
		if out := run(t, env, "mpirun", args...); !strings.Contains(out, ": 0 elements differ from C") {
			t.Errorf("%v: %s", c, out)
		}
	}
}

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

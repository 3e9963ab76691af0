package difftest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/purecl/purecl/internal/test/filetest"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

// sameCase compares a case, and reports its problems under a name.
func sameCase(t *testing.T, name string, c *filetest.Case, o Options) Report {
	t.Helper()
	r := Check(c, o)
	if r.Err != nil {
		t.Errorf("%s: %v", name, r.Err)
	}
	for _, p := range r.Problems {
		t.Errorf("%s: %s: %s", name, p.Executor, p.Text)
	}
	return r
}

// sameKernel compares a random kernel. The test ends at the first problem, with the kernel in a smaller form. An error in
// the kernel itself is in the report.
func sameKernel(t *testing.T, k *kerneltest.Kernel, o Options) Report {
	t.Helper()
	r := Check(k.Case(), o)
	for _, p := range r.Problems {
		t.Fatalf("seed %d: %s: %s\n%s", k.Seed, p.Executor, p.Text, Repro(k, o, p.Executor, 1000))
	}
	return r
}

// casesOf returns the cases of a file of run tests, and its text. The head stands before the text.
func casesOf(t *testing.T, path, head string) ([]*filetest.Case, []byte) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filetest.ParseRuns(path, append([]byte(head), src...))
	if err != nil {
		t.Fatal(err)
	}
	return cases, src
}

// exampleCases returns the cases of all examples.
func exampleCases(t *testing.T) (list []*filetest.Case) {
	t.Helper()
	for _, x := range examples {
		cases, _ := casesOf(t, filepath.Join("../../../examples", x.file), x.header)
		list = append(list, cases...)
	}
	return list
}

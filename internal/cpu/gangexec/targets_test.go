package gangexec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestTargets builds the repository's kernels with the native accesses of x86 and verifies the functions. Each shape
// of access must occur.
func TestTargets(t *testing.T) {
	n, seen := 0, map[gang.Shape]bool{}
	one := func(file string, k *ssa.Func, full bool, lv *x86.Level) {
		p, err := spmd.Prepare(k, spmd.Options{RowUniform: true, GroupUniform: true, Versions: full, Gangs: true, Rows: lv.Target().VectorBytes})
		if err != nil {
			return
		}
		f, err := gang.Build(p, gang.Options{Lanes: 2 * lv.Lanes, Full: full, Target: lv.Target()})
		if err != nil {
			return
		}
		n++
		if err := gang.Verify(f); err != nil {
			t.Errorf("%s: %s for %s: %v", file, k.Name, lv.Name, err)
		}
		for _, b := range f.Blocks {
			for i := range b.Insts {
				seen[b.Insts[i].Shape] = true
			}
		}
	}
	err := filepath.WalkDir("../../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".cl" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		res, err := compile.Compile(t.Context(), path, src, &compile.Options{Source: option.Source{Std: opencl.CL30}})
		if err != nil {
			return nil // a file about errors, or one that needs options
		}
		for _, k := range res.Module.Funcs {
			if k.Kernel != nil {
				one(path, k, true, x86.FP16)
				one(path, k, false, x86.AVX512)
				one(path, k, true, x86.AVX2)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 500 {
		t.Errorf("only %d functions", n)
	}
	for s := gang.NoShape; s < gang.NumShapes; s++ {
		if !seen[s] {
			t.Errorf("no access has the shape %q", s)
		}
	}
}

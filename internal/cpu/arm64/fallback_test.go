package arm64_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

var (
	updateFallback = flag.Bool("fallback.update", false, "rewrite testdata/fallback.txt")
	kernelDir      = flag.String("kernels", "", "print which kernels of the .cl files under this directory gang functions or this machine's code have not")
)

// eachKernel calls f with every kernel of the .cl files under dir.
func eachKernel(t *testing.T, dir string, f func(file string, k *ssa.Func)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".cl" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		res, err := compile.Compile(context.Background(), path, src, &compile.Options{Source: option.Source{Std: opencl.CL30}})
		if err != nil {
			return nil // a file about errors, or one that needs options
		}
		name, err := filepath.Rel(dir, path)
		for _, k := range res.Module.Funcs {
			if k.Kernel != nil {
				f(filepath.ToSlash(name), k)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// gangError returns the reason why a kernel has no gang function, for whole gangs or partial ones.
func gangError(k *ssa.Func, lanes int, then func(*gang.Func) error) error {
	for _, full := range []bool{true, false} {
		f, err := gangexec.Function(k, lanes, full)
		if err != nil {
			return err
		}
		if err := then(f); err != nil {
			return err
		}
	}
	return nil
}

// without lists the kernels under dir that have no gang functions of 32 lanes, and the kernels without machine
// code.
func without(t *testing.T, dir string) (list []string) {
	n, count := 0, map[string]int{}
	eachKernel(t, dir, func(file string, k *ssa.Func) {
		n++
		note := func(of string, err error) {
			if err != nil {
				count[of+": "+err.Error()]++
				list = append(list, fmt.Sprintf("%s: %v: %s: %s", of, err, file, k.Name))
			}
		}
		note("gang", gangError(k, 32, func(f *gang.Func) error {
			if err := gang.Verify(f); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			return nil
		}))
		note("arm64", gangError(k, arm64.Lanes, func(f *gang.Func) error {
			_, err := arm64.Generate(f, arm64.Options{})
			return err
		}))
	})
	t.Logf("%d kernels in %s", n, dir)
	for _, why := range slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) }) {
		t.Logf("%5d %s", count[why], why)
	}
	if n < 70 && dir != *kernelDir {
		t.Errorf("only %d kernels found", n)
	}
	slices.Sort(list)
	return list
}

// TestFallback compares the list of the repository's kernels without gang functions or without this machine's
// code with a golden file. The list should shrink.
func TestFallback(t *testing.T) {
	if *kernelDir != "" {
		t.Log(strings.Join(without(t, *kernelDir), "\n"))
		return
	}
	const golden = "testdata/fallback.txt"
	out := strings.Join(append(without(t, "../../.."), ""), "\n")
	if *updateFallback {
		if err := os.WriteFile(golden, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out != string(want) {
		t.Errorf("the list differs from %s (-fallback.update rewrites it):\n%s", golden, out)
	}
}

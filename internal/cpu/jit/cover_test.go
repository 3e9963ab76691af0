//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/option"
)

var (
	updateFallback = flag.Bool("fallback.update", false, "rewrite testdata/fallback.txt")
	kernelDir      = flag.String("kernels", "", "print which kernels of the .cl files under this directory have no machine code")
)

// withoutCode compiles every kernel under dir on a level. It returns the number of kernels, and for each kernel
// without machine code a line with the reason, the file and the name.
func withoutCode(t *testing.T, dir string, lv *x86.Level) (kernels int, list []string) {
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
		if err != nil {
			return err
		}
		for f := range kernelsOf(res.Module) {
			kernels++
			if _, err := compileKernel(f, Options{Panics: true, Level: lv}, nil); err != nil {
				list = append(list, fmt.Sprintf("%v: %s: %s", err, filepath.ToSlash(name), f.Name))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return kernels, list
}

// summary counts the kernels by reason.
func summary(list []string) string {
	count := map[string]int{}
	for _, s := range list {
		count[s[:strings.Index(s, ": ")]]++
	}
	var reasons []string
	for r := range count {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	var s strings.Builder
	for _, r := range reasons {
		fmt.Fprintf(&s, "%5d %s\n", count[r], r)
	}
	return s.String()
}

// TestFallback compares the list of the repository's kernels that need the reference executor, with reasons,
// with a golden file. The list should shrink.
func TestFallback(t *testing.T) {
	const golden = "testdata/fallback.txt"
	var out strings.Builder
	for _, lv := range levels() {
		if lv.Base != nil {
			continue // these levels differ in a few instructions only
		}
		n, list := withoutCode(t, "../../..", lv)
		t.Logf("%s: %d of %d kernels without machine code\n%s", lv.Name, len(list), n, summary(list))
		if n < 70 {
			t.Errorf("only %d kernels found", n)
		}
		for _, s := range list {
			fmt.Fprintf(&out, "%s: %s\n", lv.Name, s)
		}
		if *kernelDir != "" {
			n, list := withoutCode(t, *kernelDir, lv)
			t.Logf("%s: %d of %d kernels of %s without machine code\n%s%s", lv.Name, len(list), n, *kernelDir, summary(list), strings.Join(list, "\n"))
		}
	}
	if len(levels()) != len(x86.Levels) {
		return // the list covers all levels
	}
	if *updateFallback {
		if err := os.MkdirAll(filepath.Dir(golden), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the list differs from %s (-fallback.update rewrites it):\n%s", golden, out.String())
	}
}

package purecl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fuzzTargets lists the fuzz targets of the module as "./folder Name".
func fuzzTargets(t *testing.T) (list []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
				continue
			}
			if len(fn.Type.Params.List) == 1 {
				if x, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr); ok {
					if s, ok := x.X.(*ast.SelectorExpr); ok && s.Sel.Name == "F" {
						list = append(list, "./"+filepath.ToSlash(filepath.Dir(path))+" "+fn.Name.Name)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// TestFuzzTargets checks that make fuzz runs every fuzz target.
func TestFuzzTargets(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make")
	}
	out, err := exec.Command("make", "-s", "fuzz-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(got)
	want := fuzzTargets(t)
	if len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("make fuzz runs\n%s\nand the tests have\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

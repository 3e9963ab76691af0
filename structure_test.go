package purecl_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// limits are the greatest sizes of code.
var limits = map[string]int{"lines of a file": 800, "lines of a function": 80, "fields of a type": 20, "methods of a type": 60}

// structName returns the name of a type expression's type: T of *T and T[P].
func structName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return structName(x.X)
	case *ast.IndexExpr:
		return structName(x.X)
	case *ast.IndexListExpr:
		return structName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// measure adds the sizes of a file of the folder dir to sizes.
func measure(fset *token.FileSet, f *ast.File, dir, path string, sizes map[[2]string]int) {
	sizes[[2]string{"lines of a file", path}] = fset.Position(f.FileEnd).Line
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				t := structName(d.Recv.List[0].Type)
				sizes[[2]string{"methods of a type", dir + "." + t}]++
				name = t + "." + name
			}
			key := [2]string{"lines of a function", dir + "." + name}
			sizes[key] = max(sizes[key], fset.Position(d.End()).Line-fset.Position(d.Pos()).Line+1)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if st, ok := t.Type.(*ast.StructType); ok {
					n := 0
					for _, f := range st.Fields.List {
						n += max(1, len(f.Names))
					}
					sizes[[2]string{"fields of a type", dir + "." + t.Name.Name}] = n
				}
			}
		}
	}
}

// oversized lists the code that is larger than its limit.
func oversized(sizes map[[2]string]int) (list []string) {
	for key, n := range sizes {
		if most := limits[key[0]]; n > most {
			list = append(list, fmt.Sprintf("%s: %d %s, at most %d", key[1], n, key[0], most))
		}
	}
	slices.Sort(list)
	return list
}

// TestSizes checks that functions, files and types are no larger than limits. Tests and generated files do
// not count.
func TestSizes(t *testing.T) {
	sizes := map[[2]string]int{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "out") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if !ast.IsGenerated(f) {
			measure(fset, f, filepath.ToSlash(filepath.Dir(path)), filepath.ToSlash(path), sizes)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range oversized(sizes) {
		t.Error(l)
	}
}

// TestSizesFinds checks that oversized finds code that is too large.
func TestSizesFinds(t *testing.T) {
	text := "package p\n\ntype T struct {\n" + strings.Repeat("\tx, y int\n", 11) + "}\n\nfunc (t *T) long() {\n" + strings.Repeat("\n", 80) + "}\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "d/p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[[2]string]int{}
	measure(fset, f, "d", "d/p.go", sizes)
	want := []string{"d.T.long: 82 lines of a function, at most 80", "d.T: 22 fields of a type, at most 20"}
	if got := oversized(sizes); !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

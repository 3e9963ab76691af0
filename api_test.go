package purecl

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The bounds on the size of the API.
const (
	maxIdentifiers = 90
	maxMethods     = 60
)

// An exported is an exported identifier, or a method as "Type.Method".
type exported struct {
	name string
	doc  bool
}

// api reads the exported identifiers and methods of the package in dir.
func api(t *testing.T, dir string) (identifiers, methods []exported) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			i, m := exportedOf(d)
			identifiers, methods = append(identifiers, i...), append(methods, m...)
		}
	}
	return identifiers, methods
}

func exportedOf(d ast.Decl) (identifiers, methods []exported) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		x := exported{d.Name.Name, d.Doc != nil}
		if !d.Name.IsExported() {
			return
		}
		if d.Recv == nil {
			return []exported{x}, nil
		}
		if r := receiver(d.Recv.List[0].Type); ast.IsExported(r) {
			x.name = r + "." + x.name
			return nil, []exported{x}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					identifiers = append(identifiers, exported{s.Name.Name, d.Doc != nil || s.Doc != nil})
					methods = append(methods, interfaceMethods(s)...)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						identifiers = append(identifiers, exported{n.Name, d.Doc != nil || s.Doc != nil || s.Comment != nil})
					}
				}
			}
		}
	}
	return identifiers, methods
}

func interfaceMethods(s *ast.TypeSpec) (list []exported) {
	if i, ok := s.Type.(*ast.InterfaceType); ok {
		for _, f := range i.Methods.List {
			for _, n := range f.Names {
				if n.IsExported() {
					list = append(list, exported{s.Name.Name + "." + n.Name, f.Doc != nil})
				}
			}
		}
	}
	return list
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestAPISize holds the API small, documented, and shown: each identifier and method is in
// a runnable example.
func TestAPISize(t *testing.T) {
	identifiers, methods := api(t, ".")
	if len(identifiers) < 20 || len(identifiers) > maxIdentifiers {
		t.Errorf("%d exported identifiers, at most %d are wanted", len(identifiers), maxIdentifiers)
	}
	if len(methods) < 20 || len(methods) > maxMethods {
		t.Errorf("%d exported methods, at most %d are wanted", len(methods), maxMethods)
	}
	t.Logf("%d identifiers, %d methods", len(identifiers), len(methods))
	shown := examples(t, "example_test.go")
	for _, x := range append(identifiers, methods...) {
		if !x.doc {
			t.Errorf("%s has no doc comment", x.name)
		}
		if _, method, ok := strings.Cut(x.name, "."); ok && !shown[method] || !ok && !shown[x.name] {
			t.Errorf("%s is in no runnable example", x.name)
		}
	}
	identifiers, methods = api(t, "vec")
	for _, x := range append(identifiers, methods...) {
		if !x.doc {
			t.Errorf("vec.%s has no doc comment", x.name)
		}
	}
}

// examples returns the names that examples with output use.
func examples(t *testing.T, name string) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if i.Path.Value == `"unsafe"` {
			t.Error("an example needs unsafe")
		}
	}
	shown := map[string]bool{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		if strings.HasPrefix(f.Name.Name, "Example") && !hasOutput(file, f) {
			t.Errorf("%s has no output", f.Name.Name)
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				shown[s.Sel.Name] = true
			}
			return true
		})
	}
	return shown
}

func hasOutput(file *ast.File, f *ast.FuncDecl) bool {
	for _, c := range file.Comments {
		if c.Pos() > f.Pos() && c.End() < f.End() && strings.HasPrefix(c.Text(), "Output:") {
			return true
		}
	}
	return false
}

// TestCommandIsStatic: the command without GPU devices loads no libraries at run time, which would
// make it one that is linked dynamically.
func TestCommandIsStatic(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/purecl").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "purego") {
		t.Error("cmd/purecl depends on purego")
	}
	if out, err = exec.Command("go", "list", "-deps", "-tags", "gpu", "./cmd/purecl").Output(); err != nil || !strings.Contains(string(out), "purego") {
		t.Errorf("with the tag gpu it does not: %v", err)
	}
}

// TestDependencies: who imports the API gets the standard library, x/sys, x/image and cpuid.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".", "./vec").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range strings.Fields(string(out)) {
		n++
		ok := false
		for _, allowed := range []string{"github.com/purecl/purecl", "golang.org/x/sys", "golang.org/x/image", "github.com/klauspost/cpuid/v2"} {
			ok = ok || path == allowed || strings.HasPrefix(path, allowed+"/")
		}
		if !ok {
			t.Errorf("%s is a dependency", path)
		}
	}
	if n < 10 {
		t.Errorf("go list names %d packages", n)
	}
}

package purecl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A room is a folder of packages. Its packages may import only rooms above it.
type room struct {
	path string   // "" is the package of the repository's root alone
	what string   // for docs/ARCHITECTURE.md
	uses []string // modules of others that it may import
	only []string // rooms that it may import, if not all above it; vocabulary is of package ssa what its table of operations needs
	cgo  bool
}

// vocabulary stands in a room's list for the names of package ssa that vocabularyFiles declare: operations, kinds and
// their meanings, without values, functions and modules.
const vocabulary = "internal/ir/ssa (operations and kinds)"

var vocabularyFiles = []string{"op.go", "type.go", "auxiliary.go", "eval.go"}

// machine lists the rooms that a machine's package may import: it knows no SSA values, plans or launches.
var machine = []string{"internal/base/slab", "internal/base/timing", "internal/ir/numeric", "internal/front/diag", vocabulary, "internal/cpu/target", "internal/cpu/gang", "internal/cpu/regalloc"}

// rooms is the order of the architecture, and the list in docs/ARCHITECTURE.md.
var rooms = []room{
	{path: "internal/base/opencl", what: "tables of facts that OpenCL defines: status codes, versions, extensions and features, attributes, names, image formats, samplers, limits, scalar types"},
	{path: "internal/base/slab", what: "slab allocation: memory for many small values that are freed together, and its reuse"},
	{path: "internal/base/timing", what: "the phases from source to results, and a clock for them"},
	{path: "internal/base/environment", what: "the table of environment variables: values, defaults, meaning"},
	{path: "internal/base/fpenv", what: "the floating-point environment of a thread: kernels get the default one, whatever the host has set"},
	{path: "internal/ir/numeric", what: "the exact definition of every scalar conversion, rounding, half and saturating operation, for constant folding, the executors and the host API"},
	{path: "internal/run/image", what: "the meaning of images: formats, elements, samplers, filters"},
	{path: "internal/base/npy", what: "NumPy's file format"},
	{path: "internal/cpu/x86/asm", what: "x86-64 instruction table and encoder"},
	{path: "internal/front/diag", what: "files, positions, macro chains, the registry of diagnostic codes, renderers (terminal, build log, JSON, SARIF)"},
	{path: "internal/front/option", what: "build options: the parser of clBuildProgram's string and of the command line's options"},
	{path: "internal/front/token", what: "tokens, numbered identifiers, values of constants"},
	{path: "internal/front/preprocess", what: "scanner, macros, includes, conditions, pragmas: text to tokens"},
	{path: "internal/front/syntax", what: "AST, parser, printer"},
	{path: "internal/front/types", what: "OpenCL C's types: size, alignment, spelling"},
	{path: "internal/ir/ssa", what: "op table, values, builder, verifier, printer and parser of the text form, dominators, loops, constant evaluation"},
	{path: "internal/ir/interval", what: "intervals of integers and the arithmetic of operations on them, for passes and for plans"},
	{path: "internal/ir/uniform", what: "uniformity analysis: the values that may differ between work-items, for the executor and for plans"},
	{path: "internal/front/builtin", what: "the table of builtin functions, one row each; bodies in OpenCL C in `lib/*.cl`"},
	{path: "internal/front/check", what: "AST to typed tree, and all semantic errors"},
	{path: "internal/front/irgen", what: "typed tree to scalar SSA"},
	{path: "internal/ir/opt", what: "optimisation passes, one per file; the pipeline is a table"},
	{path: "internal/run/exec", what: "what executors share: index spaces, objects, findings, faults, printf, image and atomic operations; the interfaces of executors and devices; the list of devices"},
	{path: "internal/ir/imagecode", what: "specialisation of image functions to ordinary SSA for known formats and samplers"},
	{path: "internal/run/interp", what: "the reference executor and its observers, one per file"},
	{path: "internal/cpu/target", what: "what lanes, gang functions and gang lengths depend on in a machine: sizes, native patterns of accesses"},
	{path: "internal/cpu/lanes", what: "value analysis over the lanes of a gang: uniform, affine or varying, intervals, multiples; the pattern of each access and the place of its bounds check; the length of gangs"},
	{path: "internal/cpu/spmd", what: "the plan of a kernel for gangs: uniform and varying values, masks, the order of blocks, and versions for common cases"},
	{path: "internal/cpu/gang", what: "the intermediate representation between plans and machine code: typed registers, checks, shapes of accesses; text form, verifier, interpreter, builder"},
	{path: "internal/cpu/regalloc", what: "register allocation for any machine: live ranges, linear scan, spills, rematerialisation, a checker of the result"},
	{path: "internal/cpu/arm64", what: "A64 machine code with NEON from gang functions: instruction table, encoder, selection, and the host's side of running it", only: machine},
	{path: "internal/cpu/x86", what: "x86-64 machine code from gang functions: selection, memory accesses, stubs, CPU levels", only: append(slices.Clip(machine), "internal/cpu/x86/asm")},
	{path: "internal/cpu/explain", what: "explanations of a kernel's x86 code for listings: shapes of accesses with reasons, divergent branches, loops"},
	{path: "internal/cpu/gangexec", what: "the executor of gang functions, interpreted or as machine code: object tables, violations, batches"},
	{path: "internal/cpu/jit", what: "the executor of machine code: executable memory, gangs, barriers; `interp` runs the kernels that it cannot", uses: []string{"github.com/klauspost/cpuid/v2", "golang.org/x/sys"}},
	{path: "internal/gpu/ptx", what: "PTX from kernels: selection, checked memory accesses, barriers, conversions"},
	{path: "internal/run/launch", what: "ND-ranges, arguments, program variables, scheduling over an executor"},
	{path: "internal/gpu/device", what: "the driver-independent part of a GPU device: object tables, parameter blocks, launches, findings, printf"},
	{path: "internal/gpu/cuda", what: "NVIDIA's driver for `device`: libcuda loaded at run time, without cgo", uses: []string{"github.com/ebitengine/purego", "golang.org/x/sys"}},
	{path: "vec", what: "OpenCL C's data types for Go programs: vectors, half, conversions; conversions of slices by machine code"},
	{path: "internal/compile", what: "the pipeline, the cache of library functions"},
	{path: "internal/run/cpu", what: "the processor as a device of `exec`: its description, memory, copies and launches", uses: []string{"github.com/klauspost/cpuid/v2"}},
	{path: "internal/run/program", what: "compiled programs for any device; the text of diagnostics and findings"},
	{path: "internal/run/argument", what: "kernel arguments as users write them: numbers, data, files, images, samplers; results as text, files or pictures"},
	{path: "internal/run/evaluate", what: "evaluation of OpenCL C expressions: the program around an expression, its type, its value as text"},
	{path: "internal/test/growth", what: "growth tests: distinguishes linear from quadratic time"},
	{path: "internal/test/filetest", what: "readers of textual tests"},
	{path: "internal/test/kerneltest", what: "random kernels without undefined behaviour, as OpenCL C and as SSA"},
	{path: "internal/test/gangtest", what: "runs gang functions from text files or at random, and compares machine code with the interpreter"},
	{path: "internal/test/difftest", what: "runs a kernel on every executor of the machine and compares the results bit for bit"},
	{path: "internal/test/ptxsim", what: "runs PTX on the processor, for tests without a GPU"},
	{path: "internal/test/gputest", what: "compares kernels on a GPU with the reference executor"},
	{path: "internal/test/cleanroot", what: "runs scripts in a Debian system with only named packages"},
	{path: "internal/test/pages", what: "checks the documentation: links, code blocks, commands and their output"},
	{path: "internal/run/profile", what: "kernel profiles by source line, as text and in pprof's format", uses: []string{"github.com/google/pprof/profile"}},
	{path: "internal/debug", what: "the debugger's engine: stops, steps forward and back, frames, variables, expressions, memory"},
	{path: "internal/debug/console", what: "the debugger's terminal program: its commands and their output"},
	{path: "internal/debug/adapter", what: "the debugger for editors: the Debug Adapter Protocol", uses: []string{"github.com/google/go-dap"}},
	{path: "internal/ide", what: "answers for editors about a source file: diagnostics, hover, completion, references, renaming, hints; kernels in Go files; hints from a kernel's machine code"},
	{path: "internal/lsp", what: "the language server: package `ide` through the Language Server Protocol", uses: []string{"github.com/BurntSushi/toml"}},
	{path: "internal/playground", what: "the playground in a browser: package `ide` and the reference executor as WebAssembly, listings of machine code and PTX, the page and its web server"},
	{path: "internal/run/host", what: "OpenCL's object model: contexts, buffers, images, queues, events, programs, kernels, and the specification's error conditions", uses: []string{"github.com/klauspost/cpuid/v2"}},
	{path: "pproflabels", what: "the package to import for kernels' names in a Go program's own CPU profile"},
	{path: "gpu", what: "the package to import for GPU devices: registers those of `cuda`"},
	{path: "", what: "the public Go API, over `exec`'s devices"},
	{path: "cmd/purecl", what: "the command line, one file per command", uses: []string{"github.com/alecthomas/kong", "github.com/reeflective/readline", "golang.org/x/image", "golang.org/x/term", "gonum.org/v1/plot"}},
	{path: "icd", what: "libpurecl.so, the OpenCL driver: the only cgo; translates handles, arguments and status codes, and decides nothing", cgo: true},
	{path: "examples", what: "programs, run by the tests"},
	{path: "bench", what: "benchmarks against other programs", uses: []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "github.com/ebitengine/purego"}},
	{path: "clients", what: "real programs on the driver, with results compared to those without OpenCL or on PoCL"},
	{path: "internal/gen", what: "generators of checked-in files"},
	{path: "internal/tool", what: "programs for maintainers: releases, the corpus runner, the machine-code fuzzer, the builder of the playground, the pictures of the documentation", uses: []string{"github.com/CycloneDX/cyclonedx-go", "github.com/chromedp"}},
}

const module = "github.com/purecl/purecl"

// A listed is a package in the output of go list.
type listed struct {
	ImportPath string
	Imports    []string
}

// roomOf returns the index of the room that a package of the module is in, -1 if none.
func roomOf(rooms []room, path string) int {
	rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	best := -1 // the innermost so far
	for i, r := range rooms {
		in := rel == r.path || r.path != "" && strings.HasPrefix(rel, r.path+"/")
		if in && (best < 0 || len(r.path) > len(rooms[best].path)) {
			best = i
		}
	}
	return best
}

// within reports whether a package belongs to a module.
func within(path, module string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// violations lists the imports that the rooms forbid.
func violations(rooms []room, pkgs []listed) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	used := make([]bool, len(rooms))
	for i, r := range rooms {
		if slices.ContainsFunc(rooms[:i], func(o room) bool { return o.path == r.path }) {
			say("the room %q is listed twice", r.path)
		}
	}
	for _, p := range pkgs {
		at := roomOf(rooms, p.ImportPath)
		if at < 0 {
			say("%s is in no room: give it one in imports_test.go", p.ImportPath)
			continue
		}
		used[at] = true
		for _, imp := range p.Imports {
			first, _, _ := strings.Cut(imp, "/")
			switch {
			case imp == "C":
				if !rooms[at].cgo {
					say("%s uses cgo", p.ImportPath)
				}
			case within(imp, module):
				to := roomOf(rooms, imp)
				if to > at {
					say("%s imports %s, which is below it", p.ImportPath, imp)
				}
				if r := &rooms[at]; to >= 0 && to != at && len(r.only) > 0 && !slices.ContainsFunc(r.only, func(o string) bool { return strings.TrimSuffix(o, " (operations and kinds)") == rooms[to].path }) {
					say("%s imports %s, which is not one of the rooms that it may", p.ImportPath, imp)
				}
			case strings.Contains(first, "."):
				if !slices.ContainsFunc(rooms[at].uses, func(m string) bool { return within(imp, m) }) {
					say("%s imports %s, which its room may not", p.ImportPath, imp)
				}
			}
		}
	}
	for i, r := range rooms {
		if !used[i] {
			say("the room %q has no packages", r.path)
		}
	}
	return list
}

// TestImportGraph checks the imports of all packages against the architecture.
func TestImportGraph(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	for _, v := range violations(rooms, pkgs) {
		t.Error(v)
	}
}

// TestImportGraphFinds plants a violation of each sort and one in every room.
func TestImportGraphFinds(t *testing.T) {
	small := []room{{path: "internal/low"}, {path: "internal/few", only: []string{"internal/low"}}, {path: "internal/picky", only: []string{"internal/low"}}, {path: "internal/high", uses: []string{"example.org/m"}}, {path: ""}, {path: "icd", cgo: true}}
	fine := []listed{
		{ImportPath: module + "/internal/low", Imports: []string{"fmt", "encoding/json"}},
		{ImportPath: module + "/internal/few", Imports: []string{module + "/internal/low", module + "/internal/few/part", "fmt"}},
		{ImportPath: module + "/internal/picky", Imports: []string{module + "/internal/low"}},
		{ImportPath: module + "/internal/high/part", Imports: []string{module + "/internal/high", module + "/internal/low", "example.org/m/x"}},
		{ImportPath: module, Imports: []string{module + "/internal/high"}},
		{ImportPath: module + "/icd", Imports: []string{"C", module}},
	}
	if v := violations(small, fine); len(v) > 0 {
		t.Errorf("reported without reason: %q", v)
	}
	for _, c := range []struct {
		planted listed
		want    string
	}{
		{listed{ImportPath: module + "/internal/low/x", Imports: []string{module + "/internal/high"}}, "below it"},
		{listed{ImportPath: module + "/internal/low", Imports: []string{module}}, "below it"},
		{listed{ImportPath: module, Imports: []string{module + "/icd"}}, "below it"},
		{listed{ImportPath: module + "/internal/picky", Imports: []string{module + "/internal/few"}}, "not one of the rooms"},
		{listed{ImportPath: module + "/internal/lower"}, "in no room"},
		{listed{ImportPath: module + "/new"}, "in no room"},
		{listed{ImportPath: module + "/internal/high", Imports: []string{"C"}}, "uses cgo"},
		{listed{ImportPath: module + "/internal/low", Imports: []string{"example.org/m"}}, "may not"},
		{listed{ImportPath: module + "/internal/high", Imports: []string{"example.org/mm"}}, "may not"},
	} {
		v := violations(small, append(fine[:len(fine):len(fine)], c.planted))
		if len(v) != 1 || !strings.Contains(v[0], c.want) {
			t.Errorf("%v: reported %q, want %q", c.planted, v, c.want)
		}
	}
	if v := violations(append(small, room{path: "internal/low"}, room{path: "gone"}), fine); len(v) != 3 {
		t.Errorf("a room twice and one without packages: reported %q", v)
	}
	// In the real table every room but the last is above another.
	for i, r := range rooms[:len(rooms)-1] {
		up := listed{ImportPath: strings.TrimSuffix(module+"/"+r.path, "/"), Imports: []string{module + "/" + rooms[len(rooms)-1].path}}
		found := slices.ContainsFunc(violations(rooms, []listed{up}), func(v string) bool { return strings.Contains(v, "below it") })
		if !found {
			t.Errorf("room %d, %q: an import of %q is not reported", i, r.path, rooms[len(rooms)-1].path)
		}
	}
}

// declared returns the names that files of a package declare.
func declared(t *testing.T, dir string, files []string) map[string]bool {
	names := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// outside returns the names of package ssa that a file uses and names lacks.
func outside(f *ast.File, names map[string]bool) (list []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "ssa" && !names[s.Sel.Name] {
				list = append(list, s.Sel.Name)
			}
		}
		return true
	})
	return list
}

// TestVocabulary checks that rooms which may use package ssa for the names of operations use nothing else of it.
func TestVocabulary(t *testing.T) {
	names := declared(t, "internal/ir/ssa", vocabularyFiles)
	planted, err := parser.ParseFile(token.NewFileSet(), "planted.go", "package p\nvar x ssa.Op = ssa.OpAdd\nvar y *ssa.Value", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := outside(planted, names); !slices.Equal(got, []string{"Value"}) {
		t.Fatalf("in the planted file: %q", got)
	}
	for _, r := range rooms {
		if !slices.Contains(r.only, vocabulary) {
			continue
		}
		files, _ := filepath.Glob(r.path + "/*.go")
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range outside(f, names) {
				t.Errorf("%s uses ssa.%s, which %q do not declare", file, name, vocabularyFiles)
			}
		}
	}
}

// TestArchitecture checks that docs/ARCHITECTURE.md lists the rooms of the table.
func TestArchitecture(t *testing.T) {
	var want strings.Builder
	want.WriteString("| room | what it is |\n|---|---|\n")
	for _, r := range rooms {
		name := "`" + r.path + "`"
		if r.path == "" {
			name = "`/` (package purecl)"
		}
		what := r.what
		if len(r.only) > 0 {
			what += "; imports only `" + strings.Join(r.only, "`, `") + "`"
		}
		fmt.Fprintf(&want, "| %s | %s |\n", name, what)
	}
	const file = "docs/ARCHITECTURE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "| room |")
	if !ok {
		t.Fatalf("%s has no table of rooms", file)
	}
	got, after, _ := strings.Cut("| room |"+rest, "\n\n")
	if got+"\n" == want.String() {
		return
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(before+want.String()+"\n"+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table of rooms in %s is not that of imports_test.go; UPDATE=1 go test -run TestArchitecture . rewrites it", file)
}

// TestFileNames checks that no file has a name that prevents a download of the module (golang.org/x/mod/module,
// CheckFilePath).
func TestFileNames(t *testing.T) {
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	reserved := regexp.MustCompile(`(?i)(^|/)(aux|con|nul|prn|com[0-9]|lpt[0-9])(\.[^/]*)?(/|$)|[<>:"|?*\\]`)
	for _, bad := range []string{"a/aux.go", "NUL", "com1/x", "a:b"} {
		if !reserved.MatchString(bad) {
			t.Errorf("%s passes", bad)
		}
	}
	for name := range strings.Lines(string(out)) {
		if reserved.MatchString(strings.TrimSpace(name)) {
			t.Errorf("%s is no file name on Windows", strings.TrimSpace(name))
		}
	}
}

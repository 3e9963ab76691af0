package purecl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A room is a folder of packages: those in it know only rooms above it.
type room struct {
	path string   // "" is the package of the repository's root alone
	what string   // for docs/ARCHITECTURE.md
	uses []string // modules of others that it may import
	cgo  bool
}

// rooms is the order of the architecture, and the list in docs/ARCHITECTURE.md.
var rooms = []room{
	{path: "internal/base/opencl", what: "what OpenCL fixes, as tables: status codes, versions, extensions and features, attributes, names, image formats, samplers, limits, scalar types"},
	{path: "internal/base/slab", what: "memory for many small values that die together, and its use again"},
	{path: "internal/base/timing", what: "the phases from a source text to results, and their clock"},
	{path: "internal/base/environment", what: "the table of environment variables: values, defaults, meaning"},
	{path: "internal/base/fpenv", what: "the floating-point environment of a thread: the default one for kernels, whatever the host has"},
	{path: "internal/ir/numeric", what: "the exact scalar meaning of every conversion, rounding, half and saturating operation: one definition for constant folding, the executor and the host API"},
	{path: "internal/run/image", what: "the meaning of images: formats, elements, samplers, filters"},
	{path: "internal/base/npy", what: "NumPy's files"},
	{path: "internal/cpu/x86/asm", what: "x86-64 instruction table and encoder"},
	{path: "internal/front/diag", what: "files, positions, macro chains, the registry of diagnostic codes, renderers (terminal, build log, JSON, SARIF)"},
	{path: "internal/front/option", what: "the options of a build: reads clBuildProgram's string and the command line's words"},
	{path: "internal/front/token", what: "tokens, identifiers' numbers, the values of constants"},
	{path: "internal/front/preprocess", what: "scanner, macros, includes, conditions, pragmas: text to tokens"},
	{path: "internal/front/syntax", what: "AST, parser, printer"},
	{path: "internal/front/types", what: "OpenCL C's types: size, alignment, spelling"},
	{path: "internal/ir/ssa", what: "op table, values, builder, verifier, text form both ways, dominators, loops, constant evaluation"},
	{path: "internal/ir/uniform", what: "the values in which work-items may differ, for the executor and for plans"},
	{path: "internal/front/builtin", what: "the builtin functions, one row each; `lib/*.cl`: bodies in OpenCL C"},
	{path: "internal/front/check", what: "AST to typed tree, and all semantic errors"},
	{path: "internal/front/irgen", what: "typed tree to scalar SSA"},
	{path: "internal/ir/opt", what: "passes, one a file; the pipeline is a table"},
	{path: "internal/run/exec", what: "the words of running kernels: index spaces, objects, findings, faults, printf, image and atomic operations; what an executor and a device implement; the list of devices"},
	{path: "internal/ir/imagecode", what: "ordinary SSA in place of functions that read and write images, for launches with known formats and samplers"},
	{path: "internal/run/interp", what: "the reference executor and its observers, one a file"},
	{path: "internal/cpu/lanes", what: "how values vary over the lanes of a gang and what numbers they are: uniform, affine or varying, intervals, multiples; addresses; in which pattern an access is made and where its bounds are checked; how many lanes a gang should have"},
	{path: "internal/cpu/spmd", what: "how a kernel's blocks and values behave when work-items run side by side: uniform, varying, masks, the order of blocks"},
	{path: "internal/cpu/gang", what: "the intermediate representation between plans and machine code: typed registers, checks, shapes of accesses; text form, verifier, interpreter, builder"},
	{path: "internal/cpu/regalloc", what: "register allocation for any machine: live ranges, linear scan, spills, rematerialisation, a checker of the result"},
	{path: "internal/cpu/arm64", what: "A64 machine code with NEON of gang functions: instruction table, encoder, selection, and the host's side of running it"},
	{path: "internal/cpu/x86", what: "x86-64 machine code of a kernel: selection, checked memory accesses, CPU levels"},
	{path: "internal/cpu/gangexec", what: "the executor of gang functions, by their interpreter or a machine's code: object tables, violations, batches"},
	{path: "internal/cpu/jit", what: "the executor over that code: executable memory, gangs, barriers; leaves to `interp` what it cannot do", uses: []string{"github.com/klauspost/cpuid/v2", "golang.org/x/sys"}},
	{path: "internal/gpu/ptx", what: "PTX of a kernel: selection, checked memory accesses, barriers, conversions"},
	{path: "internal/run/launch", what: "ND-ranges, arguments, program variables, scheduling over an executor"},
	{path: "internal/gpu/device", what: "a GPU device but for the driver: object tables, parameter blocks, launches, findings, printf"},
	{path: "internal/gpu/cuda", what: "NVIDIA's driver as machines of `device`: libcuda loaded at run time, without cgo", uses: []string{"github.com/ebitengine/purego", "golang.org/x/sys"}},
	{path: "vec", what: "OpenCL C's data types for Go programs: vectors, half, conversions; slices by machine code"},
	{path: "internal/compile", what: "the pipeline, the cache of library functions"},
	{path: "internal/run/cpu", what: "the processor as a device of `exec`: its description, memory, copies and launches", uses: []string{"github.com/klauspost/cpuid/v2"}},
	{path: "internal/run/program", what: "compiled programs for any device; the words of diagnostics and findings"},
	{path: "internal/run/argument", what: "arguments of kernels as people write them: numbers, data, files, images, samplers; data as text, file or picture"},
	{path: "internal/run/evaluate", what: "OpenCL C expressions outside of programs: the program around one, its type, its value as text"},
	{path: "internal/test/growth", what: "tells linear work from quadratic work in tests"},
	{path: "internal/test/filetest", what: "readers of the textual tests"},
	{path: "internal/test/kerneltest", what: "random kernels in which everything is defined, as OpenCL C and as SSA"},
	{path: "internal/test/difftest", what: "runs a kernel in every way this machine has and compares bit for bit"},
	{path: "internal/test/ptxsim", what: "runs PTX on the processor, for tests without a GPU"},
	{path: "internal/test/gputest", what: "compares kernels on a GPU with the reference executor"},
	{path: "internal/test/cleanroot", what: "runs scripts in a Debian with nothing but named packages"},
	{path: "internal/test/pages", what: "checks the documentation: links, code blocks, commands and their output"},
	{path: "internal/run/profile", what: "where the time of kernels went, source line by source line: text and pprof's format", uses: []string{"github.com/google/pprof/profile"}},
	{path: "internal/debug", what: "what a debugger does to a launch: stops, steps forward and back, frames, variables, expressions, memory"},
	{path: "internal/debug/console", what: "the debugger's terminal program: its commands and what they show"},
	{path: "internal/debug/adapter", what: "the debugger for editors: the Debug Adapter Protocol", uses: []string{"github.com/google/go-dap"}},
	{path: "internal/ide", what: "what an editor asks about a source file: diagnostics, hover, completion, references, renaming, hints; kernels in Go files; what machine code makes of a kernel"},
	{path: "internal/lsp", what: "the language server: package `ide` behind the Language Server Protocol", uses: []string{"github.com/BurntSushi/toml"}},
	{path: "internal/playground", what: "the page in a browser: package `ide` and the reference executor as WebAssembly, listings of machine code and PTX, the page itself and its web server"},
	{path: "internal/run/host", what: "OpenCL's object model: contexts, buffers, images, queues, events, programs, kernels, and the specification's error conditions, over the processor", uses: []string{"github.com/klauspost/cpuid/v2"}},
	{path: "pproflabels", what: "the package to import for kernels' names in a Go program's own CPU profile"},
	{path: "gpu", what: "the package to import for GPU devices: registers those of `cuda`"},
	{path: "", what: "the public Go API, over `exec`'s devices"},
	{path: "cmd/purecl", what: "the command line, one file a command", uses: []string{"github.com/alecthomas/kong", "github.com/reeflective/readline", "golang.org/x/image", "golang.org/x/term", "gonum.org/v1/plot"}},
	{path: "icd", what: "libpurecl.so, the OpenCL driver: the only cgo; translates handles, arguments and status codes, and decides nothing", cgo: true},
	{path: "examples", what: "programs, run by the tests"},
	{path: "bench", what: "benchmarks against other programs", uses: []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "github.com/ebitengine/purego"}},
	{path: "clients", what: "real programs on the driver, compared with the processor's or PoCL's results"},
	{path: "internal/gen", what: "generators of checked-in files"},
	{path: "internal/tool", what: "programs for maintainers: releases, the corpus runner, the fuzzer of machine code, the builder of the playground, the pictures of the documentation", uses: []string{"github.com/CycloneDX/cyclonedx-go", "github.com/chromedp"}},
}

const module = "github.com/purecl/purecl"

// A listed is what go list says of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

// roomOf returns the index of the room that a package of the module is in, -1 if none.
func roomOf(rooms []room, path string) int {
	rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	best := -1 // the innermost
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

// violations lists what the packages do that the rooms forbid.
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
				if to := roomOf(rooms, imp); to > at {
					say("%s imports %s, which is below it", p.ImportPath, imp)
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

// TestImportGraph holds the architecture.
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
	small := []room{{path: "internal/low"}, {path: "internal/high", uses: []string{"example.org/m"}}, {path: ""}, {path: "icd", cgo: true}}
	fine := []listed{
		{ImportPath: module + "/internal/low", Imports: []string{"fmt", "encoding/json"}},
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

// TestArchitecture holds that docs/ARCHITECTURE.md lists the rooms of the table.
func TestArchitecture(t *testing.T) {
	var want strings.Builder
	want.WriteString("| room | what it is |\n|---|---|\n")
	for _, r := range rooms {
		name := "`" + r.path + "`"
		if r.path == "" {
			name = "`/` (package purecl)"
		}
		fmt.Fprintf(&want, "| %s | %s |\n", name, r.what)
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

// TestFileNames: a module with a file of one of these names cannot be downloaded
// (golang.org/x/mod/module, CheckFilePath).
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

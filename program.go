package purecl

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/diag"
	"github.com/purecl/purecl/internal/jit"
	"github.com/purecl/purecl/internal/launch"
	"github.com/purecl/purecl/internal/ssa"
	"github.com/purecl/purecl/internal/syntax"
	"github.com/purecl/purecl/internal/timing"
)

// A Source is the text of a program with what it may include.
type Source struct {
	Name    string            // in diagnostics; "" is "<source>"
	Text    string            // OpenCL C
	Headers map[string]string // by the name that #include gives; they go before files
	// FS, if set, is where #include reads files; else they are read from the file system
	// of the process, in the directories that -I names and in that of Name.
	FS fs.FS
}

// A Diagnostic is an error or warning about a program's source.
type Diagnostic struct {
	Severity string // "note", "warning", "error" or "fatal error"
	Code     string // for `purecl explain`, such as "undeclared-identifier"
	Message  string
	File     string // with Line and Column: where; of a macro's text its invocation
	Line     int    // from 1
	Column   int    // from 1, in bytes
	Rendered string // as a terminal shows it, with the source line and notes, without colour
}

// A BuildError is the error of a program that does not compile. Its status is
// [BuildProgramFailure], or [InvalidBuildOptions].
type BuildError struct {
	Diagnostics []Diagnostic // errors and warnings in order
	Log         string       // what clGetProgramBuildInfo gives as the build log
	status      Status
}

func (e *BuildError) Error() string {
	for _, d := range e.Diagnostics {
		if strings.HasSuffix(d.Severity, "error") {
			s := "purecl: " + d.place() + d.Severity + ": " + d.Message
			if n := len(e.Diagnostics) - 1; n > 0 {
				s += " (and more)"
			}
			return s
		}
	}
	return "purecl: " + strings.TrimSpace(e.Log)
}

// Unwrap makes errors.Is find the status.
func (e *BuildError) Unwrap() error { return e.status }

func (d *Diagnostic) place() string {
	if d.File == "" {
		return ""
	}
	return diag.Location{File: d.File, Line: d.Line, Column: d.Column}.String() + ": "
}

func publicDiagnostics(src *diag.Source, ds []*diag.Diagnostic) []Diagnostic {
	var out []Diagnostic
	for _, d := range ds {
		loc := src.Location(d.Span.Pos)
		p := Diagnostic{Severity: d.Severity.String(), Message: d.Message, File: loc.File, Line: loc.Line, Column: loc.Column, Rendered: diag.Style{Codes: true}.One(src, d)}
		if d.Code != nil {
			p.Code = d.Code.Name
		}
		out = append(out, p)
	}
	return out
}

// A BinaryType is what a build made of a program, numbered as in OpenCL's headers.
type BinaryType uint32

// The binary types.
const (
	BinaryNone           BinaryType = 0
	BinaryCompiledObject BinaryType = 1
	BinaryLibrary        BinaryType = 2
	BinaryExecutable     BinaryType = 4
)

// A BuildStatus is what became of the last build of a program, numbered as in OpenCL's
// headers.
type BuildStatus int32

// The build statuses.
const (
	BuildSuccess    BuildStatus = 0
	BuildNone       BuildStatus = -1
	BuildFailed     BuildStatus = -2
	BuildInProgress BuildStatus = -3
)

// A Program is a source, a compiled object, a library or an executable (OpenCL API,
// "Program Objects", 5.8). It is safe for concurrent use; an executable's program-scope
// variables are one instance, shared by all launches.
type Program struct {
	ctx    *Context
	source Source // of a program made from source
	given  []unit // of a program made from a binary
	kind   BinaryType

	mu       sync.Mutex
	kernels  int // kernels attached: the program cannot be built again
	building bool
	built    build
}

// A unit is a translation unit with all that its compilation depends on.
type unit struct {
	Source  Source
	Options string            // the compile options
	Files   map[string][]byte // files that #include read
}

// A build is the outcome of building, compiling or linking. It does not change.
type build struct {
	status   BuildStatus
	kind     BinaryType
	units    []unit
	options  string
	log      string
	warnings []Diagnostic
	prog     *launch.Program // of an executable
	took     timing.Times
	std      syntax.Version
	uniform  bool // -cl-uniform-work-group-size
}

// Compile compiles OpenCL C for the default device. The options are those of
// clBuildProgram, such as "-cl-std=CL3.0 -DN=16"; the error is a *[BuildError] where
// the source or the options are wrong.
func Compile(source, options string) (*Program, error) {
	return DefaultContext().Build(Source{Text: source}, options)
}

// Build compiles a program in the context (clCreateProgramWithSource and clBuildProgram).
func (c *Context) Build(src Source, options string) (*Program, error) {
	p := c.NewProgram(src)
	if err := p.Build(options); err != nil {
		return nil, err
	}
	return p, nil
}

// NewProgram returns a program that is not built yet (clCreateProgramWithSource).
func (c *Context) NewProgram(src Source) *Program {
	if src.Name == "" {
		src.Name = "<source>"
	}
	return &Program{ctx: c, source: src, built: build{status: BuildNone}}
}

// begin claims the program for a build; finish publishes its outcome.
func (p *Program) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	// CL_INVALID_OPERATION: a build is not complete, or kernel objects are attached.
	switch {
	case p.building:
		return failf(InvalidOperation, "the program is being built")
	case p.kernels > 0:
		return failf(InvalidOperation, "%d kernel objects are attached to the program", p.kernels)
	}
	p.building = true
	return nil
}

func (p *Program) finish(b build) {
	p.mu.Lock()
	p.building, p.built = false, b
	p.mu.Unlock()
}

func (p *Program) state() build {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.built
}

// parseOptions reads the options of a build; bad is the status of an error.
func parseOptions(options string, bad Status) (*compile.Options, *syntax.BuildOptions, error) {
	b, err := syntax.ParseBuildOptions(options)
	if err != nil {
		return nil, nil, &BuildError{Log: err.Error() + "\n", status: bad}
	}
	return compile.FromBuildOptions(b), b, nil
}

// Build compiles and links the program (clBuildProgram). The error is a *[BuildError]
// where the source or the options are wrong.
func (p *Program) Build(options string) error { return p.BuildAsync(options, nil) }

// BuildAsync is [Program.Build] that returns once the build is under way, and calls
// done, if not nil, when it is complete.
func (p *Program) BuildAsync(options string, done func()) error {
	opts, _, err := parseOptions(options, InvalidBuildOptions)
	if err != nil {
		return err
	}
	units := p.given
	if units == nil {
		units = []unit{{Source: p.source, Options: options}}
	} else if p.kind != BinaryExecutable {
		return failf(InvalidBinary, "the program's binary is not executable: it must be linked")
	}
	return p.run(done, func() (build, error) {
		return p.ctx.link(units, BinaryExecutable, options, opts, BuildProgramFailure)
	})
}

// Compile compiles the program to an object for [Context.Link]; headers are found by the
// name that #include gives (clCompileProgram).
func (p *Program) Compile(options string, headers map[string]*Program) error {
	return p.CompileAsync(options, headers, nil)
}

// CompileAsync is [Program.Compile] that returns once the compilation is under way, and
// calls done, if not nil, when it is complete.
func (p *Program) CompileAsync(options string, headers map[string]*Program, done func()) error {
	opts, _, err := parseOptions(options, InvalidCompilerOptions)
	if err != nil {
		return err
	}
	// CL_INVALID_OPERATION: program has no source.
	if p.given != nil {
		return failf(InvalidOperation, "the program was not made from source")
	}
	src := p.source
	src.Headers = maps.Clone(src.Headers)
	if src.Headers == nil {
		src.Headers = map[string]string{}
	}
	for name, h := range headers {
		if h.given != nil {
			return failf(InvalidOperation, "the header %s was not made from source", name)
		}
		src.Headers[name] = h.source.Text
	}
	return p.run(done, func() (build, error) {
		return p.ctx.link([]unit{{Source: src, Options: options}}, BinaryCompiledObject, options, opts, CompileProgramFailure)
	})
}

// run builds, in this goroutine if done is nil.
func (p *Program) run(done func(), f func() (build, error)) error {
	if err := p.begin(); err != nil {
		return err
	}
	if done == nil {
		b, err := f()
		p.finish(b)
		return err
	}
	go func() {
		b, _ := f() // the error stands in the build status and log
		p.finish(b)
		done()
	}()
	return nil
}

// Link makes an executable, or with -create-library a library, of compiled objects and
// libraries (clLinkProgram). With an error that a build log explains, the program is not
// nil and holds the log.
func (c *Context) Link(options string, programs ...*Program) (*Program, error) {
	return c.LinkAsync(options, nil, programs...)
}

// LinkAsync is [Context.Link] that returns once the linking is under way, and calls
// done, if not nil, when it is complete.
func (c *Context) LinkAsync(options string, done func(*Program), programs ...*Program) (*Program, error) {
	if len(programs) == 0 {
		return nil, failf(InvalidValue, "no programs to link")
	}
	opts, parsed, err := parseOptions(options, InvalidLinkerOptions)
	if err != nil {
		return nil, err
	}
	kind := BinaryExecutable
	if parsed.CreateLibrary {
		kind = BinaryLibrary
	} else if parsed.EnableLinkOptions {
		return nil, failf(InvalidLinkerOptions, "-enable-link-options goes together with -create-library")
	}
	var units []unit
	for _, q := range programs {
		// CL_INVALID_PROGRAM: an input is not a valid program object.
		if q == nil || q.ctx != c {
			return nil, failf(InvalidProgram, "a program is nil or belongs to another context")
		}
		b := q.state()
		// CL_INVALID_OPERATION: an input holds neither a compiled object nor a library.
		if b.kind != BinaryCompiledObject && b.kind != BinaryLibrary {
			if q.kind != BinaryCompiledObject && q.kind != BinaryLibrary {
				return nil, failf(InvalidOperation, "a program to link is neither a compiled object nor a library")
			}
			b.units = q.given
		}
		units = append(units, b.units...)
	}
	p := &Program{ctx: c, source: Source{Name: "<linked>"}, given: units, kind: kind}
	var after func()
	if done != nil {
		after = func() { done(p) }
	}
	err = p.run(after, func() (build, error) { return c.link(units, kind, options, opts, LinkProgramFailure) })
	return p, err
}

// link compiles the units and, unless they are to be an object or library, makes them
// ready to run.
func (c *Context) link(units []unit, kind BinaryType, options string, opts *compile.Options, failed Status) (build, error) {
	b := build{status: BuildFailed, options: options}
	in := make([]compile.Unit, len(units))
	b.units = make([]unit, len(units))
	for i := range units {
		b.units[i] = units[i]
		o, err := b.units[i].compileOptions()
		if err != nil {
			return b, &BuildError{Log: err.Error() + "\n", status: failed}
		}
		b.std = max(b.std, o.Source.Std, syntax.CL12)
		b.uniform = b.uniform || o.UniformGroups
		in[i] = compile.Unit{Name: units[i].Source.Name, Text: []byte(units[i].Source.Text), Options: o}
	}
	if kind != BinaryExecutable {
		opts.NoOpt = true
	}
	res, err := compile.Units(context.Background(), in, kind != BinaryExecutable, opts)
	b.took = res.Took
	b.log, b.warnings = diag.BuildLog(res.Source, res.Diags), publicDiagnostics(res.Source, res.Diags)
	if err == nil && kind == BinaryExecutable {
		b.prog, err = launch.NewProgram(res.Module, jit.Executor())
	}
	if err == nil && c.dump != nil {
		c.dump(units[0].Source.Name, res.Module.String())
	}
	if err != nil {
		var list *diag.List
		var link *compile.LinkError
		if errors.As(err, &link) {
			for _, s := range link.Problems {
				b.log += "error: " + s + "\n"
			}
		} else if !errors.As(err, &list) {
			b.log += err.Error() + "\n"
		}
		return b, &BuildError{Diagnostics: b.warnings, Log: b.log, status: failed}
	}
	b.status, b.kind = BuildSuccess, kind
	return b, nil
}

// compileOptions returns how to compile the unit. Files that it includes are kept in it.
func (u *unit) compileOptions() (*compile.Options, error) {
	o, err := compile.ParseOptions(u.Options)
	if err != nil {
		return nil, err
	}
	o.Source.Headers = map[string][]byte{}
	for name, text := range u.Source.Headers {
		o.Source.Headers[name] = []byte(text)
	}
	if u.Files != nil { // compiled before: nothing is read again
		o.Source.ReadFile = func(name string) ([]byte, error) {
			if b, ok := u.Files[name]; ok {
				return b, nil
			}
			return nil, fs.ErrNotExist
		}
		return o, nil
	}
	u.Files = map[string][]byte{}
	read, files := u.Source.reader(), u.Files
	o.Source.ReadFile = func(name string) ([]byte, error) {
		b, err := read(name)
		if err == nil {
			files[name] = b
		}
		return b, err
	}
	return o, nil
}

// maxInclude bounds the size of an included file in bytes.
const maxInclude = 256 << 20

// reader returns what reads included files.
func (s *Source) reader() func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		open := func() (fs.File, error) { return os.Open(name) }
		if s.FS != nil {
			open = func() (fs.File, error) { return s.FS.Open(filepath.ToSlash(filepath.Clean(name))) }
		}
		f, err := open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		st, err := f.Stat()
		switch {
		case err != nil:
			return nil, err
		case st.IsDir():
			return nil, &fs.PathError{Op: "include", Path: name, Err: fs.ErrNotExist}
		case !st.Mode().IsRegular() || st.Size() > maxInclude:
			return nil, &fs.PathError{Op: "include", Path: name, Err: errors.New("not a regular file, or too large")}
		}
		b := make([]byte, st.Size())
		for n := 0; n < len(b); {
			k, err := f.Read(b[n:])
			if n += k; err != nil || k == 0 {
				return b[:n], nil
			}
		}
		return b, nil
	}
}

// Context returns the program's context.
func (p *Program) Context() *Context { return p.ctx }

// Source returns the source that the program was made from.
func (p *Program) Source() Source { return p.source }

// Options returns the options of the last build.
func (p *Program) Options() string { return p.state().options }

// Log returns the build log: errors and warnings, as clGetProgramBuildInfo gives it.
func (p *Program) Log() string { return p.state().log }

// Warnings returns the warnings that the build gave.
func (p *Program) Warnings() []Diagnostic { return p.state().warnings }

// Status returns what became of the last build.
func (p *Program) Status() BuildStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.building {
		return BuildInProgress
	}
	return p.built.status
}

// BinaryType returns what the last build made of the program, or before one what its
// binary holds.
func (p *Program) BinaryType() BinaryType {
	if b := p.state(); b.status != BuildNone {
		return b.kind
	}
	return p.kind
}

// VariablesSize returns the bytes of program-scope variables in global memory
// (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE).
func (p *Program) VariablesSize() int64 {
	n := int64(0)
	if prog := p.state().prog; prog != nil {
		for _, g := range prog.Module.Globals {
			if g.Kind == ssa.PtrGlobal {
				n += g.Size
			}
		}
	}
	return n
}

// A PhaseTime is how long a step from a source text to a kernel's first results took.
type PhaseTime struct {
	Phase string // such as "parse" or "codegen"
	Took  time.Duration
}

func phaseTimes(t *timing.Times) []PhaseTime {
	var out []PhaseTime
	for p := timing.None + 1; p < timing.NumPhases; p++ {
		if t[p] != 0 {
			out = append(out, PhaseTime{p.String(), t[p]})
		}
	}
	return out
}

// executable returns the program ready to run.
func (p *Program) executable() (build, error) {
	b := p.state()
	if b.prog == nil {
		return b, failf(InvalidProgramExecutable, "the program was not built, or not successfully")
	}
	return b, nil
}

// KernelNames returns the names of the program's kernels in order of the source, none
// of a program that is no executable.
func (p *Program) KernelNames() []string {
	b := p.state()
	if b.prog == nil {
		return nil
	}
	var fs []*ssa.Func
	for _, f := range b.prog.Module.Funcs {
		if f.Kernel != nil {
			fs = append(fs, f)
		}
	}
	sort.SliceStable(fs, func(i, j int) bool { return fs[i].Pos < fs[j].Pos })
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.Name
	}
	return names
}

// Variable returns the memory of the program-scope variable of that name, nil if there
// is none. Variables in constant memory must not be written.
func (p *Program) Variable(name string) []byte {
	if prog := p.state().prog; prog != nil {
		return prog.Variable(name)
	}
	return nil
}

// Kernel returns the kernel of that name (clCreateKernel). Its arguments are its own.
func (p *Program) Kernel(name string) (*Kernel, error) {
	// CL_INVALID_PROGRAM_EXECUTABLE: there is no successfully built executable.
	b, err := p.executable()
	if err != nil {
		return nil, err
	}
	// CL_INVALID_KERNEL_NAME: kernel_name is not found in program.
	k, err := b.prog.Kernel(name)
	if err != nil {
		return nil, failf(InvalidKernelName, "the program has no kernel %q; it has %s", name, strings.Join(p.KernelNames(), ", "))
	}
	return &Kernel{prog: p, code: k, nonUniform: b.std >= syntax.CL20 && !b.uniform, took: b.took, mu: &sync.Mutex{}, args: make([]argument, len(k.Func.Kernel.Args))}, nil
}

// Attach says that a kernel object of the program came into being (1) or ended (-1):
// while there is one the program cannot be built again.
func (p *Program) Attach(n int) {
	p.mu.Lock()
	p.kernels += n
	p.mu.Unlock()
}

package host

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

// A Source is the text of a program with its headers.
type Source = program.Source

// A Diagnostic is an error or warning about a program's source.
type Diagnostic = program.Diagnostic

// A BuildError is the error of a program that does not compile. Its status is
// [BuildProgramFailure], or [InvalidBuildOptions].
type BuildError struct {
	Diagnostics []Diagnostic // errors and warnings in order
	Log         string       // the build log of clGetProgramBuildInfo
	status      opencl.Status
}

func (e *BuildError) Error() string {
	return (&program.Error{Diagnostics: e.Diagnostics, Log: e.Log}).Error()
}

// Unwrap makes errors.Is find the status.
func (e *BuildError) Unwrap() error { return e.status }

// A BinaryType is the kind of a build's result, numbered as in OpenCL's headers.
type BinaryType uint32

// The binary types.
const (
	BinaryNone           BinaryType = 0
	BinaryCompiledObject BinaryType = 1
	BinaryLibrary        BinaryType = 2
	BinaryExecutable     BinaryType = 4
)

// A BuildStatus is the status of a program's last build, numbered as in OpenCL's headers.
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
	linked bool   // the result of Link

	mu      sync.Mutex
	kernels int      // number of kernel objects: while it is not 0, the program cannot be built again
	targets []target // the devices that the program is for
	name    string   // see digest
	told    sync.Map // see firstTime
}

// A target is the state of a program for one device.
type target struct {
	dev      *Device
	given    []unit     // of a program made from a binary
	kind     BinaryType // kind of the binary in given
	building bool
	built    build
}

// A unit is a translation unit with all that its compilation depends on.
type unit = program.Unit

// A build is the outcome of building, compiling or linking. It does not change.
type build struct {
	status   BuildStatus
	kind     BinaryType
	units    []unit
	options  string
	log      string
	warnings []Diagnostic
	code     exec.Program // of an executable: its code for the processor
	loaded   *loaded      // of an executable: its code for devices with memory of their own
	module   *ssa.Module  // its intermediate code
	took     timing.Times
}

// Compile compiles OpenCL C for the default device. The options are those of
// clBuildProgram, such as "-cl-std=CL3.0 -DN=16"; the error is a *[BuildError] where
// the source or the options are wrong.
func Compile(source, options string) (*Program, error) {
	return DefaultContext().Build(Source{Text: source}, options)
}

// Build compiles a program in the context (clCreateProgramWithSource and clBuildProgram).
func (c *Context) Build(src Source, options string) (*Program, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	p := c.NewProgram(src)
	if err := p.Build(options); err != nil {
		return nil, err
	}
	return p, nil
}

// NewProgram returns a program that is not built yet (clCreateProgramWithSource).
func (c *Context) NewProgram(src Source) *Program {
	c = or(c)
	if src.Name == "" {
		src.Name = "<source>"
	}
	return c.newProgram(src, c.devices)
}

func (c *Context) newProgram(src Source, devices []*Device) *Program {
	p := &Program{ctx: c, source: src, targets: make([]target, len(devices))}
	for i, d := range devices {
		p.targets[i] = target{dev: d, built: build{status: BuildNone}}
	}
	return p
}

// on returns the targets of the given devices, or all targets if no device is given.
func (p *Program) on(devices []*Device) ([]*target, error) {
	var list []*target
	for i := range p.targets {
		if len(devices) == 0 || slices.Contains(devices, p.targets[i].dev) {
			list = append(list, &p.targets[i])
		}
	}
	for _, d := range devices {
		if !slices.ContainsFunc(list, func(t *target) bool { return t.dev == d }) {
			return nil, failf(opencl.InvalidDevice, "a device is none of the program's")
		}
	}
	return list, nil
}

// serving returns the target whose build the device of t uses: its own or, without one, that of the nearest device
// it was partitioned from. The caller holds p.mu. ("If a program binary has not been built for a sub-device, the
// program binary associated with the parent device will be used": clGetProgramBuildInfo.)
func (p *Program) serving(t *target) *target {
	if t.hasBuild() {
		return t
	}
	for d := t.dev.parent; d != nil; d = d.parent {
		if i := slices.IndexFunc(p.targets, func(o target) bool { return o.dev == d && o.hasBuild() }); i >= 0 {
			return &p.targets[i]
		}
	}
	return t
}

func (t *target) hasBuild() bool { return t.building || t.built.status != BuildNone }

// begin marks targets as being built; finish publishes the result.
func (p *Program) begin(targets []*target) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	// CL_INVALID_OPERATION: a build is not complete, or kernel objects are attached.
	if p.kernels > 0 {
		return failf(opencl.InvalidOperation, "%d kernel objects are attached to the program", p.kernels)
	}
	for _, t := range targets {
		if t.building {
			return failf(opencl.InvalidOperation, "the program is being built")
		}
	}
	for _, t := range targets {
		t.building = true
	}
	return nil
}

func (p *Program) finish(targets []*target, builds []build) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.name = ""
	for i, t := range targets {
		t.building, t.built = false, builds[i]
	}
}

// state returns the best of the devices' builds: an executable if there is one, else another successful build, else
// one that failed.
func (p *Program) state() build {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := &p.targets[0].built
	for i := range p.targets {
		if b := &p.targets[i].built; b.rank() > best.rank() {
			best = b
		}
	}
	return *best
}

func (b *build) rank() int {
	switch {
	case b.code != nil:
		return 3
	case b.status == BuildSuccess:
		return 2
	case b.status != BuildNone:
		return 1
	}
	return 0
}

// parseOptions reads the options of a build; bad is the status of an error.
func parseOptions(options string, bad opencl.Status) (*option.Build, error) {
	b, err := option.Parse(options)
	if err != nil {
		return nil, &BuildError{Log: err.Error() + "\n", status: bad}
	}
	return b, nil
}

// Build compiles and links the program, for all of its devices or for those given
// (clBuildProgram). The error is a *[BuildError] where the source or the options are wrong.
func (p *Program) Build(options string, devices ...*Device) error {
	if err := p.valid(); err != nil {
		return err
	}
	return p.BuildAsync(options, nil, devices...)
}

// BuildAsync is [Program.Build], but returns once the build has started. It calls done, if not nil, when the build
// is complete.
func (p *Program) BuildAsync(options string, done func(), devices ...*Device) error {
	if err := p.valid(); err != nil {
		return err
	}
	targets, err := p.on(devices)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.given != nil && t.kind != BinaryExecutable && !p.linked {
			return failf(opencl.InvalidBinary, "the program's binary is not executable: it must be linked")
		}
	}
	opts, err := parseOptions(options, opencl.InvalidBuildOptions)
	if err != nil {
		return err
	}
	// CL_INVALID_OPERATION: program was made neither from source nor from binaries.
	if p.linked {
		return failf(opencl.InvalidOperation, "a program that was made by linking cannot be built")
	}
	return p.run(targets, done, func(units []unit) (build, error) {
		if units == nil {
			units = []unit{{Source: p.source, Options: opts}}
		}
		return p.ctx.link(units, BinaryExecutable, opts, opencl.BuildProgramFailure)
	})
}

// Compile compiles the program to an object for [Context.Link], for all of its devices or for the given ones. The
// keys of headers are the names in #include directives (clCompileProgram).
func (p *Program) Compile(options string, headers map[string]*Program, devices ...*Device) error {
	if err := p.valid(); err != nil {
		return err
	}
	return p.CompileAsync(options, headers, nil, devices...)
}

// CompileAsync is [Program.Compile], but returns once the compilation has started. It calls done, if not nil, when
// the compilation is complete.
func (p *Program) CompileAsync(options string, headers map[string]*Program, done func(), devices ...*Device) error {
	if err := p.valid(); err != nil {
		return err
	}
	targets, err := p.on(devices)
	if err != nil {
		return err
	}
	// CL_INVALID_CONTEXT: a header belongs to another context.
	for name, h := range headers {
		if h.ctx != p.ctx {
			return failf(opencl.InvalidContext, "the header %s belongs to another context", name)
		}
	}
	opts, err := parseOptions(options, opencl.InvalidCompilerOptions)
	if err != nil {
		return err
	}
	// CL_INVALID_OPERATION: program has no source.
	if p.fromBinary() {
		return failf(opencl.InvalidOperation, "the program was not made from source")
	}
	src := p.source
	src.Headers = maps.Clone(src.Headers)
	if src.Headers == nil {
		src.Headers = map[string]string{}
	}
	for name, h := range headers {
		if h.fromBinary() {
			return failf(opencl.InvalidOperation, "the header %s was not made from source", name)
		}
		src.Headers[name] = h.source.Text
	}
	return p.run(targets, done, func([]unit) (build, error) {
		return p.ctx.link([]unit{{Source: src, Options: opts}}, BinaryCompiledObject, opts, opencl.CompileProgramFailure)
	})
}

// fromBinary reports whether the program was made from binaries or by linking.
func (p *Program) fromBinary() bool { return p.targets[0].given != nil }

// run builds for targets: in this goroutine if done is nil, else in another one, which calls done at its end. It calls f
// once for all targets with the same input.
func (p *Program) run(targets []*target, done func(), f func(given []unit) (build, error)) error {
	if err := p.begin(targets); err != nil {
		return err
	}
	work := func() (err error) {
		builds := make([]build, len(targets))
		made := map[*unit]build{}
		for i, t := range targets {
			b, ok := made[unsafe.SliceData(t.given)]
			if !ok {
				var e error
				if b, e = guarded(f, t.given); e != nil {
					err = e
				}
				made[unsafe.SliceData(t.given)] = b
			}
			builds[i] = b
		}
		p.finish(targets, builds)
		return err
	}
	if done == nil {
		return work()
	}
	go func() {
		work() // the error is in the build status and log
		done()
	}()
	return nil
}

// guarded calls f. It turns a panic, which would end the process, into a failed build.
func guarded(f func([]unit) (build, error), given []unit) (b build, err error) {
	defer func() {
		if p := recover(); p != nil {
			e := exec.NewInternalError(p)
			err = &APIError{Status: opencl.BuildProgramFailure, Message: fmt.Sprintf("internal error in building a program: %v; this is a bug in PureCL", e.Cause), Cause: e}
			b = build{status: BuildFailed, log: fmt.Sprintf("%v\n%s", err, e.Stack)}
		}
	}()
	return f(given)
}

// Link links compiled objects and libraries to an executable or, with -create-library, to a library
// (clLinkProgram). With an error that a build log explains, the program is not nil and holds the log.
func (c *Context) Link(options string, programs ...*Program) (*Program, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	return c.LinkAsync(options, nil, nil, programs...)
}

// LinkAsync is [Context.Link] for all of the context's devices or for the given ones. It returns once linking has
// started, and calls done, unless nil, when it is complete.
func (c *Context) LinkAsync(options string, devices []*Device, done func(*Program), programs ...*Program) (*Program, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	if len(programs) == 0 {
		return nil, failf(opencl.InvalidValue, "no programs to link")
	}
	for _, q := range programs {
		// CL_INVALID_PROGRAM: an input is not a valid program object.
		if q == nil {
			return nil, failf(opencl.InvalidProgram, "a nil program")
		}
		// CL_INVALID_CONTEXT: an input belongs to another context.
		if q.ctx != c {
			return nil, failf(opencl.InvalidContext, "a program belongs to another context")
		}
	}
	for _, d := range devices {
		if !c.has(d) {
			return nil, failf(opencl.InvalidDevice, "a device does not belong to the context")
		}
	}
	if len(devices) == 0 {
		devices = c.devices
	}
	opts, err := parseOptions(options, opencl.InvalidLinkerOptions)
	if err != nil {
		return nil, err
	}
	kind := BinaryExecutable
	if opts.CreateLibrary {
		kind = BinaryLibrary
	} else if opts.EnableLinkOptions {
		return nil, failf(opencl.InvalidLinkerOptions, "-enable-link-options goes together with -create-library")
	}
	p := c.newProgram(Source{Name: "<linked>"}, devices)
	p.linked = true
	var targets []*target
	for i := range p.targets {
		t := &p.targets[i]
		n := 0
		for _, q := range programs {
			units, err := q.linkable(t.dev)
			if err != nil {
				return nil, err
			}
			if units != nil {
				t.given = append(t.given, units...)
				n++
			}
		}
		// CL_INVALID_OPERATION: some inputs hold a compiled object or library for a device and others do not. For a
		// device without any the program gets no build.
		if n > 0 && n < len(programs) || n == 0 && len(p.targets) == 1 {
			return nil, failf(opencl.InvalidOperation, "a program to link is neither a compiled object nor a library for the device")
		}
		if n > 0 {
			t.kind = kind
			targets = append(targets, t)
			if slices.EqualFunc(t.given, targets[0].given, sameUnit) {
				t.given = targets[0].given // equal inputs, so that run links once
			}
		}
	}
	var after func()
	if done != nil {
		after = func() { done(p) }
	}
	err = p.run(targets, after, func(units []unit) (build, error) { return c.link(units, kind, opts, opencl.LinkProgramFailure) })
	return p, err
}

// sameUnit reports whether two units come from one compilation.
func sameUnit(a, b unit) bool {
	return a.Source.Text == b.Source.Text && a.Source.Name == b.Source.Name && a.Options.String() == b.Options.String() && maps.Equal(a.Source.Headers, b.Source.Headers) && maps.EqualFunc(a.Files, b.Files, bytes.Equal)
}

// linkable returns the compiled units that the program holds for the device, nil if none.
func (p *Program) linkable(d *Device) ([]unit, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.targets {
		if p.targets[i].dev != d {
			continue
		}
		switch t := p.serving(&p.targets[i]); {
		case t.building: // CL_INVALID_OPERATION: its compilation has not completed.
			return nil, failf(opencl.InvalidOperation, "a program to link is being compiled")
		case t.built.kind == BinaryCompiledObject || t.built.kind == BinaryLibrary:
			return t.built.units, nil
		case t.kind == BinaryCompiledObject || t.kind == BinaryLibrary:
			return t.given, nil
		}
	}
	return nil, nil
}

// link compiles the units and, if the result is an executable, makes them ready to run.
func (c *Context) link(units []unit, kind BinaryType, options *option.Build, failed opencl.Status) (build, error) {
	m, err := program.Link(units, options, kind != BinaryExecutable)
	b := build{status: BuildFailed, options: options.String(), units: m.Units, log: m.Log, warnings: m.Warnings, took: m.Took}
	if err != nil {
		return b, &BuildError{Diagnostics: b.warnings, Log: b.log, status: failed}
	}
	b.status = BuildSuccess
	if c.dump != nil {
		c.dump(units[0].Source.Name, m.String())
	}
	if kind == BinaryExecutable {
		b.module, b.loaded = m.Module.Module, &loaded{module: &m.Module}
		if b.code, err = cpu.All().Profiled(c.profile).Load(&m.Module); err != nil {
			b.status, b.log = BuildFailed, b.log+err.Error()+"\n"
			return b, &BuildError{Diagnostics: b.warnings, Log: b.log, status: failed}
		}
	}
	b.kind = kind
	return b, nil
}

// Context returns the program's context.
func (p *Program) Context() *Context { p = p.or(); return p.ctx }

// Source returns the source that the program was made from.
func (p *Program) Source() Source { p = p.or(); return p.source }

// Devices returns the devices that the program is for.
func (p *Program) Devices() []*Device {
	p = p.or()
	var list []*Device
	for i := range p.targets {
		list = append(list, p.targets[i].dev)
	}
	return list
}

// A BuildState describes a program's last build for a device.
type BuildState struct {
	Status  BuildStatus
	Options string     // of the build
	Log     string     // errors and warnings
	Binary  BinaryType // what the build produced or, before a build, what the program's binary holds
	// VariablesSize is the bytes of program-scope variables in global memory
	// (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE).
	VariablesSize int64
}

// BuildState describes the last build for the device, which must be one of the program's. A sub-device without
// a build of its own has its parent's.
func (p *Program) BuildState(d *Device) (BuildState, error) {
	if err := p.valid(); err != nil {
		return BuildState{}, err
	}
	list, err := p.on([]*Device{d})
	if err != nil {
		return BuildState{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.serving(list[0])
	s := BuildState{Status: t.built.status, Options: t.built.options, Log: t.built.log, Binary: t.built.kind, VariablesSize: t.built.variables()}
	if t.built.status == BuildNone {
		s.Binary = t.kind
	}
	if t.building {
		s.Status = BuildInProgress
	}
	return s, nil
}

// Log returns the build log: errors and warnings, as clGetProgramBuildInfo returns it. This method and those below
// describe one device that the program was built for; [Program.BuildState] describes any of them.
func (p *Program) Log() string { p = p.or(); return p.state().log }

// Warnings returns the warnings of the build.
func (p *Program) Warnings() []Diagnostic { p = p.or(); return p.state().warnings }

// variables returns the bytes of program-scope variables in global memory.
func (b *build) variables() int64 {
	n := int64(0)
	if b.code != nil {
		for _, g := range b.module.Globals {
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

// Executable reports whether the program was built successfully for a device.
func (p *Program) Executable() bool { p = p.or(); return p.state().code != nil }

// KernelNames returns the names of the program's kernels in order of the source. A program that is not an
// executable has none.
func (p *Program) KernelNames() []string {
	p = p.or()
	b := p.state()
	return b.kernelNames()
}

func (b *build) kernelNames() []string {
	if b.code == nil {
		return nil
	}
	return program.Kernels(b.module)
}

// Kernel returns the kernel of that name (clCreateKernel). Each call returns a kernel with its own arguments.
func (p *Program) Kernel(name string) (*Kernel, error) {
	if err := p.valid(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var k *Kernel
	var built *build
	for i := range p.targets {
		b := &p.serving(&p.targets[i]).built
		if b.code == nil {
			continue
		}
		built = b
		f := b.module.Func(name)
		if f == nil || f.Kernel == nil {
			continue
		}
		var code exec.Kernel
		prog, err := b.on(p.targets[i].dev)
		if err == nil {
			code, err = prog.Kernel(name)
		}
		if err != nil {
			return nil, &APIError{Status: opencl.OutOfResources, Message: err.Error(), Cause: err}
		}
		c := kernelCode{dev: p.targets[i].dev, Kernel: code, from: b.loaded, module: b.module, fn: f}
		switch {
		case k == nil:
			k = &Kernel{prog: p, code: &c, took: b.took, mu: &sync.Mutex{}, args: make([]argument, len(f.Kernel.Args))}
		// CL_INVALID_KERNEL_DEFINITION: the arguments are not the same for all devices.
		case !slices.Equal(f.Kernel.Args, k.code.fn.Kernel.Args):
			return nil, failf(opencl.InvalidKernelDefinition, "kernel %q has different arguments on different devices", name)
		}
		k.on = append(k.on, &c)
	}
	switch {
	case built == nil: // CL_INVALID_PROGRAM_EXECUTABLE: there is no successfully built executable.
		return nil, failf(opencl.InvalidProgramExecutable, "the program was not built, or not successfully")
	case k == nil: // CL_INVALID_KERNEL_NAME: kernel_name is not found in program.
		return nil, failf(opencl.InvalidKernelName, "the program has no kernel %q; it has %s", name, strings.Join(built.kernelNames(), ", "))
	}
	return k, nil
}

// Attach counts the program's kernel objects: n is 1 for a new one and -1 for a released one. While one exists the
// program cannot be built again.
func (p *Program) Attach(n int) {
	p = p.or()
	p.mu.Lock()
	p.kernels += n
	p.mu.Unlock()
}

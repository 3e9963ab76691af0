package program

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Module is a compiled program for any device, with the messages of its build.
type Module struct {
	exec.Module
	Units    []Unit // with the files that they include
	Warnings []Diagnostic
	Log      string // the build log of clGetProgramBuildInfo
	Took     timing.Times
}

// An Error is the error of a program that does not compile, or of wrong options.
type Error struct {
	Diagnostics []Diagnostic // errors and warnings in order
	Log         string       // the build log
}

// Error returns the first error, and the number of further ones.
func (e *Error) Error() string {
	for _, d := range e.Diagnostics {
		if strings.HasSuffix(d.Severity, "error") {
			s := "purecl: " + d.String()
			if len(e.Diagnostics) > 1 {
				s += " (and more)"
			}
			return s
		}
	}
	return "purecl: " + strings.TrimSpace(e.Log)
}

// Compile compiles a program. The error is an *[Error].
func Compile(src Source, options *option.Build) (*Module, error) {
	m, err := Link([]Unit{{Source: src, Options: options}}, options, false)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Link compiles the units and links them: to an executable program or, if partial is set, to an object or library.
// options are those of the linking; each unit has its own. The error is an *[Error]; the module then has no code.
func Link(units []Unit, options *option.Build, partial bool) (*Module, error) {
	return link(units, options, partial, false)
}

func link(units []Unit, options *option.Build, partial, debug bool) (*Module, error) {
	m := &Module{Units: make([]Unit, len(units))}
	copy(m.Units, units)
	fail := func(err error) (*Module, error) {
		m.Log += err.Error() + "\n"
		return m, &Error{Log: m.Log, Diagnostics: m.Warnings}
	}
	opts := compileOptions(options)
	std, uniform := opencl.CL12, false
	in := make([]compile.Unit, len(units))
	for i := range m.Units {
		u := &m.Units[i]
		o := u.compileOptions()
		o.Debug = debug
		std, uniform = max(std, o.Source.Std), uniform || o.UniformGroups
		in[i] = compile.Unit{Name: u.Source.Name, Text: []byte(u.Source.Text), Options: o}
	}
	opts.NoOpt, opts.Partial, opts.Debug = opts.NoOpt || partial || debug, partial, debug
	opts.Opt.KeepAccesses = slices.ContainsFunc(units, func(u Unit) bool { return u.Source.Watched })
	res, err := compile.Units(context.Background(), in, opts)
	m.Took, m.Log, m.Warnings = res.Took, diag.BuildLog(res.Source, res.Diags), newDiagnostics(res.Source, res.Diags)
	if err != nil {
		var list *diag.List
		if errors.As(err, &list) { // the log has it
			return m, &Error{Log: m.Log, Diagnostics: m.Warnings}
		}
		return fail(err)
	}
	m.Module = exec.Module{Module: res.Module, NonUniform: std >= opencl.CL20 && !uniform}
	if !opts.NoOpt && !opts.Opt.KeepAccesses {
		m.Checked = func() (*ssa.Module, error) { return checkedModule(m.Units, opts) }
	}
	return m, nil
}

// checkedModule compiles the units of a program again, with all accesses of the source.
func checkedModule(units []Unit, opts *compile.Options) (*ssa.Module, error) {
	in := make([]compile.Unit, len(units))
	for i := range units {
		in[i] = compile.Unit{Name: units[i].Source.Name, Text: []byte(units[i].Source.Text), Options: units[i].compileOptions()}
	}
	all := *opts
	all.Opt.KeepAccesses = true
	res, err := compile.Units(context.Background(), in, &all)
	return res.Module, err
}

// Kernels returns the names of a module's kernels in the order of the source.
func Kernels(m *ssa.Module) []string {
	var fs []*ssa.Func
	for _, f := range m.Funcs {
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

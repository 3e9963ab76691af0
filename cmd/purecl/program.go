package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

// A built is a program built from a source file.
type built struct {
	prog  *program.Module
	diags []diag.Finding // warnings, or the errors
	// left are the functions that do not compile, in order of the source.
	left []leftOut
}

// A leftOut is a function that was removed from a program because it does not compile.
type leftOut struct {
	name   string
	kernel bool
	diags  []diag.Finding // its errors
}

// errBuild is the error of a source with errors, which built.diags holds.
var errBuild = &statusError{status: exitFindings}

// buildFile builds a source file. It removes functions with errors if the rest of the file does not need them, so
// that a kernel for another version of OpenCL C does not prevent the file's others from running. The result has the
// diagnostics also with errBuild.
func buildFile(name string, build *buildFlags) (*built, error) {
	src, err := readSource(name)
	if err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	opts, err := build.parse()
	if err != nil {
		return nil, err
	}
	b := &built{}
	prog, diags, err := buildText(name, src, opts, build.watched)
	b.prog, b.diags = prog, diags
	if err != errBuild {
		return b, err
	}
	if v := laterVersion(name, src, opts); v != "" {
		for _, d := range diags {
			if d.Severity >= diag.Error { // the first error that is printed
				d.Note(diag.Span{}, "the source has no errors in a later version of OpenCL C: -cl-std=%s", v)
				break
			}
		}
	}
	text, left := withoutErrors(name, src, opts, diags)
	if left != nil {
		if prog, warnings, err := buildText(name, text, opts, build.watched); err == nil {
			return &built{prog, warnings, left}, nil
		}
	}
	return b, errBuild
}

func buildText(name string, src []byte, opts *option.Build, watched bool) (*program.Module, []diag.Finding, error) {
	m, err := program.Compile(program.Source{Name: name, Text: string(src), Watched: watched}, opts)
	var be *program.Error
	switch {
	case err == nil:
		return m, diagsOf(m.Warnings), nil
	case errors.As(err, &be) && len(be.Diagnostics) > 0:
		return nil, diagsOf(be.Diagnostics), errBuild
	case errors.As(err, &be):
		return nil, nil, findingsf("%s: %s", name, strings.TrimSpace(be.Log))
	}
	return nil, nil, err
}

// withoutErrors blanks the functions that contain the errors, and returns the text, with unchanged positions, and
// the functions. It returns nil if an error is outside of functions.
func withoutErrors(name string, src []byte, opts *option.Build, diags []diag.Finding) ([]byte, []leftOut) {
	source := diag.NewSource()
	file, ok := source.AddFile(name, src, 0)
	if !ok {
		return nil, nil
	}
	rep := diag.NewReporter(source, diag.Config{NoWarnings: true})
	var m syntax.Memory
	tree := m.Parse(source, preprocess.Run(source, file, &opts.Source, rep), &opts.Source, rep)
	text := slices.Clone(src)
	var left []leftOut
	placed := 0 // number of errors in functions
	errs := slices.DeleteFunc(slices.Clone(diags), func(f diag.Finding) bool { return f.Severity < diag.Error })
	for _, d := range tree.Decls {
		fn, ok := d.(*syntax.FuncDecl)
		if !ok || fn.Decl == nil || fn.Spec == nil {
			continue
		}
		from, to, ok := inFile(source, file, fn.Span())
		if !ok {
			continue
		}
		out := leftOut{name: fn.Decl.Name, kernel: fn.Spec.Kernel}
		for _, e := range errs {
			f, off := e.Source.File(e.Source.FileSpan(e.Span).Pos)
			if f != nil && f.Name == name && !f.Include.IsValid() && off >= from && off < to {
				out.diags = append(out.diags, e)
			}
		}
		if out.diags == nil {
			continue
		}
		placed += len(out.diags)
		left = append(left, out)
		for i := from; i < to; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	if placed < len(errs) {
		return nil, nil
	}
	return text, left
}

// inFile returns a span's byte range in the file; ok is false for a span in a macro.
func inFile(source *diag.Source, file *diag.File, s diag.Span) (from, to int, ok bool) {
	s = source.FileSpan(s)
	f, from := source.File(s.Pos)
	return from, from + int(s.End-s.Pos), f == file
}

// laterVersion returns a version of OpenCL C, later than the default, in which the source has no errors; "" if
// there is none or a version was given.
func laterVersion(name string, src []byte, opts *option.Build) string {
	if opts.Std != 0 {
		return ""
	}
	for _, v := range []opencl.Version{opencl.CL20, opencl.CL30} {
		o := compile.NewOptions(opts)
		o.Source.Std, o.Until = v, compile.Check
		if _, err := compile.Compile(context.Background(), name, src, o); err == nil {
			return v.Option()
		}
	}
	return ""
}

// warnings returns the diagnostics of a successful build, with one for each removed function.
func (b *built) warnings() []diag.Finding {
	list := slices.Clone(b.diags)
	for _, l := range b.left {
		e := l.diags[0]
		what := "function"
		if l.kernel {
			what = "kernel"
		}
		d := &diag.Diagnostic{Severity: diag.Warning, Code: diag.LeftOut, Span: e.Span,
			Message: fmt.Sprintf("%s '%s' is left out because of errors: %s", what, l.name, e.Message)}
		list = append(list, diag.Finding{Source: e.Source, Diagnostic: d})
	}
	return list
}

// kernel returns the kernel of that name, or the only one if name is "". With errBuild b.diags has its errors.
func (b *built) kernel(d exec.Named, file, name string) (*kernel, error) {
	names := program.Kernels(b.prog.Module.Module)
	var out []string
	for _, l := range b.left {
		if l.kernel {
			out = append(out, l.name)
		}
	}
	all := append(slices.Clone(names), out...)
	switch {
	case len(all) == 0:
		return nil, usagef("%s has no kernels: functions that are run begin with kernel or __kernel", file)
	case name == "" && len(all) > 1:
		return nil, usagef("%s has %d kernels; choose one with -k: %s", file, len(all), strings.Join(all, ", "))
	case name == "":
		name = all[0]
	}
	if slices.Contains(names, name) {
		return load(d, b.prog, name)
	}
	for _, l := range b.left {
		if l.name == name && l.kernel {
			b.diags = l.diags
			return nil, errBuild
		}
	}
	if near, ok := diag.Nearest(name, all); ok {
		return nil, usagef("%s has no kernel %q; did you mean %q? It has %s", file, name, near, strings.Join(all, ", "))
	}
	return nil, usagef("%s has no kernel %q; it has %s", file, name, strings.Join(all, ", "))
}

package purecl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

// A Program is a compiled source. It is safe for concurrent use; its program-scope
// variables are one instance, shared by all launches.
type Program struct {
	dev      *Device
	module   *ssa.Module
	code     exec.Program
	warnings []Diagnostic
	life
}

// Compile compiles OpenCL C for the default device. Options are those of clBuildProgram, such as
// "-cl-std=CL3.0" and "-DN=16". The error is a *[BuildError] if the source or an option is wrong.
func Compile(source string, options ...string) (*Program, error) {
	d, err := defaultDevice()
	if err != nil {
		return nil, err
	}
	return d.Compile(source, options...)
}

// CompileFile is [Compile] for a file. Diagnostics name the file, and #include searches its folder first.
func CompileFile(name string, options ...string) (*Program, error) {
	d, err := defaultDevice()
	if err != nil {
		return nil, err
	}
	return d.CompileFile(name, options...)
}

// Compile is [Compile] for this device.
func (d *Device) Compile(source string, options ...string) (*Program, error) {
	return d.compile(program.Source{Name: "<source>", Text: source}, options)
}

// CompileFile is [CompileFile] for this device.
func (d *Device) CompileFile(name string, options ...string) (*Program, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("purecl: %w", err)
	}
	return d.compile(program.Source{Name: name, Text: string(text)}, options)
}

// CompileFS is [Device.CompileFile] for a file of fsys, such as an embed.FS. #include searches fsys.
func (d *Device) CompileFS(fsys fs.FS, name string, options ...string) (*Program, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("purecl: %w", err)
	}
	return d.compile(program.Source{Name: name, Text: string(text), FS: fsys}, options)
}

func (d *Device) compile(src program.Source, options []string) (*Program, error) {
	if err := d.ok(); err != nil {
		return nil, err
	}
	opts, err := option.Parse(strings.Join(options, " "))
	if err != nil {
		return nil, &BuildError{Log: err.Error() + "\n"}
	}
	m, err := program.Compile(src, opts)
	if err != nil {
		var b *program.Error
		if errors.As(err, &b) {
			return nil, &BuildError{Diagnostics: diagnostics(b.Diagnostics), Log: b.Log}
		}
		return nil, err
	}
	code, err := d.exec.Load(&m.Module)
	if err != nil {
		return nil, &BuildError{Diagnostics: diagnostics(m.Warnings), Log: m.Log + err.Error() + "\n"}
	}
	p := &Program{dev: d, module: m.Module.Module, code: code, warnings: diagnostics(m.Warnings)}
	p.end = func() { code.Close() }
	runtime.AddCleanup(p, func(c exec.Program) { c.Close() }, code)
	if len(p.Kernels()) == 0 {
		w := Diagnostic{Severity: "warning", File: src.Name, Message: "the program has no kernel: a function is one with the word kernel before its type"}
		w.Rendered = w.String() + "\n"
		p.warnings = append(p.warnings, w)
	}
	return p, nil
}

func diagnostics(list []program.Diagnostic) []Diagnostic {
	out := make([]Diagnostic, len(list))
	for i, d := range list {
		out[i] = Diagnostic{Severity: d.Severity, Code: d.Code, Message: d.Message, File: d.File, Line: d.Line, Column: d.Column, Rendered: d.Rendered}
	}
	return out
}

// Device returns the device that the program was compiled for.
func (p *Program) Device() *Device {
	if p == nil {
		return nil
	}
	return p.dev
}

// Warnings returns the warnings of the build.
func (p *Program) Warnings() []Diagnostic {
	if p == nil {
		return nil
	}
	return p.warnings
}

// Kernels returns the names of the program's kernels in the order of the source.
func (p *Program) Kernels() []string {
	if p == nil || p.module == nil {
		return nil
	}
	return program.Kernels(p.module)
}

// Kernel returns the kernel of that name. The error lists the kernels that the program has.
func (p *Program) Kernel(name string) (*Kernel, error) {
	if p == nil || p.code == nil {
		return nil, errors.New("purecl: no program: Compile gives one")
	}
	if p.isClosed() {
		return nil, fmt.Errorf("purecl: kernel %q: the program is %w", name, ErrClosed)
	}
	f := p.module.Func(name)
	if f == nil || f.Kernel == nil {
		if names := p.Kernels(); len(names) > 0 {
			return nil, fmt.Errorf("purecl: no kernel %q; the program's kernels: %s", name, strings.Join(names, ", "))
		}
		return nil, fmt.Errorf("purecl: no kernel %q: the program has no kernel", name)
	}
	code, err := p.code.Kernel(name)
	if err != nil {
		return nil, fmt.Errorf("purecl: kernel %s: %w", name, err)
	}
	return newKernel(p, code, f)
}

// Close releases the program's code. Its kernels can no longer be launched. The garbage collector does so too.
func (p *Program) Close() error {
	if p != nil {
		p.close()
	}
	return nil
}

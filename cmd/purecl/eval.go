package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/evaluate"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

type evalCmd struct {
	Expr []string `arg:"" help:"Expression; several are evaluated one after the other."`
	Decl []string `short:"d" sep:"none" help:"Declarations before the expressions."`
	deviceFlag
	buildFlags
}

func (*evalCmd) Help() string {
	return help(
		"Prints the value with its type, and its bits. -- goes before an expression that",
		"begins with a minus sign and a letter.",
		"",
		buildHelp,
		"",
		exitHelp,
		"",
		"Examples:",
		"  purecl eval 'convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))'",
		"  purecl eval 'as_uint(1.0f)' 'vload_half(0, (half*)&x)' -d 'ushort x = 0x3c00;'",
		"  purecl eval -d 'int x = 3;' -- -x",
	)
}

func (c *evalCmd) Run(ctx context.Context, o *output) error {
	d, err := c.find()
	if err != nil {
		return err
	}
	s := newSession(&c.buildFlags, d)
	for _, d := range c.Decl {
		if err := s.Declare(d); err != nil {
			return o.fail(err)
		}
	}
	for _, e := range c.Expr {
		if err := s.eval(ctx, o, e); err != nil {
			return o.fail(err)
		}
	}
	return nil
}

// fail prints an error's diagnostics, if it has some, and returns the error to exit with.
func (o *output) fail(err error) error {
	var se evaluate.SourceError
	var be *program.Error
	var list []diag.Finding
	switch {
	case errors.As(err, &se):
		list = se
	case errors.As(err, &be) && len(be.Diagnostics) > 0:
		list = diagsOf(be.Diagnostics)
	default:
		return err
	}
	for _, d := range list {
		o.show(d)
	}
	return &statusError{exitFindings, ""}
}

// A session evaluates expressions on a device.
type session struct {
	evaluate.Session
	device exec.Named
}

func newSession(build *buildFlags, d exec.Named) *session {
	return &session{evaluate.Session{Options: build.parse}, d}
}

// eval evaluates an expression and prints its type, value and bits.
func (s *session) eval(ctx context.Context, o *output, expr string) error {
	x, err := s.Compile(ctx, expr)
	if errors.Is(err, evaluate.ErrEmpty) {
		return usagef("%v", err)
	}
	if err != nil {
		return err
	}
	k, err := load(s.device, x.Module, evaluate.Kernel)
	if err != nil {
		return err
	}
	for _, d := range x.Warnings {
		o.show(d)
	}
	out := make([]byte, x.Type.Size())
	rep, err := s.run(ctx, o, k, out)
	if rep != nil {
		for _, f := range evaluate.About(rep.findings) {
			o.show(f.Diag)
		}
	}
	var usage *statusError
	switch {
	case errors.As(err, &usage):
		return findingsf("the expression cannot be evaluated: %s", strings.TrimPrefix(usage.message, "kernel "+evaluate.Kernel+": "))
	case err != nil:
		return err
	case rep.failed:
		return &statusError{exitFindings, ""}
	}
	_, err = fmt.Fprint(o.out, evaluate.Format(x.Type, out))
	return err
}

// compile returns the session's kernel of a program.
func (s *session) compile(src string) (*kernel, error) {
	m, err := s.Build(src)
	if err != nil {
		return nil, err
	}
	return load(s.device, m, evaluate.Kernel)
}

// run runs the session's kernel, which writes its result to out.
func (s *session) run(ctx context.Context, o *output, k *kernel, out []byte) (*launchReport, error) {
	a := &arg{Info: k.params()[0], Data: &data{Bytes: out}}
	checks := exec.ChecksAll
	if !s.device.Info().Checks {
		checks = exec.ChecksNone
	}
	l, err := k.launcher(launchOptions{checks: checks, stdout: o.out}, dims{1}, nil, nil, []*arg{a})
	if err != nil {
		return nil, err
	}
	defer l.close()
	return l.run(ctx)
}

package playground

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/evaluate"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// An EvalRequest requests the value of an expression.
type EvalRequest struct {
	Source        // source of functions that the expression may call, if Use is set
	Use    bool   `json:"use"`
	Expr   string `json:"expr"`
}

// maxValue bounds the size of a value in bytes.
const maxValue = 1 << 20

// eval returns the value of an expression as text, or its diagnostics, with their notes as text.
func (p *Playground) eval(r *EvalRequest, _ map[string][]byte) (Reply, error) {
	if err := r.check(); err != nil {
		return Reply{}, err
	}
	s := evaluate.Session{Options: func() (*option.Build, error) { return buildOptions(r.options(), false) }}
	if r.Use {
		s.Global = fmt.Sprintf("#line 1 %q\n%s\n", FileName, r.Text)
	}
	var text strings.Builder
	style := diag.Style{Codes: true}
	show := func(f diag.Finding) { text.WriteString(style.One(f.Source, f.Diagnostic)) }
	x, err := s.Compile(context.Background(), r.Expr)
	var se evaluate.SourceError
	var be *program.Error
	switch {
	case errors.As(err, &se):
		for _, d := range se {
			show(d)
		}
		return Reply{}, errors.New(text.String())
	case errors.As(err, &be):
		return Reply{}, errors.New(strings.TrimSpace(be.Log))
	case err != nil:
		return Reply{}, err
	case x.Type.Size() > maxValue:
		return Reply{}, fmt.Errorf("the value has %d bytes; the playground shows %d at most", x.Type.Size(), maxValue)
	}
	for _, d := range x.Warnings {
		show(d)
	}
	prog, err := launch.NewProgram(x.Module.Module.Module, nil)
	if err != nil {
		return Reply{}, err
	}
	k, err := prog.Kernel(evaluate.Kernel)
	if err != nil {
		return Reply{}, err
	}
	out, printed := make([]byte, x.Type.Size()), &limitedText{}
	rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: out})}, Range: launch.Range{Global: []uint64{1}},
		Checks: exec.ChecksAll, Workers: 1, Limits: runLimits, Stdout: printed})
	text.WriteString(printed.String())
	var found []program.Finding
	if rep != nil {
		for _, f := range rep.Findings {
			found = append(found, program.NewFinding(x.Module.Source, f, exec.Strict))
		}
	}
	for _, f := range evaluate.About(found) {
		show(f.Diag)
	}
	var fault *launch.Fault
	switch {
	case errors.As(err, &fault):
		return Reply{}, errors.New(text.String())
	case err != nil:
		return Reply{}, fmt.Errorf("the expression cannot be evaluated: %w", err)
	}
	return Reply{Value: text.String() + evaluate.Format(x.Type, out)}, nil
}

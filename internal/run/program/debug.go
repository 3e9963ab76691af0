package program

import (
	"context"
	"slices"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Debug compiles a program's units for a debugger. The error is an *[Error].
func Debug(units []Unit, options *option.Build) (*Module, error) {
	return link(units, options, false, true)
}

// Evaluate compiles an expression as if it were at the beginning of the statement with the range at in the named
// file. An error in the expression itself is a *compile.ExpressionError.
func (m *Module) Evaluate(ctx context.Context, file string, at ssa.Range, text string) (*compile.Evaluation, error) {
	units := slices.Clone(m.Units)
	for i := range units {
		if _, included := units[i].Files[file]; included || units[i].Source.Name == file {
			units[0], units[i] = units[i], units[0]
			break
		}
	}
	in := make([]compile.Unit, len(units))
	for i := range units {
		in[i] = compile.Unit{Name: units[i].Source.Name, Text: []byte(units[i].Source.Text), Options: units[i].compileOptions()}
	}
	return compile.Evaluate(ctx, in, file, at, text)
}

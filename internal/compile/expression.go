package compile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/irgen"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An Evaluation is a compiled expression.
type Evaluation struct {
	irgen.Expression
	Module *ssa.Module
}

// An ExpressionError reports that a text is not a valid expression.
type ExpressionError struct{ Text string }

func (e *ExpressionError) Error() string { return e.Text }

// expressionFile is the name of the included file with the expression.
const expressionFile = "<expression>"

// insertions are the possible places of an expression beside a statement, in the order of the attempts: before a
// full expression, before another statement, around the only statement of a branch, after a declaration. The
// result uses only the expression, so an insertion may change the meaning of the statement.
var insertions = []struct {
	follows       bool   // the expression comes after the statement
	before, after string // text before and after the expression
	end           string // text after the statement
}{
	{before: "(", after: "),"},
	{before: "(", after: ");"},
	{before: "{(", after: ");", end: "}"},
	{follows: true, before: ", purecl_expression[sizeof(", after: ")]"},
}

// Evaluate compiles an expression in the scope of a statement of the first unit. file and at are the place of the
// statement. file is the unit or a file that the unit includes. The error is an *ExpressionError or the context's error.
func Evaluate(ctx context.Context, units []Unit, file string, at ssa.Range, text string) (*Evaluation, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &ExpressionError{"no expression"}
	}
	var first error
	for _, in := range insertions {
		e, err := evaluate(ctx, units, file, func(src []byte) ([]byte, bool) {
			from, ok := offset(src, at.From)
			to, ok2 := offset(src, at.To)
			if !ok || !ok2 || to < from {
				return nil, false
			}
			for in.end != "" && to < len(src) && (src[to] == ' ' || src[to] == ';') {
				if to++; src[to-1] == ';' {
					break
				}
			}
			include := "\n#include \"" + expressionFile + "\"\n"
			if in.follows {
				return bytes.Join([][]byte{src[:to], src[to:]}, []byte(include)), true
			}
			return bytes.Join([][]byte{src[:from], []byte(include), src[from:to], []byte(in.end), src[to:]}, nil), true
		}, in.before+text+"\n"+in.after, len(in.before), len(text))
		if err == nil || ctx.Err() != nil {
			return e, err
		}
		var ee *ExpressionError
		if errors.As(err, &ee) && (first == nil || first == error(errNowhere)) {
			first = err
		}
	}
	if first == nil || first == error(errNowhere) || strings.HasPrefix(first.Error(), "expected") {
		first = cmp.Or(malformed(text, &units[0].Options.Source), first, error(errNowhere))
	}
	return nil, first
}

// malformed returns an error if the text is not an expression in any scope, else nil.
func malformed(text string, opts *option.Source) error {
	source := diag.NewSource()
	file, ok := source.AddFile(expressionFile, []byte("void f(void) { ("+text+"\n); }"), 0)
	if !ok {
		return nil
	}
	rep := diag.NewReporter(source, diag.Config{NoWarnings: true})
	var m syntax.Memory
	m.Parse(source, preprocess.Run(source, file, opts, rep), opts, rep)
	for _, d := range rep.Diags {
		if d.Severity >= diag.Error {
			return &ExpressionError{d.Message}
		}
	}
	return nil
}

// errNowhere is the error of a place that no insertion fits.
var errNowhere = &ExpressionError{"expressions cannot be evaluated at this place of the source"}

// offset returns the offset of a position in a text.
func offset(src []byte, at ssa.LineColumn) (int, bool) {
	off := 0
	for line := 1; line < at.Line; line++ {
		n := bytes.IndexByte(src[off:], '\n')
		if n < 0 {
			return 0, false
		}
		off += n + 1
	}
	off += at.Column - 1
	return off, off >= 0 && off <= len(src)
}

// evaluate compiles the units with the expression in an included file. before is the length of the text before the
// expression in that file. The error is an *ExpressionError if the expression is wrong, and errNowhere if the
// insertion is not valid there.
func evaluate(ctx context.Context, units []Unit, file string, insert func(src []byte) ([]byte, bool), text string, before, length int) (*Evaluation, error) {
	units = append([]Unit(nil), units...)
	e := &Evaluation{}
	o := *units[0].Options
	o.Debug, o.Verify, o.Diag = true, false, diag.Config{NoWarnings: true}
	o.expression = &expression{made: &e.Expression, file: expressionFile, from: before, to: before + length}
	o.Source.Headers = maps.Clone(o.Source.Headers)
	if o.Source.Headers == nil {
		o.Source.Headers = map[string][]byte{}
	}
	o.Source.Headers[expressionFile] = []byte(text)
	u := &units[0]
	u.Options = &o
	ok := true
	switch {
	case file == u.Name:
		u.Text, ok = insert(u.Text)
	case o.Source.Headers[file] != nil:
		o.Source.Headers[file], ok = insert(o.Source.Headers[file])
	case o.Source.ReadFile != nil:
		read := o.Source.ReadFile
		o.Source.ReadFile = func(name string) ([]byte, error) {
			b, err := read(name)
			if err == nil && name == file {
				if c, ok := insert(b); ok {
					b = c
				}
			}
			return b, err
		}
	}
	if !ok {
		return nil, errNowhere
	}
	whole := o
	whole.expression = nil
	res, err := Units(ctx, units, &whole)
	var list *diag.List
	switch {
	case errors.As(err, &list):
		return nil, wrong(list, before)
	case err != nil:
		return nil, err
	case e.Func == nil:
		return nil, errNowhere
	}
	e.Module = res.Module
	return e, nil
}

// wrong converts the errors of the source with an expression to the error of the expression.
func wrong(list *diag.List, before int) error {
	text := ""
	for _, d := range list.Diags {
		loc := list.Source.Location(d.Span.Pos)
		switch {
		case d.Severity < diag.Error:
		case loc.File != expressionFile || loc.Line > 1:
			return errNowhere
		case text == "":
			text = fmt.Sprintf("%s (column %d)", d.Message, max(1, loc.Column-before))
		}
	}
	if text == "" {
		return errNowhere
	}
	return &ExpressionError{text}
}

// An expression requests a kernel for the expression in the included file.
type expression struct {
	made     *irgen.Expression
	file     string
	from, to int // offsets of the expression in the file
}

// find finds the outermost expression in the file. It returns false if the file has no expression with a value.
func (x *expression) find(src *diag.Source, info *check.Info) bool {
	for _, e := range info.Values {
		f, off := src.File(src.Outermost(e.Span().Pos))
		if f == nil || f.Name != x.file {
			continue
		}
		span := src.FileSpan(e.Span())
		end := off + int(span.End-span.Pos)
		if off < x.from || end > x.to {
			continue
		}
		// In a declaration "a[1]" declares an array: only 1 is an expression there.
		if strings.Trim(string(f.Src[x.from:off]), " \t(&*") == "" && strings.Trim(string(f.Src[end:x.to]), " \t)") == "" {
			x.made.X = e
		}
	}
	if x.made.X == nil {
		return false
	}
	t := x.made.X.Type()
	return !t.IsVoid() && t.Kind != types.Func
}

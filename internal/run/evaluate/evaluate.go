package evaluate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/run/argument"
	"github.com/purecl/purecl/internal/run/program"
)

// A Session is the context of an expression: declarations of program scope and, inside a function, declarations and
// statements, which run again for each expression.
type Session struct {
	Options func() (*option.Build, error) // called for each compilation, which changes the options
	Global  string
	Body    string
}

// A SourceError is an error in the user's text, as diagnostics.
type SourceError []diag.Finding

func (e SourceError) Error() string { return e[0].Message }

// Declare adds declarations before the expressions.
func (s *Session) Declare(text string) error {
	if err := s.Balanced(DeclFile, text); err != nil {
		return err
	}
	s.Body += "\n#line 1 \"" + DeclFile + "\"\n" + text
	return nil
}

// An Expression is a compiled expression.
type Expression struct {
	Type     *types.Type
	Warnings []diag.Finding
	Module   *program.Module // its kernel, called Kernel, writes the value to its only argument
}

// Compile compiles an expression. The error is a [SourceError], a *program.Error or another one.
func (s *Session) Compile(ctx context.Context, expr string) (*Expression, error) {
	if strings.TrimSpace(expr) == "" {
		return nil, ErrEmpty
	}
	if err := s.Balanced(ExprFile, expr); err != nil {
		return nil, err
	}
	src := s.Program(expr)
	t, warnings, err := s.TypeOf(ctx, src, expr)
	if err != nil {
		return nil, err
	}
	m, err := s.Build(src)
	if err != nil {
		return nil, err
	}
	return &Expression{t, warnings, m}, nil
}

// ErrEmpty is the error of an empty expression.
var ErrEmpty = errors.New("the expression is empty")

// About returns the findings of a run that concern the expression. The generated code that copies the result also
// reads padding, whose findings it drops.
func About(list []program.Finding) []program.Finding {
	var out []program.Finding
	for _, f := range list {
		if f.Error || f.File == ExprFile || f.File == DeclFile {
			f.Diag.Notes = nil // the only work-item is not worth a note
			out = append(out, f)
		}
	}
	return out
}

// Build compiles a program of the session.
func (s *Session) Build(src string) (*program.Module, error) {
	opts, err := s.Options()
	if err != nil {
		return nil, err
	}
	return program.Compile(program.Source{Name: "<input>", Text: src}, opts)
}

// Names of the kernel and of the variable with the result, and the file names of the expression, of the
// declarations before it and of the generated text.
const (
	Kernel     = "purecl_eval_kernel"
	evalResult = "purecl_eval_result"
	ExprFile   = "<expression>"
	DeclFile   = "<declaration>"
	evalFrame  = "<result>"
)

// Program returns the source text with a kernel that contains the statements and the expression. The kernel copies
// the result byte by byte, whatever its type.
func (s *Session) Program(expr string) string {
	var b strings.Builder
	// Without this, half would not be a type of variables.
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#line 1\n")
	b.WriteString(s.Global)
	fmt.Fprintf(&b, "\nkernel void %s(global uchar *purecl_eval_out) {\n", Kernel)
	b.WriteString(s.Body)
	if strings.TrimSpace(expr) != "" {
		line := "\n#line 1 \"" + ExprFile + "\"\n" + expr + "\n#line 1 \"" + evalFrame + "\"\n"
		value := line
		if hasComma(expr) {
			value = "(" + line + ")"
		}
		fmt.Fprintf(&b, "\n#line 1 \"%s\"\n__typeof__(%s) %s = %s;\n", evalFrame, line, evalResult, value)
		fmt.Fprintf(&b, "for (size_t i = 0; i < sizeof %[1]s; i++) purecl_eval_out[i] = ((private uchar *)&%[1]s)[i];\n", evalResult)
	}
	b.WriteString("\n}\n")
	return b.String()
}

// hasComma reports whether an expression has the comma operator outside of brackets, where an initializer does not
// allow it.
func hasComma(expr string) bool {
	depth := 0
	for _, t := range Tokens(expr) {
		switch t.Kind {
		case token.LParen, token.LBrace, token.LBrack:
			depth++
		case token.RParen, token.RBrace, token.RBrack:
			depth--
		case token.Comma:
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// Tokens returns the tokens of a text up to its first error.
func Tokens(text string) []token.Token {
	src := diag.NewSource()
	f, ok := src.AddFile("<input>", []byte(text), 0)
	if !ok {
		return nil
	}
	return preprocess.Run(src, f, &option.Source{}, diag.NewReporter(src, diag.Config{})).Tokens
}

// Balanced returns an error if the text would not end where the user ended it: for unbalanced brackets,
// unterminated comments and strings, and in an expression for a semicolon or a directive.
func (s *Session) Balanced(name, text string) error {
	opts, err := s.Options()
	if err != nil {
		return err
	}
	src := diag.NewSource()
	f, ok := src.AddFile(name, []byte(text), 0)
	if !ok {
		return errors.New("the expression is too long")
	}
	rep := diag.NewReporter(src, diag.Config{NoWarnings: true})
	if i := strings.Index("\n"+text, "\n#"); i >= 0 && name == ExprFile {
		rep.Report(diag.StrayToken, diag.Span{Pos: f.Pos(i), End: f.Pos(i + 1)}, "an expression cannot hold a directive")
	}
	var open []token.Token
	for _, t := range preprocess.Run(src, f, &opts.Source, rep).Tokens {
		if rep.Failed() {
			break
		}
		switch t.Kind {
		case token.LParen, token.LBrace, token.LBrack:
			open = append(open, t)
		case token.RParen, token.RBrace, token.RBrack:
			if n := len(open) - 1; n < 0 || closing[open[n].Kind] != t.Kind {
				rep.Report(diag.ExtraneousParen, t.Span(), "'%s' closes no bracket", t.Text)
			} else {
				open = open[:n]
			}
		case token.Semi:
			if name == ExprFile && len(open) == 0 {
				rep.Report(diag.StrayToken, t.Span(), "';' ends a statement, and this is to be an expression; declarations are given with -d")
			}
		}
	}
	if n := len(open) - 1; n >= 0 && !rep.Failed() {
		rep.Report(diag.ExpectedToken, open[n].Span(), "'%s' is not closed", open[n].Text)
	}
	if !rep.Failed() {
		return nil
	}
	var se SourceError
	for _, d := range rep.Diags {
		se = append(se, diag.Finding{Source: src, Diagnostic: d})
	}
	return se
}

var closing = map[token.Kind]token.Kind{token.LParen: token.RParen, token.LBrace: token.RBrace, token.LBrack: token.RBrack}

// TypeOf returns the result's type, and warnings about the expression.
func (s *Session) TypeOf(ctx context.Context, src, expr string) (*types.Type, []diag.Finding, error) {
	build, err := s.Options()
	if err != nil {
		return nil, nil, err
	}
	opts := compile.NewOptions(build)
	opts.Until, opts.KeepProgram = compile.Check, true
	res, err := compile.Compile(ctx, "<input>", []byte(src), opts)
	list := usersDiagnostics(res, expr)
	if err != nil {
		if _, ok := err.(*diag.List); ok && len(list) > 0 {
			err = SourceError(list)
		}
		return nil, nil, err
	}
	for _, f := range res.Program.Funcs {
		if f.Name != Kernel {
			continue
		}
		for _, st := range f.Body.List {
			if v, ok := st.(*check.VarStmt); ok && v.Var.Name == evalResult {
				return v.Var.Type.Type, list, nil
			}
		}
	}
	return nil, nil, SourceError{aboutExpression(expr, false, diag.IncompleteType, "the expression has no value")}
}

// usersDiagnostics returns the diagnostics about the user's expression. The generated text
// contains the expression twice, so each diagnostic is kept once. An error in the generated
// text means that the expression ends too early or that its type has no values.
func usersDiagnostics(res *compile.Result, expr string) []diag.Finding {
	var list []diag.Finding
	var around *diag.Diagnostic
	seen := map[string]bool{}
	failed := false
	for _, d := range res.Diags {
		if res.Source.Location(d.Span.Pos).File == evalFrame {
			if around == nil && d.Severity >= diag.Error {
				around = d
			}
			continue
		}
		if len(d.Notes) > 0 && !users(res.Source, d.Notes[0].Span) { // a bracket of the generated text
			d.Notes, d.Message = nil, "the expression ends before this"
		}
		if text := (diag.Style{Codes: true}).One(res.Source, d); !seen[text] {
			seen[text] = true
			failed = failed || d.Severity >= diag.Error
			list = append(list, diag.Finding{Source: res.Source, Diagnostic: d})
		}
	}
	if failed || around == nil {
		return list
	}
	early := false
	if f, off := res.Source.File(around.Span.Pos); f != nil && off < len(f.Src) {
		early = f.Src[off] == ')' || f.Src[off] == ';'
	}
	message := around.Message
	switch {
	case around.Code == diag.IncompleteType:
		message = "the expression has no value"
	case around.Code == diag.InvalidSizeof:
		message = "the expression is a function, which has no value unless it is called"
	case !early:
		message = "a value of this type cannot be shown: " + strings.ReplaceAll(message, "'"+evalResult+"'", "the result")
	}
	return append(list, aboutExpression(expr, early, around.Code, message))
}

// users reports whether a position is in the user's text, or unknown.
func users(src *diag.Source, s diag.Span) bool { return src.Location(s.Pos).File != evalFrame }

// aboutExpression returns an error that points at the whole expression or, with atEnd, at its
// end.
func aboutExpression(expr string, atEnd bool, code *diag.Code, message string) diag.Finding {
	src := diag.NewSource()
	f, _ := src.AddFile(ExprFile, []byte(expr), 0) // the source with the generated text had room for it too
	end := len(strings.TrimRight(expr, " \t\n"))
	from := len(expr) - len(strings.TrimLeft(expr, " \t\n"))
	if atEnd {
		from, end = end, end+1
	}
	d := &diag.Diagnostic{Severity: diag.Error, Code: code, Message: message, Span: diag.Span{Pos: f.Pos(from), End: f.Pos(end)}}
	return diag.Finding{Source: src, Diagnostic: d}
}

// Format formats a value such as "uchar4 (0, 254, 255, 255)", with its bits on a second line.
func Format(t *types.Type, b []byte) string {
	k := t.Num()
	if t.IsPointer() {
		bits := argument.Bits(b, k)
		return fmt.Sprintf("%s object %d, offset %d\n", t, bits>>40, bits&(1<<40-1))
	}
	if x := t.Elem.Type; t.Kind == types.Array && (x.IsArithmetic() || x.IsVector()) {
		e := argument.Elem{Kind: x.Num(), Lanes: x.Lanes(), Size: int(x.Size())}
		list := make([]string, t.Len)
		for i := range list {
			list[i] = argument.FormatElem(e, b[i*e.Size:])
		}
		return fmt.Sprintf("%s {%s}\n", t, strings.Join(list, ", "))
	}
	if !t.IsArithmetic() && !t.IsVector() {
		return fmt.Sprintf("%s of %d bytes: % x\n", t, len(b), b)
	}
	e := argument.Elem{Kind: k, Lanes: t.Lanes(), Size: int(t.Size())}
	return fmt.Sprintf("%s %s\n  bits %s\n", t, argument.FormatElem(e, b), argument.FormatHex(e, b))
}

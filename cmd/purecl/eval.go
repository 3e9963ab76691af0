package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/preprocess"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

type evalCmd struct {
	Expr []string `arg:"" help:"Expression; several are evaluated one after the other."`
	Decl []string `short:"d" sep:"none" help:"Declarations that stand before the expressions."`
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
	s := &session{build: &c.buildFlags, device: d}
	for _, d := range c.Decl {
		if err := s.balanced(evalDecl, d); err != nil {
			return o.fail(err)
		}
		s.body += "\n#line 1 \"" + evalDecl + "\"\n" + d
	}
	for _, e := range c.Expr {
		if err := s.eval(ctx, o, e); err != nil {
			return o.fail(err)
		}
	}
	return nil
}

// A sourceError is an error in what the user wrote, as diagnostics about it.
type sourceError []diag.Finding

func (e sourceError) Error() string { return e[0].Message }

// fail shows the diagnostics of an error that has some.
func (o *output) fail(err error) error {
	var se sourceError
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

// A session is what an expression is evaluated in: declarations of program scope and,
// inside a function, declarations and statements, which run anew each time.
type session struct {
	build  *buildFlags
	device exec.Named
	global string
	body   string
}

// The kernel and the variable that hold the result, and the names of files in which the
// expression, the declarations before it and the text around them are said to stand.
const (
	evalKernel = "purecl_eval_kernel"
	evalResult = "purecl_eval_result"
	evalExpr   = "<expression>"
	evalDecl   = "<declaration>"
	evalFrame  = "<result>"
)

// program is the source text with the statements in a kernel. The result is copied out
// byte by byte, whatever its type.
func (s *session) program(expr string) string {
	var b strings.Builder
	// So that half is a type like the others.
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#line 1\n")
	b.WriteString(s.global)
	fmt.Fprintf(&b, "\nkernel void %s(global uchar *purecl_eval_out) {\n", evalKernel)
	b.WriteString(s.body)
	if strings.TrimSpace(expr) != "" {
		line := "\n#line 1 \"" + evalExpr + "\"\n" + expr + "\n#line 1 \"" + evalFrame + "\"\n"
		value := line
		if hasComma(expr) {
			value = "(" + line + ")"
		}
		fmt.Fprintf(&b, "\n__typeof__(%s) %s = %s;\n", line, evalResult, value)
		fmt.Fprintf(&b, "for (size_t i = 0; i < sizeof %[1]s; i++) purecl_eval_out[i] = ((private uchar *)&%[1]s)[i];\n", evalResult)
	}
	b.WriteString("\n}\n")
	return b.String()
}

// eval evaluates an expression and prints its type, value and bits.
func (s *session) eval(ctx context.Context, o *output, expr string) error {
	if strings.TrimSpace(expr) == "" {
		return usagef("the expression is empty")
	}
	if err := s.balanced(evalExpr, expr); err != nil {
		return err
	}
	src := s.program(expr)
	t, warnings, err := s.typeOf(ctx, src, expr)
	if err != nil {
		return err
	}
	k, err := s.compile(src)
	if err != nil {
		return err
	}
	for _, d := range warnings {
		o.show(d)
	}
	out := make([]byte, t.Size())
	rep, err := s.run(ctx, o, k, out)
	if rep != nil {
		for i := range rep.findings {
			// The copy of the result reads padding too.
			if f := &rep.findings[i]; f.Error || f.File == evalExpr || f.File == evalDecl {
				f.Diag.Notes = nil // there is one work-item
				o.show(f.Diag)
			}
		}
	}
	var usage *statusError
	switch {
	case errors.As(err, &usage):
		return findingsf("the expression cannot be evaluated: %s", strings.TrimPrefix(usage.message, "kernel "+evalKernel+": "))
	case err != nil:
		return err
	case rep.failed:
		return &statusError{exitFindings, ""}
	}
	return printValue(o.out, t, out)
}

// compile returns the session's kernel of a program.
func (s *session) compile(src string) (*kernel, error) {
	opts, err := s.build.parse()
	if err != nil {
		return nil, err
	}
	m, err := program.Compile(program.Source{Name: "<input>", Text: src}, opts)
	if err != nil {
		return nil, err
	}
	return load(s.device, m, evalKernel)
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

// hasComma reports whether an expression has the comma operator outside of brackets, where an
// initializer takes none.
func hasComma(expr string) bool {
	depth := 0
	for _, t := range tokens(expr) {
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

// tokens returns the tokens of a text as far as it is right.
func tokens(text string) []token.Token {
	src := diag.NewSource()
	f, ok := src.AddFile("<input>", []byte(text), 0)
	if !ok {
		return nil
	}
	return preprocess.Run(src, f, &option.Source{}, diag.NewReporter(src, diag.Config{})).Tokens
}

// balanced reports what would make the text end elsewhere than where the user ended it:
// brackets that are not closed or not opened, comments and texts without an end, and in an
// expression a semicolon or a directive.
func (s *session) balanced(name, text string) error {
	opts, err := s.build.parse()
	if err != nil {
		return err
	}
	src := diag.NewSource()
	f, ok := src.AddFile(name, []byte(text), 0)
	if !ok {
		return usagef("the expression is too long")
	}
	rep := diag.NewReporter(src, diag.Config{NoWarnings: true})
	if i := strings.Index("\n"+text, "\n#"); i >= 0 && name == evalExpr {
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
			if name == evalExpr && len(open) == 0 {
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
	var se sourceError
	for _, d := range rep.Diags {
		se = append(se, diag.Finding{Source: src, Diagnostic: d})
	}
	return se
}

var closing = map[token.Kind]token.Kind{token.LParen: token.RParen, token.LBrace: token.RBrace, token.LBrack: token.RBrack}

// typeOf finds the type that the checker gave the result, and warnings about the expression.
func (s *session) typeOf(ctx context.Context, src, expr string) (*types.Type, []diag.Finding, error) {
	opts, err := s.build.compileOptions()
	if err != nil {
		return nil, nil, err
	}
	opts.Until, opts.KeepProgram = compile.Check, true
	res, err := compile.Compile(ctx, "<input>", []byte(src), opts)
	list := usersDiagnostics(res, expr)
	if err != nil {
		if _, ok := err.(*diag.List); ok && len(list) > 0 {
			err = sourceError(list)
		}
		return nil, nil, err
	}
	for _, f := range res.Program.Funcs {
		if f.Name != evalKernel {
			continue
		}
		for _, st := range f.Body.List {
			if v, ok := st.(*check.VarStmt); ok && v.Var.Name == evalResult {
				return v.Var.Type.Type, list, nil
			}
		}
	}
	return nil, nil, sourceError{aboutExpression(expr, false, diag.IncompleteType, "the expression has no value")}
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
		if len(d.Notes) > 0 && !users(res.Source, d.Notes[0].Span) { // a bracket around the expression
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

// users reports whether a place is in what the user wrote, or none.
func users(src *diag.Source, s diag.Span) bool {
	switch src.Location(s.Pos).File {
	case "", evalExpr, evalDecl:
		return true
	}
	return false
}

// aboutExpression returns an error that points at the whole expression or, with atEnd, at its
// end.
func aboutExpression(expr string, atEnd bool, code *diag.Code, message string) diag.Finding {
	src := diag.NewSource()
	f, _ := src.AddFile(evalExpr, []byte(expr), 0) // there was room for it with more around it
	end := len(strings.TrimRight(expr, " \t\n"))
	from := len(expr) - len(strings.TrimLeft(expr, " \t\n"))
	if atEnd {
		from, end = end, end+1
	}
	d := &diag.Diagnostic{Severity: diag.Error, Code: code, Message: message, Span: diag.Span{Pos: f.Pos(from), End: f.Pos(end)}}
	return diag.Finding{Source: src, Diagnostic: d}
}

// printValue prints "uchar4 (0, 254, 255, 255)" and the bits.
func printValue(w io.Writer, t *types.Type, b []byte) error {
	k := t.Num()
	if t.IsPointer() {
		bits := argument.Bits(b, k)
		_, err := fmt.Fprintf(w, "%s object %d, offset %d\n", t, bits>>40, bits&(1<<40-1))
		return err
	}
	if x := t.Elem.Type; t.Kind == types.Array && (x.IsArithmetic() || x.IsVector()) {
		e := elem{Kind: x.Num(), Lanes: x.Lanes(), Size: int(x.Size())}
		list := make([]string, t.Len)
		for i := range list {
			list[i] = argument.FormatElem(e, b[i*e.Size:])
		}
		_, err := fmt.Fprintf(w, "%s {%s}\n", t, strings.Join(list, ", "))
		return err
	}
	if !t.IsArithmetic() && !t.IsVector() {
		_, err := fmt.Fprintf(w, "%s of %d bytes: % x\n", t, len(b), b)
		return err
	}
	e := elem{Kind: k, Lanes: t.Lanes(), Size: int(t.Size())}
	_, err := fmt.Fprintf(w, "%s %s\n  bits %s\n", t, argument.FormatElem(e, b), argument.FormatHex(e, b))
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/run/host"
)

type evalCmd struct {
	Expr []string `arg:"" help:"Expression; several are evaluated one after the other."`
	Decl []string `short:"d" sep:"none" help:"Declarations that stand before the expressions."`
	buildFlags
}

func (*evalCmd) Help() string {
	return help(
		"Prints the value with its type, and its bits. -- goes before an expression that",
		"begins with a minus sign.",
		"",
		"Examples:",
		"  purecl eval 'convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))'",
		"  purecl eval 'as_uint(1.0f)' 'vload_half(0, (half*)&x)' -d 'ushort x = 0x3c00;'",
	)
}

func (c *evalCmd) Run(ctx context.Context) error {
	s := &session{options: c.buildFlags.text()}
	for _, d := range c.Decl {
		s.body += "\n#line 1 \"<declaration>\"\n" + d
	}
	for _, e := range c.Expr {
		if err := s.eval(ctx, os.Stdout, e); err != nil {
			return showBuildError(err)
		}
	}
	return nil
}

// showBuildError prints the diagnostics of a program that does not compile.
func showBuildError(err error) error {
	var be *host.BuildError
	if !errors.As(err, &be) {
		return err
	}
	if len(be.Diagnostics) == 0 {
		return usagef("%s", strings.TrimSpace(be.Log))
	}
	for _, d := range be.Diagnostics {
		fmt.Fprint(os.Stderr, d.Rendered)
	}
	return &statusError{exitFindings, ""}
}

// A session is what an expression is evaluated in: declarations of program scope and,
// inside a function, declarations and statements, which run anew each time.
type session struct {
	options string
	global  string
	body    string
}

// The kernel and the variable that hold the result, and the names of files in which the
// expression and the text around it are said to stand.
const (
	evalKernel = "purecl_eval_kernel"
	evalResult = "purecl_eval_result"
	evalExpr   = "<expression>"
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
		fmt.Fprintf(&b, "\n__typeof__(%s) %s = %s;\n", line, evalResult, line)
		fmt.Fprintf(&b, "for (size_t i = 0; i < sizeof %[1]s; i++) purecl_eval_out[i] = ((private uchar *)&%[1]s)[i];\n", evalResult)
	}
	b.WriteString("\n}\n")
	return b.String()
}

// errVoid says that an expression has no value.
var errVoid = errors.New("the expression has no value")

// eval evaluates an expression and prints its type, value and bits.
func (s *session) eval(ctx context.Context, w io.Writer, expr string) error {
	src := s.program(expr)
	t, err := s.typeOf(ctx, src)
	if err != nil {
		return err
	}
	prog, err := host.DefaultContext().Build(host.Source{Name: "<input>", Text: src}, s.options)
	if err != nil {
		return err
	}
	var warnings strings.Builder // once: the expression stands in the text twice
	for _, d := range prog.Warnings() {
		if d.File == evalExpr && !strings.Contains(warnings.String(), d.Rendered) {
			warnings.WriteString(d.Rendered)
		}
	}
	fmt.Fprint(os.Stderr, warnings.String())
	out := make([]byte, t.Size())
	k, err := prog.Kernel(evalKernel)
	if err != nil {
		return err
	}
	rep, err := k.RunWith(ctx, host.RunOptions{Checks: host.CheckAll, Stdout: w}, host.Range(1), out)
	if rep != nil {
		for _, f := range rep.Findings {
			// The copy of the result reads padding too.
			if f.File == evalExpr {
				fmt.Fprint(os.Stderr, f.Rendered)
			}
		}
	}
	if err != nil {
		return err
	}
	return printValue(w, t, out)
}

// typeOf finds the type that the checker gave the result.
func (s *session) typeOf(ctx context.Context, src string) (*types.Type, error) {
	opts, err := compile.ParseOptions(s.options)
	if err != nil {
		return nil, usagef("%v", err)
	}
	opts.Source.ReadFile = readInclude
	opts.Until, opts.KeepProgram = compile.Check, true
	res, err := compile.Compile(ctx, "<input>", []byte(src), opts)
	if err != nil {
		return nil, buildError(res, err)
	}
	for _, f := range res.Program.Funcs {
		if f.Name != evalKernel {
			continue
		}
		for _, st := range f.Body.List {
			if v, ok := st.(*check.VarStmt); ok && v.Var.Name == evalResult {
				return v.Var.Type.Type, nil
			}
		}
	}
	return nil, errVoid
}

// buildError is the error of a compilation in the API's form, without what only
// concerns the text around the expression: that is the consequence of an error in the
// expression, or of its having no value.
func buildError(res *compile.Result, err error) error {
	if _, ok := err.(*diag.List); !ok {
		return err
	}
	be := &host.BuildError{}
	seen := map[string]bool{}   // the expression stands in the text twice
	var around *diag.Diagnostic // the first error of the text around
	for _, d := range res.Diags {
		if res.Source.Location(d.Span.Pos).File == evalFrame {
			if around == nil && d.Severity >= diag.Error {
				around = d
			}
			continue
		}
		text := diag.Style{Codes: true, Color: isTerminal(os.Stderr)}.One(res.Source, d)
		if !seen[text] {
			seen[text] = true
			be.Diagnostics = append(be.Diagnostics, host.Diagnostic{Severity: d.Severity.String(), Message: d.Message, Rendered: text})
		}
	}
	switch {
	case hasError(be.Diagnostics) || around == nil:
	case around.Code == diag.IncompleteType:
		return errVoid
	default:
		be.Diagnostics = append(be.Diagnostics, host.Diagnostic{Severity: around.Severity.String(), Message: around.Message,
			Rendered: fmt.Sprintf("%s: error: %s [%s]\n", evalExpr, around.Message, around.Code.Name)})
	}
	return be
}

func hasError(list []host.Diagnostic) bool {
	return slices.ContainsFunc(list, func(d host.Diagnostic) bool { return strings.Contains(d.Severity, "error") })
}

// printValue prints "uchar4 (0, 254, 255, 255)" and the bits.
func printValue(w io.Writer, t *types.Type, b []byte) error {
	k := t.Num()
	if t.IsPointer() {
		bits := getBits(b, k)
		_, err := fmt.Fprintf(w, "%s object %d, offset %d\n", t, bits>>40, bits&(1<<40-1))
		return err
	}
	if x := t.Elem.Type; t.Kind == types.Array && (x.IsArithmetic() || x.IsVector()) {
		e := elem{x.Num(), x.Lanes(), int(x.Size())}
		list := make([]string, t.Len)
		for i := range list {
			list[i] = formatElem(e, b[i*e.Size:])
		}
		_, err := fmt.Fprintf(w, "%s {%s}\n", t, strings.Join(list, ", "))
		return err
	}
	if !t.IsArithmetic() && !t.IsVector() {
		_, err := fmt.Fprintf(w, "%s of %d bytes: % x\n", t, len(b), b)
		return err
	}
	e := elem{k, t.Lanes(), int(t.Size())}
	_, err := fmt.Fprintf(w, "%s %s\n  bits %s\n", t, formatElem(e, b), formatHex(e, b))
	return err
}

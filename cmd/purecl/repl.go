package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reeflective/readline"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/evaluate"
)

type replCmd struct {
	deviceFlag
	buildFlags
}

func (*replCmd) Help() string {
	return help(
		"Type an expression to see its value, a declaration to keep it, a function to define it.",
		"Input goes on while a bracket is open. :type EXPR shows a type, :list what was",
		"declared, :reset forgets it, :quit (or Ctrl-D) ends.",
	)
}

func (c *replCmd) Run(ctx context.Context, o *output) error {
	d, err := c.find()
	if err != nil {
		return err
	}
	s := newSession(&c.buildFlags, d)
	if !isTerminal(os.Stdin) {
		return s.script(ctx, o, os.Stdin)
	}
	rl := readline.NewShell()
	prompt := "> "
	rl.Prompt.Primary(func() string { return prompt })
	rl.Prompt.Secondary(func() string { return "… " })
	rl.AcceptMultiline = func(line []rune) bool { return complete(string(line)) }
	rl.Completer = s.completer()
	if dir, err := os.UserConfigDir(); err == nil {
		dir = filepath.Join(dir, "purecl")
		if os.MkdirAll(dir, 0o755) == nil {
			rl.History.AddFromFile("purecl", filepath.Join(dir, "history"))
		}
	}
	fmt.Println("PureCL: OpenCL C. An expression shows its value; :help tells more.")
	for {
		line, err := rl.Readline()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case err != nil:
			return err
		}
		// Ctrl-C ends the evaluation, not the session.
		once, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt)
		end := s.input(once, o, line)
		stop()
		if end {
			return nil
		}
	}
}

// script evaluates input that is not a terminal, without prompts.
func (s *session) script(ctx context.Context, o *output, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, 64<<20))
	if err != nil {
		return err
	}
	pending := ""
	for _, line := range strings.Split(string(text), "\n") {
		pending += line + "\n"
		if !complete(pending) {
			continue
		}
		if s.input(ctx, o, pending) {
			return nil
		}
		pending = ""
	}
	if strings.TrimSpace(pending) != "" {
		s.input(ctx, o, pending)
	}
	return nil
}

// complete reports whether the brackets of the input are closed and its last line does
// not end in a backslash.
func complete(text string) bool {
	depth := 0
	for _, t := range evaluate.Tokens(text) {
		switch t.Kind {
		case token.LParen, token.LBrace, token.LBrack:
			depth++
		case token.RParen, token.RBrace, token.RBrack:
			depth--
		}
	}
	return depth <= 0 && !strings.HasSuffix(strings.TrimRight(text, " \t\n"), "\\")
}

// input handles one complete input; true ends the session.
func (s *session) input(ctx context.Context, o *output, text string) bool {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "":
	case ":quit", ":q":
		return true
	case ":help":
		fmt.Println((&replCmd{}).Help())
	case ":reset":
		s.Global, s.Body = "", ""
	case ":list":
		fmt.Print(s.Global, s.Body)
	case ":type":
		err := s.Balanced(evaluate.ExprFile, rest)
		var t *types.Type
		if err == nil {
			t, _, err = s.TypeOf(ctx, s.Program(rest), rest)
		}
		if err != nil {
			o.report(err)
		} else {
			fmt.Fprintln(o.out, t)
		}
	default:
		if strings.HasPrefix(text, ":") {
			fmt.Fprintf(os.Stderr, "there is no command %s; :help lists them\n", word)
			return false
		}
		s.evaluate(ctx, o, text)
	}
	return false
}

// evaluate evaluates the input as an expression, else as a statement or a declaration in the session's function,
// else as a declaration of program scope: the first form that compiles.
func (s *session) evaluate(ctx context.Context, o *output, text string) {
	if strings.HasPrefix(text, "#") { // a preprocessor directive
		next := *s
		next.Global += text + "\n"
		if _, err := next.compile(next.Program("")); err != nil {
			o.report(err)
			return
		}
		*s = next
		return
	}
	expr := strings.TrimSuffix(text, ";")
	err := s.eval(ctx, o, expr)
	var st *statusError
	switch {
	case err == nil:
		if assigns(expr) { // later inputs must see its effect
			s.Body += expr + ";\n"
		}
		return
	case errors.As(err, &st): // the input is an expression, but its evaluation fails
		o.report(err)
		return
	}
	stmt := text
	if !strings.HasSuffix(stmt, ";") && !strings.HasSuffix(stmt, "}") {
		stmt += ";"
	}
	var errs []error
	asStatement, asDeclaration := *s, *s
	asStatement.Body += stmt + "\n"
	asDeclaration.Global += text + "\n"
	for _, next := range []session{asStatement, asDeclaration} {
		k, berr := next.compile(next.Program(""))
		if berr != nil {
			errs = append(errs, berr)
			continue
		}
		if next.Body != s.Body {
			if _, err := s.run(ctx, o, k, make([]byte, 1)); err != nil {
				o.report(err)
				return
			}
		}
		*s = next
		return
	}
	o.report(likeliest(text, err, errs))
}

// likeliest selects the error to print from those of the input as an expression, a statement and a declaration of
// program scope, by the input's last characters.
func likeliest(text string, expr error, others []error) error {
	switch {
	case strings.HasSuffix(text, "}"):
		return others[1]
	case strings.HasSuffix(text, ";"):
		return others[0]
	}
	return expr
}

// assigns reports whether an expression has an effect on variables.
func assigns(expr string) bool {
	return slices.ContainsFunc(evaluate.Tokens(expr), func(t token.Token) bool {
		return t.Kind == token.Inc || t.Kind == token.Dec || t.Kind >= token.Assign && t.Kind <= token.OrAssign
	})
}

// report prints the error of an input.
func (o *output) report(err error) {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	err = o.fail(err)
	var st *statusError
	if !errors.As(err, &st) || st.message != "" {
		fmt.Fprintln(o.err, err)
	}
}

// conversionNames returns the names of the functions convert_ and as_ of every type.
func conversionNames() []string {
	var names []string
	for k := numeric.I8; k < numeric.NumKinds; k++ {
		for _, n := range append([]int{1}, opencl.VectorLengths[:]...) {
			t := k.CName() + opencl.VectorSuffixes[n]
			names = append(names, "as_"+t)
			for _, sat := range []string{"", "_sat"} {
				if sat != "" && k.IsFloat() {
					continue
				}
				for r := range numeric.NumRounds {
					names = append(names, "convert_"+t+sat+r.Suffix())
				}
			}
		}
	}
	return names
}

// completer returns a function that completes the names of builtin functions.
func (s *session) completer() func(line []rune, cursor int) readline.Completions {
	var names []string
	env := &builtin.Env{Std: opencl.CL12, Types: types.NewContext(), Enabled: func(string) bool { return true }}
	for name := range builtin.Names(env) {
		names = append(names, name)
	}
	names = append(names, conversionNames()...)
	slices.Sort(names)
	return func(line []rune, cursor int) readline.Completions {
		start := cursor
		for start > 0 && (line[start-1] == '_' || line[start-1] >= '0' && line[start-1] <= '9' || line[start-1]|32 >= 'a' && line[start-1]|32 <= 'z') {
			start--
		}
		prefix := string(line[start:cursor])
		var found []string
		for _, n := range names {
			if prefix != "" && strings.HasPrefix(n, prefix) {
				found = append(found, n)
			}
		}
		return readline.CompleteValues(found...)
	}
}

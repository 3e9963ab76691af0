package filetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Command runs the command of an IR case's header and returns its output.
type Command func(args []string, m *ssa.Module) (string, error)

// A ssaCase is one case of an IR test file.
type ssaCase struct {
	line    int    // of the header
	words   string // after "test:"
	head    string // the header line and the input as written
	input   string
	want    string
	hasWant bool
}

// Keywords of a case's parts, after the comment characters.
const (
	testMark = " test:"
	wantMark = " want:"
)

// SSA runs the .ssa files below dir whose first line is a "; test:" header. Commands
// are added to print and verify.
func SSA(t *testing.T, dir string, commands map[string]Command) {
	t.Helper()
	runCases(t, dir, ".ssa", ";", func(path string, c *ssaCase) (string, error) { return c.run(path, commands) })
}

// Text runs the files with the extension ext below dir. They have the form of SSA's files, with comment instead of
// ";" before "test:" and "want:", but do gets the input as text.
func Text(t *testing.T, dir, ext, comment string, do func(args []string, input string) (string, error)) {
	t.Helper()
	runCases(t, dir, ext, comment, func(_ string, c *ssaCase) (string, error) {
		out, err := do(strings.Fields(c.words), c.input)
		if err != nil {
			out = "error: " + err.Error()
		}
		return trimLines(out), nil
	})
}

func runCases(t *testing.T, dir, ext, comment string, run func(path string, c *ssaCase) (string, error)) {
	t.Helper()
	files(t, dir, []string{ext}, func(t *testing.T, path string, src []byte) []byte {
		cases, err := ssaCases(string(src), comment)
		if err != nil {
			t.Fatalf("%s:%v", path, err)
		}
		var out strings.Builder
		for i := range cases {
			c := &cases[i]
			got, err := run(path, c)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, c.line, err)
			}
			if got != c.want && !*update {
				t.Errorf("%s:%d: %s:\n%s", path, c.line, c.words, diff(got, c.want))
			}
			out.WriteString(c.head + comment + wantMark + "\n" + got)
			if i+1 < len(cases) {
				out.WriteString("\n")
			}
		}
		return []byte(out.String())
	})
}

func ssaCases(src, comment string) ([]ssaCase, error) {
	var cases []ssaCase
	for i, line := range strings.SplitAfter(src, "\n") {
		switch {
		case strings.HasPrefix(line, comment+testMark):
			cases = append(cases, ssaCase{line: i + 1, words: strings.TrimSpace(line[len(comment+testMark):]), head: line})
		case len(cases) == 0:
			if strings.TrimSpace(line) != "" {
				return nil, fmt.Errorf("%d: expected %q first", i+1, comment+testMark)
			}
		default:
			c := &cases[len(cases)-1]
			switch {
			case c.hasWant:
				c.want += line
			case strings.TrimSpace(line) == comment+wantMark:
				c.hasWant = true
			default:
				c.head += line
				c.input += line
			}
		}
	}
	for i := range cases {
		if c := &cases[i]; c.hasWant {
			c.want = trimLines(c.want)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("1: no case")
	}
	return cases, nil
}

// trimLines removes blank lines at either end.
func trimLines(s string) string {
	s = strings.Trim(s, "\n")
	if s == "" {
		return ""
	}
	return s + "\n"
}

// run returns the case's output; its error is a failure of the test itself.
func (c *ssaCase) run(path string, commands map[string]Command) (string, error) {
	words := strings.Fields(c.words)
	if len(words) == 0 {
		return "", fmt.Errorf("no command")
	}
	// The blank lines give positions the file's line numbers.
	m, err := ssa.ParseText(path, []byte(strings.Repeat("\n", c.line)+c.input))
	if err == nil {
		do := commands[words[0]]
		switch {
		case do != nil:
		case words[0] == "print":
			do = func(_ []string, m *ssa.Module) (string, error) { return m.String(), ssa.VerifyModule(m) }
		case words[0] == "verify":
			do = func(_ []string, m *ssa.Module) (string, error) { return "ok\n", ssa.VerifyModule(m) }
		default:
			return "", fmt.Errorf("unknown command %q", words[0])
		}
		var out string
		if out, err = do(words[1:], m); err == nil {
			return trimLines(out), nil
		}
	}
	text := strings.TrimPrefix(err.Error(), path+":")
	return trimLines("error: " + text), nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

type testCmd struct {
	File    []string `arg:"" help:"Manifests: files with one launch in each line."`
	Only    string   `name:"run" placeholder:"REGEXP" help:"Only tests whose name matches."`
	Verbose bool     `short:"v" help:"Name tests that pass too, with what they print."`
	JSON    bool     `name:"json" help:"Write events as go test -json does."`
	deviceFlag
	buildFlags
}

func (*testCmd) Help() string {
	return help(
		"A line of a manifest is a test: its name, a colon, and the arguments of purecl run. File",
		"names are relative to the manifest. A line that ends in \\ continues in the next one; #",
		"begins a comment. A test passes if purecl run's exit status would be 0.",
		"",
		"  # saxpy.tests",
		"  small: saxpy.cl -a 'y=zeros(4)' -a 'x=range(4)' -a a=2.5 --expect 'y=[0, 2.5, 5, 7.5]'",
		"  file:  saxpy.cl -a y=y.npy -a x=x.npy -a a=2 --expect y=golden.npy --tolerance 1e-5",
		"  short: saxpy.cl -a 'y=zeros(4)' -a 'x=zeros(4)' -a a=1 -g 8 --want out-of-bounds",
		"",
		"Compiler options of purecl test hold for every line; the line's own options follow them.",
		"",
		exitHelp,
		"",
		"Examples:",
		"  purecl test kernels/*.tests",
		"  purecl test -v --run 'small|file' saxpy.tests -cl-std=CL3.0",
	)
}

// A launchTest is a line of a manifest.
type launchTest struct {
	name string
	line int
	args []string // arguments of purecl run
}

func (c *testCmd) Run(ctx context.Context, o *output) error {
	only, err := regexp.Compile(c.Only)
	if err != nil {
		return usagef("--run %s: %v", c.Only, err)
	}
	if _, err := c.buildFlags.parse(); err != nil {
		return err
	}
	if _, err := c.find(); err != nil {
		return err
	}
	manifests := make([][]launchTest, len(c.File))
	for i, file := range c.File { // if one file is wrong, no test runs
		if manifests[i], err = readManifest(file); err != nil {
			return err
		}
	}
	failed := false
	for i, file := range c.File {
		s := suite{cmd: c, o: o, file: file}
		ok, err := s.run(ctx, manifests[i], only)
		if err != nil {
			return err
		}
		failed = failed || !ok
	}
	if failed {
		return &statusError{exitFindings, ""}
	}
	return nil
}

// readManifest reads the tests of a file.
func readManifest(file string) ([]launchTest, error) {
	text, err := readSource(file)
	if err != nil {
		return nil, usagef("%s: %v", file, err)
	}
	var tests []launchTest
	lines := map[string]int{} // line numbers by test name
	whole, first := "", 0
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, " \t\r")
		if whole == "" {
			first = i + 1
		}
		if more, ok := strings.CutSuffix(line, `\`); ok {
			whole += more + " "
			continue
		}
		line, whole = strings.TrimSpace(whole+line), ""
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t'\"") {
			return nil, usagef("%s:%d: expected NAME: SOURCE OPTIONS, such as small: saxpy.cl -a 'y=zeros(4)'", file, first)
		}
		if at, ok := lines[name]; ok {
			return nil, usagef("%s:%d: there is a test %q at line %d already", file, first, name, at)
		}
		lines[name] = first
		args, err := splitWords(rest)
		if err != nil {
			return nil, usagef("%s:%d: %v", file, first, err)
		}
		tests = append(tests, launchTest{name, first, args})
	}
	if len(tests) == 0 {
		return nil, usagef("%s has no tests; a line is NAME: SOURCE OPTIONS", file)
	}
	return tests, nil
}

// splitWords splits a line as a shell does: both kinds of quotes group their contents, a backslash escapes the next
// character, # before a word begins a comment.
func splitWords(line string) ([]string, error) {
	var list []string
	var word []byte
	in := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			if in {
				list, word, in = append(list, string(word)), nil, false
			}
		case c == '#' && !in:
			return list, nil
		case c == '\\' && i+1 < len(line):
			i++
			word, in = append(word, line[i]), true
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return nil, fmt.Errorf("the quote before %q is not closed", line[i+1:])
			}
			word, in = append(word, line[i+1:i+1+end]...), true
			i += end + 1
		default:
			word, in = append(word, c), true
		}
	}
	if in {
		list = append(list, string(word))
	}
	return list, nil
}

// A suite runs the tests of one manifest.
type suite struct {
	cmd  *testCmd
	o    *output
	file string
}

// run runs the tests in the manifest's folder and reports whether all passed.
func (s *suite) run(ctx context.Context, tests []launchTest, only *regexp.Regexp) (ok bool, err error) {
	back, err := os.Getwd()
	if err != nil {
		return false, err
	}
	if err := os.Chdir(filepath.Dir(s.file)); err != nil {
		return false, err
	}
	defer os.Chdir(back)
	ok, ran, start := true, 0, time.Now()
	for _, t := range tests {
		if !only.MatchString(t.name) {
			continue
		}
		ran++
		passed, err := s.one(ctx, t)
		if err != nil {
			return false, err
		}
		ok = ok && passed
	}
	took := time.Since(start).Seconds()
	switch {
	case s.cmd.JSON:
		s.event("", verdict(ok), "", took)
	case ran == 0:
		fmt.Fprintf(s.o.out, "ok  \t%s\t[no tests to run]\n", s.file)
	case ok:
		fmt.Fprintf(s.o.out, "ok  \t%s\t%.3fs\n", s.file, took)
	default:
		fmt.Fprintf(s.o.out, "FAIL\t%s\t%.3fs\n", s.file, took)
	}
	return ok, nil
}

func verdict(ok bool) string {
	if ok {
		return "pass"
	}
	return "fail"
}

// one runs a test. It returns an error only if it is interrupted.
func (s *suite) one(ctx context.Context, t launchTest) (bool, error) {
	if s.cmd.JSON {
		s.event(t.name, "run", "", 0)
	} else if s.cmd.Verbose {
		fmt.Fprintf(s.o.out, "=== RUN   %s\n", t.name)
	}
	var text bytes.Buffer
	start := time.Now()
	err := s.launch(ctx, t, &output{out: &text, err: &text})
	took := time.Since(start).Seconds()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintf(&text, "%v\n", err)
	}
	if err != nil {
		fmt.Fprintf(&text, "%s:%d: purecl run %s\n", filepath.Base(s.file), t.line, strings.Join(quoteAll(t.args), " "))
	}
	if s.cmd.JSON {
		for line := range strings.Lines(text.String()) {
			s.event(t.name, "output", line, 0)
		}
		s.event(t.name, verdict(err == nil), "", took)
		return err == nil, nil
	}
	if err == nil && !s.cmd.Verbose {
		return true, nil
	}
	fmt.Fprintf(s.o.out, "--- %s: %s (%.2fs)\n", strings.ToUpper(verdict(err == nil)), t.name, took)
	for line := range strings.Lines(text.String()) {
		fmt.Fprintf(s.o.out, "    %s", line)
	}
	return err == nil, nil
}

// launch runs a line's arguments as a command line of purecl run.
func (s *suite) launch(ctx context.Context, t launchTest, o *output) error {
	var cli struct {
		Run runCmd `cmd:""`
	}
	parser, err := newParser(&cli, kong.NoDefaultHelp())
	if err != nil {
		return err
	}
	args := []string{"run", "--quiet"}
	if s.cmd.Device != "" {
		args = append(args, "--device="+s.cmd.Device)
	}
	args = append(args, s.cmd.Words...)
	for _, text := range s.cmd.Options {
		args = append(args, "--options="+text)
	}
	if args, err = arrange(parser.Model, append(args, t.args...)); err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil {
		return usagef("%v", err)
	}
	if err := cli.Run.Run(ctx, o); err != nil {
		var st *statusError
		if !errors.As(err, &st) {
			return errors.New(strings.TrimPrefix(err.Error(), "purecl: "))
		}
		return err
	}
	return nil
}

// event writes an event of go test -json, with the manifest as its package.
func (s *suite) event(test, action, text string, elapsed float64) {
	e := struct {
		Time    time.Time
		Action  string
		Package string
		Test    string   `json:",omitempty"`
		Elapsed *float64 `json:",omitempty"`
		Output  string   `json:",omitempty"`
	}{Time: time.Now(), Action: action, Package: s.file, Test: test, Output: text}
	if action == "pass" || action == "fail" {
		e.Elapsed = &elapsed
	}
	enc := json.NewEncoder(s.o.out)
	enc.SetEscapeHTML(false)
	enc.Encode(e)
}

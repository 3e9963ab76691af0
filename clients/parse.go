//go:build linux

package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// parseLines parses the output of scripts: lines "pass NAME", "fail NAME: DETAIL" and "skip NAME: DETAIL".
func parseLines(out output) ([]outcome, error) {
	var outcomes []outcome
	words := map[string]status{"pass": passed, "fail": failed, "skip": skipped}
	for line := range strings.Lines(out.text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if s, ok := words[word]; ok && rest != "" {
			name, detail, _ := strings.Cut(rest, ": ")
			outcomes = append(outcomes, outcome{test: name, status: s, detail: detail})
		}
	}
	return outcomes, ended(out)
}

// ended returns an error if the exit status is not 0.
func ended(out output) error {
	if out.code != 0 {
		return fmt.Errorf("exit status %d: %s", out.code, tail(out.text, 3))
	}
	return nil
}

// parseStatus treats a command as one test that passes if its exit status is 0.
func parseStatus(name string) func(output) ([]outcome, error) {
	return func(out output) ([]outcome, error) {
		if err := ended(out); err != nil {
			return []outcome{{test: name, status: failed, detail: err.Error()}}, nil
		}
		return []outcome{{test: name}}, nil
	}
}

// parseMatch is parseStatus, but the test also fails if the output does not match pattern.
func parseMatch(name, pattern string) func(output) ([]outcome, error) {
	re := regexp.MustCompile(pattern)
	return func(out output) ([]outcome, error) {
		if out.code == 0 && !re.MatchString(out.text) {
			return []outcome{{test: name, status: failed, detail: fmt.Sprintf("nothing in the output matches %q", pattern)}}, nil
		}
		return parseStatus(name)(out)
	}
}

// junit is a JUnit XML file, as pytest and others write.
type junit struct {
	Cases []struct {
		Class   string  `xml:"classname,attr"`
		Name    string  `xml:"name,attr"`
		Failure []cause `xml:"failure"`
		Error   []cause `xml:"error"`
		Skipped []cause `xml:"skipped"`
	} `xml:"testsuite>testcase"`
}

type cause struct {
	Message string `xml:"message,attr"`
}

// parseJUnit parses junit.xml in the working directory. It ignores the exit status, because the file has the failed
// tests.
func parseJUnit(out output) ([]outcome, error) {
	text, err := os.ReadFile(filepath.Join(out.dir, "junit.xml"))
	if err != nil {
		return nil, errors.Join(err, ended(out))
	}
	var j junit
	if err := xml.Unmarshal(text, &j); err != nil {
		return nil, fmt.Errorf("junit.xml: %w", err)
	}
	var outcomes []outcome
	for _, c := range j.Cases {
		o := outcome{test: c.Class + "." + c.Name}
		for _, f := range append(c.Failure, c.Error...) {
			o.status, o.detail = failed, f.Message
		}
		for _, s := range c.Skipped {
			o.status, o.detail = skipped, s.Message
		}
		outcomes = append(outcomes, o)
	}
	if out.code < 0 {
		return outcomes, ended(out)
	}
	return outcomes, nil
}

// pytest returns a command that runs the tests of installed modules or files.
func pytest(args ...string) command {
	return command{
		args:  append([]string{"/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=junit.xml"}, args...),
		parse: parseJUnit,
	}
}

var (
	escape        = regexp.MustCompile("\x1b\\[[0-9;]*m")
	clblastStart  = regexp.MustCompile(`Starting tests for the '(\w+)' routine`)
	clblastResult = regexp.MustCompile(`^\s*(\d+) test\(s\) (passed|skipped|failed)`)
)

// parseCLBlast parses the output of CLBlast's test programs: the numbers of passed, skipped and failed tests of
// each routine. The exit status is the number of failures.
func parseCLBlast(out output) ([]outcome, error) {
	var outcomes []outcome
	words := map[string]status{"passed": passed, "skipped": skipped, "failed": failed}
	routine := ""
	for line := range strings.Lines(escape.ReplaceAllString(out.text, "")) {
		if m := clblastStart.FindStringSubmatch(line); m != nil {
			routine = m[1]
		}
		if strings.Contains(line, "All tests skipped") {
			outcomes = append(outcomes, outcome{test: routine, status: skipped, detail: strings.TrimSpace(line)})
		}
		if m := clblastResult.FindStringSubmatch(line); m != nil && m[1] != "0" {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return nil, err
			}
			outcomes = append(outcomes, outcome{test: routine, status: words[m[2]], count: n})
		}
	}
	if out.code < 0 || routine == "" {
		return outcomes, fmt.Errorf("after %q: %w", routine, errors.Join(errors.New("not run to its end"), ended(out)))
	}
	return outcomes, nil
}

// parsePiglit parses "piglit summary console": a line "NAME: RESULT" for each test and sub-test.
func parsePiglit(out output) ([]outcome, error) {
	var outcomes []outcome
	for line := range strings.Lines(out.text) {
		i := strings.LastIndex(line, ": ")
		if i < 0 || strings.HasPrefix(line, " ") {
			continue
		}
		o := outcome{test: line[:i], detail: strings.TrimSpace(line[i+2:])}
		switch o.detail {
		case "pass":
		case "skip", "notrun":
			o.status = skipped
		case "fail", "crash", "timeout", "warn", "incomplete":
			o.status = failed
		default:
			continue // the summary at the end
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, ended(out)
}

var unittestLine = regexp.MustCompile(`(?m)^(.+?) \.\.\. (ok|FAIL|ERROR|skipped.*)$`)

// parseUnittest parses the output of Python's unittest with -v: a line "NAME ... ok" for each test.
func parseUnittest(out output) ([]outcome, error) {
	var outcomes []outcome
	for _, m := range unittestLine.FindAllStringSubmatch(out.text, -1) {
		o := outcome{test: strings.TrimSpace(m[1]), detail: m[2]}
		switch {
		case m[2] == "FAIL", m[2] == "ERROR":
			o.status = failed
		case m[2] != "ok":
			o.status = skipped
		}
		outcomes = append(outcomes, o)
	}
	if len(outcomes) == 0 || out.code < 0 {
		return outcomes, errors.Join(errors.New("not run to its end"), ended(out))
	}
	return outcomes, nil
}

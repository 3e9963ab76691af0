//go:build linux

package main

import (
	"path/filepath"
	"regexp"
	"time"
)

// program is a row of the table.
type program struct {
	name     string
	packages []string      // Debian packages; the first one's version is the program's
	source   string        // the Debian source package that holds its tests, where the packages do not
	compares string        // what is compared with what: a cell of the document
	quick    bool          // part of make check, else of make check-long
	env      []string      // added to the environment
	limit    time.Duration // for one run of all commands; 30 minutes if zero
	prepare  []command     // run once, before any driver: data, and programs that use a library
	commands []command
	files    *fileRule // how files that both drivers wrote are compared
	known    []known
}

// target says which target of the Makefile runs the program.
func (p program) target() string {
	if p.quick {
		return "make check"
	}
	return "make check-long"
}

// command is a program's command line. Arguments and environment may name directories:
// $SCRIPTS (clients/scripts), $DATA (where the row's prepare ran), $SOURCE (the source
// package) and $DRIVER (the driver's .icd file).
type command struct {
	args  []string
	env   []string
	parse func(out output) ([]outcome, error)
}

// output is what a command left.
type output struct {
	text string // standard output and error
	dir  string // the working directory
	code int    // exit status; -1 if a signal or the time limit ended it
}

// status is how a test ended.
type status int

const (
	passed status = iota
	failed
	skipped
)

// outcome is the result of one test, or of count tests alike.
type outcome struct {
	test   string
	status status
	count  int    // 1 if zero
	detail string // of a failure or a skip
}

func (o outcome) n() int { return max(o.count, 1) }

// known explains failures that are not the driver's, or that are a documented choice.
type known struct {
	tests  *regexp.Regexp // the whole name of a test
	reason string         // a sentence of the document
}

func explain(tests, reason string) known {
	return known{regexp.MustCompile(`^(?:` + tests + `)$`), reason}
}

// python is a command that runs one of scripts/.
func python(script string, args ...string) command {
	return command{
		args:  append([]string{"/usr/bin/python3", "-W", "ignore", filepath.Join("$SCRIPTS", script)}, args...),
		parse: parseLines,
	}
}

// sh is a command that prepares data; its exit status must be 0.
func sh(args ...string) command {
	return command{args: args, parse: parseStatus("prepare")}
}

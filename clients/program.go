//go:build linux

package main

import (
	"path/filepath"
	"regexp"
	"time"
)

// A program is a row of the table.
type program struct {
	name     string
	packages []string      // Debian packages; the program has the version of the first
	source   string        // the Debian source package with its tests, if the packages lack them
	compares string        // description of the comparison, a cell of the document
	quick    bool          // part of make check, not only of make check-long
	env      []string      // added to the environment
	limit    time.Duration // of one run of all commands; 0 means 30 minutes
	prepare  []command     // run once before the drivers: they create data and build programs that use a library
	commands []command
	files    *fileRule // comparison of files that both drivers wrote
	known    []known
}

// target returns the Makefile's target that runs the program.
func (p program) target() string {
	if p.quick {
		return "make check"
	}
	return "make check-long"
}

// A command is a program's command line. Arguments and environment may contain directories: $SCRIPTS
// (clients/scripts), $DATA (of the row's prepare commands), $SOURCE (the source package) and $DRIVER (the driver's
// .icd file).
type command struct {
	args  []string
	env   []string
	parse func(out output) ([]outcome, error)
}

// output is the result of a command.
type output struct {
	text string // standard output and error
	dir  string // the working directory
	code int    // exit status; -1 if a signal or the time limit ended it
}

// status is the result of a test.
type status int

const (
	passed status = iota
	failed
	skipped
)

// outcome is the result of one test, or of count tests with the same result.
type outcome struct {
	test   string
	status status
	count  int    // 0 means 1
	detail string // description of a failure or a skip
}

func (o outcome) n() int { return max(o.count, 1) }

// known explains failures that are a program's own mistake or follow from a documented choice.
type known struct {
	tests  *regexp.Regexp // matches the whole name of a test
	reason string         // a sentence for the document
}

func explain(tests, reason string) known {
	return known{regexp.MustCompile(`^(?:` + tests + `)$`), reason}
}

// python returns a command that runs a script of scripts/.
func python(script string, args ...string) command {
	return command{
		args:  append([]string{"/usr/bin/python3", "-W", "ignore", filepath.Join("$SCRIPTS", script)}, args...),
		parse: parseLines,
	}
}

// sh returns a command that prepares data; its exit status must be 0.
func sh(args ...string) command {
	return command{args: args, parse: parseStatus("prepare")}
}

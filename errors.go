package purecl

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

// Errors that errors.Is finds.
var (
	ErrBuild    = errors.New("the program does not compile") // every [BuildError] is one
	ErrFault    = errors.New("the kernel faulted")           // every [FaultError] is one
	ErrArgument = errors.New("the argument does not fit")    // every [ArgError] is one
	ErrClosed   = errors.New("closed")                       // use after Close
	ErrNoDevice = exec.ErrNoDevice                           // see [Open]
)

// A Diagnostic is an error or warning about a program's source.
type Diagnostic struct {
	Severity string // "note", "warning", "error" or "fatal error"
	Code     string // for `purecl explain`, such as "undeclared-identifier"; may be empty
	Message  string
	File     string // position in Line and Column; in a macro's text, that of its invocation
	Line     int    // from 1
	Column   int    // from 1, in bytes
	Rendered string // as a terminal shows it, with the source line and notes, without colour
}

// String returns the diagnostic in one line, such as "k.cl:3:7: error: …".
func (d Diagnostic) String() string {
	s := diag.Location{File: d.File, Line: d.Line, Column: d.Column}.String()
	if s != "" {
		s += ": "
	}
	return s + d.Severity + ": " + d.Message
}

// A BuildError is the error of a program that does not compile, or of wrong options.
type BuildError struct {
	Diagnostics []Diagnostic // errors and warnings in order
	Log         string       // all of them, as a terminal shows them
}

// Error returns the first error, and how many follow.
func (e *BuildError) Error() string {
	errs := 0
	first := ""
	for _, d := range e.Diagnostics {
		if strings.HasSuffix(d.Severity, "error") {
			if errs++; errs == 1 {
				first = d.String()
			}
		}
	}
	switch errs {
	case 0:
		return "purecl: " + strings.TrimSpace(e.Log)
	case 1:
		return "purecl: " + first
	}
	return fmt.Sprintf("purecl: %s (and %d more)", first, errs-1)
}

// Unwrap makes errors.Is find [ErrBuild].
func (e *BuildError) Unwrap() error { return ErrBuild }

// A FaultError is the error of a launch whose kernel made a mistake.
type FaultError struct {
	Kernel   string
	Findings []Finding // the findings that are errors, in order of work-groups; at least one
}

// Error returns the first finding, and how many follow.
func (e *FaultError) Error() string {
	s := "purecl: kernel " + e.Kernel + ": " + e.Findings[0].String()
	if n := len(e.Findings) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// Unwrap makes errors.Is find [ErrFault].
func (e *FaultError) Unwrap() error { return ErrFault }

// An ArgError is the error of an argument that does not fit the kernel's parameter.
type ArgError struct {
	Kernel  string
	Index   int    // from 0; -1 for a wrong number of arguments
	Name    string // of the parameter
	Type    string // in OpenCL C
	Message string // the value that was given, and those that fit
}

// Error names the kernel, the argument and the values that fit.
func (e *ArgError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("purecl: kernel %s: %s", e.Kernel, e.Message)
	}
	name := e.Type
	if e.Name != "" {
		name = e.Name + ", " + e.Type
	}
	return fmt.Sprintf("purecl: kernel %s: argument %d (%s): %s", e.Kernel, e.Index, name, e.Message)
}

// Unwrap makes errors.Is find [ErrArgument].
func (e *ArgError) Unwrap() error { return ErrArgument }

// A life counts the users of an object and records whether it is closed. It ends when the object is closed and has
// no users.
type life struct {
	state atomic.Int64 // the number of users, and the bits below
	end   func()       // called once; may be nil
}

const (
	lifeClosed = 1 << 40
	lifeEnded  = 1 << 41
)

func (l *life) isClosed() bool { return l.state.Load() >= lifeClosed }

// use adds a user, who calls done at the end, and reports whether the object is open.
func (l *life) use() bool {
	if l.state.Add(1) < lifeClosed {
		return true
	}
	l.done()
	return false
}

func (l *life) done() {
	if l.state.Add(-1) == lifeClosed {
		l.finish()
	}
}

func (l *life) close() {
	if l.state.Or(lifeClosed) == 0 {
		l.finish()
	}
}

func (l *life) finish() {
	if l.state.CompareAndSwap(lifeClosed, lifeClosed|lifeEnded) && l.end != nil {
		l.end()
	}
}

package exec

import (
	"cmp"
	"fmt"
	"runtime/debug"
)

// An InternalError is a mistake of PureCL's while a kernel was run or memory was copied: a
// panic, on whichever goroutine.
type InternalError struct {
	Doing  string // what was done with the kernel; "" is running
	Kernel string // "" where there is none
	Cause  any    // what was passed to panic
	Stack  []byte // of the goroutine that panicked
}

func (e *InternalError) Error() string {
	what := "copying memory"
	if e.Kernel != "" {
		what = cmp.Or(e.Doing, "running") + " kernel " + e.Kernel
	}
	return fmt.Sprintf("internal error in %s: %v; this is a bug in PureCL", what, e.Cause)
}

// Unwrap returns the panic's value where it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Report is the error with the text of a bug report.
func (e *InternalError) Report() string {
	what := "the program"
	if e.Kernel != "" {
		what = "the kernel's source, the size of its launch"
	}
	return fmt.Sprintf("%s\nplease report it with %s and this stack:\n%s", e.Error(), what, e.Stack)
}

// NewInternalError makes the error of a recovered panic. One that was passed on from another
// goroutine keeps its stack.
func NewInternalError(p any) *InternalError {
	if e, ok := p.(*InternalError); ok {
		return e
	}
	return &InternalError{Cause: p, Stack: debug.Stack()}
}

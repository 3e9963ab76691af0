package exec

import (
	"cmp"
	"fmt"
	"runtime/debug"
)

// An InternalError is a panic of PureCL, on any goroutine, while a kernel was run or memory was copied.
type InternalError struct {
	Doing  string // the activity; "" means running
	Kernel string // "" if none is concerned
	Cause  any    // the panic's value
	Stack  []byte // of the goroutine that panicked
}

func (e *InternalError) Error() string {
	what := "copying memory"
	if e.Kernel != "" {
		what = cmp.Or(e.Doing, "running") + " kernel " + e.Kernel
	}
	return fmt.Sprintf("internal error in %s: %v; this is a bug in PureCL", what, e.Cause)
}

// Unwrap returns the panic's value if it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Report returns the error with a text for a bug report.
func (e *InternalError) Report() string {
	what := "the program"
	if e.Kernel != "" {
		what = "the kernel's source, the size of its launch"
	}
	return fmt.Sprintf("%s\nplease report it with %s and this stack:\n%s", e.Error(), what, e.Stack)
}

// NewInternalError returns the error of a recovered panic. A panic that was passed on from another goroutine keeps
// its stack.
func NewInternalError(p any) *InternalError {
	if e, ok := p.(*InternalError); ok {
		return e
	}
	return &InternalError{Cause: p, Stack: debug.Stack()}
}

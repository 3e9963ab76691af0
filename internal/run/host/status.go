package host

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
)

// An APIError is the error of a call that failed. errors.Is finds its Status.
type APIError struct {
	Status  opencl.Status
	Message string // what was wrong and what was expected
	Cause   error  // a further error, or nil
}

func (e *APIError) Error() string { return "purecl: " + e.Message + " (" + e.Status.Error() + ")" }

// Unwrap makes errors.Is and errors.As see the status and the cause.
func (e *APIError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Status}
	}
	return []error{e.Status, e.Cause}
}

func failf(s opencl.Status, format string, args ...any) error {
	return &APIError{Status: s, Message: fmt.Sprintf(format, args...)}
}

// internalError makes the error of a recovered panic.
func internalError(p any) error {
	e := exec.NewInternalError(p)
	return &APIError{Status: opencl.OutOfResources, Message: e.Error(), Cause: e}
}

// StatusOf returns the status that err carries, [Success] for nil and
// [OutOfResources] for an error without one.
func StatusOf(err error) opencl.Status {
	if err == nil {
		return opencl.Success
	}
	var s opencl.Status
	if errors.As(err, &s) {
		return s
	}
	return opencl.OutOfResources
}

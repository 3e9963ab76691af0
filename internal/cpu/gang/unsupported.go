package gang

import "fmt"

// An Unsupported error names an operation that the builder or a machine has no instructions for.
// docs/reference-executor.md lists the reasons.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return e.What }

// Refuse ends the making of a function or of its machine code with an *Unsupported error. The function that [Recover] is
// deferred in returns it.
func Refuse(format string, args ...any) {
	panic(&Unsupported{fmt.Sprintf(format, args...)})
}

// Recover, which must be deferred, sets *err to the error of Refuse if that ended the function.
func Recover(err *error) {
	if r := recover(); r != nil {
		u, ok := r.(*Unsupported)
		if !ok {
			panic(r)
		}
		*err = u
	}
}

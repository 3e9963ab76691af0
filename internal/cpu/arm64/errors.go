package arm64

import (
	"errors"
	"fmt"
)

var errTooLong = errors.New("code of more than 1 MiB")

// An Unsupported error names an operation that the package has no instructions for.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return e.What }

func refuse(format string, args ...any) {
	panic(&Unsupported{fmt.Sprintf(format, args...)})
}

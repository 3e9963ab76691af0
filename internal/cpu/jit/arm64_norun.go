//go:build !(linux && arm64)

package jit

import (
	"errors"

	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/gangexec"
)

// newARM64Program returns an error: only linux/arm64 runs that code.
func newARM64Program(*arm64.Code) (gangexec.Program, error) {
	return nil, errors.New("the processor is no arm64")
}

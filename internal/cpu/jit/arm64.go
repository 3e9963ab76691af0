package jit

import (
	"github.com/purecl/purecl/internal/cpu/arm64"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/gangexec"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// ARM64 is the name of the machine with A64 instructions and NEON.
const ARM64 = "arm64"

// ListARM64 makes A64 machine code of a kernel with a listing, for whole gangs (full) or partial ones. It also
// returns the gang function.
func ListARM64(f *ssa.Func, full bool) (*arm64.Code, *gang.Func, error) {
	g, err := gangexec.Function(f, arm64.Lanes, full)
	if err != nil {
		return nil, nil, err
	}
	c, err := arm64.Generate(g, arm64.Options{Listing: true})
	return c, g, err
}

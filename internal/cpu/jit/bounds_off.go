//go:build purecl_nobounds

package jit

// noBounds omits bounds checks, which makes machine code unsafe. The build tag purecl_nobounds exists only to
// measure the cost of bounds checks (make bench BENCHFLAGS=-bounds). The command line and the driver do not
// build with it.
const noBounds = true

//go:build purecl_nobounds

package jit

// noBounds leaves out bounds checks, which makes machine code unsafe. The build tag
// purecl_nobounds is only for measuring what they cost (make bench BENCHFLAGS=-bounds): the command
// line and the driver do not build with it.
const noBounds = true

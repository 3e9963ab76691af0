//go:build !purecl_nobounds

package jit

// noBounds leaves out bounds checks: see bounds_off.go.
const noBounds = false

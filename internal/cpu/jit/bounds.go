//go:build !purecl_nobounds

package jit

// noBounds omits bounds checks: see bounds_off.go.
const noBounds = false

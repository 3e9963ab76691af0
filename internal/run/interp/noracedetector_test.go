//go:build !race

package interp_test

const oneWorker = false

//go:build race

package interp_test

// oneWorker prevents kernels that race on purpose from triggering Go's race detector.
const oneWorker = true

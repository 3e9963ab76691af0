//go:build race

package interp_test

// oneWorker keeps kernels that race on purpose from doing so in the eyes of Go's race
// detector.
const oneWorker = true

// Package gputest compares kernels on a GPU with the reference executor, by run tests and random kernels. Without a
// GPU, package ptxsim runs the PTX.
//
// Start reading at sim.go.
package gputest

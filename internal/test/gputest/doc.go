// Package gputest compares kernels on a GPU with the reference executor: run tests and random
// kernels. Where there is no GPU, package ptxsim runs the PTX.
//
// Start reading at sim.go.
package gputest

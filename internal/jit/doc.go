// Package jit is the executor that runs kernels as machine code: executable memory, the
// way into it, and the cutting of ND-ranges into gangs.
//
// Input: a kernel and a launch's environment (package interp's Env). Output: the
// buffers' new contents and findings, the same as the reference executor's. What machine
// code cannot do runs on the reference executor; [Executor] decides for each kernel once.
//
// Invariants: machine code touches only objects of the launch and its worker's own
// context, which lies outside of Go's heap; memory is writable or executable, never both;
// while machine code runs, the garbage collector and other goroutines go on.
//
// Start reading at executor.go. The code itself comes from packages spmd and codegen.
package jit

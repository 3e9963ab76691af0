// Package jit is the executor that runs kernels as machine code: executable memory, the
// way into it, and the cutting of ND-ranges into gangs.
//
// Input: a kernel and a launch's environment ([exec.Env]). Output: the
// buffers' new contents and findings, the same as the reference executor's. What machine
// code cannot do runs on the reference executor; [Executor] decides for each kernel once.
//
// Invariants: machine code touches only objects of the launch and its worker's own
// context, which lies outside of Go's heap; memory is writable or executable, never both;
// while machine code runs, the garbage collector and other goroutines go on.
//
// # What is compiled when
//
// Code does not depend on global or local sizes, offsets or the number of threads: a kernel
// is compiled once, before its first launch. There are two forms, for whole gangs and for
// those with fewer work-items than lanes; the second is made when a launch first has such
// gangs, and if that is the first launch, beside the first form. It must be there before the
// launch begins: where it cannot be made the reference executor runs the whole launch.
//
// # Profilers and debuggers
//
// PURECL_PERF=map (or lines) names kernels (and their source lines) to perf, PURECL_GDB=1 to
// gdb: tools.go. `purecl asm` shows the code.
//
// Start reading at executor.go. The code itself comes from packages spmd and codegen.
package jit

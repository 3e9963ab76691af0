// Package jit is the executor that runs kernels as machine code: executable memory, the
// way into it, and the cutting of ND-ranges into gangs.
//
// Input: a kernel and a launch's environment ([exec.Env]). Output: the
// buffers' new contents and findings, the same as the reference executor's. The reference
// executor runs the kernels that machine code cannot; [Executor] decides for each kernel once.
//
// Invariants: machine code touches only objects of the launch and its worker's own
// context, which lies outside of Go's heap; memory is writable or executable, never both;
// while machine code runs, the garbage collector and other goroutines go on.
//
// # Variants
//
// A kernel's [Code] is a cache of variants, each machine code for a key: the CPU level, the width
// of gangs, whole or partial gangs, objects of any size, non-temporal stores, gangs of several
// rows, one size of work-groups (variant.go). The first variant is made before the first launch; it does not
// depend on sizes, offsets or the number of threads. choose.go picks the variant of each
// launch. Some are made when a launch cannot run or would run badly without them. Others are
// made in the background when many work-items have been launched without them. width.go decides how many
// work-items a gang has. The variant for partial gangs must be there before a launch with such
// gangs begins: where it cannot be made the reference executor runs the whole launch.
//
// # Files
//
// Nothing here depends on the processor but cpu_*.go, its levels, enter_*.go and call_*.s, the way
// into machine code, and memory_*.go, executable memory of the operating system.
//
// # Profilers and debuggers
//
// PURECL_PERF=map (or lines) names kernels (and their source lines) to perf, PURECL_GDB=1 to
// gdb: tools.go. `purecl asm` shows the code.
//
// Start reading at executor.go. The code itself comes from packages spmd and codegen.
package jit

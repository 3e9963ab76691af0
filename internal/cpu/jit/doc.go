// Package jit is the executor that runs kernels as machine code. It contains the executable memory, the entry
// to machine code, and the division of ND-ranges into gangs.
//
// Input: a kernel and a launch's environment ([exec.Env]). Output: the buffers' new contents and findings, the
// same as the reference executor's. Kernels that machine code cannot run go to the reference executor;
// [Executor] decides once for each kernel.
//
// Invariants: machine code touches only objects of the launch and its worker's own context, which is outside of
// Go's heap. Memory is never writable and executable at once. While machine code runs, the garbage collector
// and other goroutines continue.
//
// # Variants
//
// A kernel's [Code] is a cache of variants. Each variant is machine code for a key: the CPU level, the length
// of gangs, whole or partial gangs, objects of any size, non-temporal stores, gangs of several rows, one size of work-groups,
// known numbers of steps (steps.go), all offsets (variant.go). The first variant is made before the first launch; it does not depend on sizes or the number of
// threads, and may rely on an offset that is a multiple of a required work-group size. choose.go selects the variant of each
// launch. A missing variant is made at once if the launch cannot run, or would run badly, without it. Otherwise it is made in
// the background after enough work-items. width.go selects the length of gangs. A launch with partial gangs needs the variant
// for them before it begins; if that cannot be made, the reference executor runs the whole launch.
//
// A launch may need code for another plan of the kernel. formats.go has code for formats of images. flat.go, collapse.go and
// lanedim.go choose which work-items a gang consists of, coarse.go gangs of several rows, and spread.go shorter gangs for small
// launches and short rows. extents.go tests the bounds that code without checks relies on.
//
// # Files
//
// execution.go has the state of a launch, worker.go the state of a thread, and hostcall.go the operations that machine code
// calls in Go.
//
// Files depend on the processor or the operating system in four groups: cpu_*.go (levels), enter*.go and call_*.s
// (the entry to machine code), memory_*.go (memory outside of Go's heap), arm64*.go (the machine of package gangexec).
// codememory.go divides such memory into pieces of executable code.
//
// # Profilers and debuggers
//
// PURECL_PERF=map (or lines) registers kernels (and their source lines) with perf, PURECL_GDB=1 with gdb:
// tools.go. `purecl asm` prints the code.
//
// Start reading at executor.go. Package spmd makes the plan of a kernel, package gang the gang function of the plan, and
// package x86 the code. On arm64 package gangexec is the executor, and this package has its memory and entry.
package jit

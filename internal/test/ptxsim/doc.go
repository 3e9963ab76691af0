// Package ptxsim runs PTX modules of package ptx on the processor, for tests on machines without a GPU.
//
// Input: the text of a module, and launches. Output: the machine's memory after the kernel. An access that is
// misaligned or outside of allocated memory ends a launch with an error, as on a GPU. Threads of a block take
// turns; the threads of a warp synchronise only at warp-wide instructions. Arithmetic returns the NaNs of package
// numeric.
//
// The package must not know of kernels, SSA and package ptx. It supports only the instructions that package ptx
// emits.
//
// Start reading at machine.go, then parse.go; ops.go has the instructions, defined.go a check for registers that are not
// set on all paths.
package ptxsim

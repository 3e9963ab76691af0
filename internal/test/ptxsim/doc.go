// Package ptxsim runs PTX modules on the processor: what package ptx emits, for tests on machines
// without a GPU.
//
// Input: the text of a module, and launches. Output: what the kernel writes to the machine's
// memory. An access outside of allocated memory, or one that is not aligned, ends a launch with
// an error, as on a GPU. Threads of a block take turns; those of a warp meet at its
// instructions only. Of NaNs, arithmetic gives those of package numeric.
//
// The package must not know of kernels, SSA and package ptx. It supports the instructions that
// package ptx emits and no more.
//
// Start reading at machine.go, then parse.go; ops.go has the instructions.
package ptxsim

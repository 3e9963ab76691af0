// Package explain explains a kernel's machine code: the shape of each access and the reasons why it has no better one, the
// branches in which work-items may diverge, and the instructions of each loop.
//
// Input: the kernel's plan (package spmd), its gang function and its x86 code with a listing. Output: a [Listing]. Package
// jit makes it for the command purecl asm, editors and tests.
//
// The package must not change code, and no code depends on it.
//
// Start reading at listing.go; then why.go.
package explain

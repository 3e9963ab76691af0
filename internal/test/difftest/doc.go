// Package difftest runs kernels on every executor of this machine and compares the results bit for bit. The oracle
// is the reference executor on SSA that is not optimised. Machine code of each CPU level and gang width must give
// the same bits.
//
// In: run tests ([filetest.Case]) and random kernels (package kerneltest). Out: [Check] describes differences,
// [Executors] runs textual tests on all executors, [Repro] reduces a random kernel with a difference to a run test.
//
// Start reading at check.go.
package difftest

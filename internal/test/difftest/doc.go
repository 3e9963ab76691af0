// Package difftest runs kernels in every way that this machine has and compares bit for
// bit: the reference executor on SSA that is not optimised is the oracle, machine code of
// each level and gang width must give the same.
//
// In: run tests ([filetest.Case]) and random kernels (package kerneltest). Out: [Check]
// says what differs, [Executors] runs the textual tests in every way, [Repro] makes a
// random kernel that differs small and writes it as a run test.
//
// Where to start reading: check.go.
package difftest

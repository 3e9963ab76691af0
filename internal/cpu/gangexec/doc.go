// Package gangexec runs gang functions (package gang) for launches: it is the executor of every
// machine whose code is made from gang functions, and of gang's interpreter.
//
// Input: a kernel and a launch's environment (package interp's Env); a [Machine], which makes a
// gang function something that runs. Output: the buffers' new contents and findings, the same as
// the reference executor's. The reference executor runs the kernels that gang or the machine
// cannot, and the launch's report says why.
//
// Invariants: a machine's code touches only bytes of the launch's objects that a check has found
// in bounds; every other access comes to the worker as a [gang.Request], which checks each lane.
//
// The package must not know of instructions, registers or of what memory code runs in.
//
// Start reading at executor.go, then worker.go; facts.go is what package jit asks of kernels too.
package gangexec

// Package gangexec runs gang functions (package gang) for launches. It is the executor of gang's interpreter,
// and of every machine whose code is made from gang functions.
//
// Input: a kernel and a launch's environment ([exec.Env]), and a [Machine], which makes gang
// functions executable. Output: the buffers' new contents and findings, the same as the reference executor's.
// Kernels that gang or the machine cannot run go to the reference executor, and the launch's report states the
// reason.
//
// Invariants: a machine's code touches only bytes of the launch's objects that a check has found in bounds. For
// every other access it calls the worker with a [gang.Request], and the worker checks each lane.
//
// The package must not know instructions, registers or the memory that code runs in.
//
// Start reading at executor.go, then worker.go. Package jit uses facts.go too.
package gangexec

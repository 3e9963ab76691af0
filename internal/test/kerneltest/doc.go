// Package kerneltest makes random kernels in which everything is defined, for tests that
// compare one way of running a kernel with another.
//
// In: a seed. Out: [Random], OpenCL C with a launch, as a tree that can be made smaller
// ([Kernel.Reduce]); [RandomModule], SSA with every op; [RandomFlow], SSA with any control
// flow (or with much arithmetic on ids, [RandomLanes]), with [EvaluateFlow] as its oracle and [RunPlan], which runs its plans for gangs.
//
// Kernels of Random have a style: anything may come together in one; or it is mostly loops and
// neighbours in buffers, or the same for all work-items, or work in local memory (regular.go).
//
// Invariants: the same seed gives the same kernel; no access is out of bounds, but for
// kernels that are [Kernel.Wild]; nothing that was not written is read, no two work-items race, every loop ends, and what a
// kernel leaves does not depend on the order of work-items. Beyond the standard it counts
// on what docs/decisions define (conversions out of range, bits of NaNs) and on wrapping
// integers.
//
// The package knows nothing of the compiler, but for spmd's plans, or of executors: internal/test/difftest runs what
// it makes.
//
// Where to start reading: kernel.go.
package kerneltest

// Package kerneltest generates random kernels without undefined behaviour, for tests that compare two ways to run a
// kernel.
//
// In: a seed. Out: [Random], OpenCL C with a launch, as a tree that can be made smaller ([Kernel.Reduce]);
// [RandomModule], SSA with every op; [RandomFlow], SSA with arbitrary control flow ([RandomLanes] adds arithmetic
// on ids). [EvaluateFlow] is the oracle of RandomFlow, and [RunPlan] runs its plans for gangs.
//
// A kernel of Random has a style (source.go). It is a mixture of everything; or mostly loops and neighbouring
// elements of buffers; or uniform control flow with contiguous accesses; or cooperation in local memory.
//
// The generator of kernels has layers. Each is a type that embeds the one below and calls no layer above:
//
//   - source (source.go): random numbers, names and constants, the style and the switches of the kernel
//   - indexSpace (space.go): the range of the launch and the work-item queries
//   - scope (scope.go): variables, arrays, struct types and functions
//   - memory (memory.go, affine.go, images.go, tickets.go): arguments and local memory, and which elements a work-item
//     may access
//   - expressions (expr.go, builtins.go, loads.go, lvalues.go): values and lvalues
//   - simpleStatements (stmt.go, declare.go, edge.go, rows.go, …): statements without others in them
//   - cooperation (cooperate.go, groups.go, blocks.go): what the work-items of a group do together
//   - controlFlow (control.go, counted.go, uniform.go): branches, loops, barriers, and the choice of statements
//   - generator (random.go): functions and the kernel
//
// Invariants: the same seed gives the same kernel. Accesses are in bounds, except in kernels that are
// [Kernel.Wild]. Kernels read only initialised memory, have no races, and terminate. Results do not depend on the
// order of work-items. Beyond the standard, kernels rely on docs/decisions (conversions out of range, bits of NaNs)
// and on wrapping integers.
//
// The package does not know the compiler, except spmd's plans, nor executors: internal/test/difftest runs the
// kernels.
//
// Start reading at kernel.go, then random.go.
package kerneltest

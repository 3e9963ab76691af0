// Package launch runs kernels over ND-ranges: memory objects, arguments, program-scope
// variables, the choice of work-group sizes, and the scheduling of work-groups over the
// processor's cores.
//
// Input: a verified [ssa.Module], kernel arguments and a range. Output: the buffers'
// new contents (in place), printf's text, and a [Report]. The package knows nothing of
// OpenCL C, and executes nothing itself: an [exec.Executor] does, by default the reference
// executor (package interp).
//
// Invariants:
//
//   - Misuse is an error that says what was expected (*ArgError, *RangeError), never a
//     panic; a fault of the kernel is a *Fault with its place in the source.
//   - A Program and its Kernels may be used by many goroutines at once; each launch has
//     its own object table.
//   - A launch never touches memory outside its objects. The goroutines that help it are
//     shared by all launches, no more than processors, and sleep when there is nothing to do
//     (pool.go); what they had of a launch they have released when it ends.
//
// Start reading at launch.go. Source: the OpenCL specification, "Executing Kernels" and
// "clEnqueueNDRangeKernel".
package launch

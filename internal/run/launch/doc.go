// Package launch runs kernels over ND-ranges: memory objects, arguments, program-scope variables, the choice of
// work-group sizes, and the scheduling of work-groups over the processor's cores.
//
// Input: a verified [ssa.Module], kernel arguments and a range. Output: the buffers' new contents (in place),
// printf's text, and a [Report]. The package knows nothing of OpenCL C, and executes nothing itself: an
// [exec.Executor] does, by default the reference executor (package interp).
//
// Invariants:
//
//   - Misuse is an error with the expected value (*ArgError, *RangeError), never a
//     panic; a fault of the kernel is a *Fault with its position in the source.
//   - Many goroutines may use a Program and its Kernels at once; each launch has its own
//     object table.
//   - A launch never accesses memory outside of its objects. All launches share the helper
//     goroutines: there are at most as many as processors, and idle ones sleep (pool.go).
//     When a launch ends, they hold no references to it.
//
// BenchmarkLaunch measures the cost of sharing short launches, by number of workers.
//
// Start reading at launch.go. Source: the OpenCL specification, "Executing Kernels" and "clEnqueueNDRangeKernel".
package launch

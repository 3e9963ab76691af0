// Package debug is a debugger for kernels without a user interface. It runs a launch on the reference executor's
// instructions, and stops it at lines, conditions, findings and accesses. It steps work-items and work-groups
// forward and back, and evaluates OpenCL C at a work-item's position.
//
// Input: the units of a program, a kernel, its arguments and range. Output: stops, frames, variables and memory. It
// must not know of: terminals, the Debug Adapter Protocol, the command line, the driver.
//
// Invariant: a session is deterministic. Its state depends on its launch and the requests made of it, never on
// time, so that earlier states can be computed again.
//
// A session is a stack of layers. Each is a type that embeds the one below and uses nothing above itself. The receiver of
// all layers is named s, for the session whose part it is. From the bottom up:
//   - sourceMap (source.go): positions, statements and files;
//   - timeline (timeline.go, history.go): the steps of the launch, forward and back by its history;
//   - findings (races.go): the findings that stop, the search for races;
//   - inspector (evaluate.go): the selected work-item and activation, expressions and variables;
//   - breakpointSet (breakpoint.go): lines, conditions, watched memory;
//   - Session (session.go, run.go, explain.go): runs until something stops.
//
// Start reading at session.go.
package debug

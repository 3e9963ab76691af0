package x86

// Bounds checks hoisted from loops (package spmd, inside.go). If a register holds an access's offset, and the
// loop advances it by the same amount in each iteration, the access is in bounds in all iterations if it is in
// the first and in the last: nothing wraps between two offsets in an object. A separate argument shows that the
// register equals the access's offset in each iteration (reduce.go).

// An insideTest is an OpInside under construction. Its result is true if all accesses added so far are in bounds.
type insideTest struct {
}

// Package evaluate evaluates OpenCL C expressions outside of a program: it writes a program around one that stores
// its value, finds the type that the checker gives it, and tells diagnostics about the user's text from those about
// the text around it.
//
// Input: an expression, and the declarations before it ([Session]). Output: a program with a kernel that writes the
// value's bytes ([Expression]), which the caller runs, and the value as text ([Format]).
//
// The package must not know a device or how values are shown.
package evaluate

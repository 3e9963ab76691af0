// Package evaluate evaluates OpenCL C expressions outside of a program. It generates a program that stores an
// expression's value, finds the type that the checker gives it, and separates diagnostics about the user's text
// from those about the generated text.
//
// Input: an expression, and the declarations before it ([Session]). Output: a program with a kernel that writes the
// value's bytes ([Expression]), which the caller runs, and the value as text ([Format]).
//
// The package must not know a device or a user interface.
package evaluate

// Package numeric defines the exact scalar semantics of PureCL: every conversion, rounding, saturation, integer,
// half and floating-point operation. Constant folding, the reference executor and the host API call it; machine
// code is tested against it.
//
// Input and output are raw columns: Go slices of the element types of [Number] ([ConvertSlice]), their bytes
// ([Conversion.Apply]), or one value's bits ([ConvertBits]). The operations of integer.go and float.go are small
// generic functions that a column loop inlines; those of [Half] are methods.
//
// Invariants:
//
//   - A result is a function of the operands' bits alone: the same on every
//     machine, NaN payloads included. The rules are those of x86 SSE and AVX, so
//     that machine code needs no fix-up: an operation with NaN operands
//     gives the first of them, quieted; an invalid operation gives the default
//     NaN, whose sign bit is set. See docs/decisions/0003-nan-results.md.
//   - Subnormal numbers are never flushed.
//   - A conversion whose result the standard does not define (floating point
//     to integer, out of range, without saturation) follows
//     docs/decisions/0002-out-of-range-conversion.md; [Conversion.NextOutOfRange]
//     finds such elements.
//   - Values of kind [Bool] are bytes 0 and 1.
//
// The package knows nothing of OpenCL's types, vectors, names or expressions.
//
// Start reading at [Conversion] in convert.go. Sources: the OpenCL C specification, "Explicit Conversions" and
// "Integer Functions"; IEEE 754-2008; Intel's Software Developer's Manual, volume 1, section 4.8.3.5 (NaN
// operands); S. Figueroa, "When is double rounding innocuous?" (1995); S. Boldo and G. Melquiond, "Emulation of FMA
// and correctly rounded sums" (2008).
package numeric

// Package types has OpenCL C's types: their identity, sizes, alignments, qualifiers and spelling.
//
// Input: the parts of a derived type ([Context.PointerTo], [Context.ArrayOf], …). Output: a [Type], or with qualifiers a
// [QType]. Scalars, vectors and images exist once in the process, derived types once in a [Context], which belongs to one
// compilation.
//
// Invariants: types of one context other than records and enums are equal exactly if their pointers are.
// [Comparison] compares types of different contexts. A type whose error has been reported is [Invalid].
//
// The package must not know declarations, expressions or conversions.
//
// Sources: the OpenCL C specification, "Supported Data Types" (6.3); C99 6.2.5 and 6.2.7. Start reading at types.go;
// spell.go has the spelling in diagnostics.
package types

// Package vec has OpenCL C's data types for Go programs: vectors, half, conversions and
// reinterpretations, with the semantics of kernels.
//
// Scalars are Go's: char is int8, uchar uint8, and so on to ulong, uint64; float is
// float32, double float64; half is [Half]. A vector is an array of its components in
// memory order (OpenCL C, "Built-in Vector Data Types", 6.3.2), such as
// [Vec4][float32] with the alias [Float4]:
//
//	v := vec.Float4{1, 2, 3, 4}
//	v[2] = 5                       // v.z = 5
//	v.Lo(), v.Odd().Hi()           // v.lo, v.odd.hi
//	vec.Swizzle4(v, vec.W, vec.Z, vec.Y, vec.X)
//
// Sizes are the standard's; a 3-vector has the size of a 4-vector. The standard also
// aligns each type to its size. Go aligns arrays to their elements only, which is enough
// for PureCL. A Go struct that mirrors one of a kernel needs explicit padding before a
// vector whose offset would not be a multiple of its size.
//
// # Conversions
//
// The functions Convert… and As… are convert_T and as_T (OpenCL C, "Explicit
// Conversions", 6.4.3, and "Reinterpreting Data As Another Type", 6.4.4):
//
//	convert_uchar4_sat_rte(f)   vec.Convert4[uint8](f, vec.Sat, vec.RTE)
//	convert_float(i)            vec.Convert[float32](i)
//	as_int4(f)                  vec.As16[vec.Int4](f)
//
// Without a rounding mode, conversions to integers round toward zero and those to
// floating point to nearest even. With [Sat] they give the nearest value in range, and 0
// for a NaN. Without it, decision record 0002 in docs/decisions defines the results of
// floating-point numbers out of an integer type's range. As… between different numbers of
// components keeps the order in memory.
//
// [ConvertSlice] converts slices at the speed of memory.
//
// Errors of OpenCL C that Go's compiler cannot see panic: Sat to a floating-point type, two
// rounding modes, a component that the vector does not have, slices of different lengths.
package vec

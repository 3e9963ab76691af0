// Package opencl holds what the OpenCL specifications fix: status codes, versions of OpenCL C with their
// extensions and features, attributes, predeclared names, channel orders and types, image types, sampler
// bits, limits, scalar types and rounding modes. Each is a row of a table here and stands nowhere else.
//
// In and out: none; the package is constant tables and lookups in them.
//
// Invariants: a name or number that Debian's opencl-c-headers also have is equal to theirs
// (headers_test.go). The tables are not written to.
//
// Must not know: any other package. The meaning of a fact (the channels of an
// order, the effect of an attribute) belongs to the package that implements it.
//
// Start reading: extension.go, whose rows decide the predefined macros, what the checker takes, what -cl-ext
// switches and what the device reports.
package opencl

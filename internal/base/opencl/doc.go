// Package opencl has the constants of the OpenCL specifications: status codes, versions of OpenCL C with their
// extensions and features, attributes, predeclared names, channel orders and types, image types, sampler bits,
// limits, scalar types and rounding modes. Each is a row of a table here and is not repeated elsewhere.
//
// In and out: none; the package is constant tables and lookups in them.
//
// Invariants: a name or number that Debian's opencl-c-headers also have is equal to theirs (headers_test.go). The
// tables are never changed.
//
// Must not know: any other package. The semantics of a constant (the channels of an order, the effect of an
// attribute) belong to the package that implements it.
//
// Start reading: extension.go, whose rows determine the predefined macros, the features that the checker accepts,
// the effect of -cl-ext and the device's list of extensions.
package opencl

// Package argument parses the arguments of a kernel in users' notation: numbers, vector literals, descriptions of
// data such as zeros(640x480), NumPy files and pictures, image formats, sampler words.
//
// Input: a kernel's parameters ([Params]), texts, and a [Source] that opens files. Output: [Arg] with the memory of
// buffers and images ([Data]) or bound values; and the inverse: data as text, file or picture.
//
// The command line and the playground build on it. The package must not know a device, a file system, or where the
// texts come from.
//
// Start reading at bind.go, then data.go.
package argument

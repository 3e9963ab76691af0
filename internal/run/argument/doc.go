// Package argument reads the arguments of a kernel as people write them: numbers, vector literals,
// descriptions of data such as zeros(640x480), files of NumPy and pictures, formats of images, words of samplers.
//
// Input: a kernel's parameters ([Params]), texts, and a [Source] that opens files. Output: [Arg] with the memory
// of buffers and images ([Data]) or bound values; and the other way round, data as text, file or picture.
//
// The command line and the playground build on it. The package must not know a device, a file system, or how
// users hand over the texts.
//
// Start reading at bind.go, then data.go.
package argument

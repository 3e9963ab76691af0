// Package imagecode makes ordinary SSA of the functions that read and write images.
//
// Input: an optimised kernel and the images and samplers of a launch. Output: a copy of the kernel
// for launches with images of the same formats and shapes and with the same samplers. Coordinates,
// addressing, filtering and conversions are arithmetic there, elements are loads and stores. The copy
// has more parameters: addresses, sizes and pitches of the images.
//
// Invariants:
//
//   - Results have the bits that package image gives, and findings stay those of the calls: what may
//     be reported, such as a coordinate outside of an image that is read without a sampler, calls the
//     operation as before, in a block of its own.
//   - Coordinates are limited before an element is accessed, and executors check the access as any other.
//   - A copy serves launches with equal keys ([Kernel.AppendKey]) only. Sizes and pitches are no part of a key.
//
// The package must not know gangs or processors.
//
// Start reading at kernel.go, then sample.go (coordinates and filters), element.go (formats).
package imagecode

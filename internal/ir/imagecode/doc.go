// Package imagecode expands the functions that read and write images to ordinary SSA.
//
// Input: an optimised kernel and the images and samplers of a launch. Output: a copy of the kernel for launches
// with images of the same formats and shapes and with the same samplers. In the copy, coordinates, addressing,
// filtering and conversions are arithmetic, and elements are loads and stores. The copy has additional parameters:
// addresses, sizes and pitches of the images.
//
// Invariants:
//
//   - Results have the bits of package image, and findings are those of the calls: a case that must be
//     reported, such as a coordinate outside of an image that is read without a sampler, calls the
//     original operation, in a block of its own.
//   - Coordinates are clamped before an element is accessed, and launches without all elements of an image have another key: each
//     work-item's accesses are in bounds. Executors need not check accesses to parameters that are [ssa.KernelArg.Pixels].
//   - A copy is valid only for launches with equal keys ([Kernel.AppendKey]). Sizes and pitches are no part of a key.
//
// The package must not know gangs or processors.
//
// Start reading at kernel.go, then sample.go (coordinates and filters), element.go (formats).
package imagecode

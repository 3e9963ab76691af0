// Package image defines images: the memory layout and the color of an element in each format, the elements that a
// coordinate selects through a sampler, and their filtering.
//
// Input: an [Image] (a format, a shape and sizes over the bytes of a memory object), coordinates, a
// [opencl.Sampler]. Output: colors, or changed bytes. It is the only definition, used by the executors for kernels
// and by the host API for fills and formats.
//
// Invariants:
//
//   - No coordinate and no sampler, whatever their bits, accesses a byte outside of the
//     image: an element that does not exist reads as the border color, and a write to it
//     does nothing.
//   - Every operation on numbers is rounded separately (float32(…) prevents Go from fusing
//     it with the next), so that other executors can give the same bits.
//
// The package must not know kernels, SSA or the host's objects.
//
// Sources: OpenCL C, "Image Read and Write Functions" (6.15.15) and "Image Addressing and Filtering" (8); OpenCL
// API, "Image Format Descriptor" (5.3.1.1). The decisions are in docs/decisions/0006-images.md.
//
// Start reading at format.go, then element.go (one element), sampler.go, read.go.
package image

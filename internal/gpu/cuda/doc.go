// Package cuda implements package device's machines with NVIDIA's driver. It loads libcuda, which every driver
// installation has, when the program asks for GPUs. It needs no toolkit and no cgo.
//
// Output: [Open], the devices of this computer. Each has a context of its own. The driver compiles PTX; its result
// is kept in the user's cache folder (cache.go). The package must not know of kernels and SSA.
//
// Start reading at driver.go.
package cuda

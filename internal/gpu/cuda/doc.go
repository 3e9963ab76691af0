// Package cuda is NVIDIA's driver as machines of package device: libcuda, which every driver
// installation has, loaded when the program asks for GPUs. No toolkit and no cgo are needed.
//
// Output: [Open], the devices of this computer. A context of our own is made for each. PTX goes
// through the driver's compiler; its result is kept in the user's cache folder (cache.go).
// The package must not know of kernels and SSA.
//
// Start reading at driver.go.
package cuda

//go:build cgo && linux && !simulated

package main

import _ "github.com/purecl/purecl/gpu" // NVIDIA's devices, by dlopen of their driver

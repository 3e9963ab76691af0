//go:build cgo && linux

package main

import _ "github.com/purecl/purecl/gpu" // NVIDIA's devices, by dlopen of their driver

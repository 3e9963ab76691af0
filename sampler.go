package purecl

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// A Sampler selects how a kernel reads an image (OpenCL C, "Samplers", 6.13.14.1). The zero value reads the
// element at the coordinates, and the border color outside the image.
type Sampler struct {
	Normalized bool // coordinates are from 0 to 1
	Linear     bool // the weighted mean of the nearest elements; else the nearest
	Address    Address
}

// An Address defines what a read outside the image returns.
type Address uint8

// The addressing modes.
const (
	Clamp          Address = iota // the border color: transparent, or opaque black
	ClampToEdge                   // the nearest element
	Repeat                        // the image repeats; for normalized coordinates
	MirroredRepeat                // the same, with each second image mirrored
	NoAddress                     // outside the image, reads are undefined
)

var addresses = [...]opencl.AddressingMode{Clamp: opencl.AddressClamp, ClampToEdge: opencl.AddressClampToEdge, Repeat: opencl.AddressRepeat,
	MirroredRepeat: opencl.AddressMirroredRepeat, NoAddress: opencl.AddressNone}

// bits returns the sampler's bit-field in kernels; ok is false for an unknown addressing mode.
func (s Sampler) bits() (b opencl.Sampler, ok bool) {
	if int(s.Address) >= len(addresses) {
		return 0, false
	}
	bits, _ := addresses[s.Address].Bits()
	if s.Linear {
		bits |= opencl.SamplerLinear
	} else {
		bits |= opencl.SamplerNearest
	}
	if s.Normalized {
		bits |= opencl.NormalizedCoords
	}
	return bits, true
}

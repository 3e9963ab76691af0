package purecl

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// A Sampler says how a kernel reads an image (OpenCL C, "Samplers", 6.13.14.1). The zero
// value reads the element that the coordinates lie in, and the border color beyond the
// edges.
type Sampler struct {
	Normalized bool // coordinates are from 0 to 1
	Linear     bool // the weighted mean of the nearest elements; else the nearest
	Address    Address
}

// An Address says what becomes of coordinates outside of the image.
type Address uint8

// The addressing modes.
const (
	Clamp          Address = iota // the border color: transparent, or opaque black
	ClampToEdge                   // the nearest element
	Repeat                        // the image repeats; for normalized coordinates
	MirroredRepeat                // likewise, each second time mirrored
	NoAddress                     // coordinates are inside: others are undefined
)

var addresses = [...]opencl.AddressingMode{Clamp: opencl.AddressClamp, ClampToEdge: opencl.AddressClampToEdge, Repeat: opencl.AddressRepeat,
	MirroredRepeat: opencl.AddressMirroredRepeat, NoAddress: opencl.AddressNone}

// bits returns the bit-field that a kernel has of the sampler; ok is false where the
// addressing mode is none.
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

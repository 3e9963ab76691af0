package purecl

import "github.com/purecl/purecl/internal/run/image"

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

var addresses = [...]image.Sampler{Clamp: image.AddressClamp, ClampToEdge: image.AddressClampToEdge, Repeat: image.AddressRepeat,
	MirroredRepeat: image.AddressMirroredRepeat, NoAddress: image.AddressNone}

// bits returns the bit-field that a kernel has of the sampler; ok is false where the
// addressing mode is none.
func (s Sampler) bits() (b image.Sampler, ok bool) {
	if int(s.Address) >= len(addresses) {
		return 0, false
	}
	b = addresses[s.Address] | image.FilterNearest
	if s.Linear {
		b = addresses[s.Address] | image.FilterLinear
	}
	if s.Normalized {
		b |= image.NormalizedCoords
	}
	return b, true
}

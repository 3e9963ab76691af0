package host

import "github.com/purecl/purecl/internal/run/image"

// An AddressingMode says what becomes of image coordinates outside of the image, numbered
// as in OpenCL's headers.
type AddressingMode uint32

// The addressing modes.
const (
	AddressNone           AddressingMode = 0x1130 + iota // there are none
	AddressClampToEdge                                   // the nearest element
	AddressClamp                                         // the border color
	AddressRepeat                                        // the image repeats; for normalized coordinates
	AddressMirroredRepeat                                // likewise, each second time mirrored
)

// A FilterMode says how an image is read between its elements, numbered as in OpenCL's
// headers.
type FilterMode uint32

// The filter modes.
const (
	FilterNearest FilterMode = 0x1140 + iota // the element that the coordinate lies in
	FilterLinear                             // the weighted mean of the nearest 2, 4 or 8
)

// A SamplerDesc describes a sampler. As a kernel argument it stands for one.
type SamplerDesc struct {
	Normalized bool           // coordinates are from 0 to 1
	Addressing AddressingMode // 0: AddressClamp
	Filter     FilterMode     // 0: FilterNearest
}

// A Sampler says how kernels read images (OpenCL API, "Sampler Objects", 5.7).
type Sampler struct {
	ctx  *Context
	desc SamplerDesc
	bits image.Sampler
}

// NewSampler returns a sampler (clCreateSampler).
func (c *Context) NewSampler(d SamplerDesc) (*Sampler, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	if d.Addressing == 0 {
		d.Addressing = AddressClamp
	}
	if d.Filter == 0 {
		d.Filter = FilterNearest
	}
	bits, err := d.bits()
	if err != nil {
		return nil, err
	}
	return &Sampler{c, d, bits}, nil
}

// bits returns the bit-field that a kernel has of the sampler.
// CL_INVALID_VALUE: a mode is not valid.
func (d SamplerDesc) bits() (image.Sampler, error) {
	addressing := map[AddressingMode]image.Sampler{0: image.AddressClamp, AddressNone: image.AddressNone, AddressClampToEdge: image.AddressClampToEdge,
		AddressClamp: image.AddressClamp, AddressRepeat: image.AddressRepeat, AddressMirroredRepeat: image.AddressMirroredRepeat}
	a, ok := addressing[d.Addressing]
	if !ok {
		return 0, failf(InvalidValue, "%#x is no addressing mode", uint32(d.Addressing))
	}
	f, ok := map[FilterMode]image.Sampler{0: image.FilterNearest, FilterNearest: image.FilterNearest, FilterLinear: image.FilterLinear}[d.Filter]
	if !ok {
		return 0, failf(InvalidValue, "%#x is no filter mode", uint32(d.Filter))
	}
	if d.Normalized {
		a |= image.NormalizedCoords
	}
	return a | f, nil
}

// Context returns the sampler's context.
func (s *Sampler) Context() *Context { s = or(s); return s.ctx }

// Desc returns the sampler's properties (clGetSamplerInfo).
func (s *Sampler) Desc() SamplerDesc { s = or(s); return s.desc }

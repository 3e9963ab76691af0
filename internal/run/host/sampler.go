package host

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// A SamplerDesc describes a sampler. A kernel argument may be a SamplerDesc instead of a [Sampler].
type SamplerDesc struct {
	Normalized bool                  // coordinates are from 0 to 1
	Addressing opencl.AddressingMode // 0: AddressClamp
	Filter     opencl.FilterMode     // 0: FilterNearest
}

// A Sampler defines how kernels read images (OpenCL API, "Sampler Objects", 5.7).
type Sampler struct {
	ctx  *Context
	desc SamplerDesc
	bits opencl.Sampler
}

// NewSampler returns a sampler (clCreateSampler).
func (c *Context) NewSampler(d SamplerDesc) (*Sampler, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	if d.Addressing == 0 {
		d.Addressing = opencl.AddressClamp
	}
	if d.Filter == 0 {
		d.Filter = opencl.FilterNearest
	}
	bits, err := d.bits()
	if err != nil {
		return nil, err
	}
	return &Sampler{c, d, bits}, nil
}

// bits returns the sampler's bit-field in kernels. It returns CL_INVALID_VALUE where a mode is not valid.
func (d SamplerDesc) bits() (opencl.Sampler, error) {
	if d.Addressing == 0 {
		d.Addressing = opencl.AddressClamp
	}
	if d.Filter == 0 {
		d.Filter = opencl.FilterNearest
	}
	a, ok := d.Addressing.Bits()
	if !ok {
		return 0, failf(opencl.InvalidValue, "%#x is no addressing mode", uint32(d.Addressing))
	}
	f, ok := d.Filter.Bits()
	if !ok {
		return 0, failf(opencl.InvalidValue, "%#x is no filter mode", uint32(d.Filter))
	}
	if d.Normalized {
		a |= opencl.NormalizedCoords
	}
	return a | f, nil
}

// Context returns the sampler's context.
func (s *Sampler) Context() *Context { s = or(s); return s.ctx }

// Desc returns the sampler's properties (clGetSamplerInfo).
func (s *Sampler) Desc() SamplerDesc { s = or(s); return s.desc }

//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"math"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A samplerObject is a sampler.
type samplerObject struct {
	*entry
	*host.Sampler
	ctx   *contextObject
	props []uint64 // as given to clCreateSamplerWithProperties
}

func clCreateSampler(context uintptr, normalized, addressing, filter uint32) (uintptr, error) {
	return newSampler(context, uint64(normalized), uint64(addressing), uint64(filter), nil)
}

func clCreateSamplerWithProperties(context uintptr, props *uint64) (uintptr, error) {
	if _, err := find[contextObject](context, kindContext); err != nil {
		return 0, err
	}
	pairs, raw, err := properties(props, opencl.InvalidValue)
	if err != nil {
		return 0, err
	}
	normalized, addressing, filter := uint64(C.CL_TRUE), uint64(C.CL_ADDRESS_CLAMP), uint64(C.CL_FILTER_NEAREST)
	for _, p := range pairs {
		switch p[0] {
		case C.CL_SAMPLER_NORMALIZED_COORDS:
			normalized = p[1]
		case C.CL_SAMPLER_ADDRESSING_MODE:
			addressing = p[1]
		case C.CL_SAMPLER_FILTER_MODE:
			filter = p[1]
		default:
			return 0, opencl.InvalidValue
		}
	}
	return newSampler(context, normalized, addressing, filter, raw)
}

func newSampler(context uintptr, normalized, addressing, filter uint64, props []uint64) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	// CL_INVALID_VALUE: a value is not valid. 0 must be checked here, because package host replaces it by a
	// default.
	if normalized > C.CL_TRUE || addressing == 0 || addressing > math.MaxUint32 || filter == 0 || filter > math.MaxUint32 {
		return 0, opencl.InvalidValue
	}
	s := &samplerObject{ctx: c, props: props}
	if s.Sampler, err = c.NewSampler(host.SamplerDesc{Normalized: normalized == C.CL_TRUE, Addressing: opencl.AddressingMode(addressing), Filter: opencl.FilterMode(filter)}); err != nil {
		return 0, err
	}
	s.entry = &entry{kind: kindSampler, self: s, parents: []*entry{c.entry}}
	return s.handleOf()
}

func clRetainSampler(sampler uintptr) error  { return retain(sampler, kindSampler) }
func clReleaseSampler(sampler uintptr) error { return release(sampler, kindSampler) }

func clGetSamplerInfo(sampler uintptr, name uint32, a answer) error {
	s, err := find[samplerObject](sampler, kindSampler)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_SAMPLER_REFERENCE_COUNT:
		return value(a, uint32(s.refs.Load()))
	case C.CL_SAMPLER_CONTEXT:
		return value(a, s.ctx.handle)
	case C.CL_SAMPLER_NORMALIZED_COORDS:
		return value(a, boolean(s.Desc().Normalized))
	case C.CL_SAMPLER_ADDRESSING_MODE:
		return value(a, uint32(s.Desc().Addressing))
	case C.CL_SAMPLER_FILTER_MODE:
		return value(a, uint32(s.Desc().Filter))
	case C.CL_SAMPLER_PROPERTIES:
		return values(a, s.props)
	}
	return opencl.InvalidValue
}

package image

import (
	"math"

	"github.com/purecl/purecl/internal/base/opencl"
)

// These functions sample by a sampler's bit-field. Any bits are accepted: an undefined field counts as the first
// value of its kind.

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// integer converts the integral x to int32. It saturates; NaN gives 0.
func integer(x float32) int32 {
	switch {
	case x != x:
		return 0
	case x < -1<<30:
		return -1 << 30
	case x > 1<<30:
		return 1 << 30
	}
	return int32(x)
}

// repeated returns the unnormalized coordinate in the first repetition if the sampler repeats the image; else ok is
// false.
func repeated(s opencl.Sampler, x float32, n int) (u float32, ok bool) {
	mode := s.Addressing()
	if mode != opencl.SamplerRepeat && mode != opencl.SamplerMirroredRepeat {
		return 0, false
	}
	if !s.Normalized() { // undefined; treated as normalized
		x = x / float32(n)
	}
	if mode == opencl.SamplerRepeat {
		return float32(float32(x-floor(x)) * float32(n)), true
	}
	t := 2 * float32(math.RoundToEven(float64(0.5*x)))
	t = float32(math.Abs(float64(x - t)))
	return float32(t * float32(n)), true
}

// unnormalized returns the coordinate in elements.
func unnormalized(s opencl.Sampler, x float32, n int) float32 {
	if s.Normalized() {
		return float32(x * float32(n))
	}
	return x
}

// address implements address_mode of the specification.
func address(s opencl.Sampler, i int32, n int) int32 {
	switch s.Addressing() {
	case opencl.SamplerClampToEdge:
		return min(max(i, 0), int32(n-1))
	case opencl.SamplerClamp:
		return min(max(i, -1), int32(n))
	}
	return i
}

// nearest returns the element along one coordinate of n elements ("Nearest Filtering",
// 8.2). It may lie outside of the image.
func nearest(s opencl.Sampler, x float32, n int) int32 {
	u, ok := repeated(s, x, n)
	if !ok {
		return address(s, integer(floor(unnormalized(s, x, n))), n)
	}
	i := integer(floor(u))
	if s.Addressing() == opencl.SamplerRepeat {
		if i > int32(n-1) {
			i -= int32(n)
		}
		return i
	}
	return min(i, int32(n-1))
}

// linear returns the two elements along one coordinate of n elements, and the weight of the second ("Linear
// Filtering", 8.2).
func linear(s opencl.Sampler, x float32, n int) (i0, i1 int32, a float32) {
	u, ok := repeated(s, x, n)
	if !ok {
		u = unnormalized(s, x, n)
	}
	h := float32(u - 0.5)
	f := floor(h)
	a = float32(h - f)
	i0 = integer(f)
	i1 = i0 + 1
	switch s.Addressing() {
	case opencl.SamplerRepeat:
		if i0 < 0 {
			i0 += int32(n)
		}
		if i1 > int32(n-1) {
			i1 -= int32(n)
		}
	case opencl.SamplerMirroredRepeat:
		i0, i1 = max(i0, 0), min(i1, int32(n-1))
	default:
		i0, i1 = address(s, i0, n), address(s, i1, n)
	}
	return i0, i1, a
}

// layer returns the image of an array that a coordinate selects ("Selecting an Image From an Image Array", 8.8).
func layer(x float32, n int) int32 {
	return min(max(integer(float32(math.RoundToEven(float64(x)))), 0), int32(n-1))
}

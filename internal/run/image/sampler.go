package image

import "math"

// A Sampler is a sampler's bit-field, as kernels write it (OpenCL C, "Samplers", 6.15.15.1).
// Any bits are a sampler: those without a meaning count as the first of their kind.
type Sampler uint32

// The bits.
const (
	NormalizedCoords Sampler = 1

	AddressNone           Sampler = 0
	AddressClampToEdge    Sampler = 2
	AddressClamp          Sampler = 4
	AddressRepeat         Sampler = 6
	AddressMirroredRepeat Sampler = 8
	addressMask           Sampler = 0xE

	FilterNearest Sampler = 0x10
	FilterLinear  Sampler = 0x20
	filterMask    Sampler = 0x30
)

// Linear reports whether the sampler filters.
func (s Sampler) Linear() bool { return s&filterMask == FilterLinear }

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// integer converts the integral x to int32: saturated, 0 of NaN.
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

// repeated reports whether the sampler repeats the image, and the unnormalized coordinate
// of s in the first repetition.
func (s Sampler) repeated(x float32, n int) (u float32, ok bool) {
	mode := s & addressMask
	if mode != AddressRepeat && mode != AddressMirroredRepeat {
		return 0, false
	}
	if s&NormalizedCoords == 0 { // undefined; as if they were normalized
		x = x / float32(n)
	}
	if mode == AddressRepeat {
		return float32(float32(x-floor(x)) * float32(n)), true
	}
	t := 2 * float32(math.RoundToEven(float64(0.5*x)))
	t = float32(math.Abs(float64(x - t)))
	return float32(t * float32(n)), true
}

// unnormalized returns the coordinate in elements.
func (s Sampler) unnormalized(x float32, n int) float32 {
	if s&NormalizedCoords != 0 {
		return float32(x * float32(n))
	}
	return x
}

// address is the function address_mode of the specification.
func (s Sampler) address(i int32, n int) int32 {
	switch s & addressMask {
	case AddressClampToEdge:
		return min(max(i, 0), int32(n-1))
	case AddressClamp:
		return min(max(i, -1), int32(n))
	}
	return i
}

// nearest returns the element along one coordinate of n elements ("Nearest Filtering",
// 8.2). It may lie outside of the image.
func (s Sampler) nearest(x float32, n int) int32 {
	u, repeated := s.repeated(x, n)
	if !repeated {
		return s.address(integer(floor(s.unnormalized(x, n))), n)
	}
	i := integer(floor(u))
	if s&addressMask == AddressRepeat {
		if i > int32(n-1) {
			i -= int32(n)
		}
		return i
	}
	return min(i, int32(n-1))
}

// linear returns the two elements along one coordinate of n elements and the weight of
// the second ("Linear Filtering", 8.2).
func (s Sampler) linear(x float32, n int) (i0, i1 int32, a float32) {
	u, repeated := s.repeated(x, n)
	if !repeated {
		u = s.unnormalized(x, n)
	}
	h := float32(u - 0.5)
	f := floor(h)
	a = float32(h - f)
	i0 = integer(f)
	i1 = i0 + 1
	switch s & addressMask {
	case AddressRepeat:
		if i0 < 0 {
			i0 += int32(n)
		}
		if i1 > int32(n-1) {
			i1 -= int32(n)
		}
	case AddressMirroredRepeat:
		i0, i1 = max(i0, 0), min(i1, int32(n-1))
	default:
		i0, i1 = s.address(i0, n), s.address(i1, n)
	}
	return i0, i1, a
}

// layer returns the image of an array that a coordinate chooses ("Selecting an Image From
// an Image Array", 8.8).
func layer(x float32, n int) int32 {
	return min(max(integer(float32(math.RoundToEven(float64(x)))), 0), int32(n-1))
}

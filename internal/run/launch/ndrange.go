package launch

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Range is the index space of a launch: 1 to 3 dimensions. Offset may be nil for
// zeros, Local nil to let the launch choose.
type Range struct {
	Global []uint64
	Local  []uint64
	Offset []uint64
	// NonUniform allows work-groups at the upper edges to be smaller, where Local does not
	// divide Global (OpenCL 2.0 and later, unless -cl-uniform-work-group-size).
	NonUniform bool
}

// A RangeError describes a mistake in a Range.
type RangeError struct {
	Field string // "dimensions", "global size", "local size", "offset"
	Msg   string
}

func (e *RangeError) Error() string { return e.Field + ": " + e.Msg }

// preferredGroup is the most work-items of a group whose size choose picks.
const preferredGroup = 256

// Resolve checks a range for the kernel and chooses the sizes that are not given. Its error is a *RangeError.
func (k *Kernel) Resolve(r Range) (exec.NDRange, error) {
	out := exec.NDRange{Dims: len(r.Global), Global: [3]uint64{1, 1, 1}, Local: [3]uint64{1, 1, 1}}
	fail := func(field, format string, args ...any) (exec.NDRange, error) {
		return exec.NDRange{}, &RangeError{field, fmt.Sprintf(format, args...)}
	}
	if out.Dims < 1 || out.Dims > 3 {
		return fail("dimensions", "1 to 3 expected, got %d", out.Dims)
	}
	if r.Local != nil && len(r.Local) != out.Dims {
		return fail("local size", "%d dimensions expected, as the global size has, got %d", out.Dims, len(r.Local))
	}
	if r.Offset != nil && len(r.Offset) != out.Dims {
		return fail("offset", "%d dimensions expected, as the global size has, got %d", out.Dims, len(r.Offset))
	}
	copy(out.Global[:], r.Global)
	copy(out.Offset[:], r.Offset)
	total := uint64(1)
	for d, n := range out.Global {
		if _, over := bits.Add64(out.Offset[d], n, 0); over != 0 {
			return fail("offset", "offset %d plus global size %d of dimension %d does not fit size_t", out.Offset[d], n, d)
		}
		hi, lo := bits.Mul64(total, n)
		if hi != 0 || lo > 1<<62 {
			return fail("global size", "%s is too large", sizes(slices.Clone(r.Global)))
		}
		total = lo
	}
	reqd := k.Func.Kernel.ReqdGroupSize
	required := reqd != [3]int64{}
	switch {
	case r.Local != nil:
		copy(out.Local[:], r.Local)
	case required:
		for d := range out.Local {
			out.Local[d] = uint64(max(reqd[d], 1))
		}
	default:
		out.Local = choose(out.Global)
	}
	items := uint64(1)
	for d, n := range out.Local {
		if n == 0 {
			return fail("local size", "dimension %d is 0", d)
		}
		if required && n != uint64(max(reqd[d], 1)) {
			return fail("local size", "the kernel requires work-groups of %s, got %s", sizes(slices.Clone(reqd[:])), sizes(slices.Clone(out.Local[:])))
		}
		if n > ssa.MaxGroupSize || items*n > ssa.MaxGroupSize {
			return fail("local size", "%s is more than %d work-items", sizes(slices.Clone(out.Local[:out.Dims])), ssa.MaxGroupSize)
		}
		items *= n
		if out.Global[d]%n != 0 && !r.NonUniform {
			return fail("local size", "%d does not divide the global size %d of dimension %d: give one that does, or none", n, out.Global[d], d)
		}
	}
	return out, nil
}

// sizes formats sizes as 16x4x1. Callers clone the slice, so that a launch without an error allocates nothing.
func sizes[T int64 | uint64](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", "x")
}

// choose picks a local size that divides the global size and is long in the first dimension.
func choose(global [3]uint64) (local [3]uint64) {
	room := uint64(preferredGroup)
	for d, n := range global {
		local[d] = 1
		for k := min(room, n); k > 1; k-- {
			if n%k == 0 {
				local[d] = k
				break
			}
		}
		room /= local[d]
	}
	return local
}

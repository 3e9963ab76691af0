package host

import (
	"slices"

	"github.com/purecl/purecl/internal/base/opencl"
)

// An NDRange is the index space of a launch: 1 to 3 dimensions of work-items.
// (OpenCL API, "Mapping work-items onto an ND-range", 3.2.1.)
type NDRange struct {
	Global []int // work-items in each dimension
	Local  []int // work-items of a work-group in each; nil leaves the choice to the engine
	Offset []int // the first global id in each; nil is zero
}

// Range returns an ND-range with the number of work-items of each dimension.
func Range(global ...int) NDRange { return NDRange{Global: global} }

// WithLocal returns r with the work-group size given.
func (r NDRange) WithLocal(local ...int) NDRange { r.Local = local; return r }

// WithOffset returns r with its first global id given.
func (r NDRange) WithOffset(offset ...int) NDRange { r.Offset = offset; return r }

// check checks the rules of clEnqueueNDRangeKernel for the range alone, in its order. Errors get copies of the
// sizes, so that the caller's sizes can stay on the stack.
func (r NDRange) check(d *Device) error {
	n := len(r.Global)
	// CL_INVALID_WORK_DIMENSION: work_dim is not 1, 2 or 3.
	if n < 1 || n > 3 {
		return failf(opencl.InvalidWorkDimension, "an ND-range has 1 to 3 dimensions, not %d", n)
	}
	if r.Offset != nil && len(r.Offset) != n {
		return failf(opencl.InvalidGlobalOffset, "the offset %v has %d dimensions, the global size %d", slices.Clone(r.Offset), len(r.Offset), n)
	}
	for i, o := range r.Offset {
		// CL_INVALID_GLOBAL_OFFSET: an id would overflow size_t.
		if o < 0 || o > int(^uint(0)>>1)-max(r.Global[i], 0) {
			return failf(opencl.InvalidGlobalOffset, "the offset %d in dimension %d overflows", o, i)
		}
	}
	for _, g := range r.Global {
		if g < 0 {
			return failf(opencl.InvalidGlobalWorkSize, "the global size %v is negative", slices.Clone(r.Global))
		}
	}
	if r.Local != nil && len(r.Local) != n {
		return failf(opencl.InvalidWorkGroupSize, "the local size %v has %d dimensions, the global size %d", slices.Clone(r.Local), len(r.Local), n)
	}
	group := 1
	for i, l := range r.Local {
		// CL_INVALID_WORK_ITEM_SIZE: a dimension exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES.
		if l <= 0 {
			return failf(opencl.InvalidWorkGroupSize, "the local size %v must be positive", slices.Clone(r.Local))
		}
		if limit := d.info.MaxWorkItemSizes[i]; l > limit {
			return failf(opencl.InvalidWorkItemSize, "a local size of %d in dimension %d exceeds the device's %d", l, i, limit)
		}
		group *= l
	}
	if group > d.info.MaxWorkGroupSize {
		return failf(opencl.InvalidWorkGroupSize, "a work-group of %d work-items exceeds the device's %d", group, d.info.MaxWorkGroupSize)
	}
	return nil
}

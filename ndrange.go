package purecl

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/run/exec"
)

// An NDRange is the index space of a launch: work-items in 1 to 3 dimensions (OpenCL API,
// "Mapping work-items onto an ND-range", 3.2.1). [Range] makes one.
type NDRange struct {
	global, local, offset [3]int
	dims                  int
	localDims, offsetDims int // 0: not given
}

// Range returns the ND-range of so many work-items in each dimension. The device chooses
// the size of work-groups.
func Range(global ...int) NDRange {
	r := NDRange{dims: len(global)}
	copy(r.global[:], global)
	return r
}

// Local returns r with the size of work-groups given, which must divide the range: from
// OpenCL C 2.0 on, work-groups at the edges are smaller instead.
func (r NDRange) Local(size ...int) NDRange {
	r.localDims = max(1, len(size))
	r.local = [3]int{}
	copy(r.local[:], size)
	return r
}

// Offset returns r with its first global id given.
func (r NDRange) Offset(first ...int) NDRange {
	r.offsetDims = max(1, len(first))
	r.offset = [3]int{}
	copy(r.offset[:], first)
	return r
}

// String returns such as "1024×768, work-groups of 16×16, from 0×8".
func (r NDRange) String() string {
	s := sizes(r.global, r.dims)
	if r.localDims > 0 {
		s += ", work-groups of " + sizes(r.local, r.localDims)
	}
	if r.offsetDims > 0 {
		s += ", from " + sizes(r.offset, r.offsetDims)
	}
	return s
}

func sizes(v [3]int, dims int) string {
	s := ""
	for i := range min(dims, 3) {
		if i > 0 {
			s += "×"
		}
		s += fmt.Sprint(v[i])
	}
	return s
}

// check checks the range against the device.
func (r *NDRange) check(info *exec.Info) error {
	switch {
	case r.dims < 1 || r.dims > 3:
		return fmt.Errorf("the range has %d dimensions: 1 to 3 fit", r.dims)
	case r.localDims > 0 && r.localDims != r.dims:
		return fmt.Errorf("the work-group size %s has %d dimensions, the range %s has %d", sizes(r.local, r.localDims), r.localDims, sizes(r.global, r.dims), r.dims)
	case r.offsetDims > 0 && r.offsetDims != r.dims:
		return fmt.Errorf("the offset %s has %d dimensions, the range %s has %d", sizes(r.offset, r.offsetDims), r.offsetDims, sizes(r.global, r.dims), r.dims)
	}
	group := 1
	for i := range r.dims {
		switch l := r.local[i]; {
		case r.global[i] < 0:
			return fmt.Errorf("the range %s is negative", sizes(r.global, r.dims))
		case r.offset[i] < 0 || r.offset[i] > math.MaxInt-r.global[i]:
			return fmt.Errorf("the offset %s: sizes from 0 to what fits an int are possible", sizes(r.offset, r.dims))
		case r.localDims == 0:
		case l <= 0:
			return fmt.Errorf("the work-group size %s must be positive", sizes(r.local, r.dims))
		case l > info.MaxSizes[i]:
			return fmt.Errorf("the work-group size %s: the device has at most %d work-items in dimension %d", sizes(r.local, r.dims), info.MaxSizes[i], i)
		default:
			group *= l
		}
	}
	if group > info.MaxGroup {
		return fmt.Errorf("the work-group size %s is %d work-items, the device has at most %d", sizes(r.local, r.dims), group, info.MaxGroup)
	}
	return nil
}

// exec returns the range for a device; room is its memory.
func (r *NDRange) exec(room *[9]uint64) (x exec.Range) {
	for i := range r.dims {
		room[i], room[3+i], room[6+i] = uint64(r.global[i]), uint64(r.local[i]), uint64(r.offset[i])
	}
	x.Global = room[:r.dims]
	if r.localDims > 0 {
		x.Local = room[3 : 3+r.dims]
	}
	if r.offsetDims > 0 {
		x.Offset = room[6 : 6+r.dims]
	}
	return x
}

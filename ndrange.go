package purecl

import (
	"fmt"

	"github.com/purecl/purecl/internal/run/exec"
)

// An NDRange is the index space of a launch: work-items in 1 to 3 dimensions (OpenCL API, "Mapping work-items onto
// an ND-range", 3.2.1). Create one with [Range].
type NDRange struct {
	global, local, offset [3]int
	dims                  int
	localDims, offsetDims int // 0: not given
}

// Range returns an ND-range with the given numbers of work-items in 1 to 3 dimensions. The device chooses the size
// of work-groups. A size of 0 is a launch without work-items. The launch checks the range.
func Range(global ...int) NDRange {
	r := NDRange{dims: len(global)}
	copy(r.global[:], global)
	return r
}

// Local returns r with the given size of work-groups. Before OpenCL C 2.0 it must divide the range; from 2.0
// on, work-groups at the edges are smaller.
func (r NDRange) Local(size ...int) NDRange {
	r.localDims = max(1, len(size))
	r.local = [3]int{}
	copy(r.local[:], size)
	return r
}

// Offset returns r with the given first global id.
func (r NDRange) Offset(first ...int) NDRange {
	r.offsetDims = max(1, len(first))
	r.offset = [3]int{}
	copy(r.offset[:], first)
	return r
}

// String returns a description such as "1024×768, work-groups of 16×16, from 0×8".
func (r NDRange) String() string {
	s := exec.Sizes(r.global[:min(r.dims, 3)])
	if r.localDims > 0 {
		s += ", work-groups of " + exec.Sizes(r.local[:min(r.localDims, 3)])
	}
	if r.offsetDims > 0 {
		s += ", from " + exec.Sizes(r.offset[:min(r.offsetDims, 3)])
	}
	return s
}

// check checks the range against the device.
func (r *NDRange) check(info *exec.Info) error {
	for _, n := range []int{r.dims, r.localDims, r.offsetDims} {
		if n > 3 {
			return fmt.Errorf("the range has %d dimensions: 1 to 3 fit", n)
		}
	}
	var local, offset []int
	if r.localDims > 0 {
		local = r.local[:r.localDims]
	}
	if r.offsetDims > 0 {
		offset = r.offset[:r.offsetDims]
	}
	return exec.CheckRange(info, r.global[:r.dims], local, offset)
}

// exec returns the range for a device. room is memory for it.
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

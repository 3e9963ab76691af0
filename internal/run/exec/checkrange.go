package exec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// CheckRange reports why a device cannot run an ND-range, nil if it can. local and offset, the work-group size
// and the first global id, have as many dimensions as the global size, or are nil. Kernels may demand more,
// which [Kernel.Resolve] checks.
func CheckRange(info *Info, global, local, offset []int) error {
	n := len(global)
	switch {
	case n < 1 || n > 3:
		return fmt.Errorf("the range has %d dimensions: 1 to 3 fit", n)
	case local != nil && len(local) != n:
		return fmt.Errorf("the work-group size %s has %d dimensions, the range %s has %d", Sizes(local), len(local), Sizes(global), n)
	case offset != nil && len(offset) != n:
		return fmt.Errorf("the offset %s has %d dimensions, the range %s has %d", Sizes(offset), len(offset), Sizes(global), n)
	}
	for _, g := range global {
		if g < 0 {
			return fmt.Errorf("the range %s is negative", Sizes(global))
		}
	}
	for i, o := range offset {
		if o < 0 || o > math.MaxInt-global[i] {
			return fmt.Errorf("the offset %s: sizes from 0 to what fits an int are possible", Sizes(offset))
		}
	}
	group := 1
	for i, l := range local {
		switch {
		case l <= 0:
			return fmt.Errorf("the work-group size %s must be positive", Sizes(local))
		case l > info.MaxSizes[i]:
			return fmt.Errorf("the work-group size %s: the device has at most %d work-items in dimension %d", Sizes(local), info.MaxSizes[i], i)
		}
		group *= l
	}
	if group > info.MaxGroup {
		return fmt.Errorf("the work-group size %s is %d work-items, the device has at most %d", Sizes(local), group, info.MaxGroup)
	}
	return nil
}

// Sizes formats sizes in several dimensions, such as 640×480.
func Sizes(v []int) string {
	s := make([]string, len(v))
	for i, n := range v {
		s[i] = strconv.Itoa(n)
	}
	return strings.Join(s, "×")
}

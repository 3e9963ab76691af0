package ssa

// CheckersOnly reports whether only checking executors need v, and returns the argument that replaces it
// elsewhere.
func CheckersOnly(v *Value) (arg int, ok bool) {
	n := Ops[v.Op].CheckersOnly
	return int(n) - 1, n != 0
}

// MaxGroupSize is the greatest number of work-items of a work-group.
const MaxGroupSize = 4096

// The numbers of work-items of a full sub-group that a kernel can require.
var SubGroupSizes = [...]int{8, 16, 32}

// DefaultSubGroupSize is the size of sub-groups of kernels that require none: most kernels are written for it.
const DefaultSubGroupSize = 32

// SubGroupSize returns the number of work-items of a full sub-group of the kernel.
func (k *Kernel) SubGroupSize() int {
	if k.ReqdSubGroupSize != 0 {
		return int(k.ReqdSubGroupSize)
	}
	return DefaultSubGroupSize
}

package ssa

// CheckersOnly reports whether only checking executors need v. Other executors replace v by argument arg.
func CheckersOnly(v *Value) (arg int, ok bool) {
	n := Ops[v.Op].CheckersOnly
	return int(n) - 1, n != 0
}

// MaxGroupSize is the greatest number of work-items of a work-group.
const MaxGroupSize = 4096

// SubGroupSizes lists the sizes of full sub-groups that a kernel can require.
var SubGroupSizes = [...]int{8, 16, 32}

// DefaultSubGroupSize is the sub-group size of kernels that require none; most kernels are written for it.
const DefaultSubGroupSize = 32

// SubGroupSize returns the number of work-items of a full sub-group of the kernel.
func (k *Kernel) SubGroupSize() int {
	if k.ReqdSubGroupSize != 0 {
		return int(k.ReqdSubGroupSize)
	}
	return DefaultSubGroupSize
}

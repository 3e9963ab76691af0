package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// OpenCL vectors in memory layout: the elements of each lane stay side by side from a load through elementwise
// operations to a store. An operation on a single element extracts it.

// setWhole gives v a register with its elements side by side.
func (b *values) setWhole(v *ssa.Value, r Reg) {
	x := &b.vals[v.ID]
	x.varies, x.whole = true, r
}

// wholes reports whether all varying operands of a vector operation have their elements side by side.
func (b *values) wholes(v *ssa.Value) bool {
	if v.Type.N == 1 || v.Type.K == ssa.Bool || v.Op == ssa.OpSelect {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool {
		x := &b.vals[a.ID]
		return a.Type.N != v.Type.N || a.Type.K == ssa.Bool || x.varies && x.whole == 0 && !a.IsConst()
	})
}

// wholeOp builds an elementwise operation on elements side by side.
func (b *values) wholeOp(v *ssa.Value) {
	args := make([]Reg, len(v.Args))
	for k, a := range v.Args {
		args[k] = b.wholeOf(a)
	}
	if v.Op == ssa.OpCopy {
		b.setWhole(v, args[0])
		return
	}
	b.setWhole(v, b.each(v.Op, Type{Vector, v.Type.K, v.Type.N}, v.Aux, args...))
}

// wholeOf returns the elements of a value side by side. For a uniform value they are built at its definition.
func (b *values) wholeOf(v *ssa.Value) Reg {
	x := &b.vals[v.ID]
	if x.varies && x.whole != 0 {
		return x.whole
	}
	t := Type{Vector, v.Type.K, v.Type.N}
	elements := make([]uint64, v.Type.N)
	if v.IsConst() {
		for c := range elements {
			elements[c] = v.ConstElem(c)
		}
		if !slices.ContainsFunc(elements, func(e uint64) bool { return e != elements[0] }) {
			return b.constant(t, elements[0])
		}
	}
	if r := b.agreed[v]; r != 0 {
		return r
	}
	i := Inst{Op: OpJoin, Dst: b.f.NewReg(t)}
	if !v.IsConst() && !slices.ContainsFunc(x.s, func(r Reg) bool { return r != x.s[0] }) {
		i.Op, i.Args = OpSplat, []Reg{x.s[0]}
	} else {
		for c := range int(v.Type.N) {
			i.Args = append(i.Args, b.vector(v, c))
		}
	}
	if v.IsConst() {
		b.insertAt(b.pre, len(b.pre.Insts), i)
	} else {
		b.insertAt(x.block, x.at, i)
	}
	b.agreed[v] = i.Dst
	return i.Dst
}
